"""Settings that lie beside the pages: `.gitbook.yaml`, variables, tags, and the front matter of a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from octavo.content.document import Ref
from octavo.content.layout.paths import join
from octavo.content.layout.report import Report
from octavo.content.markdown.emoji import emoji_of
from octavo.content.markdown.inlines import COLOURS
from octavo.content.yaml import LONGEST_FILE, YamlFault, load

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_VISIBLE = (
    *("cover", "title", "description", "tableOfContents", "outline"),
    *("pagination", "metadata", "tags", "actions", "anchors"),
)


@dataclass(frozen=True)
class Config:
    """Where things are. `root` is a folder ("" = the top), the others are paths of the directory, if named."""

    root: str = ""
    readme: str | None = None
    summary: str | None = None
    redirects: dict[str, str] = field(default_factory=dict)
    """Old path on the site, without slashes at its ends -> address of a file as written."""


def load_yaml(file: str, text: str, report: Report) -> Any:
    """The value of a YAML file; None and a warning when it cannot be read."""
    try:
        return load(text.removeprefix("\ufeff"), LONGEST_FILE)
    except YamlFault as fault:
        report.warn(file, None, str(fault))
        return None


def config(file: str, held: Any, report: Report) -> Config:
    """The meaning of `.gitbook.yaml`; what makes no sense in it is reported and left at its default."""
    value = _mapping(file, held, report)
    root = _path(file, "root", "", value.get("root"), report) or ""
    structure = _mapping(file, value.get("structure"), report)
    named = {key: _path(file, f"structure.{key}", root, structure.get(key), report) for key in ("readme", "summary")}
    redirects = {
        str(old).strip("/"): str(new)
        for old, new in _mapping(file, value.get("redirects"), report).items()
        if isinstance(new, str)
    }
    return Config(root, named["readme"], named["summary"], redirects)


def variables(file: str, value: Any, report: Report) -> dict[str, Any]:
    """Names with their strings, numbers and booleans; names start with a letter and hold letters, digits and `_`."""
    kept: dict[str, Any] = {}
    for name, held in _mapping(file, value, report).items():
        if _NAME.fullmatch(str(name)) and isinstance(held, str | int | float | bool):
            kept[str(name)] = held
        else:
            report.warn(file, None, f"has a variable {str(name)!r} with an unusable name or value")
    return kept


def tags(file: str, value: Any, report: Report) -> list[dict[str, Any]]:
    """The tags of a space: {tag, label?, icon?, emoji?, color?} each, the first of equal ones."""
    kept: dict[str, dict[str, Any]] = {}
    for held in value if isinstance(value, list) else []:
        entry = {"tag": held} if isinstance(held, str) else held
        if isinstance(entry, dict) and isinstance(entry.get("tag"), str) and entry["tag"] not in kept:
            kept[entry["tag"]] = _tag(file, entry, report)
        else:
            report.warn(file, None, "has a tag without a name, or one twice")
    return list(kept.values())


def _tag(file: str, entry: dict[str, Any], report: Report) -> dict[str, Any]:
    """The tag with its emoji as characters, without a colour that there is not."""
    emoji, colour = entry.get("emoji"), entry.get("color")
    made = entry | ({"emoji": _emoji(str(emoji))} if emoji else {})
    if colour is not None and colour not in COLOURS:
        report.warn(file, None, f"gives the tag {entry['tag']!r} a colour that there is not: {colour!r}")
        made = {name: value for name, value in made.items() if name != "color"}
    return made


def front_fields(file: str, front: Mapping[str, Any], resolve: Callable[[str], Ref], report: Report) -> dict[str, Any]:
    """The fields of a revision's page that the front matter sets; wrong types are reported and left out."""
    reader = _Front(file, front, report)
    made = {
        "description": reader.text("description"),
        "icon": reader.text("icon"),
        "emoji": _emoji(reader.text("emoji")),
        "link_title": reader.text("linkTitle"),
        "condition": reader.condition("if"),
        "hidden": reader.flag("hidden"),
        "no_index": reader.flag("noIndex"),
        "no_robots_index": reader.flag("noRobotsIndex"),
        "layout": _layout(reader.mapping("layout")),
        "cover": _cover(reader, resolve),
        "tags": _page_tags(reader),
        "variables": variables(file, front.get("vars"), report),
        "meta_links": _meta_links(reader, resolve),
    }
    return {name: value for name, value in made.items() if value}


@dataclass(frozen=True)
class _Front:
    file: str
    front: Mapping[str, Any]
    report: Report

    def text(self, name: str) -> str | None:
        value = self.front.get(name)
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, int | float):
            return str(value)
        self._wrong(name)
        return None

    def condition(self, name: str) -> str | None:
        """An expression; one that nobody satisfies where something else stands there."""
        value = self.front.get(name)
        if isinstance(value, bool):
            return str(value).lower()
        return "false" if self.text(name) is None and value is not None else self.text(name)

    def flag(self, name: str) -> bool:
        value = self.front.get(name, False)
        if isinstance(value, str) and value.lower() in ("true", "yes", "false", "no"):
            return value.lower() in ("true", "yes")
        if value is None or isinstance(value, bool):
            return bool(value)
        self._wrong(name)
        return False

    def number(self, name: str) -> float | None:
        value = self.front.get(name)
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            return value
        self._wrong(name)
        return None

    def mapping(self, name: str) -> dict[str, Any] | None:
        value = self.front.get(name)
        if value is None or isinstance(value, dict):
            return value
        self._wrong(name)
        return None

    def _wrong(self, name: str) -> None:
        self.report.warn(self.file, None, f"has an unusable `{name}` in its front matter")


def _layout(layout: dict[str, Any] | None) -> dict[str, Any] | None:
    """{title: {visible: false}, cover: {size: hero}, width: wide} -> {title: false, coverSize: hero, width: wide}."""
    if layout is None:
        return None
    made: dict[str, Any] = {}
    for name in _VISIBLE:
        part = layout.get(name)
        visible = part.get("visible") if isinstance(part, dict) else part
        if visible is False:
            made[name] = False
    cover = layout.get("cover")
    if isinstance(cover, dict):
        made |= {f"cover{key.title()}": cover[key] for key in ("size", "mask") if isinstance(cover.get(key), str)}
    if isinstance(layout.get("width"), str) and layout["width"] != "default":
        made["width"] = layout["width"]
    return made


def _cover(reader: _Front, resolve: Callable[[str], Ref]) -> dict[str, Any] | None:
    value = reader.front.get("cover")
    light, dark = (value.get("light"), value.get("dark")) if isinstance(value, dict) else (value, None)
    if not isinstance(light, str) or not light:
        return None
    made: dict[str, Any] = {"ref": resolve(light)}
    if isinstance(dark, str) and dark:
        made["refDark"] = resolve(dark)
    for name, key in (("coverY", "yPos"), ("coverHeight", "height")):
        if (number := reader.number(name)) is not None:
            made[key] = number
    return made


def _meta_links(reader: _Front, resolve: Callable[[str], Ref]) -> dict[str, Any] | None:
    """`metaLinks` {canonical, alternates}: addresses become content references, references stay what they are."""
    given = reader.mapping("metaLinks")
    if given is None:
        return None

    def ref(value: Any) -> Any:
        return resolve(value) if isinstance(value, str) else value

    alternates = given.get("alternates")
    made = given | ({"canonical": ref(given["canonical"])} if "canonical" in given else {})
    return made | ({"alternates": [ref(one) for one in alternates]} if isinstance(alternates, list) else {})


def _page_tags(reader: _Front) -> list[dict[str, Any]]:
    value = reader.front.get("tags")
    kept: dict[str, dict[str, Any]] = {}
    for held in value if isinstance(value, list) else []:
        name = held.get("tag") if isinstance(held, dict) else held
        if isinstance(name, str) and name:
            primary = isinstance(held, dict) and held.get("primary") is True
            kept.setdefault(name, {"tag": name} | ({"primary": True} if primary else {}))
    return list(kept.values())


def _emoji(word: str | None) -> str | None:
    """The characters of an emoji, whatever form it was written in; what is none stays as it is."""
    return None if word is None else emoji_of(word) or word


def _mapping(file: str, value: Any, report: Report) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    if value is not None:
        report.warn(file, None, "holds something else where names with values belong")
    return {}


def _path(file: str, name: str, folder: str, value: Any, report: Report) -> str | None:
    if value is None:
        return None
    path = join(folder, value) if isinstance(value, str) else None
    if path is None:
        report.warn(file, None, f"has a `{name}` that is no path inside the directory")
    return path
