"""Signing in and the page of tokens, in a browser: two themes, two sizes, without a violation that axe knows."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from itertools import product
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.conftest import Served, typed
from tests.browser.pages import DESKTOP, SETTLED, Open, violations

PASSWORD = "correct horse battery staple"
NARROW = {"viewport": {"width": 390, "height": 844}}


@pytest.fixture(scope="module")
def base(served: Served) -> str:
    """The installation, whose admin has a password that was typed on the command line."""
    typed(served.data, PASSWORD)
    return served.own.partition("/sites/")[0]


def _check(tab: Any) -> None:
    """Nothing is wrong for anybody in either theme on either screen, and nothing scrolls sideways."""
    for size, theme in product((DESKTOP, NARROW), ("light", "dark")):
        tab.set_viewport_size(size["viewport"])
        tab.emulate_media(color_scheme=theme)
        tab.evaluate(SETTLED)
        assert violations(tab) == [], (size, theme)
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), size


def _works(base: str, token: str) -> int:
    asked = urllib.request.Request(f"{base}/v1/user", headers={"authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_signing_in_making_and_revoking_a_token(base: str, open_page: Open) -> None:
    tab = open_page(f"{base}/account/tokens", reduced_motion="reduce")
    assert tab.url == f"{base}/login?next=/account/tokens"
    _check(tab)
    tab.get_by_label("E-mail").fill("ada@example.org")
    tab.get_by_label("Password").fill("not the password")
    tab.get_by_label("Password").press("Enter")
    tab.get_by_role("alert").wait_for()
    assert tab.get_by_label("E-mail").input_value() == "ada@example.org"
    _check(tab)
    tab.complaints.clear()  # the browser's word for the refusal
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in").click()
    tab.wait_for_url(f"{base}/account/tokens")
    assert tab.evaluate("document.cookie") == "", "no script reads the session"
    _check(tab)
    label = "Import"
    tab.get_by_label("What it is for").fill(label)
    tab.get_by_text("Limit what it may do").click()
    tab.get_by_label("user:read").check()
    _check(tab)
    tab.get_by_role("button", name="Make token").click()
    secret = tab.locator("#secret").inner_text()
    assert re.fullmatch(r"octavo_[\w-]{43}", secret)
    assert _works(base, secret) == 200
    _check(tab)
    tab.reload()
    assert tab.locator("#secret").count() == 0
    row = tab.get_by_role("listitem").filter(has_text=label)
    row.get_by_text("Revoke", exact=True).click()
    _check(tab)
    row.get_by_role("button", name="Revoke it").click()
    tab.get_by_text(label).wait_for(state="detached")
    assert _works(base, secret) == 401
    tab.get_by_role("button", name="Sign out", exact=True).click()
    tab.wait_for_url(f"{base}/login")
    tab.goto(f"{base}/account/tokens")
    assert tab.url == f"{base}/login?next=/account/tokens"
    assert tab.complaints == []


def test_another_site_cannot_frame_it_or_send_its_forms(base: str, open_page: Open) -> None:
    tab = open_page(f"{base}/login?next=/account/tokens")
    tab.get_by_label("E-mail").fill("ada@example.org")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in").click()
    tab.wait_for_url(f"{base}/account/tokens")
    elsewhere = (
        f'<iframe src="{base}/login"></iframe>'
        f'<form method="post" action="{base}/logout"><input name="everywhere" value="1"><button>Win</button></form>'
    )
    tab.goto("data:text/html," + quote(elsewhere))
    assert "Sign in" not in tab.frames[-1].content()
    assert tab.frames[-1] is not tab.main_frame
    tab.get_by_role("button").click()
    tab.get_by_text("no longer valid").wait_for()
    tab.goto(f"{base}/account/tokens")
    assert tab.url == f"{base}/account/tokens", "still signed in"
