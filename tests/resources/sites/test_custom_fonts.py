"""/orgs/{org}/fonts, and sites that are set in one."""

from __future__ import annotations

import asyncio
import re
import struct
from typing import Any
from urllib.parse import urlsplit

import pytest

from octavo.kernel.clock import DAY
from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.resources.checks import check_json, check_refusals, check_roles, other_organization
from tests.resources.sweeping import sweep
from tests.resources.typefaces import OTHER, WOFF2, uploaded, woff


def _at(world: World) -> str:
    return f"/v1/orgs/{world.organization}/fonts"


def _faces(world: World, *files: tuple[int, bytes]) -> list[dict[str, Any]]:
    return [{"weight": weight, "storageKey": uploaded(world, world.organization, data)} for weight, data in files]


def _make(world: World, *files: tuple[int, bytes]) -> dict[str, Any]:
    faces = _faces(world, *(files or ((400, WOFF2),)))
    reply = world.api.put(_at(world), {"fontFamily": "Heron Sans", "fontFaces": faces})
    assert reply.status == 201, reply.text
    made: dict[str, Any] = reply.json
    return made


def _fetched(world: World, face: dict[str, Any]) -> Reply:
    return world.api.get(urlsplit(face["sources"][0]["url"]).path, token="")


def test_a_font_has_a_file_for_each_weight(world: World) -> None:
    made = _make(world, (700, OTHER), (400, WOFF2), (900, woff()))
    assert made["fontFamily"] == "Heron Sans"
    assert (made["custom"], made["permissions"]) == (True, {"edit": True})
    assert [face["weight"] for face in made["fontFaces"]] == [400, 700, 900]
    assert [face["sources"][0]["format"] for face in made["fontFaces"]] == ["woff2", "woff2", "woff"]
    for face, data in zip(made["fontFaces"], (WOFF2, OTHER, woff()), strict=True):
        reply = _fetched(world, face)
        assert (reply.status, reply.body) == (200, data)
        assert reply.headers["content-type"] == f"font/{face['sources'][0]['format']}"
        assert "immutable" in reply.headers["cache-control"]
        assert reply.headers["access-control-allow-origin"] == "*"
    assert world.api.get(f"{_at(world)}/{made['id']}").json == made
    listed = world.api.get(_at(world)).json
    assert (listed["count"], listed["items"]) == (1, [made])


def test_faces_change_and_stay(world: World) -> None:
    made = _make(world, (400, WOFF2), (700, OTHER))
    path = f"{_at(world)}/{made['id']}"
    [light] = _faces(world, (300, woff()))
    reply = world.api.post(path, {"fontFamily": "Egret", "fontFaces": [light, {"weight": 400, "storageKey": None}]})
    assert reply.status == 201, reply.text
    assert (reply.json["fontFamily"], [face["weight"] for face in reply.json["fontFaces"]]) == ("Egret", [300, 400])
    assert reply.json["fontFaces"][1] == made["fontFaces"][0]
    assert _fetched(world, made["fontFaces"][1]).status == 404
    assert world.api.post(path, {"fontFamily": "Ibis"}).json["fontFaces"] == reply.json["fontFaces"]


def test_a_site_is_set_in_it(world: World) -> None:
    made = _make(world, (400, WOFF2), (700, OTHER))
    site = world.site(world.space()["id"])
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    named = {"id": made["id"], "custom": True}
    styling = {"font": named, "headingFont": named, "monospaceFont": named}
    reply = world.api.put(f"{at}/customization", {"styling": styling})
    assert reply.status == 200, reply.text
    shown = {name: made[name] for name in ("id", "custom", "fontFamily", "fontFaces")}
    assert [reply.json["styling"][name] for name in styling] == [shown] * 3
    assert world.api.get(f"{at}/published").json["customizations"]["site"]["styling"]["font"] == shown
    # What clients read may be sent again as it is.
    assert world.api.put(f"{at}/customization", reply.json).json["styling"] == reply.json["styling"]
    page = world.api.get(f"/sites/{site['basename']}/", token="")
    sheet = re.findall(r'href="(/~octavo/theme\.css[^"]*)"', page.text)[0].replace("&amp;", "&")
    css = world.api.get(sheet, token="")
    assert css.status == 200
    fonts = re.findall(r"url\(([^)]+)\)", css.text)
    assert len(fonts) == 6
    for font, data in zip(fonts[:2], (WOFF2, OTHER), strict=True):
        assert world.api.get(f"/~octavo/{font}", token="").body == data
    assert {'--sans:"Site sans"', '--heading:"Site heading"', '--mono:"Site mono"'} <= set(
        re.findall(r'--\w+:"[^"]+"', css.text)
    )
    assert "font-src 'self'" in page.headers["content-security-policy"]
    before = page.headers["etag"]
    [bold] = _faces(world, (400, OTHER))
    world.api.post(f"{_at(world)}/{made['id']}", {"fontFaces": [bold]})
    assert world.api.get(f"/sites/{site['basename']}/", token="").headers["etag"] != before


@pytest.mark.parametrize(
    "said", ["x.400-abc", "../a.400-0123456789ab-woff2", "Comic", "a.400-0123456789ab-ttf", "a.b;c"]
)
def test_a_style_sheet_names_nothing_that_could_not_be(world: World, said: str) -> None:
    for place in ("sans", "heading", "mono"):
        assert world.api.get(f"/~octavo/theme.css?c=112233&{place}={said}", token="").status == 404
    assert world.api.get("/~octavo/theme.css?c=112233&code=nord", token="").status == 404


def test_one_that_is_used_is_not_deleted(world: World) -> None:
    made, site = _make(world), world.site(world.space()["id"])
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    [place] = world.api.get(f"{at}/structure").json["structure"]
    own = f"{at}/site-spaces/{place['id']}/customization"
    styling = {"styling": {"font": {"id": made["id"], "custom": True}}}
    path = f"{_at(world)}/{made['id']}"
    world.api.put(f"{at}/customization", styling)
    reply = world.api.delete(path)
    assert (reply.status, site["id"] in reply.message) == (412, True)
    world.api.put(f"{at}/customization", {})
    world.api.patch(own, styling)
    assert world.api.delete(path).status == 412
    world.api.delete(own)
    assert world.api.delete(path).status == 205
    assert world.api.delete(path).status == 404
    assert _fetched(world, made["fontFaces"][0]).status == 404
    assert world.api.put(f"{at}/customization", styling).status == 404


def test_used_and_deleted_at_once(world: World) -> None:
    made, site = _make(world), world.site(world.space()["id"])
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}/customization"
    look = {"styling": {"font": {"id": made["id"], "custom": True}}}

    async def both() -> tuple[int, int]:
        send = world.api.send
        one, other = await asyncio.gather(send("PUT", at, look), send("DELETE", f"{_at(world)}/{made['id']}"))
        return one.status, other.status

    assert world.run(both()) in ((200, 412), (404, 205))


def test_its_files_outlive_the_sweep(world: World, clock: FakeClock) -> None:
    made = _make(world)
    clock.advance(3 * DAY)
    sweep(world)
    assert _fetched(world, made["fontFaces"][0]).body == WOFF2
    world.api.delete(f"{_at(world)}/{made['id']}")
    sweep(world)
    [blob] = [urlsplit(face["sources"][0]["url"]).path.rpartition("/")[2][:12] for face in made["fontFaces"]]
    assert not list((world.house.settings.data / "blobs").rglob(f"{blob}*"))


def test_a_font_that_is_none(world: World) -> None:
    header = bytearray(WOFF2)
    header[8:12] = struct.pack(">I", len(WOFF2) + 1)
    empty = bytearray(WOFF2)
    empty[12:14] = b"\0\0"
    large = bytearray(WOFF2)
    large[20:24] = struct.pack(">I", len(WOFF2))
    broken = bytearray(woff())
    broken[48:52] = struct.pack(">I", 1 << 30)
    wrong = (b"", b"<svg onload=alert(1)>", b"wOF2", bytes(header), bytes(empty), bytes(large), bytes(broken), WOFF2[:-1],
             b"\0\1\0\0" + b"\0" * 100)  # fmt: skip
    for data in wrong:
        body = {"fontFamily": "Heron", "fontFaces": _faces(world, (400, data))}
        reply = world.api.put(_at(world), body)
        assert (reply.status, "fontFaces[0].storageKey" in reply.message) == (400, True), data[:40]
    body = {"fontFamily": "Heron", "fontFaces": _faces(world, (400, b"wOF2" + bytes(1 << 20)))}
    assert "bytes at most" in world.api.put(_at(world), body).message
    assert world.api.get(_at(world)).json["items"] == []


def test_wrong_input_names_the_field(world: World) -> None:
    [face] = _faces(world, (400, WOFF2))
    unsent = uploaded(world, world.organization, WOFF2, send=False)
    foreign = uploaded(world, other_organization(world)["id"], WOFF2)
    check_refusals(world, "PUT", _at(world), [
        ({"fontFaces": [face]}, "fontFamily"), ({"fontFamily": "", "fontFaces": [face]}, "fontFamily"),
        ({"fontFamily": "a" * 51, "fontFaces": [face]}, "fontFamily"), ({"fontFamily": "A"}, "fontFaces"),
        ({"fontFamily": "A", "fontFaces": []}, "fontFaces"),
        ({"fontFamily": "A", "fontFaces": [face, face]}, "fontFaces[1].weight"),
        ({"fontFamily": "A", "fontFaces": [face | {"weight": 1001}]}, "fontFaces[0].weight"),
        ({"fontFamily": "A", "fontFaces": [face | {"storageKey": "nonsense"}]}, "fontFaces[0].storageKey"),
        ({"fontFamily": "A", "fontFaces": [face | {"storageKey": unsent}]}, "fontFaces[0].storageKey"),
        ({"fontFamily": "A", "fontFaces": [face | {"storageKey": foreign}]}, "fontFaces[0].storageKey"),
    ])  # fmt: skip
    check_json(world, "PUT", _at(world))
    assert world.api.put(_at(world), {"fontFamily": "A", "fontFaces": [face | {"weight": 700}]}).status == 412
    path = f"{_at(world)}/{_make(world)['id']}"
    stays = {"weight": 700, "storageKey": None}
    check_refusals(world, "POST", path, [({"fontFaces": [face, stays]}, "fontFaces[1].storageKey")])
    assert world.api.post(path, {"fontFaces": [face | {"weight": 700}]}).status == 412


def test_who_creates_content_makes_fonts(world: World) -> None:
    made = _make(world)
    body = {"fontFamily": "Egret", "fontFaces": _faces(world, (400, WOFF2))}
    check_roles(world, "create", "PUT", _at(world), body, success=201, guest=403)
    check_roles(world, "create", "POST", f"{_at(world)}/{made['id']}", {"fontFamily": "A"}, success=201, guest=403)
    check_roles(world, "read", "GET", f"{_at(world)}/{made['id']}", success=200, guest=200)
    assert world.api.get(f"{_at(world)}/{made['id']}", token=world.person("read")).json["permissions"] == {
        "edit": False
    }
    assert world.api.delete(f"{_at(world)}/{made['id']}", token=world.person("review")).status == 403
    assert world.api.delete(f"{_at(world)}/{made['id']}", token=world.person(None)).status == 404
