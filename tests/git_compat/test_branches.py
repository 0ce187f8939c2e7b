"""Branches and pull requests of a repository as change requests of a space that follow them, against a real server of Git."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.jobs.git import branching
from tests.client import World
from tests.conftest import FakeClock
from tests.git_compat.following import FEATURE, FIRST, Followed
from tests.git_compat.following import followed as followed
from tests.git_compat.hosts import TOKEN, HostApi, PullThere
from tests.git_compat.server import Served, git
from tests.jobs.conftest import near as near  # fixtures here too
from tests.jobs.conftest import repository as repository
from tests.jobs.repositories import BRANCH, Files, Repository, Written
from tests.resources.checks import check_refusals, check_roles


def test_a_branch_becomes_a_change_request(followed: Followed) -> None:
    known = followed.space.pages()
    base = followed.space.revision()["id"]
    oid = followed.commit(
        {"fish.md": None, "sea/fish.md": b"# Fish\n\none\n\ntwo of theirs\n\nthree\n", "SUMMARY.md": None}
    )
    followed.pushed()
    branch, request = followed.branch(), followed.request()
    assert (branch["state"], branch["oid"]) == ("open", oid)
    assert (request["subject"], request["status"], request["outdated"]) == ("feature", "open", False)
    assert request["revisionInitial"] == base
    assert request["createdBy"]["id"] == followed.world.api.get("/v1/user").json["id"]
    fish = next(one for one in _all(followed.pages().values()) if one["title"] == "Fish")
    assert fish["id"] == known["fish"], "a moved file keeps its page"
    assert "fish" in followed.space.pages(), "primary content is as it was"
    changes = followed.world.api.get(f"{followed.at()}/changes").json
    assert changes["changes"], changes


def test_further_pushes_follow_and_a_forced_one_too(followed: Followed) -> None:
    followed.commit({"fish.md": b"# Fish\n\nfirst\n"})
    followed.pushed()
    first = followed.request()
    followed.commit({"fish.md": b"# Fish\n\nsecond\n"})
    followed.pushed()
    assert followed.text() == "# Fish\n\nsecond\n"
    main = followed.repository.head()
    followed.commit({"fish.md": b"# Fish\n\nforced\n"}, since=main, force=True)
    followed.pushed()
    assert followed.text() == "# Fish\n\nforced\n"
    assert followed.request()["id"] == first["id"]


def test_what_main_has_since_is_no_edit_of_the_branch(followed: Followed) -> None:
    """The commit at which both were one is what counts, not what main holds now."""
    early = followed.repository.head()
    contents = b"# Contents\n\n* [Home](README.md)\n* [Fish](fish.md)\n* [Birds](birds.md)\n"
    followed.repository.commit("Later", {"birds.md": b"# Birds\n", "SUMMARY.md": contents})
    followed.sync()
    assert "birds" in followed.space.pages()
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"}, since=early)
    followed.pushed()
    assert "birds" not in followed.pages()
    merged = followed.world.api.post(f"{followed.at()}/merge", {})
    assert (merged.status, merged.json["result"]) == (200, "merge"), merged.text
    assert "birds" in followed.space.pages()
    assert followed.space.text(followed.space.pages()["fish"]) == "# Fish\n\ntheirs\n"


def test_edits_of_both_sides_come_together(followed: Followed) -> None:
    followed.commit({"fish.md": b"# Fish\n\none\n\ntwo\n\nthree of theirs\n"})
    followed.pushed()
    followed.edit("# Fish\n\none of ours\n\ntwo\n\nthree of theirs\n")
    followed.commit({"fish.md": b"# Fish\n\none\n\ntwo\n\nthree again of theirs\n"})
    followed.pushed()
    both = "# Fish\n\none of ours\n\ntwo\n\nthree again of theirs\n"
    assert followed.text() == both
    assert followed.repository.files("feature")["fish.md"].decode() == both
    assert followed.branch()["oid"] == followed.repository.head("feature")
    assert followed.repository.files()["fish.md"] == FIRST["fish.md"], "main is as it was"
    followed.repository.check()
    head = followed.repository.head("feature")
    followed.sync()
    assert followed.repository.head("feature") == head, "there is nothing more to do"


def test_what_contradicts_is_kept_and_not_pushed(followed: Followed) -> None:
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pushed()
    followed.edit("# Fish\n\nours of now\n")
    there = followed.commit({"fish.md": b"# Fish\n\ntheirs of now\n"})
    followed.pushed()
    assert "ours of now" in followed.text()
    assert "theirs of now" in followed.text()
    assert "contradict" in followed.branch()["message"]
    assert followed.repository.head("feature") == there
    followed.edit("# Fish\n\nours of now, theirs of now\n")
    followed.sync()
    assert followed.repository.files("feature")["fish.md"] == b"# Fish\n\nours of now, theirs of now\n"
    assert "message" not in followed.branch()


def test_edits_stay_where_the_branch_may_not_be_written(near: World, repository: Repository) -> None:
    followed = Followed(near, repository, previews={"push": False})
    there = followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pushed()
    followed.edit("# Fish\n\ntheirs and ours\n")
    followed.sync()
    assert followed.repository.head("feature") == there
    assert "not pushed" in followed.branch()["message"]
    assert followed.text() == "# Fish\n\ntheirs and ours\n"


@pytest.mark.parametrize("how", ["merge", "squash"])
def test_merged_there_is_merged_here(followed: Followed, how: str) -> None:
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pushed()
    work = followed.repository.work
    git(work, "fetch", "-q", "origin")
    git(work, "reset", "-q", "--hard", "origin/main")
    if how == "merge":
        git(work, "merge", "-q", "--no-ff", "-m", "Merge", "origin/feature")
    else:
        git(work, "merge", "-q", "--squash", "origin/feature")
        git(work, "commit", "-q", "-m", "Squashed")
    git(work, "push", "-q", "origin", "HEAD:main", ":feature")
    followed.sync()
    request = followed.request()
    assert (request["status"], followed.branch()["state"]) == ("merged", "merged")
    assert request["revisionMerged"] == followed.space.revision()["id"]
    assert followed.space.text(followed.space.pages()["fish"]) == "# Fish\n\ntheirs\n"
    assert set(followed.space.pages()) == {"readme", "fish"}, "nothing is there twice"


def test_merged_there_and_edited_since_is_merged_here(followed: Followed) -> None:
    """Its commits say so, though nothing is left of what it had."""
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pushed()
    work = followed.repository.work
    followed.repository.pull()
    git(work, "merge", "-q", "--no-ff", "-m", "Merge", "origin/feature")
    git(work, "push", "-q", "origin", "HEAD:main", ":feature")
    followed.repository.commit("Later", {"fish.md": b"# Fish\n\nsomething else\n"})
    followed.sync()
    assert (followed.request()["status"], followed.branch()["state"]) == ("merged", "merged")


def test_merged_here_a_file_that_was_only_linked_to_stays(followed: Followed) -> None:
    files: Files = {"fish.md": b"# Fish\n\n[run](scripts/run.sh)\n", "scripts/run.sh": b"#!/bin/sh\n"}
    followed.commit(files, branch="main", since="origin/main")
    followed.sync()
    followed.commit({"fish.md": b"# Fish\n\nNo link.\n"})
    followed.pushed()
    assert followed.world.api.post(f"{followed.at()}/merge", {}).status == 200
    followed.sync()
    there = followed.repository.files()
    assert (there["fish.md"], there["scripts/run.sh"]) == (b"# Fish\n\nNo link.\n", b"#!/bin/sh\n")


@pytest.mark.parametrize("how", ["merged", "closed"])
def test_an_edit_while_the_host_is_asked_is_not_lost(
    followed: Followed, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The change request waits with it, though its branch is no more."""
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pushed()
    if how == "merged":
        followed.commit({}, branch="main", since="origin/feature")
    at, fish, look, edits = followed.at(), followed.pages()["fish"]["id"], branching._look, []

    async def looked(work: Any, payload: Any, ref: Any, known: str, also: str = "") -> Any:
        found = await look(work, payload, ref, known, also)
        if ref == FEATURE and not edits:
            change = {"operation": "update_page", "page": fish, "document": {"markdown": "# Fish\n\ntheirs and mine\n"}}
            edits.append((await followed.world.api.send("POST", f"{at}/content", {"changes": [change]})).status)
        return found

    monkeypatch.setattr(branching, "_look", looked)
    followed.pull(how)
    clock.advance(60_000)
    followed.world.work()
    assert edits == [200]
    assert (followed.request()["status"], followed.branch()["state"]) == ("open", how)
    assert followed.text() == "# Fish\n\ntheirs and mine\n"


def test_merged_here_a_removed_branch_is_merged(followed: Followed) -> None:
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pushed()
    assert followed.world.api.post(f"{followed.at()}/merge", {}).status == 200
    followed.space.edit(followed.space.pages()["fish"], "# Fish\n\nsomething else\n")
    git(followed.repository.bare, "branch", "-D", "feature")
    followed.sync()
    followed.sync()
    assert (followed.request()["status"], followed.branch()["state"]) == ("merged", "merged")


def test_a_removed_branch_that_the_host_tells_late_was_merged(
    near: World, repository: Repository, served: Served
) -> None:
    served.api = api = HostApi("github")
    followed = Followed(near, repository, provider="github", apiToken=TOKEN)
    oid = followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    api.pulls[7] = PullThere("feature", oid=oid)
    followed.sync()
    repository.commit("Squash", {"fish.md": b"# Fish\n\ntheirs, squashed and edited\n"})
    git(repository.bare, "branch", "-D", "feature")
    api.pulls[7].state = "merged"
    api.refuse = [(502, {}, b"")]
    followed.sync()
    assert followed.request()["status"] == "archived"
    followed.sync()
    assert (followed.request()["status"], followed.branch()["state"]) == ("merged", "merged")


def test_a_page_that_came_by_a_branch_and_by_its_squash_keeps_both_texts(followed: Followed) -> None:
    """What was edited here only is merged after all: the page of the branch takes no file from the one of the space."""
    contents = b"# Contents\n\n* [Home](README.md)\n* [Fish](fish.md)\n* [Tern](tern.md)\n"
    files: Files = {"tern.md": b"# Tern\n\nalpha\n", "SUMMARY.md": contents}
    followed.commit(files)
    followed.pushed()
    followed.edit("# Fish\n\none\n\ntwo\n\nthree\n\nours\n")
    followed.repository.commit("Squash", files)
    git(followed.repository.bare, "branch", "-D", "feature")
    followed.sync()
    assert "without what was edited" in followed.branch()["message"]
    followed.space.edit(followed.space.pages()["tern"], "# Tern\n\nalpha and more\n")
    followed.sync()
    assert followed.world.api.post(f"{followed.at()}/merge", {}).status == 200
    followed.sync()
    there = followed.repository.files()
    assert there["tern.md"] == b"# Tern\n\nalpha and more\n"
    assert set(there) == {"SUMMARY.md", "README.md", "fish.md", "tern.md"}, "nothing is there twice"
    assert b"ours" in there["fish.md"]


def test_a_removed_branch_is_archived_and_a_new_push_opens_it_again(followed: Followed) -> None:
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pushed()
    git(followed.repository.bare, "branch", "-D", "feature")
    followed.pushed()
    assert (followed.request()["status"], followed.branch()["state"]) == ("archived", "closed")
    followed.commit({"fish.md": b"# Fish\n\nonce more\n"}, since="origin/main")
    followed.pushed()
    assert (followed.request()["status"], followed.text()) == ("open", "# Fish\n\nonce more\n")


def test_a_branch_that_is_reset_is_not_merged(followed: Followed) -> None:
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pushed()
    git(followed.repository.bare, "update-ref", "refs/heads/feature", "refs/heads/main")
    followed.pushed()
    assert followed.request()["status"] == "archived"


def test_who_archived_it_here_is_heard(followed: Followed) -> None:
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pushed()
    assert followed.world.api.patch(followed.at(), {"status": "archived"}).status == 200
    followed.commit({"fish.md": b"# Fish\n\nmore\n"})
    followed.pushed()
    assert followed.request()["status"] == "archived"
    assert "Somebody archived" in followed.branch()["message"]


def test_pull_requests_name_close_reopen_and_merge(followed: Followed) -> None:
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    assert followed.pull("open") == "A look at the pull request was queued."
    request = followed.request()
    assert request["subject"] == "Describe fish"
    assert request["links"][0]["ref"]["url"] == "https://git.example.org/docs/pull/7"
    assert followed.branch()["pullRequest"]["number"] == 7
    followed.pull("open", title="Describe terns")
    assert followed.request()["subject"] == "Describe terns", "it follows without a push too"
    followed.pull("closed")
    assert followed.request()["status"] == "archived"
    followed.pull("open")
    assert followed.request()["status"] == "open"
    followed.repository.commit("Merged", {"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pull("merged")
    assert (followed.request()["status"], followed.branch()["pullRequest"]["state"]) == ("merged", "merged")
    assert followed.space.text(followed.space.pages()["fish"]) == "# Fish\n\ntheirs\n"
    assert followed.pull("open", number=8, base={"ref": "other", "repo": {"full_name": "team/docs"}}).startswith(
        "Nothing"
    )


def test_pull_requests_of_forks_are_read_and_never_written(near: World, repository: Repository) -> None:
    followed = Followed(near, repository, previews={"forks": True})
    made = followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    ref = "refs/pull/7/head"
    git(repository.bare, "update-ref", ref, made)
    git(repository.bare, "branch", "-D", "feature")
    followed.pull("open", head={"ref": "feature", "repo": {"full_name": "somebody/docs"}})
    at = f"{followed.space.path}/change-requests/{followed.branch(ref)['changeRequest']}"
    assert near.api.get(at).json["subject"] == "Describe fish"
    page = near.api.get(f"{at}/content/pages").json["pages"][1]["id"]
    change = {"operation": "update_page", "page": page, "document": {"markdown": "# Fish\n\ntheirs and ours\n"}}
    assert near.api.post(f"{at}/content", {"changes": [change]}).status == 200
    followed.sync()
    assert "not pushed" in followed.branch(ref)["message"]
    assert git(repository.bare, "rev-parse", ref).decode().strip() == made
    followed.connect(previews={"forks": False})
    assert followed.pull("open", number=9, head={"ref": "x", "repo": None}).startswith("Nothing follows")


def test_another_repository_has_other_branches(followed: Followed) -> None:
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pushed()
    at = followed.at()
    followed.connect(url="http://127.0.0.1:9/other.git")
    assert followed.branches() == []
    assert followed.world.api.get(at).json["status"] == "open", "its change request stays"


def test_who_wrote_it_made_it_where_the_address_is_known(followed: Followed) -> None:
    near = followed.world
    writer = near.api.get("/v1/user", token=near.person("edit")).json

    async def verified(unit: Any) -> None:
        found = await unit.people.user(writer["id"])
        await unit.people.change_user(found, email_verified=unit.now)

    by = f"Pat <{writer['email']}>"
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"}, branch="first", by=by)
    followed.pushed("first")
    near.run(near.house.store.write(verified))
    followed.commit({"fish.md": b"# Fish\n\nof her\n"}, branch="second", by=by)
    followed.pushed("second")
    listed = near.api.get(f"{followed.space.path}/change-requests").json["items"]
    made = {one["subject"]: one["createdBy"]["id"] for one in listed}
    assert (made["second"], made["first"] == writer["id"]) == (writer["id"], False)


def test_only_some_branches_and_only_so_many(near: World, repository: Repository) -> None:
    followed = Followed(near, repository, previews={"branches": ["docs/*"], "most": 1}, pollMinutes=5)
    for name in ("docs/a", "docs/b", "feature"):
        followed.commit({"fish.md": name.encode()}, branch=name)
    git(followed.repository.bare, "branch", "docs/nothing", "main")
    followed.sync()
    found = {one["ref"].removeprefix("refs/heads/"): one for one in followed.branches()}
    assert {name: one["state"] for name, one in found.items()} == {
        "docs/a": "open", "docs/b": "waiting", "docs/nothing": "waiting",
    }  # fmt: skip
    assert "the most that the connection allows" in found["docs/b"]["message"]
    git(followed.repository.bare, "branch", "-D", "docs/a")
    followed.sync()
    followed.sync()
    assert {one["ref"]: one["state"] for one in followed.branches()}["refs/heads/docs/b"] == "open"


def test_it_is_looked_now_and_then(near: World, repository: Repository, clock: FakeClock) -> None:
    followed = Followed(near, repository, pollMinutes=5)
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    clock.advance(5 * 60_000)
    near.work()
    assert followed.text() == "# Fish\n\ntheirs\n"
    known = near.api.get(f"{followed.space.path}/git/operations").json["count"]
    clock.advance(5 * 60_000)
    near.work()
    assert near.api.get(f"{followed.space.path}/git/operations").json["count"] == known


def test_what_fails_is_told(followed: Followed, served: Served) -> None:
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    served.password = "ada:other"
    followed.pushed()
    last = followed.space.last()
    assert (last["state"], last["ref"]) == ("failure", FEATURE)
    assert followed.branch()["message"] == last["message"]


def test_wrong_input_names_the_field(world: World) -> None:
    path = f"{Written(world).path}/git/connection"
    good = {"url": "http://127.0.0.1:9/docs.git", "ref": BRANCH}
    cases = [
        (good | {"previews": {"branches": []}}, "branches"),
        (good | {"previews": {"branches": [""]}}, "branches"),
        (good | {"previews": {"most": 0}}, "most"),
        (good | {"previews": {"most": 51}}, "most"),
        (good | {"previews": {"push": "yes"}}, "push"),
        (good | {"previews": {"context": ""}}, "context"),
        (good | {"previews": True}, "previews"),
        (good | {"apiToken": ""}, "apiToken"),
    ]
    check_refusals(world, "PUT", path, cases)


def test_who_may(world: World) -> None:
    check_roles(world, "create", "GET", f"{Written(world).path}/git/branches", success=200)


def _all(pages: Any) -> list[dict[str, Any]]:
    return [one for page in pages for one in (page, *_all(page.get("pages", [])))]
