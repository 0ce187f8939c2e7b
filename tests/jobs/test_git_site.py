"""Sites that follow a branch: `docs.yaml` and the directories of its spaces, both ways, over the API, against a real server."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client import World
from tests.conftest import FakeClock
from tests.git_compat.server import Served
from tests.jobs.repositories import BRANCH, Files, Repository
from tests.resources.checks import check_json, check_refusals, check_roles

URL = "http://127.0.0.1:9/docs.git"
DOCS = b"""# What we publish
version: 1
site:
  title: Terns
  structure:
    - type: section # first
      key: guide
      title: Guide
      path: guide
      children:
        - type: space
          key: en
          title: English
          content:
            directory: ./guide/en
        - type: space
          key: de
          title: Deutsch
          content:
            directory: ./guide/de
            language: de
    # elsewhere
    - type: external-link
      key: source
      title: Source
      url: https://example.org
"""
FIRST: Files = {
    "docs.yaml": DOCS,
    "guide/en/README.md": b"# Terns\n\nThey fly.\n",
    "guide/de/README.md": b"# Seeschwalben\n\nSie fliegen.\n",
}


class Followed:
    """A site that follows a branch."""

    def __init__(self, world: World, url: str, **more: Any) -> None:
        self.world = world
        made = world.api.post(f"/v1/orgs/{world.organization}/sites", {"title": "Terns", **more.pop("site", {})})
        assert made.status == 201, made.text
        self.path = f"/v1/orgs/{world.organization}/sites/{made.json['id']}"
        self.connect(url, **more)

    def connect(self, url: str, **more: Any) -> dict[str, Any]:
        reply = self.world.api.put(f"{self.path}/git/connection", {"url": url, "ref": BRANCH, **more})
        assert reply.status == 200, reply.text
        made: dict[str, Any] = reply.json
        return made

    def sync(self, **body: Any) -> dict[str, Any]:
        reply = self.world.api.post(f"{self.path}/git/sync", body)
        assert reply.status == 201, reply.text
        self.world.work()
        made: dict[str, Any] = self.world.api.get(f"{self.path}/git/operations/{reply.json['id']}").json
        return made

    def shown(self) -> list[dict[str, Any]]:
        """Its site-spaces."""
        made: list[dict[str, Any]] = self.world.api.get(f"{self.path}/site-spaces").json["items"]
        return made

    def structure(self) -> list[tuple[str, list[str]]]:
        """Title of each entry, and those of its site-spaces."""
        found = self.world.api.get(f"{self.path}/structure").json["structure"]
        return [(one["title"], [inner["title"] for inner in one.get("siteSpaces", ())]) for one in found]

    def space(self, title: str) -> str:
        [found] = [one["space"]["id"] for one in self.shown() if one["title"] == title]
        return str(found)

    def text(self, title: str) -> str:
        space = self.space(title)
        [page, *_] = self.world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"]
        found = self.world.api.get(f"/v1/spaces/{space}/content/page/{page['id']}?format=markdown")
        return str(found.json["markdown"])

    def write(self, title: str, markdown: str) -> None:
        space = self.space(title)
        path = f"/v1/spaces/{space}"
        assert self.world.api.patch(path, {"editMode": "live"}).status == 200
        [page, *_] = self.world.api.get(f"{path}/content/pages").json["pages"]
        change = {"operation": "update_page", "page": page["id"], "document": {"markdown": markdown}}
        assert self.world.api.post(f"{path}/content", {"changes": [change]}).status == 200


def test_it_is_set_up_read_changed_and_taken_away(world: World) -> None:
    site = Followed(world, "http://ada:s3cr%40t@127.0.0.1:9/docs.git", directory="./docs/", pollMinutes=5)
    path = f"{site.path}/git/connection"
    made = world.api.get(path).json
    assert (made["url"], made["username"], made["hasToken"], made["directory"]) == (URL, "ada", True, "docs")
    assert "s3cr" not in str(made)
    assert site.connect(URL)["hasToken"], "what was given once stays"
    assert world.api.post(path + "/deploy-key", {}).status == 409
    assert world.api.delete(path).status == 205
    assert world.api.delete(path).status == 404
    assert world.api.get(path).status == 404
    assert world.api.post(f"{site.path}/git/sync", {}).status == 404
    assert world.api.get(f"{site.path}/git/operations/nothing").status == 404


def test_who_may(world: World) -> None:
    site = Followed(world, URL)
    path = f"{site.path}/git"
    check_roles(world, "admin", "PUT", f"{path}/connection", {"url": URL, "ref": BRANCH}, success=200)
    check_roles(world, "admin", "GET", f"{path}/connection", success=200)
    check_roles(world, "admin", "GET", f"{path}/operations", success=200)
    check_roles(world, "admin", "POST", f"{path}/sync", {}, success=201)
    good = {"url": URL, "ref": BRANCH}
    cases = [({"ref": BRANCH}, "url"), (good | {"ref": "main"}, "ref"), (good | {"directory": "../x"}, "directory")]
    check_refusals(world, "PUT", f"{path}/connection", cases)
    check_refusals(world, "POST", f"{path}/sync", [({"keep": "both"}, "keep")])
    check_json(world, "PUT", f"{path}/connection")


def test_a_repository_becomes_a_site_and_both_follow_each_other(
    near: World, repository: Repository, served: Served
) -> None:
    served.password = "ada:s3cr@t"
    repository.commit("Begin", FIRST)
    site = Followed(near, repository.url, username="ada", token="s3cr@t")
    ended = site.sync()
    assert ended["state"] == "success", ended
    assert [(one["directory"], one["state"]) for one in ended["spaces"]] == [
        ("guide/en", "success"), ("guide/de", "success"),
    ]  # fmt: skip
    assert site.structure() == [("Guide", ["English", "Deutsch"]), ("Source", [])]
    assert site.text("Deutsch") == "# Seeschwalben\n\nSie fliegen.\n"
    assert repository.files() == FIRST, "nothing is written that says nothing new"
    ids = {one["title"]: one["id"] for one in site.shown()}

    site.write("English", "# Terns\n\nThey fly far.\n")
    [link] = near.api.get(f"{site.path}/structure").json["structure"][1:]
    changed = near.api.patch(f"{site.path}/external-links/{link['id']}", {"title": "Code"})
    assert changed.status == 200, changed.text
    repository.commit(
        "Theirs",
        {
            "docs.yaml": DOCS.replace(b"title: Guide", b"title: Field guide"),
            "guide/de/README.md": b"# Seeschwalben\n\nSie fliegen weit.\n",
        },
    )
    assert site.sync()["state"] == "success"
    assert site.structure() == [("Field guide", ["English", "Deutsch"]), ("Code", [])]
    assert {one["title"]: one["id"] for one in site.shown()} == ids
    held = repository.files()
    assert held["docs.yaml"] == DOCS.replace(b"title: Guide", b"title: Field guide").replace(
        b"title: Source", b"title: Code"
    ), held["docs.yaml"].decode()
    assert held["guide/en/README.md"] == b"# Terns\n\nThey fly far.\n"
    assert site.text("Deutsch") == "# Seeschwalben\n\nSie fliegen weit.\n"
    before = repository.head()
    again = site.sync()
    assert (again["state"], repository.head()) == ("success", before), "nothing to do is no commit"
    assert "s3cr" not in str(near.api.get(f"{site.path}/git/operations").json)
    repository.check()


def test_what_comes_and_goes_on_either_side(near: World, repository: Repository) -> None:
    repository.commit("Begin", FIRST)
    site = Followed(near, repository.url)
    assert site.sync()["state"] == "success"
    english, german = site.space("English"), site.space("Deutsch")
    new = near.space("Pictures")["id"]
    [section] = near.api.get(f"{site.path}/sections").json["items"]
    made = near.api.post(f"{site.path}/site-spaces", {"spaceId": new, "sectionId": section["id"]})
    assert made.status == 201, made.text
    text = DOCS.decode()
    start = text.index("        - type: space\n          key: de")
    repository.commit(
        "Theirs",
        {
            "docs.yaml": (text[:start] + text[text.index("    # elsewhere") :]).encode(),
            "guide/de/README.md": None,
        },
    )
    ended = site.sync()
    assert ended["state"] == "success", ended
    assert [one["space"] for one in ended["gone"]] == [german]
    assert near.api.get(f"/v1/spaces/{german}").status == 200, "the space itself stays"
    assert [title for _, titles in site.structure() for title in titles] == ["English", "Pictures"]
    assert site.space("English") == english
    held = repository.files()
    assert b"directory: ./pictures" in held["docs.yaml"]
    assert b"# elsewhere" in held["docs.yaml"]
    assert "pictures/untitled.md" in held


def test_a_site_is_written_into_a_repository_that_has_none(near: World, repository: Repository) -> None:
    repository.commit("Begin", {"src/a.py": b"x = 1\n"})
    space = near.space("Birds")["id"]
    site = Followed(near, repository.url, first="space", directory="docs", site={"spaces": [space]})
    assert site.sync()["state"] == "success"
    held = repository.files()
    assert b"directory: /docs/birds" in held["docs/docs.yaml"]
    assert {"docs/birds/untitled.md", "src/a.py"} <= set(held)
    before = repository.head()
    assert site.sync()["state"] == "success"
    assert repository.head() == before


def test_what_contradicts_is_told_and_decided(near: World, repository: Repository) -> None:
    repository.commit("Begin", FIRST)
    site = Followed(near, repository.url)
    site.sync()
    [section] = near.api.get(f"{site.path}/sections").json["items"]
    assert near.api.patch(f"{site.path}/sections/{section['id']}", {"title": "Ours"}).status == 200
    repository.commit("Theirs", {"docs.yaml": DOCS.replace(b"title: Guide", b"title: Theirs")})
    ended = site.sync()
    assert ended["state"] == "failure"
    assert "the title of the section “Theirs” changed on both sides" in ended["message"]
    assert site.structure()[0][0] == "Ours"
    assert b"Theirs" in repository.files()["docs.yaml"]
    assert site.sync(keep="site")["state"] == "success"
    assert b"title: Ours" in repository.files()["docs.yaml"]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"README.md": b"# Terns\n"}, "There is no docs.yaml on the branch main"),
        ({"docs.yaml": b"site: ["}, "is not valid YAML"),
        ({"docs.yaml": b"\xff\xfe"}, "is not written in UTF-8"),
        ({"docs.yaml": DOCS}, "names the directory 'guide/de', which does not exist"),
        ({"docs.yaml": DOCS.replace(b"key: de", b"key: en")}, "two entries of type space have the key 'en'"),
        ({**FIRST, "docs.yaml": DOCS.replace(b"https://", b"javascript:")}, "has to begin with http:// or https://"),
        ({**FIRST, "docs.yaml": DOCS.replace(b"./guide/en", b"../../etc")}, "lies outside of the repository"),
    ],
)
def test_what_cannot_be_followed_is_told(near: World, repository: Repository, files: Files, said: str) -> None:
    repository.commit("Begin", files)
    site = Followed(near, repository.url)
    ended = site.sync()
    assert (ended["state"], said in ended["message"]) == ("failure", True), ended["message"]
    assert site.shown() == []


def test_it_is_looked_now_and_then_and_tried_again(near: World, repository: Repository, clock: FakeClock) -> None:
    repository.commit("Begin", FIRST)
    site = Followed(near, repository.url, pollMinutes=5)
    clock.advance(5 * 60_000)
    near.work()
    assert [one["title"] for one in site.shown()] == ["English", "Deutsch"]
    known = near.api.get(f"{site.path}/git/operations").json["count"]
    clock.advance(5 * 60_000)
    near.work()
    assert near.api.get(f"{site.path}/git/operations").json["count"] == known, "nothing to do leaves no trace"
    site.connect(URL)
    waiting = site.sync()
    assert (waiting["state"], waiting["attempts"]) == ("queued", 1)
    assert waiting["retryAt"]
    site.connect(repository.url)
    clock.advance(60_000)
    near.work()
    ended = near.api.get(f"{site.path}/git/operations/{waiting['id']}").json
    assert (ended["state"], ended["attempts"]) == ("success", 2)


def test_a_space_of_somebody_else_is_left_alone(near: World, repository: Repository) -> None:
    repository.commit("Begin", FIRST)
    space = near.space("Birds")["id"]
    site = Followed(near, repository.url, site={"spaces": [space]}, first="space")
    own = {"url": repository.url, "ref": BRANCH, "directory": "own"}
    assert near.api.put(f"/v1/spaces/{space}/git/connection", own).status == 200
    ended = site.sync()
    assert ended["state"] == "success", ended
    assert ended["spaces"] == []
    assert [one["space"]["id"] for one in site.shown()] == [space]
