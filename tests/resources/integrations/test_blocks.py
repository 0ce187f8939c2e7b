"""Blocks of integrations on pages: drawn by their script, kept, and a fallback where nothing was drawn."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from octavo.kernel.clock import HOUR
from tests.client import Reply, World
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


PRESSED = script("""
if (event.type !== "ui_render") return new Response("", {status: 406});
const {action, state, props, context} = event;
if (action?.action === "end") return Response.json({type: "complete"});
if (action?.action === "break") throw new Error("a secret mistake");
const count = (state?.count ?? 0) + (action?.action === "add" ? action.by : 0);
const button = (label, onPress) => ({type: "button", label, onPress});
return Response.json({type: "element", state: {count}, props: {...props, seen: true}, element: {type: "block", children: [
  {type: "text", children: [`${props.title}: ${count} of ${event.auth?.userId ?? "nobody"} ${props.seen ?? false}`]},
  button("Add", {action: "add", by: 2}), button("Same", {action: "add", by: {$state: "count"}}),
  button("End", {action: "end"}), button("Break", {action: "break"}), button("Close", {action: "@ui.modal.close"}),
  {...button("Off", {action: "add", by: 5}), disabled: true}]}});
""")


def _board(html: str) -> tuple[str, str, list[str]]:
    """(where it is pressed, token, labels of its buttons)."""
    [to] = re.findall(r'data-to="([^"]*boards[^"]*)"', html)
    [token] = re.findall(r'data-token="([^"]*)"', html)
    labels = re.findall(r'data-press="(\d+)" hidden><span>([^<]*)</span>', html)
    assert [int(number) for number, _ in labels] == list(range(len(labels)))
    return to, token, [label for _, label in labels]


def test_a_button_asks_the_script_and_the_block_is_drawn_anew(scripted: World) -> None:
    one = published(scripted, script=PRESSED, blocks=[{"id": "board", "title": "Board"}])
    shown = _page(scripted, one["name"], 'title="Votes"', "Pressed boards")
    here = installed(scripted, one)
    assert scripted.api.post(f"{here}/spaces", {"space": shown["space"]}).status == 201
    own = {"host": f"{shown['site']['basename']}.localhost", "accept": "text/html"}
    page = asked(scripted, "GET", "/", headers=own).text
    assert "Votes: 0 of nobody false" in page
    assert 'id="~boards"' in page
    to, token, labels = _board(page)
    assert labels == ["Add", "Same", "End", "Break"]

    def press(token: str, number: object, **headers: str) -> Reply:
        form = own | {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"} | headers
        return asked(scripted, "POST", to, body=urlencode({"token": token, "press": number}).encode(), headers=form)

    first = press(token, 0)
    assert (first.status, first.headers["cache-control"]) == (200, "no-store"), first.text
    assert first.text.startswith('<div class="integration"')
    assert "Votes: 2 of nobody true" in first.text
    again = press(_board(first.text)[1], 1)
    assert "Votes: 4 of nobody true" in again.text
    assert "Votes: 2" in press(token, 0).text, "what somebody else pressed is hers alone"
    assert "Votes: 0" in asked(scripted, "GET", "/", headers=own).text
    assert (press(token, 2).status, press(token, 2).text) == (204, "")
    broken = press(token, 3)
    assert (broken.status, "secret" in broken.text) == (503, False)
    for number in ("4", "-1", "x", "1e3"):
        assert press(token, number).status == 400
    assert press("forged", 0).status == 400
    assert press(token, 0, **{"sec-fetch-site": "cross-site"}).status == 403
    assert asked(scripted, "GET", to, headers=own).status == 404
    # Where people have sessions, no button asks a script.
    inner = asked(scripted, "GET", shown["path"], headers={"accept": "text/html"}).text
    assert "Votes: 0" in inner
    assert ("data-token" in inner, "data-press" in inner) == (False, False)
    form = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"}
    there = shown["path"].rstrip("/") + to
    assert scripted.api.request("POST", there, body=b"token=a&press=0", token="", headers=form).status == 404
    # The block has to stand on the page, and somebody to draw it.
    other = _page(scripted, one["name"], 'title="Others"', "Boards elsewhere")
    assert scripted.api.post(f"{here}/spaces", {"space": other["space"]}).status == 201
    away = {"host": f"{other['site']['basename']}.localhost", "accept": "text/html"}
    _, foreign, _ = _board(asked(scripted, "GET", "/", headers=away).text)
    assert press(foreign, 0).status == 404
    for _ in range(60):
        last = press(token, 2)
        if last.status == 429:
            break
    assert last.status == 429
    assert scripted.api.delete(here).status in (204, 205)
    clock = scripted.house.store.clock
    assert isinstance(clock, FakeClock)
    clock.advance(1 * HOUR)
    assert press(token, 0).status == 404
