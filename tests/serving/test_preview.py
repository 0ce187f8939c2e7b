"""The preview of a folder, as a process: what it shows, follows, finds broken and refuses."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.processes import octavo
from tests.serving.previewing import Preview, previewing

GUIDE = """# Guide

[Home](README.md), [gone](gone.md), [begone](begone.md)

`[not](shown.md)` is code.

## Wings & beak

[here](#wings-beak), [nowhere](#nowhere), [there](README.md#start), [not there](README.md#end)
"""


def files_of(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Everything in a folder, with when it was written."""
    return {
        str(path.relative_to(folder)): (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("preview") / "terns"
    folder.mkdir()
    (folder / "README.md").write_text("# Terns\n\nThey dive.\n\n## Start\n")
    (folder / "guide.md").write_text(GUIDE)
    return folder


@pytest.fixture(scope="module")
def preview(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preview]:
    """One for all tests, each of which leaves it as it was; its temporary files are told from others'."""
    temporary = tmp_path_factory.mktemp("temporary")
    with previewing(folder, TMPDIR=str(temporary)) as running:
        yield running
    assert [*temporary.iterdir()] == []


def until(news: Iterator[dict[str, Any]], **wanted: Any) -> dict[str, Any]:
    return next(one for one in news if wanted.items() <= one.items())


def test_broken_links_have_file_and_line(preview: Preview) -> None:
    page = re.sub(r"<[^>]+>|\s+", " ", preview.links())
    found = re.findall(r"line (\d+) \s*Broken: \s*links to (\S+),", page)
    assert found == [("3", "begone.md"), ("3", "gone.md"), ("9", "#end"), ("9", "#nowhere")]
    assert "4 broken links" in page
    assert "guide.md" in page
    assert "which the page “Terns” does not have" in page
    assert any(line.startswith("warning: guide.md:3: links to gone.md, which does not exist") for line in preview.told)


def test_a_change_is_shown_and_pages_beside_it_stay(preview: Preview, folder: Path) -> None:
    before = files_of(folder)
    _, home = preview.page()
    _, guide = preview.page("guide")
    with preview.news() as news:
        known = next(news)["version"]
        (folder / "README.md").write_text("# Terns\n\nThey hover.\n\n## Start\n")
        until(news, version=known + 1)
        text, other = preview.page()
        assert "They hover." in text
        assert other != home
        assert preview.page("guide", "HEAD")[1] == guide, "what did not change is not read anew"
        (folder / "README.md").write_bytes(before["README.md"][0])
        until(news, version=known + 2)
    after = files_of(folder)
    assert after.keys() == before.keys(), "nothing is written into the folder"
    assert after["guide.md"] == before["guide.md"]


def test_a_mended_link_is_no_longer_listed(preview: Preview, folder: Path) -> None:
    with preview.news() as news:
        assert next(news)["links"] == 4
        (folder / "guide.md").write_text(
            GUIDE.replace("[gone](gone.md)", "gone").replace("(#nowhere)", "(#wings-beak)")
        )
        until(news, links=2)
        (folder / "guide.md").write_text(GUIDE)
        until(news, links=4)


def test_what_cannot_be_read_is_told_and_the_site_stays(preview: Preview, folder: Path) -> None:
    with preview.news() as news:
        next(news)
        (folder / "docs.yaml").write_text("site: [")
        told = next(one for one in news if one["error"])
        assert "docs.yaml is not valid YAML" in told["error"]
        assert "docs.yaml is not valid YAML" in preview.links()
        assert "They dive." in preview.page()[0]
        (folder / "docs.yaml").unlink()
        until(news, error=None)
    assert any("Not read: " in line and "docs.yaml" in line for line in preview.told)


def test_other_answers_are_as_they_are_served(preview: Preview) -> None:
    text, tag = preview.page("guide.md")
    assert text.startswith("# Guide")
    assert tag is None


STRUCTURE = """
site:
  title: Birds
  structure:
    - type: section
      title: Terns
      children:
        - {type: space, title: English, path: en, content: {directory: en, language: en}}
        - {type: space, title: Deutsch, path: de, content: {directory: de, language: de}}
    - type: section-group
      title: More
      children:
        - {type: external-link, title: Elsewhere, url: "https://example.org/"}
        - {type: section, title: Gulls, path: gulls, children: [{type: space, content: {directory: gulls}}]}
"""


def test_sections_and_variants_of_a_folder(tmp_path: Path) -> None:
    """Also what was added to the structure while it ran."""
    source = tmp_path / "birds"
    for name, text in (("en", "They dive."), ("de", "Sie tauchen."), ("gulls", "They laugh.")):
        (source / name).mkdir(parents=True)
        (source / name / "README.md").write_text(f"# {name}\n\n{text}\n")
    (source / "docs.yaml").write_text(STRUCTURE)
    with previewing(source, "--data", str(tmp_path / "data")) as preview:
        home = preview.page()[0]
        assert "They dive." in home
        for word in ("Birds", "Deutsch", "Gulls", "https://example.org/"):
            assert word in home
        assert "Sie tauchen." in preview.page("terns/de/")[0]
        assert "They laugh." in preview.page("gulls/")[0]
        with preview.news() as news:
            known = next(news)["version"]
            (source / "de" / "README.md").write_text("# de\n\nSie jagen.\n")
            until(news, version=known + 1)
            assert "Sie jagen." in preview.page("terns/de/")[0]
            (source / "docs.yaml").write_text(
                STRUCTURE.replace("Birds", "Sea birds").replace("path: gulls", "path: larus")
            )
            until(news, version=known + 2)
        assert "Sea birds" in preview.page()[0]
        assert "They laugh." in preview.page("larus/")[0]
    with previewing(source, "--data", str(tmp_path / "data")) as again:
        assert again.site.split("/sites/")[1] == preview.site.split("/sites/")[1], "kept data keeps the address"
        assert "Sie jagen." in again.page("terns/de/")[0]


def test_what_is_wrong_is_a_sentence(tmp_path: Path, folder: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "there is no page in" in octavo("preview", empty, "--port", "0", fails=True)
    assert "does not exist" in octavo("preview", tmp_path / "nowhere", fails=True)
    assert "in which nothing is written" in octavo("preview", folder, "--data", folder / "data", fails=True)
    assert not (folder / "data").exists()
    (empty / "docs.yaml").write_text("site: {structure: [{type: space, content: {directory: pages}}]}")
    assert "names the directory 'pages', which does not exist" in octavo("preview", empty, "--port", "0", fails=True)
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        assert "`--port` names another one" in octavo("preview", folder, "--port", str(port), fails=True)


def test_without_data_an_installation_beside_it_is_left_alone(tmp_path: Path, folder: Path) -> None:
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        assert "no page" in octavo("preview", tmp_path, "--port", "0", fails=True)
    finally:
        os.chdir(here)
    assert [*tmp_path.iterdir()] == []
