"""Documents taken apart for translators and put together again: only words change."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.content.document import leaf, plain, text, walk
from octavo.content.markdown import parse
from octavo.content.revision import Page
from octavo.content.translation import documents, marked, pages
from octavo.content.translation.marked import Unusable, checked, has_words

SINK = Path(__file__).parent / "kitchen_sink"
_TOKEN = re.compile(r"(</?\d+/?>|&\w+;)")
PAGE = Page(id="p", type="document", title="A page", slug="p", position="a")


def shouted(words: str) -> str:
    """A translation of which everybody sees that it is one: another case, placeholders as they were."""
    return "".join(part if place % 2 else part.swapcase() for place, part in enumerate(_TOKEN.split(words)))


def turned(words: str) -> str:
    """One with another order: what stands outside of placeholders goes to the end."""
    depth, inside, outside = 0, "", ""
    for place, part in enumerate(_TOKEN.split(words)):
        token = place % 2 == 1 and part.startswith("<")
        closes = token and part.startswith("</")
        if token or depth:
            inside += part
        else:
            outside += part
        depth += 0 if not token or part.endswith("/>") else -1 if closes else 1
    return f"{inside} {outside}".strip()


def _check(source: str) -> None:
    base = parse(source)
    asked = pages.questions(PAGE, source)
    assert all(has_words(words) for words in asked)
    same = pages.translate(PAGE, source, lambda words: words)
    assert (same.entry.text, same.kept) == (pages.digest(source.encode()), [])
    for translate in (shouted, turned):
        made = pages.translate(PAGE, source, translate)
        # What stands side by side in another order may run into one; such a block stays as it was.
        assert made.kept == [] or translate is turned
        assert isinstance(made.entry, Page)
        assert made.entry.text is not None
        again = parse(made.objects[made.entry.text].decode())
        assert documents.skeleton(again.document) == documents.skeleton(base.document)
        assert again.front.keys() == base.front.keys()
    # Everything that was asked for has been answered: what is shouted twice is what it was.
    loud = pages.translate(PAGE, source, shouted)
    assert loud.entry.text is not None
    back = pages.translate(PAGE, loud.objects[loud.entry.text].decode(), shouted)
    assert back.entry.text is not None
    returned = parse(back.objects[back.entry.text].decode()).document
    assert _words(returned) == _words(base.document)


def _words(document: dict[str, object]) -> list[str]:
    return plain(document).split()


@pytest.mark.parametrize("path", sorted(SINK.rglob("*.md")), ids=lambda path: path.stem)
def test_the_kitchen_sink_keeps_everything_but_its_words(path: Path) -> None:
    if path.name != "SUMMARY.md":
        _check(path.read_text("utf-8"))


def test_real_pages_keep_everything_but_their_words(corpus: Path) -> None:
    found = [one for one in sorted(corpus.rglob("*.md")) if one.name != "SUMMARY.md" and one.stat().st_size < 20_000]
    for path in found[::12]:
        _check(path.read_text("utf-8"))


def test_what_is_asked_for() -> None:
    source = """---
description: Of a kind
---

# Title

A **bold** [link](https://example.org "t") to `code`, :rocket: and <kbd>K</kbd>.

```python
print("not this")
```

{% tabs %}
{% tab title="One" %}
12:30, https://example.org/
{% endtab %}
{% endtabs %}

| Head | 5 |
| ---- | - |
| Cell | 7 |

![A picture](a.png)
"""
    assert pages.questions(PAGE, source) == [
        "A page", "Of a kind", "Title", "A <1>bold</1> <2>link</2> to <3/>, <4/> and <5/>.", "One", "Head", "Cell", "A picture",
    ]  # fmt: skip


def test_titles_give_anchors_that_stay() -> None:
    made = pages.translate(
        PAGE, '## One\n\n{% tabs %}\n{% tab title="Two" %}\nx\n{% endtab %}\n{% endtabs %}\n', shouted
    )
    assert made.entry.text is not None
    document = parse(made.objects[made.entry.text].decode()).document
    assert [node["meta"]["id"] for node in walk(document) if "meta" in node] == ["one", "two"]


def test_a_remark_and_its_link_are_translated() -> None:
    made = pages.translate(PAGE, "One[^a] two.\n\n[^a]: See [this](https://a.test).\n", shouted)
    assert made.entry.text is not None
    assert "sEE [THIS](https://a.test)." in made.objects[made.entry.text].decode()


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("a <1>b</1>", "c"), ("a <1>b</1>", "c <1>d</1> <1>e</1>"), ("a <1/> b", "c <1></1> d"), ("a", ""), ("a", "  \n"),
        ("a", "<b>c</b>"), ("a", "c <1/>"), ("a <1>b</1> <2>c</2>", "a <1>b <2>c</2></1>"), ("a <1>b</1>", "a b <1></1>"),
        ("a <1>b</1> <2>c</2>", "<1>a <2>b</1> c</2>"), ("a", "b" * 1000), ("a", "1 2 3"), ("a <1>b</1>", "a </1>b<1>"),
    ],
)  # fmt: skip
def test_what_cannot_stand_in_for_a_text(words: str, answer: str) -> None:
    with pytest.raises(Unusable):
        checked(words, answer)


def test_what_can() -> None:
    assert checked("a <1>b</1> <2/>", " <2/> c\n<1>d</1>\x00 ") == "<2/> c <1>d</1>"
    assert checked("a &lt;b&gt;", "c &lt;d&gt; &amp; e") == "c &lt;d&gt; &amp; e"


_MARKS = st.lists(st.sampled_from(["bold", "italic", "code", "keyboard"]), unique=True, max_size=2)
_LEAVES = st.lists(st.tuples(st.text(max_size=12), _MARKS), min_size=1, max_size=6)


@given(_LEAVES)
def test_words_come_back_as_they_were(given_leaves: list[tuple[str, list[str]]]) -> None:
    leaves = [
        leaf(words, [{"object": "mark", "type": one, "data": {}} for one in marks]) for words, marks in given_leaves
    ]
    question = marked.marked([text(leaves)])
    if has_words(question.words) and not re.search(
        r"[\x00-\x1f\x7f\u2028\u2029\ud800-\udfff]", "".join(one["text"] for one in leaves)
    ):
        made = marked.read(question, question.words)
        assert "".join(map(plain, made)) == "".join(one["text"] for one in leaves)
        marks = [(character, one["marks"]) for one in leaves for character in one["text"]]
        assert [
            (c, one["marks"]) for node in made for one in node["leaves"] for c in one["text"] if not c.isspace()
        ] == [one for one in marks if not one[0].isspace()]


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_answer_breaks_the_reading(words: str, answer: str) -> None:
    question = marked.marked([text(words), {"object": "inline", "type": "link", "data": {}, "nodes": [text("here")]}])
    try:
        made = marked.read(question, answer)
    except Unusable:
        return
    assert sum(node["object"] == "inline" for node in made) == 1


def test_words_are_counted() -> None:
    assert [marked.count(one) for one in ("Open <1>the door</1>.", "日本語", "a 日 b", "")] == [3, 3, 3, 0]
