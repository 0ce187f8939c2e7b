"""Pieces of a text that show what somebody searched for, with the words marked."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

import msgspec

from octavo.content.words import Token, fold, stem, tokens

PREFIX = "*"
"""Ends a word that stands for every word that begins so."""
STEM = "~"
"""Begins a stem, which stands for every word that has it."""

_PLACES_MAX = 40
"""Occurrences of one word that are weighed against others for the best piece."""
_WHOLE_MAX = 5_000
"""Characters read word by word where a look at the letters found nothing, because of accents for example."""
_STOPS = frozenset(".,:;!?…")
_Place = tuple[int, int, str]
"""Start, end, and the word that stands there."""


class Snippet(msgspec.Struct, frozen=True):
    """A piece of a text on one line; `marks` are the [start, end) of what was asked for, in order, not overlapping."""

    text: str
    marks: list[tuple[int, int]]

    @property
    def pieces(self) -> list[str]:
        """The text cut at the marks: every second piece is marked, the first never."""
        edges = [0, *(edge for mark in self.marks for edge in mark), len(self.text)]
        return [self.text[low:high] for low, high in pairwise(edges)]


class Marker:
    """Marks words in texts: plain ones, beginnings (`act*`) and stems (`~activ`)."""

    def __init__(self, words: Collection[str]) -> None:
        self._exact = frozenset(word for word in words if not word.startswith(STEM) and not word.endswith(PREFIX))
        self._prefixes = tuple(word[:-1] for word in words if word.endswith(PREFIX))
        self._stems = frozenset(word[1:] for word in words if word.startswith(STEM))
        # Stems that end in i stand for words in y as well.
        roots = [*self._prefixes, *(one[:-1] if one.endswith("i") else one for one in self._stems)]
        self._roots = [*((word, True) for word in self._exact), *((root, False) for root in roots if root)]

    def snippet(self, text: str, width: int = 160) -> Snippet:
        """The piece of at most about `width` characters that shows most of the words; without any, the beginning."""
        line = " ".join(text.split())
        made = self._cut(line, self._rough(line), width)
        if not made.marks and self._roots and len(line) > width:
            read = line[:_WHOLE_MAX]
            made = self._cut(line, [place for token in tokens(read) for place in self._places(read, token)], width)
        return made

    def shown(self, text: str, width: int = 160) -> tuple[Snippet, bool]:
        """The piece of a text in whose lines code begins with a tab: of prose where that says a word that was asked for,
        else the line of code that says most; and whether it is code."""
        lines = text.split("\n")
        prose = self.snippet(" ".join(line for line in lines if not line.startswith("\t")), width)
        code = [line.strip() for line in lines if line.startswith("\t") and not line.isspace()]
        if prose.marks or not code:
            return prose, False
        said, best = max(
            ((len({word for *_, word in self._rough(line)}), line) for line in code), key=lambda one: one[0]
        )
        return (self.snippet(best, width), True) if said or not prose.text else (prose, False)

    def whole(self, text: str) -> Snippet:
        """All of the text, on one line."""
        line = " ".join(text.split())
        return self._cut(line, [], len(line))

    def _cut(self, line: str, found: list[_Place], width: int) -> Snippet:
        start, end = _window(line, found, width)
        shown = line[start:end]
        before, after = "…" if start else "", "…" if end < len(line) else ""
        if after and shown[-1:] in _STOPS:
            after = " …"
        marks: list[tuple[int, int]] = []
        for low, high, _ in (place for token in tokens(shown) for place in self._places(shown, token)):
            first, last = low + len(before), high + len(before)
            if marks and first <= marks[-1][1]:
                first = marks.pop()[0]
            marks.append((first, last))
        return Snippet(before + shown + after, marks)

    def _rough(self, line: str) -> list[_Place]:
        """Where words most likely stand, by a look at the letters: reading a long text word by word takes 50 times as
        long."""
        lower = line.lower()
        if len(lower) != len(line):
            return []
        found: list[_Place] = []
        for root, exact in self._roots:
            at = lower.find(root)
            for _ in range(_PLACES_MAX):
                if at < 0:
                    break
                end = at + len(root)
                if _begins(line, at) and (not exact or end == len(line) or _begins(line, end)):
                    found.append((at, end, root))
                at = lower.find(root, end)
        return sorted(found)

    def _wanted(self, word: str) -> bool:
        return (
            word in self._exact or word.startswith(self._prefixes) or (bool(self._stems) and stem(word) in self._stems)
        )

    def _places(self, line: str, token: Token) -> Iterator[_Place]:
        """Where a token shows the words asked for: itself, or pairs of its letters."""
        if token.whole is not None:
            for word in token.words:
                if self._wanted(word):
                    yield token.start, token.end, word
                    return
            return
        aligned = len(fold(line[token.start : token.end])) == token.end - token.start
        for at, word in enumerate(token.parts, token.start):
            if self._wanted(word):
                begun = (one for one in self._prefixes if word not in self._exact and word.startswith(one))
                short = len(next(begun, word))
                yield (at, at + short, word) if aligned else (token.start, token.end, word)


def _begins(line: str, at: int) -> bool:
    """Whether a word, or one inside an identifier, may begin here; letters from U+0E00 on stand without spaces."""
    here = line[at]
    return at == 0 or not line[at - 1].isalnum() or not here.isalnum() or here.isupper() or here >= "\u0e00"


def _window(line: str, found: list[_Place], width: int) -> tuple[int, int]:
    """[start, end) of the piece with most different words; of equals, the first."""
    if len(line) <= width:
        return 0, len(line)
    counts: dict[str, int] = {}
    best, most, last = 0, 0, 0
    for first, (low, _, word) in enumerate(found):
        while last < len(found) and (last <= first or found[last][1] <= low + width * 3 // 4):
            counts[found[last][2]] = counts.get(found[last][2], 0) + 1
            last += 1
        if len(counts) > most:
            best, most = low, len(counts)
        counts[word] -= 1
        if not counts[word]:
            del counts[word]
    start = max(0, min(best - width // 4, len(line) - width))
    end = min(len(line), start + width)
    return _at_space(line, start, best if most else start), _end_at_space(line, start, end)


def _at_space(line: str, start: int, limit: int) -> int:
    """The beginning of a word at or after `start`, unless that lies beyond `limit`."""
    if start == 0 or line[start - 1] == " ":
        return start
    space = line.find(" ", start, limit)
    return start if space < 0 else space + 1


def _end_at_space(line: str, start: int, end: int) -> int:
    if end == len(line) or line[end] == " ":
        return end
    space = line.rfind(" ", (start + end) // 2, end)
    return end if space < 0 else space
