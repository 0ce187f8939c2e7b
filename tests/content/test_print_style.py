"""The canonical style, case by case, and what keeping the author's own text means."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from octavo.content.document import Node, assign_keys, block, document, inline, leaf, mark, text
from octavo.content.markdown.parse import parse
from octavo.content.markdown.printer import print_blocks, print_page

CANONICAL = [
    "## Heading",
    "### A <a href=\"#x\" id=\"x\"></a>",
    "* a\n* b\n  * c\n    * d",
    "1. a\n2. b",
    "7. a\n8. b",
    "* [ ] a\n* [x] b",
    "* a\n\n  ```\n  b\n  ```\n\n* c",
    "> a\n>\n> b",
    "***",
    "* ---",
    "```js\na\n```",
    "````\n```\n````",
    '{% code title="a \\"b\\"" overflow="wrap" lineNumbers="true" %}\n```js\na\n```\n{% endcode %}',
    '<pre class="language-js" data-title="t"><code class="lang-js">a\n<strong>b &lt; c\n</strong></code></pre>',
    '{% hint style="warning" icon="bolt" %}\na\n{% endhint %}',
    '{% tabs %}\n{% tab title="a" %}\nb\n{% endtab %}\n\n{% tab title="c" %}\nd\n{% endtab %}\n{% endtabs %}',
    "{% stepper %}\n{% step %}\n### a\n\nb\n{% endstep %}\n{% endstepper %}",
    '{% columns %}\n{% column width="50%" %}\na\n{% endcolumn %}\n{% endcolumns %}',
    '{% updates format="full" %}\n{% update date="2026-01-02" tags="a,b" %}\nc\n{% endupdate %}\n{% endupdates %}',
    "{% if visitor.claims.plan == \"pro\" %}\na\n{% endif %}",
    "<details open>\n\n<summary>A <strong>b</strong></summary>\n\nc\n\n</details>",
    '{% embed url="https://a.b" %}',
    '{% embed url="https://a.b" %}\nc\n{% endembed %}',
    '{% file src="a.pdf" %}',
    '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}',
    '{% include "../.gitbook/includes/a.md" %}',
    '{% openapi-operation spec="pets" path="/pets" method="get" %}\n{% endopenapi-operation %}',
    '{% @mermaid/chart content="a" %}',
    '{% prompt description="a" %}\n```\nb\n```\n{% endprompt %}',
    "$$\na^2\n$$",
    '<figure><img src="a.png" alt=""><figcaption></figcaption></figure>',
    '<figure><img src="a.png" alt="b" width="375"><figcaption><p>c</p></figcaption></figure>',
    '<div align="left" data-with-frame="true"><figure><img src="a.png" alt=""><figcaption></figcaption></figure></div>',
    '<figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt=""></picture>'
    "<figcaption></figcaption></figure>",
    "| a | b |\n| --- | :---: |\n| c \\| d | **e** |\n|  | `f` |",
    '<table><thead><tr><th width="90">a</th></tr></thead><tbody><tr><td><p>b</p><p>c</p></td></tr></tbody></table>',
    "<table><thead><tr><th>a<br>b</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>",
    '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead>'
    '<tbody><tr><td><strong>a</strong></td><td><a href="a.md">a.md</a></td></tr></tbody></table>',
    'a **b** _c_ ~~d~~ `e` <kbd>f</kbd> <sup>g</sup> <mark style="color:red;">h</mark> [i](j.md) :rocket:',
    'a <i class="fa-bolt">:bolt:</i> <code class="expression">space.vars.x</code> [a.md](a.md "mention")',
    'a <a href="b.md" class="button primary" data-icon="bolt">c</a> $$x^2$$ <img src="a.png" alt="" data-size="line"> d',
    "a word[^1]\n\n[^1]: note",
    "a\\\nb",
    "* a\n\n<!-- -->\n\n* b",
]  # fmt: skip


@pytest.mark.parametrize("source", CANONICAL)
def test_the_canonical_style(source: str) -> None:
    assert print_page(parse(source).document) == source + "\n"


PROSE = [
    "Plain prose, with a comma; a colon: and (brackets) - dashes, 100% & more!",
    "snake_case, a + b, 3 * 4, x < y, a > b, C#, #1, 5 | 6, ~5, $5, $HOME, 10:30, a/b, @me, {x}, {{ y }}",
    '2026 was good. It\'s 1.5 times "better" than C:\\path and AT&T',
    "https://example.org/a_b?c=d",
]


@pytest.mark.parametrize("prose", PROSE)
def test_prose_stays_readable(prose: str) -> None:
    assert print_blocks([block("paragraph", {}, [text(prose)])]) == prose


@pytest.mark.parametrize(
    ("characters", "written"),
    [
        ("*a*", "\\*a\\*"),
        ("_a_", "\\_a\\_"),
        ("{% hint %}", "{\\% hint %}"),
        ("<b>", "\\<b>"),
        ("# a", "\\# a"),
        ("1. a", "1\\. a"),
        ("- a", "\\- a"),
        ("> a", "\\> a"),
        ("[a](b)", "\\[a](b)"),
        (":smile:", "\\:smile:"),
        (":nonsense:", ":nonsense:"),
        ("$$a$$", "\\$\\$a\\$\\$"),
        ("&amp;", "\\&amp;"),
        ("a\\*", "a\\\\\\*"),
        ("`", "\\`"),
        ("~~a~~", "\\~\\~a\\~\\~"),
        ("---", "\\---"),
        ("a\n---", "a\\\n\\---"),
        ("a\n", "a<br>"),
    ],
)
def test_only_what_would_mean_something_is_escaped(characters: str, written: str) -> None:
    assert print_blocks([block("paragraph", {}, [text(characters)])]) == written


def _marked(*leaves: Node) -> str:
    return print_blocks([block("paragraph", {}, [text(list(leaves))])])


def test_marks_within_words_fall_back_to_html() -> None:
    bold, italic = mark("bold"), mark("italic")
    assert _marked(leaf("a"), leaf("b", [bold]), leaf("c")) == "a**b**c"
    assert _marked(leaf("a"), leaf("b", [italic]), leaf("c")) == "a<em>b</em>c"
    assert _marked(leaf("a"), leaf(" b", [bold])) == "a<strong> b</strong>"
    assert _marked(leaf("a", [bold]), leaf("b", [bold, italic]), leaf("c", [italic])) == "**a<em>b</em>**_c_"


def test_references_go_through_the_address() -> None:
    link = inline("link", {"ref": {"kind": "page", "page": "p1"}}, [text("a")])
    nodes = [block("paragraph", {}, [link])]
    assert print_blocks(nodes) == "[a](/pages/p1)"
    assert print_blocks(nodes, lambda ref: f"../{ref['page']} x.md") == "[a](<../p1 x.md>)"


SLOPPY = """---
description:   odd   spacing
---

Title
=====

- first
- second

<!-- between -->


{% hint style='info' %}
*kept*

<!-- inside -->
changed

__kept too__
{% endhint %}
{blank}
| a|b |
|-|-|
|1|2|

[ref]: https://a.b
""".replace("{blank}", "   ")


def _edited(change: Any, **given: Any) -> str:
    base = parse(SLOPPY)
    page = copy.deepcopy(base.document)
    change(page["nodes"])
    assign_keys(page)
    return print_page(page, base=base, **given)


def _paragraph(characters: str) -> Node:
    return block("paragraph", {}, [text(characters)])


def test_an_edit_within_a_container_keeps_its_other_blocks() -> None:
    def change(nodes: list[Node]) -> None:
        nodes[1]["nodes"][1] = _paragraph("new")

    made = _edited(change)
    assert made == SLOPPY.replace("changed", "new")


def test_a_changed_tag_keeps_what_the_container_holds() -> None:
    def change(nodes: list[Node]) -> None:
        nodes[1]["data"]["style"] = "danger"

    assert _edited(change) == SLOPPY.replace("'info'", "'danger'")


def test_comments_survive_removal_insertion_and_moves() -> None:
    def remove(nodes: list[Node]) -> None:
        del nodes[0]

    def insert(nodes: list[Node]) -> None:
        nodes.insert(1, _paragraph("new"))

    def move(nodes: list[Node]) -> None:
        nodes.insert(0, nodes.pop())

    for change in (remove, insert, move):
        made = _edited(change)
        assert made.count("<!-- between -->") == 1
        assert "<!-- inside -->\nchanged" in made
        assert "|-|-|\n|1|2|" in made
        assert "[ref]: https://a.b" in made


def test_front_matter_and_title_are_printed_only_when_they_differ() -> None:
    body = SLOPPY[SLOPPY.index("- first") :]
    assert _edited(lambda nodes: None, title="New") == f"---\ndescription:   odd   spacing\n---\n\n# New\n\n{body}"
    assert _edited(lambda nodes: None, front={"a": 1}) == f"---\na: 1\n---\n\nTitle\n=====\n\n{body}"
    assert _edited(lambda nodes: None, front={}, title=None) == body
    assert print_page(document([]), front={"a": 1}, title="T") == "---\na: 1\n---\n\n# T\n"
    bare = parse("text\n")
    assert print_page(bare.document, title="T", front={"a": 1}, base=bare) == "---\na: 1\n---\n\n# T\n\ntext\n"


def test_a_heading_that_loses_its_twin_keeps_its_anchor() -> None:
    base = parse("## A\n\nx\n\n## A\n\ny\n")
    page = copy.deepcopy(base.document)
    del page["nodes"][0]
    assert print_page(page, base=base) == 'x\n\n## A <a href="#a-1" id="a-1"></a>\n\ny\n'


def test_a_removed_annotation_takes_its_footnote_along() -> None:
    base = parse("a word[^1]\n\nother\n\n[^1]: note\n")
    page = copy.deepcopy(base.document)
    del page["nodes"][0]
    assert print_page(page, base=base).strip() == "other"


def test_an_unclosed_fence_does_not_swallow_what_comes_behind_it() -> None:
    base = parse("```\ncode\n")
    page = copy.deepcopy(base.document)
    page["nodes"].append(_paragraph("new"))
    assert print_page(page, base=base) == "```\ncode\n```\n\nnew\n"


def test_an_empty_page_takes_blocks_behind_its_comment() -> None:
    base = parse("<!-- only -->\n")
    page = document([_paragraph("new")])
    assert print_page(page, base=base) == "<!-- only -->\n\nnew\n"
