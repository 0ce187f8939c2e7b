"""The words of documents: sections for search, descriptions; and over real documentation, that no word is lost."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from octavo.content.document import block, document, fragment, inline, text, walk
from octavo.content.html import PlainContext, render
from octavo.content.html.text import Section, description, first_words, sections, words
from octavo.content.markdown import parse
from tests.content.test_html_blocks import CARDS, GRID, assert_balanced, column, h, p, table
from tests.profiles import some


def test_sections_are_cut_at_headings_wherever_they_stand() -> None:
    tab = block("tabs-item", {"title": "npm"}, [h(2, "Inside", "inside"), p("npm i")])
    made = sections(
        document([p("Before."), h(1, "One", "one"), p("a\nb"), block("tabs", {}, [tab]), h(3, "Two", "two")])
    )
    assert made == [
        Section("", "", "Before."),
        Section("one", "One", "a b npm"),
        Section("inside", "Inside", "npm i"),
        Section("two", "Two", ""),
    ]


def test_nothing_ahead_of_the_first_heading_is_no_section() -> None:
    assert [section.title for section in sections(document([h(1, "One", "one")]))] == ["One"]
    assert sections(document([])) == []


def test_sections_hold_cells_captions_code_and_formulas() -> None:
    caption = fragment("caption", "caption", [p("The caption.")])
    code = block("code", {"title": "a.py"}, [block("code-line", {}, [text(line)]) for line in ("x = 1", "y = 2")])
    image = block("images", {}, [block("image", {"alt": "A cat"}, fragments=[caption])])
    formula = block("math", {"formula": "x^2"}, void=True)
    (made,) = sections(document([GRID, code, image, formula, CARDS]))[:1]
    for found in ("Name Size Ready", "One bold", "a.py", "\n\tx = 1\n\ty = 2\n", "A cat The caption.", "x^2"):
        assert found in made.text


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        ({"type": "grid", "columns": ["c1"], "hideHeader": False}, "Name Alder"),
        ({"type": "grid", "columns": ["c1"], "hideHeader": True}, "Alder"),
        ({"type": "cards", "columns": ["c1"]}, "Alder"),
        ({"type": "cards", "columns": ["c1"], "hideColumnTitle": False}, "Name Alder"),
        ({"type": "grid", "columns": ["c1", "c2"]}, "Name Secret Alder hidden"),
    ],
)
def test_only_columns_and_titles_that_a_table_shows_are_its_words(view: dict[str, object], shown: str) -> None:
    columns = [column("c1", "text", "Name"), column("c2", "text", "Secret")]
    made = table(view, columns, [{"c1": "a", "c2": "b"}], {"a": p("Alder"), "b": p("hidden")})
    assert words(made) == shown


def test_words_know_emoji_and_buttons() -> None:
    line = p("Go ", inline("emoji", {"code": "2705"}, void=True), inline("button", {"label": " now"}, void=True))
    assert words(line) == "Go ✅ now"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Short", "Short"),
        (
            "One sentence that is long enough to stand on its own, indeed. And more.",
            "One sentence that is long enough to stand on its own, indeed.",
        ),
        (
            "Hi. There is more to be said in the second sentence of this. And more.",
            "Hi. There is more to be said in the second sentence of this.",
        ),
        ("Version 3.1 is here", "Version 3.1 is here"),
        ("word " * 50, "word " * 31 + "word…"),
        ("x" * 200, "x" * 159 + "…"),
    ],
)
def test_description(written: str, shown: str) -> None:
    assert description(document([h(1, "Heading", "h"), p(""), p(written), p("Not this.")])) == shown
    assert len(shown) <= 160


def test_no_paragraph_no_description() -> None:
    assert description(document([h(1, "Heading", "h")])) == ""


def visible(html: str) -> str:
    """The text of HTML that is known to be well-formed."""
    return unescape(re.sub(r"<[^>]*>", "", html))


def squeezed(written: str) -> str:
    return re.sub(r"\s+", "", written)


def test_real_pages_lose_no_word_and_nest_well(corpus: Path) -> None:
    pages = sorted(corpus.rglob("*.md"))
    assert len(pages) > 100
    for path in some(pages, 4):
        made = parse(path.read_text(encoding="utf-8")).document
        html = render(made, PlainContext()).html
        assert_balanced(html)
        shown = squeezed(visible(html))
        said = squeezed(" ".join(f"{section.title} {section.text}" for section in sections(made)))
        for node in walk(made):
            if node["object"] == "text":
                written = squeezed("".join(leaf["text"] for leaf in node["leaves"]))
                assert written in shown, path
                assert written in said, path


def test_the_first_words_are_a_heading_s_or_a_paragraph_s() -> None:
    inside = block("hint", {}, [p("One."), h(2, "Inside", "inside")])
    assert first_words([p("Ahead."), h(1, " ", "x"), inside]) == "Inside"
    assert first_words([block("divider", {}), p(" "), block("hint", {}, [p("One.")])]) == "One."
    assert first_words([block("divider", {})]) == ""


def test_a_mention_is_named_by_who_can() -> None:
    line = p("See ", inline("mention", {"ref": {"kind": "page", "page": "a"}}, void=True), " soon")
    assert words(line) == "See soon"
    assert words(line, lambda ref: f"<{ref['page']}>") == "See <a> soon"


def test_what_is_chosen_in_a_table_is_read_by_its_label() -> None:
    options = [{"value": "o1", "label": "Maple"}, {"value": "o2", "label": ""}]
    columns = [column("c1", "text", "Name"), column("c2", "select", "Tree") | {"options": options}]
    made = table({"type": "grid", "columns": ["c2"]}, columns, [{"c2": "o1"}, {"c2": ["o2", "o1"]}, {}], {})
    assert words(made) == "Tree Maple o2 Maple"
