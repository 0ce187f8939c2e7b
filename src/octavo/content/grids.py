"""How much of a table may be empty: its cells are columns times rows, of which a short text can ask for millions."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from octavo.content.document import Node, walk

HOLES = 50_000
"""Cells of one table that nothing was written for."""
SPANNED = 200_000
"""Cells that are looked at for the merged ones of one table."""


def sparse(rows: int, columns: int, written: int) -> bool:
    """Whether so many written cells are too few for the grid."""
    return rows * columns - written > HOLES


def is_sparse(columns: Collection[str], values: Collection[Any]) -> bool:
    """The same of a table's block: its columns, and the values of each of its records."""
    held = sum(len(one) for one in values if isinstance(one, dict))
    return sparse(len(values), len(columns), held)


def require_grids(document: Node) -> None:
    """Raise ValueError for a document with a table that has hardly anything but empty cells."""
    for node in walk(document):
        data = node.get("data")
        if node.get("type") == "table" and isinstance(data, dict):
            columns, records = data.get("definition"), data.get("records")
            if isinstance(columns, dict) and isinstance(records, dict):
                values = [one.get("values") for one in records.values() if isinstance(one, dict)]
                if is_sparse(columns, values):
                    raise ValueError(f"a table of {len(columns)} columns and {len(records)} rows is nearly empty")
