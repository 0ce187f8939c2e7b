"""RSS of a page's updates."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from octavo.publish import feed
from tests.client import World
from tests.publish.visiting import Element, Visitor, tree, visit, write

NEVER = "visitor.claims.unsigned.plan == 'gold'"
UPDATES = f"""{{% updates format="full" %}}
{{% update date="2026-02-01" tags="fix" %}}
## Fewer **stops**

See [the guide](guide.md), [below](#more) and ![a tern](.gitbook/assets/a.png).

## More

{{% if {NEVER} %}}
A quince.
{{% endif %}}

```python
print("tern")
```
{{% endupdate %}}

{{% update date="2026-03-05" %}}
Words that begin the update & <b>end</b> it. [Out](https://example.org/?a=1&b=2), [up](/), [closed](closed.md).
{{% endupdate %}}

{{% update date="2026-03-05" %}}
***
{{% endupdate %}}

{{% update date="some day" %}}
Undated.
{{% endupdate %}}
{{% endupdates %}}
"""


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    """A site with two pages of news, one of them closed, and one page without any."""
    files: dict[str, str | bytes] = {
        "SUMMARY.md": "* [Home](README.md)\n* [News](news.md)\n* [Guide](guide.md)\n* [Closed](closed.md)\n"
        "* [Quiet](quiet.md)\n",
        "README.md": '# Home\n\n{% updates %}\n{% update date="2026-01-01" %}\nHello.\n{% endupdate %}\n{% endupdates %}\n',
        "news.md": f"---\ndescription: What is <new>\n---\n\n# News\n\n{UPDATES}",
        "guide.md": "# Guide\n",
        "closed.md": f"---\nif: {NEVER}\n---\n\n# Closed\n\n{UPDATES}",
        "quiet.md": f"# Quiet\n\n{{% if {NEVER} %}}\n{UPDATES}{{% endif %}}\n",
        ".gitbook/tags.yaml": "- tag: fix\n  label: Repaired\n",
        ".gitbook/assets/a.png": b"\x89PNG\r\n\x1a\n",
    }
    return visit(world, write(tmp_path, files))


def _channel(site: Visitor, path: str) -> ElementTree.Element:
    reply = site.get(path)
    assert (reply.status, reply.headers["content-type"]) == (200, "application/rss+xml; charset=utf-8")
    root = ElementTree.fromstring(reply.text)
    assert (root.tag, root.get("version")) == ("rss", "2.0")
    channel = root.find("channel")
    assert channel is not None
    return channel


def _text(element: ElementTree.Element, name: str) -> str:
    return element.findtext(name) or ""


def test_the_feed_says_what_it_is(site: Visitor) -> None:
    public = site.site["urls"]["published"]
    channel = _channel(site, "news/rss.xml")
    assert [_text(channel, name) for name in ("title", "link", "description")] == [
        "News · Docs",
        public + "news",
        "What is <new>",
    ]
    own = channel.find("{http://www.w3.org/2005/Atom}link")
    assert own is not None
    assert (own.get("href"), own.get("rel")) == (public + "news/rss.xml", "self")


def test_the_newest_update_comes_first_with_an_address_on_the_page(site: Visitor) -> None:
    public = site.site["urls"]["published"]
    items = _channel(site, "news/rss.xml").findall("item")
    assert [_text(one, "title") for one in items] == [
        "Words that begin the update & end it. Out, up, closed.",
        "5 March 2026",
        "Fewer stops",
        "Undated.",
    ]
    dates = [_text(one, "pubDate") for one in items]
    assert [parsedate_to_datetime(one).isoformat()[:10] for one in dates[:3]] == ["2026-03-05"] * 2 + ["2026-02-01"]
    assert dates[3] == ""
    ids = {one["id"] for one in site.page("news").all("article", "update")}
    page = next(
        one["id"]
        for one in site.world.api.get(f"/v1/spaces/{site.space}/content/pages").json["pages"]
        if one["title"] == "News"
    )
    for item in items:
        where, _, anchor = _text(item, "link").partition("#")
        assert where == public + "news"
        assert anchor in ids
        guid = item.find("guid")
        assert guid is not None
        assert (guid.text, guid.get("isPermaLink")) == (f"{page}#{anchor}", "false")
    assert len({_text(item, "guid") for item in items}) == 4
    assert [_text(one, "category") for one in items] == ["", "", "Repaired", ""]


def _described(site: Visitor, number: int) -> Element:
    return tree(_text(_channel(site, "news/rss.xml").findall("item")[number], "description"))


def test_what_is_said_is_readable_elsewhere(site: Visitor) -> None:
    public = site.site["urls"]["published"]
    for number in range(4):
        html = _described(site, number)
        for one in html.all("a"):
            assert one["href"].startswith(("http://", "https://")), one["href"]
        assert not html.all("svg")
    told = _described(site, 2)
    hrefs = {one["href"] for one in told.all("a")}
    assert {public + "guide", public + "news#more"} <= hrefs
    assert told.one("img")["src"].startswith(public + "~octavo/files/")
    assert 'print("tern")' in told.one("pre").text
    assert {one["href"] for one in _described(site, 0).all("a")} == {
        "https://example.org/?a=1&b=2",
        public,
    }


def test_what_a_condition_closes_is_not_told(site: Visitor) -> None:
    assert "quince" not in site.get("news/rss.xml").text
    for path in ("closed/rss.xml", "quiet/rss.xml", "guide/rss.xml", "nowhere/rss.xml"):
        assert site.get(path).status == 404, path


def test_the_page_names_its_feed(site: Visitor) -> None:
    for page, address in (("news", "news/rss.xml"), ("", "rss.xml")):
        shown = site.page(page)
        link = shown.one("link", type="application/rss+xml")
        assert (link["rel"], link["href"]) == ("alternate", site.base + address)
        assert shown.one("p", "feed").one("a")["href"] == site.base + address
        _channel(site, address)
    for page in ("guide", "quiet"):
        assert "rss.xml" not in site.get(page).text


def test_other_spellings_lead_there(site: Visitor) -> None:
    for asked, status, leads in (
        ("News/RSS.xml", 308, "news/rss.xml"),
        ("news/rss.xml/", 308, "news/rss.xml"),
        ("readme/rss.xml", 307, "rss.xml"),
    ):
        reply = site.get(asked)
        assert (reply.status, reply.headers["location"]) == (status, site.base + leads)


def test_a_feed_has_an_end(site: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "ITEMS", 2)
    titles = [_text(one, "title") for one in _channel(site, "news/rss.xml").findall("item")]
    assert titles[1:] == ["5 March 2026"]


def test_characters_that_xml_does_not_have_are_left_out(world: World, tmp_path: Path) -> None:
    body = "A\x0bb\ufffe&#x1; c]]>"
    text = f'# N\x08ews\n\n{{% updates %}}\n{{% update date="2026-01-01" %}}\n{body}\n{{% endupdate %}}\n{{% endupdates %}}\n'
    site = visit(world, write(tmp_path, {"README.md": "# Home\n", "news.md": text}))
    (item,) = _channel(site, "news/rss.xml").findall("item")
    assert "c]]>" in _text(item, "title")
