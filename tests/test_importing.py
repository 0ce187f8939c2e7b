"""Imports from the command line: what is refused before anything is dropped, and what is told on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing import Order, import_into, import_now
from octavo.kernel.errors import BadRequest
from tests.client import World


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "README.md").write_text("# Terns\n")
    return folder


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"space": "x", "title": "Terns"}, "--title is the title of a new space"),
        ({"ref": "v1"}, "--ref is a branch or tag"),
        ({"directory": "docs", "refuse_empty": True}, "there is no page in"),
    ],
)
def test_what_would_be_ignored_is_refused(world: World, handbook: Path, order: dict[str, object], said: str) -> None:
    with pytest.raises(BadRequest, match=said):
        world.run(import_now(world.house.settings, Order(str(handbook), world.organization, **order)))  # type: ignore[arg-type]


def test_an_empty_directory_leaves_the_pages(world: World, handbook: Path, tmp_path: Path) -> None:
    """Also where it is found out by reading only, as of a repository."""
    space = world.imported(handbook)
    empty = tmp_path / "empty"
    empty.mkdir()
    pages = f"/v1/spaces/{space}/content/pages"
    order = Order(str(empty), world.organization, space, refuse_empty=True)
    with pytest.raises(BadRequest, match="no page in it"):
        world.run(import_into(world.house, order, quiet=True))
    assert len(world.api.get(pages).json["pages"]) == 1
    world.run(import_into(world.house, Order(str(empty), world.organization, space), quiet=True))
    assert world.api.get(pages).json["pages"] == []


def test_progress_without_a_terminal_is_lines(world: World, handbook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world.run(import_into(world.house, Order(str(handbook), world.organization, title="Terns")))
    lines = capsys.readouterr().err.splitlines()
    assert lines
    assert all(line.split(":")[0].istitle() for line in lines)
