"""…/sites/{site}/customization and …/site-spaces/{site_space}/customization."""

from __future__ import annotations

from typing import Any

from tests.client import World
from tests.resources.checks import check_json, check_refusals, check_roles

RED = {"light": "#aa0000", "dark": "#ff8888"}


def _site(world: World, *titles: str) -> str:
    site = world.site(*(world.space(title)["id"] for title in titles or ("Guide",)))
    return f"/v1/orgs/{world.organization}/sites/{site['id']}"


def _held(world: World, at: str) -> list[dict[str, Any]]:
    held: list[dict[str, Any]] = world.api.get(f"{at}/structure").json["structure"]
    return held


def _url(url: str = "https://example.org/") -> dict[str, str]:
    return {"kind": "url", "url": url}


def test_the_whole_look_is_read_and_set(world: World) -> None:
    at = _site(world)
    before = world.api.get(f"{at}/customization").json
    assert "updatedAt" not in before
    reply = world.api.put(f"{at}/customization", {"title": "Pond", "styling": {"primaryColor": RED}})
    assert reply.status == 200
    assert reply.json["title"] == "Pond"
    assert reply.json["styling"] == before["styling"] | {"primaryColor": RED}
    assert reply.json["updatedAt"]
    again = world.api.put(f"{at}/customization", reply.json)
    assert again.json | {"updatedAt": ""} == reply.json | {"updatedAt": ""}
    # What is left out is as it is by default.
    assert world.api.put(f"{at}/customization", {}).json | {"updatedAt": ""} == before | {"updatedAt": ""}


def test_a_site_space_has_some_of_it_otherwise(world: World) -> None:
    at = _site(world, "One", "Two")
    first, second = (f"{at}/site-spaces/{one['id']}/customization" for one in _held(world, at))
    world.api.put(
        f"{at}/customization", {"title": "Pond", "header": {"preset": "bold"}, "pagination": {"enabled": False}}
    )
    reply = world.api.patch(
        first, {"title": "Sea", "header": {"preset": "contrast"}, "styling": {"corners": "straight"}}
    )
    assert reply.status == 200
    assert (reply.json["title"], reply.json["header"]["preset"]) == ("Sea", "contrast")
    assert (reply.json["styling"]["corners"], reply.json["pagination"]["enabled"]) == ("straight", False)
    assert world.api.get(first).json == reply.json
    assert world.api.get(second).json["title"] == "Pond"
    looks = world.api.get(f"{at}/published").json["customizations"]
    ids = [one["id"] for one in _held(world, at)]
    assert [looks["siteSpaces"][one]["title"] for one in ids] == ["Sea", "Pond"]
    assert looks["site"]["title"] == "Pond"
    # Null takes the site's again; what is not sent stays.
    reply = world.api.patch(first, {"title": None, "header": {"preset": None}})
    assert (reply.json["title"], reply.json["header"]["preset"], reply.json["styling"]["corners"]) == (
        "Pond", "bold", "straight"
    )  # fmt: skip
    assert world.api.delete(first).status == 205
    assert world.api.get(first).json["styling"]["corners"] == "rounded"
    assert world.api.delete(first).status == 404


def test_an_emoji_in_the_place_of_a_picture(world: World) -> None:
    at = _site(world)
    picture = {"light": "https://example.org/l.png", "dark": "https://example.org/d.png"}
    world.api.put(f"{at}/customization", {"favicon": {"icon": picture}})
    place = f"{at}/site-spaces/{_held(world, at)[0]['id']}/customization"
    assert world.api.patch(place, {"favicon": {"emoji": "🦆"}}).json["favicon"] == {"emoji": "1f986"}
    assert world.api.patch(place, {"favicon": None}).json["favicon"] == {"icon": picture}


def test_without_advanced_customization_some_is_masked(world: World) -> None:
    at = _site(world)
    look = {"footer": {"copyright": "Pond"}, "styling": {"theme": "bold", "primaryColor": RED}}
    world.api.put(f"{at}/customization", look | {"advancedCustomization": {"enabled": False}})
    masked = world.api.get(f"{at}/customization").json
    assert masked["footer"] == {"groups": []}
    assert (masked["styling"]["theme"], masked["styling"]["primaryColor"]) == ("clean", RED)
    shown = world.api.get(f"{at}/customization?unmasked=true").json
    assert (shown["footer"]["copyright"], shown["styling"]["theme"]) == ("Pond", "bold")
    place = f"{at}/site-spaces/{_held(world, at)[0]['id']}/customization"
    assert world.api.get(place).json == masked
    assert world.api.get(f"{place}?unmasked=true").json == shown


def test_only_admins_change_it(world: World) -> None:
    at = _site(world)
    place = f"{at}/site-spaces/{_held(world, at)[0]['id']}/customization"
    check_roles(world, "read", "GET", f"{at}/customization", success=200)
    check_roles(world, "admin", "PUT", f"{at}/customization", {"title": "Pond"}, success=200)
    check_roles(world, "read", "GET", place, success=200)
    check_roles(world, "admin", "PATCH", place, {"title": "Pond"}, success=200)
    world.api.patch(place, {"title": "Pond"})
    stranger = world.person("read")
    assert world.api.delete(place, token=stranger).status == 403


def test_what_no_look_can_be_is_refused(world: World) -> None:
    at = _site(world)
    link = {"title": "A", "to": _url()}
    cases: list[tuple[Any, str]] = [
        ({"styling": {"primaryColor": {"light": "red", "dark": "#000"}}}, "primaryColor.light"),
        ({"styling": {"primaryColor": {"light": "#000"}}}, "primaryColor.dark"),
        ({"styling": {"corners": "wavy"}}, "corners"),
        ({"styling": {"font": "Comic Sans"}}, "font"),
        ({"styling": {"font": {"id": "a", "custom": False}}}, "styling.font.custom"),
        ({"styling": {"codeTheme": {"default": {"light": "x", "dark": "nord"}}}}, "codeTheme"),
        ({"internationalization": {"locale": "tlh"}}, "locale"),
        ({"title": "a"}, "title"),
        ({"localizedTitle": {"xx": "Pond"}}, "localizedTitle"),
        ({"favicon": {"icon": {"light": "javascript:1", "dark": "https://a.b/"}}}, "icon.light"),
        ({"favicon": {"emoji": "🦆", "icon": {"light": "https://a.b/", "dark": "https://a.b/"}}}, "favicon"),
        ({"header": {"links": [{"title": "A"}, {"title": "A", "to": {}}]}}, "header.links[1].to.kind"),
        ({"header": {"links": [{"title": "A", "to": {"kind": "user", "user": "u"}}]}}, "header.links[0].to.kind"),
        ({"header": {"links": [{"title": "A", "to": {"kind": "page"}}]}}, "header.links[0].to.page"),
        ({"header": {"links": [{"title": "A" * 65, "to": None}]}}, "title"),
        ({"header": {"links": [{"title": "A", "to": _url(), "condition": "visitor.("}]}}, "header.links[0].condition"),
        ({"header": {"primaryLink": {"title": "A", "to": _url()}}}, "header.primaryLink.kind"),
        ({"footer": {"copyright": "a" * 513}}, "copyright"),
        ({"footer": {"groups": [{"title": "A", "links": [link, {"title": "B"}]}]}}, "to"),
        ({"footer": {"groups": [{"title": "A", "links": [{"title": "A", "to": {"kind": "anchor", "anchor": "a"}}]}]}},
         "footer.groups[0].links[0].to.page"),
        ({"announcement": {"enabled": True, "message": "a" * 129, "style": "info"}}, "message"),
        ({"themes": {"default": "sepia"}}, "themes.default"),
        ({"pageActions": {"items": ["dance"]}}, "pageActions.items"),
        ({"ai": {"mode": "none", "suggestions": ["ab"]}}, "suggestions"),
        ({"socialAccounts": [{"platform": "myspace", "handle": "a"}]}, "platform"),
        ({"socialAccounts": [{"platform": "github", "handle": "a"}] * 11}, "socialAccounts"),
        ({"privacyPolicy": {"url": "ftp://example.org"}}, "privacyPolicy.url"),
    ]  # fmt: skip
    before = world.api.get(f"{at}/customization").json
    check_refusals(world, "PUT", f"{at}/customization", cases)
    place = f"{at}/site-spaces/{_held(world, at)[0]['id']}/customization"
    same = [case for case in cases if not {"ai", "pageActions", "socialAccounts"} & set(case[0])]
    check_refusals(world, "PATCH", place, same)
    check_json(world, "PUT", f"{at}/customization")
    assert world.api.get(f"{at}/customization").json == before == world.api.get(place).json


def test_references_lead_to_what_the_caller_sees(world: World) -> None:
    guide, secret = world.space("Guide")["id"], world.space("Secret")["id"]
    site = world.site(guide)
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    page = world.api.get(f"/v1/spaces/{guide}/content/pages").json["pages"][0]["id"]
    hidden = world.api.get(f"/v1/spaces/{secret}/content/pages").json["pages"][0]["id"]

    def put(to: Any, token: str | None = None) -> int:
        body = {"header": {"links": [{"title": "A", "to": to, "links": []}]}}
        return world.api.put(f"{at}/customization", body, token=token).status

    assert put({"kind": "page", "page": page}) == put({"kind": "page", "page": page, "space": guide}) == 200
    assert put({"kind": "space", "space": secret}) == put({"kind": "page", "page": hidden, "space": secret}) == 200
    for wrong in (
        {"kind": "page", "page": "gone"}, {"kind": "page", "page": hidden}, {"kind": "file", "file": "gone"},
        {"kind": "space", "space": "gone"}, {"kind": "anchor", "anchor": "a", "page": "gone"},
    ):  # fmt: skip
        assert put(wrong) == 404, wrong
    # Somebody who is admin of the site alone.
    world.api.patch(f"/v1/spaces/{secret}", {"defaultLevel": None})
    token = world.person("read")
    world.grant(token, "site", site["id"], "admin")
    assert put({"kind": "page", "page": page}, token) == 200
    assert put({"kind": "page", "page": hidden, "space": secret}, token) == 404
    assert put({"kind": "space", "space": secret}, token) == 404
