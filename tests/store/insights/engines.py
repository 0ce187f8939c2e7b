"""The engines that the same tests run on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from octavo.store.insights.asking import Options
from octavo.store.insights.office import Office

NAMES = ("duckdb",)


@contextmanager
def office(name: str, folder: Path, **options: float) -> Iterator[Office]:
    """An office of one engine over a folder."""
    made = Office(folder, Options(**options))  # type: ignore[arg-type]
    yield made
    made.close()
