"""How the reading of many texts is given to whoever does it: one after the other here, elsewhere by several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from octavo.content.layout.texts import Read

Ask = Callable[..., Any]
"""Asks, by a few words, for what only the process that ordered the work can say; ids of files are given out there."""


class Work(Protocol):
    """Does the same with every path; `answer` is what each of them asks. The results come in the order of the paths."""

    def __call__(self, do: Callable[[str, Ask], Read], paths: Sequence[str], answer: Ask) -> Iterator[Read]: ...


def in_turn(do: Callable[[str, Ask], Read], paths: Sequence[str], answer: Ask) -> Iterator[Read]:
    """One after the other, in this process."""
    return (do(path, answer) for path in paths)
