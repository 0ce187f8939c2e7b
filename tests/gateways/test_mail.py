"""Letters over a real SMTP connection: what arrives, which encryption is asked for, and what is said of a refusal."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from octavo.gateways.failures import Refused, Unreachable
from octavo.gateways.fakes import FakeMail
from octavo.gateways.mail import Smtp, mailer
from octavo.kernel.letters import Letter
from octavo.kernel.settings import SettingsError, load
from tests.certificates import AHEAD, OVER, made
from tests.gateways.postbox import Postbox, postbox

Loop = asyncio.AbstractEventLoop
LETTER = Letter(to="ada@example.test", subject="Olá, Ada", text="The code is 4711.\n", html="<p>The code is 4711.</p>")
NOW = 1_800_000_000_000


@pytest.fixture
def box(loop: Loop) -> Iterator[Postbox]:
    with postbox(loop) as running:
        yield running


def smtp(box: Postbox, tls: str = "none", **more: object) -> Smtp:
    return Smtp("localhost", box.port, "Docs <docs@octavo.test>", tls, **more)  # type: ignore[arg-type]


def send(loop: Loop, by: Smtp, letter: Letter = LETTER) -> None:
    loop.run_until_complete(by.send(letter, key="job-1", now=NOW))


def test_a_letter_arrives_as_text_and_html(box: Postbox, loop: Loop) -> None:
    send(loop, smtp(box))
    [message] = box.messages
    assert (message["From"], message["To"]) == ("Docs <docs@octavo.test>", "ada@example.test")
    assert message["Subject"] == "Olá, Ada"
    assert message["Message-ID"] == "<job-1@octavo.test>"
    assert message["Date"] == "Fri, 15 Jan 2027 08:00:00 +0000"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["List-Unsubscribe"] is None
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None
    assert html is not None
    assert text.get_content().split() == LETTER.text.split()
    assert html.get_content().strip() == LETTER.html


def test_a_title_begins_no_header_and_no_second_letter(box: Postbox, loop: Loop) -> None:
    evil = Letter(
        to="ada@example.test",
        subject="Hi\r\nBcc: eve@example.test\r\n\r\nBuy",
        text="one\n.\nRCPT TO:<eve@example.test>\n",
        unsubscribe="https://octavo.test/u",
    )
    send(loop, smtp(box), evil)
    [message] = box.messages
    assert message["Bcc"] is None
    assert "Bcc: eve@example.test" in message["Subject"]
    assert message.get_content().splitlines() == evil.text.splitlines()
    assert message["List-Unsubscribe"] == "<https://octavo.test/u>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.mark.parametrize("address", ["", "ada", "ada@example.test, eve@example.test", "a b@c", "ada@x\r\nBcc: e@x"])
def test_what_is_no_address_is_refused_before_anybody_is_called(box: Postbox, loop: Loop, address: str) -> None:
    letter = Letter(to=address, subject="s", text="t")
    with pytest.raises(Refused):
        send(loop, smtp(box), letter)
    with pytest.raises(Refused):
        loop.run_until_complete(FakeMail().send(letter, key="k", now=NOW))
    assert box.messages == []


def test_an_address_beyond_ascii(box: Postbox, loop: Loop) -> None:
    send(loop, smtp(box), Letter(to="örn@example.test", subject="s", text="t"))
    assert box.messages[0]["To"] == "örn@example.test"


@pytest.mark.parametrize(("answer", "kind"), [("550 5.1.1 No such user", Refused), ("451 4.7.1 Later", Unreachable)])
def test_a_recipient_that_is_not_taken(box: Postbox, loop: Loop, answer: str, kind: type[Exception]) -> None:
    box.refuses["ada@example.test"] = answer
    with pytest.raises(kind, match=r"does not take the recipient: .*(No such user|Later)"):
        send(loop, smtp(box))


@pytest.mark.parametrize(("code", "kind"), [("554", Refused), ("451", Unreachable)])
def test_what_a_filter_quotes_is_not_repeated(box: Postbox, loop: Loop, code: str, kind: type[Exception]) -> None:
    box.answer = f"{code} we do not like 'The code is 4711.'"
    with pytest.raises(kind) as raised:
        send(loop, smtp(box))
    assert str(raised.value) == f"The mail server localhost does not take the letter ({code})."


def test_a_server_that_is_away(box: Postbox, loop: Loop) -> None:
    away = smtp(box)
    with postbox(loop) as gone:
        away = replace(away, port=gone.port)
    with pytest.raises(Unreachable, match="could not be reached"):
        send(loop, away)


def test_a_user_and_a_password(loop: Loop) -> None:
    with postbox(loop, log_in=True) as box:
        send(loop, smtp(box, user="octavo", password="right"))
        assert box.users == ["octavo"]
        with pytest.raises(Unreachable, match="does not accept the user and password") as raised:
            send(loop, smtp(box, user="octavo", password="wrong-secret"))
        assert "secret" not in str(raised.value)
        assert "right" not in repr(smtp(box, password="right"))


@pytest.fixture(scope="module")
def contexts(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """What the server shows, and who believes it."""
    return made(tmp_path_factory.mktemp("certificate"), "localhost")


@pytest.mark.parametrize("mode", ["tls", "starttls"])
def test_both_ways_of_encryption(loop: Loop, contexts: tuple[ssl.SSLContext, ssl.SSLContext], mode: str) -> None:
    shows, believes = contexts
    with postbox(loop, **{mode: shows}) as box:  # type: ignore[arg-type]
        send(loop, smtp(box, mode, context=believes))
        assert box.encrypted == [True]
        with pytest.raises(Unreachable, match="is not valid: it is signed by itself alone"):
            send(loop, smtp(box, mode))  # a certificate that nobody vouches for
        with pytest.raises((Unreachable, Refused)):
            send(loop, replace(smtp(box, mode, context=believes), host="127.0.0.1"))  # of another host
        assert len(box.messages) == 1


@pytest.mark.parametrize(("days", "why"), [(OVER, "it has expired"), (AHEAD, "it is not valid yet")])
@pytest.mark.parametrize("mode", ["tls", "starttls"])
def test_a_certificate_out_of_its_time_is_told(
    loop: Loop, tmp_path: Path, mode: str, days: tuple[int, int], why: str
) -> None:
    shows, believes = made(tmp_path, "localhost", days)
    with postbox(loop, **{mode: shows}) as box:  # type: ignore[arg-type]
        with pytest.raises(Unreachable) as told:
            send(loop, smtp(box, mode, context=believes))
        assert told.value.message.startswith(f"The certificate of the mail server localhost is not valid: {why}")
        assert box.messages == []


def test_encryption_that_is_not_offered_is_not_done_without(box: Postbox, loop: Loop) -> None:
    with pytest.raises(Unreachable, match="does not offer the encryption"):
        send(loop, smtp(box, "starttls", user="octavo", password="right"))
    assert box.messages == []
    assert box.users == []


def test_settings_make_a_mailer() -> None:
    assert mailer(load({})) is None
    given = {"OCTAVO_SMTP_HOST": "mail.test", "OCTAVO_MAIL_FROM": "Docs <docs@x.test>"}
    assert mailer(load(given)) == Smtp("mail.test", 587, "Docs <docs@x.test>")
    tls = given | {"OCTAVO_SMTP_TLS": "tls", "OCTAVO_SMTP_USER": "o", "OCTAVO_SMTP_PASSWORD": "p"}
    assert mailer(load(tls)) == Smtp("mail.test", 465, "Docs <docs@x.test>", "tls", "o", "p")
    assert mailer(load(given | {"OCTAVO_SMTP_PORT": "2525"})) == Smtp("mail.test", 2525, "Docs <docs@x.test>")


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"OCTAVO_SMTP_HOST": "mail.test"}, "OCTAVO_MAIL_FROM"),
        ({"OCTAVO_MAIL_FROM": "Docs"}, "OCTAVO_MAIL_FROM"),
        ({"OCTAVO_SMTP_TLS": "yes"}, "OCTAVO_SMTP_TLS"),
        ({"OCTAVO_SMTP_PORT": "65536"}, "OCTAVO_SMTP_PORT"),
        ({"OCTAVO_SMTP_USER": "octavo"}, "OCTAVO_SMTP_PASSWORD"),
    ],
)
def test_settings_of_mail_that_cannot_be(wrong: dict[str, str], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        load(wrong)
