"""Imports as runs: asked for, looked at while they go on, taken back."""

from __future__ import annotations

from msgspec import UNSET

from octavo.access import locate, locate_sites
from octavo.access.locate import SeenSpace
from octavo.access.locate_imports import SEES, WRITES, SeenImportRun
from octavo.access.policy import allows
from octavo.access.standing import roles_on_spaces
from octavo.history import importing
from octavo.history.contents import contents_of
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict, Forbidden, TooMany, absent
from octavo.kernel.events import ImportRunWanted
from octavo.kernel.ids import new_id
from octavo.kernel.operation import UNLIMITED, Nothing, reads, writes
from octavo.kernel.records.imports import ACTIVE, ImportRun
from octavo.kernel.records.review import ChangeRequest
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization
from octavo.resources.rules import MEMBERS
from octavo.wire.content import import_runs
from octavo.wire.content.import_runs import FileSource, ImportRunsQuery, StartImportRun, WebsiteSource

_STATUSES = ("pending", "in-progress", "completed", "failed", "cancelled")
_WHOLE = "repository"
"""The format that is the whole content of a space, in the layout that Octavo exports."""


class AtImportRun(AtOrganization, frozen=True):
    import_run: SeenImportRun


async def start(call: Call, at: AtOrganization, body: StartImportRun) -> ImportRun:
    """A run that waits for a worker: nothing is fetched before that."""
    organization = at.organization.record
    space = await locate.space(call.unit, call.caller, body.target.space)
    if space.record.organization != organization.id:
        raise absent("space", body.target.space)
    request = await _target(call, space, body)
    site = None
    if body.site is not UNSET:
        site = (await locate_sites.site(call.unit, call.caller, body.site, organization)).record.id
    if await call.unit.imports.active(organization.id) >= limits.IMPORTS_ACTIVE_MAX:
        raise TooMany(f"{limits.IMPORTS_ACTIVE_MAX} imports of the organization wait or run already; wait for one")
    source, user = body.source, call.caller.user.id
    run = ImportRun(
        id=new_id(),
        organization=organization.id,
        space=space.record.id,
        status="pending",
        kind="file" if isinstance(source, FileSource) else "website",
        format=None if source.format is UNSET else source.format,
        url=_shown(source),
        files=len(source.files) if isinstance(source, FileSource) else 0,
        created_by=user,
        created_at=call.now,
        updated_at=call.now,
        change_request=None if request is None else request.id,
        page=None if body.target.page is UNSET else body.target.page,
        site=site or await _only_site(call, space.record.id),
    )
    sealed, uploads = _given(call, organization.id, source)
    wanted = ImportRunWanted(organization=organization.id, run=run.id, user=user, sealed_url=sealed, uploads=uploads)
    await call.unit.imports.add(run, keep=limits.IMPORTS_KEPT)
    await call.unit.emit(wanted)
    return run


async def _target(call: Call, space: SeenSpace, body: StartImportRun) -> ChangeRequest | None:
    """The change request that is written into, if one is named. Raises as the row that writes there would."""
    target, request = body.target, None
    if not allows("space", "edit", space.role):
        raise Forbidden("you may not write into this space (needs edit)")
    if target.change_request is not UNSET:
        found = await locate.change_request(call.unit, call.caller, target.change_request, space.record)
        request = found.record
        importing.require_open(request)
    if target.page is not UNSET:
        revision = await call.unit.revisions.get(space.record.revision if request is None else request.revision)
        assert revision is not None  # a head is written in the unit that makes the revision
        if target.page not in (await contents_of(call.unit, revision)).pages:
            raise absent("page", target.page)
    if body.source.format == _WHOLE:
        if not allows("space", "triggerGitSync", space.role):
            raise Forbidden("you may not replace the content of this space (needs triggerGitSync)")
        if target.change_request is not UNSET or target.page is not UNSET:
            raise BadRequest("target: a repository is the whole content of a space; name the space alone")
    return request


async def _only_site(call: Call, space: str) -> str | None:
    """The site that shows the space, where one does."""
    shown = {one.site for one in (await call.unit.sites.of_spaces([space]))[0]}
    return shown.pop() if len(shown) == 1 else None


def _shown(source: WebsiteSource | FileSource) -> str | None:
    """An address without what may be secret in it."""
    if isinstance(source, FileSource):
        return None
    scheme, _, rest = source.url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0].partition('#')[0]}"


def _given(call: Call, organization: str, source: WebsiteSource | FileSource) -> tuple[str | None, list[str]]:
    """What the job is told of the source: a sealed address, or blobs. Raises BadRequest for what is no key of an upload."""
    if isinstance(source, WebsiteSource):
        return call.signer.seal(source.url), []
    if source.format == _WHOLE and len(source.files) > 1:
        raise BadRequest("source.files: a repository is one zip")
    return None, [call.signer.read_upload(organization, key, call.now) for key in source.files]


async def list_of(call: Call, at: AtOrganization, query: ImportRunsQuery) -> Slice[ImportRun]:
    """Those into spaces that the caller sees, the newest first."""
    organization = at.organization.record
    everything = await call.unit.spaces.all(organization.id)
    if query.space is not UNSET:
        everything = [space for space in everything if space.id == query.space]
    roles = await roles_on_spaces(call.unit, call.caller, everything)
    seen = [space.id for space in everything if allows("space", "view", roles[space.id])]
    spaces, site = seen, ""
    if query.site is not UNSET:
        site = (await locate_sites.site(call.unit, call.caller, query.site, organization)).record.id
        shown = {link.space for link in await call.unit.sites.site_spaces(site)}
        spaces = [key for key in seen if key in shown]
    found, total = await call.unit.imports.page(
        organization.id,
        _STATUSES if query.status is UNSET else ACTIVE if query.status == "active" else (query.status,),
        seen=seen,
        spaces=spaces,
        site=site,
        change_request="" if query.change_request is UNSET else query.change_request,
        behind=call.newest_behind(query),
        limit=query.limit + 1,
    )
    return call.listing(found, total, query, lambda one: (one.created_at, one.id))


async def get(call: Call, at: AtImportRun, takes: Nothing) -> ImportRun:
    """One run."""
    return at.import_run.record


async def cancel(call: Call, at: AtImportRun, takes: Nothing) -> ImportRun:
    """Nothing of it is written then. Raises Conflict for one that is over."""
    one = await call.unit.imports.get(at.import_run.record.id)
    assert one is not None  # located in this unit
    if one.over:
        raise Conflict(f"the import is over: it was {one.status}")
    return await call.unit.imports.change(one, status="cancelled", finished_at=call.now, updated_at=call.now, step=None)


_ALL = "/orgs/{organization}/imports"
_ONE = _ALL + "/{import_run}"

OPERATIONS = (
    reads("listImportRuns", _ALL, list_of, listed(import_runs.present_one_of),
          needs=MEMBERS, also="the list holds those into spaces that they may see", scope="space:read",
          summary="List the import runs of an organization"),
    writes("POST", "startImportRun", _ALL, start, import_runs.present,
           lock="organization", status=201, needs=MEMBERS, scope="space:write", audit="import-run.start",
           also="`edit` on the space; `triggerGitSync` for a repository", about=lambda run: run,
           summary="Import content into a space"),
    reads("getImportRun", _ONE, get, import_runs.present,
          needs=SEES, scope="space:read", summary="Get an import run"),
    writes("POST", "cancelImportRun", _ONE + "/cancel", cancel, import_runs.present,
           lock="organization", needs=WRITES, scope=UNLIMITED, audit="import-run.cancel",
           summary="Cancel an import run"),
)  # fmt: skip
