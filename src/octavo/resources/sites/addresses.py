"""Addresses: what content one of the application names, and what may be embedded of a page elsewhere."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from octavo.access import locate
from octavo.content.html.embeds import frame
from octavo.content.html.escape import host
from octavo.history.contents import contents_of
from octavo.kernel.errors import BadRequest, NotFound, absent
from octavo.kernel.operation import ANYBODY, Nothing, reads
from octavo.resources.call import Call
from octavo.resources.embedded import show_change_requests
from octavo.resources.places import AtSpace
from octavo.site.shown import show_spaces
from octavo.wire.content.pages import PageView, Shelf
from octavo.wire.library.collections import CollectionView
from octavo.wire.sites import addresses
from octavo.wire.sites.addresses import Embeddable, SpaceContentView, UrlQuery

_WITH_ADDRESS = ("document", "group")
"""Types of pages that an address can name."""


async def get_content(call: Call, at: Nothing, query: UrlQuery) -> SpaceContentView | CollectionView:
    """What an address of the application names, as far as the caller may see it."""
    base = call.view.app + "/"
    if not query.url.startswith(base):
        raise NotFound(f"url: {query.url!r} is no address of this installation, which answers at {call.view.app}")
    words = [unquote(word) for word in urlsplit(query.url[len(base) :]).path.split("/") if word]
    match words[1:] if words[:1] == ["app"] else words:
        case ["o", organization, "c", word]:
            collection = await locate.collection(call.unit, call.caller, word)
            if collection.record.organization == organization:
                return CollectionView(collection.record, collection.permissions)
        case ["o", organization, "s", word, *rest]:
            space = await locate.space(call.unit, call.caller, word)
            if space.record.organization == organization:
                return await _in_space(call, space, rest)
    raise NotFound(f"url: no collection, space or page is at {query.url!r}")


async def _in_space(call: Call, space: locate.SeenSpace, rest: list[str]) -> SpaceContentView:
    """The rest of the address: `~/changes/<number>`, `~/revisions/<id>`, a page's id, in that order."""
    record = space.record
    shown = (await show_spaces(call.unit, call.view, (record,), {record.id: space.role}))[0]
    request, revision, app = None, record.revision, call.view.space(record.organization, record.id)
    match rest:
        case ["~", "changes", word, *rest]:
            found = (await locate.change_request(call.unit, call.caller, word, record)).record
            request = (await show_change_requests(call, [found], {record.id: record}))[0]
            revision, app = found.revision, call.view.change_request(record.organization, record.id, found.number)
        case ["~", "revisions", word, *rest]:
            revision = (await locate.revision(call.unit, word, record)).record.id
    if not rest:
        return SpaceContentView(shown, request)
    head = await call.unit.revisions.get(revision)
    assert head is not None  # it was located, or is the head of what was
    contents = await contents_of(call.unit, head)
    branch = contents.by_id.get(rest[0])
    if len(rest) > 1 or branch is None or branch.page.type not in _WITH_ADDRESS:
        raise absent("page", "/".join(rest))
    return SpaceContentView(shown, request, (PageView(branch), Shelf(app, contents.hrefs)))


async def get_embed(call: Call, at: Nothing, query: UrlQuery) -> Embeddable:
    """A link, or the frame of a known provider; nobody is asked about the address."""
    return _embeddable(query.url)


async def get_embed_in_space(call: Call, at: AtSpace, query: UrlQuery) -> Embeddable:
    """A link, or the frame of a known provider, for a page of the space; nobody is asked about the address."""
    return _embeddable(query.url)


def _embeddable(url: str) -> Embeddable:
    site = host(url)
    if not site or not url.lower().startswith(("http://", "https://")):
        raise BadRequest(f"url: {url!r} is no address that begins with http:// or https:// and names a host")
    framed = frame(url)
    title = url.partition("://")[2].rstrip("/")
    return Embeddable(title, site, "" if framed is None else framed.url)


OPERATIONS = (
    reads("getContentByUrl", "/urls/content", get_content, addresses.present_content,
          needs=ANYBODY, also="who may see what the address names", scope="space:read", installed="space:metadata:read",
          summary="Get the space, collection or page that an address names"),
    reads("getEmbedByUrl", "/urls/embed", get_embed, addresses.present_embed,
          needs=ANYBODY, scope="space:read", summary="Get what may be embedded of an address"),
    reads("getEmbedByUrlInSpace", "/spaces/{space}/embed", get_embed_in_space, addresses.present_embed,
          needs="space.view", visitors=True, scope="space:read", summary="Get what may be embedded of an address in a space"),
)  # fmt: skip
