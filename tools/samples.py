"""Renders sample pages with the real templates, serves them locally and photographs them in Chromium.

    python tools/samples.py FOLDER [name ...]

writes FOLDER/<page>-<width>-<theme>.png for every sample page at 1440 and 390 px, light and dark.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.async_api import ConsoleMessage, async_playwright

from octavo.content.icons import content_icon
from octavo.publish import assets, colours, templating, views
from octavo.publish.icons import interface_icon

CHROMIUM = [
    "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
COVER = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 270"><defs><linearGradient id="a" x2="1" y2="1">'
    '<stop stop-color="#c7d7fb"/><stop offset=".55" stop-color="#e6dcf8"/><stop offset="1" stop-color="#fbe3d3"/>'
    '</linearGradient></defs><rect width="720" height="270" fill="url(#a)"/><circle cx="560" cy="84" r="38" fill="#fff"'
    ' opacity=".75"/><path d="M0 210 150 120l90 60 130-100 170 130 80-50 100 60v40H0z" fill="#6f86d8" opacity=".55"/>'
    '<path d="M0 240 120 190l140 50 160-70 150 80 150-40v60H0z" fill="#3b4fa3" opacity=".6"/></svg>'
)
HITS = {
    "items": [
        {
            "title": "Install the server",
            "href": "page.html",
            "breadcrumbs": ["Guides", "Get started"],
            "sections": [
                {
                    "title": "Choose a database",
                    "href": "page.html#choose",
                    "snippet": "SQLite needs no setup: install the package and serve. PostgreSQL shares the load.",
                },
            ],
        },
        {"title": "Install on Kubernetes", "href": "page.html", "breadcrumbs": ["Operate"], "sections": []},
    ]
}


def site(**changes: object) -> views.SiteChrome:
    """A site with everything a site can have."""
    link = views.Link
    everything: dict[str, object] = {
        "title": "Octavo",
        "base_path": "/",
        "static_path": "/static/",
        "search_url": "/search.json",
        "header_links": (
            views.HeaderLink("Blog", "/blog"),
            views.HeaderLink("Community", children=(link("Forum", "/forum"), link("Source", "/source"))),
            views.HeaderLink("Sign in", "/in", style="button-primary"),
        ),
        "sections": (
            link("Guides", "/", icon=content_icon("book-open"), current=True),
            link("Reference", "/reference", icon=content_icon("code")),
            link("Changelog", "/changelog", icon=content_icon("clock-rotate-left")),
        ),
        "variants": (link("English", "/", current=True), link("Deutsch", "/de")),
        "footer_groups": (
            views.LinkGroup("Product", (link("Features", "/f"), link("Security", "/s"))),
            views.LinkGroup("People", (link("Team", "/t"), link("Write to us", "/w"))),
        ),
        "footer_note": "Made with care. Text under CC BY 4.0.",
    }
    return views.SiteChrome(**(everything | changes))  # type: ignore[arg-type]


def nav() -> tuple[views.NavNode, ...]:
    """A table of contents with groups, nesting, icons, a lazy branch and an external link."""
    node = views.NavNode
    started = node("Get started", "page.html", current=True, open=True, icon=content_icon("rocket"), children=(
        node("Install the server", "/install"), node("Write your first page", "/write"), node("Publish", "/publish"),
    ))  # fmt: skip
    guides = (
        started,
        node("Concepts", "/concepts", emoji="🧭"),
        node("Import from elsewhere", "/import", lazy_href="/lazy.html"),
    )
    operate = (
        node("Backups", "/backups", children=(node("Restore", "/restore"),)),
        node("Running several workers behind one address", "/workers"),
        node("Status", "https://status.example.org", "link"),
    )
    return (
        node("Welcome", "/welcome", icon=content_icon("house")),
        node("Guides", "", "group", open=True, children=guides),
        node("Operate", "", "group", open=True, children=operate),
    )


def page(**changes: object) -> views.PageView:
    """A page with every part."""
    body = Path(__file__).with_name("sample_body.html").read_text(encoding="utf-8")
    for style, name in (
        ("INFO", "info"),
        ("SUCCESS", "circle-check"),
        ("WARNING", "triangle-alert"),
        ("DANGER", "circle-alert"),
    ):
        body = body.replace(f"ICON_{style}", interface_icon(name))
    body = body.replace("ICON_FILE", interface_icon("file-text")).replace("ICON_FA", content_icon("feather"))
    headings = (
        (1, "install", "Install the server"),
        (2, "choose", "Choose a database"),
        (1, "steps", "Publish in three steps"),
    )
    everything: dict[str, object] = {
        "title": "Get started with Octavo",
        "html": body,
        "description": "From nothing to a published site in ten minutes, on your own machine.",
        "outline": tuple(views.Outline(*row) for row in (*headings, (1, "reference", "Reference"))),
        "breadcrumbs": (views.Link("Guides", "/"),),
        "previous": views.Link("Welcome", "/welcome"),
        "next": views.Link("Install the server", "/install"),
        "updated_at": datetime(2026, 11, 3, 9, 30, tzinfo=UTC),
        "tags": (views.Tag("Stable", primary=True), views.Tag("Self-hosted"), views.Tag("New", color="green")),
        "markdown_url": "/page.md",
        "edit_url": "/edit",
        "actions": (
            views.Action("Copy page", "copy", page="/page.md"),
            views.Action("View as Markdown", "file-text", "/page.md"),
        ),
        "canonical": "https://docs.example.org/guides/start",
        "needs": frozenset({"mermaid"}),
    }
    return views.PageView(**(everything | changes))  # type: ignore[arg-type]


def documents() -> dict[str, str]:
    """The sample pages: file name without ending to HTML."""
    nearest = (
        views.Link("Install the server", "/install", description="From nothing to a running server"),
        views.Link("Publish", "/publish"),
    )
    hit = views.SearchHit(
        "Install the server",
        "/install",
        ("Guides",),
        (views.SectionHit("Choose a database", "/install#choose", ("SQLite needs no setup.",)),),
    )
    bare = site(sections=(), variants=(), header_links=(), search_url="", footer_groups=(), footer_note="")
    return {
        "page": templating.page(site(), nav(), page()),
        "cover": templating.page(
            site(sections=(), primary="#0f766e"),
            nav(),
            page(cover=views.Cover(views.Image("cover.svg")), layout=views.Layout(width="wide"), emoji="🪴"),
        ),
        "plain": templating.page(bare, (), page(layout=views.Layout(table_of_contents=False, outline=False))),
        "search": templating.search(site(sections=()), nav(), views.SearchView("install", (hit, hit))),
        "missing": templating.message(site(), views.MessageView("not-found", nearest=nearest)),
        "login": templating.message(bare, views.MessageView("login", action=views.Link("Log in", "/login"))),
        "error": templating.message(bare, views.MessageView("error", reference="01JC8Z6Q4M")),
    }


class _Handler(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", templating.CONTENT_SECURITY_POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Photographs need no access log."""


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The samples on a local port that the system chooses; yields the address, with a slash at its end."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "static").mkdir()
        for asset in assets.every():
            (root / "static" / asset.path).write_bytes(asset.body)
        for name, html in documents().items():
            (root / f"{name}.html").write_text(html, encoding="utf-8")
        chosen = site()
        (root / "static" / "theme.css").write_text(colours.theme_css(chosen.primary, chosen.primary_dark))
        (root / "cover.svg").write_text(COVER)
        (root / "search.json").write_text(json.dumps(HITS))
        (root / "lazy.html").write_text(templating.nav_children(chosen, (views.NavNode("From a wiki", "/wiki"),)))
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _tell(said: ConsoleMessage) -> None:
    # The diagram library tries inline styles first; the policy refuses them and mermaid.js applies them itself.
    if "inline style" not in said.text:
        _say(f"{said.type}: {said.text}")


async def photograph(folder: Path, wanted: list[str]) -> None:
    """Whole-page pictures, and what the console said on the way."""
    executable = subprocess.run(["which", "chromium"], capture_output=True, text=True, check=True).stdout.strip()
    with served() as address:
        async with async_playwright() as tool:
            browser = await tool.chromium.launch(executable_path=executable, args=CHROMIUM[2:])
            for width in (1440, 390):
                for theme in ("light", "dark"):
                    tab = await browser.new_page(
                        viewport={"width": width, "height": 900},
                        color_scheme="dark" if theme == "dark" else "light",
                        reduced_motion="reduce",
                    )
                    tab.on("console", _tell)
                    tab.on("pageerror", lambda problem: _say(f"error: {problem}"))
                    for name in wanted:
                        await tab.goto(f"{address}{name}.html", wait_until="networkidle")
                        await tab.screenshot(path=folder / f"{name}-{width}-{theme}.png", full_page=True)
                    await tab.close()
            await browser.close()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    asyncio.run(photograph(target, sys.argv[2:] or list(documents())))
