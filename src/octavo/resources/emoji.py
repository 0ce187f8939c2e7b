"""Emoji in bodies: their characters, whatever form they are given in."""

from __future__ import annotations

from octavo.kernel.errors import BadRequest


def emoji_in(place: str, word: str) -> str:
    """The characters of an emoji that a field names by characters, short name or code points. Raises BadRequest."""
    # The names of all emoji take 30 ms to import.
    from octavo.content.markdown.emoji import emoji_of

    emoji = emoji_of(word)
    if emoji is None:
        allowed = "an emoji, its short name such as rocket, or its code points such as 1f680"
        raise BadRequest(f"{place}: {word!r} is no emoji; allowed is {allowed}")
    return emoji
