"""What the method and the headers of a request make of an answer."""

from __future__ import annotations

import gzip

import pytest

from octavo.web.answers import Answer, html, plain, redirect, zipped
from tests.client import Reply
from tests.web.requests import Sent, run

ALWAYS = ((b"cache-control", b"no-store"), (b"x-frame-options", b"DENY"))


def _sent(answer: Answer, method: str = "GET", **headers: str) -> Reply:
    scope = {"method": method, "headers": [(n.replace("_", "-").encode(), v.encode()) for n, v in headers.items()]}
    sent = Sent()
    run(answer.send(scope, sent, ALWAYS))
    return sent.reply


def test_head_is_get_without_a_body() -> None:
    for answer in (
        plain(404, "Nothing."),
        zipped(200, "text/html", "words " * 100),
        html(200, "ü"),
        redirect(303, "/x"),
    ):
        for headers in ({}, {"accept_encoding": "gzip"}):
            got, asked = _sent(answer, **headers), _sent(answer, "HEAD", **headers)
            assert (asked.status, asked.headers, asked.body) == (got.status, got.headers, b"")
            assert got.headers["content-length"] == str(len(got.body))


@pytest.mark.parametrize("status", [204, 304])
def test_what_has_no_body_has_no_length(status: int) -> None:
    assert "content-length" not in _sent(Answer(status)).headers


@pytest.mark.parametrize(
    ("asked", "status"), [('"a"', 304), ('W/"a"', 304), ('"b", "a"', 304), ("*", 304), ('"b"', 200)]
)
def test_who_has_it_gets_nothing(asked: str, status: int) -> None:
    answer = zipped(200, "text/plain", "words")
    answer.etag = b'"a"'
    reply = _sent(answer, if_none_match=asked, accept_encoding="gzip")
    assert (reply.status, bool(reply.body)) == (status, status == 200)
    assert reply.headers["etag"] == '"a"'
    assert ("content-length" in reply.headers) == ("content-encoding" in reply.headers) == (status == 200)
    assert reply.headers["vary"] == "accept-encoding"


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip; q=0.0, br", False),
        ("xgzip", False),
        ("", False),
    ],
)
def test_compressed_for_who_takes_it(asked: str, taken: bool) -> None:
    reply = _sent(zipped(200, "text/plain", "words " * 100), accept_encoding=asked)
    assert (reply.headers.get("content-encoding") == "gzip") == taken
    assert (gzip.decompress(reply.body) if taken else reply.body) == b"words " * 100


def test_an_own_header_replaces_that_of_the_door() -> None:
    reply = _sent(plain(200, "x").header("cache-control", "public"))
    assert (reply.headers["cache-control"], reply.headers["x-frame-options"]) == ("public", "DENY")


def test_an_address_is_never_another_header() -> None:
    reply = _sent(redirect(303, "/a b\r\nset-cookie: x=y\x00é%20?q=1&r=[2]#z", (b"set-cookie", b"own=1")))
    assert reply.headers["location"] == "/a%20b%0D%0Aset-cookie:%20x=y%00%C3%A9%20?q=1&r=[2]#z"
    assert reply.headers["set-cookie"] == "own=1"


def test_a_packed_answer_is_the_same_to_everybody() -> None:
    whole, packed = zipped(200, "text/html", "words " * 100), zipped(200, "text/html", "words " * 100).pack()
    whole.etag = packed.etag = b'"one"'
    assert packed.body == b""
    for method in ("GET", "HEAD"):
        for headers in ({}, {"accept_encoding": "gzip"}, {"if_none_match": '"one"'}):
            one, other = (_sent(answer.copy(), method, **headers) for answer in (whole, packed))
            assert (one.status, one.headers, one.body) == (other.status, other.headers, other.body)
    assert plain(200, "short").pack().body == b"short"
