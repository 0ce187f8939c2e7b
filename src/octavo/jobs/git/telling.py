"""Telling the host of a repository what became of its branches: a status of the commit, one comment of the pull request.

It is tried again with growing pauses, or when the host says that it may be.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Literal
from urllib.parse import urlsplit

from octavo.gateways import git_hosts
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure
from octavo.gateways.git_hosts import Host, Later, Status
from octavo.history import following
from octavo.jobs.git.branch_content import At
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.clock import HOUR, MINUTE, SECOND, iso
from octavo.kernel.events import GitBranchDue
from octavo.kernel.records import Json, Record
from octavo.kernel.records.git import GitBranch, GitConnection
from octavo.kernel.records.review import ChangeRequest
from octavo.site.previewing import address_ahead, is_ahead
from octavo.store.unit import Unit
from octavo.wire.view import View

PAUSES = (10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR)
"""Before each further try."""
NO_TOKEN = "The connection has no token for the API of its host."


class _Said(Record, frozen=True):
    """What is to be told of a branch."""

    branch: GitBranch
    host: Host
    status: Status
    comment: str | None
    """Of its pull request."""
    digest: str
    """Of all that it says, but for addresses that change with the time."""


async def begin(work: Work, at: At, oid: str) -> None:
    """Say that a commit is being read. Tried once: what comes of it is told again and again."""

    async def note(unit: Unit) -> _Said | None:
        branch = await unit.git.branch_by_id(at.branch.id)
        if branch is not None:
            await unit.git.change_branch(branch, head=oid, status="pending", told=None, updated_at=unit.now)
        return await _said(unit, work, at.branch.id)

    said = await work.write(note)
    if said is not None:
        try:
            await git_hosts.put_status(said.host, said.status, work.store.clock())
        except Later as failure:
            message, pause = failure.message, failure.seconds * SECOND
            await work.write(lambda unit: _put_off(unit, at.branch.id, message, pause))
        except GatewayFailure as failure:
            message = failure.message
            await work.write(lambda unit: _untold(unit, at.branch.id, message, None))


async def _put_off(unit: Unit, id: str, message: str, pause: int) -> None:
    """The host said how long nothing is to be asked of it: that holds for what comes of the commit too."""
    branch = await unit.git.branch_by_id(id)
    if branch is not None:
        await unit.git.change_branch(branch, untold=message, told_next=unit.now + pause if pause else None)


async def done(unit: Unit, branch: str, state: Literal["success", "failure"]) -> None:
    """Have the host told what came of the commit."""
    found = await unit.git.branch_by_id(branch)
    if found is not None:
        head = found.oid if state == "success" else found.head
        await unit.git.change_branch(found, head=head, status=state, tries=0)
        await again(unit, branch, max(0, (found.told_next or 0) - unit.now))


async def again(unit: Unit, branch: str, delay: int = 0) -> None:
    """Have the host told how the branch stands."""
    found = await unit.git.branch_by_id(branch)
    if found is not None and found.head:
        await unit.emit(GitBranchDue(organization=found.organization, branch=branch, delay=delay))


async def run(work: Work) -> Json | None:
    """Payload: branch. Tell its host what it does not know yet."""
    id = work.job.payload["branch"]
    said = await work.write(lambda unit: _said(unit, work, id))
    if said is None or said.digest == said.branch.told:
        return None
    now = work.store.clock()
    early = (said.branch.told_next or 0) - now
    if early > 0:
        await work.write(lambda unit: again(unit, id, early))
        return None
    try:
        await git_hosts.put_status(said.host, said.status, now)
        comment = said.branch.comment
        if said.comment is not None and said.branch.pull is not None:
            mark = _mark(said.branch)
            comment = await git_hosts.put_comment(said.host, said.branch.pull, comment, mark, said.comment, now)
    except Later as failure:
        await _later(work, said.branch, failure)
        return None
    except GatewayFailure as failure:
        message = failure.message
        await work.write(lambda unit: _untold(unit, id, message, None))
        return None
    digest = said.digest
    await work.write(lambda unit: _told(unit, id, digest, comment))
    return {"told": said.status.state}


async def _later(work: Work, branch: GitBranch, failure: Later) -> None:
    """Try it again after a pause, unless it had all its tries."""
    if branch.tries >= len(PAUSES):
        await work.write(lambda unit: _untold(unit, branch.id, failure.message, None))
        return
    pause = max(PAUSES[branch.tries], failure.seconds * SECOND)
    await work.write(lambda unit: _untold(unit, branch.id, failure.message, pause))


async def _told(unit: Unit, id: str, digest: str, comment: str | None) -> None:
    branch = await unit.git.branch_by_id(id)
    if branch is not None:
        said: Json = {"told": digest, "told_at": unit.now, "comment": comment}
        await unit.git.change_branch(branch, **said, tries=0, untold=None, told_next=None)


async def _untold(unit: Unit, id: str, message: str, pause: int | None) -> None:
    branch = await unit.git.branch_by_id(id)
    if branch is None:
        return
    if pause is None:
        await unit.git.change_branch(branch, untold=message, told_next=None)
        return
    await unit.git.change_branch(branch, untold=message, tries=branch.tries + 1, told_next=unit.now + pause)
    await again(unit, id, pause)


async def _said(unit: Unit, work: Work, id: str) -> _Said | None:
    """What is to be told now; None where nobody is to be told anything."""
    branch = await unit.git.branch_by_id(id)
    connection = None if branch is None else await unit.git.connection(branch.space)
    if branch is None or connection is None or connection.previews is None or branch.status is None or not branch.head:
        return None
    if connection.paused or following.provider_of(connection) in (None, "generic"):
        return None
    host = host_of(work, connection)
    if host is None:
        await _untold(unit, id, NO_TOKEN, None)
        return None
    request = (await unit.change_requests.by_ids([branch.change_request or ""])).get(branch.change_request or "")
    until = unit.now + limits.CHANGE_PREVIEW_HOURS * HOUR
    preview = None
    if request is not None and is_ahead(request) and work.tools.signer is not None:
        preview = await address_ahead(unit, work.tools.signer, work.tools.base, request, until)
    place = _place(work, branch, request)
    status = Status(
        oid=branch.head,
        state=branch.status,
        context=str(connection.previews["context"]),
        description=_description(branch, request),
        url=preview or place,
        ref=branch.ref.removeprefix("refs/heads/") if branch.ref.startswith("refs/heads/") else "",
    )
    text = None
    if branch.pull is not None and connection.previews["comment"] and request is not None:
        text = _comment(branch, request, preview, place, until)
    parts = (branch.head, branch.status, branch.pull, request and request.status, branch.message, status.context)
    return _Said(branch=branch, host=host, status=status, comment=text, digest=sha256(repr(parts).encode()).hexdigest())


def host_of(work: Work, connection: GitConnection) -> Host | None:
    """The API of the host of a connection; None where the connection has no token for it, or the host none that is known."""
    settings = work.tools.settings
    guard = Guard(allow_private=settings.allow_private_addresses, allow_hosts=frozenset(settings.allowed_hosts))
    sealed = connection.sealed_api_token or connection.sealed_token
    if sealed is None:
        return None
    user = None if connection.sealed_api_token is not None else connection.username
    return git_hosts.host_for(following.provider_of(connection), connection.url, work.tools.unseal(sealed), guard, user)


def _place(work: Work, branch: GitBranch, request: ChangeRequest | None) -> str:
    view = View(work.tools.base, work.tools.base)
    if request is None:
        return view.space(branch.organization, branch.space)
    return view.change_request(branch.organization, branch.space, request.number)


def _description(branch: GitBranch, request: ChangeRequest | None) -> str:
    if branch.status == "failure":
        return branch.message or "The content could not be read."
    if branch.status == "pending" or request is None:
        return "The preview is being made."
    if request.status == "merged":
        return f"Change request {request.number} is merged."
    if request.status == "archived":
        return f"Change request {request.number} is archived."
    return f"The preview of change request {request.number} is ready."


def _mark(branch: GitBranch) -> str:
    return f"[//]: # (octavo {branch.space} {branch.pull})"


def _comment(branch: GitBranch, request: ChangeRequest, preview: str | None, place: str, until: int) -> str:
    """The one comment of the pull request, in Markdown."""
    lines = [_mark(branch), "", f"**Documentation** at {branch.head[:10]}: {_description(branch, request)}", ""]
    if preview is not None and branch.status != "failure":
        lines.append(f"* [Preview]({preview}), until {iso(until)[:10]}")
    lines.append(f"* [Change request {request.number}]({place}) on {urlsplit(place).hostname}")
    return "\n".join(lines) + "\n"
