"""What protects forms of people's pages from other sites: a word bound to the session in every form, and the origin."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterable

from octavo.access.signing import Signer
from octavo.content.urls import parts

FIELD = "form"
"""The name of the hidden field."""


def form_word(signer: Signer, bound: str) -> str:
    """The value of the hidden field in a form for that session's id, or for the id of a browser without session."""
    return signer.write_form(bound)


def is_ours(
    signer: Signer,
    bound: str,
    given: str | None,
    headers: Iterable[tuple[bytes, bytes]],
    hosts: Collection[str],
) -> bool:
    """Whether a POST came from a form of ours: its word is that of this session, and no other origin is named.

    `hosts` are the installation's own and the one that was asked, in lower case with their ports. Browsers send
    `Origin` with every POST; a program that sends neither that nor `Sec-Fetch-Site` is judged by the word alone.
    """
    if given is None or not hmac.compare_digest(given.encode(), form_word(signer, bound).encode()):
        return False
    for name, value in headers:
        if name == b"origin" and _host(value) not in hosts:
            return False
        if name == b"sec-fetch-site" and value not in (b"same-origin", b"none"):
            return False
    return True


def names_origin(headers: Iterable[tuple[bytes, bytes]], hosts: Collection[str]) -> bool:
    """Whether a request says that a page of these hosts sent it, and of no other; a request that says nothing does not."""
    given = dict(headers)
    origin = given.get(b"origin")
    if origin is None or _host(origin) not in hosts:
        return False
    return given.get(b"sec-fetch-site", b"same-origin") == b"same-origin"


def _host(origin: bytes) -> str | None:
    found = parts(origin.decode("latin-1"))
    return None if found is None else found.netloc.lower()
