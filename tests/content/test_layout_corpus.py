"""A real documentation repository: the tree is its table of contents, nothing is missing, nothing moves by itself."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from octavo.content.layout.identity import previous_of
from octavo.content.layout.read import Layout
from octavo.content.revision import landing, tree
from tests.content.layouts import addresses, directory, layout

_ENTRY = re.compile(r"^( *)\* \[(.*)\]\((.*)\)$", re.MULTILINE)


@pytest.fixture(scope="module")
def made(corpus: Path) -> Layout:
    return layout(directory(corpus))


def test_the_tree_is_the_table_of_contents(corpus: Path, made: Layout) -> None:
    listed = [page for page in made.pages if page.listed and page.type == "document"]
    written = [
        (len(indent) // 2, label, path) for indent, label, path in _ENTRY.findall((corpus / "SUMMARY.md").read_text())
    ]
    assert len(written) == 156
    assert [page.path for page in listed] == [path for _, _, path in written]
    assert [page.link_title or page.title for page in listed] == [label for _, label, _ in written]
    parents = {page.id: page for page in made.pages}

    def depth(page_id: str | None) -> int:
        page = parents.get(page_id or "")
        return 0 if page is None or page.type == "group" else 1 + depth(page.parent)

    assert [depth(page.parent) for page in listed] == [level for level, _, _ in written]
    assert [page.title for page in made.pages if page.type == "group"] == re.findall(
        r"^## (.*)$", (corpus / "SUMMARY.md").read_text(), re.MULTILINE
    )


def test_paths_are_those_of_the_files_where_the_tree_follows_the_folders(made: Layout) -> None:
    found = addresses(made)
    assert len(found) == 168
    held = {path: page.path.removesuffix(".md").removesuffix("/README") for path, page in found.items() if page.path}
    assert sum(path != file for path, file in held.items()) == 13
    assert (
        held["getting-started/containers/docker-compose/traefik"] == "getting-started/containers/docker-compose/traefik"
    )
    first = landing(tree(made.pages))
    assert first is not None
    assert first.page.path == "README.md"


def test_every_text_is_kept(corpus: Path, made: Layout) -> None:
    texts = {path.relative_to(corpus).as_posix(): path.read_bytes() for path in corpus.rglob("*.md")}
    del texts["SUMMARY.md"]
    assert {page.path: made.objects[page.text] for page in made.pages if page.text} == texts
    assert sum(not page.listed for page in made.pages) == len(texts) - 156 == 29


def test_every_asset_is_a_file_with_a_size(corpus: Path, made: Layout) -> None:
    assets = {path.relative_to(corpus).as_posix() for path in (corpus / ".gitbook/assets").iterdir()}
    held = {file.path: file for file in made.files}
    assert assets <= held.keys()
    assert all(held[path].width and held[path].height for path in assets)
    assert {blob: (corpus / path).stat().st_size for blob, path in made.blobs.items()} == {
        file.blob: file.size for file in made.files
    }


def test_what_is_called_missing_is_missing(corpus: Path, made: Layout) -> None:
    missing = [(n.file, n.text[9:-22]) for n in made.report.warnings if n.text.endswith(", which does not exist")]
    assert missing
    for file, href in missing:
        target = (corpus / file).parent / unquote(href.partition("#")[0])
        assert not target.is_file()
        assert not target.with_name(target.name + ".md").is_file()
        assert not (target / "README.md").is_file()


def test_links_lead_to_what_is_there(made: Layout) -> None:
    pages, files = {page.id for page in made.pages}, {file.id for file in made.files}
    refs = [ref for page in made.pages for ref in page.links.values()]
    assert len(refs) > 500
    assert all(ref["page"] in pages for ref in refs if ref["kind"] in ("page", "anchor"))
    assert all(ref["file"] in files for ref in refs if ref["kind"] == "file")


def test_a_second_reading_is_the_first(corpus: Path, made: Layout) -> None:
    previous = previous_of(made.pages, made.files, made.reusables, made.objects.get)
    second = layout(directory(corpus), previous=previous, now=2, prefix="new")
    assert second.pages == made.pages
    assert second.files == made.files
    assert second.objects == made.objects
