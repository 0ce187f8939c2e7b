"""Merge rules as a pure decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from octavo.access.review import merge_rules
from octavo.kernel.records.review import ChangeRequest, Review
from octavo.wire.review.merge_rules import Rule

REQUEST = ChangeRequest(
    id="cr", organization="o", space="s", number=1, subject="Words", status="open", created_by="author",
    created_at=0, updated_at=0, revision="now", revision_initial="r0",
)  # fmt: skip
DESCRIPTION = {
    "object": "document",
    "nodes": [{"object": "block", "type": "paragraph", "nodes": [{"object": "text", "leaves": [{"text": "Why"}]}]}],
}
BLANK = {"object": "document", "nodes": [{"object": "block", "type": "paragraph", "nodes": []}]}


def review(reviewer: str, status: str = "approved", revision: str = "now", **fields: Any) -> Review:
    return Review(
        id=reviewer, organization="o", change_request="cr", revision=revision, reviewer=reviewer,
        status=status, created_at=0, updated_at=0, **fields,  # type: ignore[arg-type]
    )  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A rule, what there is, and whether it is met."""

    rule: str
    met: bool
    reviews: tuple[Review, ...] = ()
    users: tuple[str, ...] | None = None
    actor: str = "author"
    outdated: bool = False
    subject: str = "Words"
    description: dict[str, Any] | None = None
    expression: str | None = None


GRACE, ALAN, AUTHOR = review("grace"), review("alan"), review("author")
OLD = review("grace", revision="r0")
WISH, OLD_WISH = review("grace", "changes-requested"), review("grace", "changes-requested", "r0")
CASES = (
    Case("require_at_least_one_review", False),
    Case("require_at_least_one_review", True, (GRACE,)),
    Case("require_at_least_one_review", True, (WISH,)),
    Case("require_at_least_one_review", True, (OLD_WISH,)),
    Case("require_at_least_one_review", False, (AUTHOR,)),
    Case("require_at_least_one_review", False, (OLD,)),
    Case("require_at_least_one_approved_review", False),
    Case("require_at_least_one_approved_review", True, (GRACE,)),
    Case("require_at_least_one_approved_review", False, (WISH,)),
    Case("require_at_least_one_approved_review", True, (WISH, ALAN)),
    Case("require_at_least_one_approved_review", False, (AUTHOR,)),
    Case("require_at_least_one_approved_review", False, (OLD,)),
    Case("require_at_least_one_approved_review", False, (review("grace", asked_again=True),)),
    Case("require_at_least_one_approved_review", False, (review("grace", superseded=True),)),
    Case("require_all_reviews_approved", True),
    Case("require_all_reviews_approved", True, (GRACE, ALAN)),
    Case("require_all_reviews_approved", False, (WISH, ALAN)),
    Case("require_all_reviews_approved", False, (OLD_WISH, ALAN)),
    Case("require_all_reviews_approved", False, (review("grace", "changes-requested", asked_again=True),)),
    Case("require_all_reviews_approved", True, (review("grace", "changes-requested", superseded=True), GRACE)),
    Case("require_specific_reviewers", True, (), ()),
    Case("require_specific_reviewers", False, (GRACE,), ("grace", "alan")),
    Case("require_specific_reviewers", True, (GRACE, ALAN), ("grace", "alan")),
    Case("require_specific_reviewers", False, (WISH, ALAN), ("grace", "alan")),
    Case("require_specific_reviewers", False, (OLD,), ("grace",)),
    Case("require_specific_reviewers", True, (AUTHOR,), ("author",)),
    Case("require_one_of_specific_reviewers", False, (), ("grace", "alan")),
    Case("require_one_of_specific_reviewers", True, (ALAN,), ("grace", "alan")),
    Case("require_one_of_specific_reviewers", False, (ALAN,), ("grace",)),
    Case("require_one_of_specific_reviewers", False, (ALAN,), ()),
    Case("require_agent_review", False, (GRACE, ALAN)),
    Case("require_up_to_date_change_request", True),
    Case("require_up_to_date_change_request", False, outdated=True),
    Case("require_change_request_subject", True),
    Case("require_change_request_subject", False, subject=""),
    Case("require_change_request_subject", False, subject=merge_rules.UNTITLED),
    Case("require_change_request_description", False),
    Case("require_change_request_description", False, description=BLANK),
    Case("require_change_request_description", True, description=DESCRIPTION),
    Case("require_author_to_merge", True),
    Case("require_author_to_merge", False, actor="grace"),
    Case("allow_bypass", True, (), ("grace",)),
    Case("custom", True, expression="changeRequest.number == 1"),
    Case("custom", False, expression="changeRequest.number == 2"),
    Case("custom", False, expression="nothing.of.that"),
    Case("custom", False, expression="changeRequest.("),
    Case("require_something_else", False),
)


def merging(case: Case) -> merge_rules.Merging:
    return merge_rules.Merging(
        request=msgspec.structs.replace(REQUEST, subject=case.subject, description=case.description),
        outdated=case.outdated,
        reviews=merge_rules.standing(case.reviews, "now"),
        actor=case.actor,
        context={"changeRequest": {"number": 1}},
    )


def rule(case: Case) -> dict[str, Any]:
    made: dict[str, Any] = {"rule": case.rule}
    if case.users is not None:
        made["users"] = list(case.users)
    if case.expression is not None:
        made["expression"] = case.expression
    return made


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_when_a_rule_is_met(case: Case) -> None:
    said = merge_rules.forbids([rule(case)], merging(case))
    assert (said is None) is case.met, said
    assert said is None or said.startswith(case.rule)


def test_every_rule_that_may_be_set_is_decided() -> None:
    named = {kind.__struct_config__.tag for kind in Rule.__args__}
    assert named == {case.rule for case in CASES} - {"require_something_else"}


def test_all_rules_are_asked_in_their_order() -> None:
    case = Case("", False, outdated=True, subject="")
    rules = [{"rule": "require_author_to_merge"}, {"rule": "require_up_to_date_change_request"}]
    rules.append({"rule": "require_change_request_subject"})
    assert str(merge_rules.forbids(rules, merging(case))).startswith("require_up_to_date_change_request")
    assert str(merge_rules.forbids(rules[::-1], merging(case))).startswith("require_change_request_subject")


def test_who_may_bypass_passes_wherever_the_rule_stands() -> None:
    rules = [{"rule": "require_agent_review"}, {"rule": "allow_bypass", "users": ["grace"]}]
    assert merge_rules.forbids(rules, merging(Case("", True, actor="grace"))) is None
    assert merge_rules.forbids(rules, merging(Case("", False, actor="alan"))) is not None


def test_a_refusal_of_a_custom_rule_says_its_message() -> None:
    said = merge_rules.forbids([{"rule": "custom", "expression": "false", "message": "Ask Alan."}], merging(CASES[0]))
    assert said == "custom: Ask Alan."


NONE, RULES = {"type": "none"}, {"type": "rules", "rules": [{"rule": "require_agent_review"}]}


@pytest.mark.parametrize(
    ("space", "organization", "applies"),
    [
        (None, None, False),
        (None, RULES, True),
        ({"type": "inherit"}, RULES, True),
        ({"type": "inherit"}, NONE, False),
        ({"type": "inherit"}, None, False),
        (NONE, RULES, False),
        (RULES, NONE, True),
        (RULES, None, True),
    ],
)
def test_a_space_has_its_own_rules_or_inherits(space: Any, organization: Any, applies: bool) -> None:
    assert merge_rules.applying(space, organization) == (RULES["rules"] if applies else [])
