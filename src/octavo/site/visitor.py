"""Who reads a site: what is known of them, made once for a request, and everything that decides what they see asks it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from octavo.content import conditions
from octavo.kernel.records import Json

_NOTHING: Mapping[str, Any] = {}
_encode = msgspec.json.Encoder(order="deterministic").encode


class Visitor(msgspec.Struct, frozen=True):
    """A reader of a site, let in already."""

    claims: Json = {}
    """What is known of them, of what the site's schema declares; `unsigned` holds what they say themselves."""
    drafts: bool = False
    """Whether they see what is not ready for visitors, as in a preview."""
    previews: bool = False
    """Whether they look at the site ahead of visitors."""
    only: str | None = None
    """The space that alone they see, of a site that is not open to everybody."""
    own: str | None = None
    """The space that alone they see as these claims and drafts say, of a site that is: they speak for nothing else."""

    def of(self, space: str) -> Visitor:
        """As whom they read a space."""
        return self if self.own in (None, space) else replace(self, claims={}, drafts=False)

    def scope(
        self, space_variables: Mapping[str, Any] = _NOTHING, page_variables: Mapping[str, Any] = _NOTHING
    ) -> Mapping[str, Any]:
        """What expressions may name for them."""
        return {
            "space": {"vars": space_variables},
            "page": {"vars": page_variables},
            "visitor": {"claims": {"unsigned": {}} | self.claims},
        }

    def known(self, names: Iterable[str]) -> bytes:
        """What is known of them under these names of `conditions.names`, as a part of a key: what was made for one visitor
        serves every other of whom the same is known. Empty where the names speak of no visitor."""
        values: dict[str, Any] = {}
        for name in names:
            if name == "visitor" or name == "visitor.claims":
                values[""] = self.claims
            elif name.startswith("visitor.claims."):
                claim = name.removeprefix("visitor.claims.")
                if claim in self.claims:
                    values[claim] = self.claims[claim]
        return _encode(values) if values else b""


ANYBODY = Visitor()
"""Somebody of whom nothing is known."""


def holds(condition: str | None, scope: Mapping[str, Any]) -> bool:
    """Whether what has a condition is seen; one that cannot be decided hides it."""
    return not condition or conditions.compile(condition).holds(scope)


def names_of(texts: Iterable[str | None]) -> frozenset[str]:
    """What these conditions read of visitors, as `Visitor.known` takes it."""
    found = frozenset[str]().union(*(conditions.names(text) for text in texts if text))
    return frozenset(name for name in found if name == "visitor" or name.startswith("visitor."))
