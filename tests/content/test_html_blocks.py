"""Every block and inline has the HTML that its snapshot shows; OCTAVO_UPDATE_SNAPSHOTS=1 writes them anew."""

from __future__ import annotations

import os
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from octavo.content.document import Node, Ref, block, document, fragment, inline, leaf, mark, text
from octavo.content.html import Download, Heading, Picture, PlainContext, Target, render

SNAPSHOTS = Path(__file__).with_name("snapshots")
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


class SiteContext(PlainContext):
    """A small site: one page, one image in two themes, one file, one reusable content."""

    def link(self, ref: Ref) -> Target | None:
        if ref.get("kind") == "page":
            known = {
                "p1": Target("/install", "Install", "page", icon="book"),
                "p2": Target("/faq", "FAQ", "page", emoji="❓"),
            }
            return known.get(ref["page"])
        return super().link(ref)

    def image(self, ref: Ref) -> Picture | None:
        known = {"light": Picture("/~files/light.png", 1200, 600), "dark": Picture("/~files/dark, 2.png", 1200, 600)}
        return known.get(ref.get("file", "")) or super().image(ref)

    def file(self, ref: Ref) -> Download | None:
        known = {"pdf": Download("/~files/guide.pdf", "guide.pdf", 1_234_567, "application/pdf")}
        return known.get(ref.get("file", "")) or super().file(ref)

    def reusable(self, ref: Ref) -> Node | None:
        again = block("reusable-content", {"ref": ref}, void=True)
        return document([p("Included."), again]) if ref.get("reusableContent") == "r1" else None

    def holds(self, expression: str) -> bool:
        return expression == "yes"

    def value(self, expression: str) -> str:
        return f"<{expression}>"

    def icon(self, name: str) -> str:
        return f'<svg aria-hidden="true"><title>{len(name)}</title></svg>'

    def tag(self, slug: str) -> str:
        return slug.title()


def p(*children: str | Node, **data: Any) -> Node:
    return block("paragraph", data, [text(child) if isinstance(child, str) else child for child in children])


def h(level: int, title: str, id_: str) -> Node:
    return block(f"heading-{level}", {"id": id_}, [text(title)])


def item(*below: Node, **data: Any) -> Node:
    return block("list-item", data, list(below))


def lines(*written: str, highlighted: int = -1) -> list[Node]:
    return [
        block("code-line", {"highlighted": True} if number == highlighted else {}, [text(line)])
        for number, line in enumerate(written)
    ]


def page(id_: str) -> Ref:
    return {"kind": "page", "page": id_}


def stored(id_: str) -> Ref:
    return {"kind": "file", "file": id_}


def web(url: str) -> Ref:
    return {"kind": "url", "url": url}


def caption(written: str) -> Node:
    return fragment("caption", "caption", [p(written)])


def picture(**data: Any) -> Node:
    return block("image", {"ref": stored("light"), **data}, void=True)


def marked(written: str, *names: str) -> Node:
    return text([leaf(written, [mark(name) for name in names])])


def column(id_: str, type_: str, title: str = "", **more: Any) -> Node:
    return {"id": id_, "title": title or id_, "type": type_, **more}


def table(view: Node, columns: list[Node], rows: list[Node], cells: dict[str, Node] | None = None, **data: Any) -> Node:
    records = {f"r{number}": {"orderIndex": str(number), "values": row} for number, row in enumerate(rows, 1)}
    definition = {made["id"]: made for made in columns}
    fragments = [fragment(name, "table-cell", [below]) for name, below in (cells or {}).items()]
    return block("table", {"view": view, "records": records, "definition": definition, **data}, fragments=fragments)


GRID = table(
    {"type": "grid", "columns": ["c1", "c2", "c3"], "columnWidths": {"c1": 120}, "hideHeader": False},
    [column("c1", "text", "Name"), column("c2", "number", "Size"), column("c3", "checkbox", "Ready")],
    [{"c1": "a", "c2": 3, "c3": True}, {"c1": "b", "c2": 4.5}],
    {"a": p("One ", marked("bold", "bold")), "b": block("list-unordered", {}, [item(p("x"))])},
)
VALUES = table(
    {"type": "grid", "columns": ["c1", "c2", "c3", "c4", "c5", "c6"], "hideHeader": True},
    [
        column("c1", "rating", max=5),
        column("c2", "select", options=[{"value": "v", "label": "Very <good>", "color": "green"}]),
        column("c3", "users", multiple=True),
        column("c4", "content-ref"),
        column("c5", "image"),
        column("c6", "files"),
    ],
    [{"c1": 3, "c2": ["v", "w"], "c3": ["ann"], "c4": page("p2"), "c5": stored("light"), "c6": [stored("pdf")]}],
)
MERGED = table(
    {"type": "grid", "columns": ["c1", "c2"], "hideHeader": False, "stickyHeader": True},
    [column("c1", "text", "A"), column("c2", "text", "B", textAlignment="right")],
    [{"c1": "a"}, {"c1": "b", "c2": "c"}],
    {"a": p("Wide"), "b": p("Left"), "c": p("Right")},
    cellMerges=[{"anchor": {"record": "r1", "column": "c1"}, "rowSpan": 1, "colSpan": 9}],
    search=True,
)
CARDS = table(
    {
        "type": "cards",
        "cardSize": "large",
        "columns": ["c1", "c2"],
        "targetDefinition": "c3",
        "coverDefinition": "c4",
        "coverDefinitionDark": "c5",
    },
    [column(f"c{n}", type_) for n, type_ in enumerate(["text", "text", "content-ref", "image", "image"], 1)],
    [
        {"c1": "a", "c2": "b", "c3": page("p1"), "c4": stored("light"), "c5": stored("dark")},
        {"c1": "c", "c3": web("https://example.org/")},
        {"c1": "d"},
    ],
    {
        "a": h(3, "Install", "install"),
        "b": p("See ", inline("link", {"ref": web("/other")}, [text("this")])),
        "c": p(inline("icon", {"icon": "leaf"}, void=True)),
        "d": p("Alone ", inline("link", {"ref": page("p2")}, [text("with a link")])),
    },
)

BLOCKS: dict[str, list[Node]] = {
    "paragraph": [p("One\ntwo & <three>"), p(""), p("In the middle", align="center")],
    "heading": [h(1, "Set & go", "set-go"), h(2, "Deeper", "deeper"), h(3, "Deepest", "deeper")],
    "marks": [
        p(marked("b", "bold"), marked("i", "italic"), marked("both", "bold", "italic"), marked("x=1", "code", "bold")),
        p(
            marked("Ctrl", "keyboard"),
            marked("no", "strikethrough"),
            marked("2", "superscript"),
            marked("0", "subscript"),
        ),
        p(text([leaf("c", [mark("color", {"text": "$primary", "background": "yellow"})])])),
        p(text([leaf("c", [mark("color", {"text": "blue", "background": "default"})])])),
    ],
    "lists": [
        block("list-unordered", {}, [item(p("a"), block("list-unordered", {}, [item(p("b"))])), item(p("c"), p("d"))]),
        block("list-ordered", {"start": 3}, [item(p("three"))]),
        block("list-tasks", {}, [item(p("done"), checked=True), item(p("open"), checked=False)]),
    ],
    "quote": [block("blockquote", {}, [p("Said."), p("Again.")]), block("divider", void=True)],
    "hint": [
        block("hint", {"style": style}, [p(style)]) for style in ("info", "success", "warning", "danger", "unheard")
    ],
    "code": [
        block(
            "code",
            {"syntax": "python", "title": "a<b>.py", "lineNumbers": True, "overflow": "wrap"},
            lines("x = '<'", "", "y"),
        ),
        block("code", {"expandable": True, "collapsedLineCount": 4}, lines("plain {% raw %}", "second", highlighted=1)),
        block("code", {"syntax": "nonsense", "fullWidth": True}, lines("a & b")),
    ],
    "mermaid": [block("code", {"syntax": "mermaid"}, lines("graph TD", "A-->B & <C>"))],
    "math": [
        block("math", {"formula": r"\frac{a}{b}"}, void=True),
        p("With ", inline("inline-math", {"formula": "x^2"}, void=True)),
        block("math", {"formula": r"\nonsense<b>"}, void=True),
    ],
    "images": [
        block("images", {"align": "center", "withFrame": True}, [picture(alt="A & b", width=600)]),
        block(
            "images", {"fullWidth": True}, [picture(refDark=stored("dark")), picture(width={"unit": "%", "value": 52})]
        ),
        block("images", {}, [block("image", {"ref": stored("light")}, fragments=[caption("Below.")])]),
        block("images", {}, [block("image", {"ref": stored("gone"), "alt": "What it showed"}, void=True)]),
        block("drawing", {"ref": stored("light")}, void=True),
    ],
    "file": [
        block("file", {"ref": stored("pdf")}, fragments=[caption("The guide.")]),
        block("file", {"ref": stored("gone")}, void=True),
    ],
    "embed": [
        block("embed", {"url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1m5s"}, void=True),
        block("embed", {"url": "https://example.org/a?b=c&d"}, fragments=[caption("Else")]),
        block("embed", {"url": "javascript:alert(1)"}, void=True),
    ],
    "content-ref": [block("content-ref", {"ref": page(id_)}, void=True) for id_ in ("p1", "p2", "gone")]
    + [block("content-ref", {"ref": web("https://example.org/")}, void=True)],
    "expandable": [
        block(
            "expandable",
            {"defaultExpanded": True},
            fragments=[
                fragment("expandable-title", "expandable-title", [p("How ", marked("so", "bold"), "?")]),
                fragment("expandable-body", "expandable-body", [h(1, "Inside", "inside"), p("So.")]),
            ],
        )
    ],
    "tabs": [
        block(
            "tabs",
            {},
            [
                block("tabs-item", {"title": "npm & co", "icon": "node"}, [p("npm i")]),
                block("tabs-item", {"title": "Yarn"}, [p("yarn add")]) | {"meta": {"id": "yarn"}},
            ],
        )
    ],
    "stepper": [
        block(
            "stepper",
            {},
            [
                block("stepper-step", {}, [h(2, "First", "first"), p("Do.")]),
                block("stepper-step", {"icon": "flag"}, [p("Done.")]),
            ],
        )
    ],
    "columns": [
        block(
            "columns",
            {},
            [
                block("column", {"width": {"unit": "%", "value": 33.3}, "verticalAlignment": "middle"}, [p("Left")]),
                block("column", {}, [p("Right")]),
            ],
        )
    ],
    "updates": [
        block(
            "updates",
            {"format": "full"},
            [
                block("update", {"date": "2026-01-31", "tags": ["fix", "new"]}, [h(1, "Better", "better")]),
                block("update", {"date": "one day"}, [p("Else.")]),
            ],
        )
    ],
    "prompt": [
        block(
            "prompt", {"description": "Explain <it>", "defaultExpanded": "full"}, [block("code", {}, lines("Say it."))]
        )
    ],
    "if": [block("if", {"expression": answer}, [p(answer)]) for answer in ("yes", "no")],
    "reusable-content": [
        block("reusable-content", {"ref": {"kind": "reusable-content", "reusableContent": id_}}, void=True)
        for id_ in ("r1", "gone")
    ],
    "table": [GRID, VALUES, MERGED],
    "cards": [CARDS],
    "integration": [
        block(
            "integration",
            {"integration": "plant", "block": "uml", "props": {"a<": "b&"}, "url": "https://example.org/"},
            void=True,
        )
    ],
    "openapi": [
        block(
            "openapi-operation",
            {"ref": {"kind": "openapi", "spec": "pets"}, "path": "/pets/{id}", "method": "get"},
            void=True,
        ),
        block("openapi-schemas", {"ref": {"kind": "openapi", "spec": "pets"}, "schemas": ["Pet", "Cat"]}, void=True),
        block(
            "openapi-webhook", {"ref": {"kind": "openapi", "spec": "pets"}, "name": "born", "method": "post"}, void=True
        ),
        block("swagger", {"ref": web("https://example.org/api.json"), "path": "/x", "method": "put"}, void=True),
    ],
    "links": [
        p(inline("link", {"ref": page("p1")}, [text("inner")]), inline("link", {"ref": page("gone")}, [text("lost")])),
        p(inline("link", {"ref": web("https://example.org/?a=1&b=2")}, [marked("outer", "code")])),
        p(inline("link", {"ref": {"kind": "anchor", "anchor": "here"}}, [text("here")])),
        p(inline("mention", {"ref": page("p1")}, void=True), inline("mention", {"ref": page("p2")}, [text("Written")])),
        p(inline("mention", {"ref": page("gone")}, [text("Written")])),
        p(inline("link", {"ref": page("p1")}, [inline("mention", {"ref": page("p2")}, void=True)])),
    ],
    "inlines": [
        p(inline("emoji", {"code": "2705"}, void=True), inline("emoji", {"code": "1f468-200d-1f4bb"}, void=True)),
        p(
            inline("icon", {"icon": "leaf", "color": "$tint"}, void=True),
            inline("expression", {"expression": "x"}, void=True),
        ),
        p(inline("inline-image", {"ref": stored("light"), "size": "line", "alt": "i"}, void=True)),
        p(inline("unheard-of", {}, [text("kept")])),
        block("unheard-of", {}, [p("kept too")]),
    ],
    "annotation": [
        p(
            "A ",
            inline(
                "annotation",
                {},
                [text("word")],
                fragments=[fragment("annotation-body", "annotation-body", [p("Its sense.")])],
            ),
            ".",
        ),
        block(
            "code",
            {"syntax": "python"},
            [
                block(
                    "code-line",
                    {},
                    [
                        text("x = "),
                        inline(
                            "annotation",
                            {},
                            [text("1")],
                            fragments=[fragment("annotation-body", "annotation-body", [p("One.")])],
                        ),
                    ],
                )
            ],
        ),
    ],
    "buttons": [
        p(inline("button", {"label": "Go <on>", "kind": "primary", "icon": "go", "ref": page("p1")}, void=True)),
        p(inline("button", {"label": "Ask", "kind": "secondary", "action": "ask", "query": 'a"b'}, void=True)),
        p(inline("button", {"label": "Lost", "kind": "primary", "ref": page("gone")}, void=True)),
    ],
}


class Balance(HTMLParser):
    """Checks that elements nest, and never a link in a link."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "a" or "a" not in self.open
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def assert_balanced(html: str) -> None:
    parser = Balance()
    parser.feed(html)
    parser.close()
    assert parser.open == []


@pytest.mark.parametrize("name", BLOCKS)
def test_snapshot(name: str) -> None:
    html = render(document(BLOCKS[name]), SiteContext()).html
    assert_balanced(html)
    shown = html.replace("><", ">\n<") + "\n"
    path = SNAPSHOTS / f"{name}.html"
    if os.environ.get("OCTAVO_UPDATE_SNAPSHOTS"):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


def test_no_snapshot_is_left_over() -> None:
    assert {path.stem for path in SNAPSHOTS.glob("*.html")} == set(BLOCKS)


def test_outline_holds_headings_of_the_flow_with_unique_anchors() -> None:
    hidden = block("hint", {"style": "info"}, [h(1, "Hidden", "hidden")])
    steps = BLOCKS["stepper"]
    made = render(document([h(1, "A", "a"), h(2, "A", "a"), hidden, *steps, h(3, "A", "a")]), SiteContext())
    assert made.outline == [
        Heading(1, "a", "A"),
        Heading(2, "a-1", "A"),
        Heading(2, "first", "First"),
        Heading(3, "a-2", "A"),
    ]
    assert all(f'id="{entry.id}"' in made.html for entry in made.outline)


def test_needs() -> None:
    every = [
        node
        for name in ("mermaid", "embed", "math", "tabs", "annotation", "images", "buttons")
        for node in BLOCKS[name]
    ]
    made = render(document(every), SiteContext())
    assert made.needs == {
        *("mermaid", "math", "tabs", "notes", "code", "zoom", "buttons"),
        "embed:https://www.youtube-nocookie.com",
    }
    assert render(document([p("plain")]), SiteContext()).needs == set()


def test_only_the_first_image_is_fetched_at_once() -> None:
    html = render(document(BLOCKS["images"]), SiteContext()).html
    assert html.count('fetchpriority="high"') == 1
    assert html.index('fetchpriority="high"') < html.index('loading="lazy"')
    assert html.count('loading="lazy"') == html.count("<img") - 1


def test_a_card_with_a_target_has_exactly_one_link_of_its_own() -> None:
    html = render(document([CARDS]), SiteContext()).html
    cards = html.split('<article class="card')[1:]
    assert [card.count('class="card-link') for card in cards] == [1, 1, 0]
    assert 'href="/install"' in cards[0]
    assert 'href="/other"' in cards[0]


def test_every_width_is_a_step_of_five() -> None:
    for width, step in ((1, 5), (33.3, 35), (66, 65), (120, 100)):
        made = block("columns", {}, [block("column", {"width": {"unit": "%", "value": width}}, [p("x")])])
        assert f'data-width="{step}"' in render(document([made]), PlainContext()).html


@pytest.mark.parametrize(
    ("url", "framed"),
    [
        ("https://youtu.be/dQw4w9WgXcQ?t=90", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=90"),
        ("https://vimeo.com/76979871", "https://player.vimeo.com/video/76979871?dnt=1"),
        ("https://www.loom.com/share/" + "0a" * 16, "https://www.loom.com/embed/" + "0a" * 16),
        ("https://codepen.io/ann/pen/abcDEF", "https://codepen.io/ann/embed/abcDEF?default-tab=result"),
        (
            "https://www.figma.com/file/AbC/x",
            "https://www.figma.com/embed?embed_host=octavo&amp;url=https%3A%2F%2Fwww.figma.com%2Ffile%2FAbC%2Fx",
        ),
        ("https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ", None),
        ("https://evil.example/youtube.com/watch?v=dQw4w9WgXcQ", None),
        ("https://www.youtube.com/watch?v=../../x", None),
        ("https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ", None),
        ("ftp://youtu.be/dQw4w9WgXcQ", None),
        ("https://[youtu.be/x", None),
    ],
)
def test_frames_only_for_known_providers(url: str, framed: str | None) -> None:
    html = render(document([block("embed", {"url": url}, void=True)]), PlainContext()).html
    assert ("<iframe" in html) is (framed is not None)
    if framed:
        assert f'src="{framed}"' in html
        assert " sandbox=" in html
        assert "embed-card" in html
