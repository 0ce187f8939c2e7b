"""Whether a visitor reads about an OpenAPI specification: on a page that she sees, in a part of it that is for her."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from octavo.access.caller import Caller
from octavo.access.visits import Visit
from octavo.content.naming import reached
from octavo.content.reading import as_read
from octavo.content.references import references, target_of
from octavo.content.revision import Page
from octavo.history.contents import Contents, contents_of, opened
from octavo.kernel.records.content import Revision
from octavo.kernel.records.openapi import OpenapiSpec
from octavo.resources.call import Ahead
from octavo.site.computed import recipes_of
from octavo.site.visitor import Visitor
from octavo.site.visits import contents_for, visitor_for
from octavo.store.unit import Unit

_AT_ONCE = 50
"""Pages whose texts are opened before the next ones are fetched: most often the first one tells."""


class _Look(NamedTuple):
    """Where a visitor may be shown the specification."""

    revision: Revision
    linked: set[str]
    """The pages of the space that the table of links knows to name it."""
    primary: Revision | None = None
    """What the others see instead, where she looks ahead of them."""


class _Naming(NamedTuple):
    """What may show the specification in a space, as the visitor sees it."""

    contents: Contents
    stands: bool
    """Whether an entry stands for its pages."""
    pages: Sequence[Page]
    """Those that name it, in their texts or by reusable contents; in parts that may not be for her."""
    reusables: Mapping[str, bytes]
    """What they include, as it is stored, by id."""


async def is_told(prior: Ahead, spec: OpenapiSpec) -> bool:
    """Whether she is shown the specification: by a block of a page or of what this includes, or by an entry that stands
    for pages about it."""
    for look in await prior.read(lambda unit: _looks(unit, prior.caller, spec)):
        found = await prior.read(lambda unit, at=look: _naming(unit, prior.caller, spec, at))  # type: ignore[misc]
        if found.stands or await _is_shown(prior, spec, found, visitor_for(prior.caller, look.revision.space)):
            return True
    return False


async def _looks(unit: Unit, caller: Caller, spec: OpenapiSpec) -> list[_Look]:
    """What she looks at ahead of others, then the spaces of her site, first of them those that are known to name it."""
    assert caller.visiting is not None
    linked: defaultdict[str, set[str]] = defaultdict(set)
    for link in await unit.links.to(spec.organization, [_target(spec)]):
        linked[link.space].add(link.page)
    spaces = await unit.spaces.by_ids(caller.visiting.spaces)
    primary = {one.space: one for one in await unit.revisions.by_ids(space.revision for space in spaces)}
    ahead = [one for one in await _ahead(unit, caller.visiting.visit) if one.space in primary]
    ordered = sorted(primary.values(), key=lambda one: (one.space not in linked, one.space))
    return [
        *(_Look(one, linked[one.space], primary[one.space]) for one in ahead),
        *(_Look(one, linked[one.space]) for one in ordered),
    ]


async def _ahead(unit: Unit, visit: Visit) -> list[Revision]:
    requests = await unit.change_requests.by_ids((visit.change_request,)) if visit.change_request else {}
    heads = [visit.revision, *(request.revision for request in requests.values())]
    return await unit.revisions.by_ids(head for head in heads if head is not None)


async def _naming(unit: Unit, caller: Caller, spec: OpenapiSpec, look: _Look) -> _Naming:
    contents = await contents_for(unit, caller, look.revision)
    if spec.slug in recipes_of(contents).values():
        return _Naming(contents, True, [], {})
    stored, word = await _reusables(unit, contents), f'"{spec.slug}"'.encode()
    naming = {key for key, data in stored.items() if word in data}
    including = (one for one in contents.pages.values() if naming and naming & reached((one,), contents.reusables))
    linked = look.linked | await _written_since(unit, contents, look.primary)
    pages = [contents.pages[key] for key in linked & contents.pages.keys() | {page.id for page in including}]
    included = reached(pages, contents.reusables)
    return _Naming(contents, False, pages, {key: data for key, data in stored.items() if key in included})


async def _reusables(unit: Unit, contents: Contents) -> dict[str, bytes]:
    digests = {one.id: one.document for one in contents.reusables.values() if one.document is not None}
    found = await unit.objects.get(contents.organization, set(digests.values())) if digests else {}
    return {key: found[one] for key, one in digests.items() if one in found}


async def _written_since(unit: Unit, contents: Contents, primary: Revision | None) -> set[str]:
    """Pages with texts that primary content does not have: what these name, no table of links says."""
    if primary is None:
        return set()
    known = {page.document for page in (await contents_of(unit, primary)).pages.values()}
    return {page.id for page in contents.pages.values() if page.document not in known}


async def _is_shown(prior: Ahead, spec: OpenapiSpec, found: _Naming, visitor: Visitor) -> bool:
    organization = found.contents.organization
    for start in range(0, len(found.pages), _AT_ONCE):
        pages = found.pages[start : start + _AT_ONCE]
        digests = {page.document for page in pages if page.document is not None}
        stored = await prior.read(lambda unit, wanted=digests: unit.objects.get(organization, wanted))  # type: ignore[misc]
        texts = [(page, stored[page.document]) for page in pages if page.document in stored]
        if await asyncio.to_thread(_shows, _target(spec), found, visitor, texts):
            return True
    return False


def _shows(target: str, found: _Naming, visitor: Visitor, texts: Iterable[tuple[Page, bytes]]) -> bool:
    reusables, variables = opened(found.reusables), found.contents.root.variables
    for page, data in texts:
        document = as_read(opened({"": data})[""], reusables, visitor.scope(variables, page.variables))
        if any(target_of(one.ref, "") == target for one in references(page, document)):
            return True
    return False


def _target(spec: OpenapiSpec) -> str:
    return f"openapi/{spec.slug}"
