"""Blocks of integrations on pages: drawn by their script, kept, and a fallback where nothing was drawn."""

from __future__ import annotations

from typing import Any

from octavo.kernel.clock import HOUR
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.integrations.building import installed, published
from tests.resources.integrations.test_endpoints import asked
from tests.resources.integrations.test_scripts import script

BOARD = script("""
if (event.type !== "ui_render") return new Response("", {status: 406});
const {title, broken} = event.props;
if (broken) throw new Error("no such board");
globalThis.count = (globalThis.count ?? 0) + 1;
const link = (url, words) => ({type: "link", target: {url}, children: [words]});
return Response.json({type: "element", state: {code: "x = 1"}, props: event.props, element: {type: "block", children: [
  {type: "card", title, onPress: {action: "@ui.url.open", url: "https://example.com/board"}, children: [
    {type: "text", style: "bold", children: [`Drawn ${globalThis.count} <b>`]},
    link("javascript:alert(1)", "evil"), link("https://example.com/x", "fine")]},
  {type: "codeblock", content: {$state: "code"}, syntax: "python"},
  {type: "markdown", content: "# Said\\n\\n<code class=\\"expression\\">visitor.claims.unsigned.name</code>"
    + "\\n\\n{% if visitor.claims.x %}\\nsecret\\n{% endif %}"},
  {type: "textinput", state: "q"}, {type: "unheard of"},
  {type: "webframe", source: {url: "https://example.com/frame"}}]}}, {headers: {"cache-control": "max-age=600"}});
""")


def _page(world: World, name: str, body: str, title: str) -> dict[str, Any]:
    """A site of one page with a block of an integration."""
    space = world.space(title)["id"]
    request = world.api.post(f"/v1/spaces/{space}/change-requests", {}).json["id"]
    at = f"/v1/spaces/{space}/change-requests/{request}"
    text = f"# Boards\n\n{{% @{name}/board {body} %}}\n\nAfter.\n"
    change = {"operation": "insert_page", "title": "Boards", "at": 0, "document": {"markdown": text}}
    assert world.api.post(f"{at}/content", {"changes": [change]}).status == 200
    assert world.api.post(f"{at}/merge").status == 200
    site = world.site(space, title=title)
    return {"space": space, "site": site, "path": f"/sites/{site['basename']}/"}


def test_a_block_shows_what_its_script_draws(scripted: World) -> None:
    clock = scripted.house.store.clock
    assert isinstance(clock, FakeClock)
    one = published(scripted, script=BOARD, blocks=[{"id": "board", "title": "Board"}])
    shown = _page(scripted, one["name"], 'title="Roadmap"', "Boards here")
    html = {"accept": "text/html"}
    before = asked(scripted, "GET", shown["path"], headers=html)
    assert (before.status, 'class="integration-name"' in before.text) == (200, True)  # it is installed nowhere
    here = installed(scripted, one)
    assert scripted.api.post(f"{here}/spaces", {"space": shown["space"]}).status == 201
    scripted.work()
    page = asked(scripted, "GET", shown["path"], headers=html)
    assert f'data-drawn data-integration="{one["name"]}"' in page.text
    assert "Drawn 1 &lt;b&gt;" in page.text
    assert '<a class="external" href="https://example.com/board"' in page.text.replace(' rel="noopener"', "")
    for words in ("Roadmap", "fine", "Said", "After."):
        assert words in page.text
    for words in ("javascript:", "secret", "visitor.claims", "unheard"):
        assert words not in page.text
    assert page.headers["etag"] != before.headers["etag"]
    again = scripted.api.get(shown["path"], token="", headers=html)
    assert (again.status, again.headers["etag"]) == (200, page.headers["etag"])  # nobody is asked again
    clock.advance(1 * HOUR)
    assert "Drawn 1" in scripted.api.get(shown["path"], token="", headers=html).text  # the old one, once more
    scripted.work()
    assert "Drawn 2" in scripted.api.get(shown["path"], token="", headers=html).text
    assert scripted.api.delete(here).status in (204, 205)
    assert 'class="integration-name"' in asked(scripted, "GET", shown["path"], headers=html).text


def test_a_block_that_is_not_drawn_shows_what_it_is(scripted: World) -> None:
    one = published(scripted, script=BOARD, blocks=[{"id": "board", "title": "Board"}])
    shown = _page(scripted, one["name"], 'title="Roadmap" broken="yes"', "Broken boards")
    assert scripted.api.post(f"{installed(scripted, one)}/spaces", {"space": shown["space"]}).status == 201
    page = asked(scripted, "GET", shown["path"], headers={"accept": "text/html"})
    assert (page.status, 'class="integration-name"' in page.text, "After." in page.text) == (200, True, True)
    assert "no such board" not in page.text
    path = f"/v1/integrations/{one['name']}/events"
    [failed] = [one for one in scripted.api.get(path).json["items"] if one["payload"]["type"] == "ui_render"]
    assert failed["status"] == "failed"
    # Nobody waits for it again for a while.
    assert scripted.api.get(shown["path"], token="", headers={"accept": "text/html"}).status == 200
