"""A site in the application, without a terminal: made in three steps, given two sections, two variants, a share link, styled,
published, and read as it was styled; every screen of it in both themes without a violation that axe knows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

from octavo.access.policy import allows
from tests.browser.conftest import _octavo
from tests.browser.pages import Asked, Open
from tests.browser.test_application import Installed, _check, _sign_in, fresh

__all__ = ["fresh"]

_LOGO = b'<svg xmlns="http://www.w3.org/2000/svg" width="64" height="24"><path d="M0 0h64v24H0z"/></svg>'

STARTS = {"Node.js": "// npm install jose", "Python": "# pip install flask pyjwt", "PHP": "<?php"}
"""What the sample of a log-in in each language begins with."""
VISITORS = Path(__file__).parent / "visitors"
EXPRESS = "const routes = {}; const app = { get: (path, handler) => (routes[path] = handler) };"
"""Of its framework, what the sample in JavaScript needs."""
ASKED = 'await routes["/docs-login"]({ query: { location: "" } }, { redirect: (to) => console.log(to) });'


def test_a_site_is_built_styled_and_published(fresh: Installed, open_page: Open) -> None:
    for title in ("Weirs", "Weirs of old"):
        fresh.ask("POST", f"/v1/orgs/{fresh.organization}/spaces", {"title": title, "empty": True})
    tab = open_page(f"{fresh.base}/app/o/{fresh.organization}/~/sites/new", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    # Three steps: what it shows, its title, its readers.
    tab.get_by_role("checkbox", name="Mills").check()
    tab.get_by_role("button", name="Go on").click()
    tab.get_by_label("Title").fill("x")
    assert tab.get_by_role("button", name="Go on").is_disabled()
    tab.get_by_label("Title").fill("Water and wind")
    tab.get_by_role("button", name="Go on").click()
    tab.get_by_role("radio", name=re.compile("share link")).check()
    _check(tab)
    tab.get_by_role("button", name="Make and publish").click()
    tab.get_by_role("heading", name="Water and wind", level=1).wait_for()
    site = tab.url.rpartition("/sites/")[2]
    path = f"/v1/orgs/{fresh.organization}/sites/{site}"
    assert fresh.ask("GET", path)["published"] is True
    _check(tab)
    # Two sections, the second with two variants, put in order by keyboard.
    tab.get_by_role("link", name="Structure").first.click()
    _add(tab, "A section", "Weirs")
    _add(tab, "A variant", "Weirs of old", "Weirs")
    tree = tab.get_by_role("treegrid")
    tree.get_by_text("2 variants").wait_for()
    _check(tab)
    tab.get_by_role("button", name="More of Weirs", exact=True).first.click()
    tab.get_by_role("menuitem", name="Move up").click()
    tree.get_by_role("row").first.get_by_text("2 variants").wait_for()
    shown = fresh.ask("GET", f"{path}/structure")["structure"]
    assert [(one["title"], len(one["siteSpaces"])) for one in shown] == [("Weirs", 2), ("Mills", 1)]
    # A link for readers; the form says what the API says of it.
    tab.get_by_role("link", name="Audience").click()
    tab.get_by_role("button", name="New link").first.click()
    tab.get_by_label("Name").fill("x" * 51)
    tab.get_by_role("button", name="Make link").click()
    tab.get_by_text("at most 50 characters").wait_for()
    tab.get_by_label("Name").fill("Customers")
    tab.get_by_role("button", name="Make link").click()
    tab.get_by_text("Customers", exact=True).wait_for()
    _check(tab)
    link = fresh.ask("GET", f"{path}/share-links")["items"][0]["urls"]["published"]
    # The look: seen beside the form before it is saved.
    tab.get_by_role("link", name="Look").click()
    tab.get_by_label("Primary colour as #rrggbb, light theme").fill("#15803d")
    tab.get_by_label("Show a line above every page").check()
    tab.get_by_label("Words").fill("The weir is closed.")
    tab.frame_locator("iframe.look-frame").get_by_text("The weir is closed.").wait_for()
    assert fresh.ask("GET", f"{path}/customization").get("announcement") is None
    seen = tab.frame_locator("iframe.look-frame")
    for label, there in (
        ("Logo", ".site-header img"),
        ("Logo in the footer", ".site-footer img"),
        ("Icon of tabs", None),
    ):
        with tab.expect_file_chooser() as chosen:
            tab.get_by_role("button", name=f"Upload: {label}", exact=True).click()
        chosen.value.set_files({"name": "logo.svg", "mimeType": "image/svg+xml", "buffer": _LOGO})
        if there:
            seen.locator(f"{there}[src^='blob:']").wait_for()
    tab.get_by_label("Icon of tabs, dark theme").and_(tab.locator("input:not([value=''])")).wait_for()
    tab.get_by_role("button", name="Add a column of links").click()
    tab.get_by_label("Title of column 1").fill("Elsewhere")
    office = tab.get_by_label("Link 1 of column 1", exact=True)
    office.fill("x" * 65)
    tab.get_by_label("Address of link 1 of column 1").fill("https://weirs.example.org/")
    tab.get_by_role("button", name="Save").click()
    tab.locator(".field", has=office).locator(".wrong").wait_for()
    office.fill("The office")
    seen.locator(".site-footer").get_by_text("The office").wait_for()
    _check(tab)
    tab.get_by_role("button", name="Save").click()
    tab.get_by_text("Readers see the new look.").wait_for()
    for screen in ("Address", "Redirects", "Insights", "People", "Settings"):
        tab.get_by_role("link", name=screen).click()
        tab.get_by_role("heading", name=screen, level=1).wait_for()
        _check(tab)
    _look_at_the_people(fresh, tab)
    _look_at_the_installation(fresh, tab)
    # What a reader with the link finds.
    reader = open_page(link)
    reader.get_by_text("The weir is closed.").wait_for()
    assert reader.locator(".site-header img").first.evaluate("img => img.decode().then(() => img.naturalWidth)") == 64
    assert reader.locator(".site-footer img").first.evaluate("img => img.decode().then(() => img.naturalWidth)") == 64
    assert reader.get_by_role("link", name="The office").get_attribute("href") == "https://weirs.example.org/"
    icon = reader.locator("link[rel=icon]").first.get_attribute("href") or ""
    assert (
        reader.context.request.get(reader.url.partition("/sites/")[0] + icon).headers["content-type"] == "image/svg+xml"
    )
    assert "c=15803d-3457d5" in (reader.locator("link[href*='theme.css']").get_attribute("href") or "")
    assert reader.get_by_role("navigation", name="Sections").get_by_role("link").count() == 2
    tab.goto(f"{fresh.base}/app/o/{fresh.organization}/sites/{site}")
    _dress_a_variant(fresh, tab, reader, path)
    _let_visitors_log_in(fresh, tab, open_page, path)
    _find_the_front_door(fresh, open_page)
    refused = "400 (Bad Request)"  # names that were too long
    assert [one for one in tab.complaints if refused not in one] == []


def _add(tab: Any, kind: str, space: str, section: str = "") -> None:
    """By the menu of the structure."""
    tab.get_by_role("button", name="Add", exact=True).click()
    tab.get_by_role("menuitem", name=re.compile(f"^{kind}")).click()
    dialog = tab.get_by_role("dialog")
    dialog.get_by_label("Space").select_option(label=space)
    if section:
        dialog.get_by_label("Of the section").select_option(label=section)
    dialog.get_by_role("button", name="Add").click()
    dialog.wait_for(state="detached")


def _dress_a_variant(fresh: Installed, tab: Any, reader: Any, path: str) -> None:
    """The older variant looks otherwise than its site, and it alone."""
    tab.get_by_role("link", name="Look").click()
    tab.get_by_label("Of", exact=True).select_option(label="Only Weirs of old")
    tab.get_by_label("Primary colour as #rrggbb, light theme").fill("#b91c1c")
    tab.get_by_role("button", name="Save").click()
    tab.get_by_text("Readers see the new look.").last.wait_for()
    tab.get_by_role("button", name="Like the site").wait_for()
    sheet = "link[href*='theme.css']"
    reader.reload()
    assert "c=15803d" in (reader.locator(sheet).get_attribute("href") or "")
    shown = fresh.ask("GET", f"{path}/site-spaces")["items"]
    reader.goto(next(one["urls"]["published"] for one in shown if one["title"] == "Weirs of old"))
    assert "c=b91c1c" in (reader.locator(sheet).get_attribute("href") or "")


def _let_visitors_log_in(fresh: Installed, tab: Any, open_page: Open, path: str) -> None:
    """The key and the program are taken from the screen; what the program makes of the key lets a visitor in."""
    tab.get_by_role("link", name="Audience").click()
    tab.get_by_role("radio", name=re.compile("logs in at your service")).check()
    tab.get_by_role("button", name="Save").first.click()
    tab.get_by_label("Where visitors log in").fill("https://login.example.org/in")
    tab.locator("form", has=tab.get_by_label("Where visitors log in")).get_by_role("button", name="Save").click()
    tab.get_by_text("Saved.").wait_for()
    keys = tab.locator(".panel", has=tab.get_by_text("Key that signs tokens"))
    keys.get_by_role("button", name="Show").click()
    key = keys.locator("code").first.inner_text()
    assert key == fresh.ask("GET", f"{path}/publishing/auth")["privateKey"]
    samples = tab.locator(".panel", has=tab.get_by_label("A log-in to begin with"))
    programs = {}
    for language in ("Node.js", "Python", "PHP"):
        samples.get_by_label("A log-in to begin with").select_option(label=language)
        samples.locator("code", has_text=STARTS[language]).wait_for()
        programs[language] = samples.locator("code").first.inner_text()
    _check(tab)
    site = fresh.ask("GET", path)["urls"]["published"]
    away = tab.context.request.get(
        site,
        max_redirects=0,
        headers={"accept": "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
    )
    assert (away.status // 100, away.headers["location"].split("?")[0]) == (3, "https://login.example.org/in")
    ways = [_sent_by(programs["Python"], key), *_sent_by_node(programs["Node.js"], key)]
    for way in ways:
        visitor = open_page(way)
        visitor.get_by_text("The weir is closed.").wait_for()
        assert "jwt_token" not in visitor.url


def _sent_by(program: str, key: str) -> str:
    """Where the log-in in Python sends a visitor; of its framework there is what it needs."""
    flask: Any = ModuleType("flask")
    flask.Flask = lambda _: SimpleNamespace(get=lambda _: lambda function: function)
    flask.redirect, flask.request = str, SimpleNamespace(args={"location": ""})
    names: dict[str, Any] = {"__name__": "visitors"}
    with patch.dict(sys.modules, flask=flask), patch.dict(os.environ, VISITOR_KEY=key):
        exec(program, names)
        return str(names["login"]())


def _sent_by_node(program: str, key: str) -> list[str]:
    """Where the log-in in JavaScript sends a visitor, run by node with the library that it names; nothing without them."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(VISITORS, folder, dirs_exist_ok=True)
        command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        if subprocess.run(command, cwd=folder, capture_output=True, timeout=120).returncode != 0:
            return []
        (Path(folder) / "login.mjs").write_text(f"{EXPRESS}\n{program}\n{ASKED}")
        told = {**os.environ, "VISITOR_KEY": key}
        done = subprocess.run([node, "login.mjs"], cwd=folder, env=told, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return [done.stdout.strip()]


def _find_the_front_door(fresh: Installed, open_page: Open) -> None:
    """Who is not signed in finds the sites that are for everybody, no others, and the way in."""
    made = fresh.ask("POST", f"/v1/orgs/{fresh.organization}/sites", {"title": "Open to all", "spaces": [fresh.space]})
    fresh.ask("POST", f"/v1/orgs/{fresh.organization}/sites/{made['id']}/publish")
    stranger = open_page(fresh.base + "/", reduced_motion="reduce")
    stranger.get_by_role("link", name="Sign in").wait_for()
    assert stranger.get_by_text("Water and wind").count() == 0
    _check(stranger)
    stranger.get_by_role("link", name="Open to all").click()
    stranger.wait_for_url(re.compile("/sites/"))
    stranger.go_back()
    stranger.get_by_role("link", name="Sign in").click()
    stranger.get_by_label("Password").wait_for()
    assert stranger.complaints == []


def _look_at_the_people(fresh: Installed, tab: Any) -> None:
    """Somebody is invited, and each screen of people is looked at."""
    base = f"{fresh.base}/app/o/{fresh.organization}/~"
    for screen in ("members", "teams", "sso", "audit", "invitations"):
        tab.goto(f"{base}/{screen}")
        tab.get_by_role("heading", level=1).wait_for()
        _check(tab)
    tab.get_by_label("E-mail addresses").fill("grace@example.org")
    tab.get_by_role("button", name="Invite").click()
    tab.get_by_role("cell", name="grace@example.org", exact=True).wait_for()
    waiting = fresh.ask("GET", f"/v1/orgs/{fresh.organization}/invites")["items"]
    assert [(one["email"], one["role"]) for one in waiting] == [("grace@example.org", "read")]


def _look_at_the_installation(fresh: Installed, tab: Any) -> None:
    """Whoever runs it finds the way from her own menu, and is told what the doctor finds."""
    tab.get_by_role("button", name=re.compile("^Account of")).click()
    tab.get_by_role("menuitem", name="The installation").click()
    tab.get_by_role("button", name="Look now").click()
    tab.get_by_role("row", name=re.compile("a file was written, read and removed")).wait_for()
    _check(tab)
    for screen in ("Jobs", "Organizations", "Accounts"):
        tab.get_by_role("navigation", name="Installation").get_by_role("link", name=screen).click()
        tab.get_by_role("heading", name=screen, level=1).wait_for()
        _check(tab)
    tab.get_by_label("Name or address").fill("ADA@")
    tab.get_by_role("cell", name=re.compile("ada@example.org")).wait_for()
    assert [one["user"]["email"] for one in fresh.ask("GET", "/v1/installation/users?search=ada%40")["items"]] == [
        "ada@example.org"
    ]


def test_charts_and_tables_say_what_the_api_says(fresh: Installed, open_page: Open) -> None:
    site = fresh.ask("POST", f"/v1/orgs/{fresh.organization}/sites", {"title": "Read", "spaces": [fresh.space]})["id"]
    at = f"/v1/orgs/{fresh.organization}/sites/{site}"
    fresh.ask("POST", f"{at}/insights/events", {"events": [*_events(fresh.space)]})
    zone = "timeZone=UTC&range=last7Days"
    tab = open_page(
        f"{fresh.base}/app/o/{fresh.organization}/sites/{site}/~/insights?range=last7Days",
        reduced_motion="reduce",
        timezone_id="UTC",
    )
    _sign_in_to(tab, fresh.base, f"{fresh.base}/app/o/{fresh.organization}/sites/{site}/~/insights?range=last7Days")
    traffic = fresh.ask("GET", f"{at}/insights/report?report=traffic&compare=true&{zone}")
    views = {one["column"]: one["values"] for one in traffic["table"]["columns"]}
    assert sum(views["eventsCount"]) == 8
    tab.locator("dl.numbers dd", has_text=re.compile("^8")).first.wait_for()
    tab.get_by_text("As a table").click()
    assert _numbers(tab, "Traffic") == [
        [*map(str, row)]
        for row in zip(views["eventsCount"], views["visitorsCount"], views["sessionsCount"], strict=True)
    ]
    for words, report in (("Pages", "pages"), ("Searches", "searches"), ("Not found by search", "searches-without-result"),
                          ("Came from", "referrers"), ("Devices", "devices"), ("Ratings", "feedback"),
                          ("Comments", "comments"), ("Broken links", "not-found"), ("Links followed", "links"),
                          ("Browsers", "browsers"), ("Languages", "languages"), ("Bots", "bots"),
                          ("Countries", "countries")):  # fmt: skip
        tab.get_by_role("navigation", name="Reports").get_by_role("link", name=words, exact=True).click()
        tab.get_by_role("table", name=words).wait_for()
        told = fresh.ask("GET", f"{at}/insights/report?report={report}&{zone}&limit=50")["table"]["columns"]
        counted = [
            one["values"]
            for one in told
            if one["column"] in ("eventSearchResults", "eventsCount", "visitorsCount", "sessionsCount")
        ]
        if report == "comments":
            tab.get_by_role("cell", name="Too short.").wait_for()
            continue
        assert counted[0], report
        assert _numbers(tab, words) == [[*map(str, row)] for row in zip(*counted, strict=True)], report
        if report == "countries":
            tab.get_by_role("cell", name="Germany").wait_for()
    # Days of one's own, in the address: today alone has all of it, yesterday nothing.
    tab.get_by_label("Time", exact=True).select_option(label="Days of your own")
    today = datetime.now(UTC).date()
    for day, count in ((today - timedelta(days=1), 0), (today, 8)):
        tab.get_by_label("To", exact=True).fill(day.isoformat())
        tab.get_by_label("From").fill(day.isoformat())
        tab.locator("dl.numbers dd", has_text=re.compile(rf"^{count}(?!\d)")).first.wait_for()
        span = f"timeZone=UTC&from={day}T00:00:00Z&to={day + timedelta(days=1)}T00:00:00Z"
        told = fresh.ask("GET", f"{at}/insights/report?report=traffic&{span}")["table"]["columns"]
        assert next(sum(one["values"]) for one in told if one["column"] == "eventsCount") == count
    tab.get_by_label("To", exact=True).fill((today - timedelta(days=3)).isoformat())
    tab.get_by_text("The first day is before the last one.").wait_for()
    _check(tab)
    assert tab.complaints == []


def _events(space: str) -> Any:
    """Three visitors: eight views, one of nothing, three searches, two of them in vain, what they said; and a program."""
    for at, page in enumerate(("", "", "", "sails", "sails", "cloth", "cloth", "weir")):
        location = {"url": f"https://docs.example.org/{page}", "space": space, "page": page or "first"}
        yield {"type": "page_view", "session": _session(at, "https://news.example.com/"), "location": location}
    for at, (query, results) in enumerate((("weir", 2), ("heron", 0), ("heron", 0))):
        location = {"url": "https://docs.example.org/", "space": space, "page": "first"}
        told = {"query": query, "results": results}
        yield {"type": "search_type_query", "session": _session(at, None), "location": location} | told
    bot = {"userAgent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"}
    yield {"type": "page_view", "session": _session(0, None) | bot, "location": location}
    gone = {"url": "https://docs.example.org/gone", "space": space}
    yield {"type": "page_view", "session": _session(1, "https://news.example.com/"), "location": gone}
    link = {"target": {"kind": "url", "url": "https://example.com/x"}, "position": "content"}
    for kind, told in (
        ("page_post_feedback", {"feedback": {"rating": "good"}}),
        ("page_post_feedback_comment", {"feedback": {"rating": "bad", "comment": "Too short."}}),
        ("link_click", {"link": link}),
    ):
        yield {"type": kind, "session": _session(2, None), "location": location} | told


def _session(at: int, referrer: str | None) -> dict[str, Any]:
    browser = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"
    return {
        "visitorId": f"v{at % 3}", "sessionId": f"s{at % 4}", "userAgent": browser, "referrer": referrer, "cookies": {},
        "language": "en", "ip": "192.0.2.1",
    }  # fmt: skip


def _numbers(tab: Any, table: str) -> list[list[str]]:
    """The cells of a table that hold numbers, row by row."""
    rows = tab.get_by_role("table", name=table).locator("tbody tr")
    return [[one.replace(",", "") for one in row.locator("td.number").all_inner_texts()] for row in rows.all()]


def _sign_in_to(tab: Any, base: str, address: str) -> None:
    _sign_in(tab, base)
    tab.goto(address)


ROLES = ("read", "comment", "edit", "review", "create")


def _offered(fresh: Installed) -> dict[str, dict[str, tuple[Any, str]]]:
    """Place -> button -> the permission that it takes; nobody's where the table does not have it."""
    home, space = f"/app/o/{fresh.organization}", f"/app/o/{fresh.organization}/s/{fresh.space}"
    made = fresh.ask("POST", f"/v1/spaces/{fresh.space}/change-requests", {"subject": "Of sails"})
    site = fresh.ask("GET", f"/v1/orgs/{fresh.organization}/sites")["items"][0]["id"]
    git = {"url": "https://git.example.org/mills.git", "ref": "refs/heads/main", "paused": True}
    fresh.ask("PUT", f"/v1/spaces/{fresh.space}/git/connection", git)
    greeter = {
        "organization": fresh.organization, "title": "Greeter", "description": "Says hello", "visibility": "private",
        "scopes": ["site:metadata:read"], "script": "export default {}",
    }  # fmt: skip
    fresh.ask("POST", "/v1/integrations/greeter", greeter)
    create, admin = ("organization", "createContent"), ("organization", "admin")
    return {
        home: {"New space": create, "Import": create},
        f"{space}/sails": {"Edit": ("space", "edit"), "Comment": ("space", "comment")},
        f"{space}/~/changes/{made['number']}": {"Merge": ("space", "merge"), "Review": ("space", "review")},
        f"{space}/~/settings": {"Delete the space": ("space", "admin"), "Export as a zip": ("space", "triggerGitSync")},
        f"{space}/~/settings/git": {"Synchronize": ("space", "triggerGitSync"), "Disconnect": ("space", "admin")},
        f"{home}/~/openapi": {"Add a specification": ("organization", "createOpenAPISpec")},
        f"{home}/~/translations": {"New translation": create},
        f"{home}/~/collections": {"New collection": create},
        f"{home}/~/sites": {"New site": create},
        f"{home}/~/integrations/greeter": {"Install": ("organization", "installIntegration")},
        f"{home}/~/webhooks": {"New webhook": admin},
        f"{home}/~/members": {"Invite": admin},
        f"{home}/sites/{site}/~/structure": {"Add": ("site", "edit")},
        "/app/~/installation": {"Look now": (None, "operator")},
    }


def _telling(buttons: dict[str, tuple[Any, str]]) -> list[str]:
    """The roles at which a screen may go wrong: the least one, and those on both sides of what each button takes."""
    told = {"read"}
    for kind, word in buttons.values():
        lacking = [role for role in ROLES if kind is None or not allows(kind, word, role)]  # type: ignore[arg-type]
        told |= {*lacking[-1:], *[role for role in ROLES if role not in lacking][:1]}
    return [role for role in ROLES if role in told]


def test_a_team_of_five_sees_exactly_its_buttons(fresh: Installed, open_page: Open) -> None:
    """Each has another role in the organization; what the screens offer is what the matrix of permissions gives it."""
    offered = _offered(fresh)
    tab = open_page(fresh.base + "/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    asked, whose = Asked(tab), {"token": ""}
    # The page of the application is Ada's; what it asks the API, it asks as each of the five.
    tab.route("**/app/~/token", lambda route: route.fulfill(json={"token": whose["token"], "expiresIn": 600}))
    for role in ROLES:
        address = f"{role}@example.org"
        whose["token"] = _octavo(
            fresh.data, "user", "create", "--email", address, "--name", role.title(),
            "--organization", fresh.organization, "--role", role,
        )["token"]  # fmt: skip
        tab.goto(fresh.base + "/app")
        tab.get_by_role("heading", level=1).first.wait_for()
        for place, buttons in offered.items():
            if role in _telling(buttons):
                _compare(tab, asked, place, role, buttons)


def _compare(tab: Any, asked: Asked, place: str, role: Any, buttons: dict[str, tuple[Any, str]]) -> None:
    """Everything that the role may is there, and nothing else."""
    # As by a link: to load the whole application for each place took most of the time.
    tab.evaluate(
        "(place) => { history.pushState(null, '', place); dispatchEvent(new PopStateEvent('popstate')) }", place
    )
    matrix = {name: kind is not None and allows(kind, word, role) for name, (kind, word) in buttons.items()}
    main = tab.locator("main")
    shown = {
        name: main.get_by_role("textbox" if name == "Comment" else "button", name=name, exact=True).or_(
            main.get_by_role("link", name=name, exact=True)
        )
        for name in buttons
    }
    for name in buttons:
        if matrix[name]:
            shown[name].first.wait_for()
    if not all(matrix.values()):
        asked.settle()
    seen = {name: one.count() > 0 for name, one in shown.items()}
    assert seen == matrix, f"{role} at {place}"
