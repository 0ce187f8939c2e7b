"""What scim2-tester finds: it reads what the service says of itself, and holds it to that."""

from __future__ import annotations

import uuid
from collections import Counter
from typing import Any

import httpx2
import pytest
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server, filling
from scim2_tester.checkers import patch_add, patch_replace

from tests.client import World
from tests.scim.speaking import DOMAIN, Wire, token_of


def test_scim2_tester_finds_no_fault(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    made = filling.generate_random_value

    def within(context: Any, path: Any, *args: Any, **options: Any) -> Any:
        """It cannot know which domain the organization has proven."""
        value = made(context, path, *args, **options)
        name = str(path).rpartition(":")[2]
        if name in ("userName", "emails.value") and value is not None:
            return f"{uuid.uuid4()}@{DOMAIN}"
        if name == "emails" and value is not None:
            for one in value:
                one.value = f"{uuid.uuid4()}@{DOMAIN}"
        return value

    for place in (filling, patch_add, patch_replace):
        monkeypatch.setattr(place, "generate_random_value", within)
    headers = {"authorization": f"Bearer {token_of(world)}"}
    with httpx2.Client(transport=Wire(world), base_url="http://octavo.test/scim/v2", headers=headers) as client:
        results = check_server(SyncSCIMClient(client))
    found = Counter(one.status for one in results)
    wrong = [one for one in results if one.status in (Status.ERROR, Status.CRITICAL, Status.DEVIATION)]
    print(found, [one for one in results if one.status == Status.SKIPPED])
    assert not wrong, "\n".join(map(repr, wrong))
    assert sum(found.values()) > 50
    # Nothing with subattributes can be taken away whole from a resource that has the least.
