"""Letters as jobs: sealed while they wait, tried again, recorded when refused, forgotten when sent."""

from __future__ import annotations

import asyncio
import logging
import uuid
from dataclasses import replace
from typing import Any

import pytest

from octavo.access.people.mail import mail
from octavo.gateways.failures import Refused, Unreachable
from octavo.gateways.fakes import FakeMail
from octavo.gateways.mail import Smtp
from octavo.jobs.people.mail import PAUSES
from octavo.kernel.letters import Letter, Occasion
from octavo.kernel.records.jobs import Job
from tests.client import World
from tests.conftest import FakeClock
from tests.gateways.postbox import postbox

SECRET = "lodestar-4711"
ADDRESS = f"{uuid.uuid4().hex}@example.test"
"""Of this module alone: the PostgreSQL database is shared by the tests of a worker, and letters of others may wait in it."""
WORDS = (SECRET, ADDRESS, "your code")


def letter(**more: Any) -> Occasion:
    told = {"code": SECRET, "base": "https://docs.test", "minutes": 10}
    return Occasion(to=ADDRESS, about="login-code", told=told, **more)


def post(world: World, written: Occasion, organization: str | None = None) -> str:
    event = mail(world.house.signer.seal, written, organization)
    [job] = world.run(world.house.store.write(lambda unit: unit.emit(event)))
    return str(job)


def job_of(world: World, job: str) -> Job:
    found: Job = world.run(world.house.store.read(lambda unit: unit.jobs.get(job)))
    return found


def sent(box: FakeMail) -> list[Letter]:
    return [one for one in box.sent if one.to == ADDRESS]


def by(world: World, mailer: Any) -> None:
    world.house.worker.tools = replace(world.house.worker.tools, mailer=mailer)


def test_a_letter_is_sent_over_smtp_and_forgotten(
    world: World, loop: asyncio.AbstractEventLoop, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "octavo")
    with postbox(loop) as box:
        by(world, Smtp("127.0.0.1", box.port, "docs@octavo.test", "none"))
        job = post(world, letter(), world.organization)
        waiting = job_of(world, job)
        assert waiting.organization == world.organization
        assert set(waiting.payload) == {"sealed_letter"}
        assert not any(word in str(waiting) for word in WORDS)
        world.work()
        world.work()
        [message] = [message for message in box.messages if message["To"] == ADDRESS]
        text = message.get_body(("plain",))
        assert text is not None
        assert f"    {SECRET}" in text.get_content().splitlines()
        assert message["Subject"] == f"{SECRET} is your code to sign in"
        assert message["Message-ID"] == f"<{job}@octavo.test>"
    done = job_of(world, job)
    assert (done.state, done.payload, done.result) == ("done", {}, {"sent": True})
    assert not any(word in caplog.text for word in WORDS)


def test_a_letter_that_belongs_to_no_organization(world: World) -> None:
    box = FakeMail()
    by(world, box)
    job = post(world, letter())
    assert job_of(world, job).organization is None
    world.work()
    assert [one.to for one in sent(box)] == [ADDRESS]


def test_without_a_mail_server_nothing_is_sent_and_the_log_says_so(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    job = post(world, letter())
    world.work()
    done = job_of(world, job)
    assert (done.state, done.payload, done.result) == ("done", {}, {"sent": False})
    assert "OCTAVO_SMTP_HOST is not set" in caplog.text
    assert not any(word in caplog.text for word in WORDS)


def test_a_server_that_is_away_is_asked_again(world: World, clock: FakeClock, caplog: pytest.LogCaptureFixture) -> None:
    box = FakeMail(answers={ADDRESS: Unreachable("The mail server is away.")})
    by(world, box)
    job = post(world, letter())
    world.work()
    waiting = job_of(world, job)
    assert (waiting.state, waiting.error, waiting.attempts) == ("waiting", "The mail server is away.", 1)
    assert waiting.run_at == clock.now + PAUSES[0]
    world.work()
    assert job_of(world, job).attempts == 1
    del box.answers[ADDRESS]
    clock.advance(PAUSES[0])
    world.work()
    assert (job_of(world, job).state, len(sent(box))) == ("done", 1)
    assert not any(word in caplog.text for word in WORDS)


def test_tries_come_to_an_end(world: World, clock: FakeClock) -> None:
    box = FakeMail(answers={ADDRESS: Unreachable("The mail server is away.")})
    by(world, box)
    job = post(world, letter())
    for pause in (*PAUSES, PAUSES[-1], PAUSES[-1]):
        world.work()
        clock.advance(pause)
    ended = job_of(world, job)
    assert (ended.state, ended.error, ended.payload) == ("failed", "The mail server is away.", {})
    assert ended.attempts == len(PAUSES) + 2


def test_a_refusal_is_recorded_and_not_tried_again(world: World, caplog: pytest.LogCaptureFixture) -> None:
    by(world, FakeMail(answers={ADDRESS: Refused("The mail server does not take the recipient: 550")}))
    job = post(world, letter())
    world.work()
    ended = job_of(world, job)
    assert (ended.state, ended.attempts, ended.payload) == ("failed", 1, {})
    assert ended.error == "The mail server does not take the recipient: 550"
    assert SECRET not in caplog.text


def test_what_has_expired_is_not_sent(world: World, clock: FakeClock) -> None:
    box = FakeMail()
    by(world, box)
    job = post(world, letter(until=clock.now + 1000))
    clock.advance(1001)
    world.work()
    assert (job_of(world, job).state, sent(box)) == ("failed", [])


def test_a_secret_that_was_changed(world: World) -> None:
    by(world, FakeMail())

    async def forge(unit: Any) -> str:
        made = await unit.jobs.add("mail", {"sealed_letter": "x"}, now=unit.now, organization=None)
        return str(made.id)

    job = world.run(world.house.store.write(forge))
    world.work()
    ended = job_of(world, job)
    assert ended.state == "failed"
    assert "OCTAVO_SECRET" in (ended.error or "")
