"""Entries that stand for pages made of something else: an API description becomes a page, with pages below it.

The pages are made when they are read, of the newest version, so that they follow it. Their ids stay as long as what they
are about does.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import msgspec

from octavo.content.document import assign_keys, block, document, inline, leaf, mark, text
from octavo.content.openapi.index import INDEX, SCHEMES, Index, Operation, Tag
from octavo.content.openapi.telling import outlined
from octavo.content.revision import Page
from octavo.content.slugs import slugify
from octavo.history.contents import Contents
from octavo.kernel.records import Json
from octavo.kernel.records.openapi import NewestSpec
from octavo.store.kept import Kind
from octavo.store.unit import Unit

OPENAPI = "builtin:openapi"
OTHER = "Other operations"
"""The title of what has no tag."""
MODELS = "Models"
MODELS_TOGETHER = 40
"""Schemas that one page shows; of more, each has a page of its own."""
MODELS_MAX = 1_000
"""Schemas that have pages."""

_RECIPES: Kind[dict[str, str]] = Kind("entries that stand for pages", lambda recipes: 100 + 200 * len(recipes))
"""By page, the slug of the specification that it stands for: to look for them costs as much as there are pages."""
_EXPANDED: Kind[Contents] = Kind("contents with computed pages", lambda contents: contents.weight)
_INDEX: msgspec.json.Decoder[Index] = msgspec.json.Decoder(Index)


async def expanded(unit: Unit, contents: Contents, follows: set[str] | None = None) -> Contents:
    """The contents with pages in the place of entries that stand for some, as far as their sources are read; the tags of
    all sources are added to `follows`."""
    recipes = recipes_of(contents)
    if not recipes:
        return contents
    if follows is not None:
        follows.update(cache_tag(contents.organization, slug) for slug in recipes.values())
    specs = await unit.openapi.newest(contents.organization)
    known: dict[str, NewestSpec] = {key: specs[slug] for key, slug in recipes.items() if slug in specs}
    if not known:
        return contents
    versions = tuple(sorted((key, spec.last_version) for key, spec in known.items()))
    kept = contents.derived.get(_EXPANDED, versions)
    if kept is not None:
        return kept
    pages = dict(contents.pages)
    for key, spec in known.items():
        parts = await unit.openapi.parts(spec.id, [INDEX])
        if INDEX in parts:
            made = pages_of(contents.pages[key], _ref(spec.slug), _INDEX.decode(parts[INDEX]))
            pages |= {page.id: page for page in made}
    apart = contents.derived.apart(" ".join(f"{key} {version}" for key, version in versions))
    whole = replace(contents, pages=pages, derived=apart, weight=contents.weight + 600 * len(pages))
    return contents.derived.put(_EXPANDED, whole, versions)


def cache_tag(organization: str, slug: str) -> str:
    """Under which renderers keep what follows a specification."""
    return f"organization:{organization}:openapi:{slug}"


def recipes_of(contents: Contents) -> dict[str, str]:
    """The entries that stand for pages, each with the slug of its specification."""
    recipes = contents.derived.get(_RECIPES)
    if recipes is None:
        found = {page.id: slug for page in contents.pages.values() if (slug := named(page)) is not None}
        recipes = contents.derived.put(_RECIPES, found)
    return recipes


def named(page: Page) -> str | None:
    """The slug of the specification that an entry stands for."""
    if page.type != "computed" or page.computed is None or page.computed.get("type") != OPENAPI:
        return None
    spec = (page.computed.get("dependencies") or {}).get("spec")
    ref = spec.get("ref") if isinstance(spec, dict) else None
    slug = ref.get("spec") if isinstance(ref, dict) else None
    return slug if isinstance(slug, str) else None


def is_made(page: Page) -> bool:
    """Whether the text of a page is made when it is read."""
    return page.type == "document" and page.computed is not None and page.computed.get("type") == OPENAPI


async def made_document(unit: Unit, organization: str, page: Page) -> Json:
    """The document of a page that is made."""
    recipe = page.computed or {}
    slug = recipe["dependencies"]["spec"]["ref"]["spec"]
    spec = await unit.openapi.by_slug(organization, slug)
    found = {} if spec is None else await unit.openapi.parts(spec.id, [INDEX])
    if spec is None or INDEX not in found:
        return assign_keys(document([]))
    index = _INDEX.decode(found[INDEX])
    props = recipe.get("props") or {}
    schemes = await unit.openapi.parts(spec.id, schemes_of(index)) if props.get("doc") == "info" else {}
    return document_of(index, _ref(slug), props, schemes, entry=page.parent or "")


def _ref(slug: str) -> Json:
    return {"kind": "openapi", "spec": slug}


def pages_of(entry: Page, ref: Json, index: Index) -> Iterator[Page]:
    """The pages that an entry stands for; `ref` names the description in their blocks."""
    return _Maker(entry, ref).pages(index)


def schemes_of(index: Index) -> list[str]:
    """The parts that the first page needs beside the index."""
    return [SCHEMES + name.replace("~", "~0").replace("/", "~1") for name in index.schemes]


def document_of(index: Index, ref: Json, props: Mapping[str, Any], schemes: Mapping[str, bytes], *, entry: str) -> Json:
    """The document of a page that is made; `schemes` are the parts of `schemes_of`, for the first one, and `entry` is the
    id of the page above it."""
    return assign_keys(document(_nodes(index, ref, props, schemes, entry)))


def _nodes(index: Index, ref: Json, props: Mapping[str, Any], schemes: Mapping[str, bytes], entry: str) -> list[Json]:
    doc, named_page = props.get("doc"), str(props.get("page", ""))
    if doc == "info":
        return _read(outlined(index, schemes))
    if doc == "models":
        return _models(index, ref, named_page, entry)
    if doc == "operation":
        method = str(props.get("method"))
        wanted = [one for one in index.operations if one.path == named_page and _method(one) == method]
        return [_operation(one, ref, headless=True) for one in wanted[:1]]
    tag = next((one for one in index.tags if one.name == named_page), None)
    told = _read(tag.description) if tag is not None else []
    inside = [one for one in index.operations if _group(one) == named_page]
    if doc == "tag":
        return [*told, block("list-unordered", {}, [_listed(one, entry) for one in inside])]
    return [*told, *(_operation(one, ref) for one in inside)]


def _models(index: Index, ref: Json, name: str, entry: str) -> list[Json]:
    """One schema, or all of them, or where each of them is."""
    if name or len(index.schemas) <= MODELS_TOGETHER:
        shown = [name] if name else index.schemas
        return [block("openapi-schemas", {"ref": ref, "schemas": shown}, void=True)]
    items = [
        block("list-item", {}, [block("paragraph", {}, [_leading(entry, f"model {one}", one)])])
        for one in index.schemas[:MODELS_MAX]
    ]
    listed = [block("list-unordered", {}, items)]
    if len(index.schemas) <= MODELS_MAX:
        return listed
    said = f"These are the first {MODELS_MAX:,} of {len(index.schemas):,} schemas."
    return [*listed, block("paragraph", {}, [text(said)])]


def _leading(entry: str, seed: str, title: str) -> Json:
    """A link to a page that is made."""
    return inline("link", {"ref": {"kind": "page", "page": _id(entry, seed)}}, [text(title)])


def _listed(one: Operation, entry: str) -> Json:
    """An operation in the list on the page of its tag."""
    called = text([leaf(f"{_method(one).upper()} {one.path}", [mark("code")])])
    link = _leading(entry, one.part, one.title)
    return block("list-item", {}, [block("paragraph", {}, [link, text(" "), called])])


def _id(entry: str, seed: str) -> str:
    """The id of a page that is made, the same for as long as what it is about stays."""
    digest = blake2b(f"{entry}\n{seed}".encode(), digest_size=16).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _read(words: str) -> list[Json]:
    if not words:
        return []
    from octavo.content.markdown import parse

    nodes: list[Json] = parse(words).document.get("nodes", [])
    return nodes


def _operation(one: Operation, ref: Json, *, headless: bool = False) -> Json:
    shown = {"headless": True} if headless else {}
    if one.webhook:
        return block("openapi-webhook", {"ref": ref, "name": one.path, "method": one.method, **shown}, void=True)
    return block("openapi-operation", {"ref": ref, "path": one.path, "method": one.method, **shown}, void=True)


def _method(one: Operation) -> str:
    return "hook" if one.webhook else one.method


def _group(one: Operation) -> str:
    """The tag under which an operation stands; empty for none."""
    return one.tags[0] if one.tags else ""


class _Maker:
    """The pages that one entry stands for."""

    def __init__(self, entry: Page, ref: Json) -> None:
        self._entry = entry
        self._ref = ref
        recipe = entry.computed or {}
        props = recipe.get("props")
        self._props: Json = props if isinstance(props, dict) else {}
        self._slugs: dict[str, set[str]] = {}

    def pages(self, index: Index) -> Iterator[Page]:
        """The entry itself as a page about the API, then those below it."""
        # An entry that nobody named is called by its slug.
        title = index.title if self._entry.title == self._ref.get("spec") else self._entry.title
        yield msgspec.structs.replace(
            self._entry, type="document", title=title, computed=self._recipe({"doc": "info", "page": "info"})
        )
        for number, tag in enumerate([*index.tags, Tag(name="", title=OTHER)]):
            inside = [one for one in index.operations if _group(one) == tag.name]
            if inside:
                yield from self._of_tag(number, tag, inside)
        if self._props.get("models") is True and index.schemas:
            yield from self._of_models(index)

    def _of_models(self, index: Index) -> Iterator[Page]:
        made = self._page("models", MODELS, len(index.tags) + 1, self._entry.id, {"doc": "models"})
        yield made
        apart = len(index.schemas) > MODELS_TOGETHER
        for place, name in enumerate(index.schemas[:MODELS_MAX] if apart else ()):
            yield self._page(f"model {name}", name, place, made.id, {"doc": "models", "page": name})

    def _of_tag(self, number: int, tag: Tag, inside: list[Operation]) -> Iterator[Page]:
        each = self._props.get("grouping") == "by-operation"
        props = {"doc": "tag" if each else "operations", "page": tag.name}
        more = {"icon": tag.icon or None, "emoji": tag.emoji or None}
        made = self._page(f"tag {tag.name}", tag.title, number, self._entry.id, props, **more)
        yield made
        for place, one in enumerate(inside if each else ()):
            told: Json = {"doc": "operation", "page": one.path, "method": _method(one)}
            if one.deprecated:
                told["deprecated"] = True
            yield self._page(one.part, one.title, place, made.id, told)

    def _page(self, seed: str, title: str, number: int, parent: str, props: Json, **more: Any) -> Page:
        taken = self._slugs.setdefault(parent, set())
        slug = base_slug = slugify(title)[:80] or "page"
        count = 1
        while slug in taken:
            count += 1
            slug = f"{base_slug}-{count}"
        taken.add(slug)
        return Page(
            id=_id(self._entry.id, seed),
            type="document",
            title=title,
            slug=slug,
            position=f"{number:06d}",
            parent=parent,
            hidden=self._entry.hidden,
            computed=self._recipe(props) | {"seed": seed},
            layout={"width": "wide"},
            created=self._entry.created,
            updated=self._entry.updated,
            **more,
        )

    def _recipe(self, props: Json) -> Json:
        return {"type": OPENAPI, "props": props, "dependencies": {"spec": {"ref": self._ref}}}
