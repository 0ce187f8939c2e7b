"""The files of the application, as `make web` built them: a page, and what carries the hash of its bytes in its name."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files

from octavo.web.answers import FOREVER, Answer

STATIC = "/app/~/static/"
"""Where they are served."""
_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}


@cache
def page() -> str:
    """The document, with the names of addresses that only the server knows in double braces."""
    return files("octavo.app").joinpath("static", "index.html").read_text(encoding="utf-8")


@cache
def file(name: str) -> Answer | None:
    """A file of the build; None for what is none. Copy it before it is sent."""
    kind = _TYPES.get(name.rpartition(".")[2])
    if kind is None or name not in names():
        return None
    body = files("octavo.app").joinpath("static", name).read_bytes()
    answer = Answer(200, body, [(b"content-type", kind.encode()), (b"cache-control", FOREVER.encode())])
    answer.zipped = gzip.compress(body, 9, mtime=0)
    return answer


@cache
def names() -> frozenset[str]:
    """Of all files of the build."""
    return frozenset(one.name for one in files("octavo.app").joinpath("static").iterdir() if one.is_file())
