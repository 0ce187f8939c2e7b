"""Signing in with a password or a code by mail: slowed per account and address, and the same answer for unknown accounts."""

from __future__ import annotations

import hmac
import secrets
from typing import NamedTuple

import msgspec

from octavo.access.people import attempts, sessions
from octavo.access.people.attempts import Allowance
from octavo.access.people.passwords import matches
from octavo.access.people.proving import prove
from octavo.access.signing import Signer
from octavo.kernel import limits
from octavo.kernel.clock import DAY, MINUTE
from octavo.kernel.errors import Forbidden, TooMany
from octavo.kernel.events import LoginCodeRequested, LoginFailed
from octavo.kernel.ids import token_hash
from octavo.kernel.records.people import LoginCode, Session, User
from octavo.store.people.people import folded
from octavo.store.unit import Provenance, Store, Unit

_WRONG_CODE = "This code is wrong or no longer valid. Look at the newest mail, or ask for another code."


class SignIn(msgspec.Struct, frozen=True):
    """What signing in works with, and from where it is asked."""

    store: Store
    signer: Signer
    address: str
    agent: str | None = None
    browser: str = ""
    """The word of a browser that signed in before."""

    @property
    def provenance(self) -> Provenance:
        return Provenance(address=self.address, agent=self.agent, source="ui")

    def failed(self, sealed_email: str, how: str) -> LoginFailed:
        """What is told of an attempt that failed."""
        return LoginFailed(sealed_email=sealed_email, how=how, address=self.address, agent=self.agent)


class SignedIn(NamedTuple):
    """The value of the cookie, the session, and the word by which the browser is known from now on."""

    value: str
    session: Session
    browser: str


class Ended(NamedTuple):
    """How many of each ended."""

    sessions: int
    tokens: int


async def by_password(sign_in: SignIn, email: str, password: str, before: Session | None) -> SignedIn:
    """Sign in; `before` is the session that the browser has.

    Raises Forbidden when address and password do not belong together, TooMany after too many attempts. Neither tells
    whether there is such an account, nor does the time it takes.
    """
    counted = _counted(sign_in, "account", email, limits.LOGINS_OF_ACCOUNT)
    await _slow(sign_in, counted)

    async def known(unit: Unit) -> tuple[User | None, str | None]:
        user = await _account(unit, email)
        # An unknown account asks the same of the database as a known one.
        return user, await unit.proofs.password("" if user is None else user.id)

    user, digest = await sign_in.store.read(known)
    right = await matches(password, digest)
    if user is None or not right:
        # The same write for an unknown account as for a known one.
        event = sign_in.failed(sign_in.signer.seal(email.strip()), "password")
        await sign_in.store.write(lambda unit: unit.emit(event), sign_in.provenance)
        raise Forbidden("E-mail and password do not belong together.")
    found = user

    async def work(unit: Unit) -> SignedIn:
        # Between the two units another password may have been set.
        if await unit.proofs.password(found.id) != digest:
            raise Forbidden("E-mail and password do not belong together.")
        await attempts.forget(unit, counted[0].words)
        return _known(sign_in, email, *await sessions.begin(unit, found.id, "password", instead_of=before))

    return await sign_in.store.write(work, sign_in.provenance)


async def ask_code(sign_in: SignIn, email: str, visit: str) -> None:
    """Have a code mailed, if there is such an account: a job finds out, so that here nothing tells.

    `visit` is the word in the browser's cookie. Raises TooMany after too many attempts.
    """
    await _slow(sign_in, _counted(sign_in, "code", email, limits.CODES_OF_ACCOUNT))
    code = f"{secrets.randbelow(10**limits.LOGIN_CODE_DIGITS):0{limits.LOGIN_CODE_DIGITS}d}"
    key = token_hash(visit)
    asked = LoginCode(
        visit=key,
        sealed_email=sign_in.signer.seal(email.strip()),
        sign=sign_in.signer.sign_code(key, code),
        expires_at=sign_in.store.clock() + limits.LOGIN_CODE_MINUTES * MINUTE,
    )
    event = LoginCodeRequested(sealed_email=asked.sealed_email, sealed_code=sign_in.signer.seal(code))

    async def work(unit: Unit) -> None:
        await unit.proofs.add_code(asked, unit.now)
        await unit.emit(event)

    await sign_in.store.write(work, sign_in.provenance)


async def waiting(sign_in: SignIn, visit: str) -> str | None:
    """The address for which this browser waits for a code; None = it waits for none."""
    code = await sign_in.store.read(lambda unit: unit.proofs.code(token_hash(visit)))
    if code is None or code.expires_at <= sign_in.store.clock():
        return None
    return _email(sign_in, code)


async def by_code(sign_in: SignIn, visit: str, given: str, before: Session | None) -> SignedIn:
    """Sign in with a code, in the browser that asked for it; the same as `by_password`."""
    await _slow(sign_in, [_from(sign_in)])
    key = token_hash(visit)
    digits = "".join(given.split()).replace("-", "")

    async def work(unit: Unit) -> SignedIn | None:
        # A wrong code must be counted, so this unit does not fail.
        code = await unit.proofs.code(key)
        if code is None or code.expires_at <= unit.now:
            return None
        counted = await unit.proofs.try_code(key, limits.LOGIN_CODE_TRIES)
        right = hmac.compare_digest(code.sign, sign_in.signer.sign_code(key, digits))
        if not (counted and right):
            await unit.emit(sign_in.failed(code.sealed_email, "code"))
            return None
        await unit.proofs.drop_code(key, unit.now)
        user = await _account(unit, _email(sign_in, code) or "")
        if user is None:
            return None
        await prove(unit, user)
        return _known(sign_in, user.email, *await sessions.begin(unit, user.id, "code", instead_of=before))

    made = await sign_in.store.write(work, sign_in.provenance)
    if made is None:
        raise Forbidden(_WRONG_CODE)
    return made


async def set_password(unit: Unit, user: User, digest: str | None, *, keep_tokens: bool = False) -> Ended:
    """Set the hash of a password, or (None) take the password away, as the operator says. Either way the user is signed
    out everywhere. Where there was another password, her tokens end too: somebody may have made them who knew it. Whoever is
    given a password is taken to be whose address it is, and of what an unknown one did before, no token is kept."""
    kept = keep_tokens or await unit.proofs.password(user.id) is None
    tokens = 0 if kept and user.email_verified else await unit.people.revoke_tokens(user.id)
    ended = Ended(await sessions.end_all(unit, user.id), tokens)
    if digest is None:
        await unit.proofs.remove_password(user.id)
        await unit.audit.of_account("user.password.remove", user, details={"tokens": tokens})
    else:
        await prove(unit, user)
        await unit.proofs.set_password(user.id, digest, unit.now)
        await unit.audit.of_account("user.password.set", user, details={"tokens": tokens})
    return ended


async def _account(unit: Unit, email: str) -> User | None:
    """Whose address that is, unless the account is deleted."""
    user = await unit.people.user_by_email(email)
    return None if user is None or user.deleted_at is not None else user


def _counted(sign_in: SignIn, what: str, email: str, most: int) -> list[Allowance]:
    """What an attempt is counted by. A browser that signed in to the account before goes by itself alone: what others try
    elsewhere locks the right person out of none that she uses."""
    account = folded(email)
    if sign_in.signer.knows_browser(sign_in.browser, account, sign_in.store.clock()):
        return [Allowance(f"{what} by {sign_in.browser}", most, limits.LOGIN_MINUTES)]
    return [Allowance(f"{what} {account}", most, limits.LOGIN_MINUTES), _from(sign_in)]


def _from(sign_in: SignIn) -> Allowance:
    return Allowance(f"address {sign_in.address}", limits.LOGINS_OF_ADDRESS, limits.LOGIN_MINUTES)


async def _slow(sign_in: SignIn, counted: list[Allowance]) -> None:
    """Count an attempt ahead of everything else, so that attempts at the same time are counted too. Raises TooMany."""
    if not await sign_in.store.write(lambda unit: attempts.spend(unit, counted), sign_in.provenance):
        raise TooMany(f"Too many attempts. Try again in {limits.LOGIN_MINUTES} minutes.")


def _known(sign_in: SignIn, email: str, value: str, session: Session) -> SignedIn:
    until = session.created_at + limits.KNOWN_BROWSER_DAYS * DAY
    return SignedIn(value, session, sign_in.signer.write_browser(folded(email), until))


def _email(sign_in: SignIn, code: LoginCode) -> str | None:
    try:
        return sign_in.signer.unseal(code.sealed_email)
    except ValueError:
        return None
