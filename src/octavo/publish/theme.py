"""The style sheet of a site's own: its colours, typefaces and themes of code, all of it said in its address."""

from __future__ import annotations

from urllib.parse import urlencode

from octavo.publish import code_themes, colours, typefaces
from octavo.publish.views import SiteChrome
from octavo.web.fields import Fields, first


def query(site: SiteChrome) -> str:
    """The query part of its address for a site."""
    made = colours.query(site.primary, site.primary_dark, site.colours)
    return f"{made}&{urlencode(site.typefaces)}" if site.typefaces else made


def sheet(asked: Fields) -> str | None:
    """The style sheet for such a query; None for what no site has."""
    given = colours.from_query(first(asked, "c"))
    fonts = typefaces.css(asked)
    said = first(asked, "code")
    code = code_themes.css(said) if said else ""
    if given is None or fonts is None or code is None:
        return None
    return fonts + colours.theme_css(*given) + code
