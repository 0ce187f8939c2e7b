"""Slugs: titles as parts of addresses."""

from __future__ import annotations

import re
import unicodedata

from anyascii import anyascii

_APOSTROPHES = re.compile(r"['’‘`]")
_FOREIGN = re.compile(r"[^a-z0-9.+_]+")


def slugify(title: str) -> str:
    """Lower case, apostrophes dropped, anything but `[a-z0-9.+_]` a `-`; empty where nothing is left."""
    return _FOREIGN.sub("-", _APOSTROPHES.sub("", unicodedata.normalize("NFC", title).lower())).strip("-")


LONGEST = 100
"""Characters of a slug."""
_ROOM = 5
"""Characters that are left for a number behind a slug that is taken."""


def title_slug(title: str, fallback: str = "page") -> str:
    """The slug that a title makes, in Latin letters whatever its script; `fallback` where nothing is left.

    Pictures in a title say nothing in an address.
    """
    spoken = "".join(letter for letter in title if unicodedata.category(letter) != "So")
    return re.sub(r"-{2,}", "-", slugify(anyascii(spoken)))[: LONGEST - _ROOM].strip("-.") or fallback


_SITEMAPS = re.compile(r"sitemap(?:-\d+)?\.xml")
_RESERVED = frozenset(("robots.txt", "llms.txt", "llms-full.txt", "favicon.ico", "rss.xml", "readme.md", "index.md"))
"""Names under which a site answers something of its own."""


def is_usable(slug: str) -> bool:
    """Whether a page with this slug can be reached: browsers keep it as it is, and nothing else has its address."""
    plain = slug.lower()
    return (
        bool(plain.strip("."))
        and not plain.startswith("~")
        and not plain.endswith(".md")
        and plain not in _RESERVED
        and not _SITEMAPS.fullmatch(plain)
        and not any(letter in plain for letter in "%\\/?#")
        and len(slug) <= LONGEST
    )
