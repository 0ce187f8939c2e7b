"""Pages that describe an API: operations, schemas and webhooks as a reference, after the newest version."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from tests.client import World
from tests.resources.openapi.petstore import PETS

TEXT = """\
# API

{% openapi-operation spec="pets" path="/pets" method="get" %}
{% endopenapi-operation %}

{% openapi-operation spec="pets" path="/pets" method="post" %}
{% endopenapi-operation %}

{% openapi-operation spec="pets" path="/pets/{pet}" method="get" %}
{% endopenapi-operation %}

{% openapi-schemas spec="pets" schemas="Pet,Person" %}
{% endopenapi-schemas %}

{% openapi-webhook spec="pets" name="petSold" method="post" %}
{% endopenapi-webhook %}

{% openapi-operation spec="pets" path="/none" method="get" %}
{% endopenapi-operation %}

{% openapi-operation spec="none" path="/none" method="get" %}
{% endopenapi-operation %}
"""


def _described(world: World, text: str = PETS) -> None:
    reply = world.api.put(f"/v1/orgs/{world.organization}/openapi/pets", {"source": {"text": text}})
    assert reply.status == 200, reply.text
    world.work()


def published(world: World, text: str = TEXT) -> dict[str, Any]:
    """A site whose only space has a page of this text."""
    space = world.space("Reference", editMode="live")["id"]
    body = {"changes": [{"operation": "insert_page", "title": "API", "document": {"markdown": text}}]}
    made = world.api.post(f"/v1/spaces/{space}/change-requests", {"subject": "API"}).json["id"]
    at = f"/v1/spaces/{space}/change-requests/{made}"
    assert world.api.post(f"{at}/content", body).status == 200
    assert world.api.post(f"{at}/merge").status == 200
    return world.site(space)


def page(world: World, site: dict[str, Any], path: str = "api") -> str:
    reply = world.api.get(f"/sites/{site['basename']}/{path}", token="")
    assert reply.status == 200, reply.text
    return reply.text


def test_operations_are_a_reference(world: World) -> None:
    _described(world)
    html = page(world, published(world))
    assert html.count('<section class="api') == 6
    assert '<span class="method" data-method="post">POST</span>' in html
    assert "<strong>newest</strong>" in html  # descriptions are Markdown
    assert "https://eu.pets.example/v1" in html
    for words in ("Query parameters", "Headers", "Authorization", "Body", "Responses", "Path parameters"):
        assert words in html
    assert "at least 1 character ·" in html
    assert "<code>cat</code>, <code>dog</code>, <code>heron</code>" in html
    assert "Deprecated" in html
    for language in ("cURL", "Python", "JavaScript", "Go", "HTTP"):
        assert f'data-title="{language}"' in html
    assert re.search(r"The Person object", html)
    assert re.search(r"There is no API description \S*none", html)
    # Beside an icon, as in every hint: the column of icons has no room for words.
    absent = re.findall(r'<div class="hint hint-warning api-absent">(.{0,40})', html)
    assert len(absent) == 2
    assert all("hint-icon" in one for one in absent), absent
    assert "has no operation GET /none" in html


def test_what_is_always_the_same_and_what_comes_in_headers_is_told(world: World) -> None:
    schema = {"type": "object", "properties": {"object": {"type": "string", "enum": ["pet"], "pattern": "^p"}}}
    reply = {"description": "A pet", "headers": {"Location": {"schema": {"type": "string"}}}}
    reply["content"] = {"application/json": {"schema": schema}}
    trace = {"name": "X-Trace", "in": "header", "schema": {"type": "string"}}
    one = {"get": {"parameters": [trace], "responses": {"200": reply}}}
    spec: dict[str, Any] = {"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets": one}}
    spec["servers"] = [{"url": "https://pets.example"}]
    _described(world, json.dumps(spec))
    html = page(world, published(world))
    assert "always <code>pet</code>" in html
    assert "pattern <code>^p</code>" in html
    assert '<p class="api-head">Body <span class="api-type">application/json</span></p>' in html
    [call] = re.findall(r'class="api-try" data-call="([^"]+)"', html)
    assert json.loads(unescape(call))["more"] == [["header", "X-Trace"]]


def test_its_markdown_says_the_same(world: World) -> None:
    _described(world)
    site = published(world)
    text = world.api.get(f"/sites/{site['basename']}/api.md", token="").text
    for words in ("## List pets", "`GET https://eu.pets.example/v1/pets`", "* `limit` (`integer`", "curl", "## Person"):
        assert words in text, words
    assert "openapi-operation" not in text


def test_a_reader_may_call_what_the_page_describes(world: World) -> None:
    _described(world)
    site = published(world)
    reply = world.api.get(f"/sites/{site['basename']}/api", token="")
    assert "connect-src 'self' https://eu.pets.example;" in reply.headers["content-security-policy"]
    assert "api-try" in reply.text
    home = world.api.get(f"/sites/{site['basename']}/", token="")
    assert "pets.example" not in home.headers["content-security-policy"]
    assert "api-try." not in home.text


def test_pages_follow_new_versions(world: World) -> None:
    site = published(world)
    assert "has not been read yet" in page(world, site)
    _described(world)
    assert "List pets" in page(world, site)
    _described(world, PETS.replace("summary: List pets", "summary: All of them"))
    html = page(world, site)
    assert "All of them" in html
    assert "List pets" not in html


def test_what_a_stranger_wrote_is_text(world: World) -> None:
    hostile = PETS.replace("List pets", "<script>alert(1)</script>").replace("How many", "<img src=x onerror=alert(2)>")
    _described(world, hostile)
    html = page(world, published(world))
    assert "<script>alert(1)" not in html
    assert "onerror=alert" not in html or "&lt;img" in html
    assert "<img src=x" not in html


def test_search_finds_what_blocks_show(world: World) -> None:
    _described(world)
    site = published(world)
    world.work()

    def found(words: str) -> list[str]:
        path = f"/sites/{site['basename']}/~octavo/search?q={words}"
        items = world.api.get(path, token="", headers={"accept": "application/json"}).json["items"]
        return [part["href"] for one in items for part in (one, *one["sections"])]

    [anchor] = {one.partition("#")[2] for one in found("List+pets") if "get-" in one}
    assert f'id="{anchor}"' in page(world, site)
    assert found("limit")
    _described(world, PETS.replace("List pets", "List zeppelins"))
    assert found("zeppelins")


def test_a_block_shows_all_schemas_that_it_names(world: World) -> None:
    names = [f"Kind{at}" for at in range(120)]
    schemas = {one: {"type": "object", "properties": {f"size{one}": {"type": "string"}}} for one in names}
    info = {"title": "Kinds", "version": "1"}
    spec: dict[str, Any] = {"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": schemas}}
    _described(world, json.dumps(spec))
    block = '{{% openapi-schemas spec="pets" schemas="{}" %}}\n{{% endopenapi-schemas %}}\n'
    site = published(world, "# API\n\n" + block.format(",".join(names)))
    html = page(world, site)
    assert [one for one in names if f"The {one} object" not in html or f"size{one}" not in html] == []
    assert html.count("<summary>1 attribute</summary>") == 120  # so many, that each is opened by who wants it
    few = published(world, "# API\n\n" + block.format(",".join(names[:3])))
    assert "<summary>1 attribute</summary>" not in page(world, few)
    many = published(world, "# API\n\n" + block.format(",".join(f"Kind{at}" for at in range(1_001))))
    assert "This block names 1,001 schemas; one shows 1,000 at most." in page(world, many)
