"""A space of two pages, its translation into German, and whoever translates."""

from __future__ import annotations

import dataclasses
from typing import Any

from octavo.gateways.fakes import FakeTranslator
from tests.client import World
from tests.conftest import FakeClock

ONE = """---
description: How to begin.
icon: rocket
---

# Begin here

Open the **door** of `tern` and [go in](/pages/two).

```bash
tern --help
```

## What you need

* A key
* A [lamp](https://example.org/lamp)
"""
TWO = "# Two\n\nThe second page.\n"


class Studio:
    """A space of two pages, its translation into German, and whoever translates."""

    def __init__(self, world: World, clock: FakeClock) -> None:
        self.world, self.clock = world, clock
        self.translator = FakeTranslator()
        tools = world.house.worker.tools
        world.house.worker.tools = dataclasses.replace(tools, translator=self.translator)
        made = world.api.post(f"/v1/orgs/{world.organization}/spaces", {"title": "Guide", "empty": True})
        self.space = made.json["id"]
        first = {"operation": "insert_page", "document": {"markdown": ONE}}
        second = {"operation": "insert_page", "document": {"markdown": TWO}}
        self.write(second, {**first, "at": 0})
        self.settings = world.api.post(
            f"/v1/orgs/{world.organization}/translations",
            {"title": "Guide", "languages": ["de"], "source": {"space": self.space, "language": "en"}},
        ).json
        self.path = f"/v1/orgs/{world.organization}/translations/{self.settings['id']}"

    def write(self, *changes: Any, space: str | None = None) -> None:
        api, space = self.world.api, space or self.space
        request = api.post(f"/v1/spaces/{space}/change-requests", {}).json["id"]
        path = f"/v1/spaces/{space}/change-requests/{request}"
        reply = api.post(f"{path}/content", {"changes": list(changes)})
        assert reply.status == 200, reply.text
        assert api.post(f"{path}/merge").status == 200

    def edit(self, page: str, old: str, new: str, space: str | None = None) -> None:
        text = self.page(page, space or self.space)["markdown"]
        assert old in text
        body = {"operation": "update_page", "page": page, "document": {"markdown": text.replace(old, new)}}
        self.write(body, space=space)

    def run(self) -> Any:
        """The run of a translation that is over."""
        self.clock.advance(1)
        assert self.world.api.post(f"{self.path}/run").status == 204
        self.world.work()
        return self.newest()

    def newest(self) -> Any:
        return self.world.api.get(f"{self.path}/runs").json["items"][0]

    @property
    def result(self) -> Any:
        return self.world.api.get(self.path).json["result"]

    def pages(self, space: str) -> dict[str, Any]:
        return {one["path"]: one for one in self.world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"]}

    def page(self, page: str, space: str, format: str = "markdown") -> Any:
        return self.world.api.get(f"/v1/spaces/{space}/content/page/{page}?format={format}").json
