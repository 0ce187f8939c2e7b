"""Copies that stand beside their original: what was switched off in them, in words, and how they become of age."""

from __future__ import annotations

from typing import Any

from octavo.kernel.settings import Settings
from octavo.main import open_house

_SAID = {
    "webhooks": "webhooks are switched off",
    "deliveries": "deliveries of webhooks that waited have failed",
    "integrations": "integrations are paused",
    "tunnels": "tunnels of integrations are closed",
    "gitSpaces": "Git connections of spaces are paused",
    "gitSites": "Git connections of sites are paused",
    "translations": "translations do not run by themselves any more",
    "specifications": "API specifications are not fetched again by themselves",
    "notifications": "notifications are not mailed any more",
    "letters": "letters that waited are dropped",
    "jobs": "other jobs that waited for somebody outside are dropped",
}


def sentences(off: dict[str, int]) -> list[str]:
    """What was switched off, for people: that of which there was something, and what goes by schedule."""
    return [
        *(f"{off[name]} {said}." for name, said in _SAID.items() if off[name]),
        "Backups, collections and looks for proofs of names wait until `octavo promote`.",
    ]


async def promote(settings: Settings) -> dict[str, Any]:
    """{copied}: since when it was a copy, None where it was none."""
    async with open_house(settings, base="") as house:
        return {"copied": await house.store.write(lambda unit: unit.installation.promote())}
