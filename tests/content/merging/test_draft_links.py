"""What addresses mean in a text that is written: pages by id, path and file, files, and what the same batch makes."""

from __future__ import annotations

import pytest

from octavo.content.document import walk
from octavo.content.draft import DeletePage, InsertFile, InsertPage, Metadata, UpdatePage
from octavo.content.revision import File
from tests.content.merging.drafting import Space
from tests.content.merging.helpers import Memory


@pytest.fixture
def space() -> Space:
    """home, guides > (setup > deep, usage), group > inside; `imported` lies elsewhere in its repository."""
    memory = Memory()
    pages = [
        memory.document("home", "# Home\n", position="a0", slug="home"),
        memory.document("guides-id", "# Guides\n", position="a1", slug="guides"),
        memory.document("setup-id", "# Setup\n", parent="guides-id", position="a0", slug="setup"),
        memory.document("deep-id", "# Deep\n", parent="setup-id", position="a0", slug="deep"),
        memory.document("usage-id", "# Usage\n", parent="guides-id", position="a1", slug="usage"),
        memory.group("group-id", position="a2", slug="group"),
        memory.document("inside-id", "# Inside\n", parent="group-id", position="a0", slug="inside"),
        memory.document("imported", "# Imported\n", position="a3", path="src/docs/Imported.md"),
        memory.document("source", "# Source\n", position="a4", path="src/other/source.md"),
    ]
    return Space(*pages, memory=memory)


def refs(space: Space, page: str) -> list[object]:
    return [node["data"]["ref"] for node in walk(space.document(page)) if "ref" in node.get("data", {})]


def page(key: str) -> dict[str, str]:
    return {"kind": "page", "page": key}


def anchor(key: str, name: str) -> dict[str, str]:
    return {"kind": "anchor", "anchor": name, "page": key}


@pytest.mark.parametrize(
    ("writer", "href", "expected"),
    [
        ("usage-id", "/pages/setup-id", page("setup-id")),
        ("usage-id", "/pages/guides/setup", page("setup-id")),
        ("usage-id", "/pages/Guides/SETUP", page("setup-id")),
        ("usage-id", "/pages/guides/setup.md", page("setup-id")),
        ("usage-id", "/pages/guides/setup/README.md", page("setup-id")),
        ("usage-id", "/pages/guides/", page("guides-id")),
        ("usage-id", "/pages/group", page("group-id")),
        ("usage-id", "/pages/README.md", page("home")),
        ("usage-id", "/pages/setup-id#part", anchor("setup-id", "part")),
        ("usage-id", "/pages/guides/setup#a%20part", anchor("setup-id", "a part")),
        ("usage-id", "setup.md", page("setup-id")),
        ("usage-id", "./setup.md", page("setup-id")),
        ("usage-id", "./setup.md#part", anchor("setup-id", "part")),
        ("usage-id", "./setup.md?plain=1", page("setup-id")),
        ("usage-id", "setup/", page("setup-id")),
        ("usage-id", "setup/README.md", page("setup-id")),
        ("usage-id", "./setup/deep.md", page("deep-id")),
        ("usage-id", "../home.md", page("home")),
        ("usage-id", "../group/inside.md", page("inside-id")),
        ("usage-id", "../group/", page("group-id")),
        ("usage-id", "../", page("home")),
        ("usage-id", "../../../home.md", page("home")),
        ("usage-id", "/home.md", page("home")),
        ("usage-id", "/group/inside", page("inside-id")),
        ("deep-id", "../usage.md", page("usage-id")),
        ("guides-id", "setup.md", page("setup-id")),
        ("guides-id", "../home.md", page("home")),
        ("imported", "../other/source.md", page("source")),
        ("imported", "../other/source", page("source")),
        ("home", "/files/picture", {"kind": "file", "file": "picture"}),
        ("home", "/spaces/anything", {"kind": "space", "space": "anything"}),
        ("home", "/openapi/anything", {"kind": "openapi", "spec": "anything"}),
        ("home", "https://example.org/a.md", {"kind": "url", "url": "https://example.org/a.md"}),
        ("home", "mailto:a@example.org", {"kind": "url", "url": "mailto:a@example.org"}),
        ("home", "#part", {"kind": "anchor", "anchor": "part"}),
    ],
)
def test_a_link_leads_to_what_its_address_means(space: Space, writer: str, href: str, expected: object) -> None:
    space.write(UpdatePage(page=writer, body=f"Text [link]({href}).\n"))
    assert refs(space, writer) == [expected]
    assert space.text(writer).endswith(f"Text [link]({href}).\n")
    local = expected if href[0] != "#" and ":" not in href else None
    assert space.pages[writer].links == ({href: local} if local else {})


@pytest.mark.parametrize(
    "href",
    ["nothing.md", "./nothing/", "../nothing.md", "/pages/nothing", "/pages/guides/nothing", "/files/nothing", "nothing",
     "/reusable-contents/nothing", "data:text/plain,x", "guides.md"],
)  # fmt: skip
def test_a_link_that_leads_nowhere_becomes_its_text(space: Space, href: str) -> None:
    space.write(UpdatePage(page="usage-id", body=f"A *[link]({href})* stays.\n\nOther __text__.\n"))
    assert space.text("usage-id") == "# Usage\n\nA _link_ stays.\n\nOther __text__.\n"
    assert space.pages["usage-id"].links == {}


@pytest.mark.parametrize("href", ["data:image/png;base64,AAAA", "/files/nothing", "nothing.png"])
def test_a_picture_that_is_nowhere_becomes_what_is_said_of_it(space: Space, href: str) -> None:
    space.write(UpdatePage(page="home", body=f"Before ![a view]({href}) behind.\n\n![two gulls]({href})\n\nLast.\n"))
    assert refs(space, "home") == []
    assert space.text("home") == "# Home\n\nBefore a view behind.\n\ntwo gulls\n\nLast.\n"


def test_a_picture_without_words_becomes_its_address(space: Space) -> None:
    space.write(UpdatePage(page="home", body="![](<b c.png>) and ![](data:image/png;base64,AAAA).\n"))
    assert space.text("home") == "# Home\n\nb c.png and .\n"


def test_pictures_of_files_and_of_the_web_stay(space: Space) -> None:
    body = "![one](/files/picture)\n\n![two](https://example.org/a.png)\n"
    space.write(UpdatePage(page="home", body=body))
    assert space.text("home") == f"# Home\n\n{body}"
    assert refs(space, "home") == [
        {"kind": "file", "file": "picture"}, {"kind": "url", "url": "https://example.org/a.png"},
    ]  # fmt: skip


def test_a_batch_names_what_it_makes_before_it_is_there(space: Space) -> None:
    file = File(id="made", name="b.png", content_type="image/png", size=1, blob="01")
    draft = space.write(
        UpdatePage(page="usage-id", body="[page](./later.md) [part](later.md#x) [file](./shot)\n\n![shot](./shot)\n"),
        InsertPage(body="[back](./later.md)\n", into="guides-id", ref="later", metadata=Metadata(title="Last")),
        InsertFile(file=file, ref="shot"),
    )
    made = {"kind": "file", "file": "made"}
    assert refs(space, "usage-id") == [page("new1"), anchor("new1", "x"), made, made]
    assert refs(space, "new1") == [page("new1")]
    assert draft.files == {"made": file}


def test_a_name_may_end_as_a_file_does(space: Space) -> None:
    space.write(InsertPage(body="[a](./one.md)\n", ref="one.md"), InsertPage(body="[a](./one.md)\n"))
    assert refs(space, "new1") == refs(space, "new2") == [page("new1")]


def test_a_meaning_stays_when_pages_move(space: Space) -> None:
    body = "[by path](/pages/guides/setup) [beside](setup.md)\n"
    space.write(UpdatePage(page="usage-id", body=body))
    space.write(UpdatePage(page="setup-id", into=None, metadata=Metadata(slug="other")))
    space.write(UpdatePage(page="usage-id", metadata=Metadata(description="Described")))
    assert refs(space, "usage-id") == [page("setup-id"), page("setup-id")]
    assert space.text("usage-id").endswith(body)


def test_a_meaning_stays_when_the_page_is_gone(space: Space) -> None:
    space.write(UpdatePage(page="usage-id", body="[a](setup.md) [b](/pages/setup-id)\n"), DeletePage(page="setup-id"))
    space.write(UpdatePage(page="usage-id", metadata=Metadata(icon="book")))
    assert refs(space, "usage-id") == [page("setup-id"), page("setup-id")]


def test_an_address_that_is_written_no_longer_means_nothing(space: Space) -> None:
    space.write(UpdatePage(page="usage-id", body="[a](setup.md)\n"))
    space.write(UpdatePage(page="usage-id", body="Nothing.\n"))
    assert space.pages["usage-id"].links == {}


def test_a_reference_in_a_document_is_written_as_the_page_writes_it(space: Space) -> None:
    space.write(UpdatePage(page="usage-id", body="[a](setup.md)\n\nLast.\n"))
    document = space.document("usage-id")
    link = next(node for node in walk(document) if node.get("type") == "link")
    link["nodes"][0]["leaves"][0]["text"] = "b"
    space.write(UpdatePage(page="usage-id", body=document))
    assert space.text("usage-id") == "# Usage\n\n[b](setup.md)\n\nLast.\n"
    link["data"]["ref"] = page("home")
    space.write(UpdatePage(page="usage-id", body=document))
    assert space.text("usage-id") == "# Usage\n\n[b](/pages/home)\n\nLast.\n"
    assert space.pages["usage-id"].links == {"/pages/home": page("home")}
