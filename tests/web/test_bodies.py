"""Bodies and fields: what is read, what is refused and how, and how much of it is held."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from octavo.kernel.errors import BadRequest, Failure, TooLarge, Unsupported
from octavo.web.bodies import read_body, stream_body
from octavo.web.fields import read_form, read_query
from octavo.web.limits import FIELDS_MAX, QUERY_MAX
from tests.web.requests import arriving, run

FORM = {b"content-type": b"application/x-www-form-urlencoded; charset=utf-8"}


def test_a_body_in_pieces_is_one() -> None:
    assert run(read_body(arriving(b"ab", b"", b"c"), {}, 3)) == b"abc"
    assert run(read_body(arriving(b"ab", b"c"), {b"content-length": b"3"}, 3)) == b"abc"
    assert run(read_body(arriving(), {}, 0)) == b""


@pytest.mark.parametrize(
    ("declared", "parts", "failure"),
    [
        (b"4", (), TooLarge), (b"9" * 18, (), TooLarge), (None, (b"ab", b"cd"), TooLarge), (b"2", (b"abc",), BadRequest),
        (b"3", (b"ab",), BadRequest), (b"-1", (b"a",), BadRequest), (b"two", (b"ab",), BadRequest),
        (b"9" * 5000, (b"ab",), BadRequest), (b"", (b"ab",), BadRequest), (b"\xb2", (b"ab",), BadRequest),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(declared: bytes | None, parts: tuple[bytes, ...], failure: type[Failure]) -> None:
    headers = {} if declared is None else {b"content-length": declared}
    with pytest.raises(failure):
        run(read_body(arriving(*parts), headers, 3))


def test_nothing_is_read_of_what_says_that_it_is_too_large() -> None:
    async def receive() -> Any:
        raise AssertionError("read")

    with pytest.raises(TooLarge):
        run(read_body(receive, {b"content-length": b"11"}, 10))


def test_a_connection_that_ends_is_told_from_a_body_that_does() -> None:
    with pytest.raises(BadRequest, match="closed"):
        run(read_body(arriving(b"abc", ends=False), {}, 10))


def test_of_a_stream_one_piece_is_held() -> None:
    pieces = 0

    async def receive() -> Any:
        nonlocal pieces
        pieces += 1
        return {"type": "http.request", "body": bytes(1000), "more_body": pieces < 50}

    async def read(parts: AsyncIterator[bytes]) -> None:
        seen = 0
        async for part in parts:
            seen += 1
            assert (len(part), pieces) == (1000, seen)
        assert seen == 50

    run(read(stream_body(receive, {}, 50_000)))


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"", {}), (b"a=1&a=2&b=&c", {"a": ["1", "2"], "b": [""], "c": [""]}), (b"a=%C3%A9+x", {"a": ["é x"]}),
        ("a=é".encode(), {"a": ["é"]}), (b"a=%zz%", {"a": ["%zz%"]}), (b"&&=", {"": [""]}), (b"a=1;b=2", {"a": ["1;b=2"]}),
    ],
)  # fmt: skip
def test_fields_are_read(raw: bytes, found: dict[str, list[str]]) -> None:
    assert read_query({"query_string": raw}) == found
    assert run(read_form(arriving(raw), FORM, 1000)) == found


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"a=%ff", "UTF-8"), (b"a=\xff", "UTF-8"), (b"%ed%a0%80=", "UTF-8"), (b"a=x%00", "a: holds the character U+0000"),
        (b"a%00=", "a: holds the character U+0000"), (b"a&" * FIELDS_MAX, "more than 200 fields"),
    ],
)  # fmt: skip
def test_fields_that_cannot_be_read_are_refused(raw: bytes, sentence: str) -> None:
    for read in (lambda: read_query({"query_string": raw}), lambda: run(read_form(arriving(raw), FORM, 1000))):
        with pytest.raises(BadRequest) as refused:
            read()
        assert sentence in refused.value.message


def test_limits_of_fields_are_exact() -> None:
    assert len(read_query({"query_string": b"&".join(b"a%d=" % n for n in range(FIELDS_MAX))})) == FIELDS_MAX
    assert read_query({"query_string": b"a=" + b"x" * (QUERY_MAX - 2)})
    with pytest.raises(BadRequest):
        read_query({"query_string": b"a=" + b"x" * (QUERY_MAX - 1)})


@pytest.mark.parametrize("kind", [b"application/json", b"multipart/form-data; boundary=x", b"text/plain", b""])
def test_a_form_is_sent_as_forms_are(kind: bytes) -> None:
    with pytest.raises(Unsupported):
        run(read_form(arriving(b"a=1"), {b"content-type": kind}, 1000))
