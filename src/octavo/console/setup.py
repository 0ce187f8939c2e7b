"""The page of a new installation: its first organization, behind the one-time address that the server printed."""

from __future__ import annotations

from urllib.parse import quote

from octavo.access.people import beginning, passwords, sessions
from octavo.console.request import HOME, ConsoleRequest
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, NotFound
from octavo.web.answers import Answer, html, redirect
from octavo.web.errors import sentence_of

PLACE = "/setup"


async def hint(request: ConsoleRequest) -> Answer:
    """GET /setup: where the address is that makes the first organization."""
    if await request.services.store.read(lambda unit: unit.people.anybody()):
        raise NotFound(beginning.OVER)
    return html(200, request.render("fresh.html", base=request.services.base), *request.greeting())


async def show(request: ConsoleRequest, word: str) -> Answer:
    """GET /setup/{word}."""
    await _opens(request, word)
    return _page(request, word)


async def make(request: ConsoleRequest, word: str) -> Answer:
    """POST /setup/{word}: the organization with its admin, who is signed in."""
    # Whoever has not the word keeps nothing busy.
    await _opens(request, word)
    typed = {name: request.typed(name) for name in ("title", "name", "email")}
    try:
        digest = await passwords.digest_of(request.typed("password"))
        value, session = await request.services.store.write(
            lambda unit: beginning.begin(unit, word, typed["email"], typed["name"], typed["title"], digest),
            request.provenance,
        )
    except BadRequest as refusal:
        return _page(request, word, sentence_of(refusal), **typed)
    cookie = sessions.cookie(value, session, secure=request.services.secure, now=request.services.store.clock())
    return redirect(303, HOME, cookie)


async def _opens(request: ConsoleRequest, word: str) -> None:
    if await request.services.store.read(lambda unit: beginning.opens(unit, word)):
        return
    if await request.services.store.read(lambda unit: unit.people.anybody()):
        raise NotFound(beginning.OVER)
    raise NotFound("This address is not the one that the server printed when it started. Look at its newest lines.")


def _page(
    request: ConsoleRequest, word: str, error: str | None = None, title: str = "", name: str = "", email: str = ""
) -> Answer:
    page = request.render(
        "setup.html",
        path=f"{PLACE}/{quote(word, safe='')}",
        least=limits.PASSWORD_MIN,
        most=limits.PASSWORD_MAX,
        error=error,
        title=title,
        name=name,
        email=email,
    )
    return html(200 if error is None else 400, page, *request.greeting())
