"""/orgs/{org}/sites/{site}/pictures, and sites whose looks name one."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from octavo.kernel import limits
from octavo.kernel.clock import DAY
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.sweeping import sweep
from tests.resources.typefaces import uploaded

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000"
    "000049454e44ae426082"
)
SVG = (
    b'<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><defs><path id="a" d="M0 0h8v8z"/></defs><use href="#a"/></svg>'
)


def _key(world: World, data: bytes, *, send: bool = True) -> str:
    return uploaded(world, world.organization, data, send=send, kind="organization_file")


def _site(world: World) -> tuple[str, str]:
    """(Its path in the API, its path for readers), published."""
    made = world.site(world.space()["id"])
    at = f"/v1/orgs/{world.organization}/sites/{made['id']}"
    assert world.api.post(f"{at}/publish", {}).status < 300
    return at, urlsplit(world.api.get(at).json["urls"]["published"]).path


def _add(world: World, at: str, data: bytes) -> str:
    reply = world.api.post(f"{at}/pictures", {"storageKey": _key(world, data)})
    assert reply.status == 201, reply.text
    assert reply.json["size"] == len(data)
    return str(reply.json["url"])


def test_a_site_shows_what_was_uploaded(world: World, clock: FakeClock) -> None:
    at, site = _site(world)
    logo, dark, card = (_add(world, at, data) for data in (SVG, PNG, b"GIF89a\1\0\1\0\0\0\0;"))
    path = urlsplit(logo).path
    assert world.api.get(path, token="").status == 404, "nothing names it yet"
    look = {
        "header": {"logo": {"light": logo, "dark": dark}},
        "favicon": {"icon": {"light": dark, "dark": dark}},
        "socialPreview": {"url": card},
    }
    assert world.api.put(f"{at}/customization", look).status == 200
    page = world.api.get(site, token="").text
    for url in (logo, dark, card):
        assert urlsplit(url).path in page
        reply = world.api.get(urlsplit(url).path, token="")
        assert (reply.status, reply.body) == (200, {logo: SVG, dark: PNG, card: b"GIF89a\1\0\1\0\0\0\0;"}[url])
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in reply.headers["content-security-policy"]
    assert world.api.get(path, token="").headers["content-type"] == "image/svg+xml"
    assert world.api.get(f"{site.rstrip('/')}{path}", token="").status == 200, "below the site too"
    # An installation that has another address than it had then.
    longer, other = urlsplit(dark).path, f"https://else.test/a.png?{path}"
    before = {
        "header": {"logo": {"light": f"https://docs.before.test{path}", "dark": f"https://before.test/docs{longer}"}},
        "favicon": {"icon": {"light": other, "dark": other}},
    }
    assert world.api.put(f"{at}/customization", before).status == 200
    shown = world.api.get(f"{at}/customization").json
    assert shown["header"]["logo"] == {"light": logo, "dark": dark}
    assert shown["favicon"]["icon"] == {"light": other, "dark": other}
    clock.advance(2 * DAY)
    sweep(world)
    assert world.api.get(longer, token="").body == PNG, "it is named, by the address of then"
    # A variant that names it keeps it when the site does not.
    shown = world.api.get(f"{at}/site-spaces").json["items"][0]["id"]
    own = world.api.patch(
        f"{at}/site-spaces/{shown}/customization", {"header": {"logo": {"light": logo, "dark": logo}}}
    )
    assert own.status == 200, own.text
    assert world.api.put(f"{at}/customization", {}).status == 200
    clock.advance(2 * DAY)
    sweep(world)
    assert world.api.get(path, token="").body == SVG
    assert world.api.put(f"{at}/customization", {"socialPreview": {"url": card}}).status == 200
    assert world.api.get(urlsplit(card).path, token="").status == 404, "its file went when nothing named it"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"%PDF-1.7 not a picture", "PNG"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", "script"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='go()'/>", "onload"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><image href='https://example.org/a.png'/></svg>", "example.org"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><a href='java&#10;script:go()'/></svg>", "runs"),
        (b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>", "entity"),
        (b"<svg><path></svg>", "well-formed"),
        (PNG + bytes(limits.PICTURE_BYTES), "at most"),
    ],
)
def test_what_is_no_picture_is_refused_with_the_reason(world: World, data: bytes, why: str) -> None:
    at, _ = _site(world)
    reply = world.api.post(f"{at}/pictures", {"storageKey": _key(world, data)})
    assert reply.status == 400
    assert reply.json["error"]["message"].startswith("storageKey: ")
    assert why in reply.json["error"]["message"]


def test_names_of_files_that_are_no_pictures_lead_nowhere(world: World) -> None:
    at, _ = _site(world)
    url = _add(world, at, PNG)
    assert world.api.put(f"{at}/customization", {"socialPreview": {"url": url}}).status == 200
    path = urlsplit(url).path
    assert world.api.get(path, token="").status == 200
    for other in (path[:-4], path[:-3] + "html", path.replace(world.organization, "nobody"), path[:-10] + "000000.png"):
        assert world.api.get(other, token="").status == 404


def test_who_may(world: World) -> None:
    at, _ = _site(world)
    assert world.api.post(f"{at}/pictures", {"storageKey": "x"}).status == 400
    assert world.api.post(f"{at}/pictures", {"storageKey": _key(world, PNG, send=False)}).status == 400
    assert world.api.post(f"{at}/pictures", {"storageKey": _key(world, PNG)}, token="").status == 401
    assert world.api.post(f"{at}/pictures", {"storageKey": _key(world, PNG)}, token=world.person("edit")).status == 403
