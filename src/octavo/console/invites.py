"""The page to which invite links and letters of invitation lead: somebody joins, with the account that she has or a new one."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from octavo.access.people import joining, passwords, sessions
from octavo.console.request import HOME, ConsoleRequest
from octavo.kernel import limits, names
from octavo.kernel.audit import Target
from octavo.kernel.errors import BadRequest, NotFound
from octavo.kernel.records.people import Session, User
from octavo.store.unit import Unit
from octavo.web.answers import Answer, html, redirect
from octavo.web.errors import sentence_of

_OVER = "This invitation is no longer valid. Ask whoever invited you for another one."


@dataclass(frozen=True)
class Invitation:
    """What a link leads to."""

    title: str
    """Of the organization."""
    email: str | None
    """The address that was invited; None = whoever has the link."""
    known: bool
    """Joining takes an account that there is: for a link for everybody always, for one that came by mail where there is one
    of its address. Whoever was only shown a link is not told whether there is one."""


async def show(request: ConsoleRequest, organization: str, word: str) -> Answer:
    """GET /invites/{organization}/{word}."""
    return await _page(request, organization, word)


async def accept(request: ConsoleRequest, organization: str, word: str) -> Answer:
    """POST /invites/{organization}/{word}: join as who is signed in, or by a new account."""
    if request.caller is not None:
        caller = request.caller

        async def join(unit: Unit) -> None:
            if not await joining.join_by_email(unit, caller, organization, word):
                await joining.join_by_link(unit, caller, organization, word)
            await _note(unit, organization, caller.user)

        try:
            await request.services.store.write(join, request.provenance)
        except NotFound as absent:
            raise NotFound(_OVER) from absent
        return redirect(303, HOME)
    name = " ".join(request.typed("name").split())
    if not 1 <= len(name) <= limits.USER_NAME_MAX or names.fault(name) is not None:
        return await _page(
            request, organization, word, f"Type your name, up to {limits.USER_NAME_MAX} characters.", name
        )
    try:
        digest = await _chosen(request, organization, word)
    except BadRequest as refusal:
        return await _page(request, organization, word, sentence_of(refusal), name)
    made = await request.services.store.write(
        lambda unit: _new_account(unit, organization, word, name, digest), request.provenance
    )
    if made is None:
        return redirect(303, _login(organization, word))
    value, session = made
    cookie = sessions.cookie(value, session, secure=request.services.secure, now=request.services.store.clock())
    return redirect(303, HOME, cookie)


async def _chosen(request: ConsoleRequest, organization: str, word: str) -> str | None:
    """The hash of the password that was chosen; None where people sign in by codes. Raises NotFound for an invitation that
    is over, BadRequest for a password that cannot be one."""
    if request.services.mails:
        return None
    # Whoever has no invitation keeps nothing busy.
    await request.services.store.read(lambda unit: _find(unit, organization, word))
    return await passwords.digest_of(request.typed("password"))


async def _new_account(
    unit: Unit, organization: str, word: str, name: str, digest: str | None
) -> tuple[str, Session] | None:
    """Only who has no account is signed in by a link; None for everybody else."""
    invite = await joining.email_invite(unit, word)
    if invite is None or invite.organization != organization:
        raise NotFound(_OVER)
    await unit.people.hold_organization(organization)
    if await unit.people.user_by_email(invite.email) is not None:
        return None
    user = await joining.welcome(unit, word, name)
    await _note(unit, organization, user)
    if digest is None:
        return await sessions.begin(unit, user.id, "code")
    await unit.proofs.set_password(user.id, digest, unit.now)
    await unit.audit.of_account("user.password.set", user, actor=user)
    return await sessions.begin(unit, user.id, "password")


async def _note(unit: Unit, organization: str, user: User) -> None:
    """The word is not told: whoever knows it may join."""
    target = Target("user", user.id, user.name)
    await unit.audit.append("member.join-by-invite", target, [organization], actor=user)


async def _page(
    request: ConsoleRequest, organization: str, word: str, error: str | None = None, name: str = ""
) -> Answer:
    found = await request.services.store.read(lambda unit: _find(unit, organization, word))
    if request.caller is None and found.known:
        return redirect(303, _login(organization, word), *request.greeting())
    page = request.render(
        "invite.html",
        invitation=found,
        path=_path(organization, word),
        login=_login(organization, word),
        chooses=not request.services.mails,
        least=limits.PASSWORD_MIN,
        most=limits.PASSWORD_MAX,
        error=error,
        name=name,
    )
    return html(200 if error is None else 400, page, *request.greeting())


async def _find(unit: Unit, organization: str, word: str) -> Invitation:
    record = await unit.people.organization(organization)
    if record is None:
        raise NotFound(_OVER)
    invite = await joining.email_invite(unit, word)
    if invite is not None and invite.organization == record.id:
        known = invite.mailed and await unit.people.user_by_email(invite.email) is not None
        return Invitation(record.title, invite.email, known)
    link = await joining.link(unit, record.id, word)
    reason = _OVER if link is None else joining.closed(link, unit.now)
    if reason is not None:
        raise NotFound(reason[0].upper() + reason[1:])
    return Invitation(record.title, None, known=True)


def _path(organization: str, word: str) -> str:
    return f"/invites/{quote(organization, safe='')}/{quote(word, safe='')}"


def _login(organization: str, word: str) -> str:
    return "/login?" + urlencode({"next": _path(organization, word)})
