"""What hosts of repositories are asked about branches and pull requests that a space follows, and what they are told."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client import World
from tests.conftest import FakeClock
from tests.git_compat.following import FEATURE, Followed
from tests.git_compat.following import followed as followed
from tests.git_compat.hosts import TOKEN, HostApi, PullThere
from tests.git_compat.server import Served, git
from tests.jobs.conftest import near as near  # fixtures here too
from tests.jobs.conftest import repository as repository
from tests.jobs.repositories import Repository
from tests.profiles import some

_PENDING = {"github": "pending", "gitlab": "running", "gitea": "pending", "bitbucket": "INPROGRESS"}
_SUCCESS = {"github": "success", "gitlab": "success", "gitea": "success", "bitbucket": "SUCCESSFUL"}


@pytest.mark.parametrize("kind", some(["github", "gitlab", "gitea", "bitbucket"], 2))
def test_pull_requests_are_known_without_posts(
    near: World, repository: Repository, served: Served, clock: FakeClock, kind: str
) -> None:
    """Looking now and then is enough: what was opened, renamed, closed, reopened and merged there is so here."""
    served.api = api = HostApi(kind, pulls_a_page=1)
    followed = Followed(near, repository, provider=kind, apiToken=TOKEN, pollMinutes=5)

    def later() -> dict[str, Any]:
        clock.advance(5 * 60_000)
        near.work()
        assert api.wrong == []
        return followed.branch()

    oid = followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    api.pulls = {6: PullThere("other", into="elsewhere", oid=oid), 7: PullThere("feature", oid=oid)}
    api.pulls |= {8: PullThere("x", oid=oid, fork="somebody/docs")}
    branch = later()
    assert (branch["state"], branch["pullRequest"]["number"]) == ("open", 7)
    assert branch["pullRequest"]["url"] == "https://git.example.org/docs/pull/7"
    assert [one["ref"] for one in followed.branches()] == [FEATURE]
    request = followed.request()
    assert (request["subject"], len(api.comments)) == ("Describe fish", 1)
    known = near.api.get(f"{followed.space.path}/git/operations").json["count"]
    later()
    assert near.api.get(f"{followed.space.path}/git/operations").json["count"] == known, "nothing was new"
    api.pulls[7].title = "Describe terns"
    assert later()["pullRequest"]["title"] == "Describe terns"
    assert followed.request()["subject"] == "Describe terns"
    api.pulls[7].state = "closed"
    assert later()["state"] == "closed"
    assert followed.request()["status"] == "archived"
    api.pulls[7].state = "open"
    assert later()["state"] == "open"
    assert followed.request()["status"] == "open"
    repository.commit("Merged", {"fish.md": b"# Fish\n\ntheirs\n"})
    api.pulls[7].state = "merged"
    assert later()["pullRequest"]["state"] == "merged"
    assert (followed.request()["status"], followed.request()["id"]) == ("merged", request["id"])
    second = followed.commit({"fish.md": b"# Fish\n\nmore of theirs\n"}, branch="second")
    api.pulls[9] = PullThere("second", oid=second)
    later()
    del api.pulls[9]
    later()
    assert followed.branch("refs/heads/second")["state"] == "closed", "a removed one is closed"
    third = followed.commit({"fish.md": b"# Fish\n\nstill more\n"}, branch="third")
    later()
    api.pulls[10] = PullThere("third", oid=oid, state="merged")
    later()
    assert followed.branch("refs/heads/third")["state"] == "open", "that was another life of it"
    api.pulls[11] = PullThere("third", oid=third, state="closed")
    later()
    assert followed.branch("refs/heads/third")["state"] == "closed", "it was opened and closed between two looks"
    repository.commit("Merged", {"fish.md": b"# Fish\n\nstill more\n"})
    api.pulls[11].state, api.pulls[11].oid = "merged", followed.commit({"fish.md": b"# Fish\n\nlast\n"}, branch="third")
    later()
    assert followed.branch("refs/heads/third")["state"] == "merged", "it was opened again and merged between two looks"


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("lost", [0, 1])
def test_what_is_pushed_to_a_branch_that_was_just_merged_is_not_put_away(
    near: World, repository: Repository, served: Served, clock: FakeClock, lost: int, known: bool
) -> None:
    served.api = api = HostApi("github")
    followed = Followed(near, repository, provider="github", apiToken=TOKEN)
    oid = followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    if known:
        api.pulls[7] = PullThere("feature", oid=oid)
    followed.sync()
    repository.commit("Squash", {"fish.md": b"# Fish\n\ntheirs\n"})
    api.pulls[7] = PullThere("feature", oid=oid, state="merged")
    followed.edit("# Fish\n\ntheirs\n\nours\n")
    api.refuse, served.lost = [(502, {}, b"")], lost
    followed.sync()
    clock.advance(3 * 3_600_000)
    near.work()
    assert b"ours" in repository.files("feature")["fish.md"], "nobody told that it was merged"
    followed.sync()
    assert (followed.request()["status"], followed.branch()["state"]) == ("open", "merged")
    assert "without what was edited" in followed.branch()["message"]
    assert near.api.post(f"{followed.at()}/merge", {}).status == 200
    followed.sync()
    assert b"ours" in repository.files()["fish.md"]


def test_pull_requests_of_forks_are_found_and_followed(
    near: World, repository: Repository, served: Served, clock: FakeClock
) -> None:
    served.api = api = HostApi("gitlab")
    followed = Followed(
        near, repository, provider="gitlab", apiToken=TOKEN, pollMinutes=5, previews={"branches": ["-"], "forks": True}
    )
    ref = "refs/merge-requests/7/head"
    for words in (b"theirs", b"more"):
        oid = followed.commit({"fish.md": b"# Fish\n\n%s\n" % words})
        git(repository.bare, "update-ref", ref, oid)
        api.pulls[7] = PullThere("feature", oid=oid, fork="somebody/docs")
        clock.advance(5 * 60_000)
        near.work()
        assert followed.branch(ref)["oid"] == oid
    at = f"{followed.space.path}/change-requests/{followed.branch(ref)['changeRequest']}"
    page = near.api.get(f"{at}/content/pages").json["pages"][1]["id"]
    assert near.api.get(f"{at}/content/page/{page}?format=markdown").json["markdown"] == "# Fish\n\nmore\n"


def test_a_host_that_tells_no_pull_requests_is_no_obstacle(near: World, repository: Repository, served: Served) -> None:
    served.api = api = HostApi("gitea")
    followed = Followed(near, repository, provider="gitea", apiToken=TOKEN)

    def said(answer: tuple[int, dict[str, str], bytes]) -> str:
        api.refuse = [answer]
        followed.sync()
        assert followed.space.last()["state"] == "success"
        return str(near.api.get(f"{followed.space.path}/git/connection").json.get("pullsMessage"))

    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    assert "403" in said((403, {}, b'{"message": "no right"}'))
    assert followed.text() == "# Fish\n\ntheirs\n", "branches are followed all the same"
    assert "takes no more" in said((429, {"retry-after": "9"}, b""))
    assert "no list" in said((200, {}, b'{"pulls": 1}'))
    assert "no JSON" in said((200, {}, b"<html>"))
    assert said((200, {}, b"[1, null, {}]")) == "None"
    followed.connect(provider="gitea", apiToken=None)
    followed.sync()
    assert "no token" in near.api.get(f"{followed.space.path}/git/connection").json["pullsMessage"]


@pytest.mark.parametrize("kind", ["github", "gitlab", "gitea", "bitbucket"])
def test_the_host_is_told(near: World, repository: Repository, served: Served, clock: FakeClock, kind: str) -> None:
    served.api = api = HostApi(kind)
    followed = Followed(near, repository, provider=kind, apiToken=TOKEN)
    near.site(followed.space.id)
    shown = near.api.get(f"{followed.space.path}/git/connection")
    assert (shown.json["hasApiToken"], TOKEN in shown.text) == (True, False)
    first = followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pull("open")
    assert api.wrong == []
    assert [(one["oid"], one["state"]) for one in api.statuses] == [(first, _PENDING[kind]), (first, _SUCCESS[kind])]
    last = api.statuses[-1]
    address = last["url" if kind == "bitbucket" else "target_url"]
    assert near.api.get(address[address.index("/sites/") :], token="").status == 200
    assert (last["key"] if kind == "bitbucket" else last["context"]) == "octavo"
    [comment] = api.comments.values()
    assert address in comment
    assert first[:10] in comment
    second = followed.commit({"fish.md": b"# Fish\n\nmore\n"})
    followed.pushed()
    [edited] = api.comments.values()
    assert second[:10] in edited
    assert api.wrong == []
    assert followed.branch()["status"]["told"]
    api.comments.clear()
    followed.commit({"fish.md": b"# Fish\n\nagain\n"})
    followed.pushed()
    assert len(api.comments) == 1, "somebody removed it, and there is one again"


def test_a_host_that_takes_no_more_is_asked_later(
    near: World, repository: Repository, served: Served, clock: FakeClock
) -> None:
    served.api = api = HostApi("gitea")
    followed = Followed(near, repository, provider="gitea", apiToken=TOKEN)
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    api.refuse = [(429, {"retry-after": "900"}, b"")]
    followed.pull("open")
    told = followed.branch()["status"]
    assert (told["told"], "takes no more" in told["message"]) == (False, True)
    clock.advance(899_000)
    near.work()
    assert api.statuses == []
    clock.advance(2_000)
    near.work()
    assert [one["state"] for one in api.statuses] == ["success"]
    assert followed.branch()["status"]["told"]
    api.refuse = [(502, {}, b""), (502, {}, b""), (502, {}, b"")]
    followed.commit({"fish.md": b"# Fish\n\nmore\n"})
    followed.pushed()
    clock.advance(11_000)
    near.work()
    assert not followed.branch()["status"]["told"]
    clock.advance(61_000)
    near.work()
    assert followed.branch()["status"]["told"]
    assert len(api.comments) == 1


def test_a_token_that_is_refused_is_told(near: World, repository: Repository, served: Served) -> None:
    served.api = api = HostApi("github")
    followed = Followed(near, repository, provider="github", apiToken="wrong")
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pushed()
    said = followed.branch()["status"]["message"]
    assert "401" in said
    assert "wrong" not in said
    followed.connect(provider="github", apiToken=None)
    followed.commit({"fish.md": b"# Fish\n\nmore\n"})
    followed.pushed()
    assert "no token" in followed.branch()["status"]["message"]
    assert followed.request()["status"] == "open"
    assert api.statuses == []
