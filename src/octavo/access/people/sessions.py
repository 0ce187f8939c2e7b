"""Browser sessions: a random word in a cookie, of which only the hash is kept, that ends by itself and by signing out."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from octavo.access.caller import Caller, caller_with
from octavo.kernel import limits
from octavo.kernel.clock import DAY, MINUTE, SECOND
from octavo.kernel.ids import new_id, token_hash
from octavo.kernel.records.people import Proof, Session, Token
from octavo.store.unit import Unit

TOUCHED_EVERY = 5 * MINUTE
"""How exactly `used_at` is known, at the price of one small write each."""
_PLAIN, _SECURE = "octavo_session", "__Host-octavo_session"
_KNOWN_PLAIN, _KNOWN_SECURE = "octavo_browser", "__Host-octavo_browser"
_LOCAL = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")


async def begin(
    unit: Unit,
    user: str,
    how: Proof,
    *,
    provider: str | None = None,
    provider_session: str | None = None,
    instead_of: Session | None = None,
) -> tuple[str, Session]:
    """Sign a user in: the value of the cookie, known here and never again, and the session.

    `how` is what proved who the user is, `provider` the id of the SAML provider that did. `instead_of` is the session
    that the browser had before, which ends: every login and every change of rights takes a new word. The unit writes;
    set the cookie by `cookie`.
    """
    now = unit.now
    value = secrets.token_urlsafe(32)
    session = Session(
        id=new_id(),
        user=user,
        hash=token_hash(value),
        how=how,
        provider=provider,
        created_at=now,
        used_at=now,
        expires_at=now + limits.SESSION_DAYS * DAY,
        provider_session=provider_session,
    )
    await unit.sessions.remove_expired(now)
    if instead_of is not None:
        await unit.sessions.remove(instead_of.id)
    await unit.sessions.add(session)
    known = await unit.people.user(user)
    if known is not None:
        details = {"how": how, "session": session.id} | ({} if provider is None else {"provider": provider})
        await unit.audit.of_account("user.login", known, actor=known, details=details)
    return value, session


async def find(unit: Unit, value: str) -> Session | None:
    """The session of a cookie's value; None when it is unknown, signed out, idle for too long, or at its end."""
    digest = token_hash(value)
    session = await unit.sessions.by_hash(digest)
    if session is None or not hmac.compare_digest(session.hash, digest) or not alive(session, unit.now):
        return None
    return session


def alive(session: Session, now: int) -> bool:
    """Whether it has neither reached its end nor been idle for too long."""
    return now < session.expires_at and now < session.used_at + limits.SESSION_IDLE_DAYS * DAY


async def caller_of_session(unit: Unit, session: Session) -> Caller | None:
    """Whom a session stands for, with every right of the user; None when the user is gone.

    `caller.session` is the session, `caller.token` a stand-in that carries its id and provider.
    """
    user = await unit.people.user(session.user)
    if user is None or user.deleted_at is not None:
        return None
    stand_in = Token(
        id=session.id,
        user=user.id,
        hash="",
        label="browser session",
        provider=session.provider,
        created_at=session.created_at,
        expires_at=session.expires_at,
    )
    return await caller_with(unit, user, stand_in, session)


async def end(unit: Unit, session: Session) -> None:
    """Sign out this browser."""
    await unit.sessions.remove(session.id)
    await unit.audit.of_account("user.logout", session.user, details={"session": session.id})


async def end_all(unit: Unit, user: str, *, besides: Session | None = None) -> int:
    """Sign a user out everywhere, or everywhere but here; how many sessions ended."""
    ended = await unit.sessions.remove_of_user(user, besides="" if besides is None else besides.id)
    if ended:
        await unit.audit.of_account("user.logout-everywhere", user, details={"sessions": ended})
    return ended


def cookie(value: str, session: Session, *, secure: bool, now: int) -> tuple[bytes, bytes]:
    """The header that gives a browser its session: for this host alone, out of reach of scripts and of other sites'
    forms. `secure` is whether browsers reach the installation by https (`secure_base`)."""
    age = max(0, (session.expires_at - now) // SECOND)
    return set_cookie(_name(secure), value, age, secure=secure)


def no_cookie(*, secure: bool) -> tuple[bytes, bytes]:
    """The header that takes it away."""
    return set_cookie(_name(secure), "", 0, secure=secure)


def set_cookie(name: str, value: str, age: int | None, *, secure: bool, path: str = "/") -> tuple[bytes, bytes]:
    """The header of any cookie of ours, for `age` seconds (None = until the browser closes): scripts cannot read it."""
    lasts = "" if age is None else f"Max-Age={age}; "
    attributes = f"{lasts}Path={path}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")
    return b"set-cookie", f"{name}={value}; {attributes}".encode()


def read_cookie(headers: Iterable[tuple[bytes, bytes]], *, secure: bool) -> str | None:
    """The value in a request's headers."""
    return cookies(headers).get(_name(secure)) or None


def known_cookie(browser: str, *, secure: bool) -> tuple[bytes, bytes]:
    """The header that lets a browser be known again where it signed in, long after the session has ended."""
    age = limits.KNOWN_BROWSER_DAYS * DAY // SECOND
    return set_cookie(_KNOWN_SECURE if secure else _KNOWN_PLAIN, browser, age, secure=secure)


def known_browser(cookies: Mapping[str, str], *, secure: bool) -> str:
    """What it says then; empty where it says nothing."""
    return cookies.get(_KNOWN_SECURE if secure else _KNOWN_PLAIN, "")


def cookies(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Name -> value of every cookie of a request; an unreadable header has none."""
    found: dict[str, str] = {}
    for name, raw in headers:
        if name == b"cookie":
            from http.cookies import CookieError, SimpleCookie  # with the first one: programs send none

            try:
                found |= {key: morsel.value for key, morsel in SimpleCookie(raw.decode("latin-1")).items()}
            except CookieError:
                continue
    return found


def secure_base(base: str) -> bool:
    """Whether an installation's address is one of https, whose cookies go over nothing else."""
    return base.startswith("https://")


def local_path(word: str | None, otherwise: str = "/login") -> str:
    """Where to go after signing in: a path on this host, or `otherwise` for whatever is none.

    >>> local_path("/docs?x=1")
    '/docs?x=1'
    >>> local_path("//elsewhere.org"), local_path("https://elsewhere.org"), local_path("/\\\\elsewhere.org")
    ('/login', '/login', '/login')
    """
    if word is None or len(word) > limits.URL_MAX or not _LOCAL.fullmatch(word):
        return otherwise
    parts = urlsplit(word)
    return otherwise if parts.scheme or parts.netloc else word


def _name(secure: bool) -> str:
    # Only this very host can set a cookie whose name begins with __Host-: no site on a subdomain plants one.
    return _SECURE if secure else _PLAIN
