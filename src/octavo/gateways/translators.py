"""Translators: parties that turn texts into another language, asked over HTTP; and how any of them is asked and answers.

A question is one JSON object: `source` and `target` (languages), `instructions`, `glossary` (pairs of terms, `source` and
`target`) and `blocks` (`id`, `text`). An answer is `{"blocks": [{"id", "text"}]}`. In a text `<3/>` and `<1>…</1>` stand
for what is not translated; they come back as they were. `docs/running/translations.md` tells it to whoever writes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

import msgspec

from octavo.gateways import web
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import Refused, Unreachable

ANSWER_MAX = 4 << 20
"""Bytes of an answer."""


class Term(msgspec.Struct, frozen=True):
    """What a term is called."""

    source: str
    target: str


class Block(msgspec.Struct, frozen=True):
    """One text."""

    id: str
    text: str


class Question(msgspec.Struct, frozen=True):
    """Some texts, and all that a translator is told about them."""

    source: str
    target: str
    instructions: str
    glossary: list[Term]
    blocks: list[Block]


class _Answer(msgspec.Struct, frozen=True):
    blocks: list[Block]


class Translator(Protocol):
    """Somebody who translates."""

    async def translate(self, question: Question) -> Mapping[str, str]:
        """The translations by id, of as many of the blocks as there are. Raises GatewayFailure."""
        ...


def read_answer(question: Question, data: bytes) -> dict[str, str]:
    """What an answer says of the blocks that were asked for. Raises Unreachable where it is no answer at all."""
    try:
        answer = msgspec.json.decode(data, type=_Answer)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreachable("The translator answered something else than {blocks: [{id, text}]}.") from error
    asked = {block.id for block in question.blocks}
    return {block.id: block.text for block in answer.blocks if block.id in asked}


@dataclass(frozen=True)
class HttpTranslator:
    """One that takes questions by POST at an address that the operator named."""

    url: str
    token: str | None
    seconds: float

    async def translate(self, question: Question) -> Mapping[str, str]:
        headers = {"content-type": "application/json", "accept": "application/json"}
        if self.token is not None:
            headers["authorization"] = f"Bearer {self.token}"
        # The operator named it: it may stand in a network of the installation's own.
        guard = Guard(allow_hosts=frozenset((urlsplit(self.url).netloc.rpartition("@")[2].lower(),)))
        limits = web.Limits(bytes=ANSWER_MAX, seconds=self.seconds, redirects=0)
        body = msgspec.json.encode(question)
        answer = await web.fetch(self.url, method="POST", headers=headers, body=body, guard=guard, limits=limits)
        if answer.status in (401, 403):
            raise Refused(f"The translator refused the token of the installation ({answer.status}).")
        if answer.status >= 300:
            raise Unreachable(f"The translator answered {answer.status}.")
        return read_answer(question, answer.body)
