"""The quick loops agree with those of the library, rule by rule and token by token."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from octavo.content.markdown.rules import grammar, plain_grammar

QUICK, PLAIN = grammar(), plain_grammar()
PARTS = st.sampled_from([
    "*", "**", "_", "~~", "`", "``", "[", "](", "](/x)", ")", "![", "[^a]", "[^a]: x", "\n", "\n\n", "> ", "- ", "1. ",
    "2) ", "+ ", "    ", "\t", "|", "a | b\n--|--\nc | d", "---", "===", "```", "~~~", "$$", '{% hint style="info" %}',
    "{% endhint %}", "<details>", "</details>", "<br>", '<a href="x">', "</a>", "<!--", "-->", "<table>", "</table>",
    "&amp;", "&#35;", "\\", "\\*", ":rocket:", ":", "!", "#", "## ", "a", "b c", "<http://x>", '[a]: /u "t"', "[a]",
    "[x][a]", "* * *", "  \n", "ä", "\u2003", '<code class="expression">', "</code>", "]", "{", "}", "$", "%", "=", "<", ">",
])  # fmt: skip
"""All that begins or ends something, and a few words between them."""


def tokens(parser: MarkdownIt, source: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    env: dict[str, Any] = {}
    return [token.as_dict() for token in parser.parse(source, env)], env.get("references", {})


@given(st.lists(PARTS, max_size=40).map("".join) | st.text(max_size=60))
def test_any_text_gives_the_same_tokens(source: str) -> None:
    assert tokens(QUICK, source) == tokens(PLAIN, source)


def test_the_corpus_gives_the_same_tokens(corpus: Path) -> None:
    pages = sorted(corpus.rglob("*.md"))[::6]
    assert pages
    for page in pages:
        source = page.read_text(encoding="utf-8")
        assert tokens(QUICK, source) == tokens(PLAIN, source), page


def test_the_rules_are_the_same_and_each_chain_is_asked_as_one() -> None:
    chains = ("", "paragraph", "reference", "blockquote", "list")
    assert QUICK.get_active_rules() == PLAIN.get_active_rules()
    assert all(len(QUICK.block.ruler.getRules(chain)) == 1 for chain in chains)


@pytest.mark.parametrize("line", ["a\n# b\n", "a\n> b\n", "a | b\n", "a\n1. b\n", "[a", "!", "a ]", "*a _b "])
def test_many_alike_take_linear_time(line: str) -> None:
    def seconds(times: int) -> float:
        started = time.process_time()
        QUICK.parse(line * times)
        return time.process_time() - started

    seconds(100)
    # Ten times as many: quadratic work would take a hundred times as long. The least of some counts.
    assert min(seconds(8000) for _ in range(3)) < 60 * max(min(seconds(800) for _ in range(3)), 0.002)
