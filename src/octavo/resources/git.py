"""Git: start an import into a space, and say what the last operation was."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from msgspec import UNSET

from octavo.kernel.errors import BadRequest, NotFound
from octavo.kernel.events import GitImportRequested
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records.git import GitSync
from octavo.kernel.records.library import Space
from octavo.resources.call import Call
from octavo.resources.places import AtSpace
from octavo.wire import git
from octavo.wire.fields import milliseconds
from octavo.wire.git import ImportGit
from octavo.wire.view import View

_PROVIDERS = {"github.com": "github", "gitlab.com": "gitlab"}


async def import_repository(call: Call, at: AtSpace, body: ImportGit) -> None:
    """Queue an import. One that is older than the newest operation does nothing, unless it is forced."""
    space, shown = at.space.record, without_credentials(body.url)
    ordered_at = call.now if body.timestamp is UNSET else milliseconds(body.timestamp)
    last = await call.unit.spaces.git_sync(space.id)
    if last is not None and ordered_at < last.ordered_at and not body.force:
        return
    operation = new_id()
    if not body.standalone:
        newest = ordered_at if last is None else max(ordered_at, last.ordered_at)
        await call.unit.spaces.put_git_sync(_running(space, body, shown, operation, newest, call.now))
    await call.unit.emit(
        GitImportRequested(
            organization=space.organization,
            space=space.id,
            user=call.caller.user.id,
            payload=_order(body, shown, call.signer.seal(body.url), operation, ordered_at),
        )
    )


def _running(space: Space, body: ImportGit, shown: str, operation: str, ordered_at: int, now: int) -> GitSync:
    """What the space says of its Git until the job ends."""
    return GitSync(
        space=space.id,
        organization=space.organization,
        url=shown,
        repo_name=_repository_name(shown),
        updated_at=now,
        provider=_provider(body, shown),
        ref=body.ref,
        directory="" if body.repo_project_directory is UNSET else body.repo_project_directory,
        state="running",
        direction="import",
        ordered_at=ordered_at,
        operation=operation,
    )


def _order(body: ImportGit, shown: str, sealed_url: str, operation: str, ordered_at: int) -> dict[str, object]:
    """The job's payload; the address with its credentials is in it only sealed."""
    return {
        "url": shown,
        "sealed_url": sealed_url,
        "ref": body.ref,
        "directory": "" if body.repo_project_directory is UNSET else body.repo_project_directory,
        "commit_url": None if body.repo_commit_url is UNSET else body.repo_commit_url,
        "tree_url": None if body.repo_tree_url is UNSET else body.repo_tree_url,
        "standalone": body.standalone,
        "ordered_at": ordered_at,
        "force": body.force,
        "operation": operation,
    }


def without_credentials(url: str) -> str:
    """The address as it may be shown. Raises BadRequest for one that is no http(s) address."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
        port = parts.port
    except ValueError as error:
        raise BadRequest(f"url: not an address: {error}") from error
    if parts.scheme not in ("http", "https") or not host:
        raise BadRequest("url: must be an http or https address of a Git repository")
    where = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, where if port is None else f"{where}:{port}", parts.path, parts.query, ""))


def _repository_name(url: str) -> str:
    return urlsplit(url).path.strip("/").removesuffix(".git") or url


def _provider(body: ImportGit, url: str) -> str | None:
    if body.git_info is not UNSET:
        return body.git_info.provider
    return _PROVIDERS.get(urlsplit(url).hostname or "")


async def get_info(call: Call, at: AtSpace, takes: Nothing) -> GitSync:
    """The last operation. Raises NotFound before the first."""
    sync = await call.unit.spaces.git_sync(at.space.record.id)
    if sync is None:
        raise NotFound("this space was not synchronised with Git yet")
    return sync


def _present(sync: GitSync, view: View) -> git.GitInfo:
    return git.present(sync)


OPERATIONS = (
    writes("POST", "importGitRepository", "/spaces/{space}/git/import", import_repository, nothing,
           lock="space", needs="space.triggerGitSync", scope="space:write", audit="space.git.import",
           summary="Import a Git repository into a space"),
    reads("getSpaceGitInfo", "/spaces/{space}/git/info", get_info, _present,
          needs="space.view", scope="space:read", summary="Get the last Git operation of a space"),
)  # fmt: skip
