"""Printing with a base: blocks that did not change keep the text they were written with, and so does what is between.

Base blocks and new ones are paired by content; what is left over between two pairs is paired by place, so that the
gaps, and with them comments, stay where they are, and a container whose tag is the same is edited from within.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from octavo.content.document import Node, walk
from octavo.content.markdown.parsed import Parsed
from octavo.content.markdown.printer_blocks import SEPARATOR, BlockPrinter, merges
from octavo.content.markdown.printer_carry import carried

_CONTAINERS: Final = frozenset(
    ("hint", "if", "tabs", "tabs-item", "stepper", "stepper-step", "columns", "column", "updates", "update")
)
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")


@dataclass(slots=True)
class _Unit:
    """Base blocks that came out of one piece of text, and where that is."""

    nodes: list[Node]
    start: int
    end: int


@dataclass(slots=True)
class _Placed:
    """New blocks, the base unit in whose place they stand, whether they are that unit unchanged, and whether it came
    here from elsewhere on the page."""

    nodes: list[Node]
    unit: int | None = None
    kept: bool = False
    moved: bool = False


def content(value: Any) -> Any:
    """A node without what its place gives it: keys, and anchors other than a heading's."""
    if isinstance(value, dict):
        return {name: content(part) for name, part in value.items() if name not in ("key", "meta")}
    if isinstance(value, list):
        return [content(part) for part in value]
    return value


def _digest(value: Any) -> str:
    return json.dumps(content(value), sort_keys=True, default=str)


class Keeper:
    """Puts new blocks together out of the base's text and fresh text."""

    def __init__(self, base: Parsed, printer: BlockPrinter, *, carry: bool) -> None:
        """With `carry` what changed within a block is carried over into its text, which may then read otherwise."""
        self._carry = carry
        self._source = base.source
        self._spans = base.spans
        self._printer = printer
        # Another one, as the footnotes that it meets are those of the base.
        self._before = BlockPrinter(printer.address, base.document["nodes"], base.source)

    def body(self, nodes: list[Node], base: list[Node]) -> tuple[str, str, str] | None:
        """(text before the first block, blocks, text behind the last one); None where the base's places are unknown."""
        units = self._units(base, 0, len(self._source))
        if units is None:
            return None
        if not units:
            made = self._printer.blocks(nodes)
            before = self._source.rstrip()
            return (before + "\n\n" if before else "", made, "\n") if made else (self._source, "", "")
        made, first, last = self._merge(nodes, units)
        prefix, suffix = self._source[: units[0].start], self._source[units[-1].end :]
        if made and not first and prefix.strip("\ufeff") and not re.search(r"\n[ \t\r]*\n[ \t\r]*\Z", prefix):
            prefix = prefix.rstrip() + "\n\n"
        if made and not last and suffix.strip() and not re.match(r"[ \t\r]*\n[ \t\r]*\n", suffix):
            suffix = "\n\n" + suffix.lstrip()
        return prefix, made, suffix

    def _units(self, nodes: Sequence[Node], start: int, end: int) -> list[_Unit] | None:
        units: list[_Unit] = []
        for node in nodes:
            span = self._spans.get(node["key"])
            if span is None or span[0] < start or span[1] > end or span[1] <= span[0]:
                return None
            if units and (units[-1].start, units[-1].end) == span:
                units[-1].nodes.append(node)
                continue
            if units and span[0] < units[-1].end:
                return None
            units.append(_Unit([node], *span))
        return units

    def _merge(self, nodes: list[Node], units: list[_Unit]) -> tuple[str, bool, bool]:
        """(the text from the first block to the last, whether it starts and whether it ends as the base does)."""
        made = ""
        previous: _Placed | None = None
        reached = 0
        placed = _place(nodes, units)
        for one in placed:
            text = self._text(one, units)
            if not text:
                continue
            gaps: list[str] = []
            if one.unit is not None and not one.moved:
                gaps = [self._gap(units, at) for at in range(reached, one.unit)]
                reached = one.unit
            if previous is None:
                made = "".join(f"{gap.strip()}\n\n" for gap in gaps if gap.strip()) + text
            elif _stay_together(previous, one, edited=self._carry):
                made += gaps[0] + text
            else:
                made += _between(gaps, previous.nodes[-1], one.nodes[0]) + text
            previous = one
        rest = [self._gap(units, at).strip() for at in range(reached, len(units) - 1)]
        made = "\n\n".join(part for part in (made, *rest) if part)
        first = bool(placed) and placed[0].kept and placed[0].unit == 0
        return made, first, bool(placed) and placed[-1].kept and placed[-1].unit == len(units) - 1

    def _gap(self, units: list[_Unit], at: int) -> str:
        return self._source[units[at].end : units[at + 1].start]

    def _text(self, placed: _Placed, units: list[_Unit]) -> str:
        if placed.unit is not None:
            unit = units[placed.unit]
            raw = self._source[unit.start : unit.end]
            if placed.kept and not self._misnames(placed.nodes, raw):
                return raw
            if len(placed.nodes) == len(unit.nodes) == 1:
                inner = self._inside(placed.nodes[0], unit)
                if inner is not None:
                    return inner
            made = self._printer.blocks(placed.nodes)
            if self._carry and made and not placed.kept:
                made = carried(raw, self._before.blocks(unit.nodes), made) or made
            return made
        return self._printer.blocks(placed.nodes)

    def _misnames(self, nodes: list[Node], raw: str) -> bool:
        """Whether headings would lose their anchors because others with the same text came or went."""
        headings = [one for node in nodes for one in walk(node) if one.get("type", "").startswith("heading-")]
        return any(self._printer.anchor(one) and f'"{one["data"]["id"]}"' not in raw for one in headings)

    def _inside(self, node: Node, unit: _Unit) -> str | None:
        """A container edited from within; None where its own line changed or cannot stay."""
        shell, inner = _opened(node)
        old_shell, old = _opened(unit.nodes[0])
        units = self._units(old, unit.start, unit.end) if old else None
        if not units or not inner or shell is None or shell != old_shell:
            return None
        prefix = self._source[unit.start : units[0].start]
        suffix = self._source[units[-1].end : unit.end]
        if not prefix.rstrip(" \t").endswith("\n") or not suffix.lstrip(" \t\r").startswith("\n"):
            return None
        return prefix + self._merge(inner, units)[0] + suffix


def _opened(node: Node) -> tuple[str | None, list[Node]]:
    """(what makes the line that a container starts with, the blocks in it)."""
    if node["type"] in _CONTAINERS:
        return _digest([node["type"], node["data"]]), node.get("nodes", [])
    if node["type"] == "expandable":
        parts = {part["fragment"]: part["nodes"] for part in node.get("fragments", ())}
        return _digest([node["data"], parts.get("expandable-title")]), parts.get("expandable-body", [])
    return None, []


def _stay_together(left: _Placed, right: _Placed, *, edited: bool) -> bool:
    """Whether what stands between two blocks may stay: both are what they were, or may have been `edited`."""
    if not (edited or (left.kept and right.kept)) or left.moved or right.moved:
        return False
    return left.unit is not None and right.unit == left.unit + 1


def _between(gaps: list[str], left: Node, right: Node) -> str:
    """What stands between two blocks that were not neighbours, or are not what they were: a blank line at least."""
    kept = [gap for gap in gaps if gap.strip()]
    if not kept:
        if merges(left, right):
            return f"\n\n{SEPARATOR}\n\n"
        return gaps[0] if len(gaps) == 1 and _BLANK_LINE.search(gaps[0]) else "\n\n"
    first, last = kept[0], kept[-1]
    before = first[: len(first) - len(first.lstrip())]
    behind = last[len(last.rstrip()) :]
    return (
        (before if _BLANK_LINE.search(before) else "\n\n")
        + "\n\n".join(gap.strip() for gap in kept)
        + (behind if _BLANK_LINE.search(behind) else "\n\n")
    )


def _place(nodes: list[Node], units: list[_Unit]) -> list[_Placed]:
    """The new blocks in order, each with its place in the base."""
    placed = _pair(nodes, units)
    steady = _longest_rise([one.unit for one in placed if one.unit is not None])
    made: list[_Placed] = []
    loose: list[_Placed] = []
    reached = -1
    for one in placed:
        if one.unit is None or one.unit not in steady:
            loose.append(one)
            continue
        made += _fill(loose, range(reached + 1, one.unit), steady)
        made.append(one)
        loose, reached = [], one.unit
    return made + _fill(loose, range(reached + 1, len(units)), steady)


def _fill(loose: list[_Placed], free: range, steady: set[int]) -> list[_Placed]:
    """New blocks between two pairs take the places of the base blocks there, one by one; moved ones keep their own."""
    places = iter(free)
    return [replace(one, moved=True) if one.kept else _Placed(one.nodes, next(places, None)) for one in loose]


def _pair(nodes: list[Node], units: list[_Unit]) -> list[_Placed]:
    """Equal content, each base unit once; the same beginning and the same end are paired first."""
    new = [_digest(node) for node in nodes]
    old = [[_digest(node) for node in unit.nodes] for unit in units]
    head, at = _equal_run(new, old)
    tail, from_end = _equal_run(new[at:][::-1], [one[::-1] for one in old[head:][::-1]])
    free: dict[str, deque[int]] = {}
    for place in range(head, len(old) - tail):
        free.setdefault(old[place][0], deque()).append(place)
    behind = len(new) - from_end
    placed = _kept(nodes[:at], units, range(head))
    while at < behind:
        unit = _take(free, new, old, at, behind)
        size = 1 if unit is None else len(old[unit])
        placed.append(_Placed(nodes[at : at + size], unit, unit is not None))
        at += size
    return placed + _kept(nodes[behind:], units, range(len(old) - tail, len(old)))


def _kept(nodes: list[Node], units: list[_Unit], places: range) -> list[_Placed]:
    rest = iter(nodes)
    return [_Placed([next(rest) for _ in units[place].nodes], place, True) for place in places]


def _equal_run(new: list[str], old: list[list[str]]) -> tuple[int, int]:
    """(units, blocks) that the new blocks begin with."""
    at = 0
    for place, unit in enumerate(old):
        if new[at : at + len(unit)] != unit:
            return place, at
        at += len(unit)
    return len(old), at


def _take(free: dict[str, deque[int]], new: list[str], old: list[list[str]], at: int, end: int) -> int | None:
    waiting = free.get(new[at])
    if not waiting:
        return None
    unit = waiting[0]
    size = len(old[unit])
    if at + size > end or new[at : at + size] != old[unit]:
        return None
    return waiting.popleft()


def _longest_rise(values: list[int]) -> set[int]:
    """The values of a longest increasing subsequence."""
    ends: list[int] = []
    at_end: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        length = bisect_left(ends, value)
        before.append(at_end[length - 1] if length else -1)
        if length == len(ends):
            ends.append(value)
            at_end.append(place)
        else:
            ends[length], at_end[length] = value, place
    found: set[int] = set()
    place = at_end[-1] if at_end else -1
    while place >= 0:
        found.add(values[place])
        place = before[place]
    return found
