"""What stays of repositories between operations: less is asked for and read, and what a space holds is the same."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.client import World
from tests.conftest import FakeClock
from tests.git_compat.server import Served
from tests.jobs.repositories import Files, Repository, Written

FIRST: Files = {
    "SUMMARY.md": b"# Contents\n\n* [Home](README.md)\n* [Fish](fish.md)\n* [Birds](birds.md)\n",
    "README.md": b"# Home\n\nSee [fish](fish.md).\n",
    "fish.md": b"# Fish\n\none\n\ntwo\n\nthree\n",
    "birds.md": b"# Birds\n\n![](.gitbook/assets/a.svg)\n",
    ".gitbook/assets/a.svg": b"<svg/>",
}


def _kept(world: World) -> Path:
    return world.house.settings.data / "git" / world.organization


def _posts(served: Served) -> int:
    """Requests for content, beside those for the names of branches."""
    return sum(path.endswith("/git-upload-pack") for path, _ in served.asked)


def test_again_and_again_is_the_same_as_anew(near: World, repository: Repository, served: Served) -> None:
    repository.commit("Begin", FIRST)
    space = Written(near)
    assert space.order("import", repository.url)["state"] == "success"
    before = space.revision()["id"]
    ids = space.pages()
    repository.commit(
        "Text", {"fish.md": b"# Fish\n\none\n\nSee [birds](birds.md).\n", ".gitbook/assets/a.svg": b"<svg />"}
    )
    assert space.order("import", repository.url)["log"][-2]["message"] == "Read 3 pages and 1 files, with 0 warnings."
    assert space.text(ids["fish"]) == "# Fish\n\none\n\nSee [birds](birds.md).\n"
    assert space.revision()["parents"] == [before]
    asked = _posts(served)
    held = space.revision()["id"]
    assert space.order("import", repository.url)["state"] == "success"
    assert (space.revision()["id"], _posts(served) - asked) == (held, 1), "the names of branches were asked for alone"
    shutil.rmtree(_kept(near))
    fresh = Written(near)
    assert fresh.order("import", repository.url)["state"] == "success"
    assert {path: fresh.text(key) for path, key in fresh.pages().items()} == {
        path: space.text(key) for path, key in ids.items()
    }
    repository.commit("Where nothing is kept", {"fish.md": b"# Fish\n\nfour\n"})
    assert space.order("import", repository.url)["state"] == "success"
    assert (space.text(ids["fish"]), space.pages()) == ("# Fish\n\nfour\n", ids)


def test_spaces_that_name_one_cache_share_it(near: World, repository: Repository, served: Served) -> None:
    repository.commit("Begin", FIRST)
    asked: list[int] = []
    for cache in ("docs", "docs", "other", None):
        space, before = Written(near), _posts(served)
        named = {} if cache is None else {"repoCacheID": cache}
        assert space.order("import", repository.url, **named)["state"] == "success"
        asked.append(_posts(served) - before)
    assert asked == [2, 1, 2, 2]
    assert sum(path.name.startswith("shared-") for path in _kept(near).iterdir()) == 2


def test_what_is_kept_and_broken_is_fetched_again(near: World, repository: Repository) -> None:
    repository.commit("Begin", FIRST)
    space = Written(near)
    assert space.order("import", repository.url)["state"] == "success"
    for pack in _kept(near).rglob("*.pack"):
        pack.chmod(0o600)
        pack.write_bytes(pack.read_bytes()[:40])
    space.edit(space.pages()["fish"], "# Fish\n\nOurs.\n")
    ended = space.order("export", repository.url)
    assert ended["state"] == "success", ended
    assert repository.files()["fish.md"] == b"# Fish\n\nOurs.\n"
    repository.check()


def test_it_goes_with_the_space(near: World, repository: Repository, clock: FakeClock) -> None:
    repository.commit("Begin", FIRST)
    space = Written(near)
    assert space.order("import", repository.url)["state"] == "success"
    assert (_kept(near) / space.id).is_dir()
    near.api.delete(space.path)
    clock.advance(8 * 24 * 3_600_000)
    near.work()
    assert not (_kept(near) / space.id).exists()
