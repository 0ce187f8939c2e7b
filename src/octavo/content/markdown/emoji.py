"""Emoji by shortcode (`:rocket:`) and by hexadecimal code points (`1f680`)."""

from __future__ import annotations

from functools import lru_cache

from emoji import EMOJI_DATA


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    codes: dict[str, str] = {}
    # Names that people type come first: the full names of other characters never take them.
    for names in ("alias", "en"):
        for characters, about in EMOJI_DATA.items():
            if about["status"] == 2:
                known = about.get(names, ())
                for name in [known] if isinstance(known, str) else known:
                    codes.setdefault(name.strip(":").lower(), code_of(characters))
    return codes


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    names: dict[str, str] = {}
    for name, code in _codes().items():
        names.setdefault(_bare(code), name)
    return names


def _bare(code: str) -> str:
    return "-".join(point for point in code.split("-") if point != "fe0f")


def code_of(characters: str) -> str:
    """The code points of the characters, hexadecimal, joined by `-`."""
    return "-".join(f"{ord(character):x}" for character in characters)


def characters_of(code: str) -> str:
    """The characters of code points joined by `-`; empty where they name none."""
    try:
        return "".join(chr(int(point, 16)) for point in code.split("-"))
    except (ValueError, OverflowError):
        return ""


def emoji_of(word: str) -> str | None:
    """The fully qualified characters of an emoji that is given as characters, as code points or by a short name; None for
    anything else."""
    for given in (word, characters_of(word.lower())):
        for characters in (given, given + "\ufe0f"):
            if EMOJI_DATA.get(characters, {}).get("status") == 2:
                return characters
    # What lacks a selector within has the name of what has it.
    code = code_for(word.strip(":")) or code_for(shortcode_for(code_of(word)) or "")
    return None if code is None else characters_of(code)


def code_for(shortcode: str) -> str | None:
    """The code points of a shortcode, None where there is no such emoji."""
    return _codes().get(shortcode.lower())


def shortcode_for(code: str) -> str | None:
    """The usual shortcode of code points, None where there is none."""
    return _names().get(_bare(code.lower()))
