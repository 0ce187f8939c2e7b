"""Asking a translator: what was translated before is not asked for again, answers are looked at before they are believed.

An answer is remembered by a digest of everything that it hangs on: the text, both languages, the instructions, and those
terms of the glossary that the text has. So a second run asks for what changed, and for nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b

import msgspec

from octavo.content.translation import marked, pages
from octavo.gateways.failures import GatewayFailure, Refused, Unreachable
from octavo.gateways.translators import Block, Question, Term, Translator
from octavo.jobs.work import Work
from octavo.store.unit import Unit

BLOCKS = 40
"""Texts of one question at the most."""
CHARACTERS = 8000
"""Characters of one question at the most; a longer text is asked for alone."""
PAUSES = (1.0, 5.0, 20.0)
"""Seconds before a translator that did not answer is asked again."""
_encode = msgspec.json.Encoder(order="sorted").encode


@dataclass(frozen=True)
class Recipe:
    """Everything but the texts that a translation hangs on."""

    source: str
    target: str
    instructions: str
    glossary: list[Term]
    """From the language of the source to the other."""

    @property
    def digest(self) -> str:
        """Another one whenever any page may come out otherwise."""
        known = [[one.source, one.target] for one in self.glossary]
        return blake2b(_encode([pages.VERSION, self.source, self.target, self.instructions, known])).hexdigest()[:40]

    def terms(self, words: str) -> list[Term]:
        """Those of the glossary that a text has."""
        folded = words.casefold()
        return [one for one in self.glossary if one.source.casefold() in folded]

    def name(self, words: str) -> bytes:
        """Under which the answer to a text is remembered."""
        terms = [[one.source, one.target] for one in self.terms(words)]
        asked = [pages.VERSION, self.source, self.target, self.instructions, terms, words]
        return blake2b(_encode(asked), digest_size=20).digest()


@dataclass
class Counts:
    """Of one run."""

    asked: int = 0
    remembered: int = 0
    words: int = 0


class Silent(Exception):
    """The translator gave no answer that could be used at all, however often it was asked; the sentence says why."""


@dataclass
class Asker:
    """Finds the translations of texts, for one run."""

    work: Work
    organization: str
    recipe: Recipe
    translator: Translator
    counts: Counts = field(default_factory=Counts)
    unusable: dict[str, str] = field(default_factory=dict)
    """Text -> why the answer to it is not taken."""
    known: dict[str, str] = field(default_factory=dict)

    async def ask(self, texts: Iterable[str]) -> None:
        """Have the translations of these in `known`, as far as there are any. Raises Silent."""
        wanted = [one for one in dict.fromkeys(texts) if one not in self.known and one not in self.unusable]
        names = {self.recipe.name(one): one for one in wanted}
        found = await self.work.write(partial(_recall, organization=self.organization, names=frozenset(names)))
        self.known |= {names[name]: answer for name, answer in found.items()}
        self.counts.remembered += len(found)
        for batch in _batches(one for name, one in names.items() if name not in found):
            await self._ask(batch)

    async def _ask(self, batch: list[str]) -> None:
        """One question, and another one about what was not answered so that it can be used."""
        self.counts.asked += len(batch)
        self.counts.words += sum(map(marked.count, batch))
        answers, faults = _looked_at(batch, await self._answered(batch))
        if faults:
            left = list(faults)
            more, faults = _looked_at(left, await self._answered(left))
            answers |= more
        if not answers and len(batch) > 1:
            raise Silent(f"The translator answered nothing that can be used: {next(iter(faults.values()))}.")
        self.unusable |= faults
        self.known |= answers
        learned = {self.recipe.name(one): answer for one, answer in answers.items()}
        await self.work.write(partial(_learn, organization=self.organization, answers=learned))

    async def _answered(self, batch: list[str]) -> dict[str, str]:
        """By text, what came back. Raises Silent when nothing did, after some pauses."""
        terms = {(one.source, one.target): one for words in batch for one in self.recipe.terms(words)}
        blocks = [Block(str(number), words) for number, words in enumerate(batch)]
        recipe = self.recipe
        question = Question(recipe.source, recipe.target, recipe.instructions, list(terms.values()), blocks)
        for pause in (*PAUSES, None):
            try:
                answers = await self.translator.translate(question)
                return {words: answers[str(number)] for number, words in enumerate(batch) if str(number) in answers}
            except Refused as failure:
                raise Silent(failure.message) from failure
            except GatewayFailure as failure:
                if pause is None:
                    raise Silent(failure.message) from failure
                await asyncio.sleep(pause)
        raise Unreachable("unreachable")  # the last round returns or raises


def _looked_at(batch: list[str], answers: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Answers that can stand in for their texts, and why the others cannot."""
    good: dict[str, str] = {}
    faults: dict[str, str] = {}
    for words in batch:
        if words not in answers:
            faults[words] = "the translator gave no answer"
            continue
        try:
            good[words] = marked.checked(words, answers[words])
        except marked.Unusable as why:
            faults[words] = str(why)
    return good, faults


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for words in texts:
        if batch and (len(batch) >= BLOCKS or size + len(words) > CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(words)
        size += len(words)
    if batch:
        yield batch


async def _recall(unit: Unit, *, organization: str, names: frozenset[bytes]) -> dict[bytes, str]:
    found = await unit.translation_memory.known(organization, names)
    await unit.translation_memory.use(organization, found, unit.now)
    return found


async def _learn(unit: Unit, *, organization: str, answers: dict[bytes, str]) -> None:
    await unit.translation_memory.learn(organization, answers, unit.now)
