"""The command line `@gitbook/cli` publishes a specification."""

from __future__ import annotations

import json
import time
from typing import Any

from tests.resources.openapi.petstore import PETS
from tests.resources.terminal import Terminal


def test_it_publishes_a_file(terminal: Terminal) -> None:
    (terminal.folder / "pets.yaml").write_text(PETS)
    said = terminal.run("openapi", "publish", "pets.yaml", "--spec", "pets", "--organization", terminal.organization)
    assert f"/o/{terminal.organization}/openapi/pets" in said

    def asked(path: str = "") -> Any:
        status, body = terminal.asked(f"/orgs/{terminal.organization}/openapi/pets{path}")
        assert status == 200, body
        return json.loads(body)

    deadline = time.monotonic() + 30
    while (spec := asked())["processingState"] != "complete" and time.monotonic() < deadline:
        pass
    assert (spec["processingState"], "lastVersion" in spec, spec["lastProcessedErrorCount"]) == ("complete", True, 0)
    assert asked("/versions/latest/content/raw") == {"text": PETS, "format": "yaml"}
