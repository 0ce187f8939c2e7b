"""Whatever a document holds, its HTML has no script, no event attribute and no address of a bad scheme."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content.document import Node, Ref, block, document, fragment, inline, leaf, mark, text
from octavo.content.highlight import highlight
from octavo.content.html import Download, Picture, PlainContext, Target, render
from octavo.content.html.escape import address
from octavo.content.html.render import BLOCKS
from octavo.content.html.text import description, sections
from tests.content.test_html_blocks import assert_balanced

ELEMENTS = set(
    re.findall(
        r"\w+",
        "a article aside blockquote br button code col colgroup details div em figcaption figure h2 h3 h4 header "
        "hr i iframe img input kbd li mark ol p picture pre s section source span strong sub summary sup table "
        "tbody td th thead time tr ul svg path math mi mn mo mrow mfrac msup msub mtext msqrt mspace mstyle "
        "mpadded dl dt dd split ",
    )
)
ADDRESSES = {"href", "src", "srcset", "action", "formaction", "data", "poster", "xlink:href", "background", "cite"}
FORBIDDEN = {"style", "srcdoc", "formaction", "ping", "xmlns"}

HTML = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg onload=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "</code></pre><script>alert(1)</script>",
    "</p></div><iframe srcdoc='<script>alert(1)</script>'>",
    "<!--<img src=x onerror=alert(1)>-->",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "{% include 'x' %}{{ 7 * 7 }}",
    "</textarea><style>*{background:url(javascript:alert(1))}</style>",
    "\x00<scr\x00ipt>alert(1)</script>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<svg><animate onbegin=alert(1)>",
    "\\text{</math><script>alert(1)</script>}",
    "\\href{javascript:alert(1)}{x}",
]
URLS = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "\x01javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "java\r\nscript:alert(1)",
    "javascript\t:alert(1)",
    "\u00a0javascript:alert(1)",
    "\u2028javascript:alert(1)",
    "javascript&colon;alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A&#x61vascript:alert(1)",
    "java&Tab;script:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "DATA:text/html;base64,PHNjcmlwdD4=",
    "vbscript:msgbox(1)",
    "VBSCRIPT:msgbox(1)",
    "blob:https://example.org/x",
    "file:///etc/passwd",
    "view-source:javascript:alert(1)",
    "feed:javascript:alert(1)",
    "jar:javascript:alert(1)",
    'https://example.org/"onmouseover="alert(1)',
    "https://example.org/'><script>alert(1)</script>",
    'https://youtu.be/"><script>alert(1)</script>',
    'https://www.youtube.com/watch?v=x" onload="alert(1)',
    "https://codepen.io/\"/pen/'><script>",
    'https://www.figma.com/file/a/"><script>alert(1)</script>',
    "//evil.example/javascript:alert(1)",
]
HOSTILE = HTML + URLS


class Guard(HTMLParser):
    """Fails on everything that could run, as a browser would read it."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS, tag
        assert len({name for name, _ in attrs}) == len(attrs), attrs
        for name, value in attrs:
            assert re.fullmatch(r"[a-z][a-z-]*", name), name
            assert not name.startswith("on"), name
            assert name not in FORBIDDEN, name
            if name in ADDRESSES:
                self.check(value or "")

    def check(self, url: str) -> None:
        self.seen.append(url)
        # Browsers drop tabs and line ends anywhere, and controls and spaces at the start.
        url = re.sub(r"[\t\r\n]", "", url).lstrip("".join(map(chr, range(33))))
        scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", url)
        assert scheme is None or scheme[1].lower() in {"http", "https", "mailto", "tel"}, url

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)


class Believer(PlainContext):
    """A context that believes whatever a reference says."""

    def __init__(self, evil: str) -> None:
        self.evil = evil

    def link(self, ref: Ref) -> Target | None:
        return Target(self.evil, self.evil, emoji=self.evil)

    def image(self, ref: Ref) -> Picture | None:
        return Picture(self.evil, 3, 4)

    def file(self, ref: Ref) -> Download | None:
        return Download(self.evil, self.evil, 5, self.evil)

    def value(self, expression: str) -> str:
        return self.evil

    def action(self, action: str, query: str) -> str:
        return self.evil

    def user(self, id_: str) -> str:
        return self.evil

    def tag(self, slug: str) -> str:
        return self.evil

    def phrase(self, english: str) -> str:
        return self.evil


def assert_safe(html: str) -> None:
    guard = Guard()
    guard.feed(html)
    guard.close()
    assert_balanced(html)
    assert "{%" not in html


def everywhere(evil: str) -> Node:
    """A document that has the string in every place that takes one."""
    ref = {"kind": "url", "url": evil}
    marks = [mark("color", {"text": evil, "background": evil}), mark(evil), mark("color", {"text": "red"})]
    words = [text([leaf(evil, marks)])]
    inlines = [
        inline("link", {"ref": ref, "title": evil}, words),
        inline("mention", {"ref": ref}, words),
        inline("emoji", {"code": evil}, void=True),
        inline("icon", {"icon": evil, "color": evil}, void=True),
        inline("inline-image", {"ref": ref, "refDark": ref, "alt": evil, "size": evil}, void=True),
        inline("inline-math", {"formula": evil}, void=True),
        inline("expression", {"expression": evil}, void=True),
        inline(
            "annotation",
            {},
            words,
            fragments=[fragment("annotation-body", "annotation-body", [block("paragraph", {}, words)])],
        ),
        inline(
            "button",
            {"label": evil, "kind": evil, "action": evil, "query": evil, "slug": evil, "icon": evil},
            void=True,
        ),
        inline("button", {"label": evil, "kind": "primary", "ref": ref}, void=True),
        inline(evil, {"x": evil}, words),
    ]
    said = [block("paragraph", {"align": evil}, [*words, *inlines])]
    caption = [fragment("caption", "caption", said)]
    code = block(
        "code",
        {"syntax": evil, "title": evil, "collapsedLineCount": evil, "expandable": True, "overflow": evil},
        [block("code-line", {}, words), block("code-line", {}, inlines)],
    )
    titled = {"title": evil, "icon": evil, "slug": evil, "style": evil, "date": evil, "tags": [evil], "format": evil}
    containers = [
        block(kind, titled | {"expression": evil, "description": evil, "url": evil}, [block(item, titled, said)])
        for kind, item in [
            ("tabs", "tabs-item"), ("stepper", "stepper-step"), ("columns", "column"), ("updates", "update"),
            ("hint", "paragraph"), ("prompt", "code"), ("blockquote", "paragraph"), ("if", "paragraph"),
            ("list-tasks", "list-item"), ("list-ordered", "list-item"), (evil, "paragraph"),
        ]
    ]  # fmt: skip
    voids = [
        block("math", {"formula": evil}, void=True),
        block(
            "images",
            {"align": evil},
            [block("image", {"ref": ref, "refDark": ref, "alt": evil, "width": evil}, fragments=caption)],
        ),
        block("embed", {"url": evil}, fragments=caption),
        block("file", {"ref": ref}, fragments=caption),
        block("content-ref", {"ref": ref}, void=True),
        block("drawing", {"ref": ref, "alt": evil}, void=True),
        block("integration", {"integration": evil, "block": evil, "props": {evil: evil}, "url": evil}, void=True),
        block("swagger", {"ref": ref, "path": evil, "method": evil}, void=True),
        block("openapi-schemas", {"ref": {"kind": "openapi", "spec": evil}, "schemas": [evil]}, void=True),
    ]
    expandable = block(
        "expandable",
        {},
        fragments=[
            fragment("expandable-title", "expandable-title", said),
            fragment("expandable-body", "expandable-body", said),
        ],
    ) | {"meta": {"id": evil}}
    heading = block("heading-1", {"id": evil}, words)
    mermaid = block("code", {"syntax": "mermaid", "title": evil}, [block("code-line", {}, words)])
    return document([*said, heading, code, mermaid, *containers, *voids, expandable, *tables(evil, ref, said)])


def tables(evil: str, ref: Ref, said: list[Node]) -> list[Node]:
    kinds = ["text", "number", "checkbox", "rating", "select", "users", "content-ref", "image", "files", evil]
    plain: list[Any] = [evil, evil, evil, evil, evil, evil, ref, ref, [ref], evil]
    definition = {
        kind: {
            "id": kind,
            "title": evil,
            "type": kind,
            "textAlignment": evil,
            "options": [{"value": evil, "label": evil, "color": evil}],
        }
        for kind in kinds
    }
    records = {evil: {"orderIndex": evil, "values": dict(zip(kinds, plain))}}
    views = [
        {"type": "grid", "columns": kinds, "columnWidths": {"text": evil}, "hideHeader": False},
        {
            "type": "cards",
            "cardSize": evil,
            "columns": kinds,
            "targetDefinition": "content-ref",
            "coverDefinition": "image",
            "hideColumnTitle": False,
        },
    ]
    cells = [fragment(evil, "table-cell", said)]
    return [
        block("table", {"view": view, "records": records, "definition": definition}, fragments=cells) for view in views
    ]


@pytest.mark.parametrize("evil", HOSTILE)
def test_nothing_stored_runs(evil: str) -> None:
    for context in (PlainContext(), Believer(evil)):
        assert_safe(render(everywhere(evil), context).html)


def test_the_guard_sees_what_it_guards_against() -> None:
    for bad in (
        "<script>",
        "<p onclick=x>",
        '<a href="java&Tab;script:x">',
        "<!-- -->",
        "<p style=x>",
        '<img src="data:,">',
    ):
        with pytest.raises(AssertionError):
            assert_safe(bad)


@pytest.mark.parametrize("url", URLS[:24])
def test_an_unsafe_address_is_none(url: str) -> None:
    # What has an entity in it is a relative address to a browser, because its ampersand is escaped.
    assert address(url) == "" or address(url).startswith(("javascript&amp;", "&amp;#", "java&amp;"))


@pytest.mark.parametrize(
    "url",
    ["https://a.b/c?d#e", "http://a", "mailto:a@b.c", "tel:+1", "/a:b", "a/b:c", "?a:b", "#a:b", "../a", "HTTPS://A"],
)
def test_a_safe_address_stays(url: str) -> None:
    assert address(url) == url


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
NAMES = [
    *(
        "ref",
        "title",
        "id",
        "style",
        "icon",
        "url",
        "width",
        "records",
        "definition",
        "view",
        "tags",
        "date",
        "formula",
    ),
    *("checked", "start", "expression", "syntax", "code", "action", "props", "schemas", "cellMerges", "cardSize"),
]
KINDS = [*BLOCKS, "text", "link", "emoji", "button", "annotation", "mention", "tabs-item", "column", "unheard"]
weird_nodes: st.SearchStrategy[Any] = st.recursive(
    json_values,
    lambda inner: st.fixed_dictionaries(
        {"object": st.sampled_from(["block", "inline", "text", "fragment"]), "type": st.sampled_from(KINDS)},
        optional={
            "nodes": st.lists(inner, max_size=3) | json_values,
            "fragments": st.lists(inner, max_size=2) | json_values,
            "leaves": st.lists(st.dictionaries(st.sampled_from(["text", "marks"]), json_values), max_size=2)
            | json_values,
            "data": st.dictionaries(st.sampled_from(NAMES), json_values, max_size=4) | json_values,
            "meta": json_values,
            "key": json_values,
        },
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(weird_nodes, max_size=4))
def test_nothing_raises(nodes: list[Any]) -> None:
    weird = {"object": "document", "nodes": nodes}
    assert_safe(render(weird, PlainContext()).html)
    sections(weird)
    assert len(description(weird)) <= 160


def test_depth_has_an_end_and_loses_no_text() -> None:
    at = block("paragraph", {}, [text("the bottom")])
    for _ in range(3000):
        at = block("blockquote", {}, [at])
    html = render(document([at]), PlainContext()).html
    assert "the bottom" in html
    assert html.count("<blockquote>") < 100


def test_half_a_surrogate_pair_does_not_break_the_page() -> None:
    half = [text("a\ud800b"), inline("inline-math", {"formula": "\udc00"}, void=True)]
    made = render(document([block("heading-1", {"id": "a"}, half), block("code", {"title": "\ud800"})]), PlainContext())
    assert "a?b" in made.html.encode().decode()
    assert made.outline[0].text.encode() == b"a?b?"


def test_deep_formulas_do_not_reach_the_converter() -> None:
    for deep in ("{" * 3000 + "}" * 3000, "\\sqrt" * 3000 + " x", "x" * 100_000, "\\newcommand\\a{\\a\\a}\\a"):
        assert "math-error" in render(document([block("math", {"formula": deep}, void=True)]), PlainContext()).html


def test_reusable_contents_that_include_each_other_end() -> None:
    class Loop(PlainContext):
        def reusable(self, ref: Ref) -> Node | None:
            more = [{"kind": "reusable-content", "reusableContent": f"{ref['reusableContent']}{n}"} for n in range(3)]
            below = [block("reusable-content", {"ref": each}, void=True) for each in more]
            return document([block("paragraph", {}, [text("again")]), *below])

    start = block("reusable-content", {"ref": {"kind": "reusable-content", "reusableContent": "r"}}, void=True)
    html = render(document([start]), Loop()).html
    assert 1 < html.count("again") <= 200


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["python", "json", "bash", "html", "js", "c#", "", "no such"]),
    st.text(alphabet="ab<>&\"'\n\t #/*{%}\r\x0b\x85\u2028", max_size=40),
)
def test_highlighting_keeps_lines_and_characters(syntax: str, code: str) -> None:
    lines = highlight(syntax, code)
    assert len(lines) == len(code.split("\n"))
    for shown, written in zip(lines, code.split("\n")):
        assert_balanced(shown)
        assert plain(shown) == written


def plain(html: str) -> str:
    pieces: list[str] = []
    parser = HTMLParser()
    parser.handle_data = pieces.append  # type: ignore[method-assign]
    parser.feed(html)
    parser.close()
    return "".join(pieces)


def test_a_token_over_several_lines_is_closed_on_each() -> None:
    assert highlight("python", '"""a\nb"""') == [
        '<span class="sd">&quot;&quot;&quot;a</span>',
        '<span class="sd">b&quot;&quot;&quot;</span>',
    ]


def test_the_last_line_is_highlighted_as_any_other() -> None:
    assert highlight("diff", "-a\n+b") == ['<span class="gd">-a</span>', '<span class="gi">+b</span>']


def test_long_code_is_plain() -> None:
    assert highlight("python", "x = 1\n" * 20_000)[0] == "x = 1"
