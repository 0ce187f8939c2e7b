"""What addresses in texts mean, and what is said about those that mean nothing."""

from __future__ import annotations

import pytest

from octavo.content.layout.identity import previous_of
from tests.content.layouts import by_path, layout, warnings

FILES: dict[str, str | bytes] = {
    "README.md": "# Home\n",
    "guide/README.md": "# Guide\n",
    "guide/Deep Page.md": "# Deep\n",
    "guide/50%.md": "# Half\n",
    "guide/sub/one.md": "# One\n",
    "other.md": "# Other\n",
    ".gitbook/assets/a b.png": b"png",
    ".gitbook/includes/note.md": "---\ntitle: Note\n---\nHi.\n",
    "data/table.csv": "a,b\n",
    "data/unused.csv": "c\n",
}

RESOLVED = [
    ("one.md", "page guide/sub/one.md"),
    ("./one.md", "page guide/sub/one.md"),
    ("one", "page guide/sub/one.md"),
    ("../README.md", "page guide/README.md"),
    ("..", "page guide/README.md"),
    ("../", "page guide/README.md"),
    ("../../", "page README.md"),
    ("/", "page README.md"),
    ("/guide", "page guide/README.md"),
    ("/guide/", "page guide/README.md"),
    ("../Deep%20Page.md", "page guide/Deep Page.md"),
    ("../Deep Page.md", "page guide/Deep Page.md"),
    ("../50%.md", "page guide/50%.md"),
    ("../50%25.md", "page guide/50%.md"),
    ("../../other.md#part-2", "anchor guide? other.md part-2"),
    ("../../other.md?plain=1", "page other.md"),
    ("../../.gitbook/assets/a%20b.png", "file .gitbook/assets/a b.png"),
    ("/data/table.csv", "file data/table.csv"),
    ("../../.gitbook/includes/note.md", "reusable .gitbook/includes/note.md"),
    ("https://app.gitbook.com/s/abc123/", "space abc123"),
    ("https://app.gitbook.com/o/org1/s/abc123", "space abc123"),
]
UNRESOLVED = ["gone.md", "../../../out.md", "/../../etc/passwd", "sub/", "broken-reference", "/pages/nobody", "%FF%FE"]
FOREIGN = ["https://example.org/one.md", "mailto:a@b.org", "//host/x", "https://app.gitbook.com/s/abc123/some/page"]


def linking(href: str) -> dict[str, str | bytes]:
    return FILES | {"guide/sub/two.md": f"# Two\n\nText.\n\n[x](<{href}>)\n"}


@pytest.mark.parametrize(("href", "expected"), RESOLVED)
def test_resolved(href: str, expected: str) -> None:
    made = layout(linking(href))
    pages = by_path(made)
    files = {file.path: file for file in made.files}
    ref = pages["guide/sub/two.md"].links[href]
    kind, _, rest = expected.partition(" ")
    if kind == "page":
        assert ref == {"kind": "page", "page": pages[rest].id}
    elif kind == "anchor":
        assert ref == {"kind": "anchor", "anchor": "part-2", "page": pages["other.md"].id}
    elif kind == "file":
        assert ref == {"kind": "file", "file": files[rest].id}
    elif kind == "reusable":
        assert ref == {"kind": "reusable-content", "reusableContent": made.reusables[0].id}
    else:
        assert ref == {"kind": "space", "space": rest}
    assert warnings(made) == []


@pytest.mark.parametrize("href", UNRESOLVED)
def test_unresolved_are_warned_about_with_their_line(href: str) -> None:
    made = layout(linking(href))
    assert by_path(made)["guide/sub/two.md"].links == {}
    assert warnings(made) == [f"guide/sub/two.md:5: links to {href}, which does not exist"]


@pytest.mark.parametrize("href", FOREIGN)
def test_addresses_of_the_web_are_left_alone(href: str) -> None:
    made = layout(linking(href))
    assert by_path(made)["guide/sub/two.md"].links == {}
    assert warnings(made) == []


def test_another_case_is_found_with_a_warning() -> None:
    made = layout(linking("../deep page.MD"))
    pages = by_path(made)
    assert pages["guide/sub/two.md"].links["../deep page.MD"]["page"] == pages["guide/Deep Page.md"].id
    assert len(warnings(made)) == 1
    assert "guide/Deep Page.md" in warnings(made)[0]


def test_the_exact_case_wins() -> None:
    made = layout({"README.md": "[x](A.md)", "A.md": "# Big", "a.md": "# Small"})
    pages = by_path(made)
    assert pages["README.md"].links["A.md"]["page"] == pages["A.md"].id


def test_ids_as_addresses() -> None:
    first = layout(FILES)
    other = by_path(first)["other.md"].id
    asset = first.files[0].id
    files = FILES | {"two.md": f"[p](/pages/{other}#x) [f](/files/{asset})\n"}
    made = layout(files, previous=previous_of(first.pages, first.files, first.reusables), prefix="new")
    assert by_path(made)["two.md"].links == {
        f"/pages/{other}#x": {"kind": "anchor", "anchor": "x", "page": other},
        f"/files/{asset}": {"kind": "file", "file": asset},
    }


def test_files_are_those_of_the_assets_and_those_that_pages_use() -> None:
    assert {file.path for file in layout(FILES).files} == {".gitbook/assets/a b.png"}
    made = layout(linking("/data/table.csv"))
    assert {file.path for file in made.files} == {".gitbook/assets/a b.png", "data/table.csv"}
    table = next(file for file in made.files if file.path == "data/table.csv")
    assert (table.name, table.content_type, table.size) == ("table.csv", "text/csv", 4)
    assert made.blobs[table.blob] == "data/table.csv"


def test_the_table_of_contents_is_no_target() -> None:
    made = layout({"SUMMARY.md": "* [A](a.md)\n", "a.md": "[all](SUMMARY.md)"})
    assert made.files == []
    assert by_path(made)["a.md"].links == {}
    assert warnings(made) == ["a.md:1: links to SUMMARY.md, which is the table of contents and no page"]


def test_of_many_broken_links_a_thousand_are_named() -> None:
    text = "\n".join(f"[x](gone-{n}.md)" for n in range(3000))
    made = layout({"README.md": text})
    assert len(made.report.warnings) == 1000
    assert made.report.warnings[10].line == 11
    assert made.report.warnings[-2].line is None
    assert made.report.warnings[-1].text == "has more links that lead nowhere than are named here"
