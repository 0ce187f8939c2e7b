"""Writing a space into a directory in which other things lie, too: they stay, and nothing is refused because of them."""

from __future__ import annotations

import pytest

from octavo.content.layout.write import Blob
from octavo.content.revision import File, Page, Root
from tests.content.layouts import layout
from tests.content.test_layout_write import Space


def _add(space: Space, title: str, slug: str, parent: str | None = None, *, text: bool = True) -> Page:
    """A page, or a group, behind the others."""
    last = max(page.position for page in space.pages.values())
    made = Page(
        id=f"new-{len(space.pages)}", type="document" if text else "group", title=title, slug=slug, parent=parent,
        position=f"{last}V", listed=True,
    )  # fmt: skip
    return space.change(made, f"# {title}\n" if text else None)


def _upload(space: Space, name: str) -> None:
    space.attached["new"] = File(id="new", name=name, content_type="image/png", size=1, blob="ab" * 32)


def test_a_file_that_pages_only_linked_to_stays() -> None:
    space = Space(
        {
            "fish.md": b"# Fish\n\n[run](scripts/run.sh) and ![](.gitbook/assets/a.png)\n",
            "scripts/run.sh": b"#!/bin/sh\n",
            ".gitbook/assets/a.png": b"not really",
        }
    )
    assert len(space.attached) == 2
    space.change(space.find("fish.md"), "# Fish\n\nNo link.\n")
    space.attached.clear()
    assert space.after() == {"fish.md": b"# Fish\n\nNo link.\n", "scripts/run.sh": b"#!/bin/sh\n"}


def test_a_file_too_large_to_be_read_is_not_replaced() -> None:
    space = Space({"README.md": b"# Home\n"})
    space.unread = [".gitbook/assets/demo.mp4"]
    _upload(space, "demo.mp4")
    assert space.written().changes == {".gitbook/assets/demo-1.mp4": Blob("ab" * 32)}


@pytest.mark.parametrize("name", ["build", "Build"])
def test_no_folder_takes_the_place_of_a_file(name: str) -> None:
    space = Space({"README.md": b"# Home\n", "SUMMARY.md": b"# T\n\n* [Home](README.md)\n", name: b"precious\n"})
    group = _add(space, "Build", "build", text=False)
    for title in ("One", "Two"):
        _add(space, title, title.lower(), group.id)
    after = space.after()
    assert set(after) == {"README.md", "SUMMARY.md", name, "build-1/one.md", "build-1/two.md"}
    assert [page.title for page in space.read_again(after).pages] == ["Home", "Build", "One", "Two"]


def test_no_file_takes_the_place_of_a_folder() -> None:
    space = Space({"README.md": b"# Home\n", ".gitbook/assets/logos/a.png": b"a"})
    _upload(space, "logos")
    assert space.written().changes == {".gitbook/assets/logos-1": Blob("ab" * 32)}


def test_a_page_does_not_take_the_place_of_the_table_of_contents() -> None:
    space = Space({"README.md": b"# Home\n", "a.md": b"# A\n"})
    _add(space, "Summary", "summary")
    written = space.written()
    assert written.changes["summary-1.md"] == b"# Summary\n"
    assert len({path.casefold() for path in written.changes}) == len(written.changes)


def test_a_file_comes_back_in_other_letters() -> None:
    space = Space({"README.md": b"# Home\n\n![](.gitbook/assets/logo.png)\n", ".gitbook/assets/logo.png": b"x"})
    space.attached.clear()
    _upload(space, "Logo.png")
    assert space.written().changes == {".gitbook/assets/logo.png": None, ".gitbook/assets/Logo.png": Blob("ab" * 32)}


def test_folders_are_spelled_as_they_are_there() -> None:
    space = Space(
        {
            "README.md": b"# Home\n",
            "SUMMARY.md": b"# T\n\n* [Home](README.md)\n",
            "Guides/a.png": b"1",
            "Guides/Old/b.png": b"1",
        }
    )
    guides = _add(space, "Guides", "guides", text=False)
    old = _add(space, "Old", "old", guides.id, text=False)
    _add(space, "New", "new", guides.id)
    _add(space, "Older", "older", old.id)
    after = space.after()
    assert {path for path in after if path not in space.files} == {"Guides/new.md", "Guides/Old/older.md"}
    assert {page.title for page in layout(after).pages} == {"Home", "Guides", "New", "Old", "Older"}


def test_a_folder_whose_pages_all_move_gets_its_new_letters() -> None:
    space = Space({"README.md": b"# Home\n", "guides/README.md": b"# Guides\n", "guides/a.md": b"# A\n"})
    space.change(space.find("guides/README.md"), slug="Guides")
    assert space.written().moved == {"guides/README.md": "Guides/README.md", "guides/a.md": "Guides/a.md"}


@pytest.mark.parametrize("title", ["C #", "a *b* c", "<b>x</b>", "`code`", "{% hint %}", "\\\\*", "Plain"])
def test_a_page_without_a_text_keeps_its_title(title: str) -> None:
    space = Space({"README.md": b"# Home\n", "SUMMARY.md": b"# T\n\n* [Home](README.md)\n"})
    made = space.change(_add(space, title, "new", text=False), type="document")
    # What something leads to needs a file.
    space.root = Root(redirects={"old": made.id})
    assert [(page.title, page.link_title) for page in layout(space.after()).pages] == [("Home", None), (title, None)]


@pytest.mark.parametrize("broken", [".gitbook.yaml", ".gitbook/vars.yaml", ".gitbook/tags.yaml"])
def test_settings_that_cannot_be_read_stay_as_they_are(broken: str) -> None:
    files = {"README.md": b"# Home\n", "a.md": b"# A\n"}
    space = Space(files | {broken: b"# Ours\nredirects:\n  old: a.md\n bad: [oops\n"})
    page = space.find("a.md")
    space.root = Root(variables={"name": "Ardea"}, tags=[{"tag": "new"}], redirects={"fish": page.id})
    changed = {".gitbook.yaml", ".gitbook/vars.yaml", ".gitbook/tags.yaml"}
    assert space.written().changes.keys() == changed - {broken}
