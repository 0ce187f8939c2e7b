"""Documents by hypothesis: every block, inline and mark of the model, in the shape that reading a page gives them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import strategies as st

from octavo.content.document import Node, Ref, assign_keys, block, document, fragment, inline, leaf, mark, text
from octavo.content.markdown.inlines import COLOURS, MARKS
from octavo.content.markdown.slugs import assign_anchors

Several = Callable[..., st.SearchStrategy[Node]]


def _later(make: Several) -> Several:
    """Strategies that hold many others show themselves by a short name."""
    return lambda *given, **named: st.deferred(lambda: make(*given, **named))


_PIECES = [
    *"aZé漢7 \\`*_{}[]()<>#+-.!|~$:&'\"=^%/@,;?",
    *["word", "snake_case", "__init__", "**", "***", "~~", "$$", "{%", "%}", "{% hint %}", "{{ x }}", ":smile:", ":x"],
    *["1.", "12) ", "- ", "+ ", "# ", "> ", "---", "===", "```", "| a |", "|---|", "&amp;", "&#35;", "<b>", "</td>"],
    *["<!--", "-->", "<https://a.b>", "https://a.b/c_d", "[x](y)", "![", "[^1]", "[^1]: ", "[x]: y", "\\n", "\u00a0"],
    *["😀", "<details>", "</details>", "    ", "\t", "'s", "…", "x*y*z", "a_b_c"],
]


def words(pieces: list[str] = _PIECES, most: int = 6) -> st.SearchStrategy[str]:
    """Text on one line without white space around it, not empty."""
    return (
        st.lists(st.sampled_from(pieces), min_size=1, max_size=most)
        .map(lambda found: "".join(found).strip(" \t"))
        .filter(bool)
    )


def _squeezed(of: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return of.map(lambda found: " ".join(found.split())).filter(bool)


names = st.text("abcxyz-", min_size=1, max_size=8).filter(lambda name: not name.startswith("-"))
labels = _squeezed(words())
_ADDRESSES = (
    """a.md ../b/c%d.md https://x.y/z?a=1&copy=2 https://x.y/(b) x_y*z <a> q"uo'te a|b mailto:a@b.c \\back &amp;"""
)
addresses = st.sampled_from([*_ADDRESSES.split(), "c d.md", "{% x %}", "dir/#anchor", "javascript:alert(1)", "é.md"])
refs: st.SearchStrategy[Ref] = st.one_of(
    addresses.map(lambda href: {"kind": "url", "url": href}),
    names.map(lambda name: {"kind": "page", "page": name}),
    names.map(lambda name: {"kind": "file", "file": name}),
    names.map(lambda name: {"kind": "anchor", "anchor": name}),
    st.tuples(names, names).map(lambda two: {"kind": "anchor", "anchor": two[0], "page": two[1]}),
)


def resolve(href: str) -> Ref | None:
    """The reference that the printer's plain address stands for."""
    path, _, anchor = href.partition("#")
    if path.startswith("/pages/"):
        page = path.removeprefix("/pages/")
        return {"kind": "anchor", "anchor": anchor, "page": page} if anchor else {"kind": "page", "page": page}
    if path.startswith("/reusable-contents/"):
        return {"kind": "reusable-content", "reusableContent": path.removeprefix("/reusable-contents/")}
    return {"kind": "file", "file": path.removeprefix("/files/")} if path.startswith("/files/") else None


_colours = st.fixed_dictionaries(
    {"text": st.sampled_from(sorted(COLOURS)), "background": st.sampled_from(sorted(COLOURS))}
).filter(lambda given: set(given.values()) != {"default"})
_simple_marks = [mark(name) for name in MARKS if name != "color"]
_marks = st.lists(st.sampled_from(_simple_marks) | _colours.map(lambda given: mark("color", given)), max_size=3).map(
    lambda found: sorted({one["type"]: one for one in found}.values(), key=lambda one: MARKS.index(one["type"]))
)


@st.composite
def _leaves(draw: st.DrawFn) -> list[Node]:
    made: list[Node] = []
    for _ in range(draw(st.integers(1, 4))):
        marks = draw(_marks)
        characters = draw(words())
        if "code" not in [one["type"] for one in marks]:
            characters = draw(st.sampled_from(["", " "])) + characters + draw(st.sampled_from(["", " ", "\n"]))
        if made and made[-1]["marks"] == marks:
            made[-1]["text"] += characters
        else:
            made.append(leaf(characters, marks))
    return made


@cache
def _inline_of(*, html: bool) -> st.SearchStrategy[Node]:
    codes = st.sampled_from(["1f600", "2705", "1f468-200d-1f4bb", "26a0-fe0f", "1f1e9-1f1ea"])
    icons = st.fixed_dictionaries({"icon": names}, optional={"color": st.just("red")})
    images = st.fixed_dictionaries(
        {"ref": refs},
        optional={"refDark": names.map(lambda name: {"kind": "file", "file": name}), "alt": labels}
        | {"size": st.sampled_from(["line", "original"]), "caption": labels},
    )
    buttons = st.fixed_dictionaries(
        {"label": labels, "kind": st.sampled_from(["primary", "secondary"])}, optional={"icon": names}
    )
    asks = st.fixed_dictionaries({"action": st.sampled_from(["ask", "search"])}, optional={"query": labels})
    selects = st.fixed_dictionaries({"action": st.just("select"), "slug": names})
    acts = st.fixed_dictionaries({"action": st.one_of(asks, selects)})
    formulas = _squeezed(words([*"abx^_{}\\ +=|<&%", "\\frac", "{%", "*"]))
    image = images.map(lambda data: inline("inline-image", data, void=True))
    void: list[st.SearchStrategy[Node]] = [
        codes.map(lambda code: inline("emoji", {"code": code}, void=True)),
        icons.map(lambda data: inline("icon", data, void=True)),
        image,
        labels.map(lambda source: inline("expression", {"expression": source}, void=True)),
        refs.map(lambda ref: inline("mention", {"ref": ref}, void=True)),
        st.tuples(buttons, refs).map(lambda two: inline("button", {**two[0], "ref": two[1]}, void=True)),
        st.tuples(buttons, acts).map(lambda two: inline("button", {**two[0], **two[1]}, void=True)),
        st.tuples(refs, _leaves()).map(lambda two: inline("link", {"ref": two[0]}, [text(two[1])])),
        st.tuples(refs, image).map(lambda two: inline("link", {"ref": two[0]}, [two[1]])),
    ]
    if not html:
        void.append(formulas.map(lambda formula: inline("inline-math", {"formula": formula}, void=True)))
        body = words(["note", "b", " "]).map(lambda said: [block("paragraph", {}, [text(said)])])
        void.append(
            st.tuples(words(["word", "é", "*", "x"]), body).map(
                lambda two: inline(
                    "annotation", {}, [text(two[0])], fragments=[fragment("annotation-body", "annotation-body", two[1])]
                )
            )
        )
    return st.one_of(void)


@st.composite
def inlines(draw: st.DrawFn, *, html: bool = False) -> list[Node]:
    """What a paragraph holds: texts and inlines, never two texts side by side."""
    made: list[Node] = []
    for _ in range(draw(st.integers(1, 3))):
        last = made[-1]["object"] if made else ""
        if last == "text" or (last != "inline" and draw(st.booleans())) or draw(st.booleans()):
            node = draw(_inline_of(html=html))
        else:
            node = text(draw(_leaves()))
        if node["object"] == "text" and last == "text":
            continue
        if node.get("type") == "annotation" and last == "text":
            # What is annotated is the last word, so that a space must come before it.
            made[-1]["leaves"].append(leaf(" ")) if made[-1]["leaves"][-1]["marks"] else _space(made[-1])
        made.append(node)
    return _settled(made)


def _space(node: Node) -> None:
    node["leaves"][-1]["text"] += " "


def _settled(nodes: list[Node]) -> list[Node]:
    """Without what neither Markdown nor HTML keeps: spaces at the ends and before hard breaks."""
    for node in nodes:
        if node["object"] == "text":
            for one in node["leaves"]:
                if "code" not in [each["type"] for each in one["marks"]]:
                    while " \n" in one["text"] or "\t\n" in one["text"]:
                        one["text"] = one["text"].replace(" \n", "\n").replace("\t\n", "\n")
    for side in (0, -1):
        while nodes and nodes[side]["object"] == "text":
            leaves = nodes[side]["leaves"]
            if "code" not in [one["type"] for one in leaves[side]["marks"]]:
                kept = leaves[side]["text"]
                leaves[side]["text"] = kept.lstrip(" \n") if side == 0 else kept.rstrip(" \n")
            if leaves[side]["text"]:
                break
            leaves.pop(side)
            if not leaves:
                nodes.pop(side)
    return nodes


def _block(
    type_: str, data: st.SearchStrategy[Node], nodes: st.SearchStrategy[list[Node]] | None
) -> st.SearchStrategy[Node]:
    if nodes is None:
        return data.map(lambda given: block(type_, given, void=True))
    return st.tuples(data, nodes).map(lambda two: block(type_, two[0], two[1]))


def _data(required: dict[str, Any] | None = None, **optional: st.SearchStrategy[Any]) -> st.SearchStrategy[Node]:
    return st.fixed_dictionaries(required or {}, optional=optional)


_true = st.just(True)
_align = st.sampled_from(["start", "center", "end"])
_attribute = _squeezed(words())


@_later
def _paragraphs(*, html: bool = False) -> st.SearchStrategy[Node]:
    plainly = _block("paragraph", st.just({}), inlines(html=html).filter(bool))
    aligned = _block("paragraph", _data({"align": _align}), inlines(html=True).filter(bool))
    return st.one_of(plainly, plainly, plainly, aligned)


@st.composite
def _headings(draw: st.DrawFn) -> Node:
    data: Node = {}
    if draw(st.booleans()):
        data["id"] = draw(st.text("abc-.+_1", min_size=1, max_size=6).filter(lambda name: name.strip("-") == name))
    aligned = draw(st.integers(0, 4)) == 0
    if aligned:
        data["align"] = draw(_align)
    return block(f"heading-{draw(st.integers(1, 3))}", data, draw(inlines(html=aligned)))


@st.composite
def _codes(draw: st.DrawFn, *, html: bool = False) -> Node:
    lit = html or draw(st.booleans())
    lines = draw(st.lists(st.one_of(words(), st.just(""), st.just("  x")), min_size=1, max_size=4))
    nodes = [block("code-line", {}, [text(line)]) for line in lines]
    if lit:
        nodes.append(block("code-line", {"highlighted": True}, [text(draw(words()))]))
    syntax = (
        st.sampled_from(["js", "c++", "mermaid"]) if lit else st.sampled_from(["js", "c++", "mermaid", "a`b", "x&amp;"])
    )
    overflow = st.sampled_from(["wrap", "scroll"])
    given = _data(
        syntax=syntax, title=_attribute, overflow=overflow, lineNumbers=_true, expandable=_true, fullWidth=_true
    )
    return block("code", draw(given), nodes)


def _captions() -> st.SearchStrategy[list[Node] | None]:
    paragraph = _block(
        "paragraph", st.just({}), inlines(html=True).filter(lambda nodes: any(n["object"] == "text" for n in nodes))
    )
    caption = st.lists(paragraph, min_size=1, max_size=2)
    return st.none() | caption.map(lambda nodes: [fragment("caption", "caption", nodes)])


_length = st.integers(1, 900) | st.integers(1, 100).map(lambda value: {"unit": "%", "value": value})
_pictures = st.tuples(
    _data(
        {"ref": refs},
        refDark=names.map(lambda name: {"kind": "file", "file": name}),
        width=_length,
        height=_length,
        alt=labels,
    ),
    _captions(),
).map(lambda two: block("image", two[0], fragments=two[1] or [], void=True))
_images = _block(
    "images",
    _data(align=st.sampled_from(["left", "center", "right"]), fullWidth=_true, withFrame=_true),
    st.lists(_pictures, min_size=1, max_size=2),
)


@_later
def _lists(blocks: st.SearchStrategy[Node], *, html: bool) -> st.SearchStrategy[Node]:
    first = _paragraphs(html=html)
    inner = st.tuples(first, st.lists(blocks, max_size=2)).map(lambda two: [two[0], *two[1]])
    items = st.lists(_block("list-item", st.just({}), inner), min_size=1, max_size=3)
    starts = _data(start=st.integers(2, 99) | st.just(0))
    kinds = [_block("list-unordered", st.just({}), items), _block("list-ordered", starts, items)]
    if not html:
        first = _block("paragraph", st.just({}), inlines().filter(bool))
        leading = st.tuples(first, st.lists(blocks, max_size=2)).map(lambda two: [two[0], *two[1]])
        boxed = _block("list-item", _data({"checked": st.booleans()}), leading)
        kinds.append(_block("list-tasks", st.just({}), st.lists(boxed, min_size=1, max_size=3)))
        led = st.lists(blocks, min_size=1, max_size=2)
        kinds.append(_block("list-unordered", st.just({}), st.lists(_block("list-item", st.just({}), led), min_size=1)))
    return st.one_of(kinds)


@st.composite
def _tables(draw: st.DrawFn) -> Node:
    count = draw(st.integers(1, 3))
    rich = draw(st.booleans())
    cards = rich and draw(st.booleans())
    definition: Node = {}
    kinds = ["text", "number", "checkbox", "files", "users", "rating", "select", "content-ref", "image"]
    for place in range(count):
        kind = draw(st.sampled_from(kinds)) if rich else "text"
        definition[f"c{place + 1}"] = draw(_column(f"c{place + 1}", kind, rich=rich))
    records: Node = {}
    fragments: list[Node] = []
    for place in range(draw(st.integers(0, 2))):
        records[f"r{place + 1}"] = {"orderIndex": f"{place:06d}", "values": {}}
        for name, column in definition.items():
            value = draw(_value(column))
            if column["type"] == "text" and draw(st.booleans()):
                value = f"r{place + 1}-{name}"
                fragments.append(fragment(value, "table-cell", draw(_cell_blocks(rich=rich))))
            if value is not None:
                records[f"r{place + 1}"]["values"][name] = value
    data: Node = {"view": draw(_view(definition, cards=cards, rich=rich)), "records": records, "definition": definition}
    if rich:
        data |= draw(_data(fullWidth=_true, search=_true))
    return block("table", data, fragments=fragments, void=True)


@st.composite
def _view(draw: st.DrawFn, definition: Node, *, cards: bool, rich: bool) -> Node:
    shown = [name for name in definition if not rich or draw(st.integers(0, 3))]
    if cards:
        view: Node = {"type": "cards", "cardSize": draw(st.sampled_from(["medium", "large"])), "columns": shown}
        roles = ["targetDefinition", "coverDefinition", "coverDefinitionDark"]
        view |= {role: name for role, name in zip(roles, definition) if draw(st.booleans())}
        return view | draw(_data(hideColumnTitle=_true, wrap=_true))
    titled = any(column["title"] for column in definition.values())
    widths = {name: draw(st.integers(50, 400)) for name in definition if rich and draw(st.booleans())}
    view = {"type": "grid", "columns": shown, **({"columnWidths": widths} if widths else {})}
    return (
        view
        | {"hideHeader": draw(st.booleans()) if rich else not titled}
        | (draw(_data(stickyHeader=_true)) if rich else {})
    )


@st.composite
def _column(draw: st.DrawFn, name: str, kind: str, *, rich: bool) -> Node:
    column: Node = {"id": name, "title": draw(labels | st.just("")), "type": kind}
    if rich:
        column |= draw(_data(verticalAlignment=st.sampled_from(["top", "middle"])))
    if kind == "text":
        column["textAlignment"] = draw(st.sampled_from(["left", "center", "right"]))
    elif kind == "rating":
        column["max"] = draw(st.integers(1, 10))
    elif kind == "select":
        column["multiple"] = draw(st.booleans())
        options = draw(st.lists(names, unique=True, min_size=1, max_size=3))
        column["options"] = [{"value": f"o-{each}", "label": each, "color": "blue"} for each in options]
    elif kind == "users":
        column["multiple"] = draw(st.booleans())
    return column


def _value(column: Node) -> st.SearchStrategy[Any]:
    match column["type"]:
        case "text":
            return st.none()
        case "checkbox":
            return st.booleans()
        case "number" | "rating":
            return st.none() | st.integers(-99, 999)
        case "select":
            values = [option["value"] for option in column["options"]]
            return st.none() | st.lists(st.sampled_from(values), min_size=1, max_size=2)
        case "users":
            return st.none() | st.lists(names, min_size=1, max_size=2)
        case "files":
            return st.none() | st.lists(refs, min_size=1, max_size=2)
        case _:
            return st.none() | refs


def _cell_blocks(*, rich: bool) -> st.SearchStrategy[list[Node]]:
    simple = _block("paragraph", st.just({}), inlines(html=True).filter(bool))
    if not rich:
        return simple.map(lambda node: [node])
    parts = st.one_of(simple, _paragraphs(html=True), _codes(html=True), _images, _lists(simple, html=True))
    quotes = _block("blockquote", st.just({}), st.lists(simple, min_size=1, max_size=2))
    return st.lists(st.one_of(parts, quotes, st.just(block("divider", void=True))), min_size=1, max_size=3)


@_later
def _expandables(blocks: st.SearchStrategy[list[Node]]) -> st.SearchStrategy[Node]:
    titles = inlines(html=True).filter(lambda nodes: any(node["object"] == "text" for node in nodes))
    return st.tuples(_data(defaultExpanded=_true), titles, blocks).map(
        lambda three: block(
            "expandable",
            three[0],
            fragments=[
                fragment("expandable-title", "expandable-title", [block("paragraph", {}, three[1])]),
                fragment("expandable-body", "expandable-body", three[2]),
            ],
            void=True,
        )
    )


@_later
def _groups(blocks: st.SearchStrategy[list[Node]]) -> st.SearchStrategy[Node]:
    def group(
        name: str, data: st.SearchStrategy[Node], item: str, of: st.SearchStrategy[Node]
    ) -> st.SearchStrategy[Node]:
        return _block(name, data, st.lists(_block(item, of, blocks), min_size=1, max_size=2))

    width = st.sampled_from([{"unit": "%", "value": 50}, {"unit": "px", "value": 300}])
    formats = st.sampled_from(["full", "short", "numeric"])
    tags = st.lists(st.builds(lambda tag: {"kind": "tag", "tag": tag}, names), min_size=1, max_size=2)
    return st.one_of(
        group("tabs", _data(fullWidth=_true), "tabs-item", _data({"title": _attribute}, icon=names, slug=names)),
        group("stepper", st.just({}), "stepper-step", _data(icon=names)),
        group("columns", _data(fullWidth=_true), "column", _data(width=width, verticalAlignment=st.just("middle"))),
        group(
            "updates",
            _data({"format": formats}),
            "update",
            _data({"date": st.just("2026-01-31T00:00:00.000Z")}, tags=tags),
        ),
        _block("hint", _data({"style": st.sampled_from(["info", "success", "warning", "danger"])}, icon=names), blocks),
        _block(
            "if", _data({"expression": st.sampled_from(["a.b == 'x'", "visitor.claims.a && !b", 'a["%}"]'])}), blocks
        ),
    )


@_later
def _embedded() -> st.SearchStrategy[Node]:
    captions = st.none() | inlines().filter(lambda nodes: any(node["object"] == "text" for node in nodes)).map(
        lambda nodes: [fragment("caption", "caption", [block("paragraph", {}, nodes)])]
    )
    embeds = st.tuples(_data({"url": addresses}, fullWidth=_true), captions).map(
        lambda two: block("embed", two[0], fragments=two[1], void=True)
    )
    files = st.tuples(_data({"ref": refs}), captions).map(
        lambda two: block("file", two[0], fragments=two[1], void=True)
    )
    reusable = names.map(lambda name: {"kind": "reusable-content", "reusableContent": name})
    values = st.one_of(_attribute, st.booleans(), st.integers(), st.just({"a b": ["'", "%}"]}))
    props = st.dictionaries(names, values, max_size=2)
    expanded = st.sampled_from(["hidden", "full"])
    prompts = _data({"description": _attribute}, icon=names, openInAIProviders=_true, defaultExpanded=expanded)
    return st.one_of(
        embeds,
        files,
        _block("content-ref", _data({"ref": refs}), None),
        _block("drawing", _data({"ref": refs}), None),
        _block("reusable-content", _data({"ref": reusable}), None),
        _block("integration", _data({"integration": names, "block": names, "props": props}), None),
        _block("prompt", prompts, _codes().map(lambda code: [code])),
    )


@_later
def _specified() -> st.SearchStrategy[Node]:
    spec = names.map(lambda name: {"kind": "openapi", "spec": name})
    at = {"path": st.just("/pets/{id}"), "method": st.sampled_from(["get", "post"])}
    schemas = st.lists(names, min_size=1)
    return st.one_of(
        _block("swagger", _data({"ref": refs, **at}, expanded=_true, fullWidth=_true), None),
        _block("openapi-operation", _data({"ref": spec, **at}, headless=_true), None),
        _block("openapi-webhook", _data({"ref": spec, "name": names, "method": at["method"]}, headless=_true), None),
        _block("openapi-schemas", _data({"ref": spec, "schemas": schemas}, grouped=_true, title=_attribute), None),
    )


_formulas = st.lists(_squeezed(words([*"abx^_{}\\ +=|<&%", "\\frac", "{%", "*"])), min_size=1, max_size=3).map(
    "\n".join
)
_leaf_blocks = st.one_of(
    _paragraphs(),
    _paragraphs(),
    _headings(),
    _codes(),
    _images,
    _tables(),
    _embedded(),
    _specified(),
    st.just(0).map(lambda _: block("divider", void=True)),
    _block("math", _data({"formula": _formulas}), None),
)


@_later
def _containers(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    blocks = st.lists(inner, min_size=1, max_size=3)
    quotes = _block("blockquote", st.just({}), blocks)
    return st.one_of(_groups(blocks), _expandables(blocks), quotes, _lists(inner, html=False))


_nested = st.recursive(_leaf_blocks, _containers, max_leaves=5)


@st.composite
def _any_block(draw: st.DrawFn) -> Node:
    return draw(_nested)


@st.composite
def _any_document(draw: st.DrawFn) -> Node:
    # Strategies share nodes; keys and anchors are set in place.
    copied: Node = json.loads(json.dumps(document(draw(st.lists(_any_block(), max_size=4)))))
    assign_anchors(copied)
    return assign_keys(copied)


blocks: st.SearchStrategy[Node] = _any_block()
"""Any block that may stand at the top of a page."""

documents: st.SearchStrategy[Node] = _any_document()
"""Whole documents with keys and anchors."""
