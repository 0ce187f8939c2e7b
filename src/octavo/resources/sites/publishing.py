"""Publishing: how visitors of a site show who they are, and signed addresses at which it is looked at ahead of them."""

from __future__ import annotations

import secrets
from urllib.parse import quote

import msgspec
from msgspec import UNSET, UnsetType

from octavo.access import locate, locate_sites
from octavo.access.policy import allows
from octavo.access.signing import Preview
from octavo.access.standing import roles_on_sites, roles_on_spaces
from octavo.history.contents import contents_of
from octavo.kernel import limits
from octavo.kernel.clock import HOUR
from octavo.kernel.errors import BadRequest, Conflict, Forbidden, absent
from octavo.kernel.events import SiteChanged
from octavo.kernel.operation import Nothing, reads, writes
from octavo.kernel.records import Json
from octavo.kernel.records.sites import Site, SiteAuth, SiteSpace
from octavo.resources.call import Ahead, Call
from octavo.resources.places import AtChangeRequest, AtSite
from octavo.site.addresses import page_path, site_path
from octavo.site.integrations import active_on
from octavo.site.previewing import OPEN, ignored_by, visitor_by
from octavo.site.snapshot import Snapshot, snapshot_of
from octavo.site.visitor import Visitor
from octavo.store.unit import Unit
from octavo.wire.sites import publishing
from octavo.wire.sites.publishing import (
    AuthView,
    ChangePreviewQuery,
    PreviewQuery,
    SitePreviewView,
    UpdatePublishingAuth,
)

_AUTH = frozenset({"site:visitor:auth", "space:visitor:auth"})


def _new_key() -> str:
    return secrets.token_hex(32)


async def _auth(unit: Unit, site: Site, sealed: str) -> SiteAuth:
    """The site's record; where there is none yet, a new one with that key."""
    known = await unit.sites.auth(site.id)
    if known is not None:
        return known
    made = SiteAuth(
        site=site.id, organization=site.organization, backend="custom", sealed_key=sealed, changed_at=unit.now
    )
    await unit.sites.add_auth(made)
    return made


async def prepare_auth(prior: Ahead, at: AtSite, takes: Nothing) -> SiteAuth:
    """A site has a key from when somebody asks for it."""
    site = at.site.record
    known = await prior.read(lambda unit: unit.sites.auth(site.id))
    if known is not None:
        return known
    sealed = prior.signer.seal(_new_key())
    return await prior.store.write(lambda unit: _auth(unit, site, sealed), prior.provenance)


async def get_auth(call: Call, at: AtSite, takes: Nothing) -> AuthView:
    """With the key that signs visitors' tokens: whoever has it lets anybody in."""
    return _auth_view(call, await call.unit.sites.auth(at.site.record.id) or call.prepared)


async def update_auth(call: Call, at: AtSite, body: UpdatePublishingAuth) -> AuthView:
    """The addresses where visitors log in and out; null takes one away. With the backend `integration`, the one that is
    installed on the site for that lets visitors in."""
    integration = await _letting_in(call, at.site.record) if body.backend == "integration" else None
    known = await _auth(call.unit, at.site.record, call.signer.seal(_new_key()))
    changed = {name: value for name in ("fallback_url", "logout_url") if (value := getattr(body, name)) is not UNSET}
    return await _changed(call, at.site.record, known, backend=body.backend, integration=integration, **changed)


async def _letting_in(call: Call, site: Site) -> str:
    """The integration that is to let visitors in."""
    found = await active_on(call.unit, site.organization, site.id, "site")
    able = [one.integration for one in found if one.place is not None and not _AUTH.isdisjoint(one.scopes)]
    if not able:
        raise BadRequest(
            "backend: no integration that runs on this site lets visitors in; install one with the scope site:visitor:auth"
        )
    return able[0].id


async def regenerate_auth(call: Call, at: AtSite, takes: Nothing) -> AuthView:
    """A new key: what the old one signed lets nobody in any more, and whoever came in by it is out."""
    sealed = call.signer.seal(_new_key())
    known = await _auth(call.unit, at.site.record, sealed)
    return await _changed(call, at.site.record, known, sealed_key=sealed)


async def _changed(call: Call, site: Site, auth: SiteAuth, **changed: object) -> AuthView:
    auth = await call.unit.sites.change_auth(auth, **changed, changed_at=call.now)
    await call.unit.emit(SiteChanged(organization=site.organization, site=site.id))
    return _auth_view(call, auth)


def _auth_view(call: Call, auth: SiteAuth) -> AuthView:
    try:
        return AuthView(auth, call.signer.unseal(auth.sealed_key))
    except ValueError as error:
        raise Conflict(
            "the key was sealed with another secret of the installation; regenerate it to have one again"
        ) from error


async def preview_site(call: Call, at: AtSite, query: PreviewQuery) -> SitePreviewView:
    """Published or not, for everybody who has the address, for an hour. Claims that the schema does not allow are ignored, as
    those of visitors are, and named."""
    snapshot = await snapshot_of(call.unit, at.site.record)
    roles = await roles_on_spaces(call.unit, call.caller, list(snapshot.spaces.values()))
    if not all(allows("space", "view", role) for role in roles.values()):
        raise Forbidden("the preview would show spaces that you may not read")
    claims = _claims(query.claims)
    shown = snapshot.seen_by(Visitor(drafts=query.draft))
    opened = "" if isinstance(query.site_space, UnsetType) else shown.base_of(_site_space(snapshot, query.site_space))
    path = opened + _target(query.target)
    preview = Preview(at.site.record.id, None, query.draft, claims)
    url = _address(call, at.site.record, preview, limits.PREVIEW_HOURS) + path
    return SitePreviewView(url, visitor_by(snapshot, preview).claims, ignored_by(at.site.record, claims))


def _site_space(snapshot: Snapshot, word: str) -> SiteSpace:
    found = next((one for one in snapshot.site_spaces if one.id == word), None)
    if found is None:
        raise BadRequest(f"siteSpace: the site has no site-space {word!r}")
    return found


def _target(target: str | UnsetType) -> str:
    """The path to open, as it is written behind the preview's own."""
    path = "" if isinstance(target, UnsetType) else target.removeprefix("/")
    if ":" in path.partition("/")[0] or path.startswith("/") or ".." in path.split("/"):
        raise BadRequest("target: a path below the site's, as in /guides/start")
    return quote(path, safe="/%#?=&")


def _claims(text: str | UnsetType) -> Json:
    if isinstance(text, UnsetType):
        return {}
    try:
        return msgspec.json.decode(text, type=Json)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadRequest('claims: not a JSON object, as in {"plan": "pro"}') from error


def _address(call: Call, site: Site, preview: Preview, hours: int) -> str:
    word = call.signer.write_preview(preview, call.now + hours * HOUR)
    return f"{call.view.app}{site_path(site)}~preview/{word}/"


async def preview_change_request(call: Call, at: AtChangeRequest, query: ChangePreviewQuery) -> str:
    """As its site would show it, for everybody who has the address, for a week or until it is merged or archived."""
    request = at.change_request.record
    if request.status not in ("draft", "open"):
        raise Conflict(f"the change request is {request.status}: only one that is a draft or open has a preview")
    site = await _site_of(call, at, query.site)
    snapshot = await snapshot_of(call.unit, site)
    link = next((one for one in snapshot.site_spaces if one.space == request.space), None)
    if link is None:
        raise BadRequest("site: it does not show the space of the change request")
    preview = Preview(site.id, request.id, True, _claims(query.claims))
    return _address(call, site, preview, limits.CHANGE_PREVIEW_HOURS) + await _opens(call, at, snapshot, link, query)


async def _site_of(call: Call, at: AtChangeRequest, word: str | UnsetType) -> Site:
    """The site that is named, or of those that show the space the one that most people see."""
    organization = await locate.organization(call.unit, call.caller, at.space.record.organization)
    if not isinstance(word, UnsetType):
        return (await locate_sites.site(call.unit, call.caller, word, organization.record)).record
    _, sites = await call.unit.sites.of_spaces((at.space.record.id,))
    roles = await roles_on_sites(call.unit, call.caller, list(sites.values()))
    seen = [site for site in sites.values() if allows("site", "view", roles[site.id])]
    if not seen:
        raise Conflict("no site that you may see shows the space of the change request")
    return max(seen, key=lambda site: (site.published, OPEN.index(site.visibility), -site.created_at, site.id))


async def _opens(
    call: Call, at: AtChangeRequest, snapshot: Snapshot, link: SiteSpace, query: ChangePreviewQuery
) -> str:
    base = snapshot.base_of(link)
    if isinstance(query.page, UnsetType):
        return base
    revision = await call.unit.revisions.get(at.change_request.record.revision)
    assert revision is not None  # a head is written in the unit that makes the revision
    branch = (await contents_of(call.unit, revision)).by_id.get(query.page)
    if branch is None:
        raise absent("page", query.page)
    return base + page_path(branch.path)


_PUBLISHING = "/orgs/{organization}/sites/{site}/publishing"

OPERATIONS = (
    reads("getSitePublishingAuthById", _PUBLISHING + "/auth", get_auth, publishing.present,
          before=prepare_auth, needs="site.admin", scope="site:auth:read",
          summary="Get how visitors of a site show who they are"),
    writes("PATCH", "updateSitePublishingAuthById", _PUBLISHING + "/auth", update_auth, publishing.present,
           lock="site", needs="site.admin", scope="site:auth:write", audit="site.auth.update",
           summary="Change how visitors of a site show who they are"),
    writes("POST", "regenerateSitePublishingAuthById", _PUBLISHING + "/auth/regenerate", regenerate_auth,
           publishing.present,
           lock="site", needs="site.admin", scope="site:auth:write", audit="site.auth.regenerate",
           summary="Make a new key for visitors' tokens"),
    reads("getSitePublishingPreviewById", _PUBLISHING + "/preview", preview_site, publishing.present_site_preview,
          needs="site.view", also="`view` on every space that the site shows", scope="site:read",
          summary="Make an address at which a site is looked at ahead of its visitors"),
    reads("getChangeRequestPreviewById", "/spaces/{space}/change-requests/{change_request}/preview",
          preview_change_request, publishing.present_preview,
          needs="space.view", also="`view` on the site", scope="space:read",
          summary="Make an address at which everybody sees a change request as its site would show it"),
)  # fmt: skip
