"""Redirects of sites as lines of CSV, as spreadsheets and other platforms write and read them.

The columns are `source`, `destination`, `intent`, `permanent` and `captureWildcard`; the last three may be absent.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from octavo.kernel import limits
from octavo.kernel.operation import Raw
from octavo.wire.fields import Body
from octavo.wire.sites.redirects import Source
from octavo.wire.view import View

Intent = Literal["live", "draft", "publish"]

COLUMNS = ("source", "destination", "intent", "permanent", "captureWildcard")
_BY_NAME = {name.lower(): name for name in COLUMNS}
_SWITCH = {"": False, "true": True, "false": False, "yes": True, "no": False, "1": True, "0": False}


class ImportRedirects(Body, frozen=True):
    """`csv` is the whole file as text: a line of names first, or else source, destination and intent in this order."""

    csv: Annotated[str, Meta(min_length=1)]


class Line(msgspec.Struct, frozen=True):
    """A redirect as a line says it; the destination is an address, a path below the site's, or empty to take it away."""

    number: int
    source: Source
    destination: Annotated[str, Meta(max_length=limits.URL_MAX)]
    intent: Intent = "live"
    permanent: bool | None = None
    """None = as it was."""
    capture_wildcard: bool = False


class Wrong(Exception):
    """What is wrong with a line: its number, and a sentence that begins with the column."""

    def __init__(self, number: int, sentence: str) -> None:
        super().__init__(f"line {number}, {sentence}")
        self.number = number


def read(text: str) -> tuple[list[Line], list[Wrong]]:
    """The redirects of a file, and what is wrong with its other lines. Raises Wrong where no line can be read, and for more
    of them than one import takes."""
    rows = _rows(text.removeprefix("\ufeff"))
    try:
        first = next(rows, None)
        names, begun = _names(first)
        found = [*([] if begun or first is None else [first]), *rows]
    except csv.Error as error:
        raise Wrong(1, f"the file is no CSV: {error}") from error
    if len(found) > limits.REDIRECTS_BULK_MAX:
        raise Wrong(
            found[limits.REDIRECTS_BULK_MAX][0], f"an import takes {limits.REDIRECTS_BULK_MAX} redirects at most"
        )
    if not found:
        raise Wrong(1, "the file holds no redirect")
    lines: list[Line] = []
    wrong: list[Wrong] = []
    for number, cells in found:
        try:
            lines.append(_line(number, cells, names))
        except Wrong as fault:
            wrong.append(fault)
    return lines, wrong


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Lines that hold anything, with the number of the last line of text that each takes."""
    beginning = text.partition("\n")[0]
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=";" if ";" in beginning and "," not in beginning else ","
    )
    for cells in reader:
        cells = [cell.strip() for cell in cells]
        if any(cells):
            yield reader.line_num, cells


def _names(first: tuple[int, list[str]] | None) -> tuple[Sequence[str], bool]:
    """The names of the columns, and whether the first line said them."""
    if first is None or first[1][0].startswith("/"):
        return COLUMNS[:3], False
    number, cells = first
    names = [_BY_NAME.get(cell.lower().replace(" ", "").replace("_", ""), "") for cell in cells]
    for needed in COLUMNS[:2]:
        if names.count(needed) != 1:
            raise Wrong(
                number, f"the names of the columns have to say {needed} once; they are {', '.join(cells)[:200]}"
            )
    return names, True


def _line(number: int, cells: list[str], names: Sequence[str]) -> Line:
    if len(cells) > len(names) and any(cells[len(names) :]):
        raise Wrong(number, f"has {len(cells)} cells, the columns are {len(names)}")
    said = {name: cell for name, cell in zip(names, cells) if name}
    made = {
        "number": number,
        "source": said.get("source", ""),
        "destination": said.get("destination", ""),
        "intent": said.get("intent", "").lower() or "live",
        "permanent": None if not said.get("permanent") else _switch(number, said, "permanent"),
        "capture_wildcard": _switch(number, said, "captureWildcard"),
    }
    try:
        return msgspec.convert(made, Line)
    except msgspec.ValidationError as error:
        sentence, _, place = str(error).partition(" - at `$.")
        column = place.rstrip("`") or "line"
        told = (
            "has to be a path below the site's, as in /old/page; it may end with *" if column == "source" else sentence
        )
        raise Wrong(number, f"{column}: {told}") from error


def _switch(number: int, said: Mapping[str, str], column: str) -> bool:
    value = _SWITCH.get(said.get(column, "").lower())
    if value is None:
        raise Wrong(number, f"{column}: has to be true or false, not {said[column][:50]!r}")
    return value


def write(lines: Iterable[Line], view: View) -> Raw:
    """A file of redirects that `read` reads."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for one in lines:
        switches = ("true" if switch else "false" for switch in (one.permanent, one.capture_wildcard))
        writer.writerow([one.source, one.destination, one.intent, *switches])
    return Raw("text/csv; charset=utf-8; header=present", out.getvalue().encode())
