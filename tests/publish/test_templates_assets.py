"""Static files: hashed names, references that lead somewhere, budgets, and colours that can be read."""

from __future__ import annotations

import gzip
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.publish import assets, colours
from tests.publish.visiting import Visitor

TRIPLE = st.tuples(*[st.integers(0, 255)] * 3)


def named(name: str) -> assets.Asset:
    found = assets.find(assets.path(name))
    assert found is not None
    return found


def test_names_carry_a_hash_and_lead_back() -> None:
    for asset in assets.every():
        assert re.search(r"\.[0-9a-f]{12}\.\w+$", asset.path)
        assert assets.find(asset.path) is asset
    assert assets.find("site.css") is None
    with pytest.raises(KeyError):
        assets.path("missing.css")


def test_style_sheets_refer_only_to_files_that_are_served() -> None:
    references = re.findall(rb"url\(([^)]+)\)", named("site.css").body)
    assert references
    for reference in references:
        assert assets.find(reference.decode()) is not None


def test_compressed_bodies_are_the_same_bodies() -> None:
    css = named("site.css")
    assert css.gzipped is not None
    assert gzip.decompress(css.gzipped) == css.body
    assert named("fonts/inter-latin.woff2").gzipped is None


def test_a_page_stays_light() -> None:
    scripts = [named(name) for name in ("site.js", "theme.js", "nav.js")]
    assert sum(len(script.gzipped or b"") for script in scripts) <= 12_000
    fonts = [named("fonts/inter-latin.woff2"), named("fonts/mono-latin.woff2")]
    texts = [*scripts, named("site.css")]
    assert sum(len(font.body) for font in fonts) + sum(len(text.gzipped or b"") for text in texts) <= 75_000


@settings(max_examples=80, deadline=None)
@given(TRIPLE)
def test_text_in_any_colour_can_be_read(colour: tuple[int, int, int]) -> None:
    css = colours.theme_css("#" + "".join(f"{part:02x}" for part in colour))
    pairs = {
        name: (light, dark) for name, light, dark in re.findall(r"--([\w-]+):light-dark\((#\w{6}),(#\w{6})\)", css)
    }
    for at, ground in ((0, (255, 255, 255)), (1, (24, 26, 31))):
        assert colours.contrast(colours.parse(pairs["accent"][at]), ground) >= 4.5
        assert colours.contrast(colours.parse(pairs["fill"][at]), colours.parse(pairs["on-primary"][at])) >= 4.5


def test_colours_travel_in_an_address_and_come_back() -> None:
    assert colours.query("#3457D5") == "c=3457d5"
    assert colours.query("#3457d5", "#8899ff") == "c=3457d5-8899ff"
    assert colours.from_query("3457d5-8899ff") == ("#3457d5", "#8899ff", ())
    assert colours.from_query("3457d5") == ("#3457d5", "", ())
    further = (("info", "#aa0000", "#ffaaaa"), ("bar", "#123456", "#654321"))
    asked = colours.query("#3457d5", "#8899ff", further).removeprefix("c=")
    assert colours.from_query(asked) == ("#3457d5", "#8899ff", further)


@pytest.mark.parametrize(
    "asked",
    [
        "", "3457d5}body{", "#3457d5", "3457d5-", "3457d5-111111-222222", "3457d5.", "3457d5.info-111111",
        "3457d5.other-111111-222222", "3457d5.info-111111-22222g", "3457d5.info-111111-222222.info-111111-222222",
    ],
)  # fmt: skip
def test_what_is_no_query_of_colours_is_not_served(asked: str) -> None:
    assert colours.from_query(asked) is None


@settings(max_examples=80, deadline=None)
@given(TRIPLE, TRIPLE)
def test_what_is_said_in_any_colour_can_be_read(one: tuple[int, int, int], other: tuple[int, int, int]) -> None:
    first, second = ("#" + "".join(f"{part:02x}" for part in colour) for colour in (one, other))
    further = (("info", first, second), ("danger", second, first), ("bar", first, second), ("link", second, first))
    css = colours.theme_css("#3457d5", "", further)
    pairs = {
        name: (light, dark) for name, light, dark in re.findall(r"--([\w-]+):light-dark\((#\w{6}),(#\w{6})\)", css)
    }
    for ink, ground in (("info", "info-ground"), ("danger", "danger-ground"), ("on-bar", "bar")):
        for at in (0, 1):
            assert colours.contrast(colours.parse(pairs[ink][at]), colours.parse(pairs[ground][at])) >= 4.5


@pytest.mark.parametrize("text", ["", "#fff", "red", "#12345g", "#123456;}"])
def test_what_is_no_colour_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a colour"):
        colours.theme_css(text)


def test_pages_name_the_rules_by_which_browsers_make_pages_ahead(kitchen: Visitor) -> None:
    named = kitchen.get().headers["speculation-rules"]
    assert named[0] == named[-1] == '"'
    # They lie below the site, as they speak of what is below it: no other site of the host, no application, no log-out.
    assert named[1:-1].rpartition("/")[0] == kitchen.base.rstrip("/") + "/~octavo"
    reply = kitchen.client.get(named[1:-1])
    assert reply.headers["content-type"] == "application/speculationrules+json"
    [fetched], [made] = reply.json["prefetch"], reply.json["prerender"]
    assert (fetched["eagerness"], made["eagerness"]) == ("eager", "moderate")
    for rule in (fetched, made):
        assert rule["where"]["and"][0] == {"href_matches": {"pathname": "../{*}", "search": ""}}
        assert {"not": {"href_matches": ["/*~*", "/*.md", "/*.txt", "/*.xml"]}} in rule["where"]["and"]
    assert "speculation-rules" not in kitchen.get("~octavo/search?q=x").headers
