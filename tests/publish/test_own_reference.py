"""The reference of Octavo's own API at /docs: the pages that its description becomes."""

from __future__ import annotations

import html
import json
import re
import shlex
from typing import Any

import pytest

from octavo.content.openapi.cutting import cut
from octavo.content.openapi.samples import samples
from octavo.site.apis import shown_in
from tests.client import World
from tests.profiles import DEEP


def _page(world: World, path: str, **headers: str) -> str:
    reply = world.api.get(f"/docs/{path}", token="", headers=headers)
    assert reply.status == 200, f"{path}: {reply.status}"
    return reply.text


def test_an_operation_has_a_page_with_samples_and_a_form_to_try_it(world: World) -> None:
    page = _page(world, "spaces/create-a-space")
    assert "<h1>Create a space</h1>" in page
    for sample in ("cURL", "Python", "JavaScript"):
        assert f">{sample}<" in page
    assert "White space around it is dropped" in page
    [call] = re.findall(r'class="api-try" data-call="([^"]+)"', page)
    told: dict[str, Any] = json.loads(html.unescape(call))
    assert (told["method"], told["server"]) == ("POST", world.house.base)
    assert told["path"] == "/v1/orgs/{organizationId}/spaces"
    assert json.loads(told["body"]) == {"title": "Handbook", "emoji": "1f4d8"}


def test_what_the_form_sends_by_itself_is_answered(world: World) -> None:
    """The values of the page with the caller's own token and id in the place of the examples."""
    call = re.findall(r'class="api-try" data-call="([^"]+)"', _page(world, "spaces/create-a-space"))[0]
    told = json.loads(html.unescape(call))
    path = told["path"].replace("{organizationId}", world.organization)
    assert world.api.post(path, json.loads(told["body"])).status == 201


def test_the_first_page_explains_authentication_once(world: World) -> None:
    page = _page(world, "")
    assert page.count(">Authentication<") >= 1
    assert len(re.findall(r"<h\d[^>]*id=\"authentication", page)) == 1
    assert 'href="/openapi.json"' in page


def test_a_chapter_lists_its_operations(world: World) -> None:
    page = _page(world, "spaces")
    assert 'href="/docs/spaces/create-a-space"' in page
    assert 'data-method="post">POST<' in page


def test_every_page_is_markdown_too(world: World) -> None:
    text = _page(world, "spaces/create-a-space.md")
    assert text.startswith("# Create a space")
    assert "curl -X POST" in text
    assert _page(world, "spaces/create-a-space", accept="text/markdown") == text
    assert "spaces/create-a-space.md" in _page(world, "llms.txt")


@pytest.mark.parametrize("asked", ["create space", "POST /v1/orgs spaces", "createSpace"])
def test_search_finds_operations_by_words_paths_and_ids(world: World, asked: str) -> None:
    found = json.loads(_page(world, f"~octavo/search?q={asked.replace(' ', '+')}", accept="application/json"))
    assert "/docs/spaces/create-a-space" in [one["href"] for one in found["items"]]
    assert 'href="/docs/spaces/create-a-space' in _page(world, f"~octavo/search?q={asked.replace(' ', '+')}")


def test_search_finds_nothing_where_there_is_nothing(world: World) -> None:
    found = json.loads(_page(world, "~octavo/search?q=zeppelin", accept="application/json"))
    assert (found["items"], found["count"]) == ([], 0)
    assert json.loads(_page(world, "~octavo/search?q=", accept="application/json"))["count"] == 0


def test_all_pages_answer_and_their_links_lead_somewhere(world: World) -> None:
    """Every page that the list names is there, and so are those that chapters link to."""
    listed = re.findall(r"\((?:https?://[^/]+)?/docs/([^)]*)\.md\)", _page(world, "llms.txt"))
    assert len(listed) > 300
    chapters = [path for path in listed if path and "/" not in path]
    for path in [*chapters[::6], *listed[::60]]:
        for href in set(re.findall(r'href="(/docs/[^"#~]*)"', _page(world, path))) if path in chapters else ():
            assert href.removeprefix("/docs/").removesuffix(".md") in {*listed, "", "guides/"}, href


def test_what_is_not_there(world: World) -> None:
    reply = world.api.get("/docs/spaces/create-a-spice", token="")
    assert reply.status == 404
    assert "/docs/spaces/create-a-space" in reply.text
    assert world.api.get("/docs/~octavo/nav/nothing", token="").status == 404
    assert world.api.get("/docs", token="").headers["location"] == "/docs/"
    assert world.api.get("/docs/Spaces", token="").headers["location"] == "/docs/spaces"
    assert world.api.post("/docs/", token="").status == 405


def test_who_has_a_page_gets_no_second_one(world: World) -> None:
    reply = world.api.get("/docs/spaces", token="")
    again = world.api.get("/docs/spaces", token="", headers={"if-none-match": reply.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    assert "script-src 'self'" in reply.headers["content-security-policy"]


def _operations(described: Any) -> list[tuple[str, str, Any]]:
    return [(path, method, one) for path, methods in described["paths"].items() for method, one in methods.items()]


def test_every_sample_is_a_program_that_sends_the_example(world: World) -> None:
    """cURL as a shell reads it and Python as it compiles say method, address and body of the operation; all of them in the
    long profile."""
    described = world.api.get("/openapi.json", token="").json
    parts = cut(described, 10_000).parts
    every = _operations(described)
    for path, method, one in every if DEEP else every[::9]:
        block = {"type": "openapi-operation", "data": {"ref": {}, "path": path, "method": method}}
        [shown] = world.run(shown_in(parts, "", [block])).values()
        made = {title: source for title, _, source in samples(shown)}
        words = shlex.split(made["cURL"])
        named = [word for word in words if word.startswith("http")]
        assert len(named) == 1, words
        assert re.fullmatch(
            re.sub(r"\{\w+\}", "[^/?]+", path), named[0].removeprefix(world.house.base).partition("?")[0]
        )
        assert (words[words.index("-X") + 1] if "-X" in words else "GET") == method.upper()
        compile(made["Python"], path, "exec")
        if "requestBody" in one:
            example = one["requestBody"]["content"]["application/json"]["example"]
            assert json.loads(words[words.index("-d") + 1]) == example
            assert "JSON.stringify" in made["JavaScript"]
