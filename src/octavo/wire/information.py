"""GET /: which version of the API answers."""

from __future__ import annotations

from octavo.wire.fields import Shape


class Information(Shape, frozen=True):
    version: str
    build: str


def present(version: str, build: str) -> Information:
    """`version` of the package and the build that serves it."""
    return Information(version, build)
