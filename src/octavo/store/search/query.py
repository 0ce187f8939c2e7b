"""What somebody asks the search index for, read into terms and written as either engine's match."""

from __future__ import annotations

import hashlib
from base64 import b32encode
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from octavo.content.snippets import PREFIX
from octavo.content.words import stem, tokens

TERMS_MAX = 32
PARTS_MAX = 16
SPACES_MAX = 16
IN_SPACE = "@"
"""Begins the word that a section has for its space."""
TITLE = "+"
"""Begins the second form of a title's word, found in titles only."""
PAGE = "#"
"""Begins the third form of a word of a page's own title."""
STEM = "~"
"""Begins the stem of a word, where that is another."""
EXACT = "="
"""Begins the word that stands for a whole title."""
TYPO_LETTERS = 4
"""Letters of a word in which a typo is forgiven."""
SHORT = 2
"""Letters of a beginning that is looked for in titles only: it would match most of the texts there are."""
BRIEF = 4
"""Letters of a beginning that is looked for in titles first: it matches many texts, and titles tell more."""
DENSE = "\u0e00"
"""From here on a letter or two are a whole word."""
_WEAK = """
a about am an and any are as at be been but by can could did do does doing for from get had has have how i if in into is
it its let me my no not of on or our should so some than that the their them then there these they this those to us use
using via vs want was we were what when where which while who why will with without would you your
"""
WEAK = frozenset(_WEAK.split())
"""English words that questions are made of; a result may lack them. How often a word occurs would not tell them from
others: in documentation, `how` is rarer than what it is about."""


def mark(owner: str) -> str:
    """Seven letters for an organization or a space. Two may share them: they spare work, ids keep owners apart."""
    return b32encode(hashlib.blake2b(owner.encode("utf-8", "replace"), digest_size=4).digest())[:7].decode().lower()


def exact_title(words: Sequence[str]) -> str:
    """The word that stands for a whole title."""
    return EXACT + "+".join(words)[:128]


class Term(msgspec.Struct, frozen=True):
    """One word asked for: itself, or all of its parts; `name` is one written together, such as `HttpEndpoint`."""

    whole: str | None
    parts: tuple[str, ...]
    prefix: bool
    name: bool = False

    @property
    def weak(self) -> bool:
        return self.whole in WEAK

    @property
    def words(self) -> list[tuple[str, bool]]:
        """The words with whether they are beginnings."""
        last = len(self.parts) - 1
        parts = [(part, self._begins(at == last)) for at, part in enumerate(self.parts)]
        return parts if self.whole is None else [(self.whole, self.prefix), *parts]

    def _begins(self, last: bool) -> bool:
        # A letter of a script without spaces stands alone in the index only where it stood alone.
        return (self.prefix and last) or (self.whole is None and len(self.parts[0]) == 1)


class _Grammar(msgspec.Struct, frozen=True):
    both: str
    either: str
    word: str
    beginning: str


_GRAMMARS = {
    # Words hold letters, digits, marks and . _ - only, so that nothing in quotes can end them.
    "sqlite": _Grammar(" AND ", " OR ", '"{}"', '"{}" *'),
    "postgres": _Grammar(" & ", " | ", "'{}'", "'{}':*"),
}


class Query(msgspec.Struct, frozen=True):
    """A question to one organization's index; `meant` has other spellings of mistyped words.

    `terms` are what a result is found by: without weak words, unless there are no others.
    """

    scope: str
    terms: tuple[Term, ...]
    typed: tuple[str, ...]
    """All of its words in their order."""
    dialect: str
    spaces: tuple[str, ...] = ()
    """Marks of the spaces to search, where they are few enough to be part of a match."""
    meant: Mapping[str, Sequence[str]] = msgspec.field(default_factory=dict)

    def of(self, terms: Iterable[Term]) -> Query:
        """The same question with some of the terms."""
        return msgspec.structs.replace(self, terms=tuple(terms))

    def meaning(self, meant: Mapping[str, Sequence[str]]) -> Query:
        """The same question with other spellings."""
        return msgspec.structs.replace(self, meant=meant)

    @property
    def brief(self) -> bool:
        """Whether it is no more than the first letters of a word."""
        letters = self.terms[0].whole or DENSE
        return len(self.terms) == 1 and self.terms[0].prefix and len(letters) <= BRIEF and letters < DENSE

    def match(self, *, parts: bool = False) -> str:
        """Every term. A name is meant whole: with `parts`, these will do apart as well."""
        return self._within(self._every("", parts))

    def titled(self, *, parts: bool = False) -> Iterator[str]:
        """What to look for first: a title that is the question, every term in a page's title, in any title, or one in a
        title and the others below it."""
        yield self._within(self._word(exact_title(self.typed), False))
        yield self._within(self._every(PAGE, parts))
        yield self._within(self._every(TITLE, parts))
        if len(self.terms) > 1:
            yield self._within(self._both((self._every("", parts), self._any_title())))

    def any_title(self) -> str:
        """Any term in a title."""
        return self._within(self._any_title())

    def one(self, term: Term) -> str:
        """One term."""
        return self._within(self._term(term, "", True))

    def plain(self, word: str) -> str:
        """A word as it is written."""
        return self._within(self._word(word, False))

    def doubtful(self) -> dict[str, str]:
        """Words that may be mistyped, by the match that tells whether they occur."""
        plain = [
            (word, prefix)
            for term in self.terms
            for word, prefix in term.words
            if len(word) >= TYPO_LETTERS and word.isalpha() and not (term.parts and word == term.whole)
        ]
        return {self._within(self._spelled(word, prefix, "")): word for word, prefix in plain}

    def marks(self) -> list[str]:
        """What to mark in a text, as `content.snippets.Marker` takes it."""
        asked: list[str] = []
        for word, prefix in (one for term in self.terms for one in term.words):
            if word in self.meant:
                asked.extend(self.meant[word])
            else:
                asked.append(word + PREFIX * prefix)
                if word.isalpha() and not (prefix and len(word) <= SHORT):
                    asked.append(STEM + stem(word))
        return [*dict.fromkeys(asked)]

    def _any_title(self) -> str:
        return self._either(self._term(term, TITLE, not term.name) for term in self.terms)

    def _every(self, where: str, parts: bool) -> str:
        return self._both(self._term(term, where, parts or not term.name) for term in self.terms)

    def _within(self, match: str) -> str:
        """The match in the spaces alone."""
        if not self.spaces:
            return match
        return self._both((self._either(self._word(IN_SPACE + space, False) for space in self.spaces), match))

    def _term(self, term: Term, where: str, parts: bool) -> str:
        words = [self._spelled(word, prefix, where) for word, prefix in term.words]
        if term.whole is None:
            return self._both(words)
        return self._either((words[0], self._both(words[1:]))) if parts and words[1:] else words[0]

    def _spelled(self, word: str, prefix: bool, where: str) -> str:
        """A word in its spellings: itself, what shares its stem, or what was meant instead; `where` begins each."""
        if word in self.meant:
            return self._either(self._word(where + other, False) for other in self.meant[word])
        if prefix and len(word) <= SHORT and word < DENSE:
            title = self._word((where or TITLE) + word, True)
            return title if where else self._either((self._word(word, False), title))
        root = stem(word)
        others = [STEM + root] if root == word else [root, STEM + root, STEM + word]
        return self._either((self._word(where + word, prefix), *(self._word(where + other, False) for other in others)))

    def _word(self, word: str, prefix: bool) -> str:
        grammar = _GRAMMARS[self.dialect]
        return (grammar.beginning if prefix else grammar.word).format(self.scope + word)

    def _both(self, matches: Iterable[str]) -> str:
        return f"({_GRAMMARS[self.dialect].both.join(matches)})"

    def _either(self, matches: Iterable[str]) -> str:
        return f"({_GRAMMARS[self.dialect].either.join(dict.fromkeys(matches))})"


def read_query(text: str, organization: str, dialect: str, spaces: Sequence[str] | None = None) -> Query:
    """The terms of what somebody typed; without any for text that has no words."""
    terms: dict[tuple[str | None, tuple[str, ...]], bool] = {}
    typed: list[str] = []
    for token in tokens(text):
        typed.extend(token.words)
        raw = text[token.start : token.end]
        name = bool(token.parts) and not any(joint in raw for joint in "._-")
        terms.setdefault((token.whole, token.parts[: PARTS_MAX if token.whole else TERMS_MAX]), name)
        if len(terms) == TERMS_MAX:
            break
    last = len(terms) - 1
    made = [
        Term(whole, parts, at == last, name and whole is not None)
        for at, ((whole, parts), name) in enumerate(terms.items())
    ]
    strong = [term for term in made if not term.weak] or made
    few = tuple(mark(space) for space in spaces or ()) if spaces is None or len(spaces) <= SPACES_MAX else ()
    return Query(mark(organization), tuple(strong), tuple(typed), dialect, few)
