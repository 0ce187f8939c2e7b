"""Events that are old or of sites that are gone leave, and so does what visitors were hashed with."""

from __future__ import annotations

from octavo.jobs.tidy import tidy
from octavo.kernel.clock import DAY
from octavo.kernel.records.insights import Event
from octavo.store.insights.asking import Ready, Sites
from tests.client import World
from tests.conftest import FakeClock


def test_retention(world: World, clock: FakeClock) -> None:
    store, settings = world.house.store, world.house.settings
    assert store.insights is not None
    site = world.site(world.space("Guide")["id"])["id"]

    def event(moment: int, site: str) -> Event:
        return Event(organization=world.organization, site=site, moment=moment, type="page_view", visitor=1, session=1)

    old = clock.now - (settings.insights_days + 1) * DAY
    world.run(store.insights.append([event(old, site), event(clock.now, site), event(clock.now, "gone")]))

    async def made(unit: object) -> None:
        for name in ("insights-salt", "insights-salt-1", "insights-day-1", f"insights-day-{clock.now // DAY}"):
            await unit.installation.secret(name)  # type: ignore[attr-defined]

    world.run(store.write(made))
    world.run(tidy(store, settings))
    assert world.run(store.insights.ask(Sites())) == [site]
    assert world.run(store.insights.ask(Ready())) == 1

    async def kept(unit: object) -> list[str | None]:
        names = ("insights-salt", "insights-salt-1", "insights-day-1", f"insights-day-{clock.now // DAY}")
        return [await unit.installation.get(name) for name in names]  # type: ignore[attr-defined]

    assert [one is not None for one in world.run(store.read(kept))] == [True, False, False, True]
