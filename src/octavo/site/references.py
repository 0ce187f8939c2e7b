"""What the settings of a site may point to: content of spaces that whoever sets them sees, and fonts of the organization."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from octavo.access import locate
from octavo.access.caller import Caller
from octavo.history.contents import Contents, contents_of
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.records import Json
from octavo.kernel.records.sites import Site
from octavo.store.unit import Unit

KINDS = {"page": "page", "anchor": "anchor", "file": "file", "space": "space", "url": "url"}
"""Kind of a reference that leads somewhere on a site -> the field that it must have."""
_IDS = ("page", "file", "space")


def found_in(stored: Any, at: str = "") -> Iterator[tuple[str, Json]]:
    """Every content reference in a customization, with its place."""
    if isinstance(stored, dict):
        if isinstance(stored.get("kind"), str):
            yield at, stored
            return
        for name, value in stored.items():
            yield from found_in(value, f"{at}.{name}" if at else name)
            if name in ("to", "primaryLink") and isinstance(value, dict) and not isinstance(value.get("kind"), str):
                raise BadRequest(f"{at}{'.' if at else ''}{name}.kind: expected {_or_words(KINDS)}")
    elif isinstance(stored, list | tuple):
        for number, value in enumerate(stored):
            yield from found_in(value, f"{at}[{number}]")


async def require_references(unit: Unit, caller: Caller, site: Site, stored: Json) -> None:
    """Let a site point there. Raises BadRequest for what is no reference that leads somewhere on a site, NotFound for
    content that is not there or that the caller does not see."""
    references = list(found_in(stored))
    for place, ref in references:
        _require_shape(place, ref)
    home = await _home(unit, site)
    contents = await _contents(unit, caller, site, home, (ref for _, ref in references if ref["kind"] != "url"))
    for place, ref in references:
        if ref["kind"] != "url":
            _require_content(place, ref, contents.get(str(ref.get("space") or home)))


async def require_fonts(unit: Unit, organization: str, ids: Iterable[tuple[str, str]]) -> None:
    """Let a site be set in these fonts: pairs of place and id. Raises NotFound for one that the organization has not."""
    wanted = list(ids)
    known = {font.id for font in await unit.fonts.by_ids(id_ for _, id_ in wanted) if font.organization == organization}
    for _, id_ in wanted:
        if id_ not in known:
            raise absent("font", id_)


def _require_shape(place: str, ref: Json) -> None:
    kind = ref["kind"]
    if kind not in KINDS:
        raise BadRequest(f"{place}.kind: {kind[:100]!r} leads nowhere on a site; expected {_or_words(KINDS)}")
    for name in dict.fromkeys((KINDS[kind], *(one for one in _IDS if one in ref))):
        value = ref.get(name)
        if not isinstance(value, str) or not value or len(value) > limits.URL_MAX:
            raise BadRequest(f"{place}.{name}: expected a text that is not empty")


def _require_content(place: str, ref: Json, contents: Contents | None) -> None:
    if contents is None:
        raise BadRequest(f"{place}.space: this is required where the site shows no space")
    if ref["kind"] in ("page", "anchor") and ref.get("page") is not None and ref["page"] not in contents.pages:
        raise absent("page", str(ref["page"]))
    if ref["kind"] == "anchor" and ref.get("page") is None:
        raise BadRequest(f"{place}.page: this is required, as an anchor alone is on whichever page is open")
    if ref["kind"] == "file" and ref["file"] not in contents.files:
        raise absent("file", str(ref["file"]))


async def _home(unit: Unit, site: Site) -> str | None:
    """The space that is meant where a reference names none: the one that the site begins with."""
    shown = await unit.sites.site_spaces(site.id)
    sections = {one.id: one for one in await unit.sites.sections(site.id)}
    begins = [one for one in shown if one.section is None or sections[one.section].default]
    default = next((one for one in begins if one.default), None) or next(iter(shown), None)
    return None if default is None else default.space


async def _contents(
    unit: Unit, caller: Caller, site: Site, home: str | None, references: Iterable[Json]
) -> dict[str, Contents]:
    spaces = {str(ref.get("space") or home or "") for ref in references} - {""}
    if len(spaces) > limits.LOOK_SPACES_MAX:
        raise BadRequest(f"the links lead into {len(spaces)} spaces, {limits.LOOK_SPACES_MAX} are allowed")
    made = {}
    for word in sorted(spaces):
        if word == home:
            space = await unit.spaces.get(word)
            assert space is not None  # a site-space hangs on its space
        else:
            space = (await locate.space(unit, caller, word)).record
        if space.organization != site.organization:
            raise BadRequest(f"space: {word!r} belongs to another organization")
        revision = await unit.revisions.get(space.revision)
        assert revision is not None  # a head is written in the unit that makes the revision
        made[word] = await contents_of(unit, revision)
    return made


def _or_words(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}"
