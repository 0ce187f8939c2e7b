"""Signing in with a password or a code by mail: slowed per account and address, and the same answer for unknown accounts."""

from __future__ import annotations

import hashlib
import hmac
import secrets

import msgspec

from octavo.access.people import sessions
from octavo.access.people.passwords import matches
from octavo.access.signing import Signer
from octavo.kernel import limits
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import Forbidden, TooMany
from octavo.kernel.events import LoginCodeRequested, LoginFailed
from octavo.kernel.ids import token_hash
from octavo.kernel.records.people import LoginCode, Session, User
from octavo.store.people.people import folded
from octavo.store.unit import Provenance, Store, Unit

_WINDOW = limits.LOGIN_MINUTES * MINUTE
_WRONG_CODE = "This code is wrong or no longer valid. Look at the newest mail, or ask for another code."


class SignIn(msgspec.Struct, frozen=True):
    """What signing in works with, and the address that it is asked from."""

    store: Store
    signer: Signer
    address: str
    agent: str | None = None

    @property
    def provenance(self) -> Provenance:
        return Provenance(address=self.address, agent=self.agent, source="ui")

    def failed(self, sealed_email: str, how: str) -> LoginFailed:
        """What is told of an attempt that failed."""
        return LoginFailed(sealed_email=sealed_email, how=how, address=self.address, agent=self.agent)


async def by_password(sign_in: SignIn, email: str, password: str, before: Session | None) -> tuple[str, Session]:
    """Sign in; `before` is the session that the browser has. The value of the cookie, and the session.

    Raises Forbidden when address and password do not belong together, TooMany after too many attempts. Neither tells
    whether there is such an account, nor does the time it takes.
    """
    await _slow(sign_in, (f"account {folded(email)}", limits.LOGINS_OF_ACCOUNT))

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

    async def work(unit: Unit) -> tuple[str, Session]:
        # Between the two units another password may have been set.
        if await unit.proofs.password(found.id) != digest:
            raise Forbidden("E-mail and password do not belong together.")
        await unit.proofs.forget(_key(f"account {folded(email)}"))
        return await sessions.begin(unit, found.id, "password", instead_of=before)

    return await sign_in.store.write(work, sign_in.provenance)


async def ask_code(sign_in: SignIn, email: str, visit: str) -> None:
    """Have a code mailed, if there is such an account: a job finds out, so that here nothing tells.

    `visit` is the word in the browser's cookie. Raises TooMany after too many attempts.
    """
    await _slow(sign_in, (f"code {folded(email)}", limits.CODES_OF_ACCOUNT))
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


async def by_code(sign_in: SignIn, visit: str, given: str, before: Session | None) -> tuple[str, Session]:
    """Sign in with a code, in the browser that asked for it; the same as `by_password`."""
    await _slow(sign_in)
    key = token_hash(visit)
    digits = "".join(given.split()).replace("-", "")

    async def work(unit: Unit) -> tuple[str, Session] | None:
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
        if not user.email_verified:
            await unit.people.change_user(user, email_verified=True)
        return await sessions.begin(unit, user.id, "code", instead_of=before)

    made = await sign_in.store.write(work, sign_in.provenance)
    if made is None:
        raise Forbidden(_WRONG_CODE)
    return made


async def set_password(unit: Unit, user: User, digest: str | None) -> int:
    """Set the hash of a password, or (None) take the password away. Either way the user is signed out everywhere; how
    many sessions ended."""
    if digest is None:
        await unit.proofs.remove_password(user.id)
        await unit.audit.of_account("user.password.remove", user)
    else:
        await unit.proofs.set_password(user.id, digest, unit.now)
        await unit.audit.of_account("user.password.set", user)
    return await sessions.end_all(unit, user.id)


async def _account(unit: Unit, email: str) -> User | None:
    """Whose address that is, unless the account is deleted."""
    user = await unit.people.user_by_email(email)
    return None if user is None or user.deleted_at is not None else user


async def _slow(sign_in: SignIn, *accounts: tuple[str, int]) -> None:
    """Count an attempt ahead of everything else, so that attempts at the same time are counted too.

    Of each (account, most) and of the address that asks. Raises TooMany.
    """
    counted = [*accounts, (f"address {sign_in.address}", limits.LOGINS_OF_ADDRESS)]

    async def work(unit: Unit) -> bool:
        found = [await unit.proofs.count(_key(words), unit.now, _WINDOW) > most for words, most in counted]
        return any(found)

    if await sign_in.store.write(work, sign_in.provenance):
        raise TooMany(f"Too many attempts. Try again in {limits.LOGIN_MINUTES} minutes.")


def _email(sign_in: SignIn, code: LoginCode) -> str | None:
    try:
        return sign_in.signer.unseal(code.sealed_email)
    except ValueError:
        return None


def _key(words: str) -> str:
    """What is counted by: what was typed may be anything, a password too, and is not kept."""
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
