"""Exports to a real Git server, ordered over the API: what the branch holds then, and what it still holds."""

from __future__ import annotations

from tests.client import World
from tests.conftest import FakeClock
from tests.git_compat.server import Served, git
from tests.jobs.repositories import Files, Repository, Written

FIRST: Files = {
    "SUMMARY.md": b"# Contents  \n\n- [Home](README.md)\n- [Nests](nests.md) \n  - [Eggs](nests/eggs.md)\n\n"
    b"<!-- keep me -->\n\n## Food\n\n- [Fish](food/fish.md)\n- [Web](https://example.org/)\n",
    "README.md": b"# Home\n\nWelcome, fledgling. See [fish](food/fish.md).\n",
    "nests.md": b"---\nicon:   feather # mine\ndescription: Where they live\n---\n\n# Nests\n\nBuilt of reed.\n\n\nTwice.\n",
    "nests/eggs.md": b"# Eggs\r\n\r\nTwo, in [a nest](../nests.md).\r\n",
    "food/fish.md": b"# Fish\n\n* one\n* two\n",
    "src/main.py": b"print('not a page')\n",
    ".gitbook.yaml": b"# settings\nredirects:\n  old/fish: food/fish.md\n",
}


def test_an_edit_changes_its_file_and_no_other(near: World, repository: Repository) -> None:
    first = repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    assert space.order("import", repository.url)["state"] == "success"
    assert space.order("export", repository.url)["state"] == "success"
    assert repository.head() == first, "there was nothing to do"
    page = space.pages()["nests"]
    space.write({"operation": "update_page", "page": page, "document": {"markdown": "# Nests\n\nBuilt of willow.\n"}})
    ended = space.order("export", repository.url, repoCommitURL="https://code.test/c/", commitMessage="Of willow")
    assert (ended["state"], ended["oid"]) == ("success", repository.head())
    assert ended["commitURL"] == f"https://code.test/c/{repository.head()}"
    assert repository.changed(first) == {"nests.md": "M"}
    repository.check()
    shown = git(repository.bare, "show", "-s", "--format=%an <%ae>%n%cn <%ce>%n%B", "main").decode().splitlines()
    assert shown[0] == shown[1]
    assert shown[2] == "Of willow"
    made = space.revision()["git"]
    assert (made["oid"], made["createdByService"], made["message"]) == (repository.head(), True, "Of willow")
    assert made["url"] == f"https://code.test/c/{repository.head()}"
    info = near.api.get(f"{space.path}/git/info").json["operation"]
    assert (info["state"], info["direction"]) == ("success", "export")


def test_new_moved_and_deleted_pages_are_files_that_come_move_and_go(near: World, repository: Repository) -> None:
    first = repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    space.order("import", repository.url)
    pages = space.pages()
    space.insert("# Water\n\nSee [eggs](/pages/{}).\n".format(pages["nests/eggs"]), into=pages["food"])
    space.write({"operation": "update_page", "page": pages["food/fish"], "slug": "herring", "title": "Herring"})
    space.write({"operation": "delete_page", "page": pages["nests/eggs"]})
    assert space.order("export", repository.url)["state"] == "success"
    repository.check()
    assert repository.changed(first) == {
        "food/water.md": "A", "food/herring.md": "R", "nests/eggs.md": "D", "SUMMARY.md": "M", "README.md": "M",
        ".gitbook.yaml": "M",
    }  # fmt: skip
    files = repository.files()
    assert files["SUMMARY.md"] == (
        b"# Contents  \n\n- [Home](README.md)\n- [Nests](nests.md) \n\n<!-- keep me -->\n\n"
        b"## Food\n\n- [Herring](food/herring.md)\n- [Web](https://example.org/)\n- [Water](food/water.md)\n"
    )
    assert files["README.md"] == b"# Home\n\nWelcome, fledgling. See [fish](food/herring.md).\n"
    assert files[".gitbook.yaml"] == b'# settings\nredirects:\n  old/fish: "food/herring.md"\n'
    assert files["src/main.py"] == FIRST["src/main.py"]
    known, head = space.pages(), repository.head()
    assert space.order("import", repository.url)["state"] == "success"
    assert space.pages() == known
    assert space.order("export", repository.url)["state"] == "success"
    assert repository.head() == head


def test_both_sides_keep_their_edits(near: World, repository: Repository) -> None:
    repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    space.order("import", repository.url)
    pages = space.pages()
    space.edit(pages["food/fish"], "# Fish\n\n* one\n* two\n* three\n")
    theirs = repository.commit("Theirs", {
        "nests.md": b"# Nests\n\nBuilt by others.\n", "more.md": b"# More\n",
        "SUMMARY.md": (FIRST["SUMMARY.md"] or b"") + b"- [More](more.md)\n",
    })  # fmt: skip
    ended = space.order("export", repository.url)
    assert ended["state"] == "success", ended
    assert git(repository.bare, "rev-parse", "main~1").decode().strip() == theirs
    files = repository.files()
    assert files["nests.md"] == b"# Nests\n\nBuilt by others.\n"
    assert files["food/fish.md"] == b"# Fish\n\n* one\n* two\n* three\n"
    assert space.text(space.pages()["nests"]) == "# Nests\n\nBuilt by others.\n"
    assert "food/more" in space.pages()
    assert any("brought in" in line["message"] for line in ended["log"])


def test_what_contradicts_waits_in_a_change_request(near: World, repository: Repository) -> None:
    repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    space.order("import", repository.url)
    fish = space.pages()["food/fish"]
    space.edit(fish, "# Fish\n\nOurs.\n")
    theirs = repository.commit("Theirs", {"food/fish.md": b"# Fish\n\nTheirs.\n"})
    ended = space.order("export", repository.url)
    assert ended["state"] == "failure"
    assert "Fish" in ended["message"]
    assert repository.head() == theirs
    assert space.text(fish) == "# Fish\n\nOurs.\n"
    assert "waits" in space.order("export", repository.url)["message"]
    request = f"{space.path}/change-requests/{ended['changeRequest']}"
    assert near.api.get(request).json["status"] == "open"
    assert near.api.post(f"{request}/merge", {}).status == 200
    assert space.order("export", repository.url)["state"] == "success"
    text = repository.files()["food/fish.md"].decode()
    assert "Ours." in text
    assert "Theirs." in text


def test_an_archived_change_request_leaves_the_spaces_words(near: World, repository: Repository) -> None:
    repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    space.order("import", repository.url)
    fish = space.pages()["food/fish"]
    space.edit(fish, "# Fish\n\nOurs.\n")
    repository.commit("Theirs", {"food/fish.md": b"# Fish\n\nTheirs.\n", "nests.md": b"# Nests\n\nThere.\n"})
    ended = space.order("export", repository.url)
    request = f"{space.path}/change-requests/{ended['changeRequest']}"
    assert near.api.patch(request, {"status": "archived"}).status == 200
    assert space.order("export", repository.url)["state"] == "success"
    assert repository.files()["food/fish.md"] == b"# Fish\n\nOurs.\n"


def test_with_force_the_space_counts(near: World, repository: Repository) -> None:
    repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    space.order("import", repository.url)
    space.edit(space.pages()["food/fish"], "# Fish\n\nOurs.\n")
    theirs = repository.commit("Theirs", {"food/fish.md": b"# Fish\n\nTheirs.\n"})
    assert space.order("export", repository.url, force=True)["state"] == "success"
    assert repository.files()["food/fish.md"] == b"# Fish\n\nOurs.\n"
    assert git(repository.bare, "rev-parse", "main~1").decode().strip() == theirs, "their commit stays in the history"


def test_an_empty_repository_gets_the_whole_space(near: World, repository: Repository) -> None:
    space = Written(near, empty=True)
    nests = space.insert("# Nests\n\nReed, see [eggs](/pages/nests/eggs).\n")
    space.insert("# Eggs [two]\n", into=nests)
    space.write(
        {"operation": "insert_files", "files": [{"name": "a b.txt", "contentType": "text/plain", "base64": "YQ=="}]}
    )
    assert space.order("export", repository.url, repoProjectDirectory="docs")["state"] == "success"
    repository.check()
    files = repository.files()
    assert set(files) == {"docs/nests/README.md", "docs/nests/eggs-two.md", "docs/.gitbook/assets/a b.txt"}
    assert files["docs/nests/README.md"] == b"# Nests\n\nReed, see eggs.\n"
    other = Written(near, empty=True)
    assert other.order("import", repository.url, repoProjectDirectory="/docs/")["state"] == "success"
    assert list(other.pages()) == list(space.pages())


def test_a_new_branch_begins_where_the_repository_is(near: World, repository: Repository) -> None:
    first = repository.commit("Begin", {"src/main.py": b"x = 1\n"})
    space = Written(near, empty=True)
    space.insert("# Nests\n")
    assert space.order("export", repository.url, ref="refs/heads/docs/new")["state"] == "success"
    assert git(repository.bare, "rev-parse", "docs/new~1").decode().strip() == first
    assert set(repository.files("docs/new")) == {"src/main.py", "nests.md"}
    assert repository.head() == first


def test_what_cannot_be_read_keeps_its_name(near: World, repository: Repository) -> None:
    assets = repository.work / "docs" / ".gitbook" / "assets"
    assets.mkdir(parents=True)
    (assets / "logo.txt").symlink_to("elsewhere.txt")
    (repository.work / "docs" / "nests").symlink_to("/etc")
    repository.commit("Begin", {})
    space = Written(near, empty=True)
    nests = space.insert("# Nests\n")
    space.insert("# Eggs\n", into=nests)
    space.write(
        {"operation": "insert_files", "files": [{"name": "logo.txt", "contentType": "text/plain", "base64": "YQ=="}]}
    )
    ended = space.order("export", repository.url, repoProjectDirectory="docs")
    assert ended["state"] == "success", ended
    assets_there = {"docs/.gitbook/assets/logo.txt", "docs/.gitbook/assets/logo-1.txt"}
    assert set(repository.files()) >= assets_there | {"docs/nests", "docs/nests-1/README.md", "docs/nests-1/eggs.md"}


def test_a_branch_that_was_renamed_is_not_made_anew(near: World, repository: Repository) -> None:
    """It would begin where HEAD is, with the space's old words for what HEAD has since."""
    repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    space.order("import", repository.url)
    git(repository.bare, "branch", "-m", "main", "trunk")
    git(repository.bare, "symbolic-ref", "HEAD", "refs/heads/trunk")
    space.edit(space.pages()["food/fish"], "# Fish\n\nOurs.\n")
    ended = space.order("export", repository.url)
    assert (ended["state"], "not there any more" in ended["message"]) == ("failure", True)
    assert git(repository.bare, "branch", "--format=%(refname:short)").split() == [b"trunk"]
    assert space.order("export", repository.url, force=True)["state"] == "success"
    assert repository.files()["food/fish.md"] == b"# Fish\n\nOurs.\n"


def test_a_host_that_cannot_be_reached_is_tried_again(
    near: World, repository: Repository, served: Served, clock: FakeClock
) -> None:
    repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    space.order("import", repository.url)
    served.pages["/docs.git"] = (503, "text/plain", b"")
    space.insert("# Water\n")
    ended = space.order("export", repository.url)
    assert (ended["state"], ended["attempts"]) == ("queued", 1)
    assert ended["retryAt"]
    assert "503" in ended["message"]
    served.pages.clear()
    near.work()
    assert space.last()["state"] == "queued", "its time has not come"
    clock.advance(11_000)
    near.work()
    assert (space.last()["state"], space.last()["attempts"]) == ("success", 2)
    assert "water.md" in repository.files()


def test_wrong_credentials_are_a_failure_and_are_not_told(near: World, repository: Repository, served: Served) -> None:
    repository.commit("Begin", FIRST)
    served.password = "ada:right"
    space = Written(near, empty=True)
    space.insert("# Water\n")
    for user in ("ada:w%72ong-secret", ""):
        ended = space.order("export", served.url("docs.git", user))
        assert ended["state"] == "failure"
        assert "secret" not in str(ended)
    assert space.order("export", served.url("docs.git", "ada:right"))["state"] == "success"
    assert "right" not in str(space.last())
    repository.check()


def test_a_push_that_the_host_declines_says_why(near: World, repository: Repository) -> None:
    repository.commit("Begin", FIRST)
    hook = repository.bare / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    space = Written(near, empty=True)
    space.insert("# Water\n")
    ended = space.order("export", repository.url)
    assert ended["state"] == "failure"
    assert "did not take the push" in ended["message"]


def test_a_push_whose_answer_was_lost_is_not_made_twice(near: World, repository: Repository) -> None:
    """The process died between the push and its note: the next one finds its pages where it left them."""
    repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    space.order("import", repository.url)
    page = space.insert("# Water\n\nWet.\n")

    async def keep(unit: object) -> object:
        return await unit.git.base(space.id)  # type: ignore[attr-defined]

    store = near.house.store
    before = near.run(store.read(keep))
    assert space.order("export", repository.url)["state"] == "success"
    pushed = near.run(store.read(keep))

    async def forget(unit: object) -> None:
        await unit.git.change_base(  # type: ignore[attr-defined]
            pushed, revision=before.revision, oid=before.oid, pushed_revision=pushed.revision, pushed_oid=pushed.oid
        )

    near.run(store.write(forget))
    head = repository.head()
    assert space.order("export", repository.url)["state"] == "success"
    assert repository.head() == head
    assert space.pages()["water"] == page
    assert list(space.pages()) == ["readme", "nests", "nests/eggs", "food", "food/fish", "food/web", "water"] or len(
        space.pages()
    ) == len(set(space.pages().values()))


def test_operations_of_a_space_take_turns(near: World, repository: Repository) -> None:
    repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    for verb, more in (("import", {}), ("export", {"commitMessage": "A"}), ("export", {"commitMessage": "B"})):
        order = {"url": repository.url, "ref": "refs/heads/main", **more}
        assert near.api.post(f"{space.path}/git/{verb}", order).status == 204
    waiting = near.api.get(f"{space.path}/git/operations").json["items"]
    assert [(one["direction"], one["state"]) for one in waiting] == [
        ("export", "queued"), ("export", "queued"), ("import", "queued"),
    ]  # fmt: skip
    near.work()
    ended = near.api.get(f"{space.path}/git/operations").json["items"]
    assert {one["state"] for one in ended} == {"success"}


def test_a_stale_order_is_ignored_and_says_so(near: World, repository: Repository) -> None:
    repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    assert space.order("import", repository.url, timestamp="2026-03-02T00:00:00Z")["state"] == "success"
    stale = space.order("export", repository.url, timestamp="2026-03-01T00:00:00Z")
    assert (stale["state"], stale["message"][:7]) == ("ignored", "Ignored")
