"""The branch that a space is kept the same as: its settings, and the order to bring both together now."""

from __future__ import annotations

import secrets
from typing import TypeVar
from urllib.parse import unquote, urlsplit

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from octavo.access import deploy_keys
from octavo.history import following
from octavo.kernel import limits
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import BadRequest, Conflict, NotFound
from octavo.kernel.events import GitPollDue
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records import Json
from octavo.kernel.records.git import Connected, GitBranch, GitConnection, GitOperation
from octavo.resources.call import Call, Slice, listed
from octavo.resources.git.operations import directory_inside, present_operation, ssh_address, without_credentials
from octavo.resources.places import AtSpace
from octavo.wire import git
from octavo.wire.git import ConnectGit, GitWebhook
from octavo.wire.lists import ListQuery
from octavo.wire.view import View

HOOKS = "/hooks/git/"
"""Where Git hosts post to."""
_ONE = "/spaces/{space}/git/connection"
C = TypeVar("C", bound=Connected)


async def get(call: Call, at: AtSpace, takes: Nothing) -> GitConnection:
    """The connection. Raises NotFound where the space follows no branch."""
    found = await call.unit.git.connection(at.space.record.id)
    if found is None:
        raise NotFound("this space follows no branch")
    return found


async def connect(call: Call, at: AtSpace, body: ConnectGit) -> GitConnection:
    """Follow a branch, or change how; nothing is fetched before a synchronisation."""
    space = at.space.record
    old = await call.unit.git.connection(space.id)
    made = GitConnection(
        **settings_of(call, body, old),
        space=space.id,
        organization=space.organization,
        previews=None if body.previews is UNSET or body.previews is None else msgspec.to_builtins(body.previews),
        sealed_api_token=_api_token(call, body, old),
    )
    await call.unit.git.put_connection(made)
    if old is not None and (old.url, old.ref, old.directory) != (made.url, made.ref, made.directory):
        # What is known of branches is known of another place.
        await call.unit.git.forget_branches(space.id)
    minutes = made.poll_minutes
    if minutes is not None and not body.paused:
        due = GitPollDue(organization=space.organization, space=space.id, minutes=minutes, delay=minutes * MINUTE)
        await call.unit.emit(due)
    return made


def settings_of(call: Call, body: ConnectGit, old: Connected | None) -> Json:
    """What a body says of a branch to follow, with what stays of the connection before. Raises BadRequest."""
    by_ssh = body.url.startswith("ssh://")
    shown = ssh_address(body.url) if by_ssh else without_credentials(body.url)
    near = old if old is not None and same_host(old.url, shown) else None
    user, sealed = (None, None) if by_ssh else _credentials(call, body, near)
    return {
        "url": shown,
        "ref": body.ref,
        "directory": "" if body.directory is UNSET else directory_inside(body.directory),
        "first": body.first,
        "created_by": call.caller.user.id,
        "created_at": call.now if old is None else old.created_at,
        "updated_at": call.now,
        "provider": None if body.provider is UNSET else body.provider,
        "username": user,
        "sealed_token": sealed,
        "sealed_webhook_secret": None if old is None else old.sealed_webhook_secret,
        "poll_minutes": None if body.poll_minutes is UNSET else body.poll_minutes,
        "paused": body.paused,
        **(_keys(call, body, near) if by_ssh else {}),
    }


def _credentials(call: Call, body: ConnectGit, old: Connected | None) -> tuple[str | None, str | None]:
    """User and sealed token: those that were sent, those in the address, else those of before, at the same host."""
    parts = urlsplit(body.url)
    user = unquote(parts.username) if parts.username else None
    if body.username is not UNSET:
        user = body.username
    if body.token is None:
        return user, None
    if body.token is not UNSET:
        return user, call.signer.seal(body.token)
    if parts.password:
        return user, call.signer.seal(unquote(parts.password))
    return (user, None) if old is None else (user or old.username, old.sealed_token)


def _api_token(call: Call, body: ConnectGit, old: GitConnection | None) -> str | None:
    """The token for the API: what was sent, else that of before, at the same host of the same kind."""
    if body.api_token is not UNSET:
        return None if body.api_token is None else call.signer.seal(body.api_token)
    if old is None or _where(old.url)[1].rpartition("@")[2] != _where(body.url)[1].rpartition("@")[2]:
        return None
    return old.sealed_api_token if old.provider == (None if body.provider is UNSET else body.provider) else None


def _keys(call: Call, body: ConnectGit, near: Connected | None) -> dict[str, str | None]:
    """The pinned key of the host, and a deploy key: that of before at the same host, else a new one."""
    if body.token is not UNSET and body.token is not None:
        raise BadRequest("token: an ssh address is opened by a deploy key, which is made here; leave the token out")
    pinned = near.host_key if near is not None else None
    if body.host_key is not UNSET:
        try:
            pinned = deploy_keys.host_key(body.host_key)
        except ValueError as error:
            raise BadRequest(f"hostKey: {error}") from error
    if pinned is None:
        raise BadRequest("hostKey: an ssh address needs the key of its host, as `ssh-keyscan` prints it")
    if near is not None and near.sealed_key is not None:
        return {"sealed_key": near.sealed_key, "public_key": near.public_key, "host_key": pinned}
    return new_key(call) | {"host_key": pinned}


def new_key(call: Call) -> dict[str, str | None]:
    key = deploy_keys.made("octavo")
    return {"sealed_key": call.signer.seal(key.private), "public_key": key.public}


async def renew_key(call: Call, at: AtSpace, takes: Nothing) -> GitConnection:
    """Another deploy key; the last one is forgotten."""
    old = await get(call, at, takes)
    if old.sealed_key is None:
        raise Conflict("only a connection by ssh has a deploy key")
    made = replace(old, **new_key(call), updated_at=call.now)
    await call.unit.git.put_connection(made)
    return made


def same_host(one: str, other: str) -> bool:
    """Whether a token that was given for one address may go to the other."""
    return _where(one) == _where(other)


def _where(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


async def take_pushes(call: Call, at: AtSpace, takes: Nothing) -> GitWebhook:
    """Have the host post when somebody pushes: the address, and a secret that is told once; another one ends the last."""
    made, webhook = taking(call, await get(call, at, takes), at.space.record.id)
    await call.unit.git.put_connection(made)
    return webhook


async def take_no_pushes(call: Call, at: AtSpace, takes: Nothing) -> None:
    """Take no posts any more."""
    await call.unit.git.put_connection(taking_none(call, await get(call, at, takes), "space"))


def taking(call: Call, old: C, path: str) -> tuple[C, GitWebhook]:
    """A connection that takes posts at that path, with a new secret."""
    secret = secrets.token_urlsafe(32)
    made = replace(old, sealed_webhook_secret=call.signer.seal(secret), updated_at=call.now)
    return made, GitWebhook(url=f"{call.view.app}{HOOKS}{path}", secret=secret)


def taking_none(call: Call, old: C, owner: str) -> C:
    """A connection that takes no posts. Raises NotFound where it took none."""
    if old.sealed_webhook_secret is None:
        raise NotFound(f"this {owner} takes no posts of its Git host")
    return replace(old, sealed_webhook_secret=None, updated_at=call.now)


async def disconnect(call: Call, at: AtSpace, takes: Nothing) -> None:
    """Follow no branch any more; content and repository stay as they are."""
    if not await call.unit.git.remove_connection(at.space.record.id):
        raise NotFound("this space follows no branch")
    await call.unit.git.forget_branches(at.space.record.id)


async def synchronise(call: Call, at: AtSpace, takes: Nothing) -> GitOperation:
    """Queue a synchronisation: what either side changed comes to the other."""
    space = at.space.record
    connection = await call.unit.git.connection(space.id)
    if connection is None:
        raise NotFound("this space follows no branch")
    if await call.unit.git.waiting(space.id) >= limits.GIT_OPERATIONS_WAITING:
        raise Conflict(f"{limits.GIT_OPERATIONS_WAITING} Git operations of this space wait already; try again later")
    sealed = following.sealed_address(connection, call.signer.seal, call.signer.unseal)
    return await following.order(call.unit, space, connection, sealed, user=call.caller.user.id, quiet=False)


async def list_branches(call: Call, at: AtSpace, query: ListQuery) -> Slice[GitBranch]:
    """Branches that change requests of the space follow or followed, and those that wait, the newest first."""
    space = at.space.record
    found = await call.unit.git.branch_page(space.id, call.newest_behind(query), query.limit + 1)
    total = await call.unit.git.branch_count(space.id)
    return call.listing(found, total, query, lambda one: (one.created_at, one.id))


def _present_branch(branch: GitBranch, view: View) -> git.GitBranchView:
    return git.present_branch(branch)


def present_webhook(webhook: GitWebhook, view: View) -> GitWebhook:
    return webhook


def _present(connection: GitConnection, view: View) -> git.GitConnectionView:
    return git.present_connection(connection)


OPERATIONS = (
    reads("getSpaceGitConnection", _ONE, get, _present,
          needs="space.triggerGitSync", scope="space:read", summary="Get the Git branch that a space follows"),
    reads("listSpaceGitBranches", "/spaces/{space}/git/branches", list_branches, listed(_present_branch),
          needs="space.triggerGitSync", scope="space:read", summary="List the Git branches that change requests follow"),
    writes("PUT", "connectSpaceToGit", _ONE, connect, _present,
           lock="space", needs="space.admin", scope="space:write", audit="space.git.connect",
           summary="Have a space follow a Git branch, or change how"),
    writes("DELETE", "disconnectSpaceFromGit", _ONE, disconnect, nothing,
           lock="space", needs="space.admin", scope="space:write", audit="space.git.disconnect",
           summary="Have a space follow no Git branch any more"),
    writes("POST", "renewSpaceGitDeployKey", _ONE + "/deploy-key", renew_key, _present,
           lock="space", status=201, needs="space.admin", scope="space:write", audit="space.git.renew-key",
           summary="Make another deploy key for a space that follows a Git branch by SSH"),
    writes("POST", "createSpaceGitWebhook", _ONE + "/webhook", take_pushes, present_webhook,
           lock="space", status=201, needs="space.admin", scope="space:write", audit="space.git.take-pushes",
           summary="Have the Git host of a space tell of pushes, with a new secret"),
    writes("DELETE", "deleteSpaceGitWebhook", _ONE + "/webhook", take_no_pushes, nothing,
           lock="space", needs="space.admin", scope="space:write", audit="space.git.take-no-pushes",
           summary="Take no posts of the Git host of a space any more"),
    writes("POST", "synchroniseSpaceWithGit", "/spaces/{space}/git/sync", synchronise, present_operation,
           lock="space", status=201, needs="space.triggerGitSync", scope="space:write", audit="space.git.sync",
           summary="Bring a space and the Git branch that it follows together"),
)  # fmt: skip
