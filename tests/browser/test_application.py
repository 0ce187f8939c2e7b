"""The application in a browser, from a fresh installation: read, propose, write, review, merge, seen on the site; every screen
in both themes and at two sizes without a violation that axe knows, and nothing that the policy of the page forbids."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import _octavo, chromium, running, typed
from tests.browser.pages import DESKTOP, Open, violations

PASSWORD = "correct horse battery staple"
NARROW = {"viewport": {"width": 390, "height": 844}}
LOOKS = ((DESKTOP, "light"), (NARROW, "dark"))
COUNTRIES = Path(__file__).parents[1] / "store" / "insights" / "countries.mmdb"
PAGE = "# Sails\n\nFour of them turn.\n\n## Cloth\n\nLinen lasts.\n"


@dataclass(frozen=True)
class Installed:
    """A fresh installation with one organization, its first person, and one published space."""

    base: str
    organization: str
    token: str
    space: str
    site: str
    data: Path

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
        request = urllib.request.Request(self.base + path, method=method, data=data, headers=headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read() or b"null")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    if chromium() is None:
        pytest.skip("no Chromium is installed")
    data, source = tmp_path_factory.mktemp("fresh"), tmp_path_factory.mktemp("source")
    (source / "README.md").write_text("# Mills\n\nWind turns them. See [sails](sails.md).\n")
    (source / "sails.md").write_text(PAGE)
    (source / "SUMMARY.md").write_text("* [Mills](README.md)\n* [Sails](sails.md)\n")
    admin = _octavo(data, "bootstrap", "--email", "ada@example.org", "--name", "Ada Byron", "--organization", "Mills")
    made = _octavo(
        data, "import", str(source), "--organization", admin["organization"], "--title", "Mills", "--publish"
    )
    typed(data, PASSWORD)
    told = {"OCTAVO_OPERATORS": "Ada@Example.org", "OCTAVO_INSIGHTS_COUNTRIES": str(COUNTRIES)}
    with running(Path(data), **told) as (base, _):
        site = base + "/" + made["url"].split("/", 3)[3]
        yield Installed(base, admin["organization"], admin["token"], made["space"], site, data)


def _sign_in(tab: Any, base: str) -> None:
    tab.get_by_label("E-mail").fill("ada@example.org")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in").click()
    tab.wait_for_url(re.compile(re.escape(base) + "/app/o/.*"))


def _settled(tab: Any) -> None:
    tab.locator(".waiting:not(.gallery-waiting *)").first.wait_for(state="detached")
    tab.evaluate("document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 60)))")


def _check(tab: Any, looks: Any = LOOKS) -> None:
    """Nothing is wrong for anybody in either theme, and nothing scrolls sideways on a desk or on a phone."""
    before = tab.viewport_size
    for size, theme in looks:
        tab.set_viewport_size(size["viewport"])
        tab.emulate_media(color_scheme=theme, reduced_motion="reduce")
        _settled(tab)
        assert violations(tab) == [], (size, theme, tab.url)
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), (
            size,
            tab.url,
        )
    tab.set_viewport_size(before)
    _settled(tab)


def _source(tab: Any) -> Any:
    """The editor of the page's source, which stands beside the visual one."""
    tab.get_by_role("textbox", name="Text of the page").wait_for()
    tab.get_by_role("button", name="Source").click()
    source = tab.get_by_role("textbox", name=re.compile("Source"))
    source.wait_for()
    return source


def test_from_signing_in_to_the_site(fresh: Installed, open_page: Open) -> None:
    tab = open_page(fresh.base + "/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    tab.get_by_role("heading", name="Mills", level=1).wait_for()
    _check(tab)
    # Read.
    tab.get_by_role("list", name="Changed lately").get_by_role("link", name="Mills").click()
    page = tab.frame_locator("iframe.page-frame")
    page.get_by_text("Wind turns them.").wait_for()
    assert page.locator("script").count() == 0
    _check(tab)
    page.get_by_role("link", name="sails").click()
    page.get_by_text("Four of them turn.").wait_for()
    assert tab.url.endswith("/sails")
    tab.get_by_role("row", name="Mills").click()
    page.get_by_text("Wind turns them.").wait_for()
    tab.get_by_role("row", name="Sails").click()
    page.get_by_text("Four of them turn.").wait_for()
    # Propose and write.
    tab.get_by_role("button", name="Edit").click()
    source = _source(tab)
    page.get_by_text("Four of them turn.").wait_for()
    source.press("Control+End")
    source.press_sequentially("\nCanvas *lasts longer*.")
    page.get_by_text("lasts longer", exact=True).wait_for()
    tab.get_by_text("Saved", exact=True).wait_for()
    _check(tab)
    number = int(tab.url.partition("/~/changes/")[2].partition("/")[0])
    path = f"/v1/spaces/{fresh.space}/change-requests/{number}"
    pages = fresh.ask("GET", f"{path}/content/pages")["pages"]
    key = next(one["id"] for one in pages if one["title"] == "Sails")
    assert (
        fresh.ask("GET", f"{path}/content/page/{key}?format=markdown")["markdown"] == PAGE + "\nCanvas *lasts longer*."
    )
    # Review.
    tab.get_by_role("link", name="Done").click()
    differs = tab.frame_locator("iframe[title^='Page: added']")
    differs.get_by_text("Canvas lasts longer.").wait_for()
    _check(tab)
    tab.get_by_role("link", name="Overview").click()
    tab.get_by_role("button", name="Describe it").click()
    tab.get_by_label("Description").fill("Says what canvas is good for.")
    tab.get_by_role("button", name="Save", exact=True).click()
    tab.get_by_text("Says what canvas is good for.").wait_for()
    tab.get_by_role("button", name="Ready for review").click()
    tab.get_by_role("button", name="Review", exact=True).click()
    tab.get_by_role("button", name="Approve").click()
    tab.get_by_text("Approved", exact=True).wait_for()
    tab.get_by_role("textbox", name="Comment").fill("It reads well.")
    tab.get_by_role("button", name="Comment", exact=True).click()
    tab.get_by_text("It reads well.").wait_for()
    _check(tab)
    # Merge, and see it.
    tab.get_by_role("button", name="Merge", exact=True).click()
    tab.get_by_role("button", name="Merge now").click()
    tab.get_by_text("It is part of what readers see.").wait_for()
    merged = tab.url
    seen = open_page(f"{fresh.site}sails")
    seen.get_by_text("lasts longer").wait_for()
    # And revert it, by a proposal that takes it back.
    tab.get_by_role("button", name="More", exact=True).click()
    tab.get_by_role("menuitem", name=re.compile("^Revert")).click()
    tab.get_by_role("heading", name=re.compile(f"Revert #{number} ")).wait_for()
    tab.frame_locator("iframe[title^='Page: deleted']").get_by_text("Canvas lasts longer.").wait_for()
    assert tab.url != merged
    assert tab.complaints == []


def test_what_was_typed_outlives_the_page_and_meets_what_others_wrote(fresh: Installed, open_page: Open) -> None:
    path = f"/v1/spaces/{fresh.space}/change-requests"
    request = fresh.ask("POST", path, {"subject": "Two at once"})
    path += f"/{request['number']}"
    one = fresh.ask("GET", f"{path}/content/pages")["pages"][0]
    tab = open_page(f"{request['urls']['app']}/~/edit/{one['id']}", reduced_motion="reduce")
    tab.get_by_label("E-mail").wait_for()
    _sign_in(tab, fresh.base)
    source = _source(tab)
    # The connection is lost: what is typed is kept, and is there after a reload.
    tab.route("**/content?*", lambda route: route.abort())
    source.press("Control+End")
    source.press_sequentially("\nTyped in the dark.\n")
    tab.get_by_text("The server cannot be reached. What you typed is kept in this browser").wait_for()
    # Meanwhile somebody else writes at another place of the page.
    text = fresh.ask("GET", f"{path}/content/page/{one['id']}?format=markdown")["markdown"]
    changed = {
        "operation": "update_page",
        "page": one["id"],
        "document": {"markdown": text.replace("Wind", "Strong wind")},
    }
    fresh.ask("POST", f"{path}/content", {"changes": [changed]})
    context = tab.context
    tab.close()
    tab = context.new_page()
    tab.goto(f"{request['urls']['app']}/~/edit/{one['id']}")
    source = tab.get_by_role("textbox", name=re.compile("Source"))
    tab.get_by_text("It is here again.").wait_for()
    tab.get_by_text("Saved", exact=True).wait_for()
    both = fresh.ask("GET", f"{path}/content/page/{one['id']}?format=markdown")["markdown"]
    assert "Strong wind turns them." in both
    assert "Typed in the dark." in both
    source.get_by_text("Strong wind").wait_for()


def test_other_places(fresh: Installed, open_page: Open) -> None:
    home = f"{fresh.base}/app/o/{fresh.organization}"
    tab = open_page(f"{home}/~/changes", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    for place, words in (
        (f"{home}/~/changes", "Change requests"),
        (f"{home}/~/notifications", "Notifications"),
        (f"{home}/s/{fresh.space}/~/history", "History"),
        (f"{home}/s/{fresh.space}/~/changes", "Change requests"),
        (f"{home}/s/{fresh.space}/~/files", "Files"),
        (f"{home}/s/{fresh.space}/~/links", "Broken links"),
        (f"{fresh.base}/app/~/account", "Profile"),
        (f"{fresh.base}/app/~/account/security", "Security"),
        (f"{fresh.base}/app/~/account/notifications", "Notifications"),
        (f"{fresh.base}/app/~/account/tokens", "API tokens"),
        (f"{fresh.base}/app/~/parts", "Parts of the application"),
    ):
        tab.goto(place)
        tab.get_by_role("heading", name=words, level=1).wait_for()
        _check(tab)
    # A phone has no room beside each other: a row of people is read downwards, and is still a row.
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(f"{home}/~/members")
    tab.get_by_role("cell", name=re.compile("^Ada Byron")).wait_for()
    assert tab.locator(".table-box").evaluate("(box) => box.scrollWidth <= box.clientWidth")
    assert tab.get_by_role("row").count() == tab.get_by_role("button", name=re.compile("^More of")).count() > 0
    tab.set_viewport_size({"width": 1440, "height": 900})
    tab.goto(f"{home}/s/{fresh.space}/~/history")
    assert "Created" in tab.locator(".moment .strong").last.inner_text()
    # The palette leads to a page by its words, by keyboard alone.
    tab.goto(home)
    tab.get_by_role("heading", name="Mills", level=1).wait_for()
    tab.keyboard.press("Control+k")
    tab.get_by_role("searchbox").wait_for()
    tab.keyboard.type("linen")
    tab.get_by_role("option", name=re.compile("Sails")).wait_for()
    _check(tab, LOOKS[:1])
    tab.keyboard.press("Enter")
    tab.wait_for_url(re.compile("/sails$"))
    # A new space begins with a page.
    tab.goto(home)
    tab.get_by_role("button", name="New space").click()
    tab.get_by_label("Title").fill("Handbook")
    _check(tab, LOOKS[:1])
    tab.get_by_role("button", name="Make space").click()
    tab.get_by_role("button", name="Write the first page").click()
    tab.get_by_label("Title").fill("Welcome")
    _check(tab, LOOKS[1:])
    tab.get_by_role("button", name="Write it").click()
    tab.get_by_role("textbox", name="Text of the page").press_sequentially("The first words.")
    tab.get_by_text("Not saved yet").wait_for()
    tab.get_by_text("Saved", exact=True).wait_for()
    tab.get_by_role("link", name="Done").click()
    tab.frame_locator("iframe").first.get_by_text("The first words.").wait_for()
    assert tab.complaints == []


def test_where_people_come_from(fresh: Installed, open_page: Open) -> None:
    tab = open_page(f"{fresh.base}/app/o/{fresh.organization}/~/directory", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    tab.get_by_role("heading", name="Domains and SCIM", level=1).wait_for()
    tab.get_by_role("button", name="Claim a domain").click()
    tab.get_by_label("Domain of e-mail addresses").fill("mills.example")
    tab.get_by_role("button", name="Claim", exact=True).click()
    tab.get_by_text("_octavo.mills.example", exact=True).wait_for()
    tab.get_by_role("button", name="New token").click()
    tab.get_by_label("What it is for").fill("Directory")
    tab.get_by_role("button", name="Make token").click()
    tab.get_by_role("alertdialog").get_by_text(f"{fresh.base}/scim/v2").wait_for()
    token = tab.get_by_text(re.compile("^octavo_")).inner_text()
    _check(tab, LOOKS[:1])
    headers = {"authorization": f"Bearer {token}"}
    asked = urllib.request.Request(f"{fresh.base}/scim/v2/Users", headers=headers)
    with urllib.request.urlopen(asked, timeout=10) as answer:
        assert [one["userName"] for one in json.loads(answer.read())["Resources"]] == ["ada@example.org"]
    tab.get_by_role("button", name="I have it").click()
    _check(tab)
    tab.get_by_role("button", name="Revoke Directory").click()
    tab.get_by_role("button", name="Revoke", exact=True).click()
    tab.get_by_text("No token yet").wait_for()
    tab.get_by_role("button", name="Give up mills.example").click()
    tab.get_by_role("button", name="Give up", exact=True).click()
    tab.get_by_text("No domain yet").wait_for()
    assert tab.complaints == []


def test_talking_about_a_block_and_comparing_revisions(fresh: Installed, open_page: Open) -> None:
    path = f"/v1/spaces/{fresh.space}/change-requests"
    request = fresh.ask("POST", path, {"subject": "Cotton"})
    base = f"{path}/{request['number']}"
    sails = next(one for one in fresh.ask("GET", f"{base}/content/pages")["pages"] if one["title"] == "Sails")
    text = fresh.ask("GET", f"{base}/content/page/{sails['id']}?format=markdown")["markdown"]
    change = {
        "operation": "update_page",
        "page": sails["id"],
        "document": {"markdown": text.replace("Linen", "Cotton")},
    }
    fresh.ask("POST", f"{base}/content", {"changes": [change]})
    fresh.ask("POST", f"{base}/merge")
    home = f"{fresh.base}/app/o/{fresh.organization}"
    tab = open_page(f"{home}/s/{fresh.space}/sails", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    page = tab.frame_locator("iframe.page-frame")
    page.get_by_text("Cotton lasts.").hover()
    tab.get_by_role("button", name="Comment on “Cotton lasts.”").click()
    card = tab.get_by_role("dialog", name=re.compile("Comments on"))
    card.get_by_role("textbox", name="Comment").fill("Is it **really** so? @Ad")
    card.get_by_role("button", name="Ada Byron").click()
    card.get_by_role("button", name="Comment", exact=True).click()
    card.locator("strong", has_text="really").wait_for()
    card.get_by_text("@Ada Byron").wait_for()
    card.get_by_role("button", name=re.compile("^Reply")).click()
    card.get_by_role("textbox", name=re.compile("^Reply")).fill("It is.")
    card.get_by_role("button", name="Reply", exact=True).click()
    card.get_by_text("It is.").wait_for()
    _check(tab)
    card.get_by_role("button", name="Resolve").click()
    card.get_by_text("Everything is resolved.").wait_for()
    tab.keyboard.press("Escape")
    card.wait_for(state="detached")
    assert page.locator("[data-noted]").count() == 0
    # By keyboard alone: the button goes from block to block.
    add = tab.get_by_role("button", name=re.compile("^Comment on “"))
    add.focus()
    before = add.get_attribute("aria-label")
    add.press("ArrowUp")
    assert add.get_attribute("aria-label") != before
    # Any two revisions.
    tab.goto(f"{home}/s/{fresh.space}/~/history/{sails['id']}")
    tab.get_by_role("button", name="Compare", exact=True).click()
    differs = tab.frame_locator("iframe[title^='Page: changed']").first
    differs.locator("ins", has_text="Cotton").wait_for()
    tab.get_by_role("button", name="Source").click()
    tab.get_by_text("+ Cotton lasts.").wait_for()
    _check(tab)
    assert tab.complaints == []
