"""Merge rules: what must be so before a change request may be merged."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta

from octavo.content import conditions
from octavo.kernel import limits
from octavo.wire.fields import Body, Id, Json, Maybe

MergeRules = Annotated[Json, Meta(description="`type` inherit, none or rules; `rules` of the last")]
"""As served and stored."""

INHERIT: Json = {"type": "inherit"}
NONE: Json = {"type": "none"}


class RequireReview(Body, tag_field="rule", tag="require_at_least_one_review", frozen=True):
    """Somebody besides the author has reviewed it."""


class RequireApproval(Body, tag_field="rule", tag="require_at_least_one_approved_review", frozen=True):
    """Somebody besides the author has approved it."""


class RequireAllApproved(Body, tag_field="rule", tag="require_all_reviews_approved", frozen=True):
    """Nobody's last review asks for changes."""


class RequireAgentReview(Body, tag_field="rule", tag="require_agent_review", frozen=True):
    """A review by an assistant; this service has none, so nothing meets it."""


class RequireUpToDate(Body, tag_field="rule", tag="require_up_to_date_change_request", frozen=True):
    """It holds the latest primary content."""


class RequireSubject(Body, tag_field="rule", tag="require_change_request_subject", frozen=True):
    """It was given a subject."""


class RequireDescription(Body, tag_field="rule", tag="require_change_request_description", frozen=True):
    """It was given a description."""


class RequireAuthor(Body, tag_field="rule", tag="require_author_to_merge", frozen=True):
    """Who created it merges it."""


class RequireReviewers(Body, tag_field="rule", tag="require_specific_reviewers", frozen=True):
    """Each of these users has approved it."""

    users: list[Id]


class RequireOneReviewer(Body, tag_field="rule", tag="require_one_of_specific_reviewers", frozen=True):
    """One of these users has approved it."""

    users: list[Id]


class AllowBypass(Body, tag_field="rule", tag="allow_bypass", frozen=True):
    """These users may merge whatever the other rules say."""

    users: list[Id]


class CustomRule(Body, tag_field="rule", tag="custom", frozen=True):
    """An expression over `space`, `changeRequest`, `reviews` and `actor`; `message` is what a refusal says."""

    expression: Annotated[str, Meta(max_length=limits.MERGE_EXPRESSION_MAX)]
    message: Maybe[str] = UNSET

    def __post_init__(self) -> None:
        if (fault := conditions.check(self.expression)) is not None:
            raise ValueError(f"expression: {fault}")


Rule = (
    RequireReview | RequireApproval | RequireAllApproved | RequireAgentReview | RequireUpToDate | RequireSubject
    | RequireDescription | RequireAuthor | RequireReviewers | RequireOneReviewer | AllowBypass | CustomRule
)  # fmt: skip


class InheritRules(Body, tag_field="type", tag="inherit", frozen=True):
    """Those of the organization."""


class NoRules(Body, tag_field="type", tag="none", frozen=True):
    """Nothing but the right to merge."""


class ListedRules(Body, tag_field="type", tag="rules", frozen=True):
    """All of them must be met."""

    rules: list[Rule]


SetSpaceRules = InheritRules | NoRules | ListedRules
SetOrganizationRules = NoRules | ListedRules
