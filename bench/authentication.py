"""Measure what it costs to know who calls and what they may: CPU of authentication and policy, without anything else.

    python -m bench.authentication [--rounds 31] [--calls 20000]

The token is remembered, as it is for all but the first request of a second. One call is what the pipeline does ahead of
a row: the token out of the headers, its hash, the memory of callers, the scope, the allowance, and the policy table
for the role on a space. A round is that many calls; the figure is the CPU time of this process by their number.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from bench.figures import spread
from octavo.access.policy import allows
from octavo.access.signing import Signer
from octavo.administration import first_admin
from octavo.api.auth import Callers
from octavo.api.pipeline import _bearer
from octavo.kernel.clock import system_clock
from octavo.store.database.migrate import migrate
from octavo.store.database.sqlite import SqliteEngine
from octavo.store.unit import Store
from octavo.web.pace import Pacer

BUDGET = 10.0
"""Microseconds."""


def main() -> int:
    given = argparse.ArgumentParser(prog="python -m bench.authentication", description="Measure authentication.")
    given.add_argument("--rounds", type=int, default=31)
    given.add_argument("--calls", type=int, default=20_000)
    asked = given.parse_args()
    with tempfile.TemporaryDirectory(prefix="octavo-bench-") as folder:
        rounds = asyncio.run(_measure(Path(folder), asked.rounds, asked.calls))
    found = spread(rounds)
    met = found.median <= BUDGET
    verdict = f"budget ≤ {BUDGET:g} us: {'met' if met else 'missed'}"
    sys.stdout.write(f"authentication and policy, token remembered: {found.text(2)} us   {verdict}\n")
    return 0 if met else 1


async def _measure(folder: Path, rounds: int, calls: int) -> list[float]:
    """Microseconds of CPU time a call, one figure a round."""
    engine = SqliteEngine(folder / "octavo.db")
    await engine.open()
    try:
        await migrate(engine)
        store = Store(engine, system_clock)
        made = await first_admin(store, "ada@example.org", "Ada", "Bench")
        headers = {b"host": b"localhost", b"authorization": f"Bearer {made['token']}".encode()}
        callers, pacer = Callers(store, system_clock, Signer("a secret of the bench")), Pacer(system_clock)
        await _calls(callers, pacer, headers, made["organization"], 1000)
        seconds = []
        for _ in range(rounds):
            before = time.process_time()
            await _calls(callers, pacer, headers, made["organization"], calls)
            seconds.append((time.process_time() - before) / calls * 1e6)
        return seconds
    finally:
        await engine.close()


async def _calls(callers: Callers, pacer: Pacer, headers: dict[bytes, bytes], organization: str, calls: int) -> None:
    for _ in range(calls):
        secret = _bearer(headers)
        assert secret is not None
        caller = callers.known(secret) or await callers.find(secret)
        assert caller is not None
        pacer.spend(caller.token.id, 1_000_000)
        assert caller.has_scope("space:write")
        assert allows("space", "merge", caller.role_in(organization))


if __name__ == "__main__":
    sys.exit(main())
