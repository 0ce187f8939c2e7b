"""Git: order imports into a space and exports of it, and follow what becomes of them."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import unquote, urlsplit, urlunsplit

from msgspec import UNSET
from msgspec.structs import replace

from octavo.access.locate_git import SeenGitOperation
from octavo.history import following
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict, NotFound
from octavo.kernel.events import GitOperationQueued
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records import Json
from octavo.kernel.records.git import GitOperation, GitSync
from octavo.kernel.records.library import Space
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtSpace
from octavo.wire import git
from octavo.wire.fields import milliseconds
from octavo.wire.git import ExportGit, ImportGit
from octavo.wire.lists import ListQuery
from octavo.wire.view import View


class AtOperation(AtSpace, frozen=True):
    operation: SeenGitOperation


_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
Direction = Literal["import", "export", "sync"]


async def import_repository(call: Call, at: AtSpace, body: ImportGit) -> None:
    """Queue an import. One that is older than the newest operation is noted as ignored, unless it is forced."""
    await _order(call, at.space.record, body, "import", {"standalone": body.standalone})


async def export_repository(call: Call, at: AtSpace, body: ExportGit) -> None:
    """Queue an export, in the same order as imports."""
    await _order(call, at.space.record, body, "export", {"message": body.commit_message})


async def _order(call: Call, space: Space, body: ImportGit | ExportGit, direction: Direction, more: Json) -> None:
    shown = without_credentials(body.url)
    written = "" if body.repo_project_directory is UNSET else body.repo_project_directory
    directory = directory_inside(written, "repoProjectDirectory")  # in its one form: places are compared as text
    ordered_at = call.now if body.timestamp is UNSET else milliseconds(body.timestamp)
    last = await call.unit.spaces.git_sync(space.id)
    operation = GitOperation(
        id=new_id(),
        organization=space.organization,
        space=space.id,
        number=await call.unit.git.next_number(space.id),
        direction=direction,
        state="queued",
        url=shown,
        ref=body.ref,
        directory=directory,
        payload=_payload(body, call.signer.seal(body.url), shown, ordered_at) | {"directory": directory} | more,
        ordered_at=ordered_at,
        created_at=call.now,
        user=call.caller.user.id,
    )
    if last is not None and ordered_at < last.ordered_at and not body.force:
        sentence = "Ignored: a newer operation was accepted before this one came."
        ignored: Json = {
            "state": "ignored",
            "message": sentence,
            "ended_at": call.now,
            "log": [{"at": call.now, "message": sentence}],
        }
        await call.unit.git.add(replace(operation, **ignored), limits.GIT_OPERATIONS)
        return
    if await call.unit.git.waiting(space.id) >= limits.GIT_OPERATIONS_WAITING:
        raise Conflict(f"{limits.GIT_OPERATIONS_WAITING} Git operations of this space wait already; try again later")
    if not more.get("standalone"):
        newest = ordered_at if last is None else max(ordered_at, last.ordered_at)
        await call.unit.spaces.put_git_sync(_running(operation, body, newest, call.now))
    await call.unit.git.add(operation, limits.GIT_OPERATIONS)
    await call.unit.emit(GitOperationQueued(organization=space.organization, space=space.id, user=call.caller.user.id))


def _running(operation: GitOperation, body: ImportGit | ExportGit, ordered_at: int, now: int) -> GitSync:
    """What the space says of its Git until the job ends."""
    made = replace(following.shown(operation, now), ordered_at=ordered_at)
    if body.git_info is UNSET:
        return made
    browsed = without_credentials(body.git_info.url, "gitInfo.url")
    return replace(made, provider=body.git_info.provider, tree_url=browsed)


def _payload(body: ImportGit | ExportGit, sealed_url: str, shown: str, ordered_at: int) -> Json:
    """What the job has to know; the address with its credentials is in it only sealed."""
    return {
        "url": shown,
        "sealed_url": sealed_url,
        "ref": body.ref,
        "commit_url": None if body.repo_commit_url is UNSET else body.repo_commit_url,
        "tree_url": None if body.repo_tree_url is UNSET else body.repo_tree_url,
        "ordered_at": ordered_at,
        "force": body.force,
        "cache": None if body.repo_cache_id is UNSET else body.repo_cache_id,
    }


def directory_inside(written: str, field: str = "directory") -> str:
    """A directory of a repository without needless steps. Raises BadRequest for one that leads out of it."""
    steps = [step for step in written.split("/") if step not in ("", ".")]
    if ".." in steps:
        raise BadRequest(f"{field}: must lie inside the repository")
    return "/".join(steps)


def without_credentials(url: str, field: str = "url") -> str:
    """The address as it may be shown. Raises BadRequest for one that is no http(s) address."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
        port = parts.port
    except ValueError as error:
        raise BadRequest(f"{field}: not an address: {error}") from error
    if parts.scheme not in ("http", "https") or not host:
        raise BadRequest(f"{field}: must be an http or https address of a Git repository")
    where = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, where if port is None else f"{where}:{port}", parts.path, parts.query, ""))


def ssh_address(url: str) -> str:
    """An ssh address as it may be shown: with its user, without a password. Raises BadRequest for what is none."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise BadRequest(f"url: not an address: {error}") from error
    if not host or host.startswith("-") or not parts.path.strip("/") or parts.path.startswith("/-"):
        raise BadRequest("url: must name a host and a repository, as in ssh://git@git.example.com/team/docs.git")
    if parts.password or parts.query or parts.fragment:
        raise BadRequest("url: an ssh address has no password and no query")
    user = unquote(parts.username or "git")
    if not _USER.fullmatch(user):
        raise BadRequest("url: the user of an ssh address has letters, digits, dots, hyphens and underscores")
    where = f"[{host}]" if ":" in host else host
    return urlunsplit(("ssh", f"{user}@{where}" + ("" if port is None else f":{port}"), parts.path, "", ""))


async def get_info(call: Call, at: AtSpace, takes: Nothing) -> GitSync:
    """The last operation. Raises NotFound before the first."""
    sync = await call.unit.spaces.git_sync(at.space.record.id)
    if sync is None:
        raise NotFound("this space was not synchronised with Git yet")
    return sync


def _present(sync: GitSync, view: View) -> git.GitInfo:
    return git.present(sync)


async def list_operations(call: Call, at: AtSpace, query: ListQuery) -> Slice[GitOperation]:
    """Those of a space, the newest first."""
    space = at.space.record.id
    before = call.newest_behind(query)[0]
    found = await call.unit.git.operations(space, before, query.limit + 1)
    total = await call.unit.git.count(space)
    return call.listing(found, total, query, lambda one: (one.number, one.id))


async def get_operation(call: Call, at: AtOperation, takes: Nothing) -> GitOperation:
    """One operation, with its log."""
    return at.operation.record


def present_operation(operation: GitOperation, view: View) -> git.GitOperationView:
    """An operation without its log."""
    return git.present_operation(operation, logged=False)


def _present_logged(operation: GitOperation, view: View) -> git.GitOperationView:
    return git.present_operation(operation, logged=True)


OPERATIONS = (
    writes("POST", "importGitRepository", "/spaces/{space}/git/import", import_repository, nothing,
           lock="space", needs="space.triggerGitSync", scope="space:write", audit="space.git.import",
           installed="space:git:sync", summary="Import a Git repository into a space"),
    writes("POST", "exportToGitRepository", "/spaces/{space}/git/export", export_repository, nothing,
           lock="space", needs="space.triggerGitSync", scope="space:write", audit="space.git.export",
           installed="space:git:sync", summary="Export a space to a Git repository"),
    reads("getSpaceGitInfo", "/spaces/{space}/git/info", get_info, _present,
          needs="space.view", scope="space:read", summary="Get the last Git operation of a space"),
    reads("listSpaceGitOperations", "/spaces/{space}/git/operations", list_operations, listed(present_operation),
          needs="space.triggerGitSync", scope="space:read", summary="List the Git operations of a space"),
    reads("getSpaceGitOperation", "/spaces/{space}/git/operations/{operation}", get_operation, _present_logged,
          needs="space.triggerGitSync", scope="space:read", summary="Get a Git operation with its log"),
)  # fmt: skip
