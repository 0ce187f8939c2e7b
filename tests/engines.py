"""Which tests run on both databases, and on which one the others run.

What is asked of a database itself runs on both, always:

* `tests/store`: the only SQL, every query of which is written or explained for both;
* `tests/contract`: who may do what, asked of every operation; roles come out of queries;
* `tests/access`: the same, where roles of several kinds meet;
* `tests/api`: what all operations share, with requests at once and what they lock;
* `tests/jobs`: leases, fences and what is taken over;
* whatever asks for several things at once (`at_once` sees it): units that meet are a matter of locks on one database and
  of one writer on the other.

Every other test reaches a database through the same shelves. It runs on one of the two, which follows from its name: half
of them run on each, and a test stays with its database. `OCTAVO_TEST_ENGINES=both`, as in `make deep`, runs all on both;
`sqlite` and `postgres` run all on one.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

ENGINES = ("sqlite", "postgres")
BOTH = ("tests/store/", "tests/contract/", "tests/access/", "tests/api/", "tests/jobs/")
"""Folders whose tests run on each."""
_TOGETHER = frozenset({"gather", "TaskGroup"})
_BESIDE = frozenset({"ensure_future", "create_task"})
_ENGINE = re.compile(rf"(?<=[\[-])({'|'.join(ENGINES)})(?=[\]-])")


def chosen(identity: str) -> str:
    """The database of a test that runs on one, by its id; the same whichever database the id names.

    >>> chosen("tests/a.py::test_b[sqlite-c]") == chosen("tests/a.py::test_b[postgres-c]")
    True
    """
    return ENGINES[zlib.crc32(_ENGINE.sub("*", identity).encode()) % len(ENGINES)]


def runs(identity: str, function: FunctionType, wanted: str) -> bool:
    """Whether a test runs; `wanted` is what OCTAVO_TEST_ENGINES says: one, both or the name of an engine."""
    engine = _ENGINE.search(identity)
    if engine is None or wanted == "both":
        return True
    if wanted in ENGINES:
        return engine[0] == wanted
    return identity.startswith(BOTH) or at_once(function) or engine[0] == chosen(identity)


def at_once(function: FunctionType) -> bool:
    """Whether a test does several things at once, itself or by a function of its file; one that only has somebody wait
    for it beside a worker does not."""
    names = set(_names(function.__code__))
    if not names.isdisjoint(_TOGETHER | _BESIDE):
        return True
    helpers = [function.__globals__.get(name) for name in names]
    own = [one for one in helpers if isinstance(one, FunctionType) and one.__module__ == function.__module__]
    return any(not _TOGETHER.isdisjoint(_names(one.__code__)) for one in own)


def _names(code: CodeType) -> Iterator[str]:
    """What a function and those within it name."""
    yield from code.co_names
    constants: tuple[Any, ...] = code.co_consts
    for constant in constants:
        if isinstance(constant, CodeType):
            yield from _names(constant)
