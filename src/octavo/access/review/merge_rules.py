"""Merge rules, decided: may this change request be merged by that user, and if not, which rule forbids it.

Rules are as `wire.merge_rules` takes them. What cannot be understood or answered forbids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from octavo.content import conditions
from octavo.content.document import plain
from octavo.kernel.records import Json
from octavo.kernel.records.review import ChangeRequest, Review

UNTITLED = "Untitled change"
"""The subject of a change request that was given none."""

Rule = Mapping[str, Any]


class Merging(msgspec.Struct, frozen=True):
    """What the rules are asked about."""

    request: ChangeRequest
    outdated: bool
    reviews: Sequence[Review]
    """Those that stand, see `standing`."""
    actor: str
    """Id of the user who wants to merge."""
    context: Mapping[str, Any]
    """What the expressions of custom rules may name."""

    @property
    def approvers(self) -> set[str]:
        return {review.reviewer for review in self.reviews if review.status == "approved"}


def standing(reviews: Iterable[Review], head: str) -> list[Review]:
    """The reviews that count: the last of each reviewer. An approval counts for what the reviewer saw, until another
    review is asked for; a wish for changes counts until the same reviewer reviews again."""
    return [
        review
        for review in reviews
        if not review.superseded and (review.status != "approved" or not _old(review, head))
    ]


def outdated(review: Review, head: str) -> bool:
    """Whether the content changed since, or a newer review was submitted or asked for."""
    return review.superseded or _old(review, head)


def applying(space: Json | None, organization: Json | None) -> list[Rule]:
    """The rules that hold in a space: its own, or those of the organization where it inherits or says nothing."""
    rules = space or {"type": "inherit"}
    if rules["type"] == "inherit":
        rules = organization or {"type": "none"}
    listed: list[Rule] = [] if rules["type"] == "none" else rules["rules"]
    return listed


def forbids(rules: Sequence[Rule], merging: Merging) -> str | None:
    """The first rule that is not met, as a sentence that begins with its name; None when nothing forbids the merge."""
    if bypasses(rules, merging.actor):
        return None
    return next((said for rule in rules if (said := _unmet(rule, merging)) is not None), None)


def bypasses(rules: Sequence[Rule], actor: str) -> bool:
    """Whether somebody may merge whatever the other rules say."""
    return any(rule["rule"] == "allow_bypass" and actor in rule["users"] for rule in rules)


def told(rules: Sequence[Rule], merging: Merging) -> list[tuple[str, str | None]]:
    """Each rule by its name, with what is missing; None where it is met."""
    asked = [(rule["rule"], _unmet(rule, merging)) for rule in rules if rule["rule"] != "allow_bypass"]
    return [(name, None if unmet is None else unmet.removeprefix(f"{name}: ")) for name, unmet in asked]


def _old(review: Review, head: str) -> bool:
    return review.asked_again or review.revision != head


def _unmet(rule: Rule, merging: Merging) -> str | None:
    name = rule["rule"]
    if name == "custom":
        met = conditions.compile(rule["expression"]).holds(merging.context)
        return None if met else f"custom: {rule.get('message') or 'the expression does not hold'}"
    if name not in _RULES:
        return f"{name}: this rule is not known"
    meets, wanted = _RULES[name]
    return None if meets(rule, merging) else f"{name}: {wanted}"


def _others(reviewers: Iterable[str], merging: Merging) -> bool:
    return any(reviewer != merging.request.created_by for reviewer in reviewers)


def _has_subject(rule: Rule, merging: Merging) -> bool:
    return merging.request.subject not in ("", UNTITLED)


def _has_description(rule: Rule, merging: Merging) -> bool:
    description = merging.request.description
    return description is not None and plain(description).strip() != ""


_RULES: dict[str, tuple[Callable[[Rule, Merging], bool], str]] = {
    "allow_bypass": (lambda rule, merging: True, ""),
    "require_at_least_one_review": (
        lambda rule, merging: _others((review.reviewer for review in merging.reviews), merging),
        "nobody but the author has reviewed it as it is now",
    ),
    "require_at_least_one_approved_review": (
        lambda rule, merging: _others(merging.approvers, merging),
        "nobody but the author has approved it as it is now",
    ),
    "require_all_reviews_approved": (
        lambda rule, merging: all(review.status == "approved" for review in merging.reviews),
        "a reviewer asks for changes",
    ),
    "require_specific_reviewers": (
        lambda rule, merging: set(rule["users"]) <= merging.approvers,
        "not everybody whom the rule names has approved it as it is now",
    ),
    "require_one_of_specific_reviewers": (
        lambda rule, merging: not merging.approvers.isdisjoint(rule["users"]),
        "nobody whom the rule names has approved it as it is now",
    ),
    "require_agent_review": (lambda rule, merging: False, "this service has no assistant that reviews"),
    "require_up_to_date_change_request": (
        lambda rule, merging: not merging.outdated,
        "primary content has changed since; update the change request first",
    ),
    "require_change_request_subject": (_has_subject, "it has no subject"),
    "require_change_request_description": (_has_description, "it has no description"),
    "require_author_to_merge": (
        lambda rule, merging: merging.actor == merging.request.created_by,
        "only its author may merge it",
    ),
}
"""Name -> whether it is met, and what a refusal says."""
