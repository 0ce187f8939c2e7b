"""The life of a request at a door for people: its address is read, something answers, what fails is told and logged."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from octavo.kernel.errors import BadRequest, Failure, NotAllowed
from octavo.kernel.ids import new_id
from octavo.web.answers import Answer, plain
from octavo.web.asgi import Scope
from octavo.web.errors import sentence_of
from octavo.web.fields import Fields, read_query

Refuse = Callable[[int, str, str | None], Answer]
"""Status, sentence, and under what the log has it, where something broke -> how the door tells of it."""
BROKEN = "Something broke here; the log has it under {}."


async def answered(
    scope: Scope, log: logging.Logger, work: Callable[[Fields], Awaitable[Answer]], refuse: Refuse
) -> Answer:
    """What `work` answers to a request with that query; every failure becomes an answer by `refuse`."""
    try:
        if "\x00" in scope["path"]:
            raise BadRequest("the path holds the character U+0000, which no text may hold")
        return await work(read_query(scope))
    except NotAllowed as failure:
        return refuse(failure.status, sentence_of(failure), None).header("allow", ", ".join(failure.allow))
    except Failure as failure:
        return refuse(failure.status, sentence_of(failure), None)
    except Exception:
        reference = new_id()
        log.exception("a request failed", extra={"request": reference, "path": scope["path"]})
        return refuse(500, BROKEN.format(reference), reference)


def refuse_plainly(status: int, sentence: str, _: str | None) -> Answer:
    """A refusal as text."""
    return plain(status, sentence)


def only(scope: Scope, *methods: str) -> None:
    """Raise NotAllowed for any other method; with GET goes HEAD."""
    allowed = [*methods, "HEAD"] if "GET" in methods else list(methods)
    if scope["method"] not in allowed:
        listed = " and ".join(methods)
        raise NotAllowed(f"only {listed} {'are' if len(methods) > 1 else 'is'} possible here", allowed)
