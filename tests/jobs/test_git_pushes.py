"""Posts of Git hosts over HTTP: a signed one brings space and branch together, once; any other does nothing."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any, Protocol
from urllib.parse import urlsplit

import pytest

from octavo.kernel import limits
from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.jobs.repositories import BRANCH, Repository, Written
from tests.jobs.test_git_site import FIRST, Followed
from tests.resources.checks import check_roles

PUSH = b'{"ref": "refs/heads/main", "after": "%s"}'
NOWHERE = "http://127.0.0.1:9/docs.git"


class Owner(Protocol):
    """A space or a site that follows a branch."""

    @property
    def path(self) -> str: ...


class Host:
    """Posts to a space or a site as GitHub does."""

    def __init__(self, world: World, owner: Owner) -> None:
        self.world = world
        self.path = f"{owner.path}/git/connection/webhook"
        made = world.api.post(self.path)
        assert made.status == 201, made.text
        self.url, self.secret = urlsplit(made.json["url"]).path, made.json["secret"]

    def post(self, body: bytes, secret: str | None = None, event: str = "push") -> Reply:
        digest = hmac.new((secret or self.secret).encode(), body, hashlib.sha256).hexdigest()
        headers = {"x-github-event": event, "x-hub-signature-256": f"sha256={digest}"}
        return self.world.api.post(self.url, body=body, headers=headers, token="")

    def says(self, body: bytes, **more: Any) -> str:
        reply = self.post(body, **more)
        assert reply.status == 200, reply.text
        return str(reply.json["message"])


def _connected(world: World, url: str = NOWHERE, kind: str = "space") -> Owner:
    if kind == "site":
        return Followed(world, url)
    space = Written(world, empty=True)
    assert world.api.put(f"{space.path}/git/connection", {"url": url, "ref": BRANCH}).status == 200
    return space


@pytest.fixture(params=["space", "site"])
def kind(request: pytest.FixtureRequest) -> str:
    """Whose connection it is: all of it holds for both."""
    return str(request.param)


def test_a_push_brings_both_together(near: World, repository: Repository) -> None:
    repository.commit("Begin", {"README.md": b"# Home\n", "fish.md": b"# Fish\n"})
    space = Written(near, empty=True)
    assert near.api.put(f"{space.path}/git/connection", {"url": repository.url, "ref": BRANCH}).status == 200
    host = Host(near, space)
    assert host.says(PUSH % b"1") == "A synchronisation was queued."
    assert host.says(PUSH % b"2") == "A synchronisation waits already."
    near.work()
    assert set(space.pages()) == {"readme", "fish"}
    known = near.api.get(f"{space.path}/git/operations").json["count"]
    assert host.says(PUSH % b"1").startswith("This was taken before")
    near.work()
    assert near.api.get(f"{space.path}/git/operations").json["count"] == known
    repository.commit("More", {"birds.md": b"# Birds\n"})
    assert host.says(PUSH % b"3") == "A synchronisation was queued."
    near.work()
    assert "birds" in space.pages()


def test_a_push_brings_a_site_and_its_branch_together(near: World, repository: Repository) -> None:
    repository.commit("Begin", dict(FIRST))
    site = Followed(near, repository.url)
    host = Host(near, site)
    assert host.says(PUSH % b"1") == "A synchronisation was queued."
    assert host.says(PUSH % b"2") == "A synchronisation waits already."
    near.work()
    assert site.text("English") == "# Terns\n\nThey fly.\n"
    repository.commit("More", {"guide/en/README.md": b"# Terns\n\nThey swim.\n"})
    assert host.says(PUSH % b"1").startswith("This was taken before")
    near.work()
    assert site.text("English") == "# Terns\n\nThey fly.\n"
    merged = b'{"pull_request": {"number": 1, "state": "closed", "merged": %s, "head": {"ref": "a"}, "base": {"ref": "main"}}}'
    assert host.says(merged % b"false", event="pull_request") == "Nothing follows from that."
    assert host.says(merged % b"true", event="pull_request") == "A synchronisation was queued."
    near.work()
    assert site.text("English") == "# Terns\n\nThey swim.\n"


def test_what_it_is_not_about_does_nothing(world: World, kind: str) -> None:
    space = _connected(world, kind=kind)
    host = Host(world, space)
    assert host.says(b'{"ref": "refs/heads/other"}') == f"This {kind} follows refs/heads/main."
    assert host.says(b"{}", event="ping") == "Nothing follows from that."
    assert host.post(b"no json").status == 400
    world.api.put(f"{space.path}/git/connection", {"url": "http://127.0.0.1:9/x.git", "ref": BRANCH, "paused": True})
    assert host.says(PUSH % b"1") == "The connection is paused."
    assert world.api.get(f"{space.path}/git/operations").json["count"] == 0


def test_who_does_not_know_the_secret_learns_nothing(world: World, kind: str) -> None:
    space = _connected(world, kind=kind)
    other = Host(world, _connected(world, kind=kind))
    door = other.url.rpartition("/")[0]
    without = world.api.post(f"{door}/{space.path.rpartition('/')[2]}", body=b"{}", headers={"x-gitlab-token": ""})
    nowhere = world.api.post(f"{door}/nowhere", body=b"{}", headers={"x-gitlab-token": "x"})
    wrong = other.post(b"{}", secret="wrong")
    assert {(one.status, one.text) for one in (without, nowhere, wrong)} == {(401, wrong.text)}
    assert world.api.get(other.url).status == 405
    assert world.api.post("/hooks/git/a/b", body=b"").status == 404
    assert other.post(b" " * (limits.GIT_PUSH_BODY_MAX + 1)).status == 413


def test_posts_are_paced(world: World, clock: FakeClock, kind: str) -> None:
    host = Host(world, _connected(world, kind=kind))
    for n in range(limits.GIT_PUSHES_A_MINUTE):
        assert host.post(b"{}", secret=f"guess {n}").status == 401
    assert host.post(PUSH % b"1").status == 429
    clock.advance(60_000)
    assert host.post(PUSH % b"1").status == 200


def test_the_secret_is_told_once_and_replaced(world: World, kind: str) -> None:
    space = _connected(world, kind=kind)
    first = Host(world, space)
    shown = world.api.get(f"{space.path}/git/connection")
    assert shown.json["takesPushes"]
    assert first.secret not in shown.text

    async def kept(unit: Any) -> str:
        shelf = unit.git if kind == "space" else unit.git_sites
        return str((await shelf.connection(space.path.rpartition("/")[2])).sealed_webhook_secret)

    assert first.secret not in world.run(world.house.store.read(kept))
    second = Host(world, space)
    assert (first.post(b"{}").status, second.post(b"{}").status) == (401, 200)
    world.api.put(f"{space.path}/git/connection", {"url": "http://127.0.0.1:9/x.git", "ref": BRANCH})
    assert second.post(b"[]").status == 200, "another address leaves it"
    assert world.api.delete(second.path).status == 205
    assert second.post(b"{}").status == 401
    assert world.api.delete(second.path).status == 404
    assert not world.api.get(f"{space.path}/git/connection").json["takesPushes"]


def test_who_may(world: World, kind: str) -> None:
    space = _connected(world, kind=kind)
    check_roles(world, "admin", "POST", f"{space.path}/git/connection/webhook", success=201)
    assert world.api.delete(f"{space.path}/git/connection").status == 205
    assert world.api.post(f"{space.path}/git/connection/webhook").status == 404


def test_few_posts_are_remembered(world: World, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(limits, "GIT_PUSHES_KEPT", 3)
    host = Host(world, _connected(world, kind=kind))
    for n in range(6):
        clock.advance(1000)
        host.says(PUSH % str(n).encode())
    assert host.says(PUSH % b"5").startswith("This was taken before")
    assert not host.says(PUSH % b"0").startswith("This was taken before")
