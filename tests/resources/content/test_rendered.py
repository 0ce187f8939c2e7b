"""Pages as HTML: what the published page shows, for whoever may see the space; nothing of it is script."""

from __future__ import annotations

import re

import pytest

from tests.client import World

MARKDOWN = """# Mills

Wind **turns** them. See [the rest](more.md) or <script>alert(1)</script>.

## Sails

{% hint style="info" %}
Four of them.
{% endhint %}

```python
print("<b>")
```
"""


@pytest.fixture
def page(world: World) -> tuple[str, str]:
    """(path of a change request, id of its page with that text)."""
    space = world.space("Mills")
    request = world.api.post(f"/v1/spaces/{space['id']}/change-requests", {"subject": "A page"}).json
    base = f"/v1/spaces/{space['id']}/change-requests/{request['number']}"
    change = {"operation": "insert_page", "title": "Mills", "document": {"markdown": MARKDOWN}}
    made = world.api.post(f"{base}/content?compat=false", {"changes": [change]})
    assert made.status == 200, made.text
    return base, made.json["changes"][0]["page"]["id"]


def test_the_page_as_visitors_read_it(world: World, page: tuple[str, str]) -> None:
    base, key = page
    reply = world.api.get(f"{base}/content/page/{key}/html")
    assert reply.status == 200, reply.text
    html = reply.json["html"]
    assert (reply.json["object"], reply.json["page"]) == ("page-html", key)
    assert "<strong>turns</strong>" in html
    assert "<script" not in html
    assert reply.json["outline"] == [{"level": 1, "id": "sails", "title": "Sails"}]
    assert "&lt;b&gt;" in html


def test_in_primary_content_and_in_a_revision(world: World, page: tuple[str, str]) -> None:
    base, key = page
    space = base.rpartition("/change-requests/")[0]
    assert world.api.get(f"{space}/content/page/{key}/html").status == 404, "not merged yet"
    merged = world.api.post(f"{base}/merge").json
    html = world.api.get(f"{space}/content/page/{key}/html").json["html"]
    assert html == world.api.get(f"{space}/revisions/{merged['revision']}/page/{key}/html").json["html"]


def test_links_lead_to_the_application(world: World, page: tuple[str, str]) -> None:
    base, key = page
    ref = {"kind": "page", "page": key}
    link = {
        "object": "inline",
        "type": "link",
        "data": {"ref": ref},
        "nodes": [{"object": "text", "leaves": [{"text": "There"}]}],
    }
    paragraph = {"object": "block", "type": "paragraph", "nodes": [link]}
    change = {"operation": "insert_page", "title": "Links", "document": {"nodes": [paragraph]}}
    made = world.api.post(f"{base}/content?compat=false", {"changes": [change]}).json["changes"][0]["page"]["id"]
    html = world.api.get(f"{base}/content/page/{made}/html").json["html"]
    request = world.api.get(base).json
    assert f'href="{request["urls"]["app"]}/mills"' in html


def test_a_text_that_is_not_stored(world: World, page: tuple[str, str]) -> None:
    base, key = page
    reply = world.api.post(f"{base}/content/page/{key}/html", {"markdown": "# Mills\n\n*Other* words.\n"})
    assert (reply.status, "<em>Other</em> words." in reply.json["html"]) == (200, True)
    assert "<strong>turns</strong>" in world.api.get(f"{base}/content/page/{key}/html").json["html"], (
        "nothing is written"
    )
    assert world.api.post(f"{base}/content/page/nothing/html", {"markdown": ""}).status == 404


def test_who_sees_the_space_sees_the_page(world: World, page: tuple[str, str]) -> None:
    base, key = page
    assert world.api.get(f"{base}/content/page/{key}/html", token=world.person("read")).status == 200
    assert world.api.get(f"{base}/content/page/{key}/html", token=world.person(None)).status == 404
    assert world.api.get(f"{base}/content/page/{key}/html", token="").status == 401


def test_a_document_that_is_not_stored_and_the_document_of_a_text(world: World, page: tuple[str, str]) -> None:
    base, key = page
    path = f"{base}/content/page/{key}/html"
    text = "Wind *turns* them.\n\n* One\n* Two\n"
    read = world.api.post(path, {"markdown": text, "withDocument": True}).json
    assert [one["type"] for one in read["document"]["nodes"]] == ["paragraph", "list-unordered"]
    shown = world.api.post(path, {"document": read["document"]})
    assert (shown.status, shown.json["html"]) == (200, read["html"])
    assert "document" not in world.api.post(path, {"markdown": text}).json
    for body in ({}, {"markdown": text, "document": read["document"]}, {"document": {"nodes": [{"object": "page"}]}}):
        assert world.api.post(path, body).status == 400, body
    for kind in ("table", "images", "tabs", "expandable", "code", "openapi-operation", "math", "updates", "unheard-of"):
        odd = {
            "object": "block",
            "type": kind,
            "data": {"view": 1, "ref": "x"},
            "nodes": [{"object": "text", "leaves": []}],
        }
        assert world.api.post(path, {"document": {"object": "document", "nodes": [odd]}}).status == 200, kind


def test_blocks_say_their_keys_to_whoever_asks(world: World, page: tuple[str, str]) -> None:
    base, key = page
    plain = world.api.get(f"{base}/content/page/{key}/html").json["html"]
    marked = world.api.get(f"{base}/content/page/{key}/html?nodes=true").json["html"]
    assert "<!--" not in plain
    assert re.sub("<!--node [0-9a-f]+-->", "", marked) == plain
    keys = re.findall("<!--node ([0-9a-f]+)-->", marked)
    nodes = world.api.get(f"{base}/content/page/{key}?format=document").json["document"]["nodes"]
    assert [one["key"] for one in nodes] == [one for one in keys if one in {each["key"] for each in nodes}]
    said = world.api.post(f"{base}/comments", {"page": key, "node": keys[0], "body": {"markdown": "Which wind?"}})
    assert (said.status, said.json["target"]["node"]["id"]) == (200, keys[0])
    assert world.api.get(f"{base}/content/page/{key}/html?nodes=much").status == 400


def test_a_text_is_shown_as_a_page_of_primary_content(world: World, page: tuple[str, str]) -> None:
    base, key = page
    path = f"{base.rpartition('/change-requests/')[0]}/content/page/{key}/html"
    assert world.api.post(path, {"markdown": "*Now*"}).status == 404, "not merged yet"
    world.api.post(f"{base}/merge")
    reply = world.api.post(path, {"markdown": "*Now*"}, token=world.person("read"))
    assert (reply.status, reply.json["html"]) == (200, "<p><em>Now</em></p>")
    assert world.api.post(path, {}).status == 400
    assert world.api.post(path, {"markdown": "x"}, token=world.person(None)).status == 404
