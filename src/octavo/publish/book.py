"""A book that is made in the process: pages with a table of contents and a search, in the look of published ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from functools import cached_property
from urllib.parse import unquote

import msgspec
from msgspec.structs import replace

from octavo.content.revision import Branch
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
from octavo.site.finding import nearest
from octavo.site.snapshot import Place, Snapshot
from octavo.store.kept import Kept, Kind
from octavo.web.answers import REVALIDATE, Answer, redirect, zipped
from octavo.web.asgi import Scope
from octavo.web.beside import beside
from octavo.web.fields import Fields

INTERNAL = "~octavo/"
_RESULTS, _SUGGESTED = 30, 8
_PAGES: Kind[Answer] = Kind("pages of the documentation", lambda answer: len(answer.body) + len(answer.zipped or b""))


class Entry(msgspec.Struct, frozen=True):
    """A page as it is searched."""

    branch: Branch
    above: str
    called: str
    """Method and path of an operation; empty for other pages."""
    words: frozenset[str]
    more: frozenset[str]
    """Words that are worth less: those of descriptions."""


class Book:
    """Everything that its pages are made of; `path` is where it is read, `base` the installation's address."""

    def __init__(self, base: str, path: str, name: str, title: str, contents: Contents, links: tuple[HeaderLink, ...]):
        """`name` stands for its only space."""
        self.path = path
        self.name = name
        self.contents = contents
        self.site = SiteChrome(
            title=title,
            base_path=path,
            static_path=STATIC,
            public_url=base + path,
            search_url=f"{path}{INTERNAL}search",
            header_links=links,
            actions=("markdown",),
        )

    @abstractmethod
    async def material(self, branch: Branch) -> Material:
        """All that a page is made of."""

    @abstractmethod
    def entry(self, branch: Branch, above: str) -> Entry:
        """A page as it is searched; `above` is the title of what it stands below."""

    def found(self, path: str) -> Branch | None:
        """The page at a path; an empty one leads to the first."""
        branch = self.contents.by_path.get(path.lower()) if path else self.contents.landing
        return branch if branch is None or branch.page.type == "document" else None

    @cached_property
    def documents(self) -> list[Branch]:
        """All pages, in reading order."""
        return readable(self.contents)

    @cached_property
    def entries(self) -> list[Entry]:
        """What is searched."""
        by_id = self.contents.by_id
        return [self.entry(one, by_id[one.page.parent].page.title if one.page.parent else "") for one in self.documents]

    @cached_property
    def snapshot(self) -> Snapshot:
        """The book as a site of one space."""
        name, title = self.name, self.site.title
        site = Site(id=name, organization=name, title=title, created_at=0, published=True)
        space = Space(
            id=name, organization=name, title=title, emoji="", position="a", created_at=0, updated_at=0, revision=""
        )
        organization = Organization(id=name, title=title, created_at=0)
        return Snapshot(site, organization, [], [], [], [self._shown], {name: space}, {})

    @cached_property
    def place(self) -> Place:
        """Where all pages stand."""
        return Place(self._shown, None, self.snapshot.spaces[self.name], "", "")

    @cached_property
    def _shown(self) -> SiteSpace:
        name = self.name
        return SiteSpace(
            id=name,
            organization=name,
            site=name,
            space=name,
            title=self.site.title,
            path="",
            position="a",
            default=True,
        )

    async def answer(self, scope: Scope, query: Fields, kept: Kept) -> Answer:
        """What a request below `path` is answered."""
        path = scope["path"].removeprefix(self.path)
        if path == f"{INTERNAL}search":
            return await beside(_search, self, query, scope)
        if path.startswith(f"{INTERNAL}nav/"):
            return _nav(self, path.removeprefix(f"{INTERNAL}nav/"))
        if path == "llms.txt":
            return await self._once(kept, path, self._listed)
        wants = takes_markdown(dict(scope["headers"]).get(b"accept", b"").decode("latin-1"))
        is_text = path.endswith(".md")
        branch = self.found(path.removesuffix(".md") if is_text else path)
        if branch is None:
            near = nearest(path, self.documents) or self.documents[:4]
            links = tuple(Link(one.page.title, page_href(self.contents, self.path, one)) for one in near)
            return message(self.site, 404, MessageView("not-found", nearest=links))
        href = markdown_href(self.path, branch) if is_text else page_href(self.contents, self.path, branch)
        if unquote(href) != scope["path"]:
            return redirect(308, href)
        if is_text or wants:
            answer = await self._once(kept, f"{branch.page.id}.md", lambda: self._markdown(branch))
        else:
            answer = await self._once(kept, branch.page.id, lambda: self._html(branch))
        return answer.header("vary", "accept")

    async def _once(self, store: Kept, name: str, make: Callable[[], Awaitable[Answer]]) -> Answer:
        key = digest(self.site.public_url, name)
        kept = store.get(_PAGES, key)
        if kept is None:
            made = (await make()).header("cache-control", REVALIDATE)
            made.etag = f'"{key}"'.encode()
            kept = store.put(_PAGES, key, made.pack())
        return kept.copy()

    async def _html(self, branch: Branch) -> Answer:
        return await beside(self._finish, await self.material(branch))

    async def _markdown(self, branch: Branch) -> Answer:
        material = await self.material(branch)
        answer = zipped(200, "text/markdown", await beside(page_markdown, material, self.site.public_url))
        href = page_href(self.contents, self.site.public_url, branch)
        return answer.header("link", f'<{href}>; rel="canonical"')

    async def _listed(self) -> Answer:
        lines = [f"* [{one.page.title}]({markdown_href(self.site.public_url, one)})" for one in self.documents]
        return zipped(200, "text/markdown", f"# {self.site.title}\n\n" + "\n".join(lines) + "\n")

    def _finish(self, material: Material) -> Answer:
        branch = material.branch
        view, _ = page_view(material, self.site, material.document, lambda page: "")
        view = replace(view, actions=page_actions(self.site, view), feed_url="")
        nav = nav_nodes(self.contents, self.path, branch.page.id, self.site)
        answer = zipped(200, "text/html", templating.page(self.site, nav, view))
        if called := sorted(one.removeprefix("call:") for one in view.needs if one.startswith("call:")):
            answer.header("content-security-policy", policy(tuple(called), ()))
        return answer


def _search(book: Book, query: Fields, scope: Scope) -> Answer:
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
        nav = nav_nodes(book.contents, book.path, None, book.site)
        answer = zipped(200, "text/html", templating.search(book.site, nav, SearchView(asked, hits)))
    return answer.header("cache-control", "no-store").header("vary", "accept")


def _score(one: Entry, wanted: list[str]) -> float:
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


def _hit(book: Book, one: Entry, marker: Marker) -> SearchHit:
    title = one.branch.page.title
    pieces = tuple(marker.snippet(one.called, len(one.called)).pieces) if one.called else ()
    above = (one.above,) if one.above else ()
    href = page_href(book.contents, book.path, one.branch)
    return SearchHit(title, href, above, (), pieces, tuple(marker.snippet(title, len(title)).pieces))


def _nav(book: Book, page: str) -> Answer:
    nodes = nav_below(book.contents, book.path, page, book.site)
    if nodes is None:
        raise NotFound("there is no such entry")
    return zipped(200, "text/html", templating.nav_children(book.site, nodes)).header("cache-control", REVALIDATE)
