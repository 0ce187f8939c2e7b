"""By which rules browsers fetch and make pages before a click (speculation rules; the files lie below the site)."""

from __future__ import annotations

from typing import Any

import msgspec

_PARTS = "body > .frame a, .site-header a, .site-footer a"
_APART = "[target=_blank], [download], [role=button], [rel~=nofollow], .menu-end a"
_NEWER = ":interest-source"
"""A selector that browsers know in which `eager` means the pointer's arrival; in older ones it means every link at once, and
they leave out a rule with a selector that they do not know."""


def rules(*, made: bool) -> bytes:
    """A page is fetched as soon as the pointer is on a link, and made when it stays there; only the former unless `made`.

    Only pages of the site: nothing above it, nothing that says something by its query, no files, no log-out.
    """
    if not made:
        return msgspec.json.encode({"prefetch": [_rule("moderate")]})
    return msgspec.json.encode({"prefetch": [_rule("eager", f"{_NEWER}, {_APART}")], "prerender": [_rule("moderate")]})


def _rule(eagerness: str, apart: str = _APART) -> dict[str, Any]:
    # Two dots and a star alone would stand for a directory without a name.
    pages = {"href_matches": {"pathname": "../{*}", "search": ""}}
    files = {"not": {"href_matches": ["/*~*", "/*.md", "/*.txt", "/*.xml"]}}
    where = {"and": [pages, {"selector_matches": _PARTS}, files, {"not": {"selector_matches": apart}}]}
    return {"where": where, "eagerness": eagerness}
