"""A site's endpoint for assistants: the Model Context Protocol, with the rights of whoever asks."""

from __future__ import annotations

import json
from typing import Any

import jwt
import pytest

from tests.client import Reply, World
from tests.resources.writing import Line


@pytest.fixture
def shown(world: World) -> tuple[dict[str, Any], str]:
    """A site of a space with two pages, one of them for staff alone; its path."""
    space = world.space("Guide")
    line = Line(world, space["id"])
    line.insert("# Herons\n\nThe grey heron nests in trees.\n\n## Food\n\nIt eats fish.\n")
    line.insert("---\nif: visitor.claims.staff\n---\n\n# Terns\n\nThe tern nests on sand.\n")
    line.post("merge")
    world.work()
    site = world.site(space["id"])
    return site, f"/sites/{site['basename']}"


def post(world: World, path: str, message: Any, **headers: str) -> Reply:
    raw = message if isinstance(message, bytes) else json.dumps(message).encode()
    return world.api.request("POST", f"{path}/~octavo/mcp", body=raw, headers=headers, token="")


def ask(world: World, path: str, method: str, params: Any = None, **headers: str) -> Any:
    said = {"jsonrpc": "2.0", "id": 7, "method": method} | ({} if params is None else {"params": params})
    reply = post(world, path, said, **headers)
    assert reply.status == 200, reply.text
    assert (reply.json["jsonrpc"], reply.json["id"]) == ("2.0", 7)
    return reply.json


def call(
    world: World, path: str, tool: str, headers: dict[str, str] | None = None, /, **arguments: Any
) -> tuple[str, bool]:
    found = ask(world, path, "tools/call", {"name": tool, "arguments": arguments}, **(headers or {}))["result"]
    [content] = found["content"]
    assert content["type"] == "text"
    return content["text"], found["isError"]


def test_an_assistant_arrives_and_learns_what_there_is(world: World, shown: tuple[dict[str, Any], str]) -> None:
    site, path = shown
    hello = ask(world, path, "initialize", {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {}})
    assert hello["result"]["protocolVersion"] == "2025-03-26"
    assert hello["result"]["serverInfo"]["title"] == site["title"]
    assert "tools" in hello["result"]["capabilities"]
    assert ask(world, path, "initialize", {"protocolVersion": "1999"})["result"]["protocolVersion"] == "2025-06-18"
    assert post(world, path, {"jsonrpc": "2.0", "method": "notifications/initialized"}).status == 202
    assert ask(world, path, "ping")["result"] == {}
    tools = {tool["name"]: tool for tool in ask(world, path, "tools/list")["result"]["tools"]}
    assert set(tools) == {"search", "get_page", "list_pages"}
    assert tools["search"]["inputSchema"]["required"] == ["query"]
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools.values())


def test_tools_search_read_and_list(world: World, shown: tuple[dict[str, Any], str]) -> None:
    site, path = shown
    hits, failed = call(world, path, "search", query="heron")
    assert not failed
    assert "## Herons" in hits
    assert site["urls"]["published"] + "herons.md" in hits
    page, failed = call(world, path, "get_page", path="herons")
    assert not failed
    assert "It eats fish." in page
    for spelled in ("/herons.md", site["urls"]["published"] + "herons", "Herons#food"):
        assert call(world, path, "get_page", path=spelled) == (page, False), spelled
    listed, failed = call(world, path, "list_pages")
    assert not failed
    assert "- herons: Herons" in listed
    assert "herons" not in call(world, path, "list_pages", below="zz")[0]


def test_what_is_not_there_is_said_so(world: World, shown: tuple[dict[str, Any], str]) -> None:
    _, path = shown
    text, failed = call(world, path, "get_page", path="heronss")
    assert failed
    assert "herons" in text
    assert call(world, path, "search", query="zzzzqqqq")[1]
    assert call(world, path, "list_pages", below="zz")[1]


def test_an_assistant_sees_what_its_visitor_may_see(world: World, shown: tuple[dict[str, Any], str]) -> None:
    site, path = shown
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    schema = {
        "type": "object",
        "properties": {"staff": {"type": "boolean", "description": "Works here"}},
        "additionalProperties": False,
    }
    assert world.api.put(f"{at}/adaptive-schema", {"jsonSchema": schema}).status == 200
    assert world.api.patch(at, {"adaptiveContent": {"enabled": True}}).status == 200
    key = world.api.get(f"{at}/publishing/auth").json["privateKey"]
    assert call(world, path, "get_page", path="terns")[1]
    assert "Terns" not in call(world, path, "list_pages")[0]
    known = {"authorization": "Bearer " + jwt.encode({"staff": True}, key, algorithm="HS256")}
    assert "on sand" in call(world, path, "get_page", known, path="terns")[0]
    assert "Terns" in call(world, path, "list_pages", known)[0]
    world.api.patch(at, {"visibility": "visitor-auth"})
    assert post(world, path, {"jsonrpc": "2.0", "id": 1, "method": "ping"}).status == 404
    assert post(world, path, {"jsonrpc": "2.0", "id": 1, "method": "ping"}, **known).status == 200


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (b"{", -32700), (b"\xff", -32700), (b"[" * 5000, -32600),
        ([], -32600), ({}, -32600), ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "resources/list"}, -32601),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "drop"}}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search"}}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {"query": 5}}}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": []}}, -32602),
    ],
)  # fmt: skip
def test_wrong_messages_are_errors_of_the_protocol(
    world: World, shown: tuple[dict[str, Any], str], message: Any, code: int
) -> None:
    reply = post(world, shown[1], message)
    assert (reply.status, reply.json["error"]["code"]) == (200, code)


def test_the_endpoint_is_where_assistants_are_wanted(world: World, shown: tuple[dict[str, Any], str]) -> None:
    site, path = shown
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert world.api.get(f"{path}/~octavo/mcp", token="").status == 405
    assert world.api.request("POST", f"{path}/herons", body=b"{}", token="").status == 405
    assert post(world, path, b"x" * (65 << 10)).status == 413
    look = world.api.get(f"{at}/customization").json
    assert world.api.put(f"{at}/customization", look | {"pageActions": {"items": ["markdown"]}}).status == 200
    assert post(world, path, ping).status == 404
    assert world.api.put(f"{at}/customization", look).status == 200
    assert post(world, path, ping).status == 200
    world.api.patch(at, {"agentsContext": "excluded"})
    assert post(world, path, ping).status == 404
    world.api.patch(at, {"agentsContext": "included"})
    world.api.post(f"{at}/unpublish")
    assert post(world, path, ping).status == 404
