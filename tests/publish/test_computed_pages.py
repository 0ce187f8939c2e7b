"""An entry of the table of contents that stands for an API: pages of it, in the API and on the site."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.client import World
from tests.resources.content.test_archives import _exported
from tests.resources.openapi.petstore import PETS

SUMMARY = """\
# Table of contents

* [Home](README.md)
* ```yaml
  type: builtin:openapi
  title: Pets API
  props:
    models: true
    grouping: {grouping}
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: pets
  ```
"""


def _space(world: World, folder: Path, grouping: str = "by-tag") -> str:
    folder.mkdir(exist_ok=True)
    (folder / "README.md").write_text("# Home\n\nHello.\n")
    (folder / "SUMMARY.md").write_text(SUMMARY.replace("{grouping}", grouping))
    return world.imported(folder)


def _described(world: World, text: str = PETS) -> None:
    assert world.api.put(f"/v1/orgs/{world.organization}/openapi/pets", {"source": {"text": text}}).status == 200
    world.work()


def _tree(world: World, space: str, query: str = "") -> list[Any]:
    pages: list[Any] = world.api.get(f"/v1/spaces/{space}/content/pages{query}").json["pages"]
    return pages


def test_an_entry_becomes_pages_where_that_is_asked_for(world: World, tmp_path: Path) -> None:
    space = _space(world, tmp_path / "docs")
    assert [one["type"] for one in _tree(world, space)] == ["document", "computed"]  # nothing is read yet
    _described(world)
    [_, made] = _tree(world, space)
    assert (made["type"], made["title"], made["computed"]["props"]["doc"]) == ("document", "Pets API", "info")
    assert [one["title"] for one in made["pages"]] == ["pets", "Other operations", "Models"]
    first = made["pages"][0]
    assert first["computed"]["dependencies"] == {"spec": {"ref": {"kind": "openapi", "spec": "pets"}}}
    assert first["computedSeed"] == "tag pets"
    [_, recipe] = _tree(world, space, "?computed=false")
    assert (recipe["type"], recipe["id"]) == ("computed", made["id"])
    again = _tree(world, space)[1]["pages"][0]["id"]
    assert again == first["id"]
    page = world.api.get(f"/v1/spaces/{space}/content/page/{first['id']}?format=document").json
    assert {node["type"] for node in page["document"]["nodes"]} == {"paragraph", "openapi-operation"}
    text = world.api.get(f"/v1/spaces/{space}/content/page/{first['id']}?format=markdown").json["markdown"]
    assert "## List pets" in text
    assert world.api.get(f"/v1/spaces/{space}/content/page/{first['id']}?computed=false").status == 404


@pytest.mark.parametrize("grouping", ["by-tag", "by-operation"])
def test_visitors_read_them(world: World, tmp_path: Path, grouping: str) -> None:
    space = _space(world, tmp_path / "docs", grouping)
    _described(world)
    site = f"/sites/{world.site(space)['basename']}/"
    home = world.api.get(site, token="").text
    assert "Pets API" in home
    assert "Other operations" in home
    last = "pets/list-pets" if grouping == "by-operation" else "pets"
    path = f"{_tree(world, space)[1]['path']}/{last}"
    page = world.api.get(site + path, token="")
    assert page.status == 200, page.text
    assert "Query parameters" in page.text
    assert world.api.get(f"{site}{path}.md", token="").status == 200
    assert path in world.api.get(site + "sitemap.xml", token="").text or path in _maps(world, site)
    assert path in world.api.get(site + "llms.txt", token="").text
    _described(world, PETS.replace("name: pets,", "name: animals,").replace("tags: [pets]", "tags: [animals]"))
    assert world.api.get(site + path, token="").status == 404
    assert world.api.get(site + path.replace("/pets", "/animals"), token="").status == 200


def _maps(world: World, site: str) -> str:
    return world.api.get(site + "sitemap-pages.xml", token="").text


def _found(world: World, site: dict[str, Any], words: str) -> list[str]:
    """Where a search of the site leads."""
    path = f"/sites/{site['basename']}/~octavo/search?q={words.replace(' ', '+')}"
    items = world.api.get(path, token="", headers={"accept": "application/json"}).json["items"]
    return [part["href"] for one in items for part in (one, *one["sections"])]


@pytest.mark.parametrize("grouping", ["by-tag", "by-operation"])
def test_search_finds_operations_paths_parameters_and_models(world: World, tmp_path: Path, grouping: str) -> None:
    space = _space(world, tmp_path / "docs", grouping)
    site = world.site(space)
    world.work()
    assert _found(world, site, "Pets") == []
    _described(world)
    base = f"/sites/{site['basename']}/pets-api/"
    for words in ("List pets", "GET /pets", "limit"):
        assert any(one.startswith(f"{base}pets") for one in _found(world, site, words)), words
    assert any(one.startswith(f"{base}models#pet") for one in _found(world, site, "The Pet object"))
    hits = world.api.get(f"/v1/orgs/{world.organization}/search?query=limit").json["items"]
    assert hits, "members find them too"


def test_search_follows_new_versions(world: World, tmp_path: Path) -> None:
    space = _space(world, tmp_path / "docs")
    site = world.site(space)
    _described(world)
    assert _found(world, site, "List pets")
    assert not _found(world, site, "zeppelins")
    _described(world, PETS.replace("List pets", "List zeppelins"))
    assert _found(world, site, "zeppelins")
    assert not any("get-pets" in one for one in _found(world, site, "List pets") if "zeppelins" in one)
    assert world.api.delete(f"/v1/orgs/{world.organization}/openapi/pets").status in (204, 205)
    world.work()
    assert not _found(world, site, "zeppelins")


def test_reads_that_follow_a_specification_say_so(world: World, tmp_path: Path) -> None:
    """By the tags that renderers keep answers under, which they are told of when there is a new version."""
    space = _space(world, tmp_path / "docs")
    _described(world)
    tag = f"organization:{world.organization}:openapi:pets"
    page = _tree(world, space)[1]["pages"][0]["id"]
    for path in ("content", "content/pages", f"content/page/{page}"):
        assert world.api.get(f"/v1/spaces/{space}/{path}").headers["x-gitbook-cache-tag"] == tag, path
    assert "x-gitbook-cache-tag" not in world.api.get(f"/v1/spaces/{space}/content/pages?computed=false").headers
    latest = world.api.get(f"/v1/orgs/{world.organization}/openapi/pets/versions/latest/content")
    assert latest.headers["x-gitbook-cache-tag"] == tag
    plain = world.space()["id"]
    assert "x-gitbook-cache-tag" not in world.api.get(f"/v1/spaces/{plain}/content").headers


def test_a_space_may_be_made_of_a_specification(world: World) -> None:
    path = f"/v1/orgs/{world.organization}/spaces"

    def source(**more: Any) -> dict[str, Any]:
        recipe = {"type": "builtin:openapi", "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "pets"}}}}
        return {"title": "Pets", "computedSource": recipe | more}

    early = world.api.post(path, source())
    assert (early.status, "no specification 'pets'" in early.text) == (400, True)
    _described(world)
    made = world.api.post(path, source(props={"models": True, "grouping": "by-operation"}))
    assert made.status == 201, made.text
    [page] = _tree(world, made.json["id"])
    assert (page["type"], page["path"], page["title"]) == ("document", "pets", "Pets")
    assert page["pages"][-1]["title"] == "Models"
    site = world.site(made.json["id"])
    assert "List pets" in world.api.get(f"/sites/{site['basename']}/", token="").text
    for wrong, said in (
        ({"type": "builtin:weather"}, "computedSource.type"),
        ({"props": {"grouping": "by-colour"}}, "computedSource.props.grouping"),
        ({"dependencies": {}}, "spec"),
    ):
        reply = world.api.post(path, source(**wrong))
        assert (reply.status, said in reply.text) == (400, True), reply.text


def test_the_api_puts_such_entries_among_pages(world: World, tmp_path: Path) -> None:
    """Made, changed, moved and deleted as other pages are; a change request holds them until it is merged."""
    space = world.space()["id"]
    at = f"/v1/spaces/{space}/change-requests/" + world.api.post(f"/v1/spaces/{space}/change-requests", {}).json["id"]

    def change(*changes: dict[str, Any]) -> Any:
        return world.api.post(f"{at}/content?compat=false", {"changes": list(changes)})

    def source(spec: str = "pets", **props: Any) -> dict[str, Any]:
        dependencies = {"spec": {"ref": {"kind": "openapi", "spec": spec}}}
        return {"type": "builtin:openapi", "dependencies": dependencies, "props": props}

    entry = {"operation": "insert_page", "computed": source()}
    early = change({"operation": "insert_page", "document": {"markdown": "# New"}}, entry)
    wanted = "changes[1].computed.dependencies.spec.ref.spec: the organization has no specification 'pets'"
    assert (early.status, early.message) == (400, wanted)
    _described(world)
    for wrong, said in (
        ({"operation": "insert_page"}, "document"),
        (entry | {"document": {"markdown": "x"}}, "not both"),
        (entry | {"computed": source(grouping="by-colour")}, "props.grouping"),
        (entry | {"computed": source() | {"type": "builtin:weather"}}, "computed.type"),
    ):
        reply = change(wrong)
        assert (reply.status, said in reply.text) == (400, True), reply.text
    made = change(entry | {"at": 0, "title": "Animals API"})
    assert made.status == 200, made.text
    page = made.json["changes"][0]["page"]["id"]
    assert change({"operation": "insert_page", "into": page, "document": {"markdown": "x"}}).status == 400
    assert change({"operation": "update_page", "page": page, "document": {"markdown": "x"}}).status == 400
    [listed, *_] = world.api.get(f"{at}/content/pages?computed=false").json["pages"]
    assert (listed["type"], listed["computed"], listed["title"]) == (
        "computed", source(models=False, downloadLink=False, grouping="by-tag"), "Animals API",
    )  # fmt: skip
    [created] = world.api.get(f"{at}/changes").json["changes"]
    assert (created["type"], created["page"]["title"]) == ("page_created", "Animals API")
    assert world.api.post(f"{at}/merge").status == 200
    world.work()
    [first, *_] = _tree(world, space)
    assert [one["title"] for one in first["pages"]] == ["pets", "Other operations"]
    at = f"/v1/spaces/{space}/change-requests/" + world.api.post(f"/v1/spaces/{space}/change-requests", {}).json["id"]
    again = {"operation": "update_page", "page": page, "title": "Beasts", "computed": source(models=True), "at": 9}
    assert change(again).status == 200
    edited = {one["type"]: one for one in world.api.get(f"{at}/changes").json["changes"]}
    assert {"title", "computed"} == set(edited["page_edited"]["attributes"])
    plain = _tree(world, space, "?computed=false")[1]["id"]
    assert change({"operation": "update_page", "page": plain, "computed": source()}).status == 400
    assert world.api.post(f"{at}/merge").status == 200
    last = _tree(world, space)[-1]
    assert (last["id"], last["title"], last["pages"][-1]["title"]) == (page, "Beasts", "Models")
    kept = world.api.get(f"/v1/spaces/{space}/content/pages?computed=false").json["pages"]
    folder = tmp_path / "again"
    files = _exported(world, space)
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(data)
    read = _tree(world, world.imported(folder), "?computed=false")
    assert [(one["type"], one["title"], one.get("computed")) for one in read] == [
        (one["type"], one["title"], one.get("computed")) for one in kept
    ]
    at = f"/v1/spaces/{space}/change-requests/" + world.api.post(f"/v1/spaces/{space}/change-requests", {}).json["id"]
    assert change({"operation": "delete_page", "page": page}).status == 200
    assert world.api.post(f"{at}/merge").status == 200
    assert len(_tree(world, space)) == len(kept) - 1


def test_many_schemas_have_a_page_each(world: World, tmp_path: Path) -> None:
    space = _space(world, tmp_path / "docs")
    schemas = {f"Kind{at}": {"type": "object", "properties": {f"size{at}": {"type": "string"}}} for at in range(60)}
    spec = {
        "openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}, "components": {"schemas": schemas},
    }  # fmt: skip
    _described(world, json.dumps(spec))
    site = world.site(space)
    [models] = _tree(world, space)[1]["pages"]
    assert [one["title"] for one in models["pages"]] == [*schemas]
    base = f"/sites/{site['basename']}/pets-api/models"
    listed = world.api.get(base, token="").text
    assert f'href="{base}/kind59"' in listed
    assert "size59" in world.api.get(f"{base}/kind59", token="").text
    assert f"{base}/kind59" in " ".join(_found(world, site, "size59"))


def test_a_new_version_concerns_what_differs_in_it(world: World, tmp_path: Path) -> None:
    """Only pages that say something else are indexed anew."""
    space = _space(world, tmp_path / "docs", "by-operation")
    site = world.site(space)
    _described(world)

    def indexed() -> dict[str, bytes]:
        return world.run(world.house.store.read(lambda unit: unit.search.marked(space, b"api")))

    before = indexed()
    _described(world, PETS.replace("summary: Add a pet", "summary: Adopt a pet"))
    after = indexed()
    changed = {one for one in after if after[one] != before.get(one)}
    titles = {one["title"] for one in _walked(_tree(world, space)) if one["id"] in changed}
    assert titles == {"Adopt a pet", "pets"}
    assert len(after) == len(before) > 5
    assert _found(world, site, "Adopt")
    _described(world, PETS.replace("summary: Add a pet", "summary: Adopt a pet") + "# the same\n")
    assert indexed() == after


def _walked(pages: list[Any]) -> list[Any]:
    return [one for page in pages for one in (page, *_walked(page.get("pages", [])))]
