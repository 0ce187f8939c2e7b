"""Blocks of Markdown and HTML, and where they came from."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.content.document import Node, children, plain, walk
from octavo.content.markdown import Parsed, parse


def types(nodes: list[Node]) -> list[str]:
    return [node["type"] for node in nodes]


def only(source: str) -> Node:
    nodes = parse(source).document["nodes"]
    assert len(nodes) == 1, types(nodes)
    return nodes[0]


def part(node: Node, name: str) -> Node:
    return next(one for one in node["fragments"] if one["fragment"] == name)


def slices(page: Parsed) -> list[str]:
    return [page.source[slice(*page.spans[node["key"]])] for node in page.document["nodes"]]


def test_front_matter_passes_through() -> None:
    page = parse(
        "---\ndescription: A page\nhidden: true\ncoverY: -24\nunknown: {deep: [1, two]}\n---\n\n# Title\n\nText\n"
    )
    assert page.front == {"description": "A page", "hidden": True, "coverY": -24, "unknown": {"deep": [1, "two"]}}
    assert page.title == "Title"
    assert types(page.document["nodes"]) == ["paragraph"]
    assert page.source[slice(*page.spans["front"])].endswith("two]}\n---")
    assert page.source[slice(*page.spans["title"])] == "# Title"


@pytest.mark.parametrize("yaml", ["a: [", "a: 1\na: 2", "? [a]\n: b", "a: &a [*a]", "\tx: 1"])
def test_broken_front_matter_is_a_warning(yaml: str) -> None:
    page = parse(f"---\n{yaml}\n---\n# Title\n")
    assert page.front == {}
    assert page.title == "Title"
    assert len(page.warnings) == 1
    assert page.warnings[0].startswith("The front matter")
    assert page.warnings[0].endswith("(line 1)")


@pytest.mark.parametrize("yaml", ["if: [", "a: [\nif: visitor.claims.staff", "{hidden: true", '"if": x\n"if": y'])
def test_a_page_whose_guard_is_not_read_is_shown_to_nobody(yaml: str) -> None:
    page = parse(f"---\n{yaml}\n---\n# Title\n")
    assert page.front == {"hidden": True, "if": "false"}
    assert "shown to nobody" in page.warnings[0]


def test_a_rule_at_the_start_is_no_front_matter() -> None:
    page = parse("---\nProse between rules.\n---\n")
    assert page.front == {}
    assert "Prose between rules." in plain(page.document)


def test_empty_front_matter_and_a_byte_order_mark() -> None:
    assert parse("---\n---\n# T\n").title == "T"
    assert parse("\ufeff---\na: 1\n---\n# T\n").front == {"a": 1}
    assert parse("\ufeff# T\n").title == "T"


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# One *two* `three`", "One two three"),
        ("One\n===", "One"),
        ("# Go :rocket: go", "Go 🚀 go"),
        ('# One <a href="#x" id="x"></a>', "One"),
        ("<!-- note -->\n\n# One", "One"),
        ("Text\n\n# One", None),
        ("## One", None),
        ("", None),
    ],
)
def test_the_title_is_the_first_heading_where_nothing_stands_before_it(source: str, title: str | None) -> None:
    assert parse(source).title == title


def test_levels_of_headings() -> None:
    nodes = parse("# T\n\n# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n\n###### f\n").document["nodes"]
    assert types(nodes) == ["heading-1", "heading-1", "heading-2", "heading-3", "heading-3", "heading-3"]


def test_anchors() -> None:
    source = (
        "## What's new?\n\n## What's new?\n\n## Ünïcode\n\n## 标题\n\n"
        '## Fixed <a href="#what" id="what"></a>\n\n## What\n\n## v1.2+x_y\n\n'
        "<details><summary>What</summary></details>\n"
    )
    nodes = parse(source).document["nodes"]
    ids = [node["meta"]["id"] for node in nodes]
    assert ids[:3] == ["whats-new", "whats-new-1", "n-code"]
    assert len(ids[3]) == 18
    assert ids[4:] == ["what", "what-1", "v1.2+x_y", "what-2"]
    assert plain(nodes[4]) == "Fixed"
    assert [node["data"].get("id") for node in nodes[:-1]] == ids[:-1]
    assert len(set(ids)) == len(ids)


def test_lists() -> None:
    page = parse("* a\n* b\n\n  more\n  1. x\n\n3. three\n4. four\n\n- [x] done\n- [ ] open\n- neither\n")
    unordered, ordered, tasks = page.document["nodes"]
    assert types([unordered, ordered, tasks]) == ["list-unordered", "list-ordered", "list-tasks"]
    assert types(unordered["nodes"][1]["nodes"]) == ["paragraph", "paragraph", "list-ordered"]
    assert ordered["data"] == {"start": 3}
    assert [item["data"] for item in tasks["nodes"]] == [{"checked": True}, {"checked": False}, {}]
    assert plain(tasks["nodes"][0]) == "done"


def test_code_keeps_every_character() -> None:
    node = only("```py title=\"a b.py\" lineNumbers\na = '{% hint %}'\n\n  \tb\n```")
    assert node["data"] == {"syntax": "py", "title": "a b.py", "lineNumbers": True}
    assert [plain(line) for line in node["nodes"]] == ["a = '{% hint %}'", "", "  \tb"]
    assert [plain(line) for line in only("    a\n\n     b\n")["nodes"]] == ["a", "", " b"]
    assert only("```mermaid\ngraph\n```")["data"] == {"syntax": "mermaid"}


def test_highlighted_code() -> None:
    node = only(
        '<pre class="language-cs" data-title="A.cs" data-overflow="wrap"><code class="lang-cs">List&#x3C;int> a;\n'
        "<strong>List<string> b;\n</strong>\n{% c %}\n</code></pre>"
    )
    assert node["data"] == {"syntax": "cs", "title": "A.cs", "overflow": "wrap"}
    assert [plain(line) for line in node["nodes"]] == ["List<int> a;", "List<string> b;", "", "{% c %}"]
    assert [line["data"] for line in node["nodes"]] == [{}, {"highlighted": True}, {}, {}]


def test_quotes_rules_and_formulas() -> None:
    quote, rule, formula = parse("> a\n>\n> > b\n\n***\n\n$$\nx\n\ny\n$$\n").document["nodes"]
    assert types(quote["nodes"]) == ["paragraph", "blockquote"]
    assert rule["type"] == "divider"
    assert formula["data"] == {"formula": "x\n\ny"}


@pytest.mark.parametrize(
    ("source", "images", "image"),
    [
        ("![alt](a.png)", {}, {"alt": "alt"}),
        ('<img src="a.png" alt="alt" width="50%">', {}, {"alt": "alt", "width": {"unit": "%", "value": 50}}),
        ('<figure><img src="a.png" alt=""><figcaption></figcaption></figure>', {}, {}),
        ('<div align="left"><figure><img src="a.png" width="188"></figure></div>', {"align": "left"}, {"width": 188}),
        ('<div data-full-width="true">\n\n<figure><img src="a.png"></figure>\n\n</div>', {"fullWidth": True}, {}),
        ('<div data-with-frame="true"><figure><img src="a.png"></figure></div>', {"withFrame": True}, {}),
        ('<figure><a href="u"><img src="a.png"></a></figure>', {}, {}),
        (
            '<figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="a.png"></picture></figure>',
            {},
            {"refDark": {"kind": "url", "url": "d.png"}},
        ),
        *(
            (
                f'<figure><picture><source srcset="{srcset}" media="(prefers-color-scheme: dark)"><img src="a.png">'
                "</picture></figure>",
                {},
                {"refDark": {"kind": "url", "url": "files/d e, f (1).png"}},
            )
            for srcset in ("files/d e, f (1).png", " files/d e, f (1).png ")
        ),
        (
            '<figure><picture><source srcset="d e.png 1.5x, f.png 2x" media="(prefers-color-scheme: dark)">'
            '<img src="a.png"></picture></figure>',
            {},
            {"refDark": {"kind": "url", "url": "d e.png"}},
        ),
    ],
)
def test_images(source: str, images: dict[str, Any], image: dict[str, Any]) -> None:
    node = only(source)
    assert (node["type"], node["data"]) == ("images", images)
    assert [shown["data"] for shown in node["nodes"]] == [{"ref": {"kind": "url", "url": "a.png"}, **image}]


def test_captions() -> None:
    node = only('<figure><img src="a.png"><figcaption><p>One <strong>two</strong></p></figcaption></figure>')
    caption = part(node["nodes"][0], "caption")
    assert caption["type"] == "caption"
    assert plain(caption) == "One two"
    assert plain(only('![alt](a.png "One two")')) == "One two"


def test_an_image_with_a_size_is_text() -> None:
    assert only('<img src="a.png" alt="" data-size="line">')["type"] == "paragraph"


def test_drawings() -> None:
    assert only('<img src="a.svg" class="gitbook-drawing">')["type"] == "drawing"
    assert only('<figure><img src="a.svg" class="gitbook-drawing"></figure>')["type"] == "drawing"


@pytest.mark.parametrize(
    "source",
    [
        "<details>\n\n<summary>T</summary>\n\n* b\n\n</details>",
        "<details>\n<summary>T</summary>\n* b\n</details>",
        "<details><summary>T</summary><ul><li>b</li></ul></details>",
        "<details>\n<summary>\nT\n</summary>\n\n* b\n</details>",
        "<details\n  class='x'><summary>T</summary>\n\n* b\n\n\n\n</details>",
    ],
)
def test_expandables(source: str) -> None:
    node = only(source)
    assert node["meta"] == {"id": "t"}
    assert plain(part(node, "expandable-title")) == "T"
    assert types(part(node, "expandable-body")["nodes"]) == ["list-unordered"]
    assert slices(parse(source)) == [source]


def test_expandables_within_and_open() -> None:
    node = only("<details open><summary>a</summary>\n\n<details>\n<summary>b</summary>\nc</details>\nd\n</details>")
    assert node["data"] == {"defaultExpanded": True}
    inner, behind = part(node, "expandable-body")["nodes"]
    assert [plain(one) for one in inner["fragments"]] == ["b", "c"]
    assert plain(behind) == "d"


def test_unknown_and_broken_html_leaves_its_text() -> None:
    page = parse(
        "<section>\n\nText <unknown>in *it*</unknown></b>\n\n</section>\n\n<p>one<p>two\n\n<!-- gone -->\n\n<!-- kept"
    )
    assert [plain(node) for node in page.document["nodes"]] == ["Text in it", "one", "two", "<!-- kept"]
    assert page.warnings == []


def test_alignment_of_text() -> None:
    nodes = parse('<div align="center">\n\n## A\n\nb\n\n</div>\n\n<p align="right">c</p>\n').document["nodes"]
    assert [node["data"].get("align") for node in nodes] == ["center", "center", "end"]


def test_html_lists_and_headings() -> None:
    nodes = parse("<ul><li>a<li><b>b</b><ol start='3'><li>c</ol></ul>\n\n<h3 id='x'>d</h3>\n\n<hr>\n").document["nodes"]
    assert types(nodes) == ["list-unordered", "heading-2", "divider"]
    assert types(nodes[0]["nodes"][1]["nodes"]) == ["paragraph", "list-ordered"]
    assert nodes[0]["nodes"][1]["nodes"][1]["data"] == {"start": 3}


def test_spans_are_exact() -> None:
    parts = [
        "Text\nof two lines",
        "* a\n\n  * b",
        "<figure><img src='a'></figure>",
        "<p>x</p>",
        "> q",
        "| a |\n| - |\n| b |",
    ]
    page = parse("---\na: 1\n---\n\n# T\n\n" + "\n\n\n".join(parts) + "\n\n")
    assert slices(page) == parts
    page = parse("<p>x</p><p>y</p> z\n{% hint %}\na\n\n## b\n{% endhint %}\n")
    assert slices(page) == ["<p>x</p>", "<p>y</p>", " z\n", "{% hint %}\na\n\n## b\n{% endhint %}"]
    hint = page.document["nodes"][-1]
    assert [page.source[slice(*page.spans[node["key"]])] for node in hint["nodes"]] == ["a", "## b"]


def test_blocks_of_one_piece_of_text_share_its_span() -> None:
    page = parse("before <p>one</p> after\n\nnext")
    assert slices(page) == ["before <p>one</p> after"] * 3 + ["next"]


def test_references_are_asked_for_as_they_are_written() -> None:
    asked: list[str] = []

    def resolve(href: str) -> Node | None:
        asked.append(href)
        return {"kind": "page", "page": "p1"} if href.startswith("a%20b.md") else None

    source = "[x](a%20b.md#y) [y](<c d>) [z](#here) <a href='e?f&amp;g'>e</a> ![i](j.png) <https://k>"
    links = [node["data"]["ref"] for node in walk(parse(source, resolve).document) if node["object"] == "inline"]
    assert asked == ["a%20b.md#y", "c d", "e?f&g", "j.png", "https://k"]
    assert links[0] == {"kind": "page", "page": "p1"}
    assert links[2] == {"kind": "anchor", "anchor": "here"}
    assert links[5] == {"kind": "url", "url": "https://k"}


def test_footnotes() -> None:
    page = parse(
        "A word[^1], **two words**[^n] and `code`[^1].\n\n[^1]: Note\n\n    more\n\n[^n]: *n*\n\n[^unused]: kept\n"
    )
    paragraph, label, kept = page.document["nodes"]
    notes = [node for node in paragraph["nodes"] if node["object"] == "inline"]
    assert [plain({**note, "fragments": []}) for note in notes] == ["word", "two words", "code"]
    assert [plain(note["fragments"][0]) for note in notes] == ["Notemore", "n", "Notemore"]
    assert plain(paragraph["nodes"][0]) == "A "
    assert (plain(label), plain(kept)) == ("[^unused]:", "kept")
    assert plain(parse("no[^such] note").document) == "no[^such] note"


def test_every_node_has_a_key() -> None:
    page = parse("# T\n\na\n\n<details><summary>b</summary>c[^1]</details>\n\n| a |\n| - |\n| b |\n\n[^1]: d")
    assert all("key" in node for node in walk(page.document) if node["object"] != "document")
    assert children(page.document)


def test_an_escaped_box_is_no_task() -> None:
    assert only("* \\[ ] a")["type"] == "list-unordered"
    assert plain(only("* \\[ ] a")) == "[ ] a"
