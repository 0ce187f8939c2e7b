"""Which way a text runs: marks on blocks, where a page has letters that run from right to left."""

from __future__ import annotations

import re

_LEFTWARDS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_FROM_RIGHT = re.compile(f"[{_LEFTWARDS}]")
_BLOCK = re.compile(r'<(?:p|h[1-6]|ul|ol|dl|blockquote|table|td|th|details|summary|figcaption|div class="hint)\b')
_NO_WORDS = re.compile(r"<code\b.*?</code>|<[^>]*>|&[#\w]+;", re.DOTALL)
# Digits, signs and all that is neither a letter nor a mark have no direction of their own.
_LETTER = re.compile(rf"(?P<rtl>[{_LEFTWARDS}])|[^\W\d_]")


def runs_from_right(html: str) -> bool:
    """Whether there is a letter that runs from right to left."""
    return not html.isascii() and _FROM_RIGHT.search(html) is not None


def directed(html: str) -> str:
    """The HTML whose blocks say which way they run, by their first letter; as it is where all runs from left to right."""
    if not runs_from_right(html):
        return html
    plain = _NO_WORDS.sub(lambda found: " " * len(found[0]), html)
    made: list[str] = []
    at = 0
    for block in _BLOCK.finditer(html):
        letter = _LETTER.search(plain, block.end())
        name = block.start() + len(block[0].split(" ")[0])
        made += (html[at:name], ' dir="rtl"' if letter and letter["rtl"] else ' dir="ltr"')
        at = name
    return "".join(made) + html[at:]
