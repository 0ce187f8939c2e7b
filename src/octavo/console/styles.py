"""The console's own style sheet; tokens and elements come from the look of published pages."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.resources import files

STYLES = "/account/~console.css"
"""Where the style sheet is served; its version is the query."""


@cache
def styles() -> bytes:
    """What is in it."""
    return files("octavo.console").joinpath("static", "console.css").read_bytes()


@cache
def styles_address() -> str:
    """With the version."""
    return f"{STYLES}?{blake2b(styles(), digest_size=6).hexdigest()}"
