"""Letters about notifications: one digest after a quiet time, at once for those who want that, never what is not theirs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from octavo.gateways.fakes import FakeMail
from octavo.kernel import limits
from octavo.kernel.clock import MINUTE
from octavo.kernel.letters import Letter
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.proposals import propose, user_of
from tests.resources.talking import Talk, on_change_request

QUIET = limits.NOTIFICATION_QUIET_MINUTES * MINUTE
LONGEST = limits.NOTIFICATION_WAIT_MINUTES * MINUTE
PREFERENCES = "/v1/user/notification-preferences"


class Post:
    """The letters to one user of a world; the database may hold what waits for users of others."""

    def __init__(self, world: World, token: str, *, verified: bool = True) -> None:
        self.world = world
        self._box = world.house.worker.tools.mailer or FakeMail()
        world.house.worker.tools = replace(world.house.worker.tools, mailer=self._box)
        who = user_of(world, token)

        async def verify(unit: Any) -> str:
            user = await unit.people.change_user(await unit.people.user(who), email_verified=verified)
            return str(user.email)

        self._address = world.run(world.house.store.write(verify))

    @property
    def letters(self) -> list[Letter]:
        self.world.work()
        return [letter for letter in self._box.sent if letter.to == self._address]


@pytest.fixture
def talk(world: World) -> Talk:
    return on_change_request(world)


@pytest.fixture
def post(world: World) -> Post:
    return Post(world, world.api.token or "")


def want(world: World, **kinds: Any) -> None:
    reply = world.api.patch(PREFERENCES, {"kinds": kinds})
    assert reply.status == 200, reply.text


def test_one_digest_after_a_quiet_time(world: World, talk: Talk, post: Post, clock: FakeClock) -> None:
    carol = world.person("comment")
    for word in ("one", "two", "three"):
        talk.say(word, token=carol)
        assert post.letters == []
        clock.advance(QUIET - 1)
    assert post.letters == []
    clock.advance(1)
    [letter] = post.letters
    assert letter.subject == "3 notifications: Pat Person commented on #1 Untitled change (Handbook), …"
    assert [word for word in letter.text.split() if word in ("one", "two", "three")] == ["three", "two", "one"]
    assert world.api.get(talk.owner).json["urls"]["app"] in letter.text
    where = "http://octavo.test/account/notifications"
    assert letter.unsubscribe is not None
    assert letter.unsubscribe.startswith("http://octavo.test/unsubscribe/")
    assert letter.unsubscribe in letter.text
    assert where in letter.text
    assert letter.html is not None
    assert where in letter.html
    clock.advance(LONGEST)
    assert len(post.letters) == 1
    talk.say("four", token=carol)
    post.letters  # noqa: B018 - the comment is told
    clock.advance(QUIET)
    assert len(post.letters) == 2
    assert "three" not in post.letters[1].text


def test_a_digest_does_not_wait_for_ever(world: World, talk: Talk, post: Post, clock: FakeClock) -> None:
    carol = world.person("comment")
    began = clock.now
    while not post.letters and clock.now - began <= 2 * LONGEST:
        talk.say("again", token=carol)
        clock.advance(QUIET // 2)
    assert LONGEST <= clock.now - began <= LONGEST + QUIET


def test_at_once(world: World, talk: Talk, post: Post, clock: FakeClock) -> None:
    want(world, comment={"email": "immediate"})
    carol = world.person("comment")
    comment = talk.say("now", token=carol)
    [letter] = post.letters
    assert letter.subject == "Pat Person commented on #1 Untitled change (Handbook)"
    talk.answer(comment, "mine")
    talk.answer(comment, "later", token=carol)
    assert len(post.letters) == 1
    clock.advance(QUIET)
    assert len(post.letters) == 2


def test_off_and_read_ones_are_not_mailed(world: World, talk: Talk, post: Post, clock: FakeClock) -> None:
    carol = world.person("comment")
    talk.say("seen", token=carol)
    assert post.letters == []
    assert world.api.post("/v1/user/notifications/read").status == 204
    clock.advance(LONGEST)
    want(world, comment={"email": "off"})
    talk.say("quiet", token=carol)
    assert post.letters == []
    clock.advance(LONGEST)
    assert post.letters == []


def test_only_mailed(world: World, talk: Talk, post: Post, clock: FakeClock) -> None:
    want(world, comment={"list": False})
    talk.say("hello", token=world.person("comment"))
    assert post.letters == []
    clock.advance(QUIET)
    assert len(post.letters) == 1
    assert world.api.get("/v1/user/notifications").json["count"] == 0


def test_what_may_not_be_seen_any_more_is_not_mailed(world: World, clock: FakeClock) -> None:
    one, gone, stays = propose(world), world.person("guest"), world.person("guest")
    posts = [Post(world, guest) for guest in (gone, stays)]
    for guest in (gone, stays):
        world.grant(guest, "space", one.space, "comment")
        assert world.api.post(one.path + "/comments", {"body": {"markdown": "Hi"}}, token=guest).status == 200
    world.work()
    assert world.api.post(one.path + "/comments", {"body": {"markdown": "secret plan"}}).status == 200
    assert [post.letters for post in posts] == [[], []]
    path = f"/v1/spaces/{one.space}/permissions/users/{user_of(world, gone)}"
    assert world.api.delete(path).status in (204, 205)
    clock.advance(LONGEST)
    assert [len(post.letters) for post in posts] == [0, 1]
    assert "secret plan" in posts[1].letters[0].text


def test_an_address_that_nobody_has_shown_to_be_hers(world: World, talk: Talk, clock: FakeClock) -> None:
    token = world.person("comment")
    post = Post(world, token, verified=False)
    talk.answer(talk.say("Hi", token=token), "Ho")
    assert post.letters == []
    clock.advance(LONGEST)
    assert post.letters == []
    assert world.api.get("/v1/user/notifications", token=token).json["unread"] == 1


def test_words_are_escaped(world: World, talk: Talk, post: Post, clock: FakeClock) -> None:
    assert world.api.patch(talk.owner, {"subject": "<b>Birds</b> & more"}).status == 200
    talk.say("<script>alert(1)</script>\n\n> and [a link](https://evil.example/)", token=world.person("comment"))
    assert post.letters == []
    clock.advance(QUIET)
    [letter] = post.letters
    assert letter.html is not None
    assert "<script>" not in letter.html
    assert "&lt;b&gt;Birds&lt;/b&gt; &amp; more" in letter.html
    assert "evil.example" not in letter.html
    assert "<b>Birds</b> & more" in letter.subject


def test_a_long_digest_is_cut(world: World, talk: Talk, post: Post, clock: FakeClock) -> None:
    carol = world.person("comment")
    for number in range(limits.DIGEST_MAX + 2):
        talk.say(f"word-{number}.", token=carol)
    assert post.letters == []
    clock.advance(QUIET)
    [letter] = post.letters
    assert letter.text.count("word-") == limits.DIGEST_MAX
    assert "… and 2 more." in letter.text


def test_without_a_mail_server_nothing_waits(world: World, talk: Talk, clock: FakeClock) -> None:
    talk.say("hello", token=world.person("comment"))
    world.work()
    post = Post(world, world.api.token or "")
    clock.advance(LONGEST)
    assert post.letters == []
    assert world.api.get("/v1/user/notifications").json["count"] == 1
