"""The blocks that are written as tags."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.content.document import Node, plain, walk
from octavo.content.markdown import parse
from octavo.content.markdown.tags import attributes


def only(source: str) -> Node:
    page = parse(source)
    assert page.warnings == []
    assert [node["type"] for node in page.document["nodes"]] == [page.document["nodes"][0]["type"]]
    return page.document["nodes"][0]


def url(address: str) -> Node:
    return {"kind": "url", "url": address}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('a="b c"', {"a": "b c"}),
        ("a='b \"c\"'", {"a": 'b "c"'}),
        (r'a="say \"hi\" \\ C:\new"', {"a": 'say "hi" \\ C:\\new'}),
        ("a b=true c=7 d=1.5 e=x", {"a": True, "b": True, "c": 7, "d": 1.5, "e": "x"}),
        ('a = "b" a="c"', {"a": "b"}),
        ('data-x="%}"', {"data-x": "%}"}),
        ("", {}),
    ],
)
def test_attributes(written: str, read: dict[str, Any]) -> None:
    assert attributes(written) == read


@pytest.mark.parametrize(
    ("source", "type_", "data"),
    [
        ('{% hint style="danger" icon="bolt" %}\nx\n{% endhint %}', "hint", {"style": "danger", "icon": "bolt"}),
        ("{% hint %}\nx\n{% endhint %}", "hint", {"style": "info"}),
        ("{%hint%}\nx\n{%endhint%}", "hint", {"style": "info"}),
        ('{% hint\n  style="success"\n%}\nx\n{% endhint %}', "hint", {"style": "success"}),
        ('{% code title="a.py" overflow="wrap" lineNumbers="true" expandable="true" collapsedLineCount="4" %}\n```py\nx\n```\n'
         "{% endcode %}", "code",
         {"syntax": "py", "title": "a.py", "overflow": "wrap", "lineNumbers": True, "expandable": True,
          "collapsedLineCount": 4}),
        ('{% if visitor.claims.a == "%}" && b %}\nx\n{% endif %}', "if", {"expression": 'visitor.claims.a == "%}" && b'}),
        ('{% embed url="https://x" %}', "embed", {"url": "https://x"}),
        ('{% embed url="https://x" fullWidth="true" %} c {% endembed %}', "embed", {"url": "https://x", "fullWidth": True}),
        ('{% file src="a.pdf" %}', "file", {"ref": url("a.pdf")}),
        ('{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}', "content-ref", {"ref": url("a.md")}),
        ('{% content-ref url="a.md" %}[a.md](a.md){% endcontent-ref %}', "content-ref", {"ref": url("a.md")}),
        ('{% content-ref url="a.md" %}', "content-ref", {"ref": url("a.md")}),
        ('{% include "../.gitbook/includes/x.md" %}', "reusable-content", {"ref": url("../.gitbook/includes/x.md")}),
        ('{% openapi src="a.yaml" path="/p" method="POST" expanded="true" %}\n[a.yaml](a.yaml)\n{% endopenapi %}', "swagger",
         {"ref": url("a.yaml"), "path": "/p", "method": "post", "expanded": True}),
        ('{% openapi-operation spec="s" path="/p/{id}" method="get" %}\n[OpenAPI s](https://x)\n{% endopenapi-operation %}',
         "openapi-operation", {"ref": {"kind": "openapi", "spec": "s"}, "path": "/p/{id}", "method": "get"}),
        ('{% openapi-schemas spec="s" schemas="A, B" grouped="true" %}\n[OpenAPI s](https://x)\n{% endopenapi-schemas %}',
         "openapi-schemas", {"ref": {"kind": "openapi", "spec": "s"}, "schemas": ["A", "B"], "grouped": True}),
        ('{% openapi-webhook spec="s" name="n" method="post" %}\n[OpenAPI s](https://x)\n{% endopenapi-webhook %}',
         "openapi-webhook", {"ref": {"kind": "openapi", "spec": "s"}, "name": "n", "method": "post"}),
        ('{% @a/b prop="x" n=3 on=true %}', "integration",
         {"integration": "a", "block": "b", "props": {"prop": "x", "n": 3, "on": True}}),
    ],
)  # fmt: skip
def test_blocks(source: str, type_: str, data: dict[str, Any]) -> None:
    node = only(source)
    assert (node["type"], node["data"]) == (type_, data)


def test_captions() -> None:
    for source in ('{% embed url="u" %}\nA *b*\n{% endembed %}', '{% file src="f" %}A *b*{% endfile %}'):
        node = only(source)
        assert [one["type"] for one in node["fragments"]] == ["caption"]
        assert plain(node) == "A b"


def test_tabs() -> None:
    node = only('{% tabs %}\n{% tab title="A" icon="x" %}\none\n{% endtab %}\n\n{% tab title="B" slug="s" %}\ntwo\n\nthree\n'
                "{% endtab %}\n{% endtabs %}")  # fmt: skip
    assert [item["data"] for item in node["nodes"]] == [{"title": "A", "icon": "x"}, {"title": "B", "slug": "s"}]
    assert [item["meta"] for item in node["nodes"]] == [{"id": "a"}, {"id": "s"}]
    assert [len(item["nodes"]) for item in node["nodes"]] == [1, 2]


def test_steppers_columns_and_updates() -> None:
    stepper = only(
        '{% stepper %}\n{% step icon="a" %}\n## One\n{% endstep %}\n{% step %}\nx\n{% endstep %}\n{% endstepper %}'
    )
    assert [step["data"] for step in stepper["nodes"]] == [{"icon": "a"}, {}]
    columns = only('{% columns %}\n{% column width="33.3%" verticalAlignment="middle" %}\nx\n{% endcolumn %}\n'
                   '{% column width="90px" %}\n{% endcolumn %}\n{% endcolumns %}')  # fmt: skip
    assert [column["data"] for column in columns["nodes"]] == [
        {"width": {"unit": "%", "value": 33.3}, "verticalAlignment": "middle"},
        {"width": {"unit": "px", "value": 90}},
    ]
    updates = only(
        '{% updates format="short" %}\n{% update date="2024-01-02" tags="a, b" %}\nx\n{% endupdate %}\n{% endupdates %}'
    )
    assert updates["data"] == {"format": "short"}
    assert updates["nodes"][0]["data"] == {
        "date": "2024-01-02T00:00:00.000Z",
        "tags": [{"kind": "tag", "tag": "a"}, {"kind": "tag", "tag": "b"}],
    }


def test_a_tab_may_have_a_slug_that_is_no_text() -> None:
    for written, slug in (("slug", None), ("slug=5", "5"), ("slug=true", None)):
        node = only('{% tabs %}\n{% tab title="A" ' + written + " %}\none\n{% endtab %}\n{% endtabs %}\n")
        assert node["nodes"][0]["data"].get("slug") == slug


def test_prompts() -> None:
    node = only(
        '{% prompt description="d" icon="i" openInAIProviders="true" defaultExpanded="full" %}\n```\na\nb\n```\n{% endprompt %}'
    )
    assert node["data"] == {"description": "d", "icon": "i", "openInAIProviders": True, "defaultExpanded": "full"}
    assert [line["type"] for line in node["nodes"][0]["nodes"]] == ["code-line"] * 2
    assert plain(only('{% prompt description="d" %}\nJust\n\ntext\n{% endprompt %}')["nodes"][0]) == "Justtext"


def test_tags_nest_within_each_other_lists_and_quotes() -> None:
    node = only(
        "1. a\n\n   {% tabs %}\n   {% tab title=\"t\" %}\n   {% hint %}\n   > {% hint style=\"danger\" %}\n   > deep\n"
        "   > {% endhint %}\n   {% endhint %}\n   {% endtab %}\n   {% endtabs %}\n2. b"
    )  # fmt: skip
    kinds = [one["type"] for one in walk(node) if one["object"] == "block"]
    assert kinds[:9] == [
        "list-ordered",
        "list-item",
        "paragraph",
        "tabs",
        "tabs-item",
        "hint",
        "blockquote",
        "hint",
        "paragraph",
    ]
    assert plain(node) == "adeepb"


def test_a_tag_ends_paragraphs_lists_and_quotes() -> None:
    for text in ("text", "* item", "> quote", "| a |\n| - |\n| b |", "# head"):
        node = only("{% hint %}\n" + text + "\n{% endhint %}")
        assert len(node["nodes"]) == 1
        assert "{%" not in plain(node)


@pytest.mark.parametrize(
    "source",
    [
        "{% hint %}\nnever closed",
        "never opened\n{% endhint %}",
        "{% unknown %}\nx\n{% endunknown %}",
        "> {% hint %}\n> a\n\n{% endhint %}",
        "* {% hint %}\n\n{% endhint %}",
        "{% step %}\nx\n{% endstep %}",
        "{% hint %} opens a hint",
        "a {% hint %} b {% endhint %}",
        "{% ",
        "{% hint",
        "{%%}",
    ],
)
def test_tags_without_their_other_half_are_text(source: str) -> None:
    page = parse(source)
    assert plain(page.document).count("{%") == source.count("{%")
    assert not any(node.get("type") == "hint" for node in walk(page.document))


def test_warnings_say_where() -> None:
    page = parse(
        '---\na: 1\n---\n\n{% hint style="loud" %}\nx\n{% endhint %}\n\n{% endtabs %}\n\n{% step %}\n{% endstep %}\n'
    )
    assert page.warnings == [
        "There is no hint style 'loud' (line 5)",
        "{% endtabs %} has no other half: it is text (line 9)",
        "{% step %} stands outside of its group: it is text (line 11)",
    ]


def test_tags_in_code_are_code() -> None:
    for source in (
        "```\n{% hint %}\n```",
        "    {% hint %}",
        "`{% hint %}`",
        "<pre>\n{% hint %}\n\n{% endhint %}\n</pre>",
    ):
        page = parse(source)
        assert page.warnings == []
        assert "{% hint %}" in plain(page.document)


def test_text_that_a_block_has_no_place_for_stays() -> None:
    page = parse(
        "{% tabs %}\nstray\n{% tab title=\"t\" %}\n{% endtab %}\n{% endtabs %}\n\n"
        '{% content-ref url="a.md" %}\nmore than a name\n{% endcontent-ref %}\n\n{% code %}\nno code\n{% endcode %}\n'
    )  # fmt: skip
    kinds = [node["type"] for node in page.document["nodes"]]
    assert kinds == ["paragraph", "tabs", "content-ref", "paragraph", "paragraph"]
    assert plain(page.document) == "straymore than a nameno code"
