"""What real repositories hold: names with spaces, icons nobody has, mentions of other spaces, text from right to left."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client import World
from tests.publish.visiting import Element, Visitor, visit, write

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da63fcff1f0003030200efa2a75b"
    "0000000049454e44ae426082"
)
OTHER = "https://app.gitbook.com/s/abc123/guides/how-to_start?x=1#top"
PAGE = f"""---
cover: .gitbook/assets/Light one (1).png
layout:
  cover:
    visible: true
    size: background
---

# Page

<figure><picture><source srcset=".gitbook/assets/Dark one (1).png" media="(prefers-color-scheme: dark)">
<img src=".gitbook/assets/Light one (1).png" alt="L"></picture></figure>

## <i class="fa-rocket-launch">:rocket-launch:</i>

##

Some text <i class="fa-none-such">:none-such:</i>, [{OTHER}]({OTHER} "mention") and [words](https://example.org).\\

{{% hint style="info" icon="none-such" %}}
Noted
{{% endhint %}}

<table><thead><tr><th>Do<select><option value="a" label="CREATE" color="blue"></option></select></th></tr></thead>
<tbody><tr><td><span data-option="a">CREATE</span></td></tr></tbody></table>
"""
ARABIC = """# صفحة

`Octavo` هو برنامج.

* واحد
* two

A sentence.

```
print
```
"""


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    files: dict[str, str | bytes] = {
        "README.md": "# Home\n\nFrom left to right.\n",
        "page.md": PAGE,
        "arabic.md": ARABIC,
        ".gitbook/assets/Light one (1).png": PIXEL,
        ".gitbook/assets/Dark one (1).png": PIXEL,
        "SUMMARY.md": "# S\n\n* [Home](README.md)\n* [Page](page.md)\n* [Arabic](arabic.md)\n",
    }
    return visit(world, write(tmp_path / "docs", files))


def _content(page: Element) -> Element:
    return page.one("div", "content")


def test_a_dark_picture_keeps_the_spaces_of_its_name(site: Visitor) -> None:
    srcset = site.page("page").one("source", "dark-source")["srcset"]
    assert srcset.endswith("/Dark%20one%20%281%29.png")
    assert site.get(srcset).status == 200


def test_a_cover_may_stand_behind_the_page(site: Visitor) -> None:
    frame = site.page("page").one("div", "frame")
    cover = next(
        one for one in frame.children if isinstance(one, Element) and "cover" in one.attributes.get("class", "")
    )
    assert cover["class"].split() == ["cover", "cover-background"]


def test_a_mention_of_another_space_says_its_page_in_words(site: Visitor) -> None:
    mention = _content(site.page("page")).one("a", "mention")
    assert (mention.text, mention["href"]) == ("How to start", OTHER)
    assert "external" in mention["class"].split()


def test_icons_that_nobody_knows_are_left_out(site: Visitor) -> None:
    content = _content(site.page("page"))
    paragraph = next(one for one in content.all("p") if "Some text" in one.text)
    assert not paragraph.all("span", "inline-icon")
    assert content.one("span", "hint-icon").all("svg")


def test_no_heading_is_empty_to_those_who_listen(site: Visitor) -> None:
    drawn, empty = _content(site.page("page")).all("h2")
    assert drawn.one("span", "visually-hidden").text == "Rocket launch"
    assert empty["role"] == "presentation"


def test_no_backslash_ends_a_paragraph_and_what_is_selected_is_a_badge(site: Visitor) -> None:
    content = _content(site.page("page"))
    assert not [one.text for one in content.all("p") if one.text.endswith("\\")]
    assert content.one("span", "badge").text == "CREATE"


def test_the_search_button_is_called_what_stands_on_it(site: Visitor) -> None:
    button = site.page().one("a", "search-open")
    assert "aria-label" not in button.attributes
    assert [one.text for one in button.all("span") if "class" not in one.attributes] == ["Search"]


def test_blocks_run_the_way_of_their_first_letter(site: Visitor) -> None:
    page = site.page("arabic")
    content = _content(page)
    ways = [(one.tag, one["dir"]) for one in content.all() if "dir" in one.attributes]
    assert ways == [("p", "rtl"), ("ul", "rtl"), ("p", "ltr")]
    assert not [one for one in _content(site.page()).walk() if "dir" in one.attributes]


def test_a_site_in_a_language_that_runs_from_right_to_left(site: Visitor) -> None:
    assert "dir" not in site.page().one("html").attributes
    space = site.world.api.patch(f"/v1/spaces/{site.space}", {"language": "ar"})
    assert space.status == 200, space.text
    assert site.page("arabic").one("html")["dir"] == "rtl"
    assert "dir" not in _content(site.page("arabic")).attributes
    # What is not translated yet runs as it always did.
    assert _content(site.page())["dir"] == "ltr"
