"""Lists for operators: sites and jobs of the whole installation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from octavo.kernel.clock import iso
from octavo.kernel.errors import absent
from octavo.kernel.settings import Settings
from octavo.main import open_house
from octavo.site.addresses import site_address
from octavo.store.unit import Unit

STATES = ("waiting", "running", "failed", "done")


async def sites(settings: Settings, organization: str | None) -> dict[str, Any]:
    """{sites: [{id, organization, title, published, visibility, hostname, url, createdAt}]}, by organization."""
    base = (settings.base_url or "").rstrip("/")

    async def work(unit: Unit) -> list[dict[str, Any]]:
        if organization is not None and await unit.people.organization_or_deleted(organization) is None:
            raise absent("organization", organization)
        return [
            {
                "id": one.id,
                "organization": one.organization,
                "title": one.title,
                "published": one.published,
                "visibility": one.visibility,
                "hostname": one.hostname,
                "url": site_address(base, one) if one.published else None,
                "createdAt": iso(one.created_at),
            }
            for one in await unit.sites.everywhere()
            if organization in (None, one.organization)
        ]

    async with open_house(settings, base=base) as house:
        return {"sites": await house.store.read(work)}


async def jobs(settings: Settings, states: Sequence[str], kind: str, limit: int) -> dict[str, Any]:
    """{jobs: [{id, kind, organization, state, attempts, createdAt, dueAt, finishedAt, error}], counts: {kind: {state: n}}}.

    The newest first; `counts` is of everything that is not done.
    """

    async def work(unit: Unit) -> dict[str, Any]:
        counts: dict[str, dict[str, int]] = {}
        for name, state, number, _ in await unit.jobs.counts():
            counts.setdefault(name, {})[state] = number
        found = await unit.jobs.newest(states, kind, limit)
        return {
            "jobs": [
                {
                    "id": one.id,
                    "kind": one.kind,
                    "organization": one.organization,
                    "state": one.state,
                    "attempts": one.attempts,
                    "createdAt": iso(one.created_at),
                    "dueAt": iso(one.run_at),
                    "finishedAt": None if one.finished_at is None else iso(one.finished_at),
                    "error": one.error,
                }
                for one in found
            ],
            "counts": counts,
        }

    async with open_house(settings, base="") as house:
        return await house.store.read(work)
