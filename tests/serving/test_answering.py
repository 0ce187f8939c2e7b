"""What a worker answers to those that watch over it."""

from __future__ import annotations

import asyncio

import pytest

from octavo.jobs.worker import LEASE
from octavo.serving.answering import answering
from octavo.serving.listening import listen
from tests.client import World
from tests.conftest import FakeClock
from tests.processes import invoked


async def _asked(port: int, path: str, method: str = "GET") -> tuple[int, str]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"{method} {path} HTTP/1.1\r\nhost: worker\r\nconnection: close\r\n\r\n".encode())
    said = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()
    return int(said.split()[1]), said


def test_a_worker_tells_how_it_is(world: World, clock: FakeClock) -> None:
    world.space()
    world.work()

    async def watched() -> list[tuple[int, str]]:
        listener = listen("127.0.0.1", 0)
        port = listener.getsockname()[1]
        async with answering(world.house, listener):
            world.house.worker.beaten_at = clock.now
            told = [await _asked(port, path) for path in ("/metrics", "/healthz", "/v1/user")]
            told.append(await _asked(port, "/metrics", "POST"))
            clock.advance(LEASE + 1)
            told.append(await _asked(port, "/healthz"))
        with pytest.raises(OSError):
            await _asked(port, "/healthz")
        return told

    metrics, well, elsewhere, posted, stuck = world.run(watched())
    assert metrics[0] == 200
    assert 'octavo_jobs_ended_total{kind="reindex",outcome="done"}' in metrics[1]
    assert "octavo_event_loop_held_seconds_count" in metrics[1]
    assert (well[0], elsewhere[0], posted[0], stuck[0]) == (200, 404, 405, 503)


@pytest.mark.parametrize("wrong", ["", "x", "localhost:", "70000", "1:2:x"])
def test_where_that_is_has_to_be_a_port(wrong: str) -> None:
    done = invoked("worker", f"--metrics={wrong}", OCTAVO_DATABASE_URL="postgresql://127.0.0.1/none")
    assert done.exit_code == 1
    assert "--metrics takes a port" in done.output
