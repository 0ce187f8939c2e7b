"""What operators bring back from the command line: deleted accounts and organizations."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from octavo import administration
from octavo.kernel.errors import Conflict, NotFound
from octavo.kernel.settings import load
from octavo.main import open_house


def test_accounts_and_organizations_come_back(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    settings = load({}, data=tmp_path)

    async def delete(user: str, organization: str) -> None:
        async def work(unit: Any) -> None:
            await unit.people.change_user(await unit.people.user(user), deleted_at=unit.now)
            await unit.people.change_organization(await unit.people.organization(organization), deleted_at=unit.now)

        async with open_house(settings, base="") as house:
            await house.store.write(work)

    async def work() -> None:
        made = await administration.bootstrap(settings, "ada@example.test", "Ada", "Birds")
        user, organization = made["user"], made["organization"]
        await delete(user, organization)
        with pytest.raises(Conflict, match="restore"):
            await administration.bootstrap(settings, "ada@example.test", "Ada", "Birds")
        for restored in (True, False):
            found = await administration.restore_user(settings, "ADA@example.test")
            assert found == {"user": user, "restored": restored}
            found = await administration.restore_organization(settings, organization)
            assert found == {"organization": organization, "restored": restored}
        assert (await administration.bootstrap(settings, "ada@example.test", "Ada", "Birds"))["user"] == user
        with pytest.raises(NotFound):
            await administration.restore_user(settings, "nobody@example.test")
        with pytest.raises(NotFound):
            await administration.restore_organization(settings, "nothing")

    loop.run_until_complete(work())
