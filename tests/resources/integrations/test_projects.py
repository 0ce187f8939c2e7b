"""One integration of each kind, written with the official runtime: published by the command line, run for real."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.processes import bootstrap, send, serving
from tests.resources.integrations.building import png
from tests.resources.terminal import Terminal

pytestmark = pytest.mark.deep
PROJECTS = Path(__file__).with_name("projects")
_SECONDS = 30


class _Still(urllib.request.HTTPRedirectHandler):
    """Redirects are answers."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


@pytest.fixture(scope="module")
def shelf(
    gitbook_program: Path, engine_of_scripts: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Terminal]:
    """Somebody's folder with all projects, before a server that runs scripts."""
    folder = tmp_path_factory.mktemp("projects")
    made = bootstrap(folder / "data")
    work = folder / "work"
    shutil.copytree(PROJECTS, work)
    (work / "node_modules").symlink_to(gitbook_program.parents[1])
    for manifest in work.glob("*/gitbook-manifest.yaml"):
        manifest.write_text(manifest.read_text().replace("ORGANIZATION", made["organization"]))
        (manifest.parent / "icon.png").write_bytes(png(64))
    environment = {"OCTAVO_DENO": str(engine_of_scripts), "OCTAVO_LOG_LEVEL": "warning"}
    with serving(folder / "data", **environment) as (_, address):
        known = Terminal(gitbook_program, work, address, made["token"], made["organization"])
        known.run("auth", "--token", known.token, "--endpoint", address)
        yield known


def _sent(shelf: Terminal, path: str, body: Any, method: str = "POST") -> Any:
    status, answer = send(f"{shelf.address}/v1{path}", shelf.token, body, method)
    assert status < 300, answer
    return answer


def _known(shelf: Terminal, path: str) -> Any:
    status, body = shelf.asked(path)
    assert status == 200, body
    return json.loads(body)


def _published(shelf: Terminal, name: str) -> str:
    """Publish and install a project; the path of its installation."""
    own = Terminal(shelf.program, shelf.folder / name, shelf.address, shelf.token, shelf.organization)
    own.run("auth", "--token", own.token, "--endpoint", own.address)
    assert f'"{name}" published' in own.run("publish")
    made = _sent(shelf, f"/integrations/{name}/installations", {"organization": shelf.organization})
    return f"/integrations/{name}/installations/{made['id']}"


def _site(shelf: Terminal, title: str, **more: Any) -> tuple[dict[str, Any], str]:
    """A published site, and its space."""
    space = _sent(shelf, f"/orgs/{shelf.organization}/spaces", {"title": title})["id"]
    sites = f"/orgs/{shelf.organization}/sites"
    site = _sent(shelf, sites, {"title": title, "spaces": [space], **more})
    return _sent(shelf, f"{sites}/{site['id']}/publish", {}), space


def _visit(shelf: Terminal, path: str, host: str = "", body: bytes | None = None, cookie: str = "") -> Answer:
    """As a browser asks, without following."""
    headers = {"accept": "text/html"} | ({"host": host} if host else {}) | ({"cookie": cookie} if cookie else {})
    request = urllib.request.Request(path if "//" in path else shelf.address + path, body, headers)
    try:
        with urllib.request.build_opener(_Still).open(request, timeout=30) as reply:
            return Answer(reply.status, {k.lower(): v for k, v in reply.headers.items()}, reply.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, {k.lower(): v for k, v in error.headers.items()}, error.read().decode())


def _until(found: Callable[[], Any]) -> Any:
    """What it finds, as soon as it finds something."""
    deadline = time.monotonic() + _SECONDS
    while not (known := found()):
        assert time.monotonic() < deadline
    return known


def _merged(shelf: Terminal, space: str, text: str) -> None:
    request = _sent(shelf, f"/spaces/{space}/change-requests", {})["id"]
    at = f"/spaces/{space}/change-requests/{request}"
    change = {"operation": "insert_page", "title": "Page", "at": 0, "document": {"markdown": text}}
    _sent(shelf, f"{at}/content", {"changes": [change]})
    _sent(shelf, f"{at}/merge", {})


def test_an_analytics_script(shelf: Terminal) -> None:
    here = _published(shelf, "analytics")
    site, _ = _site(shelf, "Measured")
    _sent(shelf, f"{here}/sites", {"siteId": site["id"]})
    _sent(shelf, f"{here}/sites/{site['id']}", {"configuration": {"tracking_id": "T-77"}}, "PATCH")
    page = _visit(shelf, "/", host="measured.localhost")
    found = re.search(r'<script src="(/~octavo/scripts/[^"]+)" async>', page.text)
    assert found is not None
    assert "script-src 'self' https://count.example" in page.headers["content-security-policy"]
    script = _visit(shelf, found[1], host="measured.localhost")
    assert (script.status, '("T-77");' in script.text) == (200, True)


def test_a_login_of_visitors(shelf: Terminal) -> None:
    here = _published(shelf, "login")
    site, _ = _site(shelf, "Closed", visibility="visitor-auth")
    _sent(shelf, f"{here}/sites", {"siteId": site["id"]})
    auth = f"/orgs/{shelf.organization}/sites/{site['id']}/publishing/auth"
    assert _sent(shelf, auth, {"backend": "integration"}, "PATCH")["integration"] == "login"
    sent_on = _visit(shelf, "/sites/closed/")
    door = sent_on.headers["location"]
    assert (sent_on.status, "/~octavo/integration/login/" in door) == (303, True)
    asks = _visit(shelf, door)
    assert (asks.status, "Come in" in asks.text) == (200, True)
    assert asks.headers["content-security-policy"].startswith("sandbox")
    assert _visit(shelf, door, body=b"password=guessed").status == 401
    let_in = _visit(shelf, door, body=urllib.parse.urlencode({"password": "open sesame"}).encode())
    assert (let_in.status, "jwt_token=" in let_in.headers["location"]) == (302, True)
    entered = _visit(shelf, let_in.headers["location"])
    cookie = entered.headers["set-cookie"].partition(";")[0]
    assert _visit(shelf, "/sites/closed/", cookie=cookie).status == 200
    assert _visit(shelf, "/sites/closed/").status == 303


def test_a_block_that_is_drawn(shelf: Terminal) -> None:
    here = _published(shelf, "board")
    site, space = _site(shelf, "Roads")
    _sent(shelf, f"{here}/spaces", {"space": space})
    _merged(shelf, space, '# Roads\n\n{% @board/board title="This year" open="true" %}\n')
    page = _until(lambda: found if "data-drawn" in (found := _visit(shelf, f"/sites/{site['basename']}/").text) else "")
    for words in ("This year", "https://board.example/4", "Reap <strong>now</strong>", "Here"):
        assert words in page
    assert "Toggle" not in page
    sent = {"componentId": "board", "props": {}, "context": {"type": "document", "spaceId": space, "theme": "light"}}
    drawn = _sent(shelf, "/integrations/board/render", sent)
    assert (drawn["state"], drawn["element"]["children"][0]["title"]) == ({"open": False}, "Road map")
    again = sent | {"state": drawn["state"], "action": {"action": "toggle"}}
    assert _sent(shelf, "/integrations/board/render", again)["state"] == {"open": True}


def test_a_follower_of_content(shelf: Terminal) -> None:
    here = _published(shelf, "digest")
    _, space = _site(shelf, "Counted")
    _sent(shelf, f"{here}/spaces", {"space": space})
    _merged(shelf, space, "# One")
    pages = _known(shelf, f"/spaces/{space}/content/pages")["pages"]
    assert len(pages) == 2
    _until(lambda: _known(shelf, here)["configuration"].get("pages") == {space: 2})

    def done() -> bool:
        told = _known(shelf, "/integrations/digest/events")["items"]
        return {"space_content_updated", "task"} <= {
            one["payload"]["type"] for one in told if one["status"] == "success"
        }

    _until(done)


def _engines_of(data: Path) -> list[Path]:
    """The processes of engines that work below a data directory."""
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if b"runner.js" in (one / "cmdline").read_bytes() and str((one / "cwd").readlink()).startswith(str(data)):
                found.append(one)
    return found


def test_engines_do_not_outlive_a_server_that_is_killed(engine_of_scripts: Path, tmp_path: Path) -> None:
    made = bootstrap(tmp_path / "data")
    with serving(tmp_path / "data", OCTAVO_DENO=str(engine_of_scripts), OCTAVO_LOG_LEVEL="error") as (server, address):
        shelf = Terminal(tmp_path, tmp_path, address, made["token"], made["organization"])
        said = {"organization": shelf.organization, "title": "Idle", "description": "Idle", "scopes": []}
        _sent(shelf, "/integrations/idle", said | {"script": "export default { fetch: () => new Response('OK') }"})
        _sent(shelf, "/integrations/idle/installations", {"organization": shelf.organization})
        _until(lambda: _known(shelf, "/integrations/idle/events")["items"])
        assert _engines_of(tmp_path)
        server.kill()
    _until(lambda: not _engines_of(tmp_path))
