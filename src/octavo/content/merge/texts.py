"""Merging a page's text that both sides changed: by lines, else by its parts, else both are kept.

1. Lines, as `diff3` merges them. Most texts end here, byte for byte.
2. The head apart from the body: front matter key by key and the title; then the lines of the body again.
3. Blocks. Where each side changed other blocks, both changes are taken; what both sides put at one place stands there
   twice, primary's first. A block that both changed is merged by its lines, the cells of a table's row, the sentences of
   a line, as long as there are as many of them on all three sides; code is not.
4. What is left is a conflict: primary's blocks stay, and the other side's follow inside a condition that nobody meets
   (see `conflicts`). Nothing that either side wrote leaves the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from octavo.content import diff3
from octavo.content.conflicts import mark
from octavo.content.markdown import Parsed, parse, print_head, put_together
from octavo.content.markdown.frontmatter import front_of
from octavo.content.markdown.parsed import FRONT, TITLE
from octavo.content.merge.fields import merge_mappings, three

_SENTENCE = re.compile(r"(?<=[.!?。！？])(\s+)")
_CELL = re.compile(r"(?<!\\)(?=\|)")
_VERBATIM = ("```", "~~~", "    ", "\t", "<", "{% code", "$$")
"""What a block begins with that is taken whole: its lines mean nothing each by itself."""
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)


class MergedText(NamedTuple):
    """The merged text, and what could not be decided: names of fields of the front matter, `title`, `text`."""

    source: str
    conflicts: list[str]


def merge_texts(base: str, ours: str, theirs: str, label: str) -> MergedText:
    """`ours` is primary's side; `label` names the other one in the marks of conflicts."""
    if ours == theirs or theirs == base:
        return MergedText(ours, [])
    if ours == base:
        return MergedText(theirs, [])
    merged = _by_lines(base, ours, theirs)
    if merged is not None:
        return MergedText(merged, [])
    return _by_parts(parse(base), parse(ours), parse(theirs), label)


def _by_lines(base: str, ours: str, theirs: str) -> str | None:
    """The merged text; None where lines are in conflict, or the keys of their front matter are."""
    pieces = diff3.merge_text(base, ours, theirs)
    if not diff3.clean(pieces):
        return None
    merged = "".join("".join(piece.units) for piece in pieces if isinstance(piece, diff3.Stable))
    fronts = [front_of(one) for one in (base, ours, theirs)]
    # Both may have given one key, in different lines: then none of the keys would be read, or one value would go unsaid.
    lost = not front_of(merged) and any(fronts[1:])
    return None if lost or merge_mappings(*fronts)[1] else merged


def _by_parts(base: Parsed, ours: Parsed, theirs: Parsed, label: str) -> MergedText:
    head, conflicts = _merge_heads(base, ours, theirs)
    bodies = [one.source[one.body :] for one in (base, ours, theirs)]
    merged = _by_lines(*bodies)
    if merged is not None:
        return MergedText(put_together(head, merged), conflicts)
    body, count = _merge_blocks(_units(base), _units(ours), _units(theirs), label)
    return MergedText(put_together(head, body), conflicts + ["text"] * min(count, 1))


def _merge_heads(base: Parsed, ours: Parsed, theirs: Parsed) -> tuple[str, list[str]]:
    raw = [one.source[: one.body].rstrip("\r\n") for one in (base, ours, theirs)]
    if raw[2] in (raw[0], raw[1]):
        return raw[1], []
    if raw[1] == raw[0]:
        return raw[2], []
    merged = _by_lines(*raw)
    if merged is not None:
        return merged, []
    front, conflicts = merge_mappings(base.front, ours.front, theirs.front)
    title, clear = three(base.title, ours.title, theirs.title)
    head = put_together(print_head(ours, front, title), _only_beside(theirs, base, ours)).rstrip("\r\n")
    return head, conflicts + ([] if clear else ["title"])


def _only_beside(theirs: Parsed, *others: Parsed) -> str:
    """Lines that one side alone has in its head beside front matter and title: comments, definitions of links."""
    known = {line for other in others for line in _beside(other)}
    return "\n".join(line for line in _beside(theirs) if line.strip() and line not in known)


def _beside(one: Parsed) -> list[str]:
    front, title = one.spans.get(FRONT, (0, 0)), one.spans.get(TITLE, (one.body, one.body))
    return one.source[front[1] : title[0]].splitlines()


def _units(one: Parsed) -> list[str]:
    """The body in pieces that begin with a block each; joined they are the body."""
    start, end = one.body, len(one.source)
    found = {one.spans[node["key"]][0] for node in one.document["nodes"] if node["key"] in one.spans}
    starts = sorted(at for at in found if at >= start)
    if not starts or one.source[start : starts[0]].strip():
        starts.insert(0, start)
    return [one.source[at:following] for at, following in zip(starts, [*starts[1:], end]) if at < following]


def _merge_blocks(base: list[str], ours: list[str], theirs: list[str], label: str) -> tuple[str, int]:
    """The merged body and the number of places where both sides had to be kept."""
    # What is equal but for the blank lines behind it is the same block; written as primary has it.
    raw = {_bare(unit): unit for side in (base, theirs, ours) for unit in side}
    made: list[str] = []
    count = 0
    for piece in diff3.merge(*([_bare(unit) for unit in side] for side in (base, ours, theirs))):
        if isinstance(piece, diff3.Stable):
            made += [raw[unit] for unit in piece.units]
        else:
            kept, kept_apart = _settle(piece.base, piece.ours, piece.theirs, label)
            made += [raw.get(unit, unit) for unit in kept]
            count += kept_apart
    return "".join(_closed(unit) for unit in made[:-1]) + (made[-1].rstrip("\n") + "\n" if made else ""), count


def _bare(unit: str) -> str:
    """The block without the blank lines around it; the spaces that it begins with may make it code."""
    return unit.lstrip("\r\n").rstrip()


def _closed(unit: str) -> str:
    """The block with what keeps it from running into another one than it was written before."""
    unit = _shut(unit)
    if unit.endswith("\n\n") or (unit.endswith("\n") and unit.startswith("#")):
        return unit
    return unit.rstrip("\n") + "\n\n"


def _shut(unit: str) -> str:
    """The block with an end to its code: a fence left open, which ended with the text, would take in all that follows."""
    fence = _FENCE.match(unit)
    if fence is None:
        return unit
    end = re.compile(rf" {{0,3}}{re.escape(fence[1][0])}{{{len(fence[1])},}}[ \t]*")
    # Definitions of links may follow what is closed.
    closed = any(end.fullmatch(line) for line in unit.splitlines()[1:])
    return unit if closed else f"{unit.rstrip()}\n{fence[1]}\n"


def _settle(
    base: Sequence[str] | None, ours: Sequence[str], theirs: Sequence[str], label: str
) -> tuple[list[str], int]:
    """The blocks of a place that both sides changed, and how many conflicts are among them."""
    if base is None:
        # What the other side made of a block that stands here may stand elsewhere.
        return [*ours, *_marked(theirs, label, len(ours))], 1
    if not base:
        return [*ours, *theirs], 0
    for one, other in ((ours, theirs), (theirs, ours)):
        # Who only put blocks before or behind left these to the other side.
        if one[: len(base)] == base:
            return [*other, *one[len(base) :]], 0
        if one[-len(base) :] == base:
            return [*one[: -len(base)], *other], 0
    if not len(base) == len(ours) == len(theirs):
        return [*ours, *_marked(theirs, label, len(ours))], 1
    made: list[str] = []
    count = 0
    for old, mine, other in zip(base, ours, theirs):
        merged = _merge_block(old, mine, other)
        made += [mine, *_marked([other], label, 1)] if merged is None else [merged]
        count += merged is None
    return made, count


def _marked(units: Sequence[str], label: str, instead: int) -> list[str]:
    return [mark("\n\n".join(_shut(unit) for unit in units), label, instead)] if units else []


def _merge_block(base: str, ours: str, theirs: str) -> str | None:
    verbatim = any(side.startswith(_VERBATIM) for side in (base, ours, theirs))
    return _merge_parts(base, ours, theirs, () if verbatim else _SPLITS)


def _merge_parts(base: str, ours: str, theirs: str, splits: Sequence[Callable[[str], list[str]]]) -> str | None:
    """The merged text of three, part by part, by ever smaller parts; None where both sides changed one."""
    merged, clear = three(base, ours, theirs)
    if clear:
        return merged
    if not splits:
        return None
    parts = [splits[0](side) for side in (base, ours, theirs)]
    if not len(parts[0]) == len(parts[1]) == len(parts[2]):
        return None
    made: list[str] = []
    for old, mine, other in zip(*parts):
        part = _merge_parts(old, mine, other, splits[1:])
        if part is None:
            return None
        made.append(part)
    return "".join(made)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _cells(line: str) -> list[str]:
    return _CELL.split(line) if line.startswith("|") else [line]


def _sentences(line: str) -> list[str]:
    return _SENTENCE.split(line)


_SPLITS: tuple[Callable[[str], list[str]], ...] = (_lines, _cells, _sentences)
