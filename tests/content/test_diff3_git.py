"""Merging held against `git merge-file`: the same verdicts, the same text, the same conflicts.

Wherever they differ, the difference has a reason, found by merging once more with the scripts that Git's own diff gives.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from octavo.content.diff import Hunk, align
from octavo.content.diff3 import Conflict, Piece, Stable, clean, merge
from tests.content.edits import case, lines, sides
from tests.profiles import DEEP

CASES = 20_000 if DEEP else 1_000
REASONS = {
    "another": "both scripts are as short as can be, and Git took the other one",
    "longer": "Git's script is not the shortest: it leaves out lines that are found often",
    "inside": "both took the same lines for the two sides, but others of these for common",
}
MARKS = re.compile("<<<<<<< ours\n(.*?)=======\n(.*?)>>>>>>> theirs\n", re.DOTALL)
Trio = tuple[str, str, str]


@dataclass
class Git:
    """A folder in which Git compares and merges files."""

    folder: Path

    def merge(self, base: str, ours: str, theirs: str) -> tuple[bool, str]:
        """Whether the merge is clean, and what was written."""
        done = self._run({"base": base, "ours": ours, "theirs": theirs}, "merge-file", "-p", "ours", "base", "theirs")
        assert 0 <= done.returncode < 128, done.stderr
        return done.returncode == 0, done.stdout.decode()

    def align(self, a: Sequence[str], b: Sequence[str]) -> list[Hunk]:
        """The script that Git's diff gives with the settings that its merge has."""
        options = ["--no-index", "--no-color", "--no-indent-heuristic", "--diff-algorithm=myers", "--text", "-U99999"]
        done = self._run({"a": "".join(a), "b": "".join(b)}, "diff", *options, "a", "b")
        hunks: list[Hunk] = []
        at_a = at_b = first_a = first_b = 0
        for line in [*re.split(r"^@@.*\n", done.stdout.decode(), maxsplit=1, flags=re.M)[-1].split("\n"), " "]:
            if line[:1] == " ":
                if (first_a, first_b) != (at_a, at_b):
                    hunks.append((first_a, at_a, first_b, at_b))
                at_a, at_b = first_a, first_b = at_a + 1, at_b + 1
            at_a += line[:1] == "-"
            at_b += line[:1] == "+"
        return hunks

    def _run(self, files: dict[str, str], *command: str) -> subprocess.CompletedProcess[bytes]:
        for name, text in files.items():
            (self.folder / name).write_bytes(text.encode())
        return subprocess.run(["git", *command], cwd=self.folder, capture_output=True, check=False)


@pytest.fixture
def git(memory_folder: Path) -> Git:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folder = memory_folder / "merging"
    folder.mkdir(exist_ok=True)
    return Git(folder)


def written(pieces: Iterable[Piece]) -> str:
    """As Git writes it: conflicts with three lines between them or less, or only with marks, are one."""
    joined: list[Piece] = []
    for piece in pieces:
        match [*joined[-2:], piece]:
            case [Conflict() as before, Stable(between), Conflict() as after] if _close(between):
                ours, theirs = before.ours + between + after.ours, before.theirs + between + after.theirs
                joined[-2:] = [Conflict([], ours, theirs)]
            case _:
                joined.append(piece)
    return "".join(
        "".join(piece.units)
        if isinstance(piece, Stable)
        else f"<<<<<<< ours\n{_closed(piece.ours)}=======\n{_closed(piece.theirs)}>>>>>>> theirs\n"
        for piece in joined
    )


def _close(between: list[str]) -> bool:
    return len(between) <= 3 or not re.search("[A-Za-z0-9]", "".join(between))


def _closed(units: list[str]) -> str:
    text = "".join(units)
    return text + "\n" if text and not text.endswith("\n") else text


@dataclass
class Comparison:
    """What came of a number of cases, and every difference in a line."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def take(self, git: Git, name: str, trio: Trio) -> None:
        verdict, text = git.merge(*trio)
        self.counts["cases"] += 1
        self.counts["clean" if verdict else "conflict"] += 1
        what = _difference(merge(*map(lines, trio)), verdict, text)
        if not what:
            return
        self.counts[what] += 1
        reason = "inside" if what == "shape" else _reason(git, trio, verdict, text)
        self.counts[reason] += 1
        self.differences.append(f"{name}: {what}: {REASONS.get(reason, reason)}")

    def hold(self) -> None:
        print(dict(self.counts), *self.differences, sep="\n")
        assert not self.counts["unknown"]
        assert self.counts["verdict"] <= 0.01 * self.counts["cases"]
        assert self.counts["text"] <= 0.001 * self.counts["clean"]
        assert self.counts["sides"] + self.counts["shape"] <= 0.05 * self.counts["conflict"]
        assert min(self.counts["clean"], self.counts["conflict"]) > 0.15 * self.counts["cases"]


def _difference(pieces: list[Piece], verdict: bool, text: str) -> str:
    """In what the pieces differ from what Git wrote: verdict; text; sides of conflicts; only the shape of these."""
    if clean(pieces) != verdict:
        return "verdict"
    # Git ends its marks as it finds lines ended.
    made, gits = written(pieces).replace("\r", ""), text.replace("\r", "")
    if made == gits:
        return ""
    if verdict:
        return "text"
    return "shape" if all(MARKS.sub(side, made) == MARKS.sub(side, gits) for side in (r"\1", r"\2")) else "sides"


def _reason(git: Git, trio: Trio, verdict: bool, text: str) -> str:
    base, ours, theirs = map(lines, trio)
    if _difference(merge(base, ours, theirs, aligner=git.align), verdict, text) not in ("", "shape"):
        return "unknown"
    scripts = [(align(base, side), git.align(base, side)) for side in (ours, theirs)]
    if any(_size(mine) > _size(gits) for mine, gits in scripts):
        return "unknown"
    if any(_size(mine) < _size(gits) for mine, gits in scripts):
        return "longer"
    return "another" if any(mine != gits for mine, gits in scripts) else "unknown"


def _size(hunks: Iterable[Hunk]) -> int:
    return sum(a1 - a0 + b1 - b0 for a0, a1, b0, b1 in hunks)


def test_merging_agrees_with_git(git: Git) -> None:
    found = Comparison()
    for seed in range(CASES):
        found.take(git, f"seed {seed}", case(seed))
    found.hold()


def test_merging_of_real_pages_agrees_with_git(git: Git, corpus: Path) -> None:
    found = Comparison()
    pages = sorted(path for path in corpus.rglob("*.md") if path.stat().st_size > 500)[:200]
    for number, path in enumerate(pages):
        rng = random.Random(number)
        found.take(git, str(path.relative_to(corpus)), sides(rng, lines(path.read_bytes().decode())))
    found.hold()


@pytest.mark.parametrize(
    "make", [lambda text: text, lambda text: text.rstrip("\n"), lambda text: text.replace("\n", "\r\n")]
)
def test_ends_of_lines_are_as_git_leaves_them(git: Git, make: Callable[[str], str]) -> None:
    base = make("One\n\nTwo\n\nThree\n")
    ours, theirs = base.replace("One", "Eins"), base.replace("Three", "Drei")
    verdict, text = git.merge(base, ours, theirs)
    assert verdict
    assert written(merge(*map(lines, (base, ours, theirs)))) == text
