"""What may be tried, or asked for, so often in so many minutes: counted in the database, for all processes together."""

from __future__ import annotations

import hashlib

import msgspec

from octavo.kernel.clock import MINUTE
from octavo.store.unit import Unit


class Allowance(msgspec.Struct, frozen=True):
    """How often something that is called so may be done, counted from the first time."""

    words: str
    most: int
    minutes: int


async def spend(unit: Unit, allowances: list[Allowance], by: int = 1) -> bool:
    """Count it for each of them; False where one is used up. What is over is counted too, if the unit is written."""
    found = [
        await unit.proofs.count(key(one.words), unit.now, one.minutes * MINUTE, by) <= one.most for one in allowances
    ]
    return all(found)


async def forget(unit: Unit, words: str) -> None:
    """Count anew from now on."""
    await unit.proofs.forget(key(words))


def key(words: str) -> str:
    """What is counted by: what was typed may be anything, a password too, and is not kept."""
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
