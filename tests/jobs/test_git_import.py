"""Imports from a real Git server, ordered over the API: what a space holds afterwards, and what is said when it fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import World
from tests.conftest import FakeClock
from tests.git_compat.server import Served, git
from tests.profiles import DEEP

BRANCH = "refs/heads/main"


class Repository:
    """A work tree and the bare copy of it that the server has."""

    def __init__(self, folder: Path, served: Served) -> None:
        self.work = folder / "work"
        self.work.mkdir()
        self.url = served.url("docs.git")
        git(self.work, "init", "-q", "-b", "main")
        git(served.root, "init", "-q", "--bare", "-b", "main", "docs.git")
        git(self.work, "remote", "add", "origin", str(served.root / "docs.git"))

    def commit(self, message: str, files: dict[str, bytes | None]) -> str:
        """Write (None removes) and push; the commit's id."""
        for name, content in files.items():
            path = self.work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content)
        git(self.work, "add", "-A")
        git(self.work, "commit", "-q", "-m", message)
        git(self.work, "push", "-q", "origin", "HEAD:main")
        return git(self.work, "rev-parse", "HEAD").decode().strip()


@pytest.fixture
def repository(tmp_path: Path, served: Served) -> Repository:
    return Repository(tmp_path, served)


def _import(world: World, space: str, url: str, **more: Any) -> dict[str, Any]:
    """Order an import, do it, and return what is said of it."""
    path = f"/v1/spaces/{space}/git"
    reply = world.api.post(path + "/import", {"url": url, "ref": BRANCH, **more})
    assert reply.status == 204, reply.text
    world.work()
    info: dict[str, Any] = world.api.get(path + "/info").json
    return info


def _ids(world: World, space: str) -> dict[str, str]:
    """Title of each page at the top -> id."""
    return {one["title"]: one["id"] for one in world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"]}


def _found(world: World, words: str) -> list[str]:
    items = world.api.get(f"/v1/orgs/{world.organization}/search?query={words}").json["items"]
    return [page["title"] for item in items for page in item["pages"]]


FIRST: dict[str, bytes | None] = {
    "SUMMARY.md": b"# Table of contents\n\n* [Home](README.md)\n* [Nests](nests.md)\n",
    "README.md": b"# Home\n\nWelcome, fledgling.\n",
    "nests.md": b"# Nests\n\nBuilt of reed.\n",
}


def test_content_follows_the_repository(near: World, repository: Repository, clock: FakeClock) -> None:
    space = near.space()["id"]
    first = repository.commit("Begin", FIRST)
    info = _import(near, space, repository.url, repoCommitURL="https://code.test/docs/commit/")
    assert (info["operation"]["state"], info["operation"]["direction"]) == ("success", "import")
    assert "message" not in info["operation"]
    before = near.api.get(f"/v1/spaces/{space}/content").json
    assert [one["title"] for one in before["pages"]] == ["Home", "Nests"]
    assert before["git"]["oid"] == first
    assert before["git"]["message"].strip() == "Begin"
    assert before["git"]["createdByService"] is False
    assert before["git"]["url"] == f"https://code.test/docs/commit/{first}"
    assert near.api.get(f"/v1/spaces/{space}").json["revision"] == before["id"]
    ids = _ids(near, space)
    assert _found(near, "fledgling") == ["Home"]

    clock.advance(60_000)
    changed = FIRST | {
        "README.md": b"# Home\n\nWelcome, cormorant.\n",
        "SUMMARY.md": (FIRST["SUMMARY.md"] or b"") + b"* [Eggs](eggs.md)\n",
        "eggs.md": b"# Eggs\n",
    }
    second = repository.commit("Go on", changed)
    assert _import(near, space, repository.url)["operation"]["state"] == "success"
    after = near.api.get(f"/v1/spaces/{space}/content").json
    assert (after["git"]["oid"], after["parents"]) == (second, [before["id"]])
    kept = _ids(near, space)
    assert {title: kept[title] for title in ids} == ids
    assert set(kept) == {"Home", "Nests", "Eggs"}
    home = near.api.get(f"/v1/spaces/{space}/content/page/{ids['Home']}?format=markdown").json
    assert home["markdown"].encode() == changed["README.md"]
    assert home["updatedAt"] > home["createdAt"]
    assert _found(near, "cormorant") == ["Home"]
    assert _found(near, "fledgling") == []
    old = near.api.get(f"/v1/spaces/{space}/revisions/{before['id']}/page/{ids['Home']}?format=markdown").json
    assert old["markdown"].encode() == FIRST["README.md"]

    info, primary = near.api.get(f"/v1/spaces/{space}/git/info").json, near.api.get(f"/v1/spaces/{space}").json
    repository.commit("Try", {"README.md": b"# Another home\n"})
    assert _import(near, space, repository.url, standalone=True) == info
    assert near.api.get(f"/v1/spaces/{space}").json == primary


def test_what_goes_wrong_is_said_and_changes_nothing(near: World, repository: Repository, served: Served) -> None:
    space = near.space()
    repository.commit("Begin", FIRST)
    missing = _import(near, space["id"], repository.url, ref="refs/heads/nothing")
    assert missing["operation"]["state"] == "failure"
    assert "nothing" in missing["operation"]["message"]
    served.password = "ada:right"
    wrong = _import(near, space["id"], served.url("docs.git", "ada:w%72ong-secret"))
    assert wrong["operation"]["state"] == "failure"
    assert "secret" not in str(wrong)
    assert near.api.get(f"/v1/spaces/{space['id']}").json["revision"] == space["revision"]
    assert _import(near, space["id"], served.url("docs.git", "ada:right"))["operation"]["state"] == "success"
    assert set(_ids(near, space["id"])) == {"Home", "Nests"}


def test_a_forced_older_import_that_fails_says_so(world: World) -> None:
    space = world.space()["id"]
    refused = "http://127.0.0.1:9/a.git"
    path = f"/v1/spaces/{space}/git"
    _import(world, space, refused, timestamp="2026-03-01T12:00:00Z")
    order = {"url": refused, "ref": BRANCH, "timestamp": "2026-03-01T11:00:00Z", "force": True}
    assert world.api.post(path + "/import", order).status == 204
    assert world.api.get(path + "/info").json["operation"]["state"] == "running"
    world.work()
    assert world.api.get(path + "/info").json["operation"]["state"] == "failure"


def test_an_older_order_that_is_taken_over_late_does_not_come_back(
    near: World, repository: Repository, clock: FakeClock
) -> None:
    """Its worker was lost; a newer order waits for its turn."""
    space = near.space()["id"]
    repository.commit("Begin", FIRST)
    git(repository.work, "push", "-q", "origin", "HEAD:old")
    repository.commit("News", {"README.md": b"# News\n"})
    older = {"url": repository.url, "ref": "refs/heads/old", "timestamp": "2026-03-01T11:00:00Z"}
    assert near.api.post(f"/v1/spaces/{space}/git/import", older).status == 204
    store = near.house.store
    lost = near.run(store.write(lambda unit: unit.jobs.take(["git"], now=unit.now, lease_for=60_000)))
    assert lost.payload["space"] == space
    newer = _import(near, space, repository.url, timestamp="2026-03-01T12:00:00Z")
    assert newer["operation"]["state"] == "running"
    clock.advance(120_000)
    near.work()
    assert set(_ids(near, space)) == {"News", "Nests"}
    assert near.api.get(f"/v1/spaces/{space}/git/info").json["operation"]["state"] == "success"
    ended = near.api.get(f"/v1/spaces/{space}/git/operations").json["items"]
    assert [one["ref"] for one in ended] == [BRANCH, "refs/heads/old"]


def test_a_space_deleted_meanwhile(near: World) -> None:
    space = near.space()["id"]
    near.api.post(f"/v1/spaces/{space}/git/import", {"url": "http://127.0.0.1:9/a.git", "ref": BRANCH})

    async def delete(unit: Any) -> None:
        await unit.spaces.change(await unit.spaces.get(space), deleted_at=unit.now)

    near.run(near.house.store.write(delete))
    near.work()
    sync = near.run(near.house.store.read(lambda unit: unit.spaces.git_sync(space)))
    assert sync.state == "failure"
    assert "deleted" in sync.message


def test_the_bytes_of_files_come_along_from_a_directory(near: World, repository: Repository) -> None:
    space = near.space()["id"]
    binary = bytes(range(256)) * 40
    home = b'# Home\n\n{% file src=".gitbook/assets/reed%20bed.bin" %}\n'
    files = FIRST | {".gitbook/assets/reed bed.bin": binary, "README.md": home}
    tree = {"README.md": b"# Outside\n"} | {f"docs/site/{name}": text for name, text in files.items()}
    repository.commit("Begin", tree)
    assert _import(near, space, repository.url, repoProjectDirectory="docs/site")["operation"]["state"] == "success"
    assert set(_ids(near, space)) == {"Home", "Nests"}
    file = near.api.get(f"/v1/spaces/{space}/content/files").json["items"][0]
    assert (file["name"], file["size"]) == ("reed bed.bin", len(binary))
    assert near.api.get(file["downloadURL"].removeprefix("http://octavo.test"), token="").body == binary


def test_links_to_what_lies_beside_the_content_lead_to_the_host(near: World, repository: Repository) -> None:
    home = b"# Home\n\n[code](../src/a%20b.py#L1) [all](../src) [gone](../nothing.py)\n"
    repository.commit("Begin", {"docs/README.md": home, "src/a b.py": b"x = 1\n"})
    space = near.space()["id"]
    tree = {"repoProjectDirectory": "docs", "repoTreeURL": "https://code.test/t/main/"}
    assert _import(near, space, repository.url, **tree)["operation"]["state"] == "success"
    path = f"/v1/spaces/{space}/content/page/{_ids(near, space)['Home']}"
    document = str(near.api.get(f"{path}?format=document").json["document"])
    assert "https://code.test/t/main/src/a%20b.py#L1" in document
    assert "'https://code.test/t/main/src'" in document
    assert "https://code.test/t/main/nothing.py" not in document
    assert near.api.get(f"{path}?format=markdown").json["markdown"].encode() == home


def test_a_directory_import_does_its_own_job(world: World, tmp_path: Path) -> None:
    """However many others wait."""
    waiting = world.space()["id"]
    order = {"url": "http://127.0.0.1:9/a.git", "ref": BRANCH}
    assert world.api.post(f"/v1/spaces/{waiting}/git/import", order).status == 204
    (tmp_path / "README.md").write_bytes(b"# Own\n")
    assert set(_ids(world, world.imported(tmp_path))) == {"Own"}


@pytest.mark.parametrize("engine", ["sqlite", "postgres"] if DEEP else ["sqlite"], indirect=True)
def test_the_corpus_over_smart_http(near: World, served: Served, corpus: Path) -> None:
    """A real documentation repository, fetched by Git, ordered over the API: its whole table of contents is there."""
    git(served.root, "clone", "-q", "--bare", str(corpus), "corpus.git")
    space = near.space(empty=True)["id"]
    order = {"url": served.url("corpus.git"), "ref": BRANCH}
    assert near.api.post(f"/v1/spaces/{space}/git/import", order).status == 204
    near.work()
    assert near.api.get(f"/v1/spaces/{space}/git/info").json["operation"]["state"] == "success"
    pages = near.api.get(f"/v1/spaces/{space}/content/pages").json["pages"]
    documents = [page for page in _every(pages) if page["type"] == "document"]
    assert len(documents) == 156
    for page in documents[::12]:
        source = (corpus / page["git"]["path"]).read_bytes()
        shown = near.api.get(f"/v1/spaces/{space}/content/page/{page['id']}?format=markdown").json
        assert shown["markdown"].encode() == source


def _every(pages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for page in pages:
        yield page
        yield from _every(page.get("pages", []))
