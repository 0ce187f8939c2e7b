"""How long the event loop was held: by a clock of our own, and by work that really holds it."""

from __future__ import annotations

import asyncio
import logging
import re
import time

import pytest

from octavo.web.pulse import PERIOD, Pulse
from tests.client import World


def of(text: str, name: str) -> float:
    found = re.search(rf"^octavo_event_loop_held_seconds{re.escape(name)} (\S+)$", text, re.MULTILINE)
    assert found is not None, text
    return float(found[1])


def test_each_beat_is_counted_in_its_bucket() -> None:
    at = [0.0]
    pulse = Pulse(now=lambda: at[0], cpu=lambda: 0.0)
    for late in (0.0, 0.01, 0.06, 0.06, 9.0):
        pulse.note(late, 0.0)
    text = pulse.text()
    buckets = [of(text, f'_bucket{{le="{bound}"}}') for bound in ("0.01", "0.025", "0.05", "0.1", "2.5", "+Inf")]
    assert buckets == [2, 2, 2, 4, 4, 5]
    assert of(text, "_count") == 5
    assert of(text, "_sum") == pytest.approx(9.13)


def test_the_longest_is_forgotten_after_two_minutes() -> None:
    at = [0.0]
    pulse = Pulse(now=lambda: at[0], cpu=lambda: 0.0)
    seen = []
    for now, late in ((1, 0.5), (30, 0.1), (70, 0.0), (110, 0.2), (135, 0.0), (200, 0.0), (400, 0.0)):
        at[0] = float(now)
        pulse.note(late, 0.0)
        seen.append(of(pulse.text(), "_longest"))
    assert seen == [0.5, 0.5, 0.5, 0.5, 0.2, 0.0, 0.0]


def test_work_that_holds_the_loop_is_told(caplog: pytest.LogCaptureFixture) -> None:
    async def held() -> str:
        pulse = Pulse()
        pulse.start()
        await asyncio.sleep(PERIOD / 2)
        until = time.thread_time() + 0.3
        while time.thread_time() < until:
            pass
        await asyncio.sleep(PERIOD)
        pulse.stop()
        return pulse.text()

    with caplog.at_level(logging.WARNING, "octavo.loop"):
        text = asyncio.run(held())
    assert of(text, "_longest") >= 0.25
    assert of(text, '_bucket{le="0.25"}') < of(text, "_count")
    (line,) = [record for record in caplog.records if record.name == "octavo.loop"]
    assert vars(line)["cpu_ms"] >= 290


def test_metrics_need_no_token(world: World) -> None:
    reply = world.api.get("/metrics", token="")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert reply.headers["cache-control"] == "no-store"
    assert "octavo_event_loop_held_seconds_count" in reply.body.decode()
    assert world.api.post("/metrics", token="").status == 405
