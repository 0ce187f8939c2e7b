"""Descriptions of APIs that a preview is given as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.kernel.errors import BadRequest
from octavo.serving.preview import apis
from tests.client import World
from tests.resources.openapi.petstore import PETS


@pytest.mark.parametrize("given", ["pets", "=pets.yaml", "Pets!=pets.yaml", "pets=none.yaml"])
def test_what_is_no_slug_and_file_is_refused_by_name(given: str, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="--openapi "):
        apis.named([given.replace("none.yaml", str(tmp_path / "none.yaml")) if "none" in given else given])


def test_a_file_becomes_a_specification_and_its_next_text_a_version(world: World, tmp_path: Path) -> None:
    file = tmp_path / "pets.yaml"
    file.write_text(PETS)
    files = apis.named([f"pets={file}"])

    def versions() -> int:
        world.run(apis.bring(world.house, world.organization, files))
        world.work()
        count: int = world.api.get(f"/v1/orgs/{world.organization}/openapi/pets/versions").json["count"]
        return count

    assert (versions(), versions()) == (1, 1)
    file.write_text(PETS.replace("Pets", "Animals"))
    assert versions() == 2
