"""What a visitor finds on one site: pages, their Markdown, files, search; finished pages are kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any
from urllib.parse import unquote, urlencode

import msgspec

from octavo import __version__
from octavo.content.revision import Branch, Page
from octavo.history.contents import Contents, text_of
from octavo.kernel.records import GitSync
from octavo.publish import templating
from octavo.publish.answers import REVALIDATE, Answer, file_answer, html, plain, redirect
from octavo.publish.audience import open_to_visitor
from octavo.publish.building import (
    STATIC,
    Address,
    nav_below,
    nav_nodes,
    page_view,
    readable,
    site_view,
)
from octavo.publish.context import file_path, page_href
from octavo.publish.reading import Material, contents_at, material
from octavo.publish.searching import answer_search
from octavo.publish.views import Link, MessageView, SiteView
from octavo.site.addresses import page_path
from octavo.site.finding import nearest
from octavo.site.snapshot import Place, Snapshot
from octavo.store.blobs import Blobs
from octavo.store.unit import Store, Unit

_INTERNAL = "~octavo"
KEPT_BYTES = 96 << 20
"""Of finished pages, over all sites of this process."""


@dataclass(frozen=True)
class Visit:
    """A request for something on a site."""

    snapshot: Snapshot
    address: Address
    path: str
    """Below the site's base, percent-decoded, without a leading slash."""
    query: dict[str, list[str]]
    scope: Any


class _Pages:
    """Finished answers by what they were made of, the ones used least recently leaving first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Answer] = OrderedDict()
        self._bytes = 0

    def get(self, key: Hashable) -> Answer | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: Hashable, answer: Answer) -> None:
        if key in self._kept:
            return
        self._kept[key] = answer
        self._bytes += _weight(answer)
        while self._bytes > KEPT_BYTES:
            _, gone = self._kept.popitem(last=False)
            self._bytes -= _weight(gone)


def _weight(answer: Answer) -> int:
    return len(answer.body) + len(answer.zipped or b"") + 500


class SiteDoor:
    """Answers visits to published sites."""

    def __init__(self, store: Store, blobs: Blobs) -> None:
        self._store = store
        self._blobs = blobs
        self._pages = _Pages()

    async def answer(self, visit: Visit) -> Answer:
        """What stands at the address."""
        parts = visit.path.split("/")
        if parts[0] == _INTERNAL:
            return await self._internal(visit, parts[1:])
        if visit.path == "robots.txt":
            indexed = visit.snapshot.site.visibility == "public"
            return plain(200, f"User-agent: *\n{'Allow' if indexed else 'Disallow'}: /\n")
        return await self._page(visit)

    async def _internal(self, visit: Visit, parts: list[str]) -> Answer:
        match parts:
            case ["search"]:
                return await answer_search(self._store, visit)
            case ["files", space, file, digest, _]:
                return await self._file(visit, space, file, digest)
            case ["nav", _]:
                return await self._page(visit)
            case _:
                return await self._not_found(visit)

    async def _file(self, visit: Visit, space: str, file: str, digest: str) -> Answer:
        snapshot = visit.snapshot
        if space not in {one.space for one in snapshot.shown}:
            return await self._not_found(visit)
        contents = await self._store.read(lambda unit: contents_at(unit, snapshot, space))
        found = contents.files.get(file)
        if found is None:
            return await self._not_found(visit)
        if not digest or not found.blob.startswith(digest):
            # The bytes changed since the page was read; what is kept for ever must never be another's.
            return redirect(307, file_path(visit.address.base, space, found))
        return await file_answer(visit.scope, self._blobs, contents.organization, found.blob, found.content_type)

    async def _page(self, visit: Visit) -> Answer:
        snapshot = visit.snapshot
        place = snapshot.place(visit.path)
        if place is None:
            view = MessageView("unpublished", title="This site is empty", text="No content was added to it yet.")
            return message(visit, 404, view)
        base = visit.address.base + place.base
        contents = await self._store.read(lambda unit: contents_at(unit, snapshot, place.space.id))
        if place.rest.startswith("~octavo/nav/"):
            return self._nav(contents, base, place.rest.removeprefix("~octavo/nav/"))
        if place.rest.endswith(".md"):
            return await self._markdown(visit, place, contents)
        branch = contents.by_path.get(place.rest.lower()) if place.rest else contents.landing
        moved = self._moved(visit, place, contents, branch)
        if moved is not None:
            return moved
        if branch is None or branch.page.type != "document" or not open_to_visitor(contents, branch.page):
            return await self._not_found(visit)
        root = snapshot.revisions[place.space.id].root
        key = _digest(snapshot.version, root, branch.page.id, visit.address)
        return await self._finished(visit, place, contents, branch, key)

    def _moved(self, visit: Visit, place: Place, contents: Contents, branch: Branch | None) -> Answer | None:
        """A redirect to where the page is: another spelling, a group's first page, an old address."""
        base = visit.address.base + place.base
        if branch is None:
            target = contents.by_id.get(contents.root.redirects.get(place.rest, "")) or _of_file(contents, place.rest)
            return None if target is None else redirect(307, _with_query(visit, page_href(contents, base, target)))
        if branch.page.type != "document":
            inside = next((one for one in readable(contents) if _is_below(contents, one.page, branch.page.id)), None)
            return None if inside is None else redirect(307, _with_query(visit, page_href(contents, base, inside)))
        href = page_href(contents, base, branch)
        spelled = unquote(href)
        if spelled != visit.address.base + visit.path and open_to_visitor(contents, branch.page):
            return redirect(308, _with_query(visit, href))
        return None

    async def _finished(self, visit: Visit, place: Place, contents: Contents, branch: Branch, key: str) -> Answer:
        kept = self._pages.get(key)
        if kept is not None:
            return _copy(kept)
        given, sync = await self._store.read(lambda unit: _read_page(unit, visit.snapshot, place, contents, branch))
        view, context = page_view(given, visit.address, lambda page: _edit_url(page, sync))
        site = site_view(visit.snapshot, visit.address, place)
        nav = nav_nodes(contents, visit.address.base + place.base, branch.page.id)
        answer = html(200, templating.page(site, nav, view))
        answer.etag = f'"{key}"'.encode()
        answer.header("cache-control", REVALIDATE)
        if view.noindex:
            answer.header("x-robots-tag", "noindex")
        if context.highlighted:
            await self._keep_highlights(context.highlighted)
        self._pages.put(key, answer)
        return _copy(answer)

    async def _keep_highlights(self, highlighted: dict[bytes, list[str]]) -> None:
        values = {key: msgspec.msgpack.encode(lines) for key, lines in highlighted.items()}
        await self._store.write(lambda unit: unit.cache.put(values, unit.now))

    def _nav(self, contents: Contents, base: str, page: str) -> Answer:
        nodes = nav_below(contents, base, page)
        if nodes is None:
            return plain(404, "There is no such entry.")
        return html(200, templating.nav_children(nodes)).header("cache-control", REVALIDATE)

    async def _markdown(self, visit: Visit, place: Place, contents: Contents) -> Answer:
        branch = contents.by_path.get(place.rest.removesuffix(".md").lower())
        closed = visit.snapshot.site.agents_context == "excluded"
        if closed or branch is None or branch.page.type != "document" or not open_to_visitor(contents, branch.page):
            return await self._not_found(visit)
        text = await self._store.read(lambda unit: text_of(unit, contents.organization, branch.page.text))
        answer = Answer(200, text.encode(), [(b"content-type", b"text/markdown; charset=utf-8")])
        answer.etag = f'"{(branch.page.text or b"").hex()}"'.encode()
        return answer.header("cache-control", REVALIDATE).header("x-robots-tag", "noindex")

    async def _not_found(self, visit: Visit) -> Answer:
        snapshot = visit.snapshot
        place = snapshot.place(visit.path)
        links: tuple[Link, ...] = ()
        if place is not None:
            contents = await self._store.read(lambda unit: contents_at(unit, snapshot, place.space.id))
            base = visit.address.base + place.base
            near = nearest(place.rest, readable(contents))
            links = tuple(Link(branch.page.title, page_href(contents, base, branch)) for branch in near)
        return message(visit, 404, MessageView("not-found", nearest=links))


def message(visit: Visit | None, status: int, view: MessageView) -> Answer:
    """A page that stands in for content, in the site's look where there is a site."""
    if visit is None:
        site = SiteView(title="Octavo", base_path="/", static_path=STATIC)
    else:
        site = site_view(visit.snapshot, visit.address, visit.snapshot.place(visit.path))
    answer = html(status, templating.message(site, view)).header("cache-control", "no-store")
    return answer.header("x-robots-tag", "noindex")


async def _read_page(
    unit: Unit, snapshot: Snapshot, place: Place, contents: Contents, branch: Branch
) -> tuple[Material, GitSync | None]:
    return await material(unit, snapshot, place, contents, branch), await unit.spaces.git_sync(place.space.id)


def _edit_url(page: Page, sync: GitSync | None) -> str:
    """Where the source of a page is edited, on hosts whose addresses are known."""
    if sync is None or page.path is None or sync.provider not in ("github", "gitlab"):
        return ""
    branch = sync.ref.removeprefix("refs/heads/")
    middle = "edit" if sync.provider == "github" else "-/edit"
    path = "/".join(part for part in (sync.directory.strip("/"), page.path) if part)
    return f"{sync.url.removesuffix('.git')}/{middle}/{page_path(branch)}/{page_path(path)}"


def _of_file(contents: Contents, path: str) -> Branch | None:
    """The page whose source lies at the path: its address follows the table of contents, which may differ."""
    names = (f"{path}.md", f"{path}/README.md")
    page = next((one for one in contents.pages.values() if one.path in names and one.type == "document"), None)
    return None if page is None or not open_to_visitor(contents, page) else contents.by_id.get(page.id)


def _is_below(contents: Contents, page: Page, above: str) -> bool:
    at: str | None = page.parent
    while at is not None and at in contents.pages:
        if at == above:
            return True
        at = contents.pages[at].parent
    return False


def _with_query(visit: Visit, href: str) -> str:
    return href + ("?" + urlencode(visit.query, doseq=True) if visit.query else "")


def _copy(answer: Answer) -> Answer:
    """An answer of its own for each visit: headers are added on the way out."""
    return Answer(answer.status, answer.body, list(answer.headers), answer.etag, answer.zipped)


def _digest(*parts: object) -> str:
    hasher = blake2b(__version__.encode(), digest_size=12)
    for part in parts:
        hasher.update(part if isinstance(part, bytes) else repr(part).encode())
    return hasher.hexdigest()
