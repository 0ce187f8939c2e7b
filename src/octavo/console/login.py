"""The pages on which people sign in and out."""

from __future__ import annotations

from urllib.parse import urlencode

from octavo.access.people import login, sessions
from octavo.access.people.login import SignedIn
from octavo.console.request import HOME, ConsoleRequest
from octavo.kernel.errors import BadRequest, Failure, Forbidden, TooMany
from octavo.kernel.limits import LOGIN_MINUTES
from octavo.web.answers import Answer, html, redirect
from octavo.wire.people.oidc import EVERYBODY


async def show(request: ConsoleRequest) -> Answer:
    """GET /login: who is signed in goes on."""
    return redirect(303, request.next) if request.caller is not None else await _form(request, 200)


async def sign_in(request: ConsoleRequest) -> Answer:
    """POST /login: with a password."""
    email = request.typed("email")
    try:
        made = await login.by_password(request.desk, email, request.typed("password"), request.session)
    except (Forbidden, TooMany) as refusal:
        return await _form(request, refusal.status, refusal, email=email)
    return _welcome(request, made)


async def ask_code(request: ConsoleRequest) -> Answer:
    """POST /login/ask: whatever was typed, the answer is that a code is on its way if there is such an account."""
    email = request.typed("email").strip()
    if not request.services.mails:
        return await _form(request, 501, BadRequest("This installation sends no mail. Sign in with a password."))
    if "@" not in email or len(email) > 254:
        return await _form(request, 400, BadRequest("Type the e-mail address of your account."), email=email)
    try:
        await login.ask_code(request.desk, email, request.word)
    except TooMany as refusal:
        return await _form(request, 429, refusal, email=email)
    return redirect(303, _code_page(request), *request.greeting())


async def show_code(request: ConsoleRequest) -> Answer:
    """GET /login/code."""
    if request.caller is not None:
        return redirect(303, request.next)
    email = await login.waiting(request.desk, request.word)
    if email is None:
        return redirect(303, "/login?" + urlencode({"next": request.next}))
    return html(200, request.render("code.html", email=email, next=request.next, error=None), *request.greeting())


async def enter_code(request: ConsoleRequest) -> Answer:
    """POST /login/code."""
    try:
        made = await login.by_code(request.desk, request.word, request.typed("code"), request.session)
    except (Forbidden, TooMany) as refusal:
        email = await login.waiting(request.desk, request.word)
        if email is None:
            return await _form(request, refusal.status, refusal)
        page = request.render("code.html", email=email, next=request.next, error=refusal.message)
        return html(refusal.status, page, *_later(refusal))
    return _welcome(request, made)


async def show_sign_out(request: ConsoleRequest) -> Answer:
    """GET /logout: following a link signs nobody out."""
    return redirect(303, "/login") if request.caller is None else html(200, request.render("logout.html"))


async def sign_out(request: ConsoleRequest) -> Answer:
    """POST /logout: here, or everywhere."""
    session, after = request.session, "/login"
    if session is not None:
        if session.how == "oidc":
            after = f"/sso/oidc/{session.provider or EVERYBODY}/out"
        if request.typed("everywhere"):
            await request.services.store.write(lambda unit: sessions.end_all(unit, session.user), request.provenance)
        else:
            await request.services.store.write(lambda unit: sessions.end(unit, session), request.provenance)
    return redirect(303, after, sessions.no_cookie(secure=request.services.secure))


async def _form(request: ConsoleRequest, status: int, refusal: Failure | None = None, *, email: str = "") -> Answer:
    sso = None
    if await request.services.store.read(lambda unit: unit.saml.serves()):
        sso = "/sso" if request.next == HOME else "/sso?" + urlencode({"next": request.next})
    everybody = None
    if request.services.settings.oidc_issuer is not None:
        after = "" if request.next == HOME else "?" + urlencode({"next": request.next})
        everybody = (f"/sso/oidc/{EVERYBODY}/start{after}", request.services.settings.oidc_label)
    page = request.render(
        "login.html",
        everybody=everybody,
        next=request.next,
        # A password that was typed into the wrong field is not shown again.
        email=email if "@" in email else "",
        mails=request.services.mails,
        sso=sso,
        error=None if refusal is None else refusal.message,
    )
    return html(status, page, *request.greeting(), *_later(refusal))


def _later(refusal: Failure | None) -> list[tuple[bytes, bytes]]:
    return [(b"retry-after", str(LOGIN_MINUTES * 60).encode())] if isinstance(refusal, TooMany) else []


def _welcome(request: ConsoleRequest, made: SignedIn) -> Answer:
    secure = request.services.secure
    cookie = sessions.cookie(made.value, made.session, secure=secure, now=request.services.store.clock())
    return redirect(303, request.next, cookie, sessions.known_cookie(made.browser, secure=secure))


def _code_page(request: ConsoleRequest) -> str:
    return "/login/code" if request.next == HOME else "/login/code?" + urlencode({"next": request.next})
