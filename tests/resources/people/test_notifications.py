"""Notifications: who is told of what, who sees it, what was read, and what somebody wants to be told of."""

from __future__ import annotations

import re
from typing import Any

from octavo.jobs.people import notify
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.clock import DAY
from octavo.kernel.events import GitOperationFailed
from octavo.kernel.records.jobs import Job
from tests.client import Client, World
from tests.conftest import FakeClock
from tests.resources.checks import MOMENT
from tests.resources.proposals import Proposal, propose, user_of, write_primary
from tests.resources.talking import on_change_request, on_primary

LIST = "/v1/user/notifications"
PREFERENCES = "/v1/user/notification-preferences"
KINDS = ("review-requested", "review", "mention", "reply", "comment", "merged", "git-failed")


def told(world: World, token: str, query: str = "") -> list[dict[str, Any]]:
    """What somebody's list has, after all jobs are done."""
    world.work()
    reply = world.api.get(LIST + query, token=token)
    assert reply.status == 200, reply.text
    assert len(reply.json["items"]) == reply.json["count"]
    items: list[dict[str, Any]] = reply.json["items"]
    return items


def kinds(world: World, token: str) -> list[str]:
    return [one["kind"] for one in told(world, token)]


def _ask(one: Proposal, *tokens: str, teams: tuple[str, ...] = ()) -> None:
    body = {"users": [user_of(one.world, token) for token in tokens], "teams": list(teams)}
    reply = one.post("/requested-reviewers", body)
    assert reply.status == 200, reply.text


def _review(one: Proposal, token: str, comment: str = "") -> Any:
    body: dict[str, Any] = {"status": "approved"} | ({"comment": {"markdown": comment}} if comment else {})
    reply = one.post("/reviews", body, token=token)
    assert reply.status == 201, reply.text
    return reply.json


def test_a_review_that_is_asked_for(world: World) -> None:
    one = propose(world, subject="Birds")
    rachel, teammate, owner = world.person("review"), world.person("read"), world.api.token or ""
    team = world.api.put(
        f"/v1/orgs/{world.organization}/teams", {"title": "Editors", "members": [user_of(world, teammate)]}
    ).json["id"]
    _ask(one, rachel, teams=(team,))
    [shown] = told(world, rachel)
    request = one.shown
    assert re.fullmatch(MOMENT, shown.pop("createdAt"))
    assert shown.pop("actor")["id"] == user_of(world, owner)
    assert isinstance(shown.pop("id"), str)
    assert shown == {
        "object": "notification",
        "kind": "review-requested",
        "organization": world.organization,
        "space": {"object": "space", "id": one.space, "title": "Handbook"},
        "changeRequest": {"object": "change-request", "id": one.id, "number": one.number, "subject": "Birds"},
        "urls": {"app": request["urls"]["app"]},
    }
    assert kinds(world, teammate) == ["review-requested"]
    assert kinds(world, owner) == []
    _ask(one, rachel)
    assert kinds(world, rachel) == ["review-requested"], "who was asked and has not answered is not asked again"


def test_a_review_tells_the_author_and_those_who_take_part(world: World) -> None:
    author, editor, rachel, other = (world.person(role) for role in ("edit", "edit", "review", "review"))
    one = propose(world, token=author, subject="Birds")
    one.write({"Birds": "# Birds\n"}, token=editor)
    assert one.patch(status="open").status == 200
    review = _review(one, rachel, "Fine, [Ada](</x>)!")
    [shown] = told(world, author)
    assert (shown["kind"], shown["review"], shown["excerpt"]) == (
        "review",
        {"object": "change-request-review", "id": review["id"], "status": "approved"},
        "Fine, Ada!",
    )
    assert shown["comment"] == review["comment"]["id"]
    assert kinds(world, editor) == ["review"]
    assert kinds(world, rachel) == kinds(world, other) == []


def test_a_comment_on_a_change_request_and_its_thread(world: World) -> None:
    talk = on_change_request(world)
    carol, dan, reader = world.person("comment"), world.person("comment"), world.person("read")
    comment = talk.say("First", token=carol)
    assert [(one["kind"], one["comment"]) for one in told(world, world.api.token or "")] == [("comment", comment["id"])]
    reply = talk.answer(comment, "Second", token=dan)
    [shown] = told(world, carol)
    assert (shown["kind"], shown["comment"], shown["reply"], shown["excerpt"]) == (
        "reply", comment["id"], reply["id"], "Second",
    )  # fmt: skip
    talk.answer(comment, "Third", token=carol)
    assert kinds(world, dan) == ["reply"]
    assert kinds(world, reader) == []


def test_a_comment_on_primary_content_tells_those_who_speak_there(world: World) -> None:
    talk = on_primary(world)
    carol, dan = world.person("comment"), world.person("comment")
    page = talk.page["id"]
    talk.say("First", token=carol, page=page)
    talk.say("Elsewhere", token=dan)
    assert kinds(world, carol) == []
    talk.say("Second", token=dan, page=page)
    [shown] = told(world, carol)
    assert shown["kind"] == "comment"
    assert shown["urls"]["app"].endswith(f"/s/{talk.space}/{page}")
    assert "changeRequest" not in shown


def test_a_mention_is_told_once_and_only_to_those_who_see_the_space(world: World) -> None:
    talk = on_change_request(world)
    carol, dan, guest = world.person("comment"), world.person("comment"), world.person("guest")
    talk.say("Hi", token=carol)
    world.work()
    names = [f'[x](/users/{user_of(world, one)} "mention")' for one in (carol, dan, guest)]
    talk.say(" ".join(names), token=dan)
    assert kinds(world, carol) == ["mention"], "not for the comment as well"
    assert kinds(world, dan) == [], "nobody is told of what she did herself"
    assert kinds(world, guest) == []
    comment = talk.say("Again")
    talk.answer(comment, f"see {names[0]}", token=dan)
    assert sorted(kinds(world, carol)) == ["comment", "mention", "mention"]


def test_a_merge(world: World) -> None:
    author, commenter, other = world.person("edit"), world.person("comment"), world.person("read")
    one = propose(world, token=author, texts={"Birds": "# Birds\n"})
    assert world.api.post(one.path + "/comments", {"body": {"markdown": "x"}}, token=commenter).status == 200
    one.become("merged")
    assert sorted(kinds(world, author)) == ["comment", "merged"]
    assert kinds(world, commenter) == ["merged"]
    assert kinds(world, other) == kinds(world, world.api.token or "")[1:] == []


def test_a_git_operation_that_failed(world: World) -> None:
    space = world.space()["id"]
    creator, reader = world.person("create"), world.person("read")
    path = f"/v1/spaces/{space}/git/import"
    order = {"url": "http://ada:secret@127.0.0.1:9/a.git", "ref": "refs/heads/main"}
    assert world.api.post(path, order, token=creator).status == 204
    [shown] = told(world, world.api.token or "")
    assert (shown["kind"], "actor" in shown) == ("git-failed", False)
    assert shown["message"]
    assert "secret" not in str(shown)
    assert kinds(world, creator) == ["git-failed"], "who ordered it"
    assert kinds(world, reader) == []


def test_one_happening_is_told_once_however_often_its_job_runs(world: World) -> None:
    space = world.space()["id"]
    event = GitOperationFailed(organization=world.organization, space=space, operation=f"op {space}", message="No.")
    for _ in range(2):
        world.run(world.house.store.write(lambda unit: unit.emit(event)))
        assert kinds(world, world.api.token or "") == ["git-failed"]


def test_reading(world: World, clock: FakeClock) -> None:
    talk, ada = on_change_request(world), world.api.token or ""
    carol = world.person("comment")
    for word in ("one", "two", "three"):
        talk.say(word, token=carol)
        clock.advance(1000)
        world.work()
    listed = world.api.get(LIST).json
    assert ([one["excerpt"] for one in listed["items"]], listed["count"], listed["unread"]) == (
        ["three", "two", "one"], 3, 3,
    )  # fmt: skip
    first = world.api.get(LIST + "?limit=2").json
    rest = world.api.get(f"{LIST}?limit=2&page={first['next']['page']}").json
    assert [one["excerpt"] for one in (*first["items"], *rest["items"])] == ["three", "two", "one"]
    assert "next" not in rest
    assert world.api.get(LIST + "?limit=0").json == {"items": [], "count": 3, "unread": 3}

    path = f"{LIST}/{listed['items'][1]['id']}"
    read = world.api.post(path + "/read")
    assert read.status == 200
    assert re.fullmatch(MOMENT, read.json["readAt"])
    clock.advance(1000)
    assert world.api.post(path + "/read").json == read.json, "the first time counts"
    assert [one["excerpt"] for one in told(world, ada, "?status=unread")] == ["three", "one"]
    assert [one["excerpt"] for one in told(world, ada, "?status=read")] == ["two"]
    assert world.api.get(LIST + "?status=read").json["unread"] == 2
    assert "readAt" not in world.api.post(path + "/unread").json
    assert world.api.get(LIST).json["unread"] == 3
    assert world.api.post(LIST + "/read").status == 204
    assert world.api.get(LIST).json["unread"] == 0
    assert world.api.get(LIST + "?status=some").status == 400
    assert world.api.get(LIST + "?page=x").status == 400


def test_one_user_never_sees_another_s(world: World) -> None:
    talk = on_change_request(world)
    carol, dan = world.person("comment"), world.person("comment")
    talk.say("Hi", token=carol)
    [mine] = told(world, world.api.token or "")
    for token, status in ((dan, 404), (carol, 404), (world.person(None), 404), ("", 401), ("wrong", 401)):
        for word in ("read", "unread"):
            assert world.api.post(f"{LIST}/{mine['id']}/{word}", token=token).status == status
        assert world.api.get(LIST, token=token).status == (200 if status == 404 else status)
    assert told(world, dan) == told(world, carol) == []
    assert world.api.post(LIST + "/read", token=dan).status == 204
    assert world.api.get(LIST).json["unread"] == 1
    assert world.api.post(f"{LIST}/nothing/read").status == 404


def test_what_may_not_be_seen_any_more_is_gone(world: World) -> None:
    one = propose(world)
    guest = world.person("guest")
    world.grant(guest, "space", one.space, "comment")
    talk = world.api.post(one.path + "/comments", {"body": {"markdown": "Hi"}}, token=guest).json
    assert world.api.post(f"{one.path}/comments/{talk['id']}/replies", {"body": {"markdown": "Ho"}}).status == 200
    [shown] = told(world, guest)
    path = f"/v1/spaces/{one.space}/permissions/users/{user_of(world, guest)}"
    assert world.api.delete(path).status in (204, 205)
    assert world.api.get(LIST, token=guest).json == {"items": [], "count": 0, "unread": 0}
    assert world.api.post(f"{LIST}/{shown['id']}/read", token=guest).status == 404
    world.grant(guest, "space", one.space, "read")
    assert world.api.post(LIST + "/read", token=guest).status == 204
    assert [one["kind"] for one in told(world, guest, "?status=read")] == ["reply"]
    assert world.api.delete(f"/v1/spaces/{one.space}").status in (204, 205)
    assert told(world, guest) == []


def test_words_that_are_taken_back(world: World) -> None:
    talk = on_change_request(world)
    carol = world.person("comment")
    comment = talk.say("Oh no", token=carol)
    assert kinds(world, world.api.token or "") == ["comment"]
    assert world.api.delete(f"{talk.path}/{comment['id']}", token=carol).status == 205
    assert kinds(world, world.api.token or "") == []
    late = talk.say("Oh no", token=carol)
    assert world.api.delete(f"{talk.path}/{late['id']}", token=carol).status == 205
    assert kinds(world, world.api.token or "") == []


def test_preferences(world: World) -> None:
    talk, ada = on_change_request(world), world.api
    standard = {"list": True, "email": "digest"}
    assert ada.get(PREFERENCES).json == {"kinds": dict.fromkeys(KINDS, standard)}
    changed = ada.patch(PREFERENCES, {"kinds": {"comment": {"list": False}, "reply": {"email": "off"}}})
    assert changed.status == 200
    assert changed.json["kinds"]["comment"] == {"list": False, "email": "digest"}
    assert changed.json["kinds"]["reply"] == {"list": True, "email": "off"}
    assert ada.get(PREFERENCES).json == changed.json
    again = ada.patch(PREFERENCES, {"kinds": {"comment": {"email": "immediate"}}}).json["kinds"]["comment"]
    assert again == {"list": False, "email": "immediate"}
    carol = world.person("comment")
    assert ada.get(PREFERENCES, token=carol).json == {"kinds": dict.fromkeys(KINDS, standard)}
    comment = talk.say("Hi", token=carol)
    assert kinds(world, ada.token or "") == []
    talk.answer(comment, "x")
    talk.answer(comment, "y", token=carol)
    assert kinds(world, ada.token or "") == ["reply"]
    for wrong in ({"kinds": {"gossip": {}}}, {"kinds": {"reply": {"email": "often"}}}, {"kinds": {"reply": None}}, {}):
        assert ada.patch(PREFERENCES, wrong).status == 400, wrong
    assert ada.get(PREFERENCES, token="").status == 401
    assert ada.patch(PREFERENCES, {"language": "de"}).json == ada.get(PREFERENCES).json
    assert ada.get(PREFERENCES).json["language"] == "de"
    assert ada.patch(PREFERENCES, {"language": "klingon"}).status == 400
    assert "language" not in ada.patch(PREFERENCES, {"language": None}).json
    assert ada.patch(PREFERENCES, {"kinds": {}}, token="").status == 401


def test_they_are_kept_for_some_time(world: World, clock: FakeClock) -> None:
    talk = on_change_request(world)
    carol = world.person("comment")
    talk.say("Old", token=carol)
    assert kinds(world, world.api.token or "") == ["comment"]
    clock.advance(limits.NOTIFICATION_DAYS * DAY + 1)
    talk.say("New", token=carol)
    assert [one["excerpt"] for one in told(world, world.api.token or "")] == ["New"]


def test_they_go_with_their_space(world: World, clock: FakeClock) -> None:
    talk = on_change_request(world)
    talk.say("Hi", token=world.person("comment"))
    assert kinds(world, world.api.token or "") == ["comment"]
    assert world.api.delete(f"/v1/spaces/{talk.space}").status in (204, 205)
    clock.advance((limits.DELETED_SPACE_DAYS + 1) * DAY)
    world.work()
    me = user_of(world, world.api.token or "")
    assert world.run(world.house.store.read(lambda unit: unit.notifications.spaces_of(me))) == []


def test_an_event_costs_the_same_for_many(world: World) -> None:
    """Telling twenty takes as many statements as telling two."""
    counts = []
    for number in (2, 20):
        talk = on_change_request(world)
        people = [world.person("comment") for _ in range(number)]
        for token in people:
            talk.say("Hi", token=token)
        world.work()
        talk.say("Everybody")
        job = world.run(
            world.house.store.write(lambda unit: unit.jobs.take(["notify"], now=unit.now, lease_for=60_000))
        )
        counts.append(_statements(world, job))
        assert all(kinds(world, token)[0] == "comment" for token in people)
    assert abs(counts[0] - counts[1]) <= 3, counts


class _Counting:
    """A connection that counts what is asked of it."""

    def __init__(self, at: Any, asked: list[str]) -> None:
        self._at, self._asked, self.dialect = at, asked, at.dialect

    def __getattr__(self, name: str) -> Any:
        self._asked.append(name)
        return getattr(self._at, name)


def _statements(world: World, job: Job) -> int:
    """How many statements the job takes."""
    engine = world.house.store.engine
    asked: list[str] = []
    write = engine.write

    async def counting(do: Any, *, lock: Any = None) -> Any:
        return await write(lambda at: do(_Counting(at, asked)), lock=lock)

    engine.write = counting  # type: ignore[method-assign]
    try:
        world.run(notify.run(Work(job, world.house.store, world.house.worker.tools, 60_000)))
    finally:
        del engine.write
    return len(asked)


def test_a_limited_token(world: World) -> None:
    reply = world.api.post("/v1/user/tokens", {"label": "x", "scopes": ["user:read"]})
    assert reply.status == 201, reply.text
    limited = Client(world.app, world.loop, reply.json["token"])
    assert limited.get(LIST).status == 403
    assert limited.get(PREFERENCES).status == 200
    assert limited.patch(PREFERENCES, {"kinds": {}}).status == 403


def test_nobody_is_told_about_imported_edits(world: World) -> None:
    space = world.space()["id"]
    write_primary(world, space, {"Birds": "# Birds\n"})
    assert kinds(world, world.api.token or "") == []
