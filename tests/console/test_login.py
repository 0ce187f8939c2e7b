"""Signing in and out: passwords, codes by mail, what slows guessing, and what protects sessions and forms."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from octavo.access.people import sessions
from octavo.access.people.login import SignIn, by_password
from octavo.console.app import Console
from octavo.gateways.fakes import FakeMail
from octavo.kernel import limits
from octavo.kernel.clock import DAY, MINUTE
from octavo.kernel.errors import Forbidden, TooMany
from octavo.kernel.ids import token_hash
from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock
from tests.console.browsing import PASSWORD, Browser, account, address, browser, cookies_of, mailing

HOME = "/app"
TOKENS = "/account/tokens"


@pytest.fixture
def mails(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[tuple[World, FakeMail]]:
    with mailing(engine, clock, memory_folder, loop) as made:
        yield made


def _session(one: Browser) -> str:
    return one.cookies["octavo_session"]


def _code(world: World, box: FakeMail, email: str) -> str:
    world.work()
    letter = [one for one in box.sent if one.to == email][-1]
    found = re.search(r"^ {4}(\d{4} \d{4})$", letter.text, re.MULTILINE)
    assert found is not None
    return found[1]


def test_a_password_signs_in(world: World) -> None:
    one, email = browser(world), account(world)
    page = one.get("/login?next=/docs")
    assert page.status == 200
    assert 'name="next" value="/docs"' in page.text
    reply = one.post("/login", {"email": email.upper(), "password": PASSWORD, "next": "/docs"})
    assert (reply.status, reply.headers["location"]) == (303, "/docs")
    [(name, value, attributes), (known, word, lasting)] = cookies_of(reply)
    assert (name, known) == ("octavo_session", "octavo_browser")
    assert sorted(lasting) == ["HttpOnly", f"Max-Age={limits.KNOWN_BROWSER_DAYS * 86400}", "Path=/", "SameSite=Lax"]
    assert email not in word, "it does not say whose browser it is"
    assert len(value) > 40
    assert sorted(attributes) == ["HttpOnly", f"Max-Age={limits.SESSION_DAYS * 86400}", "Path=/", "SameSite=Lax"]
    assert one.signed_in
    again = one.get("/login?next=/docs")
    assert (again.status, again.headers["location"]) == (303, "/docs")
    kept = world.run(world.house.store.read(lambda unit: unit.sessions.by_hash(token_hash(value))))
    assert kept.how == "password"
    assert value not in str(kept)


def test_neither_answer_nor_questions_tell_whether_there_is_an_account(world: World) -> None:
    def refused(email: str) -> str:
        one = browser(world)
        reply = one.sign_in(email, "not the password at all")
        assert reply.status == 403
        assert "octavo_session" not in one.cookies
        return re.sub(r'name="form" value="[^"]*"', "", reply.text).replace(email, "")

    known, without = account(world), account(world, password=False)
    assert refused(known) == refused(without) == refused("nobody@nowhere.test")


def test_attempts_for_an_account_are_counted(world: World, clock: FakeClock) -> None:
    email = account(world)
    for _ in range(limits.LOGINS_OF_ACCOUNT):
        assert browser(world).sign_in(email, "not the password").status == 403
    late = browser(world).sign_in(email)
    assert late.status == 429
    assert late.headers["retry-after"] == str(limits.LOGIN_MINUTES * 60)
    assert browser(world).sign_in(account(world)).status == 303, "others sign in meanwhile"
    clock.advance(limits.LOGIN_MINUTES * MINUTE + 1)
    assert browser(world).sign_in(email).status == 303
    assert browser(world).sign_in(email).status == 303, "success counts anew"


def test_a_browser_that_signed_in_before_is_not_locked_out_by_others(world: World, clock: FakeClock) -> None:
    one, other, email = browser(world), browser(world), account(world)
    one.sign_in(email)
    one.get("/logout")
    one.post("/logout")
    stranger = Browser(world, one.address)
    for _ in range(limits.LOGINS_OF_ACCOUNT + 1):
        stranger.sign_in(email, "not the password")
    for _ in range(limits.LOGINS_OF_ADDRESS):
        stranger.sign_in("nobody@nowhere.test", "not the password")
    assert (stranger.sign_in(email).status, other.sign_in(email).status) == (429, 429), "whoever it is, from anywhere"
    assert one.sign_in(account(world)).status == 429, "it is known for the account that it signed in to"
    assert one.sign_in(email).status == 303
    other.cookies["octavo_browser"] = one.cookies["octavo_browser"][::-1]
    assert other.sign_in(email).status == 429, "a word that was not given here"


def test_a_known_browser_guesses_no_more_often(world: World, clock: FakeClock) -> None:
    one, email = browser(world), account(world)
    one.sign_in(email)
    one.get("/logout")
    one.post("/logout")
    for _ in range(limits.LOGINS_OF_ACCOUNT):
        assert one.sign_in(email, "not the password").status == 403
    assert one.sign_in(email).status == 429
    assert browser(world).sign_in(email).status == 303, "its attempts are its own"
    clock.advance(limits.KNOWN_BROWSER_DAYS * DAY)
    stranger = browser(world)
    for _ in range(limits.LOGINS_OF_ACCOUNT):
        stranger.sign_in(email, "not the password")
    assert one.sign_in(email).status == 429, "it is known for a year"


def test_attempts_at_the_same_time_are_counted_too(world: World) -> None:
    email, most = account(world), limits.LOGINS_OF_ACCOUNT
    desk = SignIn(world.house.store, world.house.signer, address())

    async def together() -> list[BaseException | Any]:
        tries = (by_password(desk, email, "not the password", None) for _ in range(most + 5))
        return await asyncio.gather(*tries, return_exceptions=True)

    answers = [type(one) for one in world.run(together())]
    assert (answers.count(Forbidden), answers.count(TooMany)) == (most, 5)


def test_attempts_from_an_address_are_counted(world: World) -> None:
    one, email = browser(world), account(world)
    one.get("/login")
    count = world.house.store.write

    async def spend(unit: Any) -> int:
        return max(
            [await unit.proofs.count(_address_key(one), unit.now, 10**6) for _ in range(limits.LOGINS_OF_ADDRESS)]
        )

    assert world.run(count(spend)) == limits.LOGINS_OF_ADDRESS
    assert one.sign_in(email).status == 429
    assert one.sign_in("nobody@nowhere.test").status == 429
    assert browser(world).sign_in(email).status == 303


def _address_key(one: Browser) -> str:
    return token_hash(f"address {one.address}")


def test_a_code_by_mail_signs_in(mails: tuple[World, FakeMail]) -> None:
    world, box = mails
    one, email = browser(world), account(world, password=False)

    def verified() -> bool:
        read = world.house.store.read
        return bool(world.run(read(lambda unit: unit.people.user_by_email(email))).email_verified)

    assert not verified()
    assert "Mail me a code" in one.get("/login").text
    asked = one.post("/login/ask", {"email": email, "next": "/docs"})
    assert (asked.status, asked.headers["location"]) == (303, "/login/code?next=%2Fdocs")
    assert email in one.get(asked.headers["location"]).text
    code = _code(world, box, email)
    reply = one.post("/login/code", {"code": f" {code} ", "next": "/docs"})
    assert (reply.status, reply.headers["location"]) == (303, "/docs")
    kept = world.run(world.house.store.read(lambda unit: unit.sessions.by_hash(token_hash(_session(one)))))
    assert kept.how == "code"
    assert verified(), "the code came from the mailbox"
    other = browser(world)
    other.cookies["octavo_visit"] = one.cookies["octavo_visit"]
    other.get("/login")
    assert other.post("/login/code", {"code": code}).status == 403, "a code serves once"


def test_a_code_serves_in_the_browser_that_asked_and_for_ten_minutes(
    mails: tuple[World, FakeMail], clock: FakeClock
) -> None:
    world, box = mails
    one, other, email = browser(world), browser(world), account(world)
    one.get("/login")
    one.post("/login/ask", {"email": email})
    code = _code(world, box, email)
    other.get("/login")
    other.post("/login/ask", {"email": email})
    other.get("/login/code")
    assert other.post("/login/code", {"code": code}).status == 403
    clock.advance(limits.LOGIN_CODE_MINUTES * MINUTE)
    one.get("/login")
    assert one.post("/login/code", {"code": code}).status == 403
    assert one.get("/login/code").headers["location"].startswith("/login?")


def test_a_code_is_worth_nothing_after_wrong_ones(mails: tuple[World, FakeMail]) -> None:
    world, box = mails
    one, email = browser(world), account(world)
    one.get("/login")
    one.post("/login/ask", {"email": email})
    code = _code(world, box, email)
    one.get("/login/code")
    for number in range(limits.LOGIN_CODE_TRIES):
        wrong = f"{number:08d}"
        assert one.post("/login/code", {"code": "x" if wrong == code.replace(" ", "") else wrong}).status == 403
    assert one.post("/login/code", {"code": code}).status == 403
    one.post("/login/ask", {"email": email})
    one.get("/login/code")
    assert one.post("/login/code", {"code": _code(world, box, email)}).status == 303


def test_asking_for_a_code_tells_nothing_of_accounts(mails: tuple[World, FakeMail]) -> None:
    world, box = mails
    email = account(world)

    def asked(address: str) -> tuple[int, str, str]:
        one = browser(world)
        one.get("/login")
        reply = one.post("/login/ask", {"email": address})
        page = re.sub(r'name="form" value="[^"]*"', "", one.get("/login/code").text).replace(address, "")
        return reply.status, reply.headers["location"], page

    assert asked(email) == asked("nobody@nowhere.test")
    world.work()
    assert not [one for one in box.sent if one.to == "nobody@nowhere.test"]
    assert [one for one in box.sent if one.to == email]
    for _ in range(limits.CODES_OF_ACCOUNT - 1):
        asked_again = browser(world)
        asked_again.get("/login")
        assert asked_again.post("/login/ask", {"email": email}).status == 303
    late = browser(world)
    late.get("/login")
    assert late.post("/login/ask", {"email": email}).status == 429
    for wrong in ("", "ada", "a" * 251 + "@b.c"):
        assert late.post("/login/ask", {"email": wrong}).status == 400


def test_without_mail_there_are_only_passwords(world: World) -> None:
    one = browser(world)
    assert "Mail me a code" not in one.get("/login").text
    assert one.post("/login/ask", {"email": account(world)}).status == 501
    assert one.get("/login/code").status == 303


@pytest.mark.parametrize(
    "wanted",
    [
        "//evil.test", "/\\evil.test", "https://evil.test", "\\\\evil.test", "/%0d%0aset-cookie:a=b\r\nx:y",
        "javascript:alert(1)", "/\t/evil.test", " /docs", "///evil.test", "http:evil.test", "/docs\n", "/" + "a" * 3000,
        "/login", "/logout", "/é",
    ],
)  # fmt: skip
def test_nobody_is_sent_elsewhere(world: World, wanted: str) -> None:
    reply = browser(world).sign_in(account(world), next=wanted)
    assert (reply.status, reply.headers["location"]) == (303, HOME)


def test_a_form_of_another_site_is_refused(world: World) -> None:
    one, email = browser(world), account(world)
    one.get("/login")
    typed = {"email": email, "password": PASSWORD}
    stranger = browser(world)
    stranger.get("/login")
    word = re.search(r'name="form" value="([^"]*)"', stranger.page)
    assert word is not None
    page = one.page
    wrong: list[dict[str, str]] = [
        {"word": ""}, {"word": "x"}, {"word": word[1]}, {"origin": "https://evil.test"}, {"origin": "null"},
        {"origin": "http://octavo.test.evil.test"}, {"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-site"},
        {"content_type": "application/json"}, {"content_type": "text/plain"},
    ]  # fmt: skip
    for given in wrong:
        one.page = page
        reply = one.post("/login", typed, **given)
        assert reply.status == (415 if "content_type" in given else 403), given
        assert not reply.headers.get("set-cookie")
    one.page = page
    assert one.post("/login", typed, origin="").status == 303, "a browser that names no origin is judged by the word"
    one.page = page
    assert one.post("/logout", {}).status == 403, "the word of before signing in serves no more"
    assert one.signed_in


def test_every_login_takes_a_new_session(world: World) -> None:
    one, email = browser(world), account(world)
    one.cookies["octavo_session"] = "chosen-by-somebody-else-and-long-enough-to-be-one"
    assert not one.signed_in
    one.sign_in(email)
    first = _session(one)
    assert first != "chosen-by-somebody-else-and-long-enough-to-be-one"
    one.get("/logout")
    assert one.post("/login", {"email": email, "password": PASSWORD}).status == 303
    assert _session(one) != first
    old = browser(world)
    old.cookies["octavo_session"] = first
    assert not old.signed_in


def test_sessions_end_by_themselves(world: World, clock: FakeClock) -> None:
    idle, busy, email = browser(world), browser(world), account(world)
    idle.sign_in(email)
    busy.sign_in(email)
    for _ in range(limits.SESSION_DAYS // (limits.SESSION_IDLE_DAYS - 1)):
        clock.advance((limits.SESSION_IDLE_DAYS - 1) * DAY)
        assert busy.signed_in == (clock() < _end(world, busy))
    assert not idle.signed_in
    assert not busy.signed_in


def _end(world: World, one: Browser) -> int:
    kept = world.run(world.house.store.read(lambda unit: unit.sessions.by_hash(token_hash(_session(one)))))
    return int(kept.expires_at)


def test_signing_out_here_and_everywhere(world: World) -> None:
    email = account(world)
    one, two, three, stranger = browser(world), browser(world), browser(world), browser(world)
    for each in (one, two, three):
        each.sign_in(email)
    stranger.sign_in(account(world))
    assert one.get("/logout").status == 200
    assert one.signed_in, "following a link signs nobody out"
    kept = _session(one)
    reply = one.post("/logout")
    assert (reply.status, reply.headers["location"]) == (303, "/login")
    assert "octavo_session" not in one.cookies
    one.cookies["octavo_session"] = kept
    assert not one.signed_in, "the word is worth nothing, whoever kept it"
    two.get(TOKENS)
    assert two.post("/logout", {"everywhere": "1"}).status == 303
    assert not three.signed_in
    assert stranger.signed_in


def test_a_new_password_signs_out_everywhere(world: World) -> None:
    from octavo.access.people.login import set_password

    one, email = browser(world), account(world)
    one.sign_in(email)

    async def work(unit: Any) -> Any:
        return await set_password(unit, await unit.people.user_by_email(email), None)

    assert world.run(world.house.store.write(work)) == (1, 1), "one session, and the token of the account"
    assert not one.signed_in
    assert one.sign_in(email).status == 403


def test_pages_are_kept_by_nobody_and_framed_by_nobody(world: World) -> None:
    one = browser(world)
    answers = [one.get("/login"), one.get("/account/nothing"), one.post("/login", word="x"), one.get("/logout")]
    one.sign_in(account(world))
    answers += [one.get(TOKENS), one.get("/account/nothing"), one.get("/logout"), one.get("/account")]
    for reply in answers:
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["x-frame-options"] == "DENY"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "same-origin"
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "script-src" not in policy
        assert "<script" not in reply.text
        assert " style=" not in reply.text


def test_what_is_behind_the_login_leads_to_it(world: World) -> None:
    one = browser(world)
    assert one.get(HOME).headers["location"] == "/login"
    assert one.get("/account/more").headers["location"] == "/login?next=/account/more"
    assert one.post(TOKENS, {"label": "x"}).headers["location"] == "/login"
    assert one.get("/login/nothing").status == 303
    one.sign_in(account(world))
    assert one.get("/login/nothing").status == 404
    assert one._send("DELETE", "/login", None, {}).status == 405
    assert one._send("HEAD", HOME, None, {}).body == b""
    assert one.get("/login", cookie="").status == 303


def test_what_is_typed_is_escaped(world: World) -> None:
    reply = browser(world).sign_in('"><script>alert(1)</script>@evil.test', "no password")
    assert reply.status == 403
    assert "<script" not in reply.text
    assert browser(world).sign_in("a\x00b@evil.test").status == 400


def test_over_https_cookies_are_secure_and_of_this_host_alone(world: World) -> None:
    house = world.house
    world.app._console = Console(
        house.store, house.settings, house.signer, "https://docs.test", lambda name: f"/{name}"
    )
    one = browser(world)
    [(name, _, attributes)] = cookies_of(one.get("/login"))
    assert name == "__Host-octavo_visit"
    assert "Secure" in attributes
    reply = one.post("/login", {"email": account(world), "password": PASSWORD}, origin="https://docs.test")
    given = cookies_of(reply)
    assert [name for name, _, _ in given] == ["__Host-octavo_session", "__Host-octavo_browser"]
    assert all({"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} < set(attributes) for _, _, attributes in given)
    assert one.signed_in


def test_cookies_that_cannot_be_read_are_none() -> None:
    assert sessions.cookies([(b"cookie", b"a=b; octavo_session=x"), (b"cookie", b"\xff=;;;")])["octavo_session"] == "x"
    assert sessions.read_cookie([(b"cookie", b"octavo_session=")], secure=False) is None
    assert sessions.read_cookie([(b"cookie", b"octavo_session=x")], secure=True) is None
