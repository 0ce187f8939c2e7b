"""Whatever a document holds, its Typst source is calls of known functions with string literals, and it compiles."""

from __future__ import annotations

import json
import re

import pytest
import typst as compiler
from hypothesis import given
from hypothesis import strategies as st

from octavo.content import typst
from octavo.content.document import Node, block, document, fragment, inline, text
from octavo.content.typst.source import literal, pieces, visible
from tests.content import documents as generated
from tests.content.test_html_safety import HOSTILE, everywhere
from tests.content.typesetting import book_of, compiled, said, says, squeezed
from tests.profiles import law

TYPST = [
    '"#panic("x")',
    '#read("/etc/passwd")',
    "\\",
    '\\"',
    '"+read("chapter0.typ")+"',
    "$x$ #sys.version `raw` @ref <c0> /* */ //",
    "\\u{22}+panic()+\\u{22}",
    "#{ } ] ) ; = - +",
    '\n#import "@preview/x:0.1.0"',
    "\u2028x\u2029\x00\x1b[31m\ud800\u202e",
    "👨‍👩‍👧‍👦 🇩🇪 e\u0301\u0302 \ue000 \uffff",
    "漢" * 300,
    "x" * 300,
    "א" * 50,
    "",
    " \t ",
]

_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
_NAME = re.compile(r"[A-Za-z][\w.-]*")
_DEFINED = {
    name for sheet in typst.SHEETS for name in re.findall(r"^#let ([\w-]+)", sheet.read_text("utf-8"), re.MULTILINE)
}
_ARGUMENTS = {
    *("label", "level", "groups", "above", "running", "mark", "name", "shown", "description", "dir", "cover", "align"),
    *("rowspan", "colspan", "delim", "fill", "b", "t", "bl", "br", "tl", "tr"),
    *("true", "false", "none", "auto", "ltr", "rtl", "start", "center", "end", "import"),
    *("par", "text", "rgb", "h", "hide", "linebreak", "table.cell", "super", "sub", "pt", "em", "fr"),
}


def sources(document: Node) -> str:
    """The source of a chapter with that document, without its literals."""
    [chapter] = typst.chapters(book_of(document), typst.Surroundings())
    return _LITERAL.sub("", chapter.source)


def names(source: str) -> set[str]:
    """What the source calls or names, of mathematics only that it is that."""
    found = {
        re.sub(r"^(\d+(\.\d+)?)", "", name) for name in _NAME.findall(re.sub(r"\d+\.?\d*(?=pt|em|fr)", "", source))
    }
    return {name for name in found if not name.startswith("math.")}


@pytest.mark.parametrize("evil", TYPST + HOSTILE)
def test_nothing_that_an_author_wrote_is_read_as_code(evil: str) -> None:
    assert names(sources(everywhere(evil))) <= _DEFINED | _ARGUMENTS


@pytest.mark.parametrize("evil", TYPST)
def test_hostile_text_is_set_as_it_stands(evil: str) -> None:
    pdf = compiled(book_of(everywhere(evil)))
    # Extraction turns around what runs from right to left.
    if not evil.startswith("א"):
        assert says(pdf, squeezed(visible(evil)).replace("\ufe0f", ""))


@law(60)
@given(st.text(st.characters(), max_size=40) | st.sampled_from(TYPST))
def test_a_literal_stands_for_its_text(words: str) -> None:
    shown = visible(words)
    assert json.loads(compiler.eval(b"", literal(words))) == shown
    joined = json.loads(compiler.eval(b"", f'{{let z = "";"";{pieces(words, 5)}}}'))
    assert joined == shown


@law(12, deep=100)
@given(st.lists(generated.documents, min_size=1, max_size=6))
def test_every_document_compiles(found: list[Node]) -> None:
    assert compiled(book_of(*found)).startswith(b"%PDF")


def _paragraph(*nodes: Node) -> Node:
    return block("paragraph", {}, list(nodes))


def _table(kind: str, nodes: list[Node]) -> Node:
    return block(
        "table",
        {
            "view": {"type": kind, "columns": ["a"]},
            "definition": {"a": {"id": "a", "title": "A", "type": "text"}},
            "records": {"r": {"orderIndex": "0", "values": {"a": "cell"}}},
        },
        fragments=[fragment("cell", "table-cell", nodes)],
    )


def _part(kind: str, nodes: list[Node]) -> list[Node]:
    return [fragment(kind, kind, nodes)]


NESTING = {
    "list": lambda n: block("list-unordered", {}, [block("list-item", {}, [_paragraph(text("i")), *n])]),
    "tasks": lambda n: block("list-tasks", {}, [block("list-item", {"checked": True}, [_paragraph(text("i")), *n])]),
    "quote": lambda n: block("blockquote", {}, n),
    "hint": lambda n: block("hint", {"style": "info"}, n),
    "tabs": lambda n: block("tabs", {}, [block("tabs-item", {"title": "t"}, n)]),
    "steps": lambda n: block("stepper", {}, [block("stepper-step", {}, n)]),
    "columns": lambda n: block("columns", {}, [block("column", {}, n)]),
    "details": lambda n: block(
        "expandable", {}, fragments=[*_part("expandable-title", n), *_part("expandable-body", n)]
    ),
    "news": lambda n: block("updates", {}, [block("update", {"date": "2026-01-31"}, n)]),
    "table": lambda n: _table("grid", n),
    "cards": lambda n: _table("cards", n),
    "note": lambda n: _paragraph(inline("annotation", {}, [text("w")], fragments=_part("annotation-body", n))),
    "caption": lambda n: block("images", {}, [block("image", {}, fragments=_part("caption", n))]),
    "unknown": lambda n: block("unknown", {}, n),
}


@pytest.mark.parametrize("outer", NESTING)
def test_blocks_in_blocks_beyond_the_limit_of_the_typesetter_keep_their_words(outer: str) -> None:
    linked = text("innermost")
    for _ in range(30):
        linked = inline("link", {"ref": {"kind": "url", "url": "https://example.com"}}, [linked])
    core = [_paragraph(linked), block("math", {"formula": r"\sqrt{\sqrt{\frac{1}{\frac{1}{2}}}}"})]
    found = []
    for inner in NESTING:
        nodes: list[Node] = core
        for depth in range(5 if "details" in (outer, inner) else 30):
            nodes = [NESTING[(outer, inner)[depth % 2]](nodes)]
        found.append(document(nodes))
    assert said(compiled(book_of(*found))).count("innermost") >= len(NESTING)
