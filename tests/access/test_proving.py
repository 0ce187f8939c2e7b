"""Accounts of addresses that nobody has shown to be hers: what was made in their name ends when somebody does."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from octavo import administration
from octavo.access.people.login import Ended, set_password
from octavo.access.people.passwords import hashed
from octavo.store.database.engine import Engine
from octavo.store.unit import Unit
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.console.browsing import DIGEST, PASSWORD, Browser, account, browser, mailed_path
from tests.resources.checks import call
from tests.sso.idp import trust
from tests.sso.test_signing_in import member, unique


class Squatter:
    """Somebody who took another's address: invited it into an organization of her own, and opened the link herself."""

    def __init__(self, world: World, email: str) -> None:
        self.world, self.email = world, email
        self.organization: str = world.api.post("/v1/orgs", {"title": "A trap"}).json["id"]
        reply = world.api.post(f"/v1/orgs/{self.organization}/invites", {"emails": [email], "role": "admin"})
        path = str(reply.json["links"][0]["url"]).removeprefix("http://octavo.test")
        self.browser: Browser = browser(world)
        self.browser.get(path)
        assert self.browser.post(path, {"name": "Not the one", "password": PASSWORD}).status == 303
        assert self.browser.signed_in
        assert self.browser.post("/account/tokens", {"label": "kept", "days": ""}).status == 303
        found = re.search(r'id="secret"[^>]*>([^<]+)<', self.browser.get("/account/tokens").text)
        assert found is not None
        self.token = found[1]
        assert self.works == (True, True, True)

    @property
    def works(self) -> tuple[bool, bool, bool]:
        """Token, session, password."""
        token = call(self.world, self.token, "GET", "/v1/user").status == 200
        return token, self.browser.signed_in, browser(self.world).sign_in(self.email).status == 303


NOTHING = (False, False, False)


def _write(world: World, work: Any) -> Any:
    return world.run(world.house.store.write(work))


async def _created(unit: Unit, email: str, organization: str) -> Any:
    """What `octavo user create` does, on an open store."""
    return await administration._user(unit, email, "The right one")


def test_single_sign_on_takes_the_account_from_who_took_the_address(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    trap = Squatter(world, email)
    signed = acme.browser()
    assert signed.sign_in(subject=subject, attributes={"email": email}).status == 303, "the trap keeps nobody out"
    assert trap.works == NOTHING
    assert signed.send("GET", "/account/tokens").status == 200
    assert member(world, email) is not None


def test_the_operator_takes_it_too_and_the_membership_stays_no_word_of_hers(world: World, clock: FakeClock) -> None:
    acme = trust(world)
    subject, email = unique()
    trap = Squatter(world, email)
    clock.advance(1)
    _write(world, lambda unit: _created(unit, email, world.organization))
    assert trap.works == NOTHING
    assert acme.browser().sign_in(subject=subject, attributes={"email": email}).status == 303


def test_bootstrap_takes_it_too(world: World) -> None:
    _, email = unique()
    trap = Squatter(world, email)
    made = world.run(administration.first_admin(world.house.store, email, "The right one", "Hers"))
    assert trap.works == NOTHING
    assert call(world, made["token"], "GET", "/v1/user").status == 200


def test_a_password_that_the_operator_sets_is_for_the_right_one(world: World) -> None:
    _, email = unique()
    trap = Squatter(world, email)
    other = hashed("another password altogether")

    async def work(unit: Unit) -> Ended:
        user = await unit.people.user_by_email(email)
        assert user is not None
        return await set_password(unit, user, other, keep_tokens=True)

    assert _write(world, work).tokens == 1, "nothing is kept of who was there before"
    assert trap.works == NOTHING
    assert browser(world).sign_in(email, "another password altogether").status == 303


def test_a_new_password_ends_sessions_and_tokens_unless_told_otherwise(world: World) -> None:
    one, email = browser(world), account(world)
    token = world.run(_token(world, email))
    assert one.sign_in(email).status == 303

    async def work(unit: Unit, keep: bool) -> Ended:
        user = await unit.people.user_by_email(email)
        assert user is not None
        return await set_password(unit, user, DIGEST, keep_tokens=keep)

    assert _write(world, lambda unit: work(unit, True)).sessions == 1, "it proves the address too"
    assert call(world, token, "GET", "/v1/user").status == 401, "of an address that was nobody's"
    token = world.run(_token(world, email))
    one.sign_in(email)
    assert _write(world, lambda unit: work(unit, True)) == (1, 0)
    assert call(world, token, "GET", "/v1/user").status == 200
    assert _write(world, lambda unit: work(unit, False)) == (0, 1)
    assert call(world, token, "GET", "/v1/user").status == 401


def test_the_first_password_ends_no_token(world: World) -> None:
    """Whoever installed Octavo has a token, and then sets a password to sign in with a browser."""
    made = world.run(administration.first_admin(world.house.store, unique()[1], "Ada", "Hers"))

    async def work(unit: Unit) -> Ended:
        user = await unit.people.user(made["user"])
        assert user is not None
        return await set_password(unit, user, DIGEST)

    assert _write(world, work) == (0, 0)
    assert call(world, made["token"], "GET", "/v1/user").status == 200
    assert _write(world, work) == (0, 1), "the next one does"


async def _token(world: World, email: str) -> str:
    async def work(unit: Unit) -> str:
        user = await unit.people.user_by_email(email)
        assert user is not None
        return await administration._token(unit, user, "a program")

    return await world.house.store.write(work)


@pytest.fixture
def mails(engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[World]:
    """A world with a mail server: letters wait as jobs."""
    given = {"smtp_host": "mail.octavo.test", "mail_from": "docs@octavo.test"}
    with opened_world(engine, clock, memory_folder, loop, **given) as made:
        yield made


def test_a_link_by_mail_ends_everything_but_what_it_was_opened_with(mails: World) -> None:
    """Who holds the session and the mailbox is one person; whoever else held something is not."""
    world = mails
    email, one, other = account(world), browser(world), browser(world)
    one.sign_in(email)
    other.sign_in(email)
    token = world.run(_token(world, email))
    organization = world.api.post("/v1/orgs", {"title": "Elsewhere"}).json["id"]
    world.api.post(f"/v1/orgs/{organization}/invites", {"emails": [email], "role": "read"})
    path = mailed_path(world, organization)
    one.get(path)
    assert one.post(path).status == 303
    assert (one.signed_in, other.signed_in) == (True, False)
    assert call(world, token, "GET", "/v1/user").status == 401
    assert browser(world).sign_in(email).status == 403, "the password may be another's; a code by mail is not"


def test_who_is_proven_already_loses_nothing(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    first = acme.browser()
    first.sign_in(subject=subject, attributes={"email": email})
    token = world.run(_token(world, email))
    acme.browser().sign_in(subject=subject, attributes={"email": email})
    _write(world, lambda unit: _created(unit, email, world.organization))
    assert call(world, token, "GET", "/v1/user").status == 200
    assert first.send("GET", "/account/tokens").status == 200


def test_the_audit_log_tells_of_it(world: World) -> None:
    _, email = unique()
    trap = Squatter(world, email)
    _write(world, lambda unit: _created(unit, email, world.organization))
    events = world.api.get(f"/v1/orgs/{trap.organization}/audit-events?action=user.address.prove").json
    assert [one["payload"] for one in events["items"]] == [{"sessions": 2, "tokens": 1}]
