"""GET /: which version of the API answers."""

from __future__ import annotations

from octavo.wire.fields import Shape
from octavo.wire.view import View


class Information(Shape, frozen=True):
    version: str
    build: str


def present(version: str, view: View) -> Information:
    """The package that serves is its build."""
    return Information(version, version)
