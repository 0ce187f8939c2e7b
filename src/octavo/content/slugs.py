"""Slugs: titles as parts of addresses."""

from __future__ import annotations

import re
import unicodedata

_APOSTROPHES = re.compile(r"['’‘`]")
_FOREIGN = re.compile(r"[^a-z0-9.+_]+")


def slugify(title: str) -> str:
    """Lower case, apostrophes dropped, anything but `[a-z0-9.+_]` a `-`; empty where nothing is left."""
    return _FOREIGN.sub("-", _APOSTROPHES.sub("", unicodedata.normalize("NFC", title).lower())).strip("-")
