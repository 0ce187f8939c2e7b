"""What a reading has to say about what it read: warnings with their place, and counts."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Notice:
    """A warning; `line` counts from 1 and is None where a file as a whole is meant."""

    file: str
    line: int | None
    text: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.text}"


@dataclass
class Report:
    """Everything worth telling the author, in reading order."""

    warnings: list[Notice] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def warn(self, file: str, line: int | None, text: str) -> None:
        """Add a warning."""
        self.warnings.append(Notice(file, line, text))
