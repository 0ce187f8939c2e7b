"""Panics of the typesetter as errors of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Panic(RuntimeError):
    """The typesetter broke."""


@contextmanager
def panics_are_errors() -> Iterator[None]:
    """Raises Panic where the library panics: that is no Exception in Python, and passes by all that handles one."""
    try:
        yield
    except (Exception, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as panic:
        raise Panic("the typesetter broke") from panic
