"""GET /: which version of the API answers."""

from __future__ import annotations

import msgspec

from octavo.wire.fields import Shape
from octavo.wire.view import View


class InformationPermissions(Shape, frozen=True):
    """What the caller may do with the installation as a whole."""

    operate: bool


class Information(Shape, frozen=True):
    version: str
    build: str
    permissions: InformationPermissions


class InformationView(msgspec.Struct, frozen=True):
    version: str
    operates: bool
    """Whether the caller is one of the installation's operators."""


def present(found: InformationView, view: View) -> Information:
    """The package that serves is its build."""
    return Information(found.version, found.version, InformationPermissions(found.operates))
