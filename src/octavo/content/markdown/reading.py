"""What one reading of a text shares: its warnings, its references, its footnotes, and where blocks came from."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

from octavo.content.document import Node, Ref, plain
from octavo.content.markdown.parsed import Resolve
from octavo.content.markdown.tags import CONDITION

_NUMBER = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(px|%|[a-z]+)?\s*$")
_MOST_WARNINGS = 200


class Reading:
    """The state of one `parse`."""

    def __init__(self, source: str, resolve: Resolve) -> None:
        self._resolve = resolve
        self.warnings: list[str] = []
        self.places: list[tuple[Node, int, int]] = []
        self.noted: dict[str, list[Node]] = {}
        """The body of each footnote that the text refers to."""
        self._annotated: set[str] = set()
        self._budget = 4 * len(source) + 10_000
        self.keeps = 0
        """Conditions within text that are open: what stands behind them, up to their end, is shown to nobody."""
        self.met = False
        """Whether one was met in the text of the block that is being read."""

    def warn(self, line: int, sentence: str) -> None:
        if len(self.warnings) < _MOST_WARNINGS:
            self.warnings.append(f"{sentence} (line {line})")

    def ref(self, href: str) -> Ref:
        """What an address means; one that nothing is known about is a URL."""
        if href.startswith("#"):
            return {"kind": "anchor", "anchor": href[1:]}
        return self._resolve(href) or {"kind": "url", "url": href}

    def condition(self, name: str, line: int) -> None:
        """Note a tag of a condition that stands where it cannot decide."""
        if not self.met:
            self.warn(line, f"{{% {name} %}} stands within text or has no other half: its text is shown to nobody")
        self.met = True
        self.keeps = max(0, self.keeps + {"if": 1, "endif": -1}.get(name, 0))

    def conditions_in(self, characters: str, line: int) -> None:
        """Note those in a text whose signs are not read."""
        if "{%" in characters:
            for found in CONDITION.finditer(characters):
                self.condition(found["name"], line)

    def annotate(self, label: str) -> list[Node] | None:
        """A body for one more use of a footnote. Each use holds a copy: all together stay in proportion to the text,
        so that None comes back for a footnote that is used too often, as for an unknown one."""
        body = self.noted.get(label)
        if body is None:
            return None
        if label in self._annotated:
            self._budget -= 50 + sum(len(plain(node)) for node in body)
            if self._budget < 0:
                return None
        self._annotated.add(label)
        return deepcopy(body)

    def place(self, nodes: list[Node], start: int, end: int) -> list[Node]:
        """Note where blocks came from; returns them."""
        if start >= 0:
            self.places.extend((node, start, end) for node in nodes)
        return nodes


def flag(value: Any) -> bool | None:
    """A boolean attribute, None where it is not set or says no."""
    return True if value is True or (isinstance(value, str) and value.lower() in ("true", "")) else None


def words(value: Any) -> str | None:
    """A textual attribute, None where it is not set."""
    return None if value is None or value is True else str(value)


def number(text: str) -> int | float:
    value = float(text)
    return int(value) if value.is_integer() else value


def length(value: Any) -> Any:
    """`"375"` is 375, `"50%"` is {unit, value}; None where it is no length."""
    found = _NUMBER.match(str(value)) if value is not None else None
    if found is None:
        return None
    return {"unit": found[2], "value": number(found[1])} if found[2] else number(found[1])
