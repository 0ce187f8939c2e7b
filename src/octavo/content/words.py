"""Words of a text as search sees them, and their stems.

Both database engines index and ask with these words, so that they find the same pages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from threading import Lock
from typing import Any

import msgspec

MAX_LETTERS = 64
"""Letters of a word that count; what follows them is ignored."""

# Scripts written without spaces, or (Hangul) with endings that no dictionary is here to remove.
_DENSE = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1780-\u17d3\u1100-\u11ff\u3005-\u3007\u3041-\u309f"
    "\u30a1-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\uff66-\uffdc\U00020000-\U0003ffff"
)


# The patterns of all scripts take as long to make as a fiftieth of a start: the first text beyond ASCII makes them.
@cache
def _token() -> re.Pattern[str]:
    letter = rf"(?:(?![{_DENSE}_])[\w{_marks()}])"
    return re.compile(rf"[{_DENSE}]+|{letter}+(?:(?:[.-]|_+){letter}+)*")


@cache
def _noise() -> re.Pattern[str]:
    """What compatibility forms such as ⑴ and ﷺ unfold to besides letters."""
    return re.compile(rf"[^\w{_marks()}.-]+")


@cache
def _marks() -> str:
    """The combining marks of the basic plane, as ranges of a character class: `\\w` leaves them out."""
    ranges: list[list[int]] = []
    for code in (*range(0x300, 0x1E00), *range(0xA66F, 0xAC00)):
        if unicodedata.category(chr(code))[0] == "M":
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"\\u{low:04x}-\\u{high:04x}" for low, high in ranges)


_ASCII = re.compile(r"[A-Za-z0-9]+(?:(?:[.-]|_+)[A-Za-z0-9]+)*")
_DENSE_RUN = re.compile(rf"[{_DENSE}]")
_JOINT = re.compile(r"[._-]+")
# й and ї are letters of their own, so accents go from Latin and Greek letters only; vowel points go everywhere.
_ACCENTS = re.compile("(?<=[A-Za-z\u0370-\u03ff])[\u0300-\u036f]+|[\u0591-\u05bd\u064b-\u065f\u0670]+")
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ё": "е"})
_SCRIPTS = tuple(
    (language, re.compile(letters).match)
    for language, letters in (
        ("english", "[a-z\u00df-\u024f]"),
        ("russian", "[\u0430-\u045f]"),
        ("greek", "[\u03b1-\u03c9]"),
        ("arabic", "[\u0621-\u064a]"),
    )
)
_stemming = Lock()


class Token(msgspec.Struct, frozen=True):
    """One run of letters in a text, from `start` up to `end`, and the words it is found by.

    `whole` is None where the words of a script without spaces are pairs of letters; `parts` are the words inside an
    identifier (`HttpEndpoint`: http, endpoint) or those pairs, and empty for a plain word.
    """

    start: int
    end: int
    whole: str | None
    parts: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        return self.parts if self.whole is None else (self.whole, *self.parts)


def words(text: str) -> list[str]:
    """The words of a text in their order, repeated as often as they occur."""
    found: list[str] = []
    for match in (_ASCII if text.isascii() else _token()).finditer(text):
        whole, parts = _read(match[0])
        if whole is not None:
            found.append(whole)
        found.extend(parts)
    return found


def tokens(text: str) -> Iterator[Token]:
    """The runs of letters of a text in their order."""
    for match in (_ASCII if text.isascii() else _token()).finditer(text):
        whole, parts = _read(match[0])
        if whole is not None or parts:
            yield Token(match.start(), match.end(), whole, parts)


def fold(text: str) -> str:
    """The text without differences of case, width, and accents that readers do not type."""
    if text.isascii():
        return text.lower()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()))
    return unicodedata.normalize("NFC", bare).translate(_PLAIN)


def stem(word: str) -> str:
    """The word, folded already, without its ending, so that `activities` meets `activity`; itself where that is unknown.

    The language is told by the script. Latin letters are taken for English: others share its plainest endings, and
    whoever searches puts the word itself before what shares its stem.
    """
    if not word.isalpha():
        return word
    language = "english" if word.isascii() else next((name for name, found in _SCRIPTS if found(word)), None)
    return word if language is None else _stem(language, word)


def _read(raw: str) -> tuple[str | None, tuple[str, ...]]:
    # A cache of long runs would hold what nobody writes twice.
    return _read_short(raw) if len(raw) <= MAX_LETTERS else _read_any(raw)


def _read_any(raw: str) -> tuple[str | None, tuple[str, ...]]:
    """The whole word and the words in it."""
    if not raw.isascii() and _DENSE_RUN.match(raw):
        run = _word(raw)
        return None, tuple(run[at : at + 2] for at in range(max(len(run) - 1, min(len(run), 1))))
    parts = [part for piece in _JOINT.split(raw) for part in _humps(piece)]
    whole = _word(raw)[:MAX_LETTERS]
    if len(parts) == 1:
        return whole or None, ()
    return whole, tuple(word for part in parts if (word := _word(part)[:MAX_LETTERS]))


def _word(raw: str) -> str:
    return raw.lower() if raw.isascii() else _noise().sub("", fold(raw))


_read_short = lru_cache(maxsize=1 << 16)(_read_any)


def _humps(piece: str) -> list[str]:
    """`HTTPEndpointV2` → HTTP, Endpoint, V2."""
    if piece.islower() or piece.isupper() or piece[1:].islower() or len(piece) < 2:
        return [piece]
    cuts = [0]
    for at in range(1, len(piece)):
        before, here = piece[at - 1], piece[at]
        follows = piece[at + 1 : at + 2]
        if here.isupper() and (not before.isupper() or follows.islower()):
            cuts.append(at)
    return [piece[low:high] for low, high in zip(cuts, [*cuts[1:], len(piece)])]


@lru_cache(maxsize=1 << 16)
def _stem(language: str, word: str) -> str:
    # A stemmer belongs to one thread at a time.
    with _stemming:
        stemmed: str = _stemmer(language).stemWord(word)
        return stemmed


@cache
def _stemmer(language: str) -> Any:
    # Stemmers are imported with the first search, not with the server.
    import Stemmer

    return Stemmer.Stemmer(language, 0)
