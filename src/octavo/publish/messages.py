"""Pages that stand in for content: nothing here, log in, expired."""

from __future__ import annotations

from octavo.publish import templating
from octavo.publish.building import STATIC
from octavo.publish.views import MessageView, SiteChrome
from octavo.web.answers import Answer, zipped


def message(site: SiteChrome | None, status: int, view: MessageView) -> Answer:
    """A page that stands in for content, in the site's look where there is a site."""
    site = site or SiteChrome(title="Octavo", base_path="/", static_path=STATIC)
    answer = zipped(status, "text/html", templating.message(site, view)).header("cache-control", "no-store")
    return answer.header("x-robots-tag", "noindex")
