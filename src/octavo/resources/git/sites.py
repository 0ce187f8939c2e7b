"""The branch that a site is kept the same as: its `docs.yaml` and the directories of its spaces; and what comes of that."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from octavo.access.locate_git import SeenGitSiteOperation
from octavo.access.policy import at_least
from octavo.access.standing import roles_on_spaces
from octavo.history import following_sites
from octavo.kernel import limits
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import BadRequest, Conflict, Forbidden, NotFound
from octavo.kernel.events import GitSitePollDue
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records.git import GitSiteConnection, GitSiteOperation
from octavo.kernel.records.sites import Site
from octavo.resources.call import Call, Slice, listed
from octavo.resources.git.connections import new_key, present_webhook, settings_of, taking, taking_none
from octavo.resources.places import AtSite
from octavo.wire import git
from octavo.wire.git import ConnectGit, GitWebhook, SyncSite
from octavo.wire.lists import ListQuery
from octavo.wire.view import View

_AT = "/orgs/{organization}/sites/{site}/git"
_ONE = _AT + "/connection"


class AtSiteOperation(AtSite, frozen=True):
    operation: SeenGitSiteOperation


async def get(call: Call, at: AtSite, takes: Nothing) -> GitSiteConnection:
    """The connection. Raises NotFound where the site follows no branch."""
    found = await call.unit.git_sites.connection(at.site.record.id)
    if found is None:
        raise NotFound("this site follows no branch")
    return found


async def connect(call: Call, at: AtSite, body: ConnectGit) -> GitSiteConnection:
    """Follow a branch, or change how; nothing is fetched before a synchronisation."""
    site = at.site.record
    if body.previews or body.api_token:
        name = "previews" if body.previews else "apiToken"
        raise BadRequest(f"{name}: branches become change requests of a space; say it of that space's own connection")
    await _may_give_away(call, site)
    old = await call.unit.git_sites.connection(site.id)
    made = GitSiteConnection(**settings_of(call, body, old), site=site.id, organization=site.organization)
    await call.unit.git_sites.put_connection(made)
    minutes = made.poll_minutes
    if minutes is not None and not made.paused:
        due = GitSitePollDue(organization=site.organization, site=site.id, minutes=minutes, delay=minutes * MINUTE)
        await call.unit.emit(due)
    return made


async def _may_give_away(call: Call, site: Site) -> None:
    """A branch is given all that the site shows; who may make spaces is asked where that is to be. Raises Forbidden."""
    shown = await call.unit.sites.site_spaces(site.id)
    spaces = await call.unit.spaces.by_ids([one.space for one in shown])
    roles = await roles_on_spaces(call.unit, call.caller, spaces)
    for space in spaces:
        if not at_least(roles[space.id], "admin"):
            raise Forbidden(f"your role on space {space.id!r}, which the site shows, does not allow it (needs admin)")


async def disconnect(call: Call, at: AtSite, takes: Nothing) -> None:
    """Follow no branch any more; site, spaces and repository stay as they are."""
    if not await call.unit.git_sites.remove_connection(at.site.record.id):
        raise NotFound("this site follows no branch")


async def renew_key(call: Call, at: AtSite, takes: Nothing) -> GitSiteConnection:
    """Another deploy key; the last one is forgotten."""
    old = await get(call, at, takes)
    if old.sealed_key is None:
        raise Conflict("only a connection by ssh has a deploy key")
    made = replace(old, **new_key(call), updated_at=call.now)
    await call.unit.git_sites.put_connection(made)
    return made


async def take_pushes(call: Call, at: AtSite, takes: Nothing) -> GitWebhook:
    """Have the host post when somebody pushes: the address, and a secret that is told once; another one ends the last."""
    made, webhook = taking(call, await get(call, at, takes), f"sites/{at.site.record.id}")
    await call.unit.git_sites.put_connection(made)
    return webhook


async def take_no_pushes(call: Call, at: AtSite, takes: Nothing) -> None:
    """Take no posts any more."""
    await call.unit.git_sites.put_connection(taking_none(call, await get(call, at, takes), "site"))


async def synchronise(call: Call, at: AtSite, body: SyncSite) -> GitSiteOperation:
    """Queue a synchronisation: what either side changed comes to the other."""
    connection = await get(call, at, Nothing())
    if await call.unit.git_sites.waiting(connection.site) >= limits.GIT_OPERATIONS_WAITING:
        raise Conflict(f"{limits.GIT_OPERATIONS_WAITING} Git operations of this site wait already; try again later")
    keep = None if body.keep is UNSET else body.keep
    return await following_sites.order(call.unit, connection, user=call.caller.user.id, quiet=False, keep=keep)


async def list_operations(call: Call, at: AtSite, query: ListQuery) -> Slice[GitSiteOperation]:
    """Those of a site, the newest first."""
    site = at.site.record.id
    before = call.newest_behind(query)[0]
    found = await call.unit.git_sites.operations(site, before, query.limit + 1)
    return call.listing(found, await call.unit.git_sites.count(site), query, lambda one: (one.number, one.id))


async def get_operation(call: Call, at: AtSiteOperation, takes: Nothing) -> GitSiteOperation:
    """One operation, with its log."""
    return at.operation.record


def _present(connection: GitSiteConnection, view: View) -> git.GitConnectionView:
    return git.present_connection(connection)


def _present_operation(operation: GitSiteOperation, view: View) -> git.GitSiteOperationView:
    return git.present_site_operation(operation, logged=False)


def _present_logged(operation: GitSiteOperation, view: View) -> git.GitSiteOperationView:
    return git.present_site_operation(operation, logged=True)


OPERATIONS = (
    reads("getSiteGitConnection", _ONE, get, _present,
          needs="site.admin", scope="site:read", summary="Get the Git branch that a site follows"),
    writes("PUT", "connectSiteToGit", _ONE, connect, _present,
           lock="site", needs="site.admin", scope="site:write", audit="site.git.connect",
           also="`admin` on each space that the site shows",
           summary="Have a site follow a Git branch, or change how"),
    writes("DELETE", "disconnectSiteFromGit", _ONE, disconnect, nothing,
           lock="site", needs="site.admin", scope="site:write", audit="site.git.disconnect",
           summary="Have a site follow no Git branch any more"),
    writes("POST", "renewSiteGitDeployKey", _ONE + "/deploy-key", renew_key, _present,
           lock="site", status=201, needs="site.admin", scope="site:write", audit="site.git.renew-key",
           summary="Make another deploy key for a site that follows a Git branch by SSH"),
    writes("POST", "createSiteGitWebhook", _ONE + "/webhook", take_pushes, present_webhook,
           lock="site", status=201, needs="site.admin", scope="site:write", audit="site.git.take-pushes",
           summary="Have the Git host of a site tell of pushes, with a new secret"),
    writes("DELETE", "deleteSiteGitWebhook", _ONE + "/webhook", take_no_pushes, nothing,
           lock="site", needs="site.admin", scope="site:write", audit="site.git.take-no-pushes",
           summary="Take no posts of the Git host of a site any more"),
    writes("POST", "synchroniseSiteWithGit", _AT + "/sync", synchronise, _present_operation,
           lock="site", status=201, needs="site.admin", scope="site:write", audit="site.git.sync",
           summary="Bring a site and the Git branch that it follows together"),
    reads("listSiteGitOperations", _AT + "/operations", list_operations, listed(_present_operation),
          needs="site.admin", scope="site:read", summary="List the Git operations of a site"),
    reads("getSiteGitOperation", _AT + "/operations/{operation}", get_operation, _present_logged,
          needs="site.admin", scope="site:read", summary="Get a Git operation of a site with its log"),
)  # fmt: skip
