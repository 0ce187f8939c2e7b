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
from tests.browser.pages import DESKTOP, Open
from tests.browser.test_application import NARROW, Installed, _check, _sign_in, fresh  # noqa: F401

KITCHEN = Path(__file__).parents[1] / "content" / "kitchen_sink"
SEEN_WITHIN = 15_000
"""Milliseconds after which one browser shows what was typed in another one: two thousand for people, more where tests have to
take turns."""


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

    def comes_to(self, tab: Any, page: str, expected: str | re.Pattern[str]) -> None:
        """What was typed is sent after a rest, which an earlier part of it may have begun."""
        wanted = expected if isinstance(expected, re.Pattern) else re.compile(re.escape(expected))
        for _ in range(100):
            if wanted.fullmatch(self.text(page)):
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


def _is_saved(tab: Any) -> None:
    tab.locator(".writing-said", has_text=re.compile("^Saved$")).wait_for()


def _saved(tab: Any) -> None:
    with tab.expect_response(lambda one: one.request.method == "POST" and "/content?" in one.url):
        pass
    _is_saved(tab)


def _typed(tab: Any, text: Any, words: str) -> None:
    with tab.expect_response(lambda one: one.request.method == "POST" and "/content?" in one.url):
        text.press_sequentially(words)
    _is_saved(tab)


def _edit(fresh: Installed, tab: Any, markdown: str) -> tuple[Draft, str, Any]:  # noqa: F811
    """A page of a new change request with this text, opened to be written into."""
    draft = Draft(fresh)
    page = next(one["id"] for one in draft.pages() if one["title"] == "Sails")
    draft.write(page, markdown)
    return draft, page, draft.open(tab, page)


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
    # Keys faster than the browser tells of the cursor that it moved.
    for _ in range(5):
        text.press("Control+Home")
        text.press("Control+End")
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


def test_the_menu_of_the_toolbar_is_about_the_block_with_the_cursor(fresh: Installed, open_page: Open) -> None:  # noqa: F811
    tab = open_page(fresh.base + "/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    draft, page, text = _edit(fresh, tab, "# Sails\n\nFirst.\n\nSecond.\n\nThird.\n")
    _typed(tab, text, "1 ")
    # From one paragraph into another one nothing changes that the toolbar shows.
    text.get_by_text("Third.").click()
    tab.get_by_role("button", name="Block", exact=True).click()
    tab.get_by_role("menuitem", name="Delete").click()
    draft.comes_to(tab, page, "# Sails\n\n1 First.\n\nSecond.\n")


def _handle(tab: Any, text: Any, words: str) -> Any:
    """The handle of the block with these words, which comes with the mouse."""
    box = text.get_by_text(words, exact=True).bounding_box()
    handle = tab.locator(".block-handle")
    tab.mouse.move(box["x"] + 5, box["y"] + 4)
    tab.mouse.move(box["x"] + 9, box["y"] + 8)
    handle.wait_for()
    return handle


def test_blocks_are_taken_hold_of(fresh: Installed, open_page: Open) -> None:  # noqa: F811
    tab = open_page(fresh.base + "/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    draft, page, text = _edit(fresh, tab, "# Sails\n\nFirst.\n\n* One\n* Two\n* Three\n\n## Head\n\nLast.\n")
    # From the menu of its handle: another kind, of one item alone.
    _handle(tab, text, "Two").click()
    tab.get_by_role("menuitem", name="Turn into quote").click()
    draft.comes_to(tab, page, "# Sails\n\nFirst.\n\n* One\n\n> Two\n\n* Three\n\n## Head\n\nLast.\n")
    # By the mouse: behind the first paragraph.
    held = _handle(tab, text, "Last.").bounding_box()
    to = text.get_by_text("First.", exact=True).bounding_box()
    tab.mouse.move(held["x"] + 12, held["y"] + 12)
    tab.mouse.down()
    tab.mouse.move(held["x"] + 20, held["y"] - 20, steps=3)
    tab.mouse.move(to["x"] + 30, to["y"] + to["height"] - 4, steps=6)
    tab.mouse.up()
    draft.comes_to(tab, page, "# Sails\n\nFirst.\n\nLast.\n\n* One\n\n> Two\n\n* Three\n\n## Head\n")
    # By keys, and taken back.
    text.press("Alt+Shift+ArrowUp")
    draft.comes_to(tab, page, "# Sails\n\nLast.\n\nFirst.\n\n* One\n\n> Two\n\n* Three\n\n## Head\n")
    text.press("Control+z")
    text.press("Control+/")
    tab.get_by_role("menuitem", name="Duplicate").press("Enter")
    draft.comes_to(tab, page, "# Sails\n\nFirst.\n\nLast.\n\nLast.\n\n* One\n\n> Two\n\n* Three\n\n## Head\n")
    # A comment on it is on that block for everybody.
    text.press("Control+/")
    tab.get_by_role("menuitem", name="Comment").press("Enter")
    tab.get_by_label("Comment", exact=True).fill("Why twice?")
    tab.get_by_role("dialog").get_by_role("button", name="Comment").click()
    tab.get_by_text("The comment stands beside the block.").wait_for()
    (comment,) = fresh.ask("GET", f"{draft.path}/comments?format=markdown")["items"]
    assert (comment["body"]["markdown"].strip(), comment["target"]["node"]["preview"]) == ("Why twice?", "Last.")
    assert tab.complaints == []


def test_a_block_in_hand_stays_the_same_one_whatever_others_write(fresh: Installed, open_page: Open) -> None:  # noqa: F811
    tab = open_page(fresh.base + "/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    draft, page, text = _edit(fresh, tab, "# Sails\n\nFirst.\n\nSecond.\n\nThird.\n\nLast.\n")

    def others(markdown: str, seen: str) -> None:
        draft.write(page, "# Sails\n\n" + markdown)
        text.get_by_text(seen).wait_for(timeout=SEEN_WITHIN)

    # Its menu is open.
    _handle(tab, text, "Second.").click()
    others("Zero.\n\nThe first.\n\nSecond.\n\nThird.\n\nLast.\n", "Zero.")
    tab.get_by_role("menuitem", name="Delete").click()
    draft.comes_to(tab, page, "# Sails\n\nZero.\n\nThe first.\n\nThird.\n\nLast.\n")
    # It is dragged, and the page is scrolled meanwhile.
    held = _handle(tab, text, "Last.").bounding_box()
    tab.mouse.move(held["x"] + 12, held["y"] + 12)
    tab.mouse.down()
    tab.mouse.move(held["x"] + 20, held["y"] - 20, steps=3)
    others("Ten.\n\nZero.\n\nThe first.\n\nThird.\n\nLast.\n", "Ten.")
    tab.locator(".writing-sheet").dispatch_event("scroll")
    to = text.get_by_text("The first.", exact=True).bounding_box()
    tab.mouse.move(to["x"] + 30, to["y"] + to["height"] - 4, steps=6)
    tab.mouse.up()
    draft.comes_to(tab, page, "# Sails\n\nTen.\n\nZero.\n\nThe first.\n\nLast.\n\nThird.\n")
    tab.locator(".block-handle").wait_for(state="detached")
    # A comment is written.
    text.get_by_text("Third.").click()
    text.press("Control+/")
    tab.get_by_role("menuitem", name="Comment").press("Enter")
    tab.get_by_label("Comment", exact=True).fill("Why third?")
    others("Ten.\n\nNine.\n\nZero.\n\nThe first.\n\nLast.\n\nThird.\n", "Nine.")
    tab.get_by_role("dialog").get_by_role("button", name="Comment").click()
    tab.get_by_text("The comment stands beside the block.").wait_for()
    (comment,) = fresh.ask("GET", f"{draft.path}/comments?format=markdown")["items"]
    assert comment["target"]["node"]["preview"] == "Third."
    assert tab.complaints == []


def test_what_is_emptied_is_empty_and_there_once(fresh: Installed, open_page: Open) -> None:  # noqa: F811
    tab = open_page(fresh.base + "/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    before = "# Sails\n\n* Linen\n* Hemp\n\n| Cloth | Much |\n| ----- | ---- |\n| Silk  | Two  |\n\nLast.\n"
    draft, page, text = _edit(fresh, tab, before)
    for words in ("Hemp", "Two"):
        draft.write(page, draft.text(page).replace(words, "    "[: len(words)]))
        text.get_by_text(words, exact=True).wait_for(state="detached", timeout=SEEN_WITHIN)
        assert (text.get_by_text("Linen").count(), text.get_by_text("Silk").count()) == (1, 1)
    # A space alone is nothing that a text keeps: what is typed after a rest goes where the cursor is.
    text.get_by_text("Linen").click()
    text.press("End")
    text.press("Enter")
    _typed(tab, text, " ")
    _typed(tab, text, "Jute")
    assert (text.get_by_text("Linen").count(), text.get_by_text("Jute").count()) == (1, 1)
    assert "* Linen\n* Jute\n" in draft.text(page)
    assert tab.complaints == []


def test_what_is_shown_while_it_is_written(fresh: Installed, open_page: Open) -> None:  # noqa: F811
    """Formulas and diagrams as readers see them; a letter never takes the place of what is chosen as a whole."""
    tab = open_page(fresh.base + "/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    draft, page, text = _edit(fresh, tab, "# Sails\n\n```mermaid\ngraph LR\n  A --> B\n```\n\nEnd $$x_1$$.\n")
    text.locator(".is-inline_math msub").wait_for()
    drawn = text.locator(".diagram-sight img")
    drawn.wait_for()
    assert drawn.evaluate("(image) => image.decode().then(() => image.naturalWidth > 50)")
    # The cursor goes where the keys go, however fast they come.
    text.press("Control+End")
    text.press("Enter")
    text.press_sequentially("/formula")
    tab.get_by_role("option", name="Formula", exact=True).wait_for()
    text.press("Enter")
    field = tab.get_by_role("group", name="Settings of the block").get_by_label("TeX")
    field.wait_for()
    tab.wait_for_function("document.activeElement.tagName === 'TEXTAREA'")
    tab.keyboard.type("\\frac{a}{b}")
    text.locator(".math mfrac").wait_for()
    tab.keyboard.press("Escape")
    tab.keyboard.type("Behind it")
    draft.comes_to(
        tab,
        page,
        "# Sails\n\n```mermaid\ngraph LR\n  A --> B\n```\n\nEnd $$x_1$$.\n\n$$\n\\frac{a}{b}\n$$\n\nBehind it\n",
    )
    text.locator("pre.code").click()
    text.press("End")
    text.press_sequentially(" ((((")
    text.get_by_text(re.compile("^Not drawn: ")).wait_for()
    assert tab.complaints == []


def test_merged_meanwhile_and_two_tabs(fresh: Installed, open_page: Open) -> None:  # noqa: F811
    tab = open_page(fresh.base + "/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    draft, page, text = _edit(fresh, tab, "# Sails\n\nFirst.\n\nFour of them turn.\n")
    # Another tab of the same browser types what cannot be sent, and is closed; this one saves.
    other = tab.context.new_page()
    theirs = draft.open(other, page)
    other.route("**/content?*", lambda route: route.abort())
    theirs.press("Control+End")
    theirs.press_sequentially(" In the other tab.")
    other.get_by_text("trying again").wait_for()
    text.press("Control+Home")
    _typed(tab, text, "All ")
    other.close(run_before_unload=False)
    tab.goto(f"{draft.app}/~/edit/{page}")
    tab.get_by_text("It is here again.").wait_for()
    draft.comes_to(tab, page, "# Sails\n\nAll First.\n\nFour of them turn. In the other tab.\n")
    tab.get_by_role("button", name="Keep it").click()
    # The change request is merged while somebody writes into it.
    fresh.ask("POST", f"{draft.path}/merge", {})
    text.press("Control+End")
    text.press_sequentially(" Later.")
    # It is told by what answers first: that the text is not saved, or that the request is merged.
    unsaved = tab.get_by_text("What you typed is kept in this browser.")
    unsaved.or_(tab.get_by_text("What you typed here was not saved. It is kept in this browser.")).first.wait_for()
    tab.get_by_role("button", name="Go on in a new change request").click()
    tab.get_by_text("It is here again.").wait_for()
    number = int(re.search(r"changes/(\d+)/", tab.url)[1])  # type: ignore[index]
    draft.path = draft.path.rpartition("/")[0] + f"/{number}"
    draft.comes_to(tab, page, "# Sails\n\nAll First.\n\nFour of them turn. In the other tab. Later.\n")


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
        _is_saved(tab)
    final = draft.text(page)
    assert [line for line in written if line not in final] == [], final
    for text in texts:
        for line in written:
            # What the other one saved last may still be on its way.
            text.locator("p", has_text=line).first.wait_for(timeout=SEEN_WITHIN)


PIECES = 6
"""Each takes some minutes: every so manieth page of the corpora."""


@pytest.fixture(scope="module")
def drafts(fresh: Installed, corpus: Path) -> list[Draft]:  # noqa: F811
    """Of spaces that have the corpora."""
    made = (
        _octavo(fresh.data, "import", str(source), "--organization", fresh.organization, "--title", source.name)
        for source in (corpus, KITCHEN)
    )
    return [Draft(replace(fresh, space=one["space"])) for one in made]


@pytest.mark.deep
@pytest.mark.parametrize("piece", range(PIECES))
def test_every_page_of_the_corpora_keeps_its_bytes(
    fresh: Installed,  # noqa: F811
    drafts: list[Draft],
    open_page: Open,
    piece: int,
) -> None:
    """Saved without an edit all bytes are what they were, and with a letter more only its line differs."""
    tab = open_page(fresh.base + "/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    wrong: list[tuple[str, str, list[str]]] = []
    pages = [(draft, page) for draft in drafts for page in draft.pages()][piece::PIECES]
    for draft, page in pages:
        before = draft.text(page["id"])
        text = draft.open(tab, page["id"])
        text.press("Control+Home")
        with tab.expect_response(lambda one: one.request.method == "POST" and "/content?" in one.url):
            # Gone again before it is sent: what is saved was not edited.
            text.press("x")
            text.press("Backspace")
        _is_saved(tab)
        if draft.text(page["id"]) != before:
            wrong.append((page["path"], "as it was", _changed(before, draft.text(page["id"]))))
        _typed(tab, text, "x")
        lines = _changed(before, draft.text(page["id"]))
        if [line[0] for line in lines] not in (["-", "+"], ["+"], ["+", "+"]):
            wrong.append((page["path"], "a letter more", lines))
    print(f"{len(pages)} pages, {len(wrong)} wrong", *wrong, sep="\n")
    assert wrong == []
    assert len(pages) > 20


BOX = """(block) => {
  const lines = document.createRange();
  lines.selectNodeContents(block);
  const [box, next, own] = [block, block.nextElementSibling, lines].map((one) => one.getBoundingClientRect());
  return {
    boxed: block.style.contain === "strict",
    height: box.height,
    fits: own.top >= box.top - 1 && own.bottom <= box.bottom + 1 && next.top >= box.bottom - 1,
  };
}"""


def test_a_block_of_a_long_page_is_as_high_as_what_is_typed_into_it(
    fresh: Installed,  # noqa: F811
    open_page: Open,
) -> None:
    draft = Draft(fresh)
    tab = open_page(fresh.base + "/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    page = next(one["id"] for one in draft.pages() if one["title"] == "Sails")
    draft.write(page, "# Sails\n\n" + "".join(f"Mill number {one}.\n\n" for one in range(200)))
    text = draft.open(tab, page)
    block = text.locator("p").nth(20)
    block.click()
    text.press("End")
    boxed = """(block) => new Promise((done) => {
      const look = () => block.style.contain ? done() : requestAnimationFrame(look);
      look();
    })"""
    block.evaluate(boxed)
    low = block.evaluate(BOX)
    words = " and its sails turn in the wind" * 8
    for at in range(0, len(words), 31):
        text.press_sequentially(words[at : at + 31])
        assert block.evaluate(BOX)["fits"], at
    block.evaluate(boxed)
    high = block.evaluate(BOX)
    assert high["fits"]
    assert high["height"] > 2 * low["height"]
    # In another width lines break elsewhere; and what is taken away leaves no room behind.
    tab.set_viewport_size(NARROW["viewport"])
    block.evaluate(boxed)
    narrow = block.evaluate(BOX)
    assert narrow["fits"]
    assert narrow["height"] > high["height"]
    tab.set_viewport_size(DESKTOP["viewport"])
    for _ in words:
        text.press("Backspace")
    block.evaluate(boxed)
    assert block.evaluate(BOX) == low
    text.press("Enter")
    text.press_sequentially("Last words.")
    _is_saved(tab)
    written = draft.text(page)
    assert "Mill number 20.\n\nLast words.\n\nMill number 21." in written
    assert tab.complaints == []
