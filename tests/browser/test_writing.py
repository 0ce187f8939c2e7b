"""Pages written in the visual editor: what is not touched keeps its bytes, what two people write at once is all there."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import _octavo
from tests.browser.pages import Open
from tests.browser.test_application import Installed, _check, _sign_in, fresh  # noqa: F401

KITCHEN = Path(__file__).parents[1] / "content" / "kitchen_sink"
SEEN_WITHIN = 2000
"""Milliseconds after which one browser shows what was typed in another one."""


class Draft:
    """A change request of a space, written into by browsers."""

    def __init__(self, world: Installed) -> None:
        self.world = world
        made = world.ask("POST", f"/v1/spaces/{world.space}/change-requests", {"subject": "Writing"})
        self.path = f"/v1/spaces/{world.space}/change-requests/{made['number']}"
        self.app = made["urls"]["app"]

    def pages(self) -> Iterator[dict[str, Any]]:
        waiting = self.world.ask("GET", f"{self.path}/content/pages")["pages"]
        while waiting:
            one = waiting.pop(0)
            waiting += one.get("pages", [])
            if one["type"] == "document" and "computed" not in one:
                yield one

    def text(self, page: str) -> str:
        return str(self.world.ask("GET", f"{self.path}/content/page/{page}?format=markdown").get("markdown", ""))

    def comes_to(self, tab: Any, page: str, expected: str) -> None:
        """What was typed is sent after a rest, which an earlier part of it may have begun."""
        for _ in range(100):
            if self.text(page) == expected:
                return
            tab.wait_for_timeout(50)
        assert self.text(page) == expected

    def write(self, page: str, markdown: str) -> None:
        change = {"operation": "update_page", "page": page, "document": {"markdown": markdown}}
        self.world.ask("POST", f"{self.path}/content", {"changes": [change]})

    def open(self, tab: Any, page: str) -> Any:
        tab.goto(f"{self.app}/~/edit/{page}")
        text = tab.get_by_role("textbox", name="Text of the page")
        text.wait_for()
        return text


def _changed(before: str, after: str) -> list[str]:
    """Lines that went and came."""
    lines = unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=0)
    return [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]


FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Nobody presses two keys at once: a browser tells of a cursor that it moved with its next frame."""


def _saved(tab: Any) -> None:
    with tab.expect_response(lambda one: one.request.method == "POST" and "/content?" in one.url):
        pass
    tab.get_by_text("Saved", exact=True).wait_for()


def _typed(tab: Any, text: Any, words: str) -> None:
    with tab.expect_response(lambda one: one.request.method == "POST" and "/content?" in one.url):
        text.press_sequentially(words)
    tab.get_by_text("Saved", exact=True).wait_for()


def test_writing_as_readers_see_it(fresh: Installed, open_page: Open) -> None:  # noqa: F811
    draft = Draft(fresh)
    tab = open_page(fresh.base + "/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    page = next(one["id"] for one in draft.pages() if one["title"] == "Sails")
    before = "# Sails\n\nFour of *them*   turn.\n\n## Cloth\n\n- Linen\n- Canvas\n"
    draft.write(page, before)
    text = draft.open(tab, page)
    text.press("Control+Home")
    text.press("End")
    _typed(tab, text, " Slowly")
    after = draft.text(page)
    assert _changed(before, after) == ["-Four of *them*   turn.", "+Four of *them*   turn. Slowly"]
    # Markdown as it is typed, and a block by its name.
    text.press("Control+End")
    tab.evaluate(FRAMES)
    text.press("Enter")
    text.press("Enter")
    text.press_sequentially("/war")
    tab.get_by_role("option", name="Warning").wait_for()
    text.press("Enter")
    _typed(tab, text, "Mind the **sails** now")
    draft.comes_to(tab, page, after + '\n{% hint style="warning" %}\nMind the **sails** now\n{% endhint %}\n')
    # What somebody else writes is seen, and the cursor stays where it is.
    draft.write(page, draft.text(page).replace("Canvas", "Canvas of hemp"))
    text.get_by_text("Canvas of hemp").wait_for(timeout=SEEN_WITHIN)
    _typed(tab, text, ", or not")
    assert "Mind the **sails** now, or not\n" in draft.text(page)
    # Both editors have the same text.
    tab.get_by_role("button", name="Source").click()
    source = tab.get_by_role("textbox", name=re.compile("Source"))
    source.get_by_text("Canvas of hemp").wait_for()
    tab.get_by_role("button", name="Visual").click()
    text.get_by_text("Canvas of hemp").wait_for()
    assert tab.complaints == []
    # Last, as axe itself puts style into shadows, which the policy of the page refuses.
    _check(tab)


@pytest.mark.deep
def test_two_people_write_into_one_page_for_a_minute(fresh: Installed, open_page: Open) -> None:  # noqa: F811
    draft = Draft(fresh)
    tabs = [open_page(fresh.base + "/app", reduced_motion="reduce") for _ in range(2)]
    page = next(one["id"] for one in draft.pages() if one["title"] == "Mills")
    draft.write(page, "# Mills\n\n" + "".join(f"Paragraph {number} is here.\n\n" for number in range(12)))
    texts = []
    for tab in tabs:
        _sign_in(tab, fresh.base)
        texts.append(draft.open(tab, page))
    drawn = random.Random(7)
    written: list[str] = []
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        who = drawn.randrange(2)
        line = f"Line {len(written)} of {'Ann' if who else 'Bo'}"
        at = texts[who].locator("p").nth(drawn.randrange(8))
        at.click()
        texts[who].press("End")
        if drawn.random() < 0.6:
            texts[who].press("Enter")
            texts[who].press_sequentially(line + ".", delay=5)
        else:
            texts[who].press_sequentially(" " + line + ".", delay=5)
        written.append(line + ".")
    for tab in tabs:
        tab.get_by_text("Saved", exact=True).wait_for()
    final = draft.text(page)
    assert [line for line in written if line not in final] == [], final
    for text in texts:
        shown = text.inner_text()
        assert [line for line in written if line not in shown] == []


@pytest.mark.deep
def test_every_page_of_the_corpora_keeps_its_bytes(
    fresh: Installed,  # noqa: F811
    corpus: Path,
    open_page: Open,
) -> None:
    tab = open_page(fresh.base + "/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    wrong: list[tuple[str, list[str]]] = []
    looked = 0
    for source in (corpus, KITCHEN):
        made = _octavo(fresh.data, "import", str(source), "--organization", fresh.organization, "--title", source.name)
        draft = Draft(replace(fresh, space=made["space"]))
        for page in draft.pages():
            before = draft.text(page["id"])
            text = draft.open(tab, page["id"])
            text.press("Control+Home")
            _typed(tab, text, "x")
            text.press("Backspace")
            _saved(tab)
            if draft.text(page["id"]) != before:
                wrong.append((page["path"], _changed(before, draft.text(page["id"]))))
            looked += 1
    assert wrong == []
    assert looked > 100
