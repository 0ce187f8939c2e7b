"""Laws of reading again: what is made of an earlier document is what the whole text says, to the byte."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from octavo.content.document import Node, Ref, walk
from octavo.content.markdown import parse, print_page
from octavo.content.markdown.parsed import Resolve
from octavo.content.markdown.reparse import Before, patched, reparse
from tests.content.documents import documents
from tests.profiles import law

SINK = Path(__file__).parent / "kitchen_sink"
_json = msgspec.json.Encoder(order="deterministic")
_LINES = """
# A|## Example|#|- a|* b|1. c|2. d|   x|    code|    ```|  ```|```|~~~|> q|{% hint %}|{% endhint %}|{% tabs %}|{% endtabs %}
{% tab title="A" %}|{% endtab %}|{% embed url="x" %}|{% endembed %}|{% if a %} text {% endif %}|{% content-ref url="a.md" %}
{% unknown %}|{% hint|<details>|</details>|<p>|<div>|</div>|text <b>x</b>|text <div>|`<div>`|<table>|</table>|<your-tag>
<figure><img src="a.png"></figure>|<h2>T</h2>|<!--|-->|<!-- c --> t|[a]: /u|[^1]: n|[a] b|x [^1]|[|]: y|$$|   $$|---|===|- - -
| a | b ||| - | - ||| c ||a | b|--- | ---| - z|	{% hint %}|  {% hint %}|  <div>|- x <div>|![](a.png)|[p](a.md)|[q](/u "t")
**b** c|_i_|2024 was|\\# no|&nbsp;|\u00a0|é|:smile:|word|<summary>s</summary>|<a id="a"></a>|## <a id="x"></a>X|<br>
""".replace("|||", "\0").replace("||", "\0")
LINES = [line.replace("\0", "|") for row in _LINES.strip("\n").split("\n") for line in row.split("|")]
PIECES = [
    *(f"{line}\n" for line in LINES),
    *(f"{line}\n\n" for line in LINES),
    "\n",
    "\n\n",
    " ",
    "x",
    "\\",
    "`",
    "\r\n",
]


@cache
def _texts(folder: Path) -> list[str]:
    found = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.md"))]
    assert len(found) > 10
    return found


Edit = tuple[float, bool, int, str]
edits = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.booleans(),
        st.sampled_from((0, 0, 0, 1, 2, 30, 200)),
        st.lists(st.sampled_from(PIECES), max_size=3).map("".join),
    ),
    min_size=1,
    max_size=3,
)


def edited(source: str, asked: list[Edit]) -> str:
    """The text with, at each of some places, characters taken out and others put in; at the start of a line or not."""
    for place, at_line, gone, put in asked:
        at = int(place * len(source))
        at = source.rfind("\n", 0, at) + 1 if at_line else at
        source = source[:at] + put + source[at + gone :]
    return source


def _means(href: str) -> Ref | None:
    return {"kind": "page", "page": href} if href.partition("#")[0].endswith(".md") else None


def read_alone(before: str, after: str, resolve: Resolve = _means) -> bool:
    """Whether an edit could be read alone; fails where what comes of it is not what the whole text says."""
    meant: dict[str, Ref] = {}

    def note(href: str) -> Ref | None:
        ref = resolve(href)
        return ref if ref is None else meant.setdefault(href, ref)

    earlier = Before(before, _json.encode(parse(before, note).document), meant)
    whole, made = parse(after, resolve), patched(after, resolve, earlier)
    if made is not None:
        assert (made.front, made.title) == (whole.front, whole.title)
        assert _json.encode(made.document) == _json.encode(whole.document)
    return made is not None


@law(100)
@given(st.sampled_from(_texts(SINK)), edits, edits)
def test_an_edit_of_a_page_gives_the_document_of_the_whole_text(
    source: str, first: list[Edit], then: list[Edit]
) -> None:
    before = edited(source, first)
    read_alone(source, before)
    read_alone(before, edited(before, then))


@law(50, deep=500)
@given(st.data())
def test_so_does_one_of_a_page_of_a_real_repository(corpus: Path, data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(_texts(corpus)))
    before = edited(source, data.draw(edits))
    read_alone(before, edited(before, data.draw(edits)))


@law(50)
@given(documents, edits)
def test_so_does_one_of_a_generated_page(document: Node, asked: list[Edit]) -> None:
    source = print_page(document, title="T", front={"description": "d"})
    read_alone(source, edited(source, asked))


@law(100)
@given(st.lists(st.sampled_from(PIECES), max_size=12), st.lists(st.sampled_from(PIECES), max_size=12), edits)
@example(["- a\n", "  ```\n", "x\n", "  ```\n\n"], ["# A\n"], [(0.0, True, 0, "word\n\n")])
@example(["word\n\n", " - z\n", "word\n\n"], ["- a\n"], [(0.0, True, 0, "word\n")])
def test_so_does_one_of_lines_of_any_kind(first: list[str], behind: list[str], asked: list[Edit]) -> None:
    source = "# T\n\n" + "".join(first) + "\n\nmiddle\n\n" + "".join(behind)
    read_alone(source, edited(source, asked))
    read_alone(source, source.replace("middle", "center"))


@pytest.mark.parametrize("source", [text for text in _texts(SINK) if "]:" not in text])
def test_a_paragraph_is_read_alone(source: str) -> None:
    """Without this the laws would hold for reading everything."""
    asked: list[str] = []

    def resolve(href: str) -> Ref | None:
        asked.append(href)
        return _means(href)

    lines = source.split("\n")
    places = [at for at, line in enumerate(lines) if line[:1].isalpha() and at > 4 and not lines[at - 1] and line]
    alone = [read_alone(source, "\n".join([*lines[:at], f"New {lines[at]}", *lines[at + 1 :]])) for at in places[:5]]
    assert all(alone)


def test_only_what_changed_is_read() -> None:
    tabs = '{% tabs %}\n{% tab title="A" %}\nx\n{% endtab %}\n{% endtabs %}'
    source = "# T\n\n" + "".join(f"## Part {at}\n\nText {at}, [p](part-{at}.md).\n\n{tabs}\n\n" for at in range(50))
    links = {f"part-{at}.md": {"kind": "page", "page": f"p{at}"} for at in range(50)}
    asked: list[str] = []

    def resolve(href: str) -> Ref | None:
        asked.append(href)
        return links.get(href)

    before = Before(source, _json.encode(parse(source, links.get).document), links)
    after = source.replace("Text 7,", "Text 7, [other](other.md),")
    made = patched(after, resolve, before)
    assert made is not None
    # Each address once for what it meant before; then those of the paragraph.
    assert asked == [*links, "other.md", "part-7.md"]


def test_an_address_that_means_something_else_is_read_anew() -> None:
    source = "# T\n\nSee [a](a.md).\n\nSee [b](b.md) and [c](https://c.test).\n"
    meant = {"a.md": {"kind": "page", "page": "1"}}
    before = Before(source, _json.encode(parse(source, meant.get).document), meant)
    for now in ({}, {"a.md": {"kind": "page", "page": "2"}}, {**meant, "b.md": {"kind": "page", "page": "3"}}):
        made = reparse(source, now.get, before)
        assert _json.encode(made.document) == _json.encode(parse(source, now.get).document)


def test_anchors_go_on_being_unique() -> None:
    source = "# T\n\n## A\n\nx\n\n## A\n\ny\n\n## B\n\nz\n"
    for old, new in (
        ("## B", "## A"),
        ("## B", "## C"),
        ("## A\n\nx", "## C\n\nx"),
        ("x", "x\n\n## B"),
        ("## B", "## A-1"),
    ):
        read_alone(source, source.replace(old, new, 1))
    assert read_alone(source, source.replace("## B", "## C"))
    ids = [node["data"]["id"] for node in walk(parse(source).document) if node.get("type") == "heading-1"]
    assert ids == ["a", "a-1", "b"]


def test_references_and_footnotes_reach_over_the_whole_text() -> None:
    for reaching in ("[a]: /u", "Text[^1].\n\n[^1]: note"):
        source = f"# T\n\nSee [a].\n\nMore [a].\n\n{reaching}\n"
        assert not read_alone(source, source.replace("More", "Most"))
        assert not read_alone(source.replace("]:", "] :"), source)
