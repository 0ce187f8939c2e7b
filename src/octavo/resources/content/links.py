"""Links of spaces and pages, and what links to a page or a file; in primary content and in change requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from msgspec import UNSET

from octavo.access.people.organizations import organization_permissions
from octavo.access.policy import allows, permissions
from octavo.access.standing import roles_on_collections, roles_on_spaces
from octavo.content import trie
from octavo.content.references import Reference
from octavo.content.revision import Digest, Page
from octavo.history import ahead
from octavo.history.contents import Contents, contents_of, walk
from octavo.history.linking import ends_of, links_of, references_of
from octavo.kernel.clock import iso
from octavo.kernel.errors import Stale, absent
from octavo.kernel.operation import reads
from octavo.kernel.records import Json
from octavo.kernel.records.content import PageLink, Revision
from octavo.kernel.records.library import Space
from octavo.kernel.records.people import User
from octavo.resources.call import Ahead, Call
from octavo.resources.places import (
    AtChangeRequest,
    AtContentFile,
    AtContentPage,
    AtDraftFile,
    AtDraftPage,
    AtSpace,
    contents_at,
)
from octavo.site.shown import show_spaces
from octavo.wire.content import links
from octavo.wire.content.links import End, LinkedPage, LinksQuery, LinksView, LinkView, Status
from octavo.wire.library.collections import CollectionView
from octavo.wire.library.spaces import SpaceView
from octavo.wire.lists import ListQuery
from octavo.wire.openapi import SpecView
from octavo.wire.people.organizations import OrganizationView

AtPage: TypeAlias = AtContentPage | AtDraftPage
AtFile: TypeAlias = AtContentFile | AtDraftFile
AtSomewhere: TypeAlias = AtSpace | AtChangeRequest
Stats: TypeAlias = tuple[int, int, int | None]
"""All links, the broken ones, and those of them that a change request broke; None in primary content."""


@dataclass(frozen=True)
class Referring:
    """The references of a page, and the document in which they were found."""

    document: Digest | None
    references: list[Reference]


@dataclass(frozen=True)
class Named:
    """What references name beside spaces and what these hold, as far as the caller sees it."""

    users: dict[str, User]
    collections: dict[str, CollectionView]
    specs: dict[str, SpecView]
    """By slug."""


@dataclass(frozen=True)
class Ends:
    """What the ends of references are made of: spaces that the caller sees, and what they hold."""

    contents: dict[str, Contents]
    spaces: dict[str, SpaceView]
    at: str
    named: Named
    version: Json
    """That of the space `at` which the contents are of; of other spaces they are primary."""

    def location(self, link: PageLink) -> End:
        """Where a reference stands."""
        inside = None if link.node is None else {"type": "node", "node": link.node}
        page = self._page(link.space, link.page)
        version = self.version if link.space == self.at else None
        return End("page", self.spaces.get(link.space), version, page, inside)

    def target(self, link: PageLink) -> End:
        """Where it leads."""
        ref, kind = link.ref, str(link.ref["kind"])
        if kind == "url":
            return End("url", url=str(ref["url"]))
        key = str(ref.get("space") or link.space)
        space, version = self.spaces.get(key), self.version if key == self.at else None
        if kind in ("page", "anchor") and (page := self._page(key, str(ref["page"]))) is not None:
            inside = {"type": "anchor", "anchor": ref["anchor"]} if ref.get("anchor") else None
            return End("page", space, version, page, inside)
        held = self.contents.get(key)
        if kind == "file" and held is not None and (file := held.files.get(str(ref["file"]))) is not None:
            return End("file", space, version, file=file)
        if kind == "reusable-content" and held is not None:
            reusable = held.reusables.get(str(ref["reusableContent"]))
            if reusable is not None:
                return End(kind, space, version, reusable=reusable)
        named = self.named
        if kind == "user" and (user := named.users.get(str(ref["user"]))) is not None:
            return End(kind, user=user)
        if kind == "collection" and (collection := named.collections.get(str(ref["collection"]))) is not None:
            return End(kind, collection=collection)
        if kind == "openapi" and (spec := named.specs.get(str(ref["spec"]))) is not None:
            return End(kind, spec=spec)
        return End("page" if kind == "anchor" else kind, space, ref=ref)

    def _page(self, space: str, key: str) -> LinkedPage | None:
        held = self.contents.get(space)
        branch = None if held is None else held.by_id.get(key)
        if branch is None:
            return None
        page = branch.page
        return LinkedPage(page.id, page.type, page.title, UNSET if page.type == "link" else branch.path)


async def list_in_space(call: Call, at: AtSpace, query: LinksQuery) -> LinksView:
    """Links of primary content, by page and place on it."""
    space = at.space.record
    key = call.behind(query)
    behind = ("", -1) if key is None else (str(key[0]), int(key[1]))
    status = None if query.status is UNSET else query.status
    found, count = await call.unit.links.page(space.id, status, call.view.app, behind, query.limit + 1)
    page = call.listing(found, count, query, lambda one: (one.page, one.number))
    broken = await call.unit.links.count(space.id, "broken")
    total = count if status is None else await call.unit.links.count(space.id)
    return await _view(call, at, page.items, count, page.next, (total, broken, None))


async def prepare_on_page(prior: Ahead, at: AtPage, query: ListQuery) -> Referring:
    """Open the page's document and look for references in it: of a large one that takes a while."""
    _, page = await prior.read(lambda unit: _entry(prior.call(unit), at))
    found = await ahead.compute(prior.store, at.space.record.organization, references_of(page))
    return Referring(page.document, found.result)


async def _entry(call: Call, at: AtPage) -> tuple[Contents, Page]:
    _, contents = await contents_at(call, at)
    page = contents.pages.get(at.page)
    if page is None:
        raise absent("page", at.page)
    return contents, page


async def list_on_page(call: Call, at: AtPage, query: ListQuery) -> LinksView:
    """Links of one page, in reading order."""
    contents, entry = await _entry(call, at)
    prepared: Referring = call.prepared
    if entry.document != prepared.document:
        raise Stale
    found = await ends_of(call.unit, at.space.record, contents, entry, prepared.references)
    page = call.cut(found, query, lambda one: (one.number,))
    stats = (len(found), sum(one.broken for one in found), await _broken_there(call, at, found))
    return await _view(call, at, page.items, len(found), page.next, stats)


async def _broken_there(call: Call, at: AtPage, found: Sequence[PageLink]) -> int | None:
    """How many links of a page a change request broke: they hold on the page's primary text, or are not in it."""
    if not isinstance(at, AtChangeRequest):
        return None
    known = await call.unit.links.broken_on(at.space.record.id, at.page)
    return sum(one.broken and one.target not in known for one in found)


async def list_to_page(call: Call, at: AtPage, query: ListQuery) -> LinksView:
    """What links to a page."""
    _, contents = await contents_at(call, at)
    if at.page not in contents.pages:
        raise absent("page", at.page)
    return await _backlinks(call, at, contents, f"page/{at.space.record.id}/{at.page}", query)


async def list_to_file(call: Call, at: AtFile, query: ListQuery) -> LinksView:
    """What shows or links to a file."""
    _, contents = await contents_at(call, at)
    if at.file not in contents.files:
        raise absent("file", at.file)
    return await _backlinks(call, at, contents, f"file/{at.space.record.id}/{at.file}", query)


async def _backlinks(call: Call, at: AtSomewhere, contents: Contents, target: str, query: ListQuery) -> LinksView:
    space = at.space.record
    known = await call.unit.links.to(space.organization, [target])
    if isinstance(at, AtChangeRequest):
        known = await _as_drafted(call, space, contents, target, known)
    spaces = await call.unit.spaces.by_ids(link.space for link in known)
    roles = await roles_on_spaces(call.unit, call.caller, [one for one in spaces if one.deleted_at is None])
    seen = [link for link in known if roles.get(link.space) is not None]
    page = call.cut(seen, query, lambda one: (one.space, one.page, one.number))
    return await _view(call, at, page.items, len(seen), page.next, (len(seen), 0, None))


async def _as_drafted(
    call: Call, space: Space, contents: Contents, target: str, known: Sequence[PageLink]
) -> list[PageLink]:
    """Links of primary content with those of the pages that a change request has otherwise."""
    head = await call.unit.revisions.get(space.revision)
    assert head is not None  # a space's row names its head
    primary = await contents_of(call.unit, head)
    differing = await walk(call.unit, space.organization, trie.diff(primary.root.pages, contents.root.pages))
    drafted = await links_of(call.unit, space, contents, sorted(differing))
    kept = [link for link in known if link.space != space.id or link.page not in differing]
    own = [link for found in drafted.values() for link in found if link.target == target]
    return sorted([*kept, *own], key=lambda one: (one.space, one.page, one.number))


async def _view(
    call: Call, at: AtSomewhere, found: Sequence[PageLink], count: int, following: str | None, stats: Stats
) -> LinksView:
    """Links with both of their ends, spaces and contents read once each."""
    revision, contents = await contents_at(call, at)
    space = at.space.record
    wanted = {link.space for link in found} | {str(link.ref["space"]) for link in found if link.ref.get("space")}
    others = [one for one in await call.unit.spaces.by_ids(wanted - {space.id}) if one.deleted_at is None]
    roles = {space.id: at.space.role} | await roles_on_spaces(call.unit, call.caller, others)
    seen = [space, *(one for one in others if roles[one.id] is not None)]
    shown = {one.space.id: one for one in await show_spaces(call.unit, call.view, seen, roles)}
    held = {space.id: contents}
    for one in seen[1:]:
        head = await call.unit.revisions.get(one.revision)
        assert head is not None  # a space's row names its head
        held[one.id] = await contents_of(call.unit, head)
    ends = Ends(held, shown, space.id, await _named(call, space.organization, found), _version(call, at, revision))
    organization = await call.unit.people.organization(space.organization)
    assert organization is not None  # a space's row hangs on its organization's
    role = call.caller.role_in(space.organization)
    items = [LinkView(_status(call, link), ends.target(link), ends.location(link)) for link in found]
    return LinksView(
        items,
        count,
        following,
        *stats,
        organization=OrganizationView(organization, organization_permissions(call.caller, organization.id, role)),
        download=lambda file: call.download(space.organization, space.id, file),
    )


async def _named(call: Call, organization: str, found: Sequence[PageLink]) -> Named:
    """Members, collections and specifications of the organization that are named, a query or two for each kind."""
    refs = [link.ref for link in found]
    users, keys, slugs = (
        {str(ref[name]) for ref in refs if ref["kind"] == kind and ref.get(name)} for kind, name in _NAMED
    )
    members = {one.user for one in await call.unit.people.members_of(organization, users)} if users else set()
    above = await call.unit.spaces.with_ancestors(keys) if keys else {}
    seen = [one for key, one in above.items() if key in keys and one.organization == organization]
    roles = await roles_on_collections(call.unit, call.caller, seen) if seen else {}
    role = call.caller.role_in(organization)
    specs = await call.unit.openapi.all(organization) if slugs and allows("organization", "view", role) else []
    may = allows("organization", "createOpenAPISpec", role)
    return Named(
        {one.id: one for one in await call.unit.people.users(members)} if members else {},
        {
            one.id: CollectionView(one, permissions("collection", roles[one.id]))
            for one in seen
            if roles.get(one.id) is not None
        },
        {one.slug: SpecView(one, may) for one in specs if one.slug in slugs},
    )


_NAMED = (("user", "user"), ("collection", "collection"), ("openapi", "spec"))
"""Kind of a reference -> what it names by."""


def _status(call: Call, link: PageLink) -> Status:
    if link.broken:
        return "broken"
    # The second is how the addresses of the application began before it had its own.
    own = (f"url/{call.view.organization('')}", f"url/{call.view.app}/o/")
    return "in-app" if link.target.startswith(own) else "ok"


def _version(call: Call, at: AtSomewhere, revision: Revision) -> Json:
    """Which version the locations are of."""
    if isinstance(at, AtChangeRequest):
        request = at.change_request.record
        return {"type": "changeRequest", "changeRequest": {"object": "change-request", "id": request.id}}
    made = {"object": "revision", "id": revision.id, "type": revision.type, "createdAt": iso(revision.created_at)}
    return {"type": "revision", "revision": made}


_HEAD = "/spaces/{space}/content"
_DRAFT = "/spaces/{space}/change-requests/{change_request}/content"


OPERATIONS = (
    reads("listSpaceLinks", "/spaces/{space}/links", list_in_space, links.present,
          needs="space.view", scope="space:read", summary="List the links of a space"),
    reads("listPageLinksInSpace", _HEAD + "/page/{page}/links", list_on_page, links.present,
          at=AtContentPage, before=prepare_on_page, needs="space.view", scope="space:read",
          summary="List the links of a page"),
    reads("listPageBacklinksInSpace", _HEAD + "/page/{page}/backlinks", list_to_page, links.present_locations,
          at=AtContentPage, needs="space.view", scope="space:read", summary="List what links to a page"),
    reads("listSpaceFileBacklinks", _HEAD + "/files/{file}/backlinks", list_to_file, links.present_locations,
          at=AtContentFile, needs="space.view", scope="space:read", summary="List what shows or links to a file"),
    reads("listPageLinksInChangeRequest", _DRAFT + "/page/{page}/links", list_on_page, links.present,
          at=AtDraftPage, before=prepare_on_page, needs="space.view", scope="space:read",
          summary="List the links of a page in a change request"),
    reads("listPageBacklinksInChangeRequest", _DRAFT + "/page/{page}/backlinks", list_to_page,
          links.present_locations,
          at=AtDraftPage, needs="space.view", scope="space:read",
          summary="List what links to a page in a change request"),
    reads("listChangeRequestFileBacklinks", _DRAFT + "/files/{file}/backlinks", list_to_file, links.present_locations,
          at=AtDraftFile, needs="space.view", scope="space:read",
          summary="List what shows or links to a file in a change request"),
)  # fmt: skip
