"""The first organization of a new installation: one address, which serves once, for whoever read what the server wrote."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from octavo.access.people import beginning
from octavo.administration import first_admin
from octavo.kernel.settings import load
from octavo.main import App, open_house
from octavo.store.database.sqlite import SqliteEngine
from tests.client import Client, World
from tests.conftest import FakeClock
from tests.console.browsing import PASSWORD, browser

TYPED = {"title": "Acme", "name": "Ada", "email": "ada@example.test", "password": PASSWORD}


@dataclass
class Fresh(World):
    """A world in which nobody has an account."""

    word: str = ""

    def __post_init__(self) -> None:
        self.api = Client(self.app, self.loop)
        self.word = self.run(self.house.store.write(beginning.word)) or ""


@pytest.fixture
def fresh(tmp_path: Path, clock: FakeClock, loop: asyncio.AbstractEventLoop) -> Iterator[Fresh]:
    opening = open_house(
        load({}, data=tmp_path),
        base="http://octavo.test",
        clock=clock,
        engine=SqliteEngine(tmp_path / "octavo.db"),
        makes=True,
    )
    house = loop.run_until_complete(opening.__aenter__())
    yield Fresh(house, App(house, works=False), loop)
    loop.run_until_complete(opening.__aexit__(None, None, None))


def test_a_new_installation_says_where_its_address_is_and_not_the_address(fresh: Fresh) -> None:
    one = browser(fresh)
    for path in ("/", "/login"):
        assert one.get(path).headers["location"] == "/setup"
    page = one.get("/setup")
    assert (page.status, "octavo bootstrap" in page.text, fresh.word in page.text) == (200, True, False)
    for word in ("x", fresh.word[:-1], fresh.word + "x"):
        assert one.get(f"/setup/{word}").status == 404
        one.get("/setup")
        assert one.post(f"/setup/{word}", TYPED).status in (403, 404)
    assert fresh.run(fresh.house.store.write(beginning.word)) == fresh.word, "a restart prints the same"


def test_the_address_makes_one_organization_and_signs_its_admin_in(fresh: Fresh) -> None:
    one, other, path = browser(fresh), browser(fresh), f"/setup/{fresh.word}"
    other.get(path)
    assert one.get(path).status == 200
    assert one.post(path, TYPED, word="").status == 403, "no form of ours"
    for wrong in (
        {"title": "A"},
        {"email": "ada"},
        {"email": "a b@example.test"},
        {"password": "short"},
        {"name": "A\u202e"},
    ):
        one.get(path)
        refused = one.post(path, TYPED | wrong)
        assert refused.status == 400
        assert 'role="alert"' in refused.text
        assert PASSWORD not in refused.text
    reply = one.post(path, TYPED)
    assert (reply.status, reply.headers["location"]) == (303, "/app")
    assert one.signed_in
    assert other.post(path, TYPED).status == 404, "it served"
    assert browser(fresh).get(path).status == 404
    assert browser(fresh).get("/setup").status == 404
    assert browser(fresh).get("/login").status == 200
    assert browser(fresh).sign_in("ada@example.test").status == 303
    assert fresh.run(fresh.house.store.write(beginning.word)) is None, "there is no further one"


def test_the_command_line_closes_it(fresh: Fresh) -> None:
    path, one = f"/setup/{fresh.word}", browser(fresh)
    one.get(path)
    fresh.run(first_admin(fresh.house.store, "grace@example.test", "Grace", "Acme"))
    assert one.post(path, TYPED).status == 404
    assert one.get("/login").status == 200


def test_of_two_at_once_one_makes_it(store, loop: asyncio.AbstractEventLoop) -> None:  # type: ignore[no-untyped-def]
    """On a database that is used by others already, so the word alone is raced for."""

    async def both() -> list[bool]:
        word = await store.write(lambda unit: unit.installation.secret(beginning.WORD))
        one = lambda unit: unit.installation.take(beginning.WORD, word)  # noqa: E731
        return list(await asyncio.gather(*(store.write(one) for _ in range(5))))

    assert sorted(loop.run_until_complete(both())) == [False] * 4 + [True]
