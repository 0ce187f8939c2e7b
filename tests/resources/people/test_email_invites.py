"""Invitations of addresses: who is added at once, who gets a letter or a link, and how an invitation is accepted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from octavo.access.people import joining
from octavo.kernel import limits
from octavo.kernel.clock import DAY, MINUTE
from octavo.kernel.errors import Conflict, NotFound
from octavo.kernel.ids import token_hash
from octavo.kernel.letters import Occasion
from octavo.kernel.records.people import Member
from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.resources.checks import call, check_json, check_refusals, check_roles, other_organization
from tests.resources.proposals import user_of


@pytest.fixture
def mailing(engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[World]:
    """A world with a mail server that nobody asks: letters wait as jobs."""
    given = {"smtp_host": "mail.example.test", "mail_from": "octavo@example.test"}
    with opened_world(engine, clock, memory_folder, loop, **given) as made:
        yield made


def _path(world: World, rest: str = "") -> str:
    return f"/v1/orgs/{world.organization}/invites{rest}"


def _email(world: World, token: str) -> str:
    email: str = world.api.get("/v1/user", token=token).json["email"]
    return email


def _new(world: World, name: str = "new") -> str:
    """An address that nobody has."""
    return f"{name}-{world.organization}@example.test"


def _verify(world: World, token: str, email: str | None = None) -> None:
    """Somebody's address is hers."""

    async def work(unit: Any) -> None:
        user = await unit.people.user(user_id)
        await unit.people.change_user(user, email_verified=True, **({} if email is None else {"email": email}))

    user_id = user_of(world, token)
    world.run(world.house.store.write(work))


def _invited(world: World, *emails: Any, **body: Any) -> Any:
    reply = world.api.post(_path(world), {"emails": list(emails), **body})
    assert reply.status == 200, reply.text
    return reply.json


def _word(world: World, *emails: Any, **body: Any) -> str:
    """The word in the link of the only one who is invited."""
    url: str = _invited(world, *emails, **body)["links"][0]["url"]
    start = f"http://octavo.test/invites/{world.organization}/"
    assert url.startswith(start)
    return url.removeprefix(start)


def _member(world: World, token: str) -> Any:
    return world.api.get(f"/v1/orgs/{world.organization}/members/{user_of(world, token)}").json


def _accepted(world: World, token: str, **body: Any) -> None:
    """Somebody is invited and joins."""
    path = _path(world, f"/{_word(world, _email(world, token), **body)}")
    assert call(world, token, "POST", path).status == 200


def test_the_answer_is_the_same_for_who_has_an_account_and_who_has_none(world: World) -> None:
    """And nobody is in an organization that she did not join."""
    grace, linus, ida = world.person(None), world.person("read"), world.person(None)
    for token in (grace, linus):
        _verify(world, token)
    emails = [_email(world, grace), _email(world, ida), _new(world)]
    answer = _invited(world, _email(world, linus), *emails, role="edit", sso=True)
    assert (answer["users"], answer["invited"], answer["failedSSOEmails"]) == ([], 3, emails)
    assert [one["email"] for one in answer["links"]] == emails
    assert {len(one["url"]) for one in answer["links"]} == {len(answer["links"][0]["url"])}
    assert _member(world, linus)["role"] == "read", "members are left as they are"
    assert call(world, grace, "GET", f"/v1/orgs/{world.organization}").status == 404
    assert user_of(world, grace) not in world.api.get(f"/v1/orgs/{world.organization}/members").text
    listed = world.api.get(_path(world)).json["items"]
    assert sorted(one["email"] for one in listed) == sorted(emails)
    _accepted(world, grace, role="edit")
    assert _member(world, grace)["role"] == "edit"
    assert _invited(world, _email(world, grace).upper())["invited"] == 0


@pytest.mark.parametrize("lost", ["removed", "demoted", "disabled"])
def test_nobody_joins_by_who_may_no_longer_invite(world: World, lost: str) -> None:
    """Who lost admin had invited another address of hers."""
    ada, second = world.person("admin"), world.person(None)
    sent = {"emails": [{"email": _email(world, second), "role": "admin"}, _new(world)]}
    links = world.api.post(_path(world), sent, token=ada).json["links"]
    words = [one["url"].rpartition("/")[2] for one in links]
    user = user_of(world, ada)
    member = f"/v1/orgs/{world.organization}/members/{user}"

    async def disable(unit: Any) -> None:
        await unit.people.change_member(await unit.people.member(world.organization, user), disabled=True)

    if lost == "removed":
        assert world.api.delete(member).status == 205
    elif lost == "demoted":
        assert world.api.patch(member, {"role": "read"}).status == 200
    else:
        world.run(world.house.store.write(disable))
    reply = call(world, second, "POST", _path(world, f"/{words[0]}"))
    assert (reply.status, "may no longer invite" in reply.message) == (409, True)
    assert world.api.get(f"/v1/orgs/{world.organization}/members/{user_of(world, second)}").status == 404
    with pytest.raises(Conflict, match="may no longer invite"):
        world.run(world.house.store.write(lambda unit: joining.welcome(unit, words[1], "New")))


def test_roles_and_the_default(world: World) -> None:
    world.api.patch(f"/v1/orgs/{world.organization}", {"defaultRole": "comment"})
    tokens = [world.person(None) for _ in range(4)]
    one, two, three, four = (_email(world, token) for token in tokens)
    links = _invited(world, one)["links"]
    links += _invited(world, two, {"email": three, "role": "admin"}, {"email": four, "role": None}, role="review")[
        "links"
    ]
    for token, link in zip(tokens, links, strict=True):
        assert call(world, token, "POST", _path(world, "/" + link["url"].rsplit("/", 1)[1])).status == 200
    assert [_member(world, token)["role"] for token in tokens] == ["comment", "review", "admin", None]


def test_who_has_none_gets_a_link_where_no_mail_goes(world: World, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="octavo.invites"):
        answer = _invited(world, _new(world), {"email": _new(world, "Other"), "role": "admin"}, role="read")
    assert (answer["users"], answer["invited"]) == ([], 2)
    assert [one["email"] for one in answer["links"]] == [_new(world), _new(world, "Other")]
    assert caplog.text
    assert all(one["url"].rsplit("/", 1)[1] not in caplog.text for one in answer["links"]), (
        "logs are kept and passed on"
    )
    listed = world.api.get(_path(world)).json
    assert listed["count"] == 2
    first = next(one for one in listed["items"] if one["email"] == _new(world))
    assert (first["object"], first["role"], first["sso"]) == ("email-invite", "read", False)
    assert all(one["url"].rsplit("/", 1)[1] not in msgspec.json.encode(listed).decode() for one in answer["links"])


def test_a_letter_where_mail_goes(mailing: World) -> None:
    world = mailing
    grace = world.person(None)
    _verify(world, grace)
    answer = _invited(world, _new(world), _email(world, grace))
    assert answer == {"users": [], "invited": 2}

    async def letters(unit: Any) -> list[Occasion]:
        found = []
        while True:
            job = await unit.jobs.take(["mail"], now=unit.now, lease_for=1)
            if job is None:
                return found
            if job.organization == world.organization:
                await unit.jobs.finish(job, now=unit.now)
                text = world.house.signer.unseal(job.payload["sealed_letter"])
                found.append(msgspec.json.decode(text, type=Occasion))

    sent: dict[str, Occasion] = {one.to: one for one in world.run(world.house.store.write(letters))}
    assert sent.keys() == {_new(world), _email(world, grace)}
    place = f"http://octavo.test/invites/{world.organization}/"
    for letter in sent.values():
        assert letter.told["address"].startswith(place)
        assert (letter.about, letter.told["organization"]) == ("invitation", "Test organization")
    first, second = (sent[one].told | {"address": None} for one in (_new(world), _email(world, grace)))
    assert first == second, "the same letter for both"
    word = sent[_new(world)].told["address"].removeprefix(place)
    made = world.run(world.house.store.write(lambda unit: joining.welcome(unit, word, "New Person")))
    assert made.email_verified, "the link came from the mailbox"


def test_an_invitation_is_accepted_by_its_addressee(world: World) -> None:
    grace = world.person(None)
    word = _word(world, _email(world, grace).upper(), role="review")
    path = _path(world, f"/{word}")
    assert call(world, world.person(None), "POST", path).status == 403
    assert call(world, grace, "POST", f"/v1/orgs/{other_organization(world)['id']}/invites/{word}").status == 404
    assert call(world, grace, "POST", path).status == 200
    assert _member(world, grace)["role"] == "review"
    assert call(world, grace, "POST", path).status == 404
    assert world.api.get(_path(world)).json["count"] == 0
    key = user_of(world, grace)
    user = world.run(world.house.store.read(lambda unit: unit.people.user(key)))
    assert not user.email_verified, "the link was shown to whoever invited"


def test_who_has_no_account_is_welcomed(world: World) -> None:
    word = _word(world, _new(world, "Fresh"), role="comment")
    store = world.house.store
    user = world.run(store.write(lambda unit: joining.welcome(unit, word, "Fresh Face")))
    assert (user.email, user.name, user.email_verified) == (_new(world, "Fresh"), "Fresh Face", False)
    member = world.run(store.read(lambda unit: unit.people.member(world.organization, user.id)))
    assert member.role == "comment"
    # The refusal names the invitation, and does not repeat the word that is as good as a password.
    with pytest.raises(NotFound, match=rf"'{word[:4]}…' was not found"):
        world.run(store.write(lambda unit: joining.welcome(unit, word, "Again")))


def test_an_invitation_ends(world: World, clock: FakeClock) -> None:
    grace, linus, ida = (world.person(None) for _ in range(3))
    late, old = _word(world, _email(world, grace)), _word(world, _email(world, linus))
    new, gone = _word(world, _email(world, linus), role="edit"), _word(world, _email(world, ida))
    assert call(world, linus, "POST", _path(world, f"/{old}")).status == 404, "a newer one took its place"
    listed = {one["email"]: one["id"] for one in world.api.get(_path(world)).json["items"]}
    assert len(listed) == 3
    taken = _path(world, f"/{listed[_email(world, ida)]}")
    for role, status in (("create", 403), ("guest", 403), (None, 404)):
        assert call(world, world.person(role), "DELETE", taken).status == status
    assert world.api.delete(taken).status == 205
    assert world.api.delete(taken).status == 404
    assert call(world, ida, "POST", _path(world, f"/{gone}")).status == 404
    assert call(world, linus, "POST", _path(world, f"/{new}")).status == 200
    clock.advance(14 * DAY)
    assert call(world, grace, "POST", _path(world, f"/{late}")).status == 404
    assert call(world, grace, "GET", f"/v1/orgs/{world.organization}").status == 404


def test_single_sign_on(world: World) -> None:
    """It speaks for addresses of the domains that are verified to be the organization's, and for no other."""
    domain = f"{world.organization.lower().replace('_', 'x')}.test"
    world.run(world.house.store.write(lambda unit: unit.people.verify_domain(world.organization, domain, unit.now)))
    grace, linus, ida = (world.person(None) for _ in range(3))
    elsewhere = other_organization(world)["id"]
    _verify(world, grace, f"grace@{domain}")
    _verify(world, linus, f"linus@{domain}")

    async def join(unit: Any) -> None:
        await unit.people.add_member(Member(organization=elsewhere, user=busy, role="read", joined_at=unit.now))

    busy = user_of(world, linus)
    world.run(world.house.store.write(join))
    answer = _invited(world, *(_email(world, one) for one in (grace, linus, ida)), role="read", sso=True)
    assert answer["failedSSOEmails"] == [_email(world, ida)]
    for token, link in zip((grace, linus, ida), answer["links"], strict=True):
        assert call(world, token, "POST", _path(world, "/" + link["url"].rsplit("/", 1)[1])).status == 200
    shown = [_member(world, token)["sso"] for token in (grace, linus, ida)]
    assert shown == [True, False, False], "who is elsewhere as himself does not come in by it"


def test_invitations_are_paced(mailing: World, clock: FakeClock) -> None:
    """Nobody has Octavo write to half the world, nor fill one mailbox from many organizations."""
    world, victim = mailing, _new(mailing, "victim")
    others = [other_organization(world)["id"] for _ in range(limits.INVITES_OF_MAILBOX)]
    for organization in others:
        reply = world.api.post(f"/v1/orgs/{organization}/invites", {"emails": [victim]})
        assert reply.status == 200, reply.text
    refused = world.api.post(_path(world), {"emails": [_new(world), victim]})
    assert refused.status == 429
    assert victim.lower() in refused.json["error"]["message"]
    assert world.api.get(_path(world)).json["count"] == 0, "all or nothing"
    left, number = limits.INVITES_OF_USER - len(others), 0
    while left > 0:
        most = min(left, 100)
        _invited(world, *(_new(world, f"n{number + one}") for one in range(most)))
        left, number = left - most, number + most
    assert world.api.post(_path(world), {"emails": [_new(world)]}).status == 429
    clock.advance(limits.INVITES_MINUTES * MINUTE + 1)
    _invited(world, _new(world), victim)


def test_who_may_invite_and_list(world: World) -> None:
    check_roles(world, "admin", "POST", _path(world), {"emails": ["x@example.test"]}, success=200, guest=403)
    check_roles(world, "admin", "GET", _path(world), success=200, guest=403)


def test_bad_input(world: World) -> None:
    cases: list[tuple[Any, str]] = [
        ({}, "emails"), ({"emails": []}, "emails"), ({"emails": "x@example.test"}, "emails"),
        ({"emails": ["no address"]}, "emails"), ({"emails": [None]}, "emails"), ({"emails": [{"role": "read"}]}, "email"),
        ({"emails": ["<x>@example.test"]}, "emails"), ({"emails": ["a@example.test\nBcc: b@example.test"]}, "emails"),
        ({"emails": [f"{'x' * 250}@example.test"]}, "emails"), ({"emails": ["x@example.test"], "role": "boss"}, "role"),
        ({"emails": [{"email": "x@example.test", "role": "guest"}]}, "role"), ({"emails": ["x@a.b"], "sso": 1}, "sso"),
        ({"emails": ["a\u202eb@example.test"]}, "emails"), ({"emails": ["a\x1bb@example.test"]}, "emails"),
        ({"emails": ["x@example.test"] * 101}, "emails"), ({"emails": ["ok@example.test", "no"]}, "emails"),
    ]  # fmt: skip
    check_refusals(world, "POST", _path(world), cases)
    check_json(world, "POST", _path(world))
    assert world.api.get(_path(world)).json["count"] == 0, "all or nothing"


def test_joining_by_the_domain_of_an_address(world: World) -> None:
    domain = f"{world.organization.lower().replace('_', 'x')}.test"
    path = f"/v1/orgs/{world.organization}/join"
    world.api.patch(f"/v1/orgs/{world.organization}", {"emailDomains": [domain], "defaultRole": "edit"})
    grace, linus, ida = world.person(None), world.person(None), world.person(None)
    _verify(world, grace, f"grace@{domain.upper()}")
    lookup = f"/v1/email-domains/{domain.upper()}/orgs"
    assert call(world, grace, "POST", path).status == 400, "the domain is claimed, and not verified"
    assert call(world, grace, "GET", lookup).json == {"organizations": []}
    assert [one["id"] for one in world.api.get(lookup).json["organizations"]] == [world.organization]
    assert world.api.get("/v1/email-domains/other.test/orgs").json == {"organizations": []}

    async def verify(unit: Any) -> None:
        await unit.people.verify_domain(world.organization, domain, unit.now)

    world.run(world.house.store.write(verify))
    shown = call(world, grace, "GET", lookup).json["organizations"]
    assert [(one["id"], one["permissions"]["view"]) for one in shown] == [(world.organization, False)]
    assert call(world, ida, "GET", lookup).json == {"organizations": []}
    assert call(world, ida, "POST", path).status == 400, "an address elsewhere"

    async def claim(unit: Any) -> None:
        user = await unit.people.user(claimed)
        await unit.people.change_user(user, email=f"linus@{domain}")

    claimed = user_of(world, linus)
    world.run(world.house.store.write(claim))
    assert call(world, linus, "POST", path).status == 400, "an address that nobody showed to be his"
    assert call(world, grace, "POST", path).status == 204
    assert _member(world, grace)["role"] == "edit"
    assert call(world, grace, "POST", path).status == 204
    assert call(world, grace, "POST", "/v1/orgs/nothing/join").status == 404
    world.api.patch(f"/v1/orgs/{world.organization}", {"emailDomains": []})
    known: set[str] = world.run(world.house.store.read(lambda unit: unit.people.verified_domains(world.organization)))
    assert known == set(), "a domain that the organization gives up is verified anew"


def test_an_account_elsewhere_of_the_token_is_not_mixed_up(world: World) -> None:
    """The word of an invitation is kept as a hash only."""
    word = _word(world, _new(world))

    async def look(unit: Any) -> Any:
        return await unit.invites.email_by_hash(token_hash(word)), await unit.invites.email_by_hash(word)

    found, by_word = world.run(world.house.store.read(look))
    assert found is not None
    assert by_word is None
