"""Content in and out, in the application, against real servers: a branch that is set up, followed, contradicted and decided, a
receiver of webhooks, versions of a specification, a translator, an integration with a screen of its own, the trash. One
installation serves all of it, hence the length."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.browser import test_application as application
from tests.browser.conftest import _octavo, chromium, running, typed
from tests.browser.pages import Open
from tests.git_compat.server import Served, git, require_git, serving
from tests.jobs.repositories import Repository

USER, TOKEN = "octavo", "a-token-that-writes"
TRANSLATOR = """
import json, sys
asked = json.load(sys.stdin)
print(json.dumps({"blocks": [{"id": one["id"], "text": one["text"].upper()} for one in asked["blocks"]]}))
"""
DRAWN = {
    "type": "element",
    "state": {"greeting": "Hello"},
    "props": {},
    "element": {
        "type": "configuration",
        "children": [
            {
                "type": "input",
                "label": "Greeting",
                "hint": "What the block says",
                "element": {"type": "textinput", "state": "greeting"},
            },
            {
                "type": "button",
                "style": "primary",
                "label": "Keep it",
                "onPress": {"action": "keep", "words": {"$state": "greeting"}},
            },
        ],
    },
}


@dataclass
class Listener:
    """What takes posts: webhooks, and the events of an integration that is developed."""

    port: int = 0
    hooks: list[dict[str, Any]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    asked: threading.Event = field(default_factory=threading.Event)
    """Somebody wants a page, which comes when `given` is set."""
    given: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"


@dataclass(frozen=True)
class House:
    """An installation that reaches a Git server, a listener and a translator on this machine."""

    it: application.Installed
    git: Served
    repository: Repository
    listener: Listener

    @property
    def home(self) -> str:
        return f"{self.it.base}/app/o/{self.it.organization}"

    def pages(self, space: str = "") -> dict[str, str]:
        """Title of each page at the top -> its Markdown."""
        space = space or self.it.space
        pages = self.it.ask("GET", f"/v1/spaces/{space}/content/pages")["pages"]
        path = f"/v1/spaces/{space}/content/page"
        return {
            one["title"]: self.it.ask("GET", f"{path}/{one['id']}?format=markdown")["markdown"]
            for one in pages
            if one["type"] == "document"
        }

    def write(self, title: str, old: str, new: str) -> None:
        """Propose one word of a page, and merge it."""
        path = f"/v1/spaces/{self.it.space}/change-requests"
        path += f"/{self.it.ask('POST', path, {'subject': f'{old} to {new}'})['number']}"
        pages = self.it.ask("GET", f"{path}/content/pages")["pages"]
        page = next(one["id"] for one in pages if one["title"] == title)
        text = self.it.ask("GET", f"{path}/content/page/{page}?format=markdown")["markdown"]
        assert old in text
        change = {"operation": "update_page", "page": page, "document": {"markdown": text.replace(old, new)}}
        self.it.ask("POST", f"{path}/content", {"changes": [change]})
        self.it.ask("POST", f"{path}/merge")


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    state = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            answer: Any = {}
            if self.path.startswith("/hook"):
                state.hooks.append(json.loads(body))
            else:
                said = json.loads(re.search(rb'name="event".*?\r\n\r\n(.*?)\r\n--', body, re.S)[1])  # type: ignore[index]
                state.events.append(said)
                answer = {"type": "complete"} if said.get("action") else DRAWN
            content = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_GET(self) -> None:
            state.asked.set()
            state.given.wait(60)
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Tests are silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield state
    state.given.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, listener: Listener) -> Iterator[House]:
    if chromium() is None:
        pytest.skip("no Chromium is installed")
    require_git()
    data, folder = tmp_path_factory.mktemp("plumbed"), tmp_path_factory.mktemp("git")
    translator = folder / "translator.py"
    translator.write_text(TRANSLATOR)
    source = folder / "source"
    source.mkdir()
    (source / "README.md").write_text("# Draft\n\nNothing yet.\n")
    admin = _octavo(data, "bootstrap", "--email", "ada@example.org", "--name", "Ada Byron", "--organization", "Mills")
    made = _octavo(data, "import", str(source), "--organization", admin["organization"], "--title", "Mills")
    typed(data, application.PASSWORD)
    told = {
        "OCTAVO_LOG_LEVEL": "error",
        "OCTAVO_ALLOWED_HOSTS": "127.0.0.1",
        "OCTAVO_TRANSLATION_COMMAND": f"{sys.executable},{translator}",
    }
    root = folder / "served"
    root.mkdir()
    with serving(root) as served, running(Path(data), **told) as (base, _):
        installed = application.Installed(base, admin["organization"], admin["token"], made["space"], "", Path(data))
        yield House(installed, served, Repository(folder, served), listener)


def _opened(house: House, open_page: Open, place: str) -> Any:
    tab = open_page(house.it.base + "/app", reduced_motion="reduce")
    tab.refused = []
    tab.on("response", lambda answer: answer.status >= 400 and tab.refused.append((answer.status, answer.url)))
    application._sign_in(tab, house.it.base)
    tab.goto(house.home + place)
    return tab


def _calm(tab: Any, *refused: int) -> None:
    """Nothing was refused but what the test meant to be, and nothing else was complained of."""
    assert sorted(status for status, _ in tab.refused) == sorted(refused), tab.refused
    assert [said for said in tab.complaints if not said.startswith("Failed to load resource")] == []


def _newest(tab: Any, state: str) -> None:
    """The newest operation of the log has come to that."""
    tab.locator("tbody tr").first.get_by_text(state, exact=True).wait_for()


def _synchronised(tab: Any, before: int) -> None:
    """One more operation is done than before."""
    rows = tab.get_by_role("region", name="Operations").locator("tbody tr")
    rows.nth(before).wait_for()
    rows.locator(".badge.info").first.wait_for(state="detached")


def test_a_branch_is_set_up_followed_and_contradicted(house: House, open_page: Open) -> None:
    house.git.password = f"{USER}:{TOKEN}"
    house.repository.commit(
        "First", {"README.md": b"# Mills\n\nWind turns them.\n", "SUMMARY.md": b"* [Mills](README.md)\n"}
    )
    tab = _opened(house, open_page, f"/s/{house.it.space}/~/settings/git")
    # Three steps by the keyboard; the token is wrong, and the log says so.
    tab.get_by_role("heading", name=re.compile("Step 1 of 3")).wait_for()
    tab.get_by_label("Address of the repository").fill("file:///etc")
    for _ in range(2):
        tab.keyboard.press("Enter")
    tab.get_by_role("heading", name=re.compile("Step 3 of 3")).wait_for()
    tab.get_by_role("button", name="Save and try it").click()
    # What is refused is read on its step, beside its field.
    tab.get_by_role("heading", name=re.compile("Step 1 of 3")).wait_for()
    address = tab.get_by_label("Address of the repository")
    assert "http" in tab.locator(".field", has=address).locator(".wrong").inner_text()
    application._check(tab)
    address.fill(house.repository.url)
    address.press("Enter")
    tab.get_by_label("Name", exact=True).fill(USER)
    tab.get_by_label("Token").fill("a wrong one")
    tab.get_by_role("button", name="Test").press("Enter")
    tab.get_by_text("did not accept").wait_for()
    tab.get_by_label("Token").press("Enter")
    tab.get_by_role("button", name="Save and try it").press("Enter")
    notice = tab.get_by_role("alert").filter(has_text=re.compile("refused|credential|password|401|log", re.I)).first
    notice.wait_for()
    _newest(tab, "Failed")
    tab.get_by_role("button", name=re.compile("Log of")).first.press("Enter")
    tab.get_by_role("dialog", name="Log").get_by_role("button", name="Try again").wait_for()
    application._check(tab)
    tab.keyboard.press("Escape")
    # The right token: the branch counts, and its pages are read.
    tab.get_by_role("button", name="Change").click()
    tab.get_by_role("button", name="Go on").click()
    tab.get_by_label("Token").fill(TOKEN)
    tab.get_by_role("button", name="Test").click()
    tab.get_by_text("It can be read and written.").wait_for()
    tab.get_by_role("button", name="Go on").click()
    tab.get_by_role("button", name="Save and try it").click()
    _synchronised(tab, 1)
    _newest(tab, "Done")
    assert house.pages() == {"Mills": "# Mills\n\nWind turns them.\n"}
    # A push is seen.
    house.repository.commit(
        "Water",
        {"water.md": b"# Water\n\nA wheel turns.\n", "SUMMARY.md": b"* [Mills](README.md)\n* [Water](water.md)\n"},
    )
    tab.get_by_role("button", name="Synchronize").click()
    _synchronised(tab, 2)
    assert set(house.pages()) == {"Mills", "Water"}
    # An edit is pushed back.
    house.write("Water", "A wheel", "A large wheel")
    tab.get_by_role("button", name="Synchronize").click()
    _synchronised(tab, 3)
    _newest(tab, "Done")
    assert house.repository.files()["water.md"] == b"# Water\n\nA large wheel turns.\n"
    application._check(tab)
    # Both sides say something else of one sentence: nothing is lost, and somebody decides.
    house.repository.commit("There", {"README.md": b"# Mills\n\nStorms turn them.\n"})
    house.write("Mills", "Wind turns them.", "A breeze turns them.")
    tab.get_by_role("button", name="Synchronize").click()
    _synchronised(tab, 4)
    tab.get_by_text("Nothing was changed on either side").first.wait_for()
    application._check(tab)
    tab.get_by_role("link", name="Decide").click()
    tab.wait_for_url(re.compile(r"/~/changes/\d+"))
    tab.get_by_role("button", name="More", exact=True).click()
    tab.get_by_role("menuitem", name="Put aside").click()
    tab.get_by_text("It was put aside.").wait_for()
    tab.goto(f"{house.home}/s/{house.it.space}/~/settings/git")
    tab.get_by_role("button", name="Synchronize").click()
    _synchronised(tab, 5)
    _newest(tab, "Done")
    assert house.repository.files()["README.md"] == b"# Mills\n\nA breeze turns them.\n"
    _merge_what_is_held(house, tab)
    _see_a_branch(house, tab)
    _calm(tab, 400, 400, 404)


def _merge_what_is_held(house: House, tab: Any) -> None:
    """They contradict each other again: what the branch has is merged, from the screen on, and the merge is pushed."""
    house.repository.commit("There again", {"README.md": b"# Mills\n\nGales turn them.\n"})
    house.write("Mills", "A breeze turns them.", "A draught turns them.")
    tab.get_by_role("button", name="Synchronize").click()
    _synchronised(tab, 6)
    tab.get_by_role("link", name="Decide").click()
    tab.get_by_role("button", name="Merge", exact=True).click()
    tab.get_by_role("button", name="Merge now").click()
    tab.get_by_text("Both sides changed the same lines in one place.").wait_for()
    application._check(tab, application.LOOKS[1:])
    tab.goto(f"{house.home}/s/{house.it.space}/~/settings/git")
    tab.get_by_role("button", name="Synchronize").click()
    _synchronised(tab, 7)
    _newest(tab, "Done")
    merged = house.repository.files()["README.md"].decode()
    assert house.pages()["Mills"] == merged
    assert all(words in merged for words in ("Gales turn them.", "A draught turns them."))


def _see_a_branch(house: House, tab: Any) -> None:
    """Another branch becomes a change request, which is read at an address that the screen tells."""
    site = {"title": "Mills of the branch", "spaces": [house.it.space]}
    house.it.ask("POST", f"/v1/orgs/{house.it.organization}/sites", site)
    house.repository.commit("Sails", {"water.md": b"# Water\n\nA wheel of oak turns.\n"}, push=False)
    git(house.repository.work, "push", "-q", "origin", "HEAD:refs/heads/oak")
    tab.get_by_role("button", name="Change").click()
    for _ in range(2):
        tab.get_by_role("button", name="Go on").click()
    tab.get_by_label("Branches and pull requests become change requests").check()
    application._check(tab)
    tab.get_by_role("button", name="Save and try it").click()
    row = tab.get_by_role("region", name="Other branches").get_by_role("row", name=re.compile("oak"))
    row.get_by_text("Followed").wait_for()
    row.get_by_role("button", name="Preview of oak").click()
    told = tab.get_by_role("dialog", name="Preview of oak")
    application._check(tab)
    ahead = told.get_by_role("link", name="Open it").get_attribute("href")
    assert ahead == told.locator("code").inner_text()
    reader = tab.context.new_page()
    reader.goto(f"{ahead}water")
    reader.get_by_text("A wheel of oak turns.").wait_for()
    reader.close()
    tab.keyboard.press("Escape")
    row.get_by_role("link", name="Open").click()
    tab.get_by_role("heading", name=re.compile("oak")).wait_for()


def test_a_translation_runs_and_says_what_is_behind(house: House, open_page: Open) -> None:
    tab = _opened(house, open_page, "/~/translations")
    tab.get_by_role("button", name="New translation").first.click()
    tab.get_by_label("Into").select_option("de")
    tab.get_by_label("Follow the source by itself").uncheck()
    application._check(tab, application.LOOKS[1:])
    tab.get_by_role("button", name="Make translation").click()
    tab.get_by_role("heading", name="Languages").wait_for()
    tab.get_by_role("button", name="Translate what changed").click()
    tab.get_by_text("Up to date").wait_for()
    tab.get_by_role("link", name="Read it").wait_for()
    # Its source says something else by now.
    pages = house.pages()
    title = next(iter(pages))
    house.write(title, title, f"{title} today")
    tab.reload()
    tab.get_by_text("1 behind").wait_for()
    tab.get_by_role("button", name="Pages in German").click()
    tab.get_by_role("cell", name="Behind").wait_for()
    application._check(tab)
    tab.get_by_role("button", name="Translate what changed").click()
    tab.get_by_role("region", name="Runs").locator("tbody tr").nth(1).wait_for()
    tab.get_by_text("Up to date").first.wait_for()
    tab.get_by_role("button", name="Report of the run into German").first.click()
    tab.get_by_text("Nothing is left in the language of the source.").wait_for()
    tab.keyboard.press("Escape")
    tab.get_by_label("What the translator is told").fill("Address readers informally.")
    tab.get_by_role("button", name="Save", exact=True).click()
    tab.get_by_text("Saved.").wait_for()
    tab.goto(f"{house.home}/~/translations/glossary")
    tab.get_by_role("button", name="New term").first.click()
    tab.get_by_label("In English").fill("sail")
    tab.get_by_label("In German").fill("Flügel")
    tab.get_by_role("button", name="Save", exact=True).click()
    tab.get_by_role("button", name="Change sail").wait_for()
    application._check(tab)
    _calm(tab)


def test_an_integration_is_installed_and_configured_by_its_own_screen(house: House, open_page: Open) -> None:
    ask, name = house.it.ask, "greeter"
    site = {
        "properties": {
            "key": {"type": "string", "title": "Key", "description": "Of your account"},
            "loud": {"type": "boolean", "title": "Loud"},
        },
        "required": ["key"],
    }
    said = {
        "organization": house.it.organization, "title": "Greeter", "description": "Says hello",
        "scopes": ["site:metadata:read"], "script": "export default {}", "visibility": "private",
        "configurations": {"account": {"componentId": "config"}, "site": site},
        "blocks": [{"id": "hello", "title": "Hello"}],
    }  # fmt: skip
    ask("POST", f"/v1/integrations/{name}", said)
    ask("PUT", f"/v1/integrations/{name}/dev", {"tunnelUrl": house.listener.url("/tunnel")})
    ask("POST", f"/v1/orgs/{house.it.organization}/sites", {"title": "Handbook"})
    tab = _opened(house, open_page, "/~/integrations")
    tab.get_by_role("link", name="Greeter").click()
    tab.get_by_role("button", name="Install").click()
    tab.get_by_role("dialog").get_by_text("see sites").wait_for()
    tab.get_by_role("dialog").get_by_role("button", name="Install").click()
    # Its own screen, drawn by its program.
    tab.get_by_label("Greeting").fill("Good morning")
    tab.get_by_role("button", name="Keep it").click()
    tab.get_by_text("Saved.").wait_for()
    pressed = next(one for one in house.listener.events if one.get("action"))
    assert pressed["action"] == {"action": "keep", "words": "Good morning"}
    assert pressed["context"]["type"] == "configuration_account"
    # On a site, by the fields that it asks for.
    tab.get_by_role("region", name="Chosen sites").wait_for(state="detached")
    tab.get_by_label("Put it on a site").select_option(label="Handbook")
    tab.get_by_role("button", name="Configure on Handbook").click()
    dialog = tab.get_by_role("dialog")
    assert dialog.get_by_role("button", name="Save").is_disabled()
    dialog.get_by_label("Key (required)").fill("abc")
    application._check(tab, application.LOOKS[1:])
    dialog.get_by_role("button", name="Save").click()
    dialog.wait_for(state="detached")
    tab.get_by_role("region", name="Chosen sites").get_by_text("On", exact=True).wait_for()
    tab.get_by_role("button", name="Look again").click()
    tab.get_by_role("button", name="Log of site_installation_setup").first.click()
    tab.get_by_role("dialog").get_by_text("What it was told").wait_for()
    tab.keyboard.press("Escape")
    application._check(tab)
    # What was not agreed to is asked for.
    [here] = ask("GET", f"/v1/integrations/{name}/installations")["items"]
    path = f"/v1/integrations/{name}/installations/{here['id']}"
    ask("PATCH", path, {"scopes": []})
    tab.reload()
    tab.get_by_role("button", name="Agree…").click()
    dialog.get_by_text("see sites").wait_for()
    application._check(tab, application.LOOKS[1:])
    dialog.get_by_role("button", name="Agree").click()
    tab.get_by_role("button", name="Agree…").wait_for(state="detached")
    assert ask("GET", path)["scopes"] == ["site:metadata:read"]
    # What goes has to be typed.
    tab.get_by_role("button", name="Uninstall").click()
    tab.get_by_label("Type Greeter to confirm").fill("Greeter")
    tab.get_by_role("dialog").get_by_role("button", name="Uninstall").click()
    tab.get_by_role("button", name="Install", exact=True).wait_for()
    _calm(tab)


def _spec(**paths: Any) -> bytes:
    operations = {
        f"/{name}": {"get": {"summary": words, "responses": {"200": {"description": "Here"}}}}
        for name, words in paths.items()
    }
    return json.dumps({"openapi": "3.1.0", "info": {"title": "Mills", "version": "1"}, "paths": operations}).encode()


def _given(tab: Any, data: bytes) -> None:
    tab.get_by_label("Or a file").set_input_files(
        {"name": "openapi.json", "mimeType": "application/json", "buffer": data}
    )


def test_specifications_webhooks_rules_and_the_trash(house: House, open_page: Open) -> None:
    tab = _opened(house, open_page, "/~/openapi")
    # Two versions, and what changed between them.
    tab.get_by_role("button", name="Add a specification").first.click()
    tab.get_by_label("Name").fill("Not a slug!")
    _given(tab, _spec(mills="All of them", sails="All sails"))
    tab.get_by_role("button", name="Add", exact=True).click()
    field_ = tab.locator(".field", has=tab.get_by_label("Name"))
    field_.locator(".wrong").wait_for()
    tab.get_by_label("Name").fill("mills")
    tab.get_by_role("button", name="Add", exact=True).click()
    tab.get_by_text("In use").wait_for()
    tab.get_by_role("button", name="More of mills").click()
    tab.get_by_role("menuitem", name="Another version").click()
    _given(tab, _spec(mills="Every mill", wheels="All wheels"))
    tab.get_by_role("button", name="Read it").click()
    tab.get_by_role("dialog").wait_for(state="detached")
    tab.get_by_text("In use").wait_for()
    tab.get_by_role("button", name="Versions").click()
    tab.get_by_role("button", name="What changed").first.click()
    rows = tab.get_by_role("dialog").locator("tbody tr")
    rows.nth(2).wait_for()
    assert [row.split()[:3] for row in rows.all_inner_texts()] == [
        ["GET", "/mills", "Another"], ["GET", "/wheels", "New"], ["GET", "/sails", "Gone"],
    ]  # fmt: skip
    application._check(tab)
    tab.keyboard.press("Escape")
    # A webhook is told, looked at, and told again.
    tab.goto(f"{house.home}/~/webhooks")
    tab.get_by_role("button", name="New webhook").first.click()
    tab.get_by_label("Title").fill("Deployments")
    tab.get_by_label("Address").fill("ftp://example.org")
    tab.get_by_role("button", name="Make webhook").click()
    tab.locator(".field", has=tab.get_by_label("Address")).locator(".wrong").wait_for()
    tab.get_by_label("Address").fill(house.listener.url("/hook"))
    tab.get_by_role("button", name="Make webhook").click()
    tab.get_by_text("The secret that signs its posts").wait_for()
    tab.get_by_role("button", name="Done").click()
    title = next(iter(house.pages()))
    house.write(title, title, f"{title}, again")
    tab.get_by_role("button", name="Deliveries").click()
    tab.get_by_text("Delivered", exact=True).first.wait_for()
    application._check(tab)
    [heard] = house.listener.hooks
    tab.get_by_role("button", name=re.compile("Send again")).first.press("Enter")
    tab.get_by_role("region", name="Deliveries of Deployments").locator("tbody tr").nth(1).wait_for()
    tab.get_by_text("Delivered", exact=True).nth(1).wait_for()
    assert [one["eventId"] for one in house.listener.hooks] == [heard["eventId"]] * 2
    # Rules for merging, and the content as a zip.
    tab.goto(f"{house.home}/s/{house.it.space}/~/settings")
    tab.get_by_label("Rules of its own").check()
    tab.get_by_label("Somebody else has approved it").check()
    application._check(tab)
    tab.get_by_role("button", name="Save rules").click()
    tab.get_by_text("Saved.").wait_for()
    space = house.it.ask("GET", f"/v1/spaces/{house.it.space}")
    assert space["mergeRules"] == {"type": "rules", "rules": [{"rule": "require_at_least_one_approved_review"}]}
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Export as a zip").click()
    assert download.value.suggested_filename == "Mills.zip"
    # What somebody has elsewhere comes into a change request, with a report.
    tab.goto(house.home)
    tab.get_by_role("button", name="Import").first.click()
    tab.get_by_label("File to import").set_input_files(
        {"name": "wheels.md", "mimeType": "text/markdown", "buffer": b"# Wheels\n\nThey turn.\n"}
    )
    tab.get_by_role("dialog").get_by_role("button", name="Import").press("Enter")
    tab.get_by_role("dialog").get_by_role("link", name="Wheels").wait_for()
    application._check(tab)
    tab.get_by_role("link", name="Look it over").click()
    tab.get_by_role("heading", name="Import of Wheels").wait_for()
    # It can be come back to; and of what cannot be read, the sentence stands in the form, and no space is left.
    tab.goto(house.home)
    tab.get_by_role("button", name="Import").first.click()
    tab.get_by_role("button", name="Report").click()
    tab.get_by_role("dialog").get_by_role("link", name="Wheels").wait_for()
    tab.keyboard.press("Escape")
    tab.get_by_role("button", name="Import").first.click()
    tab.get_by_label("File to import").set_input_files(
        {"name": "broken.docx", "mimeType": "application/zip", "buffer": b"no archive"}
    )
    tab.get_by_role("dialog").get_by_role("button", name="Import").press("Enter")
    tab.get_by_role("dialog").get_by_text("not a zip archive").wait_for()
    application._check(tab)
    assert not [
        one
        for one in house.it.ask("GET", f"/v1/orgs/{house.it.organization}/spaces")["items"]
        if one["title"] == "broken"
    ]
    # One that goes on is stopped, and leaves nothing.
    tab.get_by_role("radio", name=re.compile("On the web")).check()
    tab.get_by_label("Address", exact=True).fill(house.listener.url("/slow"))
    tab.get_by_label("Title of the space").fill("Slow")
    tab.get_by_role("dialog").get_by_role("button", name="Import", exact=True).press("Enter")
    tab.get_by_text("Fetching what is there").wait_for()
    assert house.listener.asked.wait(30)
    application._check(tab)
    tab.get_by_role("button", name="Stop the import").press("Enter")
    tab.get_by_text("The import was stopped.").wait_for()
    house.listener.given.set()
    assert not [
        one
        for one in house.it.ask("GET", f"/v1/orgs/{house.it.organization}/spaces")["items"]
        if one["title"] == "Slow"
    ]
    # A collection is made, and goes; what is in the trash comes back.
    tab.goto(f"{house.home}/~/collections")
    tab.get_by_role("button", name="New collection").first.click()
    tab.get_by_label("Title").fill("Shelf")
    tab.get_by_role("button", name="Make collection").click()
    tab.get_by_role("link", name="Shelf").click()
    tab.get_by_role("button", name="Delete the collection").wait_for()
    application._check(tab)
    tab.goto(f"{house.home}/s/{house.it.space}/~/settings")
    tab.get_by_role("button", name="Delete the space").click()
    tab.get_by_role("dialog").get_by_role("button", name="Delete").click()
    tab.wait_for_url(house.home)
    tab.goto(f"{house.home}/~/trash")
    application._check(tab)
    tab.get_by_role("button", name="Restore Mills").press("Enter")
    tab.wait_for_url(re.compile(f"/s/{house.it.space}"))
    _calm(tab, 400, 400)
