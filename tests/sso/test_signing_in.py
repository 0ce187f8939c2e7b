"""Signing in by SAML: who becomes a member, who does not, and where the browser goes."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
import xmlsec
from lxml import etree

from octavo.kernel.clock import HOUR, MINUTE
from octavo.kernel.ids import new_id
from octavo.kernel.records.people import Member, User
from octavo.store.people.people import folded
from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.sso.idp import EMAIL, TRANSIENT, Browser, build, key, sign, trust


def member(world: World, email: str) -> Member | None:
    """The membership of an address in the world's organization."""

    async def find(unit: Any) -> Member | None:
        user = await unit.people.user_by_email(email)
        return None if user is None else await unit.people.member(world.organization, user.id)

    found: Member | None = world.run(world.house.store.read(find))
    return found


def add_user(world: World, email: str, *, proven: int = 0, **membership: Any) -> str:
    """A user of that address, which was shown to be hers then; with a role, a member."""
    user = User(id=new_id(), email=email, name="Known Before", created_at=1, email_verified=proven)

    async def make(unit: Any) -> None:
        await unit.people.add_user(user)
        if membership:
            given = {"organization": world.organization, "user": user.id, "joined_at": 1, **membership}
            await unit.people.add_member(Member(**given))

    world.run(world.house.store.write(make))
    return user.id


def unique(name: str = "ada") -> tuple[str, str]:
    """A subject and an address that no other test has: the PostgreSQL database is shared."""
    word = f"{name}-{new_id()}".lower().replace("_", "x")
    return word, f"{word}@acme.test"


def refused(reply: Reply, reason: str) -> None:
    """A readable page says why."""
    assert reply.status >= 400
    assert f'data-reason="{reason}"' in reply.text, reply.text
    assert reply.headers["content-type"].startswith("text/html")
    assert "octavo_session" not in reply.headers.get("set-cookie", "")


def whoami(browser: Browser) -> Reply:
    return browser.send("GET", "/account/tokens")


def test_who_comes_for_the_first_time_becomes_a_member_and_is_signed_in(world: World) -> None:
    team = world.api.put(f"/v1/orgs/{world.organization}/teams", {"title": "Everybody"}).json["id"]
    acme = trust(world, defaultTeam=team)
    subject, email = unique()
    browser = acme.browser()
    asked = browser.start()
    reply = browser.arrive(sign(build(acme.told(asked.id, subject=subject, attributes={"mail": email, "name": "Ada"}))))
    assert (reply.status, reply.headers["location"]) == (303, "/app")
    cookie = next(line for line in reply.headers["set-cookie"].split(", ") if line.startswith("octavo_session="))
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    found = member(world, email)
    assert found is not None
    assert (found.role, found.sso, found.disabled) == ("edit", True, False)
    places = world.run(world.house.store.read(lambda unit: unit.teams.members(team)))
    assert [place.user for place in places] == [found.user]
    page = whoami(browser)
    assert page.status == 200
    assert "Ada" in page.text


def test_who_comes_again_is_the_same_whatever_the_address_is_then(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    acme.browser().sign_in(subject=subject, attributes={"email": email})
    before = member(world, email)
    assert before is not None
    acme.patch(defaultRole="admin")
    again = acme.browser().sign_in(subject=subject, attributes={"email": f"new-{email}"})
    assert again.status == 303
    after = member(world, email)
    assert after is not None
    assert (after.user, after.role) == (before.user, "edit")
    assert member(world, f"new-{email}") is None


def test_an_address_is_compared_without_regard_to_case(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    known = add_user(world, email, role="review")
    assert acme.browser().sign_in(subject=subject, attributes={"email": email.upper()}).status == 303
    found = member(world, folded(email))
    assert found is not None
    assert (found.user, found.role, found.sso) == (known, "review", True)


def test_guests_and_the_name_in_parts(world: World) -> None:
    acme = trust(world, defaultRole=None)
    subject, email = unique()
    told = {"email": email, "urn:oid:2.5.4.42": "Grace", "urn:oid:2.5.4.4": "Hopper"}
    browser = acme.browser()
    assert browser.sign_in(subject=subject, attributes=told).status == 303
    found = member(world, email)
    assert found is not None
    assert found.role is None
    assert "Grace Hopper" in whoami(browser).text


def test_the_name_id_may_be_the_address(world: World) -> None:
    acme = trust(world)
    _, email = unique()
    assert acme.browser().sign_in(subject=email, format=EMAIL, attributes={}).status == 303
    assert member(world, email) is not None


def test_a_passing_name_id_counts_for_nothing_and_the_address_for_it(world: World) -> None:
    acme = trust(world)
    _, email = unique()
    for subject in ("_one", "_two"):
        assert acme.browser().sign_in(subject=subject, format=TRANSIENT, attributes={"email": email}).status == 303
    refused(acme.browser().post_of(subject="_three", format=TRANSIENT, attributes={}), "subject")


def test_a_signed_answer_around_an_unsigned_assertion_is_enough(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    for paths in ((".",), ("saml:Assertion", ".")):
        browser = acme.browser()
        answer = build(acme.told(browser.start().id, subject=subject, attributes={"email": email}))
        for path in paths:
            sign(answer, path)
        assert browser.arrive(answer).status == 303


def test_elliptic_curves_and_long_digests(world: World) -> None:
    curve = key("curve", "ec")
    acme = trust(world, certificate=curve.certificate)
    subject, email = unique()
    browser = acme.browser()
    answer = build(acme.told(browser.start().id, subject=subject, attributes={"email": email}))
    sign(answer, by=curve, method=xmlsec.Transform.ECDSA_SHA512, digest=xmlsec.Transform.SHA512)
    assert browser.arrive(answer).status == 303


def test_certificates_roll_over(world: World) -> None:
    old, new = key(), key("second")
    acme = trust(world)
    subject, email = unique()

    def signed_by(one: Any) -> Reply:
        browser = acme.browser()
        answer = build(acme.told(browser.start().id, subject=subject, attributes={"email": email}))
        return browser.post(sign(answer, by=one))

    assert (signed_by(old).status, signed_by(new).status) == (303, 403)
    acme.patch(certificate=old.certificate + new.certificate)
    assert (signed_by(old).status, signed_by(new).status) == (303, 303)
    acme.patch(certificate=new.certificate.replace("-----BEGIN CERTIFICATE-----", "").split("-----END")[0])
    refused(signed_by(old), "signature")
    assert signed_by(new).status == 303


def test_an_unverified_domain_makes_no_account(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    elsewhere = email.replace("acme.test", "other.test")
    reply = acme.browser().sign_in(subject=subject, attributes={"email": elsewhere})
    refused(reply, "account")
    assert "other.test" in reply.text
    assert member(world, elsewhere) is None


def test_an_account_with_an_unverified_address_is_not_taken_over(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    elsewhere = email.replace("acme.test", "other.test")
    add_user(world, elsewhere, role="admin")
    refused(acme.browser().sign_in(subject=subject, attributes={"email": elsewhere}), "account")


def test_an_account_of_another_organization_is_not_taken_over(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    other = world.api.post("/v1/orgs", {"title": "Another"}).json["id"]
    add_user(world, email, proven=1, organization=other, role="read")
    reply = acme.browser().sign_in(subject=subject, attributes={"email": email})
    refused(reply, "account")
    assert "another organization" in reply.text
    assert member(world, email) is None


def test_who_left_for_another_organization_is_not_taken_back(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    assert acme.browser().sign_in(subject=subject, attributes={"email": email}).status == 303
    found = member(world, email)
    assert found is not None
    other = world.api.post("/v1/orgs", {"title": "Another"}).json["id"]

    async def move(unit: Any) -> None:
        await unit.people.remove_member(world.organization, found.user)
        await unit.people.add_member(Member(organization=other, user=found.user, role="read", joined_at=unit.now))

    world.run(world.house.store.write(move))
    refused(acme.browser().sign_in(subject=subject, attributes={"email": email}), "account")


def test_who_was_removed_and_comes_again_is_new(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    acme.browser().sign_in(subject=subject, attributes={"email": email})
    found = member(world, email)
    assert found is not None
    world.run(world.house.store.write(lambda unit: unit.people.remove_member(world.organization, found.user)))
    acme.patch(defaultRole="comment")
    assert acme.browser().sign_in(subject=subject, attributes={"email": email}).status == 303
    again = member(world, email)
    assert again is not None
    assert (again.user, again.role) == (found.user, "comment")


def test_a_disabled_member_stays_out(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    add_user(world, email, role="edit", disabled=True)
    reply = acme.browser().sign_in(subject=subject, attributes={"email": email})
    refused(reply, "account")
    assert "disabled" in reply.text


@pytest.mark.parametrize("email", ["", "ada", "@acme.test", "ada@", "a b@acme.test", "x" * 255 + "@acme.test"])
def test_what_is_no_address_makes_no_account(world: World, email: str) -> None:
    acme = trust(world)
    subject, _ = unique()
    refused(acme.browser().sign_in(subject=subject, attributes={"email": email}), "account")


def test_the_session_before_ends(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    browser = acme.browser()
    browser.sign_in(subject=subject, attributes={"email": email})
    first = browser.session
    browser.sign_in(subject=subject, attributes={"email": email})
    assert browser.session not in (None, first)
    old = acme.browser()
    old.cookies["octavo_session"] = first or ""
    assert whoami(old).status == 303


def test_another_browser_cannot_finish(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    browser, other = acme.browser(), acme.browser()
    other.start()
    posted = browser.post(sign(build(acme.told(browser.start().id, subject=subject, attributes={"email": email}))))
    refused(other.send("GET", posted.headers["location"]), "browser")
    refused(browser.send("GET", posted.headers["location"]), "browser")
    assert member(world, email) is None


def test_a_login_is_fetched_once_soon_and_by_get(world: World, clock: FakeClock) -> None:
    acme = trust(world)
    subject, email = unique()

    def posted(browser: Browser) -> str:
        answer = sign(build(acme.told(browser.start().id, subject=subject, attributes={"email": email})))
        return browser.post(answer).headers["location"]

    browser = acme.browser()
    at = posted(browser)
    assert browser.send("HEAD", at).status == 405
    assert browser.send("GET", at).status == 303
    refused(browser.send("GET", at), "browser")
    at = posted(browser)
    clock.advance(6 * MINUTE)
    refused(browser.send("GET", at), "browser")


def test_who_takes_too_long_begins_again(world: World, clock: FakeClock) -> None:
    acme = trust(world)
    browser = acme.browser()
    answer = sign(build(acme.told(browser.start().id, ends=2 * HOUR)))
    clock.advance(HOUR)
    refused(browser.post(answer), "late")


@pytest.mark.parametrize(
    ("wanted", "lands"),
    [
        ("/account/tokens?new=1", "/account/tokens?new=1"),
        ("https://evil.example/", "/app"),
        ("//evil.example/", "/app"),
        ("/\\evil.example", "/app"),
        ("javascript:alert(1)", "/app"),
        ("/x\r\nset-cookie: a=b", "/app"),
    ],
)
def test_the_relay_state_leads_nowhere_else(world: World, wanted: str, lands: str) -> None:
    acme = trust(world)
    subject, email = unique()
    browser = acme.browser()
    asked = browser.start(next_=wanted)
    assert (asked.relay or "").startswith("/") or not asked.relay
    answer = sign(build(acme.told(asked.id, subject=subject, attributes={"email": email})))
    reply = browser.arrive(answer, relay=wanted)
    assert (reply.status, reply.headers["location"]) == (303, lands)


def test_the_request_says_who_asks_and_where_to_answer(world: World) -> None:
    acme = trust(world)
    browser = acme.browser()
    asked, again = browser.start(), browser.start()
    assert asked.id != again.id
    assert asked.root.get("Destination") == "https://idp.acme.test/sso?tenant=1&x=2"
    assert asked.address.startswith("https://idp.acme.test/sso?tenant=1&x=2&SAMLRequest=")
    assert asked.root.get("AssertionConsumerServiceURL") == acme.service["acsURL"]
    assert asked.root.findtext("{*}Issuer") == acme.service["entityID"]


def test_an_address_that_is_none_leads_nowhere_and_breaks_nothing(world: World) -> None:
    acme = trust(world, ssoURL="https://[")
    reply = acme.browser().send("GET", urlsplit(acme.service["startURL"]).path)
    assert reply.status == 302
    assert reply.headers["location"].startswith("https://[?SAMLRequest=")


def test_metadata_tells_an_identity_provider_of_this_side(world: World) -> None:
    acme = trust(world)
    reply = world.api.get(urlsplit(acme.service["entityID"]).path, token="")
    assert reply.status == 200
    assert reply.headers["content-type"] == "application/samlmetadata+xml"
    root = etree.fromstring(reply.body)
    assert root.get("entityID") == acme.service["entityID"]
    [consumer] = root.iterfind(".//{*}AssertionConsumerService")
    assert consumer.get("Location") == acme.service["acsURL"]
    assert root[0].get("WantAssertionsSigned") == "true"


def test_two_halves_of_the_library_agree_on_the_parser() -> None:
    assert xmlsec.get_libxml_version() == etree.LIBXML_VERSION
