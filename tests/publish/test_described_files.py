"""Blocks that describe an API from a file of the space: read within limits, and anew when the file is."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.kernel import limits
from tests.client import World
from tests.publish.test_api_reference import page
from tests.resources.openapi.petstore import PETS

PAGE = """\
# Pets

{% openapi-operation src=".gitbook/assets/pets.yaml" path="/pets" method="post" %}
{% endopenapi-operation %}

{% openapi src=".gitbook/assets/pets.yaml" path="/pets/{pet}" method="get" %}
[pets.yaml](.gitbook/assets/pets.yaml)
{% endopenapi %}

{% openapi-webhook src=".gitbook/assets/pets.yaml" name="petSold" method="post" %}
{% endopenapi-webhook %}

{% openapi-schemas src=".gitbook/assets/pets.yaml" schemas="Person" %}
{% endopenapi-schemas %}

{% openapi-operation src=".gitbook/assets/pets.yaml" path="/none" method="get" %}
{% endopenapi-operation %}
"""
BOMB = "openapi: 3.1.0\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{one}: &a{one} [{', '.join([f'*a{one - 1}'] * 10)}]\n" for one in range(1, 12)
)


def _shown(world: World, folder: Path, text: str) -> str:
    (folder / ".gitbook/assets").mkdir(parents=True)
    (folder / "README.md").write_text(PAGE)
    (folder / "SUMMARY.md").write_text("# Table of contents\n\n* [Pets](README.md)\n")
    (folder / ".gitbook/assets/pets.yaml").write_text(text)
    return page(world, world.site(world.imported(folder)), "")


def test_a_file_of_the_space_describes_an_api(world: World, tmp_path: Path) -> None:
    html = _shown(world, tmp_path / "pets", PETS)
    assert html.count('<section class="api') == 4
    for words in ("Add a pet", "Path parameters", "A pet was sold", "The Person object", "https://eu.pets.example/v1"):
        assert words in html
    assert "The API description of the file has no operation GET /none." in html
    changed = _shown(world, tmp_path / "changed", PETS.replace("Add a pet", "Take a pet in"))
    assert "Take a pet in" in changed
    assert "Add a pet" not in changed


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("- a\n- b\n", "pets.yaml describes no API. The YAML holds no object but a list"),
        (BOMB, "pets.yaml describes no API. The text is not valid YAML"),
        (PETS + "#" * limits.OPENAPI_FILE_BYTES, "pets.yaml has more than 256 KiB: bring it in as a specification"),
    ],
    ids=["no description", "alias bomb", "too large"],
)
def test_what_cannot_be_shown_says_why(world: World, tmp_path: Path, text: str, sentence: str) -> None:
    html = _shown(world, tmp_path / "pets", text)
    assert sentence in html
    assert "data-method" in html  # what the block is about is there all the same


def test_its_markdown_says_the_same_and_the_source_stays(world: World, tmp_path: Path) -> None:
    folder = tmp_path / "pets"
    _shown(world, folder, PETS)
    site = world.api.get(f"/v1/orgs/{world.organization}/sites").json["items"][0]
    told = page(world, site, "llms-full.txt")
    assert "`POST https://eu.pets.example/v1/pets`" in told
    assert "## The Person object" in told or "## Person" in told
    space = world.api.get(f"/v1/orgs/{world.organization}/spaces").json["items"][0]["id"]
    found = world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"][0]["id"]
    at = f"/v1/spaces/{space}/content/page/{found}"
    nodes = world.api.get(f"{at}?format=document").json["document"]["nodes"]
    assert {one["data"]["ref"]["kind"] for one in nodes if "ref" in one.get("data", {})} == {"file"}
    printed = world.api.get(f"{at}?format=markdown&dereferenced=reusable-contents").json["markdown"]
    assert '{% openapi-operation src="/files/' in printed
