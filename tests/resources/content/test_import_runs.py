"""Imports as runs, over HTTP: begun, followed, cancelled while they wait and while they run, told of when they are over."""

from __future__ import annotations

import asyncio
import threading
from http.server import BaseHTTPRequestHandler
from typing import Any

from octavo.kernel import limits
from tests.client import Client, World
from tests.gateways.conftest import Site
from tests.resources.checks import other_organization
from tests.resources.content.test_content_import import paragraph, png, word, zipped


def runs(world: World) -> str:
    return f"/v1/orgs/{world.organization}/imports"


def begin(world: World, source: dict[str, Any], status: int = 201, client: Client | None = None, **target: str) -> Any:
    """Ask for a run; its shape, or what is wrong."""
    reply = (client or world.api).post(runs(world), {"source": source, "target": target})
    assert reply.status == status, reply.text
    return reply.json if status == 201 else reply.message


def one(world: World, run: Any) -> Any:
    reply = world.api.get(f"{runs(world)}/{run['id']}")
    assert reply.status == 200, reply.text
    return reply.json


def uploaded(world: World, data: bytes) -> str:
    order = {"file": {"name": "a.zip", "type": "application/zip", "size": len(data)}, "kind": "import_file"}
    made = world.api.post(f"/v1/orgs/{world.organization}/storage/upload", order).json
    assert world.api.put(made["url"].removeprefix("http://octavo.test"), body=data, token="").status == 204
    key: str = made["key"]
    return key


def requests(world: World, space: str) -> list[Any]:
    found: list[Any] = world.api.get(f"/v1/spaces/{space}/change-requests?status=draft").json["items"]
    return found


def test_an_address_comes_into_a_change_request_that_is_opened(near: World, site: Site) -> None:
    space = near.space(empty=True)["id"]
    site.put("/a.html", b"<h1>A</h1><p>One <img src='gone.png'>", content_type="text/html")
    source = {"type": "website", "url": site.url("/a.html", "ann:s3cret@127.0.0.1") + "?key=s3cret", "format": "html"}
    site.put("/a.html?key=s3cret", b"<h1>A</h1><p>One <img src='gone.png'>", content_type="text/html")
    run = begin(near, source, space=space)
    assert (run["object"], run["status"], run["pages"]) == ("import-run", "pending", [])
    assert site.asked == [], "a request reaches nobody outside"
    assert near.api.get(f"{runs(near)}?status=active").json["count"] == 1
    near.work()
    done = one(near, run)
    assert (done["status"], done["target"]["space"]) == ("completed", space), done
    assert "s3cret" not in str(done)
    assert [page["title"] for page in done["pages"]] == ["A"]
    assert done["progress"] == {"done": 1, "total": 2}
    assert {"startedAt", "completedAt", "revision"} <= set(done)
    [request] = requests(near, space)
    assert (request["id"], request["revision"], request["status"]) == (
        done["target"]["changeRequest"], done["revision"], "draft"
    )  # fmt: skip
    assert done["warnings"], "the picture is told of"
    assert near.api.get(f"{runs(near)}?status=active").json["items"] == []
    audited = near.api.get(f"/v1/orgs/{near.organization}/audit-events").json["items"]
    assert {"import-run.start", "change-request.create", "change-request.content.import"} <= {
        event["action"] for event in audited
    }


def test_the_address_that_official_clients_ask(near: World, site: Site) -> None:
    space, path = near.space(empty=True)["id"], f"/v1/org/{near.organization}/imports"
    source = {"type": "website", "url": site.url("/a.html")}
    run = near.api.post(path, {"source": source, "target": {"space": space}})
    assert run.status == 201, run.text
    assert near.api.get(f"{path}/{run.json['id']}").json == one(near, run.json)
    assert near.api.get(path).json == near.api.get(runs(near)).json
    assert near.api.post(f"{path}/{run.json['id']}/cancel").json["status"] == "cancelled"
    assert near.api.get(path, token=near.person(None)).status == 404
    assert near.api.get(f"/v1/org/{near.organization}").status == 404


def test_files_are_taken_for_what_they_look_like_and_go_below_a_page(near: World) -> None:
    space = near.space(empty=True)["id"]
    request = near.api.post(f"/v1/spaces/{space}/change-requests", {"subject": "Terns"}).json
    base = f"/v1/spaces/{space}/change-requests/{request['number']}"
    home = near.api.post(
        f"{base}/content?compat=false",
        {"changes": [{"operation": "insert_page", "document": {"markdown": "# Home\n"}}]},
    ).json["changes"][0]["page"]["id"]
    files = [
        uploaded(near, data)
        for data in (
            zipped({"README.md": "# Birds\n\n![A](a.png)\n", "a.png": png()}),
            word(paragraph("A gull.")),
            b"<!doctype html><h1>Gulls</h1><p>They cry.</p>",
            b"# Skuas\n\nThey steal.\n",
            b"PK\x03\x04 broken",
        )
    ]
    run = begin(near, {"type": "file", "files": files}, space=space, changeRequest=str(request["number"]), page=home)
    near.work()
    done = one(near, run)
    assert done["status"] == "completed", done
    assert [page["title"] for page in done["pages"]] == ["Birds", "Document", "Gulls", "Skuas"]
    assert [warning["message"].partition(":")[0] for warning in done["warnings"]] == ["File 5"]
    [top] = near.api.get(f"{base}/content/pages").json["pages"]
    assert (top["id"], [page["id"] for page in top["pages"]]) == (home, [page["id"] for page in done["pages"]])
    assert done["target"] == {"space": space, "changeRequest": request["id"], "page": home}


def test_a_repository_becomes_the_content_of_the_space(near: World) -> None:
    space = near.space(empty=True)["id"]
    key = uploaded(near, zipped({"README.md": "# Birds\n", "terns.md": "# Terns\n"}))
    run = begin(near, {"type": "file", "files": [key], "format": "repository"}, space=space)
    near.work()
    done = one(near, run)
    assert (done["status"], requests(near, space)) == ("completed", []), done
    assert near.api.get(f"/v1/spaces/{space}").json["revision"] == done["revision"]
    assert {page["title"] for page in done["pages"]} == {"Birds", "Terns"}
    low = Client(near.app, near.loop, near.person("edit"))
    source = {"type": "file", "files": [key], "format": "repository"}
    assert "triggerGitSync" in begin(near, source, 403, low, space=space)
    assert "whole content" in begin(near, source, 400, space=space, page=done["pages"][0]["id"])


def test_one_that_waits_is_cancelled_and_nothing_is_fetched(near: World, site: Site) -> None:
    space = near.space(empty=True)["id"]
    run = begin(near, {"type": "website", "url": site.url("/")}, space=space)
    reply = near.api.post(f"{runs(near)}/{run['id']}/cancel")
    assert (reply.status, reply.json["status"]) == (200, "cancelled")
    near.work()
    assert (site.asked, one(near, run)["status"]) == ([], "cancelled")
    assert near.api.post(f"{runs(near)}/{run['id']}/cancel").status == 409


def test_one_that_runs_is_cancelled_and_writes_nothing(near: World, site: Site) -> None:
    space = near.space(empty=True)["id"]
    asked, answer = threading.Event(), threading.Event()

    def slow(handler: BaseHTTPRequestHandler) -> None:
        asked.set()
        answer.wait(30)
        handler.send_error(404)

    site.pages["/"] = slow
    run = begin(near, {"type": "website", "url": site.url("/")}, space=space)

    async def together() -> Any:
        working = asyncio.ensure_future(near.house.worker.drain())
        await asyncio.to_thread(asked.wait, 30)
        told = await near.api.send("GET", f"{runs(near)}/{run['id']}")
        reply = await near.api.send("POST", f"{runs(near)}/{run['id']}/cancel")
        # It ends because of that, not because the other side answers.
        await asyncio.wait_for(working, 20)
        return told, reply

    try:
        told, reply = near.run(together())
    finally:
        answer.set()
    assert (told.json["status"], reply.json["status"]) == ("in-progress", "cancelled")
    assert (one(near, run)["status"], requests(near, space)) == ("cancelled", [])


def test_one_that_fails_says_why_and_leaves_no_change_request(near: World, site: Site) -> None:
    space = near.space(empty=True)["id"]
    gone = begin(near, {"type": "website", "url": site.url("/gone")}, space=space)
    archive = begin(near, {"type": "file", "files": [uploaded(near, b"no")], "format": "zip"}, space=space)
    request = near.api.post(f"/v1/spaces/{space}/change-requests", {}).json
    markdown = {"type": "file", "files": [uploaded(near, b"# A\n")]}
    closed = begin(near, markdown, space=space, changeRequest=request["id"])
    writer = Client(near.app, near.loop, near.person("edit"))
    left = begin(near, {"type": "file", "files": [uploaded(near, b"# A\n")]}, client=writer, space=space)
    member = f"/v1/orgs/{near.organization}/members/{writer.get('/v1/user').json['id']}"
    assert near.api.patch(member, {"role": "comment"}).status == 200
    path = f"/v1/spaces/{space}/change-requests/{request['id']}"
    assert near.api.patch(path, {"status": "archived"}).status == 200
    near.work()
    for run, said in (
        (gone, "answered 404"),
        (archive, "not a zip archive"),
        (closed, "archived"),
        (left, "may not write"),
    ):
        ended = one(near, run)
        assert (ended["status"], said in ended["reason"]) == ("failed", True), ended
    assert requests(near, space) == []
    assert "archived" in begin(near, markdown, 409, space=space, changeRequest=request["id"])


def test_who_may_and_what_is_refused(near: World, site: Site) -> None:
    space = near.space(empty=True)["id"]
    source = {"type": "website", "url": site.url("/")}
    run = begin(near, source, space=space)
    path = f"{runs(near)}/{run['id']}"
    for role, statuses in (
        (None, (404, 404, 404, 404)),
        ("comment", (200, 403, 200, 403)),
        ("edit", (200, 201, 200, 200)),
    ):
        client = Client(near.app, near.loop, near.person(role))
        asked = (
            client.get(runs(near)), client.post(runs(near), {"source": source, "target": {"space": space}}),
            client.get(path), client.post(f"{path}/cancel"),
        )  # fmt: skip
        assert tuple(reply.status for reply in asked) == statuses, role
    elsewhere = other_organization(near)
    assert near.api.get(f"/v1/orgs/{elsewhere}/imports/{run['id']}").status == 404
    assert near.api.post(f"/v1/orgs/{elsewhere}/imports", {"source": source, "target": {"space": space}}).status == 404
    for wrong, target, status in (
        ({"type": "website", "url": "ftp://a/b"}, {}, 400),
        ({"type": "website", "url": site.url("/"), "format": "pdf"}, {}, 400),
        ({"type": "file", "files": []}, {}, 400),
        ({"type": "file", "files": ["nothing"]}, {}, 400),
        ({"type": "file", "files": ["nothing"] * (limits.IMPORT_FILES_MAX + 1)}, {}, 400),
        ({"type": "git"}, {}, 400),
        (source, {"changeRequest": "99"}, 404),
        (source, {"page": "nothing"}, 404),
    ):
        begin(near, wrong, status, space=space, **target)
    assert near.api.post(runs(near), {"source": source}).status == 400
    listed = near.api.get(f"{runs(near)}?space={space}&limit=1").json
    assert (listed["count"], len(listed["items"]), "next" in listed, "pages" in listed["items"][0]) == (
        2,
        1,
        True,
        False,
    )
    for _ in range(limits.IMPORTS_ACTIVE_MAX - 1):
        begin(near, source, space=space)
    assert "wait or run already" in begin(near, source, 429, space=space)
