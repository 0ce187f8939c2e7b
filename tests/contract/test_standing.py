"""What somebody is to a thing opens operations; the served `permissions` and what then happens never disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from octavo.api.routes import OPERATIONS
from tests.client import Reply
from tests.contract.everything import filled
from tests.contract.expectations import AHEAD, BY_RELATION, PERMISSIONS, ROLES
from tests.contract.stage import ROWS, Person, Stage, judged
from tests.resources.checks import other_organization

Ids = dict[str, str]


def _author(stage: Stage, token: str) -> Ids:
    """Comments and replies that she wrote."""
    api, text = stage.world.api, {"body": {"markdown": "Mine."}}
    space = f"/v1/spaces/{stage.ids['space']}"
    ids: Ids = {}
    for prefix, base in (("", space), ("request ", f"{space}/change-requests/{stage.ids['change_request']}")):
        comment = api.post(f"{base}/comments", text, token=token).json["id"]
        reply = api.post(f"{base}/comments/{comment}/replies", text, token=token).json["id"]
        ids |= {f"{prefix}comment": comment, f"{prefix}reply": reply}
    return ids


def _reviewer(stage: Stage, token: str) -> Ids:
    path = "/v1/spaces/{space}/change-requests/{change_request}/requested-reviewers".format(**stage.ids)
    assert stage.world.api.post(path, {"users": [stage.user_of(token)]}).status == 200
    return {}


def _team_owner(stage: Stage, token: str) -> Ids:
    """A team of hers, with somebody else in it."""
    base = f"/v1/orgs/{stage.organization}/teams"
    team: str = stage.world.api.put(base, {"title": "Hers", "members": [stage.ids["user"]]}).json["id"]
    path = f"{base}/{team}/members/{stage.user_of(token)}"
    assert stage.world.api.put(path, {"role": "owner"}).status == 204
    return {"team": team}


def _self(stage: Stage, token: str) -> Ids:
    return {"user": stage.user_of(token)}


def _owner(stage: Stage, token: str) -> Ids:
    [mine] = stage.world.api.get("/v1/user/tokens", token=token).json["items"]
    return {"token": mine["id"], "notification": stage.notified(token), "session": stage.signed_in(token)}


_RELATIONS: Mapping[str, Callable[[Stage, str], Ids]] = {
    "author": _author,
    "requested reviewer": _reviewer,
    "team owner": _team_owner,
    "self": _self,
    "owner": _owner,
}


def relate(stage: Stage, relation: str, token: str) -> Ids:
    """Make somebody this to something; the ids of what she is that to."""
    return _RELATIONS[relation](stage, token)


@pytest.mark.parametrize("relation", sorted(BY_RELATION))
def test_what_somebody_is_to_it_opens_operations(stage: Stage, relation: str) -> None:
    wrong = []
    for least in ("guest", *ROLES):
        opened = [operation for operation, role in BY_RELATION[relation] if role == least]
        if opened:
            token = stage.world.person(least)
            ids = relate(stage, relation, token)
            wrong += [judged(one, stage.request(one, token, ids), None) for one in opened]
    assert not any(wrong), "\n".join(filter(None, wrong))


def test_an_author_who_may_not_comment_any_more(stage: Stage) -> None:
    token = stage.world.person("comment")
    ids, path = _author(stage, token), f"/v1/orgs/{stage.organization}/members/{stage.user_of(token)}"
    assert stage.world.api.patch(path, {"role": "read"}).status == 200
    for operation, _ in BY_RELATION["author"]:
        assert stage.request(operation, token, ids).status == 403, operation


def _body(kind: str, operation: str, ids: Mapping[str, str]) -> Any:
    """Operations that concern this kind of thing only when their body says so."""
    if operation == "createOrganizationInvite":
        return {"level": "read", kind: ids[kind]}
    if operation == "createSpace" and kind == "collection":
        return {"title": "New", "parent": ids["collection"]}
    return None


def _allowed(reply: Reply) -> bool:
    assert reply.status < 500, reply.text
    return reply.status not in (401, 403, 404)


def _disagreements(stage: Stage, name: str, token: str, kind: str, ids: Ids) -> list[str]:
    """Keys of the `permissions` that are served with the thing and what their operations answer, where they differ."""
    named = {**stage.ids, **ids}
    operations = PERMISSIONS[kind]
    shown = stage.request(operations["view"], token, ids)
    served: dict[str, bool] = shown.json["permissions"] if shown.status == 200 else {}
    if served:
        known = {*operations, *AHEAD.get(kind, ())}
        assert set(served) == known, f"say in expectations.py what {set(served) ^ known} of a {kind} speak of"
    wrong = []
    for key, operation in operations.items():
        reply = stage.request(operation, token, ids, _body(kind, operation, named))
        if _allowed(reply) != served.get(key, False):
            said = f"is served {served[key]}" if served else "is not served"
            wrong.append(f"{name}: {key} of the {kind} {said}, and {operation} is answered {reply.status}")
    return wrong


def test_permissions_are_what_then_happens(stage: Stage) -> None:
    wrong = []
    for person in stage.people:
        for kind in PERMISSIONS:
            wrong += _disagreements(stage, person.name, person.token, kind, {})
    author, owner = stage.world.person("comment"), stage.world.person("read")
    mine = _author(stage, author)
    for kind in ("comment", "reply"):
        wrong += _disagreements(stage, "the author", author, kind, mine)
    wrong += _disagreements(stage, "an owner of the team", owner, "team", _team_owner(stage, owner))
    assert not wrong, "\n".join(wrong)


_READS = {"space": "read", "collection": "read"}
_HIGHER: Mapping[str, tuple[str, str, Mapping[str, str], Any]] = {
    "a space in a collection": ("createSpace", "create", _READS, {"parent": "{collection}"}),
    "a collection in a collection": ("createCollection", "create", _READS, {"parent": "{collection}"}),
    "a space moved into a collection": ("moveSpace", "guest", {**_READS, "space": "admin"}, {"parent": "{collection}"}),
    "a space shown by a site": ("createSite", "create", _READS, {"title": "Mine", "spaces": ["{space}"]}),
    "a link to a space": ("createOrganizationInvite", "create", _READS, {"level": "read", "space": "{space}"}),
    "a link into the organization": ("createOrganizationInvite", "guest", {"space": "admin"}, {"role": "read"}),
    "a comment resolved": ("updateCommentInSpace", "create", {}, {"resolved": True}),
    "another organization": ("transferCollection", "guest", {"collection": "admin"}, {"organization": "{readable}"}),
    "a space transferred": ("transferSpace", "guest", {"space": "admin"}, {"organization": "{readable}"}),
}
"""What is asked for by a field that the operation takes, and is more than the operation itself asks for -> the
operation, the role in the organization, grants, which take precedence over it, and the body."""


@pytest.mark.parametrize("what", sorted(_HIGHER))
def test_fields_that_ask_for_more(stage: Stage, what: str) -> None:
    operation, role, grants, body = _HIGHER[what]
    token, readable = stage.world.person(role), other_organization(stage.world, "Readable")["id"]
    stage.join(token, readable, "read")
    for kind, granted in grants.items():
        stage.world.grant(token, kind, stage.ids[kind], granted)
    reply = stage.request(operation, token, body=filled(body, {**stage.ids, "readable": readable}))
    assert reply.status == 403, reply.text


def test_whoever_only_comments_still_reacts(stage: Stage) -> None:
    token = stage.world.person("comment")
    assert stage.request("updateCommentInSpace", token, body={"addedReactions": ["1f989"]}).status == 200
    assert stage.request("updateCommentReplyInSpace", token, body={"addedReactions": ["1f989"]}).status == 200


def test_a_token_makes_none_that_may_more(stage: Stage) -> None:
    user = stage.user_of(stage.world.api.token or "")
    limited = stage.token(user, scopes=["user:read"])
    for body, status in (({}, 201), ({"scopes": ["user:read"]}, 201), ({"scopes": ["space:write"]}, 403)):
        reply = stage.request("createUserAPIToken", limited, body=body)
        assert reply.status == status, reply.text
        if status == 201:
            assert reply.json["scopes"] == ["user:read"]


_SINGLE = {
    "organization": "getOrganizationById",
    "space": "getSpaceById",
    "collection": "getCollectionById",
    "site": "getSiteById",
    "team": "getTeamInOrganizationById",
}
_READS_ROWS = [row.id for row in OPERATIONS if row.method == "GET" and "pdf" not in row.path]


def _served(node: Any) -> Iterator[tuple[str, str, dict[str, bool]]]:
    """(kind, id, permissions) of everything in an answer, however deep."""
    if isinstance(node, dict):
        if node.get("object") in _SINGLE and "permissions" in node:
            yield node["object"], node["id"], node["permissions"]
        for value in node.values():
            yield from _served(value)
    elif isinstance(node, list):
        for value in node:
            yield from _served(value)


def _partly(stage: Stage) -> Iterator[Person]:
    """Guests who were given one thing of several."""
    for kind in ("space", "collection", "site"):
        token = stage.world.person("guest")
        stage.world.grant(token, kind, stage.ids[kind], "edit")
        yield Person(f"a guest of the {kind}", token, "guest", None)


def test_the_same_permissions_are_served_everywhere_and_nothing_hidden(stage: Stage) -> None:
    """What is served inside of another thing, or in a list, is what its own address serves; what has none for the
    caller is in no answer."""
    wrong, seen = [], set()
    for person in (*stage.people, *_partly(stage)):
        own: dict[tuple[str, str], Any] = {}
        for operation in _READS_ROWS:
            reply = stage.request(operation, person.token)
            if reply.status != 200 or not reply.headers["content-type"].startswith("application/json"):
                continue
            for kind, id_, served in _served(reply.json):
                seen.add((operation, kind))
                if (kind, id_) not in own:
                    single = stage.request(_SINGLE[kind], person.token, {kind: id_})
                    own[kind, id_] = single.json["permissions"] if single.status == 200 else None
                if kind == "team" and own[kind, id_] is None:
                    # Whom a space was given to, its admins see by name.
                    own[kind, id_] = dict.fromkeys(served, False)
                if served != own[kind, id_]:
                    differs = sorted(set(served.items()) ^ set((own[kind, id_] or {}).items()))
                    wrong.append(f"{person.name}: {operation} serves a {kind} with other permissions: {differs}")
    assert not wrong, "\n".join(dict.fromkeys(wrong))
    assert {("listSites", "site"), ("getSiteStructure", "space"), ("listSpacesForOrganizationMember", "space")} <= seen


def test_every_expected_operation_of_this_file_is_there() -> None:
    named = {one for pairs in BY_RELATION.values() for one, _ in pairs}
    named |= {one for kind in PERMISSIONS.values() for one in kind.values()}
    assert named <= set(ROWS)
