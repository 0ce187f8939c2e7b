"""Slugs: titles as parts of addresses."""

from __future__ import annotations

import re
import unicodedata

_APOSTROPHES = re.compile(r"['’‘`]")
_FOREIGN = re.compile(r"[^a-z0-9.+_]+")


def slugify(title: str) -> str:
    """Lower case, apostrophes dropped, anything but `[a-z0-9.+_]` a `-`; empty where nothing is left."""
    return _FOREIGN.sub("-", _APOSTROPHES.sub("", unicodedata.normalize("NFC", title).lower())).strip("-")


LONGEST = 100
"""Characters of a slug."""
_RESERVED = frozenset(
    ("robots.txt", "sitemap.xml", "llms.txt", "llms-full.txt", "favicon.ico", "rss.xml", "readme.md", "index.md")
)
"""Names under which a site answers something of its own."""


def is_usable(slug: str) -> bool:
    """Whether a page with this slug can be reached: browsers keep it as it is, and nothing else has its address."""
    plain = slug.lower()
    return (
        bool(plain.strip("."))
        and not plain.startswith("~")
        and not plain.endswith(".md")
        and plain not in _RESERVED
        and not any(letter in plain for letter in "%\\/?#")
        and len(slug) <= LONGEST
    )
