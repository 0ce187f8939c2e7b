"""Merge rules: what must be so before a change request may be merged."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from octavo.wire.fields import Body, Json

MergeRules = Annotated[Json, Meta(description="`type` inherit, none or rules; `rules` of the last")]
"""As served and stored."""

INHERIT: Json = {"type": "inherit"}
NONE: Json = {"type": "none"}


class InheritRules(Body, tag_field="type", tag="inherit", frozen=True):
    """Those of the organization."""


class NoRules(Body, tag_field="type", tag="none", frozen=True):
    """Nothing but the right to merge."""


class ListedRules(Body, tag_field="type", tag="rules", frozen=True):
    rules: list[Json]


SetSpaceRules = InheritRules | NoRules | ListedRules
SetOrganizationRules = NoRules | ListedRules
