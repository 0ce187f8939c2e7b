"""What a visitor finds on one site: pages, their Markdown, files, search; finished pages are kept."""

from __future__ import annotations

import dataclasses
from urllib.parse import unquote

import msgspec
from msgspec.structs import replace

from octavo.content.revision import Branch, Page
from octavo.history.contents import Contents
from octavo.history.translating import is_stale
from octavo.kernel.errors import NotAllowed
from octavo.kernel.records.git import GitSync
from octavo.publish import assets, favicons, social, templating, words
from octavo.publish.actions import page_actions
from octavo.publish.audience import indexed, trail
from octavo.publish.boards import BOARDS, NONE, Boards, state_of
from octavo.publish.building import FEEDBACK, PDF, nav_below, nav_nodes, page_view, readable
from octavo.publish.context import feed_href, file_path, markdown_href, page_href
from octavo.publish.drawing import Drawings
from octavo.publish.endpoints import SCRIPTS, Endpoints
from octavo.publish.feed import feed
from octavo.publish.feedback import Desk
from octavo.publish.files import file_answer
from octavo.publish.kept import FINISHED, READS, Reads, digest
from octavo.publish.look import site_chrome
from octavo.publish.machines import Machines
from octavo.publish.markdown import page_markdown, takes_markdown
from octavo.publish.marking import marked, with_before
from octavo.publish.mcp import answer_message
from octavo.publish.messages import message
from octavo.publish.navigation import alternates
from octavo.publish.pdf import Press
from octavo.publish.policies import policy
from octavo.publish.pressing import Pressing
from octavo.publish.reading import Material, contents_at, material
from octavo.publish.request import SiteRequest
from octavo.publish.searching import answer_search
from octavo.publish.views import Link, MessageView, SiteChrome
from octavo.site.addresses import page_path
from octavo.site.finding import nearest
from octavo.site.leading import Leads, Met, met_by
from octavo.site.placed import placed
from octavo.site.redirects import leads_to
from octavo.site.snapshot import Place
from octavo.store.content.blobs import Blobs
from octavo.store.unit import Store, Unit
from octavo.web.answers import REVALIDATE, Answer, plain, redirect, zipped
from octavo.web.beside import beside

_INTERNAL = "~octavo"
_FIRST = ("readme", "index")
_EDITED = {"github": "GitHub", "gitlab": "GitLab"}
"""Providers where a page can be edited at an address that is known."""
BEGINNING = 4
"""Pages that are offered where an address resembles none."""


class SiteDoor:
    """Answers visits to published sites."""

    def __init__(
        self,
        store: Store,
        blobs: Blobs,
        drawings: Drawings,
        desk: Desk,
        press: Press,
        endpoints: Endpoints,
        boards: Pressing,
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._drawings = drawings
        self._desk = desk
        self._press = press
        self._endpoints = endpoints
        self._boards = boards
        self._kept = store.kept
        self._machines = Machines(store)

    async def answer(self, request: SiteRequest) -> Answer:
        """What stands at the address."""
        parts = request.path.split("/")
        if parts[0] == _INTERNAL:
            return await self._internal(request, parts[1:])
        if request.path == "favicon.ico":
            return await favicons.answer_favicon(self._drawings, await self._site(request, None))
        return await self._machines.answer(request) or await self._page(request)

    async def _internal(self, request: SiteRequest, parts: list[str]) -> Answer:
        match parts:
            case ["mcp"]:
                return await self._message(request)
            case ["search"]:
                return await answer_search(self._store, request)
            case [word, name] if word == SCRIPTS:
                return await self._endpoints.script(request, name)
            case ["files", space, file, digest, _]:
                return await self._file(request, space, file, digest)
            case ["nav" | "social" | "feedback" | "boards", _] | ["pdf", _, *_]:
                return await self._page(request)
            case [name] if name.startswith("icon."):
                site = await self._site(request, None)
                return await favicons.answer_icon(self._drawings, site, name) or await self._not_found(request)
            case _:
                return await self._not_found(request)

    async def _message(self, request: SiteRequest) -> Answer:
        """The endpoint for assistants, where the site wants them."""
        site = await self._site(request, None)
        if request.snapshot.site.agents_context == "excluded" or "mcp" not in site.actions:
            return await self._not_found(request)
        if request.body is None:
            raise NotAllowed("messages of the Model Context Protocol are posted here", ["POST"])
        return await answer_message(self._store, request, request.body)

    async def _file(self, request: SiteRequest, space: str, file: str, digest: str) -> Answer:
        snapshot = request.snapshot
        if space not in {one.space for one in snapshot.shown}:
            return await self._not_found(request)
        contents = await self._store.read(lambda unit: contents_at(unit, snapshot, space))
        found = contents.files.get(file)
        if found is None:
            return await self._not_found(request)
        if not digest or not found.blob.startswith(digest):
            # The bytes changed since the page was read; what is kept for ever must never be another's.
            return redirect(307, file_path(request.address.base, space, found))
        return await file_answer(request.scope, self._blobs, contents.organization, found.blob, found.content_type)

    async def _page(self, request: SiteRequest) -> Answer:
        snapshot = request.snapshot
        place = await self._store.read(lambda unit: placed(unit, snapshot, request.path))
        if place is None:
            elsewhere = await self._redirected(request)
            if elsewhere is not None:
                return elsewhere
            site = await self._site(request, None)
            said = words.of(site.locale).text
            return message(site, 404, MessageView("unpublished", title=said["empty_title"], text=said["empty_text"]))
        if place.rest.startswith((FEEDBACK, BOARDS, PDF)):
            return await self._served(request, place)
        base = request.address.base + place.base
        contents = await self._store.read(lambda unit: contents_at(unit, snapshot, place.space.id, place.site_space))
        if place.rest.startswith("~octavo/nav/"):
            site = await self._site(request, place)
            return self._nav(contents, base, place.rest.removeprefix("~octavo/nav/"), site)
        if place.rest.startswith(social.PATH):
            site = await self._site(request, place)
            drawn = await social.answer_social(self._drawings, site, contents, base, place.rest)
            return drawn or await self._not_found(request)
        branch = contents.by_path.get(place.rest.lower()) if place.rest else contents.landing
        if not place.rest and branch is None and (first := readable(contents)):
            # The space's first page is not for this visitor; others have it at this address.
            return redirect(307, request.with_query(page_href(contents, base, first[0])))
        elsewhere = await self._beside(request, place, contents) if branch is None else None
        elsewhere = elsewhere or await self._moved(request, place, contents, branch)
        if elsewhere is not None:
            return elsewhere
        if branch is None or branch.page.type != "document":
            return await self._redirected(request) or await self._not_found(request)
        return await self._document(request, place, contents, branch)

    async def _document(self, request: SiteRequest, place: Place, contents: Contents, branch: Branch) -> Answer:
        """A page as whoever asks takes it."""
        snapshot = request.snapshot
        if snapshot.site.agents_context == "excluded":
            return await self._finished(request, place, contents, branch)
        if takes_markdown(request.accept):
            answer = await self._markdown(request, place, contents, branch)
            answer.header("content-location", markdown_href(request.address.base + place.base, branch))
            if not indexed(snapshot, branch.page):
                answer.header("x-robots-tag", "noindex")
        else:
            answer = await self._finished(request, place, contents, branch)
        return answer.header("vary", "accept")

    async def _served(self, request: SiteRequest, place: Place) -> Answer:
        """What is no page: an opinion about one, a drawn block that is asked again, a PDF."""
        site = await self._site(request, place)
        if place.rest.startswith(BOARDS):
            return await self._boards.answer(request, site, place) or plain(404, "It is gone.")
        desk = self._desk if place.rest.startswith(FEEDBACK) else self._press
        return await desk.answer(request, site, place) or await self._not_found(request)

    async def _beside(self, request: SiteRequest, place: Place, contents: Contents) -> Answer | None:
        """What else there is of a page: `<path>.md` is its Markdown, `<path>/rss.xml` the feed of its updates."""
        base, path = request.address.base + place.base, place.rest
        is_feed = f"/{path.lower()}".endswith("/rss.xml")
        if not is_feed and (not path.lower().endswith(".md") or request.snapshot.site.agents_context == "excluded"):
            return None
        branch = await self._meant(contents, path[: -len("rss.xml")].rstrip("/") if is_feed else path[: -len(".md")])
        if branch is None:
            return None
        href = feed_href(contents, base, branch) if is_feed else markdown_href(base, branch)
        asked = request.address.base + request.path
        if unquote(href) != asked:
            return redirect(308 if unquote(href).lower() == asked.rstrip("/").lower() else 307, href)
        if is_feed:
            return await self._feed(request, place, contents, branch)
        return (await self._markdown(request, place, contents, branch)).header("x-robots-tag", "noindex")

    async def _meant(self, contents: Contents, path: str) -> Branch | None:
        """The page that a path leads to, now or formerly; `README` and `index` are the first one where nothing else is."""
        branch = contents.by_path.get(path.lower()) if path else contents.landing
        branch = branch or await self._store.read(lambda unit: leads_to(unit, contents, path))
        if branch is None and path.lower() in _FIRST:
            branch = contents.landing
        if branch is not None and branch.page.type != "document":
            branch = _first_below(contents, branch)
        return branch

    async def _moved(
        self, request: SiteRequest, place: Place, contents: Contents, branch: Branch | None
    ) -> Answer | None:
        """A redirect to where the page is: another spelling, a group's first page, an old address."""
        base = request.address.base + place.base
        if branch is None:
            target = await self._store.read(lambda unit: leads_to(unit, contents, place.rest))
            if target is None:
                return None
            return redirect(307, request.with_query(page_href(contents, base, target)))
        if branch.page.type != "document":
            inside = _first_below(contents, branch)
            return None if inside is None else redirect(307, request.with_query(page_href(contents, base, inside)))
        href = page_href(contents, base, branch)
        spelled = unquote(href)
        if spelled != request.address.base + request.path:
            # A site-space also has addresses that change with what is the default.
            own = _plain(request.path) == _plain(unquote(place.base) + place.rest)
            return redirect(308 if own else 307, request.with_query(href))
        return None

    async def _redirected(self, request: SiteRequest) -> Answer | None:
        """What the site's own redirects say of an address at which no page answers."""
        snapshot, base = request.snapshot, request.address.base

        async def found(unit: Unit) -> tuple[Met, str] | None:
            met = await met_by(unit, snapshot.site.id, request.path)
            target = None if met is None else await Leads(unit, snapshot, base, visiting=True).target(met)
            return None if met is None or target is None else (met, target)

        leads = await self._store.read(found)
        if leads is None:
            return None
        met, target = leads
        # What was asked may hold what another host is not to know.
        elsewhere = met.redirect.destination["kind"] == "external"
        return redirect(308 if met.redirect.permanent else 307, target if elsewhere else request.with_query(target))

    async def _finished(self, request: SiteRequest, place: Place, contents: Contents, branch: Branch) -> Answer:
        stale = await self._is_stale(request, place, branch)
        whole = _key(request, place, contents, branch, "stale html" if stale else "html")
        space = place.space.id
        known = self._kept.get(READS, whole)
        boards = await self._boards.painter.drawn(request.snapshot, space, known.blocks if known is not None else ())
        kept = await self._finished_for(request, whole, boards)
        if kept is not None:
            return kept.copy()
        given = await material(self._store, request.blobs, request.snapshot, place, contents, branch)
        if request.snapshot.draft is not None:
            given = await self._store.read(lambda unit: with_before(unit, given))
        if given.asked:
            boards = await self._boards.painter.drawn(request.snapshot, space, given.asked)
            given = dataclasses.replace(given, boards=self._boards.shown(request, boards))
        sync = request.snapshot.syncs.get(space)
        site = await self._site(request, place, branch)
        answer, highlighted = await beside(_finish, given, site, sync, request.address.base + place.base, stale)
        if highlighted:
            await self._keep_highlights(highlighted)
        reads = Reads(given.reads | site.reads, site.spaces.union(given.others) - {space}, given.asked)
        return (await self._keep(request, whole, reads, answer, boards)).copy()

    async def _is_stale(self, request: SiteRequest, place: Place, branch: Branch) -> bool:
        """Whether the page translates what its source does not say any more."""
        since = request.snapshot.behind.get(place.space.id)
        return since is not None and await self._store.read(lambda unit: is_stale(unit, since, branch.page.id))

    async def _finished_for(self, request: SiteRequest, whole: str, boards: Boards = NONE) -> Answer | None:
        """What is kept under a key for everybody of whom the same is known, as far as it reads of visitors."""
        reads = self._kept.get(READS, whole)
        return None if reads is None else self._kept.get(FINISHED, await self._own(request, whole, reads, boards))

    async def _own(self, request: SiteRequest, whole: str, reads: Reads, boards: Boards) -> str:
        """The same key for a visitor: with what the page reads of them, what other spaces say of their pages, and what blocks
        of integrations show."""
        snapshot, spaces = request.snapshot, sorted(reads.spaces & request.snapshot.revisions.keys())

        async def shapes(unit: Unit) -> list[bytes]:
            return [(await contents_at(unit, snapshot, space)).shape for space in spaces]

        others = await self._store.read(shapes) if spaces else []
        others += [state_of(boards)] if boards else []
        return digest(whole, snapshot.visitor.known(reads.names), *others)

    async def _keep(
        self, request: SiteRequest, whole: str, reads: Reads, answer: Answer, boards: Boards = NONE
    ) -> Answer:
        self._kept.put(READS, whole, reads)
        key = await self._own(request, whole, reads, boards)
        answer.etag = f'"{key}"'.encode()
        return self._kept.put(FINISHED, key, answer.pack())

    async def _keep_highlights(self, highlighted: dict[bytes, list[str]]) -> None:
        values = {key: msgspec.msgpack.encode(lines) for key, lines in highlighted.items()}
        await self._store.write(lambda unit: unit.cache.put(values, unit.now))

    def _nav(self, contents: Contents, base: str, page: str, site: SiteChrome) -> Answer:
        nodes = nav_below(contents, base, page, site)
        if nodes is None:
            return plain(404, "There is no such entry.")
        return zipped(200, "text/html", templating.nav_children(site, nodes)).header("cache-control", REVALIDATE)

    async def _markdown(self, request: SiteRequest, place: Place, contents: Contents, branch: Branch) -> Answer:
        whole = _key(request, place, contents, branch, "markdown")
        kept = await self._finished_for(request, whole)
        if kept is None:
            given = await material(
                self._store, request.blobs, request.snapshot, place, contents, branch, coloured=False
            )
            public = request.address.public
            kept = await beside(lambda: zipped(200, "text/markdown", page_markdown(given, public)))
            kept.header("cache-control", REVALIDATE)
            kept.header("link", f'<{page_href(contents, public + place.base, branch)}>; rel="canonical"')
            reads = Reads(given.reads, frozenset(given.others) - {place.space.id})
            kept = await self._keep(request, whole, reads, kept)
        return kept.copy()

    async def _feed(self, request: SiteRequest, place: Place, contents: Contents, branch: Branch) -> Answer | None:
        whole = _key(request, place, contents, branch, "feed")
        kept = await self._finished_for(request, whole)
        if kept is None:
            given = await material(
                self._store, request.blobs, request.snapshot, place, contents, branch, coloured=False
            )
            site = await self._site(request, place)
            text = await beside(feed, given, site)
            if text is None:
                return None
            made = zipped(200, "application/rss+xml", text).header("cache-control", REVALIDATE)
            reads = Reads(given.reads | site.reads, site.spaces.union(given.others) - {place.space.id})
            kept = await self._keep(request, whole, reads, made)
        return kept.copy()

    async def _not_found(self, request: SiteRequest) -> Answer:
        snapshot = request.snapshot
        place = snapshot.place(request.path)
        links: tuple[Link, ...] = ()
        if place is not None:
            contents = await self._store.read(
                lambda unit: contents_at(unit, snapshot, place.space.id, place.site_space)
            )
            base = request.address.base + place.base
            known = readable(contents)
            # An address like no other leads to where everybody begins.
            near = nearest(place.rest, known) or known[:BEGINNING]
            links = tuple(Link(branch.page.title, page_href(contents, base, branch)) for branch in near)
        return message(await self._site(request, place), 404, MessageView("not-found", nearest=links))

    async def _site(self, request: SiteRequest, place: Place | None, branch: Branch | None = None) -> SiteChrome:
        return await site_chrome(self._store, request.snapshot, request.address, place, branch)


def _finish(
    given: Material, site: SiteChrome, sync: GitSync | None, base: str, stale: bool
) -> tuple[Answer, dict[bytes, list[str]]]:
    """The page, in whichever thread, and what had to be highlighted for it."""
    contents, branch = given.contents, given.branch
    document = marked(given, words.of(site.locale))
    view, context = page_view(given, site, document, lambda page: _edit_url(page, sync))
    picture = social.social_image(site, given.place.base, contents, branch.page)
    edit_on = _EDITED.get((sync and sync.provider) or "", "")
    view = replace(view, social_image=picture, edit_on=edit_on, alternates=alternates(site), stale=stale)
    view = replace(view, actions=page_actions(site, view))
    nav = nav_nodes(contents, base, branch.page.id, site)
    answer = zipped(200, "text/html", templating.page(site, nav, view)).header("cache-control", REVALIDATE)
    answer.header("speculation-rules", f'"{site.base_path}{_INTERNAL}/{_ahead(site)}"')
    if view.noindex:
        answer.header("x-robots-tag", "noindex")
    called = sorted(one.removeprefix("call:") for one in view.needs if one.startswith("call:"))
    if called or site.scripts:
        answer.header("content-security-policy", policy(tuple(called), site.policies))
    return answer, context.highlighted


def _ahead(site: SiteChrome) -> str:
    """The rules by which browsers make pages before a click; they lie below the site, as they speak of what is below it.
    Scripts of others may count or change something as soon as they run: pages with such are fetched ahead, not made."""
    return assets.path("prefetch.json" if site.scripts else "prerender.json")


def _edit_url(page: Page, sync: GitSync | None) -> str:
    """Where the source of a page is edited, on hosts whose addresses are known."""
    if sync is None or page.path is None or sync.provider not in _EDITED:
        return ""
    branch = sync.ref.removeprefix("refs/heads/")
    middle = "edit" if sync.provider == "github" else "-/edit"
    path = "/".join(part for part in (sync.directory.strip("/"), page.path) if part)
    return f"{sync.url.removesuffix('.git')}/{middle}/{page_path(branch)}/{page_path(path)}"


def _plain(path: str) -> str:
    """A path without what spellings of it differ in."""
    return "/".join(segment for segment in path.lower().split("/") if segment)


def _first_below(contents: Contents, group: Branch) -> Branch | None:
    """The first page in a group that a visitor sees."""
    return next((one for one in readable(contents) if group.page.id in trail(contents, one.page.parent)), None)


def _key(request: SiteRequest, place: Place, contents: Contents, branch: Branch, form: str = "html") -> str:
    """Under which a finished page is kept for everybody who sees the same of the site's structure, on which hangs what else
    the page reads of visitors: all of its own space that it was made of. The text of another page is no part of it; in a
    change request it is, as every page tells of what changed."""
    snapshot, page = request.snapshot, branch.page
    others = contents.shape if snapshot.draft is None else snapshot.heads
    own = (page.id, page.text, page.document, page.created, page.updated)
    return digest(form, snapshot.version, snapshot.view, place.site_space.id, others, own, request.address)
