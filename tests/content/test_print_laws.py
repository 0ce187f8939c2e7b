"""Laws of printing: an untouched page is itself, a document survives its text, an edit leaves the rest alone."""

from __future__ import annotations

import copy
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from octavo.content.document import Node, assign_keys, block, document, text, walk
from octavo.content.markdown.parse import parse
from octavo.content.markdown.parsed import TITLE
from octavo.content.markdown.printer import print_blocks, print_page
from octavo.content.markdown.printer_keep import content
from octavo.content.markdown.slugs import assign_anchors
from tests.content.documents import blocks, documents, resolve
from tests.profiles import DEEP, law, some

SINK = Path(__file__).parent / "kitchen_sink"
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much, HealthCheck.large_base_example]

CONSTRUCTS = [
    "# Title\n", "## A\n", "Setext\n===\n", "text", " ", "\n", "\n\n", "\r\n", "\t", "    ", "* a\n", "  * b\n",
    "1. a\n", "- [x] b\n", "> q\n", "---\n", "---\na: 1\n---\n", "***\n", "```\n", "```js\n", "~~~\n",
    "{% hint style=\"info\" %}\n", "{% endhint %}\n", "{% tabs %}", "{% tab title=\"a\" %}\n", "{% endtab %}\n",
    "{% endtabs %}", "{% stepper %}\n{% step %}\n", "{% endstep %}\n", "{% embed url=\"x\" %}\n", "{% endembed %}",
    "{% if a %}\n", "{% endif %}\n", "<details>\n", "<summary>s</summary>\n", "</details>\n", "<table><tr><td>",
    "</td></tr></table>", "| a | b |\n", "| - | - |\n", "<!-- c -->\n", "<!--", "-->", "<figure><img src=\"a\">",
    "</figure>\n", "<pre><code>", "</code></pre>\n", "$$", "$$\nx\n$$\n", "**b**", "_i_", "`c`", "[l](u)",
    "![i](s)\n", "[^1]", "[^1]: n\n", ":smile:", "<kbd>", "</kbd>", "<br>", "\\", "&amp;", "\ufeff", "\u00a0", "é",
    "<div align=\"center\">\n", "</div>\n", "[r]: u\n", "[r]",
]  # fmt: skip
TEXTS = st.one_of(st.lists(st.sampled_from(CONSTRUCTS), max_size=14).map("".join), st.text(max_size=60))


def pages(folder: Path) -> list[str]:
    found = [path.read_bytes().decode() for path in sorted(folder.rglob("*.md"))]
    assert len(found) > 10
    return found


@law(250)
@given(TEXTS)
def test_an_untouched_page_is_its_own_text(source: str) -> None:
    base = parse(source)
    assert print_page(base.document, base=base) == source
    assert print_page(copy.deepcopy(base.document), front=base.front, title=base.title, base=base) == source


@law(60, suppress_health_check=SLOW)
@given(documents)
def test_a_document_survives_its_text(page: Node) -> None:
    found = parse(print_page(page), resolve)
    assert (found.title, found.front) == (None, {})
    assert content(found.document) == content(page)


@law(20, suppress_health_check=SLOW)
@given(documents, st.sampled_from(["Title", "# *a* `b`", "C# ", "{% x %}", "1. a", "x #"]))
def test_front_matter_and_title_survive_too(page: Node, title: str) -> None:
    front: dict[str, Any] = {
        "description": 'a: "b"',
        "hidden": True,
        "tags": ["x", {"tag": "y"}],
        "layout": {"width": "wide"},
    }
    found = parse(print_page(page, front=front, title=title), resolve)
    assert (found.front, found.title) == (front, title.strip())
    assert content(found.document) == content(page)


@law(40, suppress_health_check=SLOW)
@given(st.data())
def test_an_edited_page_reads_as_the_edited_document(data: st.DataObject) -> None:
    written = data.draw(documents)
    base = parse("---\na: 1\n---\n\n# T\n\n" + print_page(written), resolve)
    page = copy.deepcopy(base.document)
    nodes = page["nodes"]
    for _ in range(data.draw(st.integers(1, 2))):
        at = data.draw(st.integers(0, len(nodes)))
        nodes[at : at + data.draw(st.integers(0, 1))] = copy.deepcopy(data.draw(st.lists(blocks, max_size=1)))
    if len(nodes) > 1 and data.draw(st.booleans()):
        nodes.append(nodes.pop(0))
    assign_anchors(page)
    assign_keys(page)
    found = parse(print_page(page, base=base), resolve)
    assert (found.front, found.title) == ({"a": 1}, "T")
    assert content(found.document) == content(page)


def _check_real(source: str) -> None:
    base = parse(source)
    assert print_page(base.document, base=base) == source
    found = parse(print_page(base.document, front=base.front, title=base.title))
    assert (found.front, found.title) == (base.front, base.title)
    assert content(found.document) == content(base.document)


@pytest.mark.parametrize("source", pages(SINK), ids=lambda source: source[:20].replace("\n", " "))
def test_the_kitchen_sink_survives(source: str) -> None:
    _check_real(source)


def test_real_documentation_survives(corpus: Path) -> None:
    for place, source in enumerate(some(pages(corpus), 4)):
        base = parse(source)
        assert print_page(base.document, base=base) == source
        if place % 4 == 0:
            _check_real(source)


def _check_edit(source: str) -> int:
    """Replace a few of its blocks, each alone: all but its own text stays as it was."""
    base = parse(source)
    nodes = base.document["nodes"]
    checked = 0
    for at in range(0, len(nodes), 9 if DEEP else max(9, len(nodes) // 3)):
        if _refers(nodes[at]):
            continue
        page = copy.deepcopy(base.document)
        page["nodes"][at] = block("paragraph", {}, [text("New *words*")])
        assign_keys(page)
        start, end = base.spans[nodes[at]["key"]]
        before, behind = source[:start].rstrip(), source[end:].lstrip()
        made = print_page(page, base=base)
        assert made.startswith(before)
        assert made.endswith(behind)
        assert made[len(before) : len(made) - len(behind)].strip() == "New \\*words\\*"
        checked += 1
    return checked


def _refers(node: Node) -> bool:
    """Headings give others their numbers, annotations have their text elsewhere."""
    return any(one.get("type", "").startswith(("heading", "annotation")) for one in walk(node))


def test_an_edit_of_a_real_page_leaves_the_rest_as_it_was(corpus: Path) -> None:
    assert sum(_check_edit(source) for source in pages(corpus)[::16]) > 30


@pytest.mark.parametrize("source", pages(SINK), ids=lambda source: source[:20].replace("\n", " "))
def test_an_edit_of_the_kitchen_sink_leaves_the_rest_as_it_was(source: str) -> None:
    _check_edit(source)


def test_a_title_alone_changes_one_line(corpus: Path) -> None:
    for source in pages(corpus)[::10]:
        base = parse(source)
        if TITLE in base.spans:
            start, end = base.spans[TITLE]
            assert print_page(base.document, title="Other", base=base) == source[:start] + "# Other" + source[end:]


def _seconds(page: Node) -> float:
    start = time.process_time()
    print_page(page)
    return time.process_time() - start


def _line(characters: str) -> Node:
    return document([block("paragraph", {}, [text(characters)])])


@pytest.mark.parametrize(
    "unit", ["*", "_", ":a", "[", "\\", "`", "$", "&", "<", "1. ", "#", " ", " \n", "# ", "a_", "~", "\u00a0"]
)
def test_printing_takes_linear_time(unit: str) -> None:
    short, long = (_seconds(_line(unit * count + "a")) for count in (20_000, 80_000))
    assert long < 10 * short + 0.3


def test_many_blocks_take_linear_time_with_a_base() -> None:
    base = parse("\n\n".join(f"Line {place % 7}" for place in range(3000)))
    page = copy.deepcopy(base.document)
    page["nodes"] = page["nodes"][1500:] + page["nodes"][:1499]
    assign_keys(page)
    start = time.process_time()
    made = print_page(page, base=base)
    assert time.process_time() - start < 4
    assert content(parse(made).document) == content(page)


def test_blocks_alone_have_no_break_at_the_end() -> None:
    page = parse("A\n\n* b\n* c\n")
    assert print_blocks(page.document["nodes"]) == "A\n\n* b\n* c"
    assert print_blocks([]) == ""


def test_a_footnote_goes_with_its_text_beside_a_heading_without_words() -> None:
    """The anchor of such a heading follows from its picture's address, which reads otherwise where nothing is resolved."""
    source = '# T\n\n* word[^1]\n\n{% hint style="info" %}\n<h2><img src="/pages/a" alt=""></h2>\n{% endhint %}\n\n[^1]: note\n'
    base = parse(source, resolve)
    page = copy.deepcopy(base.document)
    del page["nodes"][0]
    assign_anchors(page)
    assign_keys(page)
    printed = print_page(page, base=base)
    assert "note" not in printed
    assert [node["type"] for node in parse(printed, resolve).document["nodes"]] == ["hint"]
