"""How answers travel: validators, compression, HEAD, and how soon a change is seen."""

from __future__ import annotations

import gzip
from pathlib import Path

from octavo.importing import Order, import_into
from tests.client import World
from tests.publish.visiting import Visitor, tree, visit, write


def test_a_page_is_asked_for_again_and_sent_once(kitchen: Visitor) -> None:
    first = kitchen.get("writing/text")
    assert first.headers["cache-control"] == "no-cache"
    etag = first.headers["etag"]
    assert etag.startswith('"')
    for asked in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        again = kitchen.get("writing/text", headers={"if-none-match": asked})
        assert (again.status, again.body) == (304, b""), asked
        assert again.headers["etag"] == etag
        assert again.headers["cache-control"] == "no-cache"
        assert "content-length" not in again.headers
    assert kitchen.get("writing/text", headers={"if-none-match": '"other"'}).status == 200
    assert kitchen.get("writing/tables").headers["etag"] != etag


def test_a_page_made_again_is_the_same(kitchen: Visitor) -> None:
    assert kitchen.get("writing/text").body == kitchen.get("writing/text").body


def test_compressed_for_those_who_take_it(kitchen: Visitor) -> None:
    plain = kitchen.get("writing/text")
    zipped = kitchen.get("writing/text", headers={"accept-encoding": "br, gzip;q=0.8"})
    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert len(zipped.body) < len(plain.body) / 2
    assert gzip.decompress(zipped.body) == plain.body
    refused = kitchen.get("writing/text", headers={"accept-encoding": "gzip;q=0, br"})
    assert "content-encoding" not in refused.headers
    for reply in (plain, zipped, kitchen.get("writing/text", headers={"if-none-match": plain.headers["etag"]})):
        assert reply.headers["vary"] == "accept, accept-encoding"


def test_head_is_get_without_a_body(kitchen: Visitor) -> None:
    for path in ("", "writing/text", "writing/text.md", "nowhere", "robots.txt", "~octavo/search?q=wind"):
        got, asked = kitchen.get(path), kitchen.client.request("HEAD", kitchen.base + path)
        assert (asked.status, asked.headers, asked.body) == (got.status, got.headers, b""), path


def test_what_changes_is_seen_at_once(world: World, tmp_path: Path) -> None:
    """After a new import, a new title of a page that others name, a new title of the site."""
    files = {
        "SUMMARY.md": "* [Home](README.md)\n* [Guide](guide.md)\n",
        "README.md": '# Home\n\n[guide.md](guide.md "mention")\n',
    }
    site = visit(world, write(tmp_path, {**files, "guide.md": "# Guide\n\nOld words.\n"}))
    before = {path: site.get(path) for path in ("", "guide", "guide.md")}

    def imported() -> None:
        order = Order(str(tmp_path), world.organization, site.space)
        world.run(import_into(world.house, order, quiet=True))

    write(tmp_path, {"guide.md": "# Guide\n\nNew words.\n"})
    imported()
    after = site.get("guide", headers={"if-none-match": before["guide"].headers["etag"]})
    assert after.status == 200
    assert tree(after.text).one("div", "content").text == "New words."
    assert site.get("guide.md").text.endswith("New words.\n")
    write(tmp_path, {"SUMMARY.md": files["SUMMARY.md"].replace("[Guide]", "[Handbook]"), "guide.md": "# Handbook\n"})
    imported()
    home = site.get("", headers={"if-none-match": before[""].headers["etag"]})
    assert home.status == 200
    assert "Handbook" in tree(home.text).one("nav", "nav").text
    assert tree(home.text).one("a", "next").one("b").text == "Handbook"
    assert tree(home.text).one("div", "content").text == "Handbook"
    site.change(title="Another name")
    page = site.page("guide")
    assert page.one("title").text == "Handbook · Another name"
    assert page.one("a", "brand").text.endswith("Another name")
