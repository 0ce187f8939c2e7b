"""How long requests wait while the same installation imports a repository."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence

from bench.client import Line, Refused, request
from bench.figures import percentile, within
from bench.rounds import Bench, expect
from octavo.main import engine_of
from octavo.store.unit import Store, Unit


def beside(bench: Bench) -> None:
    """How long GET space takes while the same installation imports the generated repository."""
    world = bench.world
    server, worker = world.server(), world.worker()
    try:
        line = server.line()
        requests = [request(f"/v1/spaces/{space}", world.authorized(world.admin)) for space in world.spaces]
        for one in requests:
            expect(line.ask(one).status, 200)
        calm = _alone(line, requests, bench.scale.pace)
        times = asyncio.run(_while_importing(bench, line, requests))
    finally:
        server.end()
        if worker is not None:
            worker.end()
    for name, values in (("alone", calm), ("beside an import", times)):
        most = None if values is calm else 50
        tail = f"GET space {name}: p99 of {len(values)}"
        bench.add(within("Latency", world.engine, f"GET space {name}: median", values, "ms"))
        bench.add(within("Latency", world.engine, tail, [percentile(values, 0.99)], "ms", most))
        bench.add(within("Latency", world.engine, f"GET space {name}: longest", [max(values)], "ms"))


def _paced(line: Line, requests: Sequence[bytes], pace: float, over: threading.Event) -> list[float]:
    """Milliseconds of requests that are due every `pace` seconds; one that waited for another counts from when due."""
    times: list[float] = []
    due = time.perf_counter()
    while not over.is_set():
        wait = due - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
        expect(line.ask(requests[len(times) % len(requests)]).status, 200)
        times.append((time.perf_counter() - due) * 1000)
        due += pace
    return times


def _alone(line: Line, requests: Sequence[bytes], pace: float) -> list[float]:
    """The same for two seconds with nothing beside it."""
    over = threading.Event()
    timer = threading.Timer(2, over.set)
    timer.start()
    return _paced(line, requests, pace, over)


async def _while_importing(bench: Bench, line: Line, requests: Sequence[bytes]) -> list[float]:
    """Enqueue the import in the installation's own table of jobs, then ask until it is done."""
    engine = engine_of(bench.world.settings)
    await engine.open()
    try:
        store = Store(engine, lambda: int(time.time() * 1000))
        space, organization = bench.world.spaces[-1], bench.world.organization
        payload = {"space": space, "ref": "HEAD", "directory": "", "local": str(bench.source)}

        async def enqueue(unit: Unit) -> str:
            return (await unit.jobs.add("git_import", payload, now=unit.now, organization=organization)).id

        job = await store.write(enqueue)
        over = threading.Event()
        asking = asyncio.create_task(asyncio.to_thread(_paced, line, requests, bench.scale.pace, over))
        found = await store.read(lambda unit: unit.jobs.get(job))
        while found is not None and found.state in ("waiting", "running") and not asking.done():
            await asyncio.sleep(0.2)
            found = await store.read(lambda unit: unit.jobs.get(job))
        over.set()
        times = await asking
        if found is None or found.state != "done":
            raise Refused(f"the import ended as {found}")
        return times
    finally:
        await engine.close()
