"""Shapes of change requests and reviews: what is served of the least and the fullest record, what is taken."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from octavo.kernel.records.people import Team
from octavo.kernel.records.review import ChangeRequest, Comment, Contributor, RequestedReviewer, Review
from octavo.wire.content import documents, revisions
from octavo.wire.review import change_requests, comments, merge_rules, reviews
from octavo.wire.view import View
from tests.wire import samples

VIEW: View = samples.VIEW
USER = {
    "object": "user",
    "id": "u1",
    "displayName": "Ada",
    "email": "ada@example.org",
    "urls": {"location": "https://api.test/v1/users/u1"},
}
REQUEST = ChangeRequest(
    id="cr1", organization="o1", space="s1", number=7, subject="Words", status="open", created_by="u1", created_at=0,
    updated_at=1, revision="r2", revision_initial="r1",
)  # fmt: skip
REQUEST_MAX = msgspec.structs.replace(
    REQUEST, status="merged", merged_ancestor="r3", revision_merged="r4", merged_at=2, merged_by="u1", comments=3,
    description={"object": "document", "nodes": []}, links=[{"id": "l1", "ref": {"kind": "url", "url": "https://a.b"}}],
)  # fmt: skip
ASKED = RequestedReviewer(
    id="rr1", organization="o1", change_request="cr1", revision="r2", requested_by="u1", created_at=0, user="u1"
)
REVIEW = Review(
    id="rv1", organization="o1", change_request="cr1", revision="r2", reviewer="u1", status="approved", created_at=0,
    updated_at=0,
)  # fmt: skip
TEXT = {"object": "text", "leaves": [{"object": "leaf", "text": "a", "marks": []}]}


def served(made: Any) -> Any:
    encoded = msgspec.json.encode(made)
    assert msgspec.json.decode(encoded, type=type(made)) == made
    return msgspec.json.decode(encoded)


def take(body: Any, **fields: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(fields), type=body)


def test_change_request() -> None:
    least = {
        "object": "change-request",
        "id": "cr1",
        "number": 7,
        "status": "open",
        "subject": "Words",
        "createdAt": "1970-01-01T00:00:00.000Z",
        "updatedAt": "1970-01-01T00:00:00.001Z",
        "space": "s1",
        "revision": "r2",
        "revisionInitial": "r1",
        "comments": 0,
        "outdated": True,
        "urls": {
            "app": "https://app.test/app/o/o1/s/s1/~/changes/7",
            "location": "https://api.test/v1/spaces/s1/change-requests/cr1",
        },
    }
    assert served(change_requests.present(change_requests.ChangeRequestView(REQUEST, True), VIEW)) == least
    view = change_requests.ChangeRequestView(REQUEST_MAX, False, samples.USER, samples.USER)
    assert served(change_requests.present(view, VIEW)) == least | {
        "status": "merged",
        "outdated": False,
        "comments": 3,
        "createdBy": USER,
        "mergedBy": USER,
        "mergedAt": "1970-01-01T00:00:00.002Z",
        "revisionMergedAncestor": "r3",
        "revisionMerged": "r4",
        "description": REQUEST_MAX.description,
        "links": REQUEST_MAX.links,
    }


def test_what_a_merge_and_an_update_answer() -> None:
    conflict = {"kind": "page"}
    assert served(change_requests.present_merge("r1", [])) == {"revision": "r1", "result": "merge"}
    assert served(change_requests.present_update("r1", [])) == {"revision": "r1", "result": "update"}
    for present in (change_requests.present_merge, change_requests.present_update):
        assert served(present("r1", [conflict])) == {"revision": "r1", "result": "conflicts", "conflicts": [conflict]}


def test_requested_reviewer() -> None:
    least = {
        "object": "change-request-requested-reviewer",
        "revision": "r2",
        "createdAt": "1970-01-01T00:00:00.000Z",
        "kind": "user",
    }
    assert served(reviews.present_requested(reviews.RequestedReviewerView(ASKED), VIEW)) == least
    full = reviews.RequestedReviewerView(ASKED, samples.USER, samples.USER)
    assert served(reviews.present_requested(full, VIEW)) == least | {"requestedBy": USER, "user": USER}
    asked = msgspec.structs.replace(ASKED, user=None, team="t1")
    team = Team(id="t1", organization="o1", title="Editors", created_at=0)
    shown = served(reviews.present_requested(reviews.RequestedReviewerView(asked, team=team), VIEW))
    assert shown == least | {"kind": "team", "team": {"object": "team", "id": "t1", "title": "Editors"}}


def test_review() -> None:
    least = {
        "object": "change-request-review",
        "id": "rv1",
        "revision": "r2",
        "status": "approved",
        "outdated": False,
        "createdAt": "1970-01-01T00:00:00.000Z",
        "updatedAt": "1970-01-01T00:00:00.000Z",
        "urls": {"location": "https://api.test/v1/spaces/s1/change-requests/cr1/reviews/rv1"},
    }
    assert served(reviews.present(reviews.ReviewView(REVIEW, REQUEST, False), VIEW)) == least
    said = Comment(
        id="c1", organization="o1", space="s1", change_request="cr1", revision="r2", review="rv1", posted_by="u1",
        posted_at=0, markdown="Good.",
    )  # fmt: skip
    written = comments.CommentView(said, lambda: {"markdown": "Good."}, {}, comments.Around({"u1": samples.USER}))
    view = reviews.ReviewView(REVIEW, REQUEST, True, samples.USER, samples.USER, written)
    full = served(reviews.present(view, VIEW))
    comment = full.pop("comment")
    assert full == least | {"outdated": True, "reviewer": USER, "requestedBy": USER}
    assert (comment["object"], comment["postedBy"], comment["body"]) == ("comment", USER, {"markdown": "Good."})
    assert comment["target"] == {"space": "s1", "revision": "r2", "changeRequest": "cr1", "review": "rv1"}


def test_contributor() -> None:
    record = Contributor(organization="o1", change_request="cr1", user="u1", action="comment", count=2, updated_at=0)
    assert served(reviews.present_contributor(reviews.ContributorView(record, samples.USER), VIEW)) == {
        "user": USER,
        "actionType": "comment",
        "count": 2,
        "updatedAt": "1970-01-01T00:00:00.000Z",
    }


def test_a_listed_revision() -> None:
    least = {
        "object": "revision",
        "id": "r1",
        "type": "edits",
        "parents": [],
        "createdAt": "1970-01-01T00:00:00.000Z",
        "urls": {
            "app": "https://app.test/app/o/o1/s/s1/~/revisions/r1",
            "location": "https://api.test/v1/spaces/s1/revisions/r1",
        },
    }
    assert served(revisions.present_listed(revisions.ListedRevisionView(samples.REVISION), VIEW)) == least
    request = change_requests.ChangeRequestView(REQUEST_MAX, False)
    full = served(
        revisions.present_listed(revisions.ListedRevisionView(samples.REVISION_MAX, samples.USER, request), VIEW)
    )
    assert (full["createdBy"], full["mergedFrom"]["number"], full["git"]["oid"]) == (USER, 7, "c0ffee")


def test_subjects_are_trimmed_and_limited() -> None:
    for body in (change_requests.CreateChangeRequest, change_requests.UpdateChangeRequest):
        assert take(body, subject=" " + "é" * 100 + "\n").subject == "é" * 100
        assert take(body, subject="").subject == ""
        assert take(body).subject is UNSET
        with pytest.raises(msgspec.ValidationError, match=r"\$\.subject"):
            take(body, subject="x" * 101)


def test_a_list_of_an_organization_takes_several_statuses() -> None:
    query = change_requests.OrganizationChangeRequestsQuery
    assert msgspec.convert({}, query, strict=False).status == ["open"]
    assert msgspec.convert({"status": ["draft", "merged"]}, query, strict=False).status == ["draft", "merged"]
    with pytest.raises(msgspec.ValidationError, match="status"):
        msgspec.convert({"status": ["closed"]}, query, strict=False)


def test_somebody_has_to_be_asked() -> None:
    assert take(reviews.RequestReviewers, users=[], teams=["t1"]).teams == ["t1"]
    for wrong in ({}, {"users": []}, {"teams": ["t1"]}):
        with pytest.raises(msgspec.ValidationError, match="users"):
            take(reviews.RequestReviewers, **wrong)


def test_a_document_is_taken_as_it_is() -> None:
    paragraph = {
        "object": "block",
        "type": "paragraph",
        "key": "k",
        "data": {"x": [1]},
        "isVoid": False,
        "nodes": [TEXT],
    }
    whole = {"object": "document", "data": {"schemaVersion": 1}, "nodes": [paragraph]}
    assert documents.tree(take(documents.Words, **whole)) == whole
    assert documents.tree(take(documents.Words, document=whole)) == whole
    assert documents.tree(take(documents.Words, markdown="Text")) is None
    for nodes in ([TEXT], [{"object": "inline", "type": "link"}], ["text"], None):
        with pytest.raises(msgspec.ValidationError, match="nodes"):
            take(documents.Words, object="document", nodes=nodes)


@pytest.mark.parametrize("rule", merge_rules.Rule.__args__, ids=lambda rule: rule.__struct_config__.tag)
def test_every_merge_rule_is_kept_as_it_was_sent(rule: Any) -> None:
    sent: dict[str, Any] = {"rule": rule.__struct_config__.tag}
    for name in rule.__struct_fields__:
        sent[name] = ["u1"] if name == "users" else "true"
    listed = {"type": "rules", "rules": [sent]}
    assert msgspec.to_builtins(take(merge_rules.ListedRules, **listed)) == listed
