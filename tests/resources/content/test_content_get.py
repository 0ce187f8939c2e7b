"""Content that a directory was imported into: tree, pages, files, documents, paths, by head and by revision."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest

from tests.client import World
from tests.resources.checks import MOMENT, ROLES
from tests.resources.handbook import FILES, PICTURE, TABLE, WELCOME, Handbook, every

LISTED = ["Welcome", "Guides", "Start", "Install", "On Linux", "Outside", "Case"]
SOURCES = {
    "Welcome": "README.md",
    "Start": "guides/start/README.md",
    "Install": "guides/start/install.md",
    "On Linux": "guides/start/install/linux.md",
    "Case": "guides/CamelCase.md",
}


def _nodes(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(one for inner in value.values() for one in _nodes(inner))]
    return [one for inner in value for one in _nodes(inner)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return "".join(node["text"] for node in _nodes(value) if node.get("object") == "leaf")


def test_the_revision(handbook: Handbook) -> None:
    shown = handbook.get(handbook.head)
    assert shown["object"] == "revision"
    assert (shown["id"], shown["type"]) == (handbook.revision, "edits")
    assert len(shown["parents"]) == 1
    assert re.fullmatch(MOMENT, shown["createdAt"])
    assert [one["title"] for one in every(shown["pages"])] == LISTED
    assert {one["name"] for one in shown["files"]} == {"pixel.png", "counts.csv"}
    assert [one["title"] for one in shown["reusableContents"]] == ["A notice"]
    assert shown["variables"] == {"product": "Ardea", "limit": 12}
    assert "app" in shown["urls"]
    assert shown == handbook.get(handbook.by_id)


def test_the_tree(handbook: Handbook) -> None:
    for prefix in handbook.prefixes:
        shown = handbook.get(prefix + "/pages")
        assert set(shown) == {"pages"}
        welcome, guides = shown["pages"]
        assert [one["title"] for one in guides["pages"]] == ["Start", "Outside", "Case"]
        start = guides["pages"][0]
        assert [one["title"] for one in start["pages"]] == ["Install"]
        assert [one["title"] for one in start["pages"][0]["pages"]] == ["On Linux"]
        types = {one["title"]: one["type"] for one in every(shown["pages"])}
        assert types == dict.fromkeys(LISTED, "document") | {"Guides": "group", "Outside": "link"}
        assert (welcome["description"], welcome["icon"]) == ("Where to begin.", "bird")
        assert not welcome["hidden"]


def test_paths_follow_the_files(handbook: Handbook) -> None:
    paths = {one["title"]: one.get("path") for one in every(handbook.get(handbook.head + "/pages")["pages"])}
    assert paths["Guides"] == "guides"
    assert paths["Start"] == "guides/start"
    assert paths["Install"] == "guides/start/install"
    assert paths["On Linux"] == "guides/start/install/linux"
    known = [path for path in paths.values() if path is not None]
    assert len(known) == len(set(known))


def test_a_link_leads_where_it_was_written_to(handbook: Handbook) -> None:
    link = handbook.page("Outside")
    assert link["target"] == {"kind": "url", "url": "https://example.com/outside"}
    assert link["href"] == "https://example.com/outside"


def test_neither_form_of_the_text_comes_unasked(handbook: Handbook) -> None:
    for prefix in handbook.prefixes:
        for page in every(handbook.get(prefix + "/pages")["pages"]):
            assert {"document", "markdown"}.isdisjoint(page)
            shown = handbook.get(f"{prefix}/page/{page['id']}")
            assert {"document", "markdown"}.isdisjoint(shown)
            assert shown == page


@pytest.mark.parametrize("title", SOURCES)
def test_markdown_is_the_file_byte_for_byte(handbook: Handbook, title: str) -> None:
    page = handbook.page(title)["id"]
    for prefix in handbook.prefixes:
        shown = handbook.get(f"{prefix}/page/{page}?format=markdown")
        assert shown["markdown"].encode() == FILES[SOURCES[title]]
        assert "document" not in shown


def test_the_document_has_references_instead_of_addresses(handbook: Handbook) -> None:
    page = handbook.page("Welcome")
    document = handbook.get(f"{handbook.head}/page/{page['id']}?format=document")["document"]
    assert document["object"] == "document"
    nodes = _nodes(document)
    assert all(re.fullmatch(r"\S+", node["key"]) for node in nodes if node.get("object") in ("block", "inline", "text"))
    refs = [node["data"]["ref"] for node in nodes if "ref" in node.get("data", {})]
    install = handbook.page("Install")["id"]
    assert {"kind": "anchor", "anchor": "linux", "page": install} in refs
    assert {"kind": "url", "url": "https://example.com/x?a=1&b=2"} in refs
    assert {"kind": "file", "file": handbook.file("pixel.png")["id"]} in refs
    reusable = handbook.get(handbook.head)["reusableContents"][0]["id"]
    assert {"kind": "reusable-content", "reusableContent": reusable} in refs
    assert "Äöü 日本語 🦉" in _text(document)
    assert [node["data"]["expression"] for node in nodes if node.get("type") == "expression"] == ["space.vars.product"]


def test_a_documents_id_does_not_depend_on_the_form(handbook: Handbook) -> None:
    page = handbook.page("Install")
    forms = ["", "?format=document", "?format=markdown", "?metadata=false"]
    assert {handbook.get(f"{handbook.head}/page/{page['id']}{form}")["documentId"] for form in forms} == {
        page["documentId"]
    }
    document = handbook.get(f"/v1/spaces/{handbook.space}/documents/{page['documentId']}")
    assert document == handbook.get(f"{handbook.head}/page/{page['id']}?format=document")["document"]
    assert document == handbook.get(f"{handbook.by_id}/page/{page['id']}/document")
    headings = [node["data"]["id"] for node in _nodes(document) if node.get("type") == "heading-1"]
    assert headings == ["linux"]


def test_expressions_are_evaluated_on_demand(handbook: Handbook) -> None:
    page = handbook.page("Welcome")["id"]
    plain = handbook.get(f"{handbook.head}/page/{page}?format=document")["document"]
    shown = handbook.get(f"{handbook.head}/page/{page}?format=document&evaluated=true")["document"]
    assert "Ardea" not in _text(plain)
    assert "A heron of Ardea stands here." in _text(shown)
    assert handbook.get(f"{handbook.head}/page/{page}?format=document&evaluated=false")["document"] == plain


def test_reusable_content_is_put_in_its_place_on_demand(handbook: Handbook) -> None:
    page = handbook.page("Welcome")["id"]
    plain = handbook.get(f"{handbook.head}/page/{page}?format=document")["document"]
    assert "Mind the nest." not in _text(plain)
    for word in ("true", "reusable-contents"):
        shown = handbook.get(f"{handbook.head}/page/{page}?format=document&dereferenced={word}")["document"]
        assert "Mind the nest." in _text(shown)


def test_stable_references_name_pages_by_id(handbook: Handbook) -> None:
    page, install = handbook.page("Welcome")["id"], handbook.page("Install")["id"]
    shown = handbook.get(f"{handbook.head}/page/{page}?format=markdown&format.markdown.refs=stable")["markdown"]
    assert f"/pages/{install}" in shown
    assert f"/files/{handbook.file('pixel.png')['id']}" in shown
    assert "guides/start/install.md" not in shown
    assert (
        handbook.get(f"{handbook.head}/page/{page}?format=markdown&format.markdown.refs=relative")["markdown"]
        == WELCOME
    )


def test_an_unknown_form_is_refused(handbook: Handbook) -> None:
    page = handbook.page("Welcome")["id"]
    for query, field in (
        ("format=html", "format"),
        ("evaluated=perhaps", "evaluated"),
        ("dereferenced=all", "dereferenced"),
        ("metadata=maybe", "metadata"),
        ("computed=2", "computed"),
        ("format.markdown.refs=absolute", "format.markdown.refs"),
    ):
        reply = handbook.world.api.get(f"{handbook.head}/page/{page}?{query}")
        assert reply.status == 400, query
        assert field in reply.message


def test_without_metadata_git_is_left_out(handbook: Handbook) -> None:
    page, file = handbook.page("Install")["id"], handbook.file("pixel.png")["id"]
    for prefix in handbook.prefixes:
        assert handbook.get(f"{prefix}/page/{page}")["git"]["path"] == "guides/start/install.md"
        assert handbook.get(f"{prefix}/files/{file}")["git"]["path"] == ".gitbook/assets/pixel.png"
        for path in ("", "/pages", "/files", f"/files/{file}", f"/page/{page}", "/path/guides/start"):
            with_git, without = handbook.get(prefix + path), handbook.get(f"{prefix}{path}?metadata=false")
            assert any("git" in node for node in _nodes(with_git)), path
            assert not any("git" in node for node in _nodes(without)), path


def test_reusable_contents(handbook: Handbook) -> None:
    listed = handbook.get(handbook.by_id)["reusableContents"][0]
    path = f"{handbook.by_id}/reusable-contents/{listed['id']}"
    assert handbook.get(path) == listed
    assert listed["title"] == "A notice"
    document = handbook.get(path + "/document")
    assert _text(document) == "Mind the nest."
    assert handbook.get(f"/v1/spaces/{handbook.space}/documents/{listed['document']}") == document
    assert handbook.get(f"{handbook.head}/reusable-contents/{listed['id']}") == listed
    assert handbook.world.api.get(f"{handbook.head}/reusable-contents/nothing").status == 404


def test_files(handbook: Handbook) -> None:
    for prefix in handbook.prefixes:
        listed = handbook.get(prefix + "/files")
        assert listed["count"] == 2
        assert "next" not in listed
        by_name = {one["name"]: one for one in listed["items"]}
        picture, table = by_name["pixel.png"], by_name["counts.csv"]
        assert (picture["contentType"], picture["size"]) == ("image/png", len(PICTURE))
        assert picture["dimensions"] == {"width": 3, "height": 2}
        assert (table["contentType"], table["size"]) == ("text/csv", len(TABLE))
        assert "dimensions" not in table
        assert handbook.get(f"{prefix}/files/{picture['id']}") == picture


def test_a_download_address_answers_the_bytes(handbook: Handbook) -> None:
    for name, content in (("pixel.png", PICTURE), ("counts.csv", TABLE)):
        address = handbook.file(name)["downloadURL"]
        assert address.startswith("http://octavo.test/")
        path = address.removeprefix("http://octavo.test")
        reply = handbook.world.api.get(path, token="")
        assert reply.status == 200
        assert reply.body == content
        assert "html" not in reply.headers["content-type"]
        head = handbook.world.api.request("HEAD", path, token="")
        assert (head.status, head.body) == (200, b"")
        assert head.headers["content-length"] == str(len(content))


def test_an_altered_download_address_answers_nothing(handbook: Handbook) -> None:
    path = handbook.file("pixel.png")["downloadURL"].removeprefix("http://octavo.test")
    token = path.split("/")[2]
    for wrong in (token[:-1], token + "A", token[::-1], token.upper(), "nothing", "..%2f..%2fetc%2fpasswd", ""):
        reply = handbook.world.api.get(f"/files/{wrong}/pixel.png", token="")
        assert reply.status == 404, wrong
        assert PICTURE not in reply.body


def test_files_are_cut_into_pages(handbook: Handbook) -> None:
    for prefix in handbook.prefixes:
        first = handbook.get(prefix + "/files?limit=1")
        second = handbook.get(f"{prefix}/files?limit=1&page={first['next']['page']}")
        assert "next" not in second
        assert first["count"] == second["count"] == 2
        assert first["items"] + second["items"] == handbook.get(prefix + "/files")["items"]
    foreign = handbook.get(handbook.head + "/files?limit=1")["next"]["page"]
    assert handbook.world.api.get(f"{handbook.by_id}/files?page={foreign}").status == 400


def test_meta_links(handbook: Handbook) -> None:
    plain = handbook.get(f"{handbook.by_id}/page/{handbook.page('Install')['id']}/meta-links")
    assert plain == {"alternates": []}
    given = handbook.get(f"{handbook.by_id}/page/{handbook.page('Welcome')['id']}/meta-links")
    assert given == {"alternates": [{"kind": "page", "page": handbook.page("Start")["id"]}]}
    assert handbook.get(f"{handbook.head}/page/{handbook.page('Welcome')['id']}/meta-links") == given


def test_every_page_is_found_by_its_path(handbook: Handbook) -> None:
    for prefix in handbook.prefixes:
        for page in every(handbook.get(prefix + "/pages")["pages"]):
            if page["type"] in ("document", "group"):
                assert handbook.get(f"{prefix}/path/{page['path']}") == page


def test_paths_are_found_however_they_are_written(handbook: Handbook) -> None:
    install = handbook.page("Install")["id"]
    for prefix in handbook.prefixes:
        for path in (
            "guides/start/install", "guides%2Fstart%2Finstall", "guides%2fstart/install", "guides/start/install/",
            "Guides/START/Install", "%67uides/start/install", "%2Fguides%2Fstart%2Finstall",
        ):  # fmt: skip
            assert handbook.get(f"{prefix}/path/{path}")["id"] == install, path


def test_the_empty_path_is_the_first_page(handbook: Handbook) -> None:
    welcome = handbook.page("Welcome")["id"]
    for prefix in handbook.prefixes:
        for path in ("/path/%2F", "/path/"):
            assert handbook.get(prefix + path)["id"] == welcome, path


def test_paths_that_lead_nowhere(handbook: Handbook) -> None:
    for prefix in handbook.prefixes:
        for path in (
            "nowhere", "guides/start/nowhere", "guides/start/install.md", "../guides", "guides//start", "outside",
            "guides/outside", quote("guides/日本"), "%00", "a" * 3000, "guides%00", "%25",
        ):  # fmt: skip
            reply = handbook.world.api.get(f"{prefix}/path/{path}")
            assert reply.status in (400, 404), f"{path} {reply.status}"
            assert reply.message


def test_a_page_by_path_takes_the_same_forms(handbook: Handbook) -> None:
    page = handbook.page("Install")
    for query in ("", "?format=markdown", "?format=document", "?format=document&evaluated=true"):
        by_path = handbook.get(f"{handbook.head}/path/guides/start/install{query}")
        assert by_path == handbook.get(f"{handbook.head}/page/{page['id']}{query}")


def test_an_unlisted_page_is_kept_and_found(handbook: Handbook) -> None:
    assert "Unlisted" not in [one["title"] for one in every(handbook.get(handbook.head + "/pages")["pages"])]
    found = handbook.get(f"{handbook.head}/path/secret/unlisted?format=markdown")
    assert found["title"] == "Unlisted"
    assert found["markdown"].encode() == FILES["secret/unlisted.md"]
    assert handbook.get(f"{handbook.head}/page/{found['id']}")["title"] == "Unlisted"


def test_page_variables_and_labels(handbook: Handbook) -> None:
    install = handbook.page("Install")
    assert install["variables"] == {"speed": 3}
    assert install["slug"] == "install"
    assert install["linkTitle"] == "Set up"


def test_a_new_space_has_the_content_of_nobody_else(handbook: Handbook) -> None:
    world = handbook.world
    other = world.space()["id"]
    page, file = handbook.page("Install"), handbook.file("pixel.png")
    for path in (
        f"/content/page/{page['id']}", f"/content/files/{file['id']}", f"/revisions/{handbook.revision}",
        f"/revisions/{handbook.revision}/pages", f"/revisions/{handbook.revision}/page/{page['id']}",
        f"/documents/{page['documentId']}", "/content/path/guides/start/install",
    ):  # fmt: skip
        assert world.api.get(f"/v1/spaces/{other}{path}").status == 404, path


def _reads(handbook: Handbook) -> list[str]:
    page, file = handbook.page("Install"), handbook.file("pixel.png")["id"]
    reusable = handbook.get(handbook.head)["reusableContents"][0]["id"]
    both = ["", "/pages", "/files", f"/files/{file}", f"/page/{page['id']}", "/path/guides/start"]
    alone = [
        f"/page/{page['id']}/document", f"/page/{page['id']}/meta-links",
        f"/reusable-contents/{reusable}", f"/reusable-contents/{reusable}/document",
    ]  # fmt: skip
    made = [handbook.head + one for one in both] + [handbook.by_id + one for one in (*both, *alone)]
    made += [handbook.draft + one for one in (*both, alone[1], alone[2])]
    return [*made, f"/v1/spaces/{handbook.space}/documents/{page['documentId']}"]


def test_every_member_reads_and_nobody_else(handbook: Handbook) -> None:
    reads, world = _reads(handbook), handbook.world
    for role, status in [*((role, 200) for role in ROLES), ("guest", 404), (None, 404)]:
        token = world.person(role)
        for path in reads:
            assert world.api.get(path, token=token).status == status, f"{role} {path}"
    for path in reads:
        assert world.api.get(path, token="").status == 401


def test_things_that_are_not_there(handbook: Handbook) -> None:
    for path in _reads(handbook):
        head, _, word = path.rpartition("/")
        if word not in ("pages", "files", "content", "document", "meta-links", "start"):
            assert handbook.world.api.get(f"{head}/nothing").status == 404, path


def test_what_is_named_by_a_revision_is_remembered_by_clients(handbook: Handbook) -> None:
    world = handbook.world
    for path in _reads(handbook):
        first = world.api.get(path)
        tag = first.headers.get("etag")
        if "/content" in path:
            continue
        assert tag, path
        again = world.api.get(path, headers={"if-none-match": tag})
        assert (again.status, again.body) == (304, b""), path
        assert again.headers["etag"] == tag
        assert world.api.get(path, headers={"if-none-match": '"other"'}).status == 200
        assert world.api.get(path, headers={"if-none-match": f'"other", {tag}'}).status == 304
        stranger = world.api.get(path, headers={"if-none-match": tag}, token=world.person(None))
        assert stranger.status == 404


def test_a_computed_flag_of_either_kind_is_taken(handbook: Handbook) -> None:
    for word in ("true", "false"):
        assert [one["title"] for one in every(handbook.get(f"{handbook.head}?computed={word}")["pages"])] == LISTED


def test_redirects_lead_visitors_on(handbook: Handbook) -> None:
    site = handbook.world.site(handbook.space, title="Herons")
    base = site["urls"]["published"].removeprefix("http://octavo.test")
    reply = handbook.world.api.get(base + "old/place", token="")
    assert reply.status in (301, 302, 307, 308)
    assert reply.headers["location"].endswith("guides/start/install")


def test_an_empty_page_has_no_document_id(world: World) -> None:
    space = world.space()
    page = world.api.get(f"/v1/spaces/{space['id']}/content/pages").json["pages"][0]
    assert "documentId" not in page
    path = f"/v1/spaces/{space['id']}/content/page/{page['id']}"
    assert world.api.get(path + "?format=markdown").json["markdown"] == ""
    assert world.api.get(path + "?format=document").json["document"]["nodes"] == []


def test_a_page_with_a_title_alone_has_no_document_id(world: World) -> None:
    space = world.space(empty=True, editMode="live")["id"]
    for document in (
        {},
        {"markdown": "# Only a title\n"},
        {"document": {"object": "document", "data": {}, "nodes": []}},
    ):
        change = {"operation": "insert_page", "title": "Terns", "document": document}
        assert world.api.post(f"/v1/spaces/{space}/content", {"changes": [change]}).status == 200
    pages = world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"]
    assert len(pages) == 3
    assert not [page for page in pages if "documentId" in page]
    written = {"operation": "update_page", "page": pages[0]["id"], "document": {"markdown": "# Terns\n\nThey dive."}}
    assert world.api.post(f"/v1/spaces/{space}/content", {"changes": [written]}).status == 200
    assert "documentId" in world.api.get(f"/v1/spaces/{space}/content/page/{pages[0]['id']}").json
