"""The pages on which people sign in and out."""

from __future__ import annotations

from urllib.parse import urlencode

from octavo.access.people import login, sessions
from octavo.console.answers import Answer, go, html
from octavo.console.visit import HOME, Visit
from octavo.kernel.errors import BadRequest, Failure, Forbidden, TooMany
from octavo.kernel.limits import LOGIN_MINUTES
from octavo.kernel.records.people import Session


async def show(visit: Visit) -> Answer:
    """GET /login: who is signed in goes on."""
    return go(visit.next) if visit.caller is not None else _form(visit, 200)


async def sign_in(visit: Visit) -> Answer:
    """POST /login: with a password."""
    email = visit.typed("email")
    try:
        made = await login.by_password(visit.desk, email, visit.typed("password"), visit.session)
    except (Forbidden, TooMany) as refusal:
        return _form(visit, refusal.status, refusal, email=email)
    return _welcome(visit, *made)


async def ask_code(visit: Visit) -> Answer:
    """POST /login/ask: whatever was typed, the answer is that a code is on its way if there is such an account."""
    email = visit.typed("email").strip()
    if not visit.house.mails:
        return _form(visit, 501, BadRequest("This installation sends no mail. Sign in with a password."))
    if "@" not in email or len(email) > 254:
        return _form(visit, 400, BadRequest("Type the e-mail address of your account."), email=email)
    try:
        await login.ask_code(visit.desk, email, visit.word)
    except TooMany as refusal:
        return _form(visit, 429, refusal, email=email)
    return go(_code_page(visit), *visit.greeting())


async def show_code(visit: Visit) -> Answer:
    """GET /login/code."""
    if visit.caller is not None:
        return go(visit.next)
    email = await login.waiting(visit.desk, visit.word)
    if email is None:
        return go("/login?" + urlencode({"next": visit.next}))
    return html(200, visit.render("code.html", email=email, next=visit.next, error=None), *visit.greeting())


async def enter_code(visit: Visit) -> Answer:
    """POST /login/code."""
    try:
        made = await login.by_code(visit.desk, visit.word, visit.typed("code"), visit.session)
    except (Forbidden, TooMany) as refusal:
        email = await login.waiting(visit.desk, visit.word)
        if email is None:
            return _form(visit, refusal.status, refusal)
        page = visit.render("code.html", email=email, next=visit.next, error=refusal.message)
        return html(refusal.status, page, *_later(refusal))
    return _welcome(visit, *made)


async def show_sign_out(visit: Visit) -> Answer:
    """GET /logout: following a link signs nobody out."""
    return go("/login") if visit.caller is None else html(200, visit.render("logout.html"))


async def sign_out(visit: Visit) -> Answer:
    """POST /logout: here, or everywhere."""
    session = visit.session
    if session is not None:
        if visit.typed("everywhere"):
            await visit.house.store.write(lambda unit: sessions.end_all(unit, session.user), visit.provenance)
        else:
            await visit.house.store.write(lambda unit: sessions.end(unit, session), visit.provenance)
    return go("/login", sessions.no_cookie(secure=visit.house.secure))


def _form(visit: Visit, status: int, refusal: Failure | None = None, *, email: str = "") -> Answer:
    sso = "/sso" if visit.next == HOME else "/sso?" + urlencode({"next": visit.next})
    page = visit.render(
        "login.html",
        next=visit.next,
        # A password that was typed into the wrong field is not shown again.
        email=email if "@" in email else "",
        mails=visit.house.mails,
        sso=sso,
        error=None if refusal is None else refusal.message,
    )
    return html(status, page, *visit.greeting(), *_later(refusal))


def _later(refusal: Failure | None) -> list[tuple[bytes, bytes]]:
    return [(b"retry-after", str(LOGIN_MINUTES * 60).encode())] if isinstance(refusal, TooMany) else []


def _welcome(visit: Visit, value: str, session: Session) -> Answer:
    cookie = sessions.cookie(value, session, secure=visit.house.secure, now=visit.house.store.clock())
    return go(visit.next, cookie)


def _code_page(visit: Visit) -> str:
    return "/login/code" if visit.next == HOME else "/login/code?" + urlencode({"next": visit.next})
