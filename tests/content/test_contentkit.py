"""What integrations draw, as blocks: whatever they send, it is shown or left out, and never more than it may be."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from octavo.content import contentkit
from octavo.content.contentkit import blocks_of
from octavo.content.document import document, walk
from octavo.content.html import PlainContext, render
from tests.profiles import law

_URLS = st.sampled_from(
    ["https://a.test/x", "javascript:alert(1)", "data:text/html,x", "//a.test", "", " https://a.test"]
)
_NAMES = [
    "type",
    "children",
    "style",
    "content",
    "source",
    "url",
    "target",
    "title",
    "onPress",
    "label",
    "hint",
    "action",
]
_LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8), _URLS)
_TYPES = st.sampled_from([*contentkit._ELEMENTS, "unheard of"])


def _elements(inside: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    parts = st.dictionaries(st.sampled_from(_NAMES), st.one_of(inside, st.lists(inside, max_size=3)), max_size=4)
    return st.builds(lambda kind, rest: {**rest, "type": kind}, _TYPES, parts)


_DRAWN = st.recursive(_LEAVES, _elements, max_leaves=20)


@given(_DRAWN)
@law(60)
def test_whatever_is_drawn_can_be_shown(element: Any) -> None:
    made = blocks_of({"type": "element", "element": element, "state": {}})
    if made is not None:
        html = render(document(made), PlainContext()).html.lower()
        assert not re.search(r"(href|src)=\"\s*(javascript|data):", html)


def test_a_drawing_has_bounds() -> None:
    wide: Any = {"type": "block", "children": [{"type": "divider"}] * 5_000}
    assert len(blocks_of({"element": wide}) or []) < contentkit.MOST
    deep: Any = {"type": "divider"}
    for _ in range(5_000):
        deep = {"type": "vstack", "children": [deep]}
    assert blocks_of({"element": deep}) is None


def test_what_reads_of_visitors_or_of_the_space_is_left_out() -> None:
    said = (
        'a <code class="expression">visitor.claims.x</code>\n\n{% if visitor.claims.x %}\nsecret\n{% endif %}\n\n'
        '{% include "/reusable/x" %}\n\n{% @other/block %}\n'
    )
    made = blocks_of({"element": {"type": "block", "children": [{"type": "markdown", "content": said}]}}) or []
    kinds = {node.get("type") for one in made for node in walk(one)}
    assert kinds.isdisjoint({"if", "expression", "reusable-content", "integration"})
    assert made
