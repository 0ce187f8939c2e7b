"""Every operation whose path has several ids: an id from elsewhere, in whichever place, leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from octavo.api.router import AnyOperation
from octavo.api.routes import OPERATIONS
from tests.client import World
from tests.resources.checks import other_organization
from tests.resources.handbook import FILES, write

_WORD = re.compile(r"\{(\w+)\}")
_BODIES: Mapping[str, Any] = {
    "Changes": {"changes": [{"operation": "insert_page", "document": {"markdown": "# New"}}]},
    "ContentImport": {"source": "website", "url": "https://example.org/"},
    "Invite": {"role": "read", "users": ["{user}"]},
    "Membership": {"role": "owner"},
    "PostComment": {"body": {"markdown": "Why?"}},
    "PostReply": {"body": {"markdown": "So."}},
    "RequestReviewers": {"users": ["{user}"]},
    "SiteSearch": {"query": "heron"},
    "SubmitReview": {"status": "approved"},
    "UpdateChangeRequest": {"subject": "Changed"},
    "UpdateComment": {"body": {"markdown": "Changed."}},
    "UpdatePermission": {"role": "read"},
    "UpdateReply": {"body": {"markdown": "Changed."}},
    "UpdateSite": {"title": "Changed"},
    "UpdateTeam": {"title": "Changed"},
    "UpdateTeamMembers": {"add": ["{user}"]},
}
"""A body that a row takes, by the name of its shape; rows whose shapes have no field that must be there need none."""

Ids = dict[str, str]
"""Word of a path -> id."""


def _side(world: World, folder: Path, organization: str, salt: str) -> Ids:
    """A space of an organization with one of everything."""
    api = world.api
    files = {name: data.replace(b"heron", f"heron {salt}".encode()) for name, data in FILES.items()}
    space = world.imported(write(folder / salt, files), salt, organization)
    token = world.person("comment", organization)
    base = f"/v1/spaces/{space}"
    user = api.get("/v1/user", token=token).json["id"]

    def made(path: str, body: Any) -> Any:
        reply = api.post(path, body)
        assert reply.status in (200, 201), f"{path}: {reply.text}"
        return reply.json

    request = made(f"{base}/change-requests", {"subject": salt})
    about = f"{base}/change-requests/{request['id']}"
    pages = api.get(f"{base}/content/pages").json["pages"]
    page = api.get(f"{base}/content/page/{pages[0]['id']}?format=document").json
    text = {"body": {"markdown": "Why?"}}
    comment, on_request = made(f"{base}/comments", text)["id"], made(f"{about}/comments", text)["id"]
    return {
        "organization": organization,
        "space": space,
        "user": user,
        "team": api.put(f"/v1/orgs/{organization}/teams", {"title": salt}).json["id"],
        "site": made(f"/v1/orgs/{organization}/sites", {"title": salt, "spaces": [space]})["id"],
        "collection": made(f"/v1/orgs/{organization}/collections", {"title": salt})["id"],
        "revision": api.get(base).json["revision"],
        "change_request": request["id"],
        "page": page["id"],
        "document": page["documentId"],
        "file": api.get(f"{base}/content/files").json["items"][0]["id"],
        "reusable": next(n["data"]["ref"]["reusableContent"] for n in page["document"]["nodes"] if _includes(n)),
        "comment": comment,
        "reply": made(f"{base}/comments/{comment}/replies", text)["id"],
        "request comment": on_request,
        "request reply": made(f"{about}/comments/{on_request}/replies", text)["id"],
        "review": made(f"{about}/reviews", {"status": "approved"})["id"],
    }


def _includes(node: Any) -> bool:
    return bool(node.get("type") == "reusable-content")


def _id(ids: Ids, row: AnyOperation, word: str) -> str:
    return ids.get(f"request {word}", ids[word]) if "change_request" in row.path else ids[word]


def _address(row: AnyOperation, own: Ids, foreign: Ids, word: str | None) -> str:
    """The row's path with the ids of one side, but for one word."""
    path = row.path.replace("{path...}", "guides/start")
    return "/v1" + _WORD.sub(lambda found: _id(foreign if found[1] == word else own, row, found[1]), path)


def _rows() -> Iterator[tuple[AnyOperation, list[str]]]:
    for row in OPERATIONS:
        words = _WORD.findall(row.path)
        if len(words) > 1:
            yield row, words


def _body(row: AnyOperation, own: Ids) -> Any:
    if row.method not in ("POST", "PUT", "PATCH"):
        return None
    return _filled(_BODIES.get(row.takes.__name__), own)


def _filled(body: Any, own: Ids) -> Any:
    if isinstance(body, dict):
        return {name: _filled(value, own) for name, value in body.items()}
    if isinstance(body, list):
        return [_filled(value, own) for value in body]
    return own[body[1:-1]] if isinstance(body, str) and body.startswith("{") else body


def test_an_id_from_elsewhere_leads_nowhere_in_any_place(world: World, tmp_path: Path) -> None:
    own = _side(world, tmp_path, world.organization, "own")
    beside = _side(world, tmp_path, world.organization, "beside")
    abroad = _side(world, tmp_path, other_organization(world)["id"], "abroad")
    wrong: list[str] = []
    for row, words in _rows():
        if row.method == "GET" and "pdf" not in row.path:
            path = _address(row, own, own, None)
            status = world.api.get(path).status
            assert status == 200, f"{row.id}: {path} is {status}, so that its 404 would say nothing"
        # What belongs to the organization may be named in any of its paths.
        for foreign in (beside, abroad) if "organization" not in words else (abroad,):
            for word in words if foreign is abroad else [word for word in words if word not in ("user", "team")]:
                path = _address(row, own, foreign, word)
                reply = world.api.request(row.method, path, _body(row, own))
                absent = (404, 204) if row.method == "DELETE" else (404,)
                if reply.status not in absent:
                    wrong.append(f"{row.id}: a foreign {word} is answered {reply.status} {reply.text[:120]}")
    assert not wrong, "\n".join(wrong)
    for ids in (own, beside, abroad):
        for row, _ in _rows():
            if row.method == "GET" and "pdf" not in row.path:
                assert world.api.get(_address(row, ids, ids, None)).status == 200, row.id
