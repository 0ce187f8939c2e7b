"""Signed addresses of files: they end with what they were part of, however long the signature lasts."""

from __future__ import annotations

from pathlib import Path

from octavo.kernel.clock import DAY
from tests.client import World
from tests.conftest import FakeClock


def _imported(world: World, folder: Path) -> tuple[str, str]:
    """A space with a file, and the path at which that is fetched."""
    source = folder / "source"
    (source / "files").mkdir(parents=True)
    (source / "README.md").write_text("# Hello\n\n![](files/a.png)\n")
    (source / "files" / "a.png").write_bytes(b"a picture")
    space = world.imported(source)
    file = world.api.get(f"/v1/spaces/{space}/content/files").json["items"][0]["downloadURL"]
    return space, file.removeprefix("http://octavo.test")


def test_an_address_ends_with_its_space_and_comes_back_with_it(world: World, clock: FakeClock, tmp_path: Path) -> None:
    space, file = _imported(world, tmp_path)
    assert world.api.get(file, token="").status == 200
    assert world.api.delete(f"/v1/spaces/{space}").status in (204, 205)
    gone = world.api.get(file, token="")
    assert (gone.status, b"a picture" in gone.body) == (404, False)
    assert world.api.get(file, token="", headers={"if-none-match": "*"}).status == 404
    assert world.api.post(f"/v1/spaces/{space}/restore").status < 300
    assert world.api.get(file, token="").status == 200
    clock.advance(30 * DAY)
    assert world.api.get(file, token="").status == 200


def test_an_address_ends_with_its_organization(world: World, tmp_path: Path) -> None:
    _, file = _imported(world, tmp_path)
    assert world.api.delete(f"/v1/orgs/{world.organization}").status == 205
    assert world.api.get(file, token="").status == 404


def test_a_pdf_is_not_fetched_any_more_either(world: World, tmp_path: Path) -> None:
    space, _ = _imported(world, tmp_path)
    reply = world.awaited("GET", f"/v1/spaces/{space}/pdf")
    assert reply.status == 200, reply.text
    path = reply.json["url"].removeprefix("http://octavo.test")
    assert world.api.get(path, token="").status == 200
    world.api.delete(f"/v1/spaces/{space}")
    assert world.api.get(path, token="").status == 404
