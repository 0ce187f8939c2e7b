"""What somebody asks the search index for, read into terms and written as either engine's match."""

from __future__ import annotations

import hashlib
from base64 import b32encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from octavo.content.words import PREFIX, tokens

TERMS_MAX = 32
PARTS_MAX = 16
SPACES_MAX = 16
IN_SPACE = "@"
"""Begins the word that a section has for its space."""
TYPO_LETTERS = 4
"""Letters of a word in which a typo is forgiven."""
SHORT = 2
"""Letters of a beginning that is looked for in titles only: it would match most of the texts there are."""
DENSE = "\u0e00"
"""From here on a letter or two are a whole word."""
TITLE = "+"
"""Begins the second form of a title's word, found in titles only."""


def mark(owner: str) -> str:
    """Seven letters for an organization or a space. Two may share them: they spare work, ids keep owners apart."""
    return b32encode(hashlib.blake2b(owner.encode("utf-8", "replace"), digest_size=4).digest())[:7].decode().lower()


def exact_title(words: Sequence[str]) -> str:
    """The word that stands for a whole title."""
    return "=" + "+".join(words)[:128]


@dataclass(frozen=True)
class Term:
    """One word asked for: itself, or all of its parts; each of them may have other spellings."""

    whole: str | None
    parts: tuple[str, ...]
    prefix: bool

    @property
    def words(self) -> Iterator[tuple[str, bool]]:
        """The words with whether they are beginnings."""
        if self.whole is not None:
            yield self.whole, self.prefix
        last = len(self.parts) - 1
        for at, part in enumerate(self.parts):
            yield part, self.begins(at == last)

    def begins(self, last: bool) -> bool:
        # A letter of a script without spaces stands alone in the index only where it stood alone.
        return (self.prefix and last) or (self.whole is None and len(self.parts[0]) == 1)


@dataclass(frozen=True)
class _Grammar:
    both: str
    either: str
    phrase: Callable[[str, bool], str]


_GRAMMARS = {
    # Words hold letters, digits, marks and . _ - only, so that nothing in quotes can end them.
    "sqlite": _Grammar(" AND ", " OR ", lambda word, prefix: f'"{word}" *' if prefix else f'"{word}"'),
    "postgres": _Grammar(" & ", " | ", lambda word, prefix: f"'{word}':*" if prefix else f"'{word}'"),
}


@dataclass(frozen=True)
class Query:
    """A question to one organization's index; `meant` has other spellings of mistyped words."""

    scope: str
    terms: tuple[Term, ...]
    exact: str
    meant: Mapping[str, Sequence[str]]
    spaces: tuple[str, ...] = ()
    """Marks of the spaces to search, where they are few enough to be part of a match."""

    def of(self, terms: Iterable[Term]) -> Query:
        """The same question with some of the terms."""
        return replace(self, terms=tuple(terms))

    def meaning(self, meant: Mapping[str, Sequence[str]]) -> Query:
        """The same question with other spellings."""
        return replace(self, meant=meant)

    def match(self, dialect: str, *, every: bool) -> dict[str, str]:
        """Parameters `match` (every term or any), `titles` (any word, for the titles' weight) and `exact` (a title)."""
        grammar = _GRAMMARS[dialect]
        terms = [self._term(grammar, term) for term in self.terms]
        spelled = [self._word(grammar, *word) for term in self.terms for word in term.words]
        title = grammar.phrase(self.scope + self.exact, False)
        either = grammar.either.join(dict.fromkeys([*spelled, title]))
        joined = self.within((grammar.both if every else grammar.either).join(terms), dialect)
        if dialect == "sqlite":
            return {"match": joined, "titles": f"title : ({either})"}
        return {"match": joined, "titles": either, "exact": title}

    def within(self, match: str, dialect: str) -> str:
        """The match in the spaces alone, for the engine whose index is not in the order of ids."""
        if dialect == "sqlite" or not self.spaces:
            return match
        spaces = " | ".join(f"'{self.scope}{IN_SPACE}{space}'" for space in self.spaces)
        return f"({spaces}) & ({match})"

    def each(self, dialect: str) -> dict[Term, str]:
        """The match of each term."""
        return {term: self._term(_GRAMMARS[dialect], term) for term in self.terms}

    def doubtful(self, dialect: str) -> dict[str, str]:
        """Words that may be mistyped, by the match that tells whether they occur."""
        grammar = _GRAMMARS[dialect]
        plain = [
            (word, prefix)
            for term in self.terms
            for word, prefix in term.words
            if len(word) >= TYPO_LETTERS and word.isalpha() and not (term.parts and word == term.whole)
        ]
        return {grammar.phrase(self.scope + word, prefix): word for word, prefix in plain}

    def marks(self) -> list[str]:
        """What to mark in a snippet: words, and beginnings with `*`."""
        asked = [word + PREFIX * prefix for term in self.terms for word, prefix in term.words]
        return [*dict.fromkeys([*asked, *(other for others in self.meant.values() for other in others)])]

    def _term(self, grammar: _Grammar, term: Term) -> str:
        last = len(term.parts) - 1
        parts = [self._word(grammar, part, term.begins(at == last)) for at, part in enumerate(term.parts)]
        together = grammar.both.join(parts)
        if term.whole is None:
            return f"({together})"
        whole = self._word(grammar, term.whole, term.prefix)
        return f"({whole}{grammar.either}({together}))" if parts else whole

    def _word(self, grammar: _Grammar, word: str, prefix: bool) -> str:
        others = self.meant.get(word)
        if not others and prefix and len(word) <= SHORT and word < DENSE:
            title = grammar.phrase(self.scope + TITLE + word, True)
            return f"({grammar.phrase(self.scope + word, False)}{grammar.either}{title})"
        if not others:
            return grammar.phrase(self.scope + word, prefix)
        return f"({grammar.either.join(grammar.phrase(self.scope + other, False) for other in others)})"


def read_query(text: str, organization: str, spaces: Sequence[str] | None = None) -> Query:
    """The terms of what somebody typed; without any for text that has no words."""
    terms: dict[tuple[str | None, tuple[str, ...]], None] = {}
    words: list[str] = []
    for token in tokens(text):
        words.extend(token.words)
        terms.setdefault((token.whole, token.parts[: PARTS_MAX if token.whole else TERMS_MAX]))
        if len(terms) == TERMS_MAX:
            break
    keys = [*terms]
    made = tuple(Term(whole, parts, at == len(keys) - 1) for at, (whole, parts) in enumerate(keys))
    few = tuple(mark(space) for space in spaces or ()) if spaces is None or len(spaces) <= SPACES_MAX else ()
    return Query(mark(organization), made, exact_title(words), {}, few)


def one_typo(one: str, other: str) -> bool:
    """Whether one letter added, left out, changed or swapped with its neighbour makes the other word."""
    shorter = min(len(one), len(other))
    if abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    left, right = one[start : len(one) - end], other[start : len(other) - end]
    if len(left) <= 1 and len(right) <= 1:
        return left != right
    return len(left) == 2 and left == right[::-1]
