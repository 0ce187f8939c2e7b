"""What the references, conditions and names of a document mean on a published page."""

from __future__ import annotations

from urllib.parse import quote

from octavo.content import conditions
from octavo.content.document import Node, Ref
from octavo.content.highlight import highlight
from octavo.content.html import Download, Picture, PlainContext, Target
from octavo.content.html.text import characters
from octavo.content.listings import highlight_key
from octavo.content.revision import Branch, File
from octavo.history.contents import Contents
from octavo.history.evaluate import anybody
from octavo.publish.audience import open_to_visitor
from octavo.publish.icons import content_icon
from octavo.publish.reading import Material
from octavo.site.addresses import page_path


class PageContext(PlainContext):
    """The surroundings of one page; `base` is the path of the site, with a slash at the end."""

    def __init__(self, material: Material, base: str) -> None:
        self._material = material
        self._base = base
        self._here = base + material.place.base
        self._scope = anybody(material.contents.root.variables, material.branch.page.variables)
        self.highlighted: dict[bytes, list[str]] = {}
        """What had to be highlighted now; worth keeping."""

    def link(self, ref: Ref) -> Target | None:
        kind = ref.get("kind")
        # All anchors of pages are lower case, and so are they understood wherever sources lie.
        anchor = f"#{quote(str(ref['anchor']).lower(), safe='')}" if ref.get("anchor") else ""
        if kind == "anchor" and not ref.get("page"):
            return Target(anchor, kind="anchor")
        if kind in ("page", "anchor"):
            return self._page(ref, anchor)
        if kind == "file":
            found = self.file(ref)
            return None if found is None else Target(found.url, found.name, "file", "file")
        if kind == "space":
            base = self._space_base(str(ref.get("space")))
            space = self._material.snapshot.spaces.get(str(ref.get("space")))
            return (
                None
                if base is None or space is None
                else Target(base, space.title, "space", emoji=characters(space.emoji))
            )
        return super().link(ref)

    def image(self, ref: Ref) -> Picture | None:
        file = self._file(ref)
        if file is None:
            return super().image(ref)
        return Picture(file_path(self._base, self._owner(ref), file), file.width, file.height)

    def file(self, ref: Ref) -> Download | None:
        file = self._file(ref)
        if file is None:
            return super().file(ref)
        return Download(file_path(self._base, self._owner(ref), file), file.name, file.size, file.content_type)

    def reusable(self, ref: Ref) -> Node | None:
        return self._material.reusables.get(str(ref.get("reusableContent")))

    def holds(self, expression: str) -> bool:
        return conditions.compile(expression).holds(self._scope)

    def value(self, expression: str) -> str:
        return conditions.template("{{" + expression + "}}", self._scope)

    def highlight(self, syntax: str, code: str) -> list[str] | None:
        key = highlight_key(syntax, code)
        known = self._material.highlights.get(key) or self.highlighted.get(key)
        if known is None:
            known = self.highlighted[key] = highlight(syntax, code)
        return known

    def icon(self, name: str) -> str:
        return content_icon(name)

    def action(self, action: str, query: str) -> str:
        return f"{self._base}~octavo/search?q={quote(query)}" if action == "search" else ""

    def tag(self, slug: str) -> str:
        labels = {str(tag.get("tag", tag.get("slug"))): tag.get("label") for tag in self._material.contents.root.tags}
        return str(labels.get(slug) or slug)

    def _page(self, ref: Ref, anchor: str) -> Target | None:
        contents, base = self._owner_contents(ref)
        branch = None if contents is None else contents.by_id.get(str(ref.get("page")))
        if contents is None or branch is None or base is None or not open_to_visitor(contents, branch.page):
            return None
        page = branch.page
        href = page_href(contents, base, branch) + anchor
        return Target(href, page.title, "anchor" if anchor else "page", page.icon or "", characters(page.emoji))

    def _owner(self, ref: Ref) -> str:
        return str(ref.get("space") or self._material.place.space.id)

    def _owner_contents(self, ref: Ref) -> tuple[Contents | None, str | None]:
        space = self._owner(ref)
        if space == self._material.place.space.id:
            return self._material.contents, self._here
        return self._material.others.get(space), self._space_base(space)

    def _file(self, ref: Ref) -> File | None:
        contents, _ = self._owner_contents(ref)
        if ref.get("kind") != "file" or contents is None:
            return None
        return contents.files.get(str(ref.get("file")))

    def _space_base(self, space: str) -> str | None:
        snapshot = self._material.snapshot
        shown = next((one for one in snapshot.shown if one.space == space), None)
        return None if shown is None else self._base + snapshot.base_of(shown)


def page_href(contents: Contents, base: str, branch: Branch) -> str:
    """The address of a page; the first document is the space's root. `base` is the space's path."""
    landing = contents.landing
    if landing is not None and landing.page.id == branch.page.id:
        return base
    return base + page_path(branch.path)


def file_path(base: str, space: str, file: File) -> str:
    """The address of a file on a site, new whenever its bytes are."""
    return f"{base}~octavo/files/{space}/{file.id}/{file.blob[:12]}/{quote(file.name, safe='')}"
