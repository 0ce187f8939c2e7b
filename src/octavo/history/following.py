"""Orders to bring a space and the branch that it follows together, from requests and from jobs."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Literal, Protocol
from urllib.parse import quote, urlsplit, urlunsplit

from octavo.kernel import limits
from octavo.kernel.events import GitOperationQueued
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.git import Connected, GitBranch, GitConnection, GitOperation, GitSync
from octavo.kernel.records.library import Space
from octavo.kernel.records.review import ChangeRequest
from octavo.store.unit import Unit

PROVIDERS = {"github.com": "github", "gitlab.com": "gitlab"}
"""Those that the official API names."""
_HOSTS = PROVIDERS | {"bitbucket.org": "bitbucket", "gitea.com": "gitea", "codeberg.org": "gitea"}
MESSAGE = "Update from Octavo"


def sealed_address(connection: Connected, seal: Callable[[str], str], unseal: Callable[[str], str]) -> str:
    """The sealed address with the credentials of a connection."""
    if connection.sealed_token is None:
        return seal(connection.url)
    user, token = connection.username or "git", unseal(connection.sealed_token)
    parts = urlsplit(connection.url)
    place = f"{quote(user, safe='')}:{quote(token, safe='')}@{parts.netloc}"
    return seal(urlunsplit((parts.scheme, place, parts.path, parts.query, "")))


def provider_of(connection: Connected) -> str | None:
    """What kind of host a connection leads to: as was said, else as its name tells."""
    return connection.provider or _HOSTS.get(urlsplit(connection.url).hostname or "")


async def order(
    unit: Unit,
    space: Space,
    connection: GitConnection,
    sealed_url: str,
    *,
    user: str | None,
    quiet: bool,
    more: Json | None = None,
) -> GitOperation:
    """Queue a synchronisation; whoever asks holds the lock of the space. A `quiet` one that changes nothing is forgotten.
    `more` is what else its job has to know."""
    last = await unit.spaces.git_sync(space.id)
    ordered_at = unit.now if last is None else max(unit.now, last.ordered_at)
    operation = GitOperation(
        id=new_id(),
        organization=space.organization,
        space=space.id,
        number=await unit.git.next_number(space.id),
        direction="sync",
        state="queued",
        url=connection.url,
        ref=connection.ref,
        directory=connection.directory,
        payload=_payload(connection, sealed_url, ordered_at) | {"quiet": quiet} | (more or {}),
        ordered_at=ordered_at,
        created_at=unit.now,
        user=user,
    )
    if not quiet:
        await unit.spaces.put_git_sync(shown(operation, unit.now))
    await unit.git.add(operation, limits.GIT_OPERATIONS)
    await unit.emit(GitOperationQueued(organization=space.organization, space=space.id, user=user))
    return operation


def _payload(connection: GitConnection, sealed_url: str, ordered_at: int) -> Json:
    """What the job of a synchronisation has to know of the connection as it now is."""
    return {
        "url": connection.url,
        "sealed_url": sealed_url,
        "ref": connection.ref,
        "directory": connection.directory,
        "message": MESSAGE,
        "ordered_at": ordered_at,
        "sealed_key": connection.sealed_key,
        "host_key": connection.host_key,
        "first": connection.first,
        "provider": connection.provider,
        "on_behalf": connection.created_by,
    }


async def order_branch(
    unit: Unit, space: Space, connection: GitConnection, sealed_url: str, ref: str, *, again: bool = False
) -> bool:
    """Have the change request of another branch follow it; whoever asks holds the lock of the space. False where that
    waits already."""
    waiting = await unit.git.open(space.id)
    if any(one.ref == ref and one.state == "queued" and "branch" in one.payload for one in waiting):
        return False
    operation = GitOperation(
        id=new_id(),
        organization=space.organization,
        space=space.id,
        number=await unit.git.next_number(space.id),
        direction="sync",
        state="queued",
        url=connection.url,
        ref=ref,
        directory=connection.directory,
        payload={
            "branch": ref,
            "url": connection.url,
            "sealed_url": sealed_url,
            "ref": ref,
            "directory": connection.directory,
            "message": MESSAGE,
            "sealed_key": connection.sealed_key,
            "host_key": connection.host_key,
            "on_behalf": connection.created_by,
            "quiet": True,
            "again": again,
        },
        ordered_at=unit.now,
        created_at=unit.now,
    )
    await unit.git.add(operation, limits.GIT_OPERATIONS)
    await unit.emit(GitOperationQueued(organization=space.organization, space=space.id))
    return True


class PullNamed(Protocol):
    """A pull request as a host tells it."""

    @property
    def number(self) -> int: ...
    @property
    def ref(self) -> str: ...
    @property
    def state(self) -> Literal["open", "closed", "merged"]: ...
    @property
    def title(self) -> str: ...
    @property
    def link(self) -> str | None: ...


async def note_pull(unit: Unit, space: Space, pull: PullNamed) -> None:
    """Write down the pull request of a branch; a newer one takes the place of an older."""
    branch = await unit.git.branch(space.id, pull.ref)
    if branch is None:
        branch = fresh(space, pull.ref, unit.now)
        await unit.git.add_branch(branch, limits.GIT_BRANCHES)
    elif branch.pull is not None and pull.number < branch.pull:
        return
    said: Json = {"pull": pull.number, "pull_state": pull.state, "title": pull.title or None, "link": pull.link}
    if branch.pull != pull.number:
        said |= {"comment": None, "told": None}
    named = await unit.git.change_branch(branch, **said, updated_at=unit.now)
    # Most branches are pushed before there is a pull request of them.
    request = (await unit.change_requests.by_ids([named.change_request or ""])).get(named.change_request or "")
    if request is not None and request.status in ("draft", "open") and (now := naming(named, request, branch.title)):
        await unit.change_requests.change(request, unit.now, **now)


def naming(branch: GitBranch, request: ChangeRequest | None, before: str | None = None) -> Json:
    """Subject and links that a change request is to have; a subject that somebody wrote here stays. `before` is the title
    that the pull request had."""
    name = branch.ref.removeprefix("refs/heads/").removeprefix("refs/")
    most = limits.CHANGE_REQUEST_SUBJECT_MAX
    made: Json = {}
    if request is None or request.subject in (name[:most], (before or name).strip()[:most]):
        made["subject"] = (branch.title or name).strip()[:most]
    if branch.link is not None:
        known = [] if request is None else request.links
        if not any(one["ref"].get("url") == branch.link for one in known):
            title = f"Pull request {branch.pull}"
            made["links"] = [{"ref": {"kind": "url", "url": branch.link}, "title": title, "id": new_id()}, *known]
    return made


def fresh(space: Space, ref: str, now: int) -> GitBranch:
    """A branch that nothing is known of yet."""
    return GitBranch(
        id=new_id(),
        space=space.id,
        organization=space.organization,
        ref=ref,
        state="waiting",
        created_at=now,
        updated_at=now,
    )


def follows(connection: GitConnection, ref: str) -> bool:
    """Whether a connection makes change requests of a branch, by its name.

    A branch that is none of the repository's own is asked for by its pull request.
    """
    previews = connection.previews
    if previews is None or ref == connection.ref:
        return False
    if not ref.startswith("refs/heads/"):
        return bool(previews["forks"])
    name = ref.removeprefix("refs/heads/")
    return any(fnmatchcase(name, pattern) for pattern in previews["branches"])


def shown(operation: GitOperation, now: int) -> GitSync:
    """What the space says of its Git while the operation runs."""
    provider = operation.payload.get("provider")
    known = provider if provider in PROVIDERS.values() else PROVIDERS.get(urlsplit(operation.url).hostname or "")
    return GitSync(
        space=operation.space,
        organization=operation.organization,
        url=operation.url,
        repo_name=urlsplit(operation.url).path.strip("/").removesuffix(".git") or operation.url,
        updated_at=now,
        provider=known,
        ref=operation.ref,
        directory=operation.directory,
        state="running",
        direction="import" if operation.direction == "import" else "export",
        ordered_at=operation.ordered_at,
        operation=operation.id,
        tree_url=_browsed(operation.url),
    )


def _browsed(url: str) -> str | None:
    """Where people see a repository whose address is no page: hosts that take SSH show it on the same name."""
    parts = urlsplit(url)
    if parts.scheme != "ssh" or parts.hostname is None:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"https://{host}{parts.path.removesuffix('.git')}"
