"""The style sheet of a site's own: its colours, typefaces and themes of code, all of it said in its address."""

from __future__ import annotations

from urllib.parse import urlencode

from octavo.publish import code_themes, colours, typefaces
from octavo.publish.views import SiteChrome
from octavo.web.fields import Fields, first

_CODE = (("code", ""), ("apicode", ".api "))
"""Field of its address -> where the theme of code holds that stands there."""


def query(site: SiteChrome) -> str:
    """The query part of its address for a site."""
    made = colours.query(site.primary, site.primary_dark, site.colours)
    return f"{made}&{urlencode(site.typefaces)}" if site.typefaces else made


def sheet(asked: Fields) -> str | None:
    """The style sheet for such a query; None for what no site has."""
    given = colours.from_query(first(asked, "c"))
    fonts = typefaces.css(asked)
    code = [code_themes.css(said, within) for name, within in _CODE if (said := first(asked, name))]
    if given is None or fonts is None or None in code:
        return None
    return fonts + colours.theme_css(*given) + "".join(filter(None, code))
