"""Printed pages: all of the text, the full addresses of links, nothing of the frame."""

from __future__ import annotations

import io
from typing import Any

import pytest

from tests.browser.conftest import Served
from tests.browser.pages import Open, address, shut_off

pypdf = pytest.importorskip("pypdf", reason="these tests need the pypdf library")
CHROME = ("Copy page", "On this page", "Skip to content", "Ctrl K", "Previous", "Show all", "Firmware manual", "Copied")


def _opened(served: Served, open_page: Open, name: str) -> Any:
    tab = open_page("about:blank")
    shut_off(tab)
    tab.goto(address(served, name))
    return tab


def _printed(tab: Any) -> str:
    pages = pypdf.PdfReader(io.BytesIO(tab.pdf(prefer_css_page_size=True))).pages
    # Lines break where the paper ends: an address is looked for without its breaks.
    return "".join(page.extract_text() for page in pages).replace("\n", " ")


@pytest.mark.parametrize("name", ["text", "blocks", "tabs", "wide"])
def test_nothing_of_the_frame_is_printed(served: Served, open_page: Open, name: str) -> None:
    tab = _opened(served, open_page, name)
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        text = _printed(tab)
        assert text, theme
        assert [one for one in CHROME if one in text] == [], theme


def test_links_are_printed_with_their_addresses(served: Served, open_page: Open) -> None:
    squeezed = _printed(_opened(served, open_page, "text")).replace(" ", "")
    assert "theweb(https://example.com" in squeezed
    assert "bymail(mailto:" in squeezed


def test_what_is_closed_on_screen_is_open_on_paper(served: Served, open_page: Open) -> None:
    tabs = _printed(_opened(served, open_page, "tabs"))
    for text in ("/dev/ttyUSB0", "cu.usbserial", "The light turns green.", '"place"'):
        assert text in tabs, text
    blocks = _printed(_opened(served, open_page, "blocks"))
    for text in ("Less than an umbrella.", "console.log", "Explain this reading"):
        assert text in blocks, text


def test_a_wide_table_is_printed_to_its_last_column(served: Served, open_page: Open) -> None:
    text = _printed(_opened(served, open_page, "wide"))
    assert "Keeper" in text
    assert "More" in text
