"""Files on a site: their bytes, kept for ever, and never able to act as a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing import Order, import_into
from tests.client import World
from tests.publish.conftest import KITCHEN_SINK
from tests.publish.visiting import Visitor, visit, write

HTML = b"<!doctype html><script>alert(1)</script>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"><script>alert(1)</script></svg>'


@pytest.fixture
def files(world: World, tmp_path: Path) -> Visitor:
    sources: dict[str, str | bytes] = {
        "README.md": "# Home\n\n![a](.gitbook/assets/a.svg)\n\n"
        + "".join(f'{{% file src=".gitbook/assets/{name}" %}}\n\n' for name in ("p.html", "x.xhtml", "s.js", "t.txt")),
        ".gitbook/assets/a.svg": SVG,
        ".gitbook/assets/p.html": HTML,
        ".gitbook/assets/x.xhtml": HTML,
        ".gitbook/assets/s.js": b"alert(1)",
        ".gitbook/assets/t.txt": b"<script>alert(1)</script>",
    }
    return visit(world, write(tmp_path, sources))


def _address(site: Visitor, name: str) -> str:
    page = site.page()
    named = [one.attributes.get("src") or one.attributes.get("href", "") for one in page.one("div", "content").walk()]
    return next(one for one in named if one.endswith("/" + name))


def test_a_picture_has_its_bytes_type_and_size(kitchen: Visitor) -> None:
    image = kitchen.page("writing/pictures").all("img", alt="A plain picture")[0]
    reply = kitchen.get(image["src"])
    assert reply.body == (KITCHEN_SINK / ".gitbook/assets/station.png").read_bytes()
    assert reply.headers["content-type"] == "image/png"
    assert reply.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "content-disposition" not in reply.headers
    assert int(image["width"]) > 0 < int(image["height"])
    again = kitchen.get(image["src"], headers={"if-none-match": reply.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    head = kitchen.client.request("HEAD", image["src"])
    assert (head.status, head.headers, head.body) == (200, reply.headers, b"")


def test_every_picture_of_the_kitchen_sink_is_there(kitchen: Visitor) -> None:
    page = kitchen.page("writing/pictures")
    sources = {one["src"] for one in page.all("img")} | {one["srcset"] for one in page.all("source")}
    assert len(sources) == 3
    for source in sources:
        assert kitchen.get(source).status == 200


def test_drawings_are_boxed_in(files: Visitor) -> None:
    reply = files.get(_address(files, "a.svg"))
    assert (reply.body, reply.headers["content-type"]) == (SVG, "image/svg+xml")
    policy = [part.strip() for part in reply.headers["content-security-policy"].split(";")]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert not [part for part in policy if part.startswith("script-src")]
    assert reply.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["p.html", "x.xhtml", "s.js"])
def test_what_could_act_is_downloaded(files: Visitor, name: str) -> None:
    reply = files.get(_address(files, name))
    assert reply.status == 200
    assert reply.headers["content-type"] == "application/octet-stream"
    assert reply.headers["content-disposition"].startswith("attachment")
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in reply.headers["content-security-policy"]


def test_text_is_shown_as_text(files: Visitor) -> None:
    reply = files.get(_address(files, "t.txt"))
    assert reply.headers["content-type"].split(";")[0] == "text/plain"
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_an_address_kept_for_ever_never_gives_other_bytes(files: Visitor, tmp_path: Path) -> None:
    old = _address(files, "t.txt")
    write(tmp_path, {".gitbook/assets/t.txt": b"other words"})
    order = Order(str(tmp_path), files.world.organization, files.space)
    files.world.run(import_into(files.world.house, order, quiet=True))
    new = _address(files, "t.txt")
    assert new != old
    assert files.get(new).body == b"other words"
    reply = files.get(old)
    assert (reply.status, reply.headers["location"]) == (307, new)
    assert "immutable" not in reply.headers.get("cache-control", "")


def test_only_files_of_spaces_on_the_site(files: Visitor, kitchen: Visitor) -> None:
    mine = _address(files, "t.txt").removeprefix(files.base)
    assert kitchen.get(mine).status == 404
    assert files.get(mine.replace(files.space, kitchen.space)).status == 404
    assert files.get("~octavo/files/x").status == 404
