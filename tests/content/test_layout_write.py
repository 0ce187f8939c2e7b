"""Writing a space into a directory: what nobody edited keeps every byte, and reading it again gives what the space holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content.layout.identity import previous_of
from octavo.content.layout.places import Held
from octavo.content.layout.read import Layout
from octavo.content.layout.source import Mapped
from octavo.content.layout.write import Blob, Written, _oid, write
from octavo.content.revision import Page, Root, flatten, tree
from octavo.content.trie import digest
from tests.content.layouts import directory, layout, opened

NOTHING = Held({}, {}, {})


def held(made: Layout) -> Held:
    return Held(
        {page.id: page for page in made.pages},
        {file.id: file for file in made.files},
        {one.id: one for one in made.reusables},
    )


def root(made: Layout) -> Root:
    return Root(variables=made.variables, tags=made.tags, redirects=made.redirects)


class Space:
    """A directory that was read, and what a space makes of it."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.unread: list[str] = []
        self.made = layout(self.source)
        self.root = root(self.made)
        self.before = held(self.made)
        self.pages = {page.id: page for page in self.made.pages}
        self.attached = dict(self.before.files)
        self.texts = dict(self.made.objects)

    @property
    def source(self) -> Mapped:
        return Mapped(opened(self.files), {path: _oid(data) for path, data in self.files.items()})

    def find(self, path: str) -> Page:
        return next(page for page in self.pages.values() if page.path == path)

    def change(self, page: Page, text: str | None = None, **fields: Any) -> Page:
        if text is not None:
            self.texts[digest(text.encode())] = text.encode()
            fields |= {"text": digest(text.encode()), "oid": None, "links": {}}
        made = self.pages[page.id] = msgspec.structs.replace(page, **fields)
        return made

    def add(self, page: Page, text: str) -> None:
        self.change(page, text)

    def written(self) -> Written:
        now = Held(self.pages, self.attached, self.before.reusables)
        given = self.source, now, self.before, self.root, root(self.made), self.texts.get
        quick = write(*given, same=True, unread=self.unread)
        made = write(*given, unread=self.unread)
        assert quick == made, "what is known of the directory changes nothing but the time"
        return made

    def after(self) -> dict[str, bytes]:
        """The directory with the changes."""
        made = dict(self.files)
        for path, data in self.written().changes.items():
            assert not isinstance(data, Blob)
            if data is None:
                del made[path]
            else:
                made[path] = data
        return made

    def shape(self) -> list[tuple[str, str, str]]:
        """Path, type and title of each page in the order of the table of contents."""
        return shape(list(self.pages.values()))

    def read_again(self, files: dict[str, bytes]) -> Layout:
        written = self.written()
        pages = [written.pages.get(page.id, page) for page in self.pages.values()]
        texts = self.texts | written.objects
        previous = previous_of(pages, self.made.files, self.made.reusables, texts.get)
        return layout(files, previous=previous, prefix="new")  # type: ignore[arg-type]


def shape(pages: list[Page]) -> list[tuple[str, str, str]]:
    return [(branch.path, branch.page.type, branch.page.title) for branch in flatten(tree(pages))]


def test_every_corpus_comes_back_to_the_byte(corpus: Path) -> None:
    source = directory(corpus)
    oids = {path: _oid(source.read(path)) for path in source.paths()}
    for known in (oids, {}):
        made = layout(Mapped(source.files, oids))
        written = write(Mapped(source.files, known), held(made), held(made), root(made), root(made), made.objects.get)
        assert (written.changes, written.moved) == ({}, {})


def test_the_kitchen_sink_comes_back_to_the_byte() -> None:
    source = directory(Path(__file__).parent / "kitchen_sink")
    made = layout(source)
    written = write(source, held(made), held(made), root(made), root(made), made.objects.get)
    assert (written.changes, written.moved) == ({}, {})


SMALL = {
    "SUMMARY.md": b"#  Mine\n\n* [Home](README.md)\n\n## Guides <a href=\"#g\" id=\"g\"></a>\n\n"
    b"1. [First](guides/first.md \"One\") \n2. [Second](guides/second.md)\n<!-- last -->\n* [Twice](guides/first.md)\n",
    "README.md": b"# Home\n\n[first](guides/first.md), `guides/first.md` and <a href=\"guides/first.md#x\">it</a>.\n",
    "guides/first.md": b"# First\n\n![](../.gitbook/assets/a.png) [home](../README.md)\n\n## X\n",
    "guides/second.md": b"\xef\xbb\xbf# Second\r\n\r\nCRLF.\r\n",
    ".gitbook/assets/a.png": b"not really",
    ".gitbook/vars.yaml": b"# words\nname: Ardea # ours\n",
}  # fmt: skip


def test_a_renamed_page_takes_its_links_along() -> None:
    space = Space(SMALL)
    space.change(space.find("guides/first.md"), slug="begin")
    written, after = space.written(), space.after()
    assert written.moved == {"guides/first.md": "guides/begin.md"}
    assert after["README.md"] == (
        b"# Home\n\n[first](guides/begin.md), `guides/first.md` and <a href=\"guides/begin.md#x\">it</a>.\n"
    )  # fmt: skip
    assert after["guides/begin.md"] == SMALL["guides/first.md"]
    assert after["guides/second.md"] == SMALL["guides/second.md"]
    assert b"2. [Second](guides/second.md)\n<!-- last -->\n" in after["SUMMARY.md"]
    again = space.read_again(after)
    assert shape(again.pages) == space.shape()
    assert {page.id for page in again.pages} == set(space.pages)


def test_words_of_titles_and_front_matter_are_no_addresses() -> None:
    text = (
        "---\ndescription: What stands in config.md and why\ncover: {cover}\nmetaLinks:\n  canonical: {page}\n---\n\n"
        "# How to write config.md\n\nSee [the file]({page}).\n"
    )
    space = Space(
        {
            "README.md": text.format(cover="pic.png", page="config.md").encode(),
            "config.md": b"# Config\n",
            "pic.png": b"x",
        }
    )
    space.change(space.find("config.md"), slug="settings")
    assert space.after()["README.md"].decode() == text.format(cover="pic.png", page="settings.md")


def test_pages_that_change_places_keep_their_links_beside_words_that_look_like_them() -> None:
    space = Space({"README.md": b"# Of a.md\n\n[A](a.md), [B](b.md)\n", "a.md": b"# A\n", "b.md": b"# B\n"})
    space.change(space.find("a.md"), slug="c")
    space.change(space.find("b.md"), slug="a")
    after = space.after()
    assert (after["README.md"], after["a.md"]) == (b"# Of a.md\n\n[A](c.md), [B](a.md)\n", b"# B\n")


def test_many_links_follow_beside_words_that_look_like_them() -> None:
    names = [f"p{number}.md" for number in range(300)]
    every = "# All\n\n" + "".join(f"* [It]({{0}}/{name})\n" for name in names) + "\n`cat guide/p5.md`\n"
    space = Space(
        {"all.md": every.format("guide").encode(), "guide/README.md": b"# Guide\n"}
        | {f"guide/{name}": b"# It\n" for name in names}
    )
    space.change(space.find("guide/README.md"), slug="manual")
    assert space.after()["all.md"].decode() == every.format("manual")


@pytest.mark.parametrize("anchor", ["a%20b", "x%281%29", "caf%C3%A9", "1%25"])
def test_anchors_of_links_that_follow_are_quoted(anchor: str) -> None:
    space = Space({"README.md": f"# Home\n\n[it](old.md#{anchor})\n".encode(), "old.md": b"# Old\n"})
    ref = space.find("README.md").links[f"old.md#{anchor}"]
    space.change(space.find("old.md"), slug="new")
    after = space.after()
    assert b"(new.md#" in after["README.md"]
    [page] = [page for page in space.read_again(after).pages if page.path == "README.md"]
    assert [*page.links.values()] == [ref]


def test_a_page_that_moves_below_another_moves_its_file() -> None:
    space = Space(SMALL)
    second = space.find("guides/second.md")
    space.change(space.find("guides/first.md"), parent=second.id)
    after = space.after()
    assert "guides/second/first.md" in after
    assert (
        after["guides/second/first.md"]
        == b"# First\n\n![](../../.gitbook/assets/a.png) [home](../../README.md)\n\n## X\n"
    )
    assert shape(space.read_again(after).pages) == space.shape()


def test_names_that_systems_cannot_hold_are_written_otherwise() -> None:
    space = Space({})
    for number, slug in enumerate(("con", "CON", ".git", "git~1", "nul.txt", "Ok", "ok")):
        space.add(Page(id=slug, type="document", title=slug, slug=slug, position=f"a{number}"), f"# {slug}\n")
    names = [path for path in space.after() if path != "SUMMARY.md"]
    assert len({name.casefold() for name in names}) == 7
    assert not [name for name in names if name.partition(".")[0].lower() in ("con", "nul", "", "git~1")]


_WORDS = st.text("abcd éß[]()*_`<&#|\\\"'", min_size=1, max_size=12).filter(lambda word: word.strip() == word)
_SLUGS = st.text("abc", min_size=2, max_size=6).filter(lambda word: word.strip(".-") == word and ".md" not in word)


@st.composite
def _repositories(draw: Any) -> dict[str, bytes]:
    """Folders of pages in any style, with or without a table of contents."""
    files: dict[str, bytes] = {}
    for _ in range(draw(st.integers(1, 6))):
        folder = "/".join(draw(st.lists(_SLUGS, max_size=2)))
        name = draw(st.sampled_from(["README", "a", "b", "c d", "ü"]))
        path = f"{folder}/{name}.md".lstrip("/")
        front = draw(st.sampled_from([b"", b"---\n# c\nicon:   x\nzeta: [1,   2]\n---\n"]))
        body = draw(st.sampled_from([b"# T\n\nx", b"no title\r\n", b"\n\n# T  \n***\n", b"", b"# \xff\n"]))
        files[path] = front + body
    if draw(st.booleans()):
        bullets = [f"{draw(st.sampled_from('*-+'))} [{draw(_WORDS)}]({path})" for path in sorted(files)]
        files["SUMMARY.md"] = ("# S\n\n" + draw(st.sampled_from(["\n", "\n\n", " \n"])).join(bullets)).encode()
    if draw(st.booleans()):
        files[".gitbook.yaml"] = b"# c\nroot: ./\n\nredirects:\n    'old': README.md\n"
    return files


@settings(deadline=None)
@given(_repositories())
def test_whatever_nobody_edited_keeps_every_byte(files: dict[str, bytes]) -> None:
    folded = {path.casefold() for path in files}
    if len(folded) == len(files):
        assert Space(files).after() == files


@settings(deadline=None)
@given(st.data(), _repositories())
def test_what_was_edited_reads_as_what_the_space_holds(data: Any, files: dict[str, bytes]) -> None:
    if len({path.casefold() for path in files}) < len(files):
        return
    space = Space(files)
    documents = [page for page in space.pages.values() if page.type == "document" and page.listed and page.text]
    if not documents or any("-1" in path for path, _, _ in space.shape()):
        # Two that want the same address have it in the order of the table, which changes when it is made.
        return
    edited = data.draw(st.sampled_from(documents))
    space.change(edited, "# Another title\n\nWords.\n", title="Another title", link_title=None)
    space.add(
        Page(id="added", type="document", title="Added", slug="zz-added", position="zz", parent=edited.id), "# Added\n"
    )
    after = space.after()
    untouched = {path for path in files if path not in (edited.path, "SUMMARY.md")}
    assert {path: after.get(path) for path in untouched} == {path: files[path] for path in untouched}
    again = space.read_again(after)
    # In a table of contents no page stands behind a group.
    assert sorted(shape(again.pages)) == sorted(space.shape())
    titles = {page.id: page.title for page in again.pages if page.listed}
    assert (titles[edited.id], titles["added"]) == ("Another title", "Added")


def test_values_of_settings_change_line_by_line() -> None:
    space = Space(SMALL)
    now = Held(space.pages, space.before.files, space.before.reusables)
    changed = Root(variables={"name": "Egretta", "new": 5})
    written = write(space.source, now, space.before, changed, root(space.made), space.texts.get)
    assert written.changes == {".gitbook/vars.yaml": b'# words\nname: "Egretta"\nnew: 5\n'}


def _anew(
    files: dict[str, bytes], more: Sequence[Page] = (), redirects: Sequence[str] = (), **renamed: str
) -> dict[str, bytes]:
    """The texts of a directory as they are written into an empty one, after entries got other titles; `more` are entries
    beside them, whose targets are titles, and `redirects` are titles of pages that old addresses lead to."""
    made = layout(Mapped(opened(files)))
    known = {page.title: page.id for page in made.pages}
    pages = {
        page.id: msgspec.structs.replace(page, title=renamed.get(page.title, page.title), oid=None)
        for page in made.pages
    }
    for one in more:
        target = {"kind": "page", "page": known[one.target["title"]]} if one.target else None
        pages[one.id] = msgspec.structs.replace(one, target=target)
    root = Root(redirects={f"old/{title}": known[title] for title in redirects})
    written = write(Mapped({}), Held(pages, {}, {}), NOTHING, root, root, made.objects.get)
    return {path: data for path, data in written.changes.items() if isinstance(data, bytes)}


def test_folders_without_a_page_need_none_elsewhere() -> None:
    files = {
        "docs/api/Agent.md": b"# Agent\n\nOne.\n",
        "docs/api/deep/down/Pool.md": b"# Pool\n\nTwo.\n",
        "docs/best-practices/proxy.md": b"# Proxy\n\nThree.\n",
    }
    assert _anew(files) == files
    # What its folder does not say of an entry is written down.
    named = _anew(files, Api="The API")
    assert named.keys() == files.keys() | {"docs/api/README.md"}
    assert named["docs/api/README.md"] == b"# The API\n"
    layout_of = shape(layout(Mapped(opened(named))).pages)
    assert ("docs/api", "document", "The API") in layout_of


FOLDERS = {
    "docs/api/Agent.md": b"# Agent\n\nOne.\n",
    "docs/api/Pool.md": b"# Pool\n\nTwo.\n",
    "docs/zeta.md": b"# Zeta\n\nThree.\n",
}


def test_what_leads_to_a_folder_without_a_page_leads_to_one() -> None:
    link = Page(id="link", type="link", title="The API", slug="the-api", position="zz", target={"title": "Api"})
    linked = _anew(FOLDERS, more=[link])
    assert linked["docs/api/README.md"] == b"# Api\n"
    assert b"[The API](docs/api/README.md)" in linked["SUMMARY.md"]
    redirected = _anew(FOLDERS, redirects=["Api"])
    assert b'"old/Api": "docs/api/README.md"' in redirected[".gitbook.yaml"]
    assert redirected.keys() == FOLDERS.keys() | {"docs/api/README.md", ".gitbook.yaml"}


def test_a_text_that_names_a_folder_without_a_page_names_its_file() -> None:
    made = layout(Mapped(opened(FOLDERS)))
    api, zeta = (next(page for page in made.pages if page.title == title) for title in ("Api", "Zeta"))
    text = f"# Zeta\n\n[API](/pages/{api.id})\n".encode()
    means = {f"/pages/{api.id}": {"kind": "page", "page": api.id}}
    changed = msgspec.structs.replace(zeta, text=digest(text), links=means)
    pages = {page.id: msgspec.structs.replace(page, oid=None) for page in made.pages} | {zeta.id: changed}
    texts = {**made.objects, digest(text): text}
    for before in (NOTHING, Held({api.id: api}, {}, {})):
        written = write(Mapped({}), Held(pages, {}, {}), before, Root(), Root(), texts.get)
        assert written.changes["docs/zeta.md"] == b"# Zeta\n\n[API](api/README.md)\n"
        assert "docs/api/README.md" in written.changes


def test_a_folder_whose_name_is_no_address_keeps_its_own() -> None:
    files = {"docs/API_v2/Agent.md": b"# Agent\n\nOne.\n", "docs/API_v2/Pool.md": b"# Pool\n\nTwo.\n"}
    made = layout(Mapped(opened(files)))
    first, second = sorted((page for page in made.pages if page.path), key=lambda page: page.position)
    swapped = {
        first.id: msgspec.structs.replace(first, position=second.position),
        second.id: msgspec.structs.replace(second, position=first.position),
    }
    pages = {page.id: page for page in made.pages} | swapped
    written = write(Mapped({}), Held(pages, {}, {}), NOTHING, Root(), Root(), made.objects.get)
    again = {path: data for path, data in written.changes.items() if isinstance(data, bytes)}
    assert "SUMMARY.md" in again
    held = shape(layout(Mapped(opened(again))).pages)
    assert {path for path, *_ in held} >= {"docs/API_v2", "docs/API_v2/Agent", "docs/API_v2/Pool"}
