"""Imports from the command line: what is refused before anything is dropped, and what is told on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing import Order, import_all, import_into, import_now
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


SITE = """version: 1
site:
  title: Terns and gulls
  structure:
    - {type: section, key: guide, title: Guide, children: [
        {type: space, path: en, default: true, content: {directory: ./guide/en, language: en}},
        {type: space, title: Deutsch, content: {directory: guide/de, language: de}}]}
    - {type: external-link, title: Source, url: "https://example.org"}
"""


def test_a_site_comes_out_of_its_description(world: World, tmp_path: Path) -> None:
    for name in ("en", "de"):
        (tmp_path / "guide" / name).mkdir(parents=True)
        (tmp_path / "guide" / name / "README.md").write_text(f"# Home {name}\n", "utf-8")
    (tmp_path / "docs.yaml").write_text(SITE, "utf-8")
    order = Order(str(tmp_path), world.organization, publish=True)
    made = world.run(import_all(world.house, order, quiet=True))
    assert (made["spaces"], made["pages"]) == (2, 2)
    base = f"/v1/orgs/{world.organization}/sites/{made['site']}"
    site = world.api.get(base).json
    assert (site["title"], site["published"]) == ("Terns and gulls", True)
    section, link = world.api.get(f"{base}/structure").json["structure"]
    assert (section["title"], link["title"]) == ("Guide", "Source")
    shown = [(one["path"], one["space"].get("language"), one["default"]) for one in section["siteSpaces"]]
    assert shown == [("en", "en", True), ("deutsch", "de", False)]
    (tmp_path / "docs.yaml").write_text(SITE.replace("guide/de", "guide/fr"), "utf-8")
    with pytest.raises(BadRequest, match="guide/fr"):
        world.run(import_all(world.house, order, quiet=True))
