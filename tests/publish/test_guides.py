"""The guides at /docs/guides: this version's own documentation, from the package, and where the application leads into it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.client import World

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CHAPTERS = sorted(
    {
        chapter
        for path in (ROOT / "web" / "screens").rglob("*.tsx")
        for chapter in re.findall(r'<Help\s+chapter="([^"]+)"', path.read_text())
    }
)


@pytest.fixture
def guide(world: World):  # type: ignore[no-untyped-def]
    def read(path: str, **headers: str) -> str:
        reply = world.api.get(f"/docs/guides/{path}", token="", headers=headers)
        if reply.status == 308:
            reply = world.api.get(reply.headers["location"], token="", headers=headers)
        assert reply.status == 200, f"{path}: {reply.status}"
        return reply.text

    return read


def test_every_screen_s_help_leads_to_a_page_of_the_documentation(world: World, guide) -> None:  # type: ignore[no-untyped-def]
    assert len(CHAPTERS) > 15
    for chapter in CHAPTERS:
        file = DOCS / f"{chapter.partition('#')[0]}.md"
        assert file.is_file(), f"a screen leads to docs/{chapter}.md, which is not there"
        [title, *_] = re.findall(r"^# (.*?)(?: <a .*)?$", file.read_text(), re.MULTILINE)
        page = guide(chapter.partition("#")[0])
        assert f"<h1>{title}</h1>" in page.replace("&#x27;", "'"), chapter
        anchor = chapter.partition("#")[2]
        assert not anchor or f'id="{anchor}"' in page, chapter


def test_all_pages_answer_and_their_links_lead_somewhere(world: World, guide) -> None:  # type: ignore[no-untyped-def]
    listed = re.findall(r"\((?:https?://[^/]+)?/docs/guides/([^)]*)\.md\)", guide("llms.txt"))
    assert len(listed) >= len([*DOCS.rglob("*.md")]) - 5
    links: set[str] = set()
    for path in listed:
        page = guide(path)
        assert 'href="/docs/"' in page, "the reference of the API is one step away"
        links |= {
            href for href in re.findall(r'(?:href|src)="(/docs/guides/[^"#?]*)"', page) if "~octavo/search" not in href
        }
    for href in sorted(links):
        reply = world.api.get(href, token="")
        assert reply.status == 200, href
        assert reply.body


def test_a_page_is_markdown_and_found_by_its_words(world: World, guide) -> None:  # type: ignore[no-untyped-def]
    assert guide("running/audit.md", accept="text/markdown").count("\n# Audit log\n") == 1
    found = json.loads(guide("~octavo/search?q=audit+log", accept="application/json"))["items"]
    assert found[0]["title"] == "Audit log"
    assert world.api.get("/docs/guides/running/nothing", token="").status == 404
    assert world.api.get("/docs/guides", token="").headers["location"] == "/docs/guides/"
    assert world.api.get("/docs/guides/~octavo/files/guides/g1/abc/../../../x", token="").status == 404
