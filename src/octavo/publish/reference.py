"""The reference of the API at /docs: its description as pages in the look of published ones, made in the process that serves
them and kept there."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote

import msgspec
from msgspec.structs import replace

from octavo.content.openapi.cutting import cut
from octavo.content.openapi.index import Index
from octavo.content.revision import Branch, Page, Root
from octavo.content.snippets import Marker
from octavo.content.words import words as words_of
from octavo.history.contents import Contents
from octavo.kernel import limits
from octavo.kernel.errors import NotFound
from octavo.kernel.records.library import Space
from octavo.kernel.records.people import Organization
from octavo.kernel.records.sites import Site, SiteSpace
from octavo.publish import templating
from octavo.publish.actions import page_actions
from octavo.publish.building import STATIC, nav_below, nav_nodes, page_view, readable
from octavo.publish.context import markdown_href, page_href
from octavo.publish.kept import digest
from octavo.publish.markdown import page_markdown, takes_markdown
from octavo.publish.messages import message
from octavo.publish.policies import policy
from octavo.publish.reading import Material
from octavo.publish.views import HeaderLink, Link, MessageView, SearchHit, SearchView, SiteChrome
from octavo.site.apis import blocks_of, shown_in
from octavo.site.computed import OPENAPI, document_of, pages_of, schemes_of
from octavo.site.finding import nearest
from octavo.site.snapshot import Place, Snapshot
from octavo.store.kept import Kept, Kind
from octavo.web.answers import REVALIDATE, Answer, redirect, zipped
from octavo.web.asgi import Receive, Scope, Send
from octavo.web.beside import beside
from octavo.web.door import answered, only
from octavo.web.fields import Fields

BASE = "/docs/"
_INTERNAL = "~octavo/"
_SPACE = "api"
_ENTRY = "reference"
_REF = {"kind": "openapi", "spec": _SPACE}
_RESULTS, _SUGGESTED = 30, 8
_INDEX: msgspec.json.Decoder[Index] = msgspec.json.Decoder(Index)
_PAGES: Kind[Answer] = Kind("pages of the reference", lambda answer: len(answer.body) + len(answer.zipped or b""))
_log = logging.getLogger("octavo.publish")


class Reference:
    """The ASGI application of /docs; `describe` gives the description of the API, `base` is where it answers."""

    def __init__(self, base: str, describe: Callable[[], bytes], kept: Kept) -> None:
        self._base = base
        self._describe = describe
        self._kept = kept
        self._book: _Book | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def work(query: Fields) -> Answer:
            only(scope, "GET")
            if self._book is None:
                self._book = await beside(_Book.of, self._base, self._describe())
            return await self._answer(self._book, scope, query)

        answer = await answered(scope, _log, work, _refuse)
        await answer.send(scope, send, templating.SECURITY)

    async def _answer(self, book: _Book, scope: Scope, query: Fields) -> Answer:
        path: str = scope["path"]
        if path == BASE.rstrip("/"):
            return redirect(308, BASE)
        path = path.removeprefix(BASE)
        if path == f"{_INTERNAL}search":
            return await beside(_search, book, query, scope)
        if path.startswith(f"{_INTERNAL}nav/"):
            return _nav(book, path.removeprefix(f"{_INTERNAL}nav/"))
        if path == "llms.txt":
            return await self._once(path, book.listed)
        wants = takes_markdown(dict(scope["headers"]).get(b"accept", b"").decode("latin-1"))
        is_text = path.endswith(".md")
        branch = book.found(path.removesuffix(".md") if is_text else path)
        if branch is None:
            near = nearest(path, book.documents) or book.documents[:4]
            links = tuple(Link(one.page.title, page_href(book.contents, BASE, one)) for one in near)
            return message(book.site, 404, MessageView("not-found", nearest=links))
        href = markdown_href(BASE, branch) if is_text else page_href(book.contents, BASE, branch)
        if unquote(href) != scope["path"]:
            return redirect(308, href)
        if is_text or wants:
            answer = await self._once(f"{branch.page.id}.md", lambda: book.markdown(branch))
        else:
            answer = await self._once(branch.page.id, lambda: book.html(branch))
        return answer.header("vary", "accept")

    async def _once(self, name: str, make: Callable[[], Awaitable[Answer]]) -> Answer:
        key = digest(self._base, name)
        kept = self._kept.get(_PAGES, key)
        if kept is None:
            made = (await make()).header("cache-control", REVALIDATE)
            made.etag = f'"{key}"'.encode()
            kept = self._kept.put(_PAGES, key, made.pack())
        return kept.copy()


class _Entry(msgspec.Struct, frozen=True):
    """An operation as it is searched."""

    branch: Branch
    above: str
    called: str
    """Method and path; empty for other pages."""
    words: frozenset[str]
    more: frozenset[str]
    """Words that are worth less: those of descriptions."""


@dataclass(frozen=True)
class _Book:
    """Everything that pages are made of."""

    base: str
    parts: Mapping[str, bytes]
    index: Index
    contents: Contents
    site: SiteChrome

    @classmethod
    def of(cls, base: str, description: bytes) -> _Book:
        """The book of a description that answers at `base`."""
        whole = cut(msgspec.json.decode(description), limits.OPENAPI_OPERATIONS_MAX)
        recipe = {"type": OPENAPI, "props": {"grouping": "by-operation", "models": True}}
        entry = Page(
            id=_ENTRY, type="computed", title=whole.index.title, slug="", position="a", computed=recipe,
            layout={"width": "wide"},
        )  # fmt: skip
        pages = {page.id: page for page in pages_of(entry, _REF, whole.index)}
        # The entry is the first page; what is made of its tags stands beside it, not below.
        pages = {key: msgspec.structs.replace(page, parent=None if page.parent == _ENTRY else page.parent,
                                              position=f"b{page.position}" if key != _ENTRY else "a")
                 for key, page in pages.items()}  # fmt: skip
        site = SiteChrome(
            title=whole.index.title,
            base_path=BASE,
            static_path=STATIC,
            public_url=base + BASE,
            search_url=f"{BASE}{_INTERNAL}search",
            header_links=(HeaderLink("openapi.json", "/openapi.json"), HeaderLink("Tokens", "/account/tokens")),
            actions=("markdown",),
        )
        return cls(base, whole.parts, whole.index, Contents(_SPACE, Root(), pages, {}, {}), site)

    @cached_property
    def documents(self) -> list[Branch]:
        """All pages, in reading order."""
        return readable(self.contents)

    @cached_property
    def snapshot(self) -> Snapshot:
        """The reference as a site of one space."""
        site = Site(id=_SPACE, organization=_SPACE, title=self.site.title, created_at=0, published=True)
        space = Space(
            id=_SPACE, organization=_SPACE, title=self.site.title, emoji="", position="a", created_at=0, updated_at=0,
            revision="",
        )  # fmt: skip
        organization = Organization(id=_SPACE, title=self.site.title, created_at=0)
        return Snapshot(site, organization, [], [], [], [self._shown], {_SPACE: space}, {})

    @property
    def _shown(self) -> SiteSpace:
        return SiteSpace(
            id=_SPACE, organization=_SPACE, site=_SPACE, space=_SPACE, title=self.site.title, path="", position="a",
            default=True,
        )  # fmt: skip

    def found(self, path: str) -> Branch | None:
        """The page at a path; an empty one leads to the first."""
        branch = self.contents.by_path.get(path.lower()) if path else self.contents.landing
        return branch if branch is None or branch.page.type == "document" else None

    async def html(self, branch: Branch) -> Answer:
        """A page for people."""
        return await beside(self._finish, await self._material(branch))

    async def markdown(self, branch: Branch) -> Answer:
        """The same for programs."""
        material = await self._material(branch)
        answer = zipped(200, "text/markdown", await beside(page_markdown, material, self.site.public_url))
        href = page_href(self.contents, self.site.public_url, branch)
        return answer.header("link", f'<{href}>; rel="canonical"')

    async def listed(self) -> Answer:
        """`llms.txt`: every page by its Markdown."""
        lines = [f"* [{one.page.title}]({markdown_href(self.site.public_url, one)})" for one in self.documents]
        return zipped(200, "text/markdown", f"# {self.site.title}\n\n" + "\n".join(lines) + "\n")

    async def _material(self, branch: Branch) -> Material:
        recipe = branch.page.computed or {}
        schemes = {name: self.parts[name] for name in schemes_of(self.index) if name in self.parts}
        props = recipe.get("props") or {}
        document = await beside(lambda: document_of(self.index, _REF, props, schemes, entry=_ENTRY))
        apis = await shown_in(self.parts, "of this installation", blocks_of([document]))
        place = Place(self._shown, None, self.snapshot.spaces[_SPACE], "", "")
        return Material(self.snapshot, place, self.contents, branch, document, apis=apis)

    def _finish(self, material: Material) -> Answer:
        branch = material.branch
        view, _ = page_view(material, self.site, material.document, lambda page: "")
        view = replace(view, actions=page_actions(self.site, view), feed_url="")
        nav = nav_nodes(self.contents, BASE, branch.page.id, self.site)
        answer = zipped(200, "text/html", templating.page(self.site, nav, view))
        if called := sorted(one.removeprefix("call:") for one in view.needs if one.startswith("call:")):
            answer.header("content-security-policy", policy(tuple(called), ()))
        return answer

    @cached_property
    def entries(self) -> list[_Entry]:
        """What is searched."""
        known = {one.part: one for one in self.index.operations}
        made = []
        for branch in self.documents:
            one = known.get(str((branch.page.computed or {}).get("seed", "")))
            above = self.contents.by_id[branch.page.parent].page.title if branch.page.parent else ""
            called = "" if one is None else f"{one.method.upper()} {one.path}"
            said = f"{branch.page.title} {called} {one.id if one is not None else ''}"
            made.append(_Entry(branch, above, called, frozenset(words_of(said)), frozenset(words_of(above))))
        return made


def _search(book: _Book, query: Fields, scope: Scope) -> Answer:
    """`?q=`: pages all of whose words are there, titles ahead of what is around them; JSON for the dialog."""
    asked = query.get("q", [""])[0][: limits.SEARCH_QUERY_MAX]
    wanted = [*dict.fromkeys(words_of(asked))]
    scored = [(score, one) for one in book.entries if (score := _score(one, wanted))]
    scored.sort(key=lambda pair: -pair[0])
    typing = "application/json" in dict(scope["headers"]).get(b"accept", b"").decode("latin-1")
    marker = Marker([f"{word}*" for word in wanted])
    hits = tuple(_hit(book, one, marker) for _, one in scored[: _SUGGESTED if typing else _RESULTS])
    if typing:
        body = msgspec.json.encode({"items": hits, "count": len(scored), "nearest": ()})
        answer = Answer(200, body, [(b"content-type", b"application/json")])
    else:
        nav = nav_nodes(book.contents, BASE, None, book.site)
        answer = zipped(200, "text/html", templating.search(book.site, nav, SearchView(asked, hits)))
    return answer.header("cache-control", "no-store").header("vary", "accept")


def _score(one: _Entry, wanted: list[str]) -> float:
    """More for words that are whole, and for titles of which nothing else is left."""
    score = 0.0
    for word in wanted:
        if word in one.words:
            score += 2
        elif any(known.startswith(word) for known in one.words):
            score += 1
        elif any(known.startswith(word) for known in one.more):
            score += 0.5
        else:
            return 0.0
    return score + 1 / (1 + len(one.words)) if score else 0.0


def _hit(book: _Book, one: _Entry, marker: Marker) -> SearchHit:
    title = one.branch.page.title
    pieces = tuple(marker.snippet(one.called, len(one.called)).pieces) if one.called else ()
    above = (one.above,) if one.above else ()
    href = page_href(book.contents, BASE, one.branch)
    return SearchHit(title, href, above, (), pieces, tuple(marker.snippet(title, len(title)).pieces))


def _nav(book: _Book, page: str) -> Answer:
    nodes = nav_below(book.contents, BASE, page, book.site)
    if nodes is None:
        raise NotFound("there is no such entry")
    return zipped(200, "text/html", templating.nav_children(book.site, nodes)).header("cache-control", REVALIDATE)


def _refuse(status: int, sentence: str, reference: str | None) -> Answer:
    return message(None, status, MessageView("error", text=sentence, reference=reference or ""))
