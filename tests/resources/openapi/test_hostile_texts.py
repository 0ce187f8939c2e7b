"""Specifications that are made to exhaust their reader: each is read within the limits of its process, or told why not."""

from __future__ import annotations

import json
from typing import Any

from octavo.jobs.openapi.processing import CHILD
from tests.client import World
from tests.publish.test_api_reference import page, published

SCHEMA = "#/components/schemas/"
NODE = {"type": "object", "properties": {"next": {"$ref": SCHEMA + "Leaf"}, "self": {"$ref": SCHEMA + "Node"}}}
LEAF = {"allOf": [{"$ref": SCHEMA + "Node"}], "items": {"$ref": SCHEMA + "Leaf"}}
BOMB = "openapi: 3.1.0\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{one}: &a{one} [{', '.join([f'*a{one - 1}'] * 10)}]\n" for one in range(1, 12)
)


def _read(world: World, text: str) -> dict[str, Any]:
    at = f"/v1/orgs/{world.organization}/openapi/hostile"
    reply = world.api.put(at, {"source": {"text": text}})
    assert reply.status == 200, reply.text
    world.work()
    read: dict[str, Any] = world.api.get(at).json
    assert read["processingState"] == "complete"
    return read


def _answers(ref: str) -> dict[str, Any]:
    shown = {"200": {"description": "It", "content": {"application/json": {"schema": {"$ref": ref}}}}}
    return {"get": {"summary": "Get it", "responses": shown}}


def _text(paths: dict[str, Any], schemas: dict[str, Any]) -> str:
    info = {"title": "Hostile", "version": "1"}
    return json.dumps({"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": schemas}})


def test_fifty_thousand_references_are_read_in_four_hundred_megabytes(world: World) -> None:
    assert CHILD.memory <= 400 << 20
    schemas = {
        f"S{one}": {
            "type": "object",
            "properties": {f"a{at}": {"$ref": f"{SCHEMA}S{(one * 7 + at * 13) % 1000}"} for at in range(49)},
        }
        for one in range(1000)
    }
    text = _text({f"/p{one}": _answers(f"{SCHEMA}S{one}") for one in range(1000)}, schemas)
    assert text.count("$ref") == 50_000
    read = _read(world, text)
    assert "lastProcessErrorCode" not in read
    assert read["lastProcessedErrorCount"] == 0
    block = '{% openapi-operation spec="hostile" path="/p7" method="get" %}\n{% endopenapi-operation %}\n'
    html = page(world, published(world, block))
    assert "Get it" in html
    assert len(html) < 1_000_000  # what lies deep is named only


def test_what_names_itself_many_times_is_told(world: World) -> None:
    read = _read(world, BOMB)
    assert read["lastProcessErrorCode"] == "PARSE_ERROR"
    [told] = read["lastProcessedErrors"]
    assert told["message"].startswith("The text is not valid YAML")
    assert "lastVersion" not in read


def test_circles_are_read_and_shown(world: World) -> None:
    circle = {"A": {"$ref": SCHEMA + "B"}, "B": {"$ref": SCHEMA + "A"}}
    read = _read(world, _text({"/node": _answers(SCHEMA + "Node")}, {"Node": NODE, "Leaf": LEAF, **circle}))
    assert "lastProcessErrorCode" not in read
    assert read["lastVersion"]
    html = page(
        world,
        published(
            world,
            '{% openapi-operation spec="hostile" path="/node" method="get" %}\n{% endopenapi-operation %}\n\n'
            '{% openapi-schemas spec="hostile" schemas="Node,Leaf,A" %}\n{% endopenapi-schemas %}\n',
        ),
    )
    assert "Get it" in html
    assert "The Leaf object" in html
