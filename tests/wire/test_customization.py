"""Customization: always complete, and what was set wins."""

from __future__ import annotations

import msgspec
import pytest

from octavo.wire.sites import customization

GROUPS = {
    "styling", "internationalization", "favicon", "header", "footer", "themes", "feedback", "ai",
    "advancedCustomization", "pageActions", "externalLinks", "pagination", "trademark",
    "privacyPolicy", "socialPreview", "socialAccounts", "insights",
}  # fmt: skip
STYLING = {
    "theme", "primaryColor", "infoColor", "successColor", "warningColor", "dangerColor", "corners", "depth", "links",
    "font", "monospaceFont", "background", "icons", "codeTheme", "sidebar", "search",
}  # fmt: skip


def test_the_default_has_every_group() -> None:
    look = msgspec.to_builtins(customization.present(None))
    assert set(look) >= GROUPS
    assert set(look["styling"]) >= STYLING
    assert look["header"] == {"preset": "default", "links": []}
    assert look["footer"] == {"groups": []}
    assert look["ai"]["mode"] == "none"
    assert look["pageActions"]["items"] == ("markdown", "external-ai", "mcp", "pdf", "git")
    assert look["internationalization"] == {"locale": "en"}
    assert look["insights"] == {"trackingCookie": False}
    assert look["themes"] == {"default": "system", "toggeable": True}


def test_the_default_is_one_that_may_be_stored() -> None:
    look = msgspec.to_builtins(customization.DEFAULT)
    assert msgspec.convert(look, customization.Customization) == customization.DEFAULT


def test_what_is_set_wins_key_by_key() -> None:
    stored = {
        "styling": {"primaryColor": {"light": "#112233", "dark": "#445566"}},
        "header": {"links": [{"title": "A", "links": []}]},
    }
    look = customization.present(stored)
    assert look.styling.primary_color.light == "#112233"
    assert look.styling.info_color == customization.DEFAULT.styling.info_color
    assert look.styling.theme == "clean"
    assert [link.title for link in look.header.links] == ["A"]


def test_a_site_space_stands_on_its_site() -> None:
    site = customization.present({"themes": {"default": "dark"}, "pagination": {"enabled": False}})
    place = customization.present({"pagination": {"enabled": True}}, site)
    assert (place.themes.default, place.pagination.enabled) == ("dark", True)
    assert customization.present(None, site) is site


def test_what_no_look_can_be_is_refused() -> None:
    for stored in ({"styling": {"corners": "wavy"}}, {"styling": {"primaryColor": {"light": "red"}}}):
        with pytest.raises(msgspec.ValidationError):
            customization.present(stored)
