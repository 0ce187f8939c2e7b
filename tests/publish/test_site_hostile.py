"""Pages that somebody wrote to harm: every answer comes, says what it may, and holds up nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client import World
from tests.content.hostile import MARKDOWN, repeated, wide_table
from tests.profiles import DEEP
from tests.publish.visiting import Visitor, visit, write
from tests.watching import watched

HELD = 0.1
"""Seconds that one step may hold the event loop."""
SIZE = 60_000 if DEEP else 20_000
COSTLY = "[1,2,3,4].map(a => 'a'.repeat(300).split('').map(b => b)).join('').length > 1"
PAGES = {
    "table": wide_table(156_000 if DEEP else 50_000),
    "lists": repeated("- a\n")(SIZE),
    "quotes": MARKDOWN["- > - > a\n"](SIZE),
    "headings": repeated("# a\n")(SIZE),
    "marks": repeated("*a* **b** `c` ")(SIZE),
    "links": repeated("[a](b) ")(SIZE),
    "formulas": "\n".join(f"$$x^{{{number}}}$$" for number in range(SIZE // 20)),
    "conditions": "\n\n".join(f"{{% if {COSTLY} %}}\nb{number}\n{{% endif %}}" for number in range(SIZE // 75)),
    "wild": repeated("![a")(400_000),
    "number": f"{{% if 0x{'f' * 300} > 1 %}}\nshown\n{{% endif %}}\n\n{{% if 0x{'f' * 300} < 1 %}}\nkept\n{{% endif %}}\n",
    "secret": "a {% if visitor.claims.unsigned.x %}secret{% endif %}\n\nnext\n",
    "formula": "$$x^\\operatorname{</math><iframe/src=https://evil/>}$$\n",
}


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    listed = "".join(f"* [{name}]({name}.md)\n" for name in ("README", *PAGES, "cover"))
    files: dict[str, str | bytes] = {"SUMMARY.md": listed, "README.md": "# Home\n"}
    files |= {f"{name}.md": f"# {name}\n\n{text}" for name, text in PAGES.items()}
    files["cover.md"] = "---\ncover: https://example.org/a.png\ncoverHeight: .inf\ncoverY: .nan\n---\n\n# Cover\n\na\n"
    return visit(world, write(tmp_path, files))


def test_no_page_holds_the_event_loop(site: Visitor) -> None:
    site.get("")  # what is imported with the first page
    site.get("README.md")
    for name in PAGES:
        for path in (name, f"{name}.md"):
            with watched() as held:
                reply = site.get(path)
            assert reply.status == 200, path
            assert held.longest < HELD, (path, held.longest)
            assert len(reply.text) < 9_000_000
    with watched() as held:
        assert site.get("llms-full.txt").status == 200
    assert held.longest < HELD


def test_pages_say_what_they_may(site: Visitor) -> None:
    for path in ("secret", "secret.md", "llms-full.txt"):
        text = site.get(path).text
        assert "secret{%" not in text.replace("\\", "")
        assert "next" in text
    assert "shown" in site.get("number").text
    assert "kept" not in site.get("number").text
    assert "<iframe" not in site.get("formula").text
    assert site.get("cover").status == 200
    assert site.get("sitemap.xml").status == 200
