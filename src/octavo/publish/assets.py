"""Static files under names that carry their content's hash, so that a browser may keep them for ever.

Style sheets and modules are written as many small files and served as few: a bundle is their texts in a fixed order.
References between files (`url(x.woff2)`) are rewritten to the hashed names, and bundles lose what only writers need.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files

from octavo.publish.ahead import rules

_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/speculationrules+json",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}
_BUNDLES = {
    "site.css": (
        "tokens.css",
        "base.css",
        "header.css",
        "sidebar.css",
        "article.css",
        "states.css",
        "prose.css",
        "blocks.css",
        "tables.css",
        "code.css",
        "api.css",
        "search.css",
        "look.css",
        "direction.css",
        "motion.css",
        "print.css",
    ),
    "pages.css": ("tokens.css", "base.css"),
    "site.js": (
        "words.js",
        "picture.js",
        "menu.js",
        "announcement.js",
        "drawer.js",
        "outline.js",
        "tabs.js",
        "copy.js",
        "table.js",
        "edges.js",
        "day.js",
        "zoom.js",
        "peek.js",
        "search.js",
        "ahead.js",
    ),
}
_SINGLE = (
    "theme.js",
    "nav.js",
    "feedback.js",
    "boards.js",
    "insights.js",
    "mermaid.js",
    "api-try.js",
    "diagrams.js",
    "mark.svg",
    "vendor/mermaid.js",
    "fonts/inter-latin.woff2",
    "fonts/inter-latin-ext.woff2",
    "fonts/inter-latin-italic.woff2",
    "fonts/mono-latin.woff2",
    "fonts/mono-latin-ext.woff2",
    "fonts/mono-symbols.woff2",
)
_SMALLER = ("insights.js",)
"""Single files that lose what only writers need, too."""
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_INDENT = re.compile(r"\n\s+")
_LINE_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
_URL = re.compile(r"url\(([\w./-]+)\)")


@dataclass(frozen=True)
class Asset:
    """A file as it is served: `path` is its hashed name below the site's static path."""

    name: str
    path: str
    media_type: str
    body: bytes

    @cached_property
    def gzipped(self) -> bytes | None:
        """The body compressed, or None where compression gains nothing."""
        if not self.media_type.startswith(("text/", "image/svg")):
            return None
        return gzip.compress(self.body, 6, mtime=0)

    @property
    def etag(self) -> str:
        """A strong validator, quoted."""
        return f'"{self.path}"'


def path(name: str) -> str:
    """The hashed name of `site.css`, `site.js`, `theme.js`, ...; KeyError for a file that is not served."""
    return _by_name()[name].path


def find(hashed: str) -> Asset | None:
    """The asset of a hashed name as a visitor asks for it."""
    return _by_path().get(hashed)


def text(name: str) -> str:
    """What is in `mark.svg`, `site.css`, ...; KeyError for a file that is not served."""
    return _by_name()[name].body.decode()


def every() -> tuple[Asset, ...]:
    """All assets."""
    return tuple(_by_name().values())


@cache
def _by_name() -> dict[str, Asset]:
    made: dict[str, Asset] = {}
    for name in _SINGLE:
        body = _read(name)
        made[name] = _asset(name, _smaller(body) if name in _SMALLER else body)
    for name, made_too in (("prerender.json", True), ("prefetch.json", False)):
        made[name] = _asset(name, rules(made=made_too))
    for name, parts in _BUNDLES.items():
        texts = [_read(part).decode() for part in parts]
        if name.endswith(".js"):
            # A part's own scope is kept by a block, as parts neither import nor export; what the first declares is for all.
            texts = [texts[0], *(f"{{\n{text}}}\n" for text in texts[1:])]
            texts = [_INDENT.sub("\n", _LINE_COMMENT.sub("", text)) for text in texts]
        else:
            texts = [_INDENT.sub("\n", _COMMENT.sub("", text)) for text in texts]
        whole = _URL.sub(lambda found: f"url({made[found[1]].path})", "".join(texts))
        made[name] = _asset(name, whole.encode())
    return made


def _smaller(script: bytes) -> bytes:
    return _INDENT.sub("\n", _LINE_COMMENT.sub("", script.decode())).strip().encode()


@cache
def _by_path() -> dict[str, Asset]:
    return {asset.path: asset for asset in _by_name().values()}


def _asset(name: str, body: bytes) -> Asset:
    stem, _, kind = name.replace("/", "-").rpartition(".")
    digest = blake2b(body, digest_size=6).hexdigest()
    return Asset(name, f"{stem}.{digest}.{kind}", _TYPES[kind], body)


def _read(name: str) -> bytes:
    return files("octavo.publish").joinpath("static", *name.split("/")).read_bytes()
