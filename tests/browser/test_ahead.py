"""From page to page: what is pointed at is made before the click, and only the text fades."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from tools.tabs import Tab

from tests.browser.conftest import ARGUMENTS, Served, chromium
from tests.browser.pages import DESKTOP, Open
from tests.browser.test_insights import Api

ACTIVATED = "performance.getEntriesByType('navigation')[0].activationStart > 0"
NEXT = "nav.nav a:not([aria-current])"
ARRIVED = "performance.getEntriesByType('navigation')[0].deliveryType"
KEPT_STILL = "getComputedStyle(document.querySelector('.site-header')).viewTransitionName"


def test_the_page_under_the_pointer_is_fetched_before_the_click(served: Served, open_page: Open) -> None:
    tab: Any = open_page(served.own, **DESKTOP)
    with tab.context.expect_event("request", lambda request: request.url.endswith("/running/backup")) as asked:
        tab.locator("nav.nav a[href$='/running/backup']").hover()
    asked.value.response()
    tab.locator("nav.nav a[href$='/running/backup']").click()
    tab.wait_for_url("**/running/backup")
    assert tab.evaluate(ARRIVED) == "navigational-prefetch"
    assert not tab.complaints


def test_what_stays_does_not_move_unless_somebody_wants_no_motion(served: Served, open_page: Open) -> None:
    tab: Any = open_page(served.own, **DESKTOP)
    assert tab.evaluate(KEPT_STILL) == "site-header"
    tab.emulate_media(reduced_motion="reduce")
    assert tab.evaluate(KEPT_STILL) == "none"


@pytest.fixture
def tab(served: Served) -> Iterator[Tab]:
    """A tab that makes pages ahead, at the kitchen sink: the other driver's do not."""
    with contextlib.closing(Tab(str(chromium()), ARGUMENTS)) as one:
        one.goto(served.kitchen)
        yield one


def _pointed(tab: Tab) -> tuple[float, float]:
    place = tab.point(NEXT)
    tab.until(tab.waiting)
    tab.rest(0.5)
    return place


def test_a_click_shows_a_page_that_is_there_and_counts_it_once(tab: Tab, served: Served) -> None:
    api = Api(served)
    path = tab.evaluate(f"new URL(document.querySelector({NEXT!r}).href).pathname")

    def views(found: dict[Any, int]) -> int:
        return found.get(("page_view", path), 0)

    asked = ("eventType", "urlPath")
    before = views(api.counts(*asked))
    place = _pointed(tab)
    assert views(api.counts(*asked)) == before  # nobody has seen it
    tab.evaluate("document.querySelector('[data-theme-switch]').click()")  # what is chosen meanwhile holds there too
    chosen = tab.evaluate("document.documentElement.dataset.theme")
    tab.press(*place)
    tab.until(lambda: tab.evaluate("location.pathname") == path)
    assert tab.evaluate(ACTIVATED)
    assert tab.evaluate("document.documentElement.dataset.theme") == chosen
    api.until(asked, lambda found: views(found) > before)
    tab.rest(0.5)
    assert views(api.counts(*asked)) == before + 1


def test_only_pages_of_the_site_are_made_ahead(tab: Tab, served: Served) -> None:
    for href in ("~octavo/logout", "~octavo/pdf/x", "llms.txt", "changelog.md", "changelog/rss.xml", "?visitor.plan=pro",
                 "../own/", "/login", "https://elsewhere.test/"):  # fmt: skip
        tab.evaluate(
            "(() => { const link = document.createElement('a'); link.textContent = 'x'; link.id = 'planted';"
            f"link.href = {href!r}; document.querySelector('main').prepend(link); }})()"
        )
        tab.point("#planted")
        tab.rest(0.4)
        assert tab.waiting() == [], href
        tab.evaluate("document.getElementById('planted').remove()")
    _pointed(tab)
    assert tab.waiting()[0].startswith(served.kitchen)


def test_where_browsers_take_no_rules_the_page_is_fetched(served: Served, open_page: Open) -> None:
    tab: Any = open_page("about:blank", **DESKTOP)
    tab.add_init_script("delete HTMLScriptElement.supports")
    tab.goto(served.kitchen)
    tab.locator(NEXT).first.hover()
    tab.wait_for_selector("link[rel=prefetch]", state="attached")
    planted = "<a id=planted href=?visitor.plan=pro>x</a>"
    tab.evaluate(f"document.querySelector('main').insertAdjacentHTML('afterbegin', '{planted}')")
    tab.locator("#planted").hover()
    assert tab.locator("link[rel=prefetch]").count() == 1
