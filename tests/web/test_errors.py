"""How refusals are told."""

from __future__ import annotations

import asyncio
import logging

import pytest

from octavo.kernel.errors import BadRequest, Failure, NotAllowed, NotFound
from octavo.web.answers import Answer, plain
from octavo.web.door import answered, only, refuse_plainly
from octavo.web.errors import sentence_of
from octavo.web.fields import Fields
from tests.web.requests import run

_log = logging.getLogger("octavo.test")


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("the query is longer than 16384 bytes", "The query is longer than 16384 bytes."),
        ("q: holds the character U+0000", "q: holds the character U+0000."),
        ("This form is no longer valid. Please try again.", "This form is no longer valid. Please try again."),
        ("é", "É."),
        ("", "."),
    ],
)
def test_people_are_told_in_sentences(message: str, sentence: str) -> None:
    assert sentence_of(BadRequest(message)) == sentence


def _asked(failure: BaseException | None, path: str = "/", query: bytes = b"") -> Answer:
    async def work(fields: Fields) -> Answer:
        if failure is not None:
            raise failure
        return plain(200, str(fields))

    return run(answered({"path": path, "query_string": query}, _log, work, refuse_plainly))


def test_work_is_given_what_was_asked() -> None:
    assert _asked(None, query=b"a=1&a=2").body == b"{'a': ['1', '2']}"


@pytest.mark.parametrize("failure", [BadRequest("no"), NotFound("nothing"), NotAllowed("only GET", ["GET", "HEAD"])])
def test_a_refusal_is_an_answer_and_in_no_log(failure: Failure, caplog: pytest.LogCaptureFixture) -> None:
    answer = _asked(failure)
    assert (answer.status, answer.body.decode()) == (failure.status, sentence_of(failure))
    assert ((b"allow", b"GET, HEAD") in answer.headers) == (answer.status == 405)
    assert not caplog.records


def test_what_cannot_be_read_is_not_worked_on() -> None:
    reached = RuntimeError("reached")
    assert _asked(reached, path="/a\0b").status == 400
    assert _asked(reached, query=b"a=%ff").status == 400


def test_what_breaks_is_in_the_log_under_what_is_told(caplog: pytest.LogCaptureFixture) -> None:
    answer = _asked(RuntimeError("a secret of ours"), path="/place")
    [record] = caplog.records
    assert answer.status == 500
    assert vars(record)["request"] in answer.body.decode()
    assert vars(record)["path"] == "/place"
    assert b"secret" not in answer.body


def test_who_goes_away_is_no_failure() -> None:
    with pytest.raises(asyncio.CancelledError):
        _asked(asyncio.CancelledError())


def test_with_get_goes_head() -> None:
    for method in ("GET", "HEAD"):
        only({"method": method}, "GET")
    for method, allowed in (("HEAD", ("POST",)), ("PUT", ("GET", "POST")), ("get", ("GET",))):
        with pytest.raises(NotAllowed):
            only({"method": method}, *allowed)
