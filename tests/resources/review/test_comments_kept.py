"""Lists of comments are kept as JSON: whatever becomes of a comment, they say of it what it says itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from octavo.store.kept import Count
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.proposals import user_of
from tests.resources.talking import Talk, on_change_request, on_primary


@pytest.fixture(params=[on_primary, on_change_request])
def talk(request: pytest.FixtureRequest, world: World) -> Talk:
    made: Talk = request.param(world)
    return made


def _same(talk: Talk, *tokens: str, form: str = "markdown") -> None:
    """Each caller's list, asked twice, has what each of its comments is by its own address."""
    for token in tokens:
        lists = [talk.get(f"{talk.path}?format={form}", token=token)["items"] for _ in range(2)]
        alone = [talk.get(f"{talk.path}/{one['id']}?format={form}", token=token) for one in lists[0]]
        assert lists == [alone, alone]


def _kept(talk: Talk) -> Count:
    return talk.world.house.store.kept.counts()["lists of comments"]


def test_a_list_says_what_each_comment_says(talk: Talk, clock: FakeClock) -> None:
    api, admin = talk.world.api, talk.world.api.token or ""
    grace, henry = talk.world.person("comment"), talk.world.person("comment")
    node = talk.nodes[0]["key"]
    first = talk.say("Which herons?", page=talk.page["id"], node=node)
    second = talk.say("Whose **eggs**?", page=talk.page["id"], token=grace)
    talk.say("Why at all?")
    reply = talk.answer(second, token=grace)

    def renamed() -> None:
        assert api.patch(f"/v1/users/{user_of(talk.world, admin)}", {"displayName": "Ada King"}).status == 200

    changes: list[Callable[[], Any]] = [
        lambda: talk.put(first, body={"markdown": "Which of them?"}),
        lambda: talk.put(second, resolved=True),
        lambda: talk.put(second, resolved=False),
        lambda: talk.put(second, addedReactions=["👍"]),
        lambda: talk.put(second, addedReactions=["👍", "🎉"], token=grace),
        lambda: talk.put(second, removedReactions=["👍"]),
        lambda: talk.answer(first, token=grace),
        lambda: api.delete(f"{talk.path}/{second['id']}/replies/{reply['id']}"),
        renamed,
        lambda: talk.rewrite("# Birds\n\nHerons stand and wait.\n\nTerns dive.\n"),
        lambda: talk.rewrite(None),
        lambda: talk.world.grant(grace, "space", talk.space, "read"),
        lambda: api.delete(f"{talk.path}/{second['id']}"),
    ]
    _same(talk, admin, grace, henry)
    for change in changes:
        before = talk.get(talk.path, token=grace)
        clock.advance(1000)
        change()
        assert talk.get(talk.path, token=grace) != before
        _same(talk, admin, grace, henry)
    _same(talk, admin, form="document")


def test_a_list_is_made_once_for_everybody_who_sees_the_same(talk: Talk) -> None:
    talk.say()
    readers = talk.world.person("read"), talk.world.person("read")
    lists = [talk.get(talk.path, token=token) for token in (*readers, *readers)]
    assert lists[1:] == lists[:-1]
    assert (_kept(talk).misses, _kept(talk).hits) == (1, 3)
