"""What the references of a document mean to whoever works on it: links lead to the application, and what has a condition
is shown, since who writes sees everything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from octavo.content import conditions
from octavo.content.document import Node, Ref
from octavo.content.html import Download, Picture, PlainContext, Target
from octavo.content.html.text import characters
from octavo.content.icons import content_icon
from octavo.content.revision import File, Page
from octavo.history.contents import Contents, opened, raw_reusable_documents
from octavo.resources.call import Call
from octavo.resources.places import AtContentPage, AtDraftPage, AtRevisionPage, app_address
from octavo.site.apis import Shown, blocks_of, key_of, shown_by
from octavo.site.visitor import ANYBODY
from octavo.wire.view import View

AtPage: TypeAlias = AtContentPage | AtDraftPage | AtRevisionPage
_APIS = (b'"openapi-', b'"swagger"')


@dataclass(frozen=True)
class _Around:
    """What a page's references and expressions mean for who works on it."""

    organization: str
    space: str
    contents: Contents
    page: Page
    place: str
    """Where the application shows the content."""
    view: View
    download: Callable[[File], str]
    reusables: Mapping[str, bytes]
    apis: Mapping[bytes, Shown]


class _Surroundings(PlainContext):
    def __init__(self, around: _Around) -> None:
        self._around = around
        self._scope = ANYBODY.scope(around.contents.root.variables, around.page.variables)
        self._purse = conditions.Purse()

    @cached_property
    def _reusables(self) -> Mapping[str, Node]:
        # Opened when a block asks for one, which is beside the loop.
        return opened(self._around.reusables)

    def link(self, ref: Ref) -> Target | None:
        kind, anchor = ref.get("kind"), f"#{str(ref['anchor']).lower()}" if ref.get("anchor") else ""
        if kind in ("page", "anchor") and ref.get("page"):
            return self._page(str(ref["page"]), ref.get("space"), anchor)
        if kind == "file":
            found = self.file(ref)
            return None if found is None else Target(found.url, found.name, "file", "file")
        if kind == "space":
            return Target(self._around.view.space(self._around.organization, str(ref.get("space"))), kind="space")
        return super().link(ref)

    def _page(self, page: str, space: object, anchor: str) -> Target | None:
        around = self._around
        if space and space != around.space:
            elsewhere = around.view.space(around.organization, str(space))
            return Target(f"{elsewhere}/{page}{anchor}", kind="anchor" if anchor else "page")
        branch = around.contents.by_id.get(page)
        if branch is None:
            return None
        one = branch.page
        href = f"{around.place}/{branch.path or page}{anchor}"
        return Target(href, one.title, "anchor" if anchor else "page", one.icon or "", characters(one.emoji))

    def image(self, ref: Ref) -> Picture | None:
        file = self._file(ref)
        return super().image(ref) if file is None else Picture(self._around.download(file), file.width, file.height)

    def file(self, ref: Ref) -> Download | None:
        file = self._file(ref)
        if file is None:
            return super().file(ref)
        return Download(self._around.download(file), file.name, file.size, file.content_type)

    def _file(self, ref: Ref) -> File | None:
        return self._around.contents.files.get(str(ref.get("file"))) if ref.get("kind") == "file" else None

    def reusable(self, ref: Ref) -> Node | None:
        return self._reusables.get(str(ref.get("reusableContent")))

    def value(self, expression: str) -> str:
        return conditions.printed(expression, self._scope, self._purse)

    def openapi(self, block: Node) -> Shown | None:
        return self._around.apis.get(key_of(block))

    def icon(self, name: str) -> str:
        return content_icon(name)

    def tag(self, slug: str) -> str:
        labels = {str(tag.get("tag", tag.get("slug"))): tag.get("label") for tag in self._around.contents.root.tags}
        return str(labels.get(slug) or slug)


async def surroundings(
    call: Call, at: AtPage, contents: Contents, page: Page, text: bytes, apis: list[Node] | None = None
) -> PlainContext:
    """For a text or a stored document, of which `text` are the bytes; `apis` are documents that may show an API, where
    these are known to whoever asks."""
    if apis is None:
        # Only what shows an API has to be read for it ahead of rendering; all else is opened beside the loop.
        apis = [opened({"": text})[""]] if any(mark in text for mark in _APIS) else []
    named = b"reusable-content" in text or b"include" in text
    reusables = await raw_reusable_documents(call.unit, contents) if named else {}
    specs = await call.unit.openapi.newest(contents.organization) if apis else {}
    space = at.space.record
    return _Surroundings(
        _Around(
            space.organization,
            space.id,
            contents,
            page,
            _place(call, at),
            call.view,
            lambda file: call.download(space.organization, space.id, file),
            reusables,
            await shown_by(call.unit, specs, blocks_of(apis)) if apis else {},
        )
    )


def _place(call: Call, at: AtPage) -> str:
    space = at.space.record
    if isinstance(at, AtRevisionPage):
        return call.view.revision(space.organization, space.id, at.revision.record.id)
    return app_address(call, at)
