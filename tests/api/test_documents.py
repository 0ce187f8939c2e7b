"""What describes the service: /openapi.json, /docs, health."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from octavo import __version__
from octavo.api.meanings import Meanings
from octavo.api.openapi import document
from octavo.api.routes import OPERATIONS
from tests.client import World

MADE = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "openapi.py"))


def test_the_description_is_what_the_rows_say() -> None:
    assert not MADE["stale"](), "run `python tools/openapi.py`"


def test_the_check_sees_a_description_that_is_not_what_the_rows_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = runpy.run_path(MADE["__file__"])
    made["main"].__globals__["DESCRIPTION"] = tmp_path / "openapi.json"
    assert made["main"](["--check"]) == 1
    assert "run `python tools/openapi.py`" in capsys.readouterr().err
    assert made["main"]([]) == 0
    assert made["main"](["--check"]) == 0


def test_the_description_says_where_and_which_octavo_this_is(world: World) -> None:
    described = world.api.get("/openapi.json", token="").json
    assert described["servers"] == [{"url": world.house.base}]
    assert described["info"]["version"] == __version__


def test_the_description_names_every_operation(world: World) -> None:
    reply = world.api.get("/openapi.json", token="")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("application/json")
    described = reply.json
    assert described["openapi"].startswith("3.")
    paths = {re.sub(r"\{\w+\}", "*", path) for path in described["paths"]}
    assert {
        "/v1", "/v1/user", "/v1/orgs", "/v1/orgs/*", "/v1/orgs/*/spaces", "/v1/spaces/*", "/v1/spaces/*/content",
        "/v1/spaces/*/content/pages", "/v1/spaces/*/content/files", "/v1/spaces/*/content/files/*",
        "/v1/spaces/*/content/page/*", "/v1/spaces/*/content/path/*", "/v1/spaces/*/revisions/*",
        "/v1/spaces/*/revisions/*/page/*/document", "/v1/spaces/*/git/import", "/v1/spaces/*/git/info",
        "/v1/orgs/*/sites", "/v1/orgs/*/sites/*", "/v1/orgs/*/sites/*/published", "/v1/orgs/*/search",
    } <= paths  # fmt: skip
    ids = [one["operationId"] for methods in described["paths"].values() for one in methods.values()]
    assert len(ids) == len(set(ids))
    assert {"getSpaceById", "updateSpaceById", "createSite", "importGitRepository", "searchOrganizationContent"} <= set(
        ids
    )


def test_every_reference_in_it_leads_somewhere(world: World) -> None:
    reply = world.api.get("/openapi.json", token="")
    schemas = reply.json["components"]["schemas"]
    for name in set(re.findall(r'"#/components/schemas/([^"]+)"', reply.text)):
        assert name in schemas, name


def test_success_codes_are_those_of_the_specification(world: World) -> None:
    described = world.api.get("/openapi.json", token="").json
    codes = {
        one["operationId"]: set(one["responses"]) for methods in described["paths"].values() for one in methods.values()
    }
    for operation, code in (
        ("createSpace", "201"), ("createSite", "201"), ("createOrganization", "201"), ("updateSpaceById", "200"),
        ("importGitRepository", "204"), ("getSpaceGitInfo", "200"), ("publishSite", "200"), ("searchSiteContent", "200"),
    ):  # fmt: skip
        assert {one for one in codes[operation] if one.startswith("2")} == {code}, operation


def test_clients_keep_the_description(world: World) -> None:
    tag = world.api.get("/openapi.json", token="").headers["etag"]
    again = world.api.get("/openapi.json", token="", headers={"if-none-match": tag})
    assert (again.status, again.body) == (304, b"")


def test_the_description_is_only_read(world: World) -> None:
    assert world.api.post("/openapi.json", token="").status == 405


def test_health(world: World) -> None:
    for path in ("/healthz", "/readyz"):
        reply = world.api.get(path, token="")
        assert reply.status == 200
        assert reply.json["status"] == "ok"
        assert reply.headers["cache-control"] == "no-store"


def test_not_ready_while_nobody_takes_jobs(world: World) -> None:
    world.house.worker.beaten_at -= 3_600_000
    reply = world.api.get("/readyz", token="")
    assert reply.status == 503
    assert reply.json["jobs"]
    assert world.api.get("/healthz", token="").status == 200


@pytest.fixture
def described(world: World) -> Any:
    return world.api.get("/openapi.json", token="").json


def _schemas(part: Any) -> Iterator[Any]:
    if isinstance(part, dict):
        yield part
        part = list(part.values())
    if isinstance(part, list):
        for one in part:
            yield from _schemas(one)


def test_strict_tools_read_it(described: Any) -> None:
    """Types beside enumerations, patterns without what Go and Rust refuse, names that are words."""
    engine = jsonschema_rs.RegexOptions()
    for schema in _schemas(described):
        assert "type" in schema or not isinstance(schema.get("enum"), list), schema
        if isinstance(pattern := schema.get("pattern"), str):
            jsonschema_rs.validator_for({"pattern": pattern}, pattern_options=engine)
    assert [name for name in described["components"]["schemas"] if not re.fullmatch("[A-Z][A-Za-z]*", name)] == []
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validator_for({"pattern": r"^a$(?!\s)"}, pattern_options=engine)


def test_every_operation_is_described_and_every_body_has_an_example(described: Any) -> None:
    registry = jsonschema_rs.Registry([("urn:own", described)])
    for path, methods in described["paths"].items():
        for operation in methods.values():
            assert operation["description"], path
            if "requestBody" in operation:
                held = operation["requestBody"]["content"]["application/json"]
                schema = {"$ref": "urn:own" + held["schema"]["$ref"]}
                jsonschema_rs.validator_for(schema, registry=registry).validate(held["example"])


def test_everything_in_it_is_explained(described: Any) -> None:
    bare = [
        f"{shape}.{name}"
        for shape, schema in described["components"]["schemas"].items()
        for name, part in schema.get("properties", {}).items()
        if not part.get("description")
    ]
    for methods in described["paths"].values():
        for one in methods.values():
            bare += [f"{one['operationId']} {part['name']}" for part in one["parameters"] if not part["description"]]
    bare += [tag["name"] for tag in described["tags"] if not tag["description"]]
    assert bare == []


def test_what_a_field_means_is_said_once_and_of_fields_that_there_are() -> None:
    meanings = Meanings()
    document(OPERATIONS, meanings)
    assert meanings.unused() == []
    with pytest.raises(LookupError, match="colour of Shelf"):
        meanings.describe({"Shelf": {"properties": {"colour": {"type": "string"}}}})


def test_no_word_of_a_path_has_two_names(described: Any) -> None:
    """Clients of strict languages refuse paths that differ in the name of a word alone."""
    bare = [re.sub(r"\{\w+\}", "*", path) for path in described["paths"]]
    assert len(bare) == len(set(bare))


def test_a_body_is_required_where_an_empty_one_is_refused(world: World, described: Any) -> None:
    def required(path: str, method: str) -> bool:
        found: bool = described["paths"][path][method]["requestBody"]["required"]
        return found

    assert required("/v1/orgs/{organizationId}/link-invites", "post")
    assert world.api.post(f"/v1/orgs/{world.organization}/link-invites").status == 400
    assert not required("/v1/spaces/{spaceId}", "patch")
    assert world.api.patch(f"/v1/spaces/{world.space()['id']}").status == 200


_RICH = """# Rich

Text with **bold**, `code` and [a link](https://example.org/).

{% hint style="info" %}
A hint.
{% endhint %}

{% tabs %}
{% tab title="One" %}
* a
* b
{% endtab %}
{% endtabs %}

| A | B |
| - | - |
| 1 | 2 |

```python
print(1)
```
"""


def test_documents_are_what_the_description_says(world: World, described: Any) -> None:
    space = world.space("Rich", editMode="live")["id"]
    changes = {"changes": [{"operation": "insert_page", "document": {"markdown": _RICH}}]}
    assert world.api.post(f"/v1/spaces/{space}/content", changes).status == 200
    registry = jsonschema_rs.Registry([("urn:own", described)])
    check = jsonschema_rs.validator_for({"$ref": "urn:own#/components/schemas/Document"}, registry=registry)
    page = world.api.get(f"/v1/spaces/{space}/content/path/rich?format=document").json
    check.validate(page["document"])
    read = world.api.get(f"/v1/spaces/{space}/documents/{page['documentId']}").json
    check.validate(read)
    assert not check.is_valid(read | {"nodes": [{"object": "block"}]})
