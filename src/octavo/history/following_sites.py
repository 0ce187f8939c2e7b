"""Orders to bring a site and the branch that it follows together, from requests and from jobs, and what comes of its spaces."""

from __future__ import annotations

from typing import Literal

from octavo.kernel import limits
from octavo.kernel.events import GitSiteQueued
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.git import GitOperation, GitSiteConnection, GitSiteOperation
from octavo.store.unit import Unit


async def order(
    unit: Unit,
    connection: GitSiteConnection,
    *,
    user: str | None,
    quiet: bool,
    keep: Literal["git", "site"] | None = None,
) -> GitSiteOperation:
    """Queue a synchronisation; whoever asks holds the lock of the site. A `quiet` one that changes nothing is forgotten."""
    operation = GitSiteOperation(
        id=new_id(),
        organization=connection.organization,
        site=connection.site,
        number=await unit.git_sites.next_number(connection.site),
        state="queued",
        url=connection.url,
        ref=connection.ref,
        directory=connection.directory,
        keep=keep,
        quiet=quiet,
        created_at=unit.now,
        user=user,
    )
    await unit.git_sites.add(operation, limits.GIT_OPERATIONS)
    await unit.emit(GitSiteQueued(organization=operation.organization, site=operation.site, user=user))
    return operation


async def told(unit: Unit, operation: GitOperation, state: str, message: str | None, *, changed: bool) -> None:
    """An operation of a space ended that belongs to one of a site: note it there, and let the next space have its turn."""
    site = await unit.git_sites.operation(operation.payload["site_operation"])
    if site is None or site.ended_at is not None:
        return
    spaces: list[Json] = []
    for one in site.spaces:
        if one.get("operation") != operation.id:
            spaces.append(one)
            continue
        ended = {name: value for name, value in one.items() if name != "operation"} | {"state": state}
        if not (operation.payload.get("quiet") and state == "success" and not changed):
            ended["operation"] = operation.id
        spaces.append(ended | ({} if message is None else {"message": message}))
    await unit.git_sites.change(site, spaces=spaces, changed=site.changed or changed)
    await unit.emit(GitSiteQueued(organization=site.organization, site=site.site))
