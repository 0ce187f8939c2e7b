"""From page to page: what is pointed at is there before the click, and only the text fades."""

from __future__ import annotations

from typing import Any

from tests.browser.conftest import Served
from tests.browser.pages import DESKTOP, Open

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
