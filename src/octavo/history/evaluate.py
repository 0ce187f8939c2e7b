"""What the expressions of a space's pages may name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def anybody(space_variables: Mapping[str, Any], page_variables: Mapping[str, Any]) -> Mapping[str, Any]:
    """What expressions may name for a visitor of whom nothing is known."""
    return somebody({}, space_variables, page_variables)


def somebody(
    claims: Mapping[str, Any], space_variables: Mapping[str, Any], page_variables: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The same for one of whom that is known."""
    return {
        "space": {"vars": space_variables},
        "page": {"vars": page_variables},
        "visitor": {"claims": {"unsigned": {}, **claims}},
    }
