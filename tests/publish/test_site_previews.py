"""Previews: a site ahead of its visitors and a change request on its site, at signed addresses for whoever has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from tests.client import World
from tests.conftest import FakeClock
from tests.publish.browsing import Guarded
from tests.publish.visiting import tree, write
from tests.resources.checks import other_organization
from tests.resources.writing import Line

HOUR = 3_600_000


@pytest.fixture
def site(world: World, tmp_path: Path) -> Guarded:
    files: dict[str, str | bytes] = {
        "README.md": "# Home\n\nThe quince.\n\nThe pear.\n",
        "guide.md": "# Guide\n\nThe apple.\n",
        "some.md": "---\nif: visitor.claims.beta\n---\n\n# Some\n\nThe medlar.\n",
        "SUMMARY.md": "* [Home](README.md)\n* [Guide](guide.md)\n* [Some](some.md)\n",
    }
    space = world.imported(write(tmp_path / "docs", files))
    return Guarded(world, world.site(space, title="Orchard", publish=False))


def _space(site: Guarded) -> str:
    space: str = site.world.api.get(f"{site.api}/structure").json["structure"][0]["space"]["id"]
    return space


def _preview(site: Guarded, query: str = "") -> str:
    reply = site.world.api.get(f"{site.api}/publishing/preview{query}")
    assert reply.status == 200, reply.text
    return urlsplit(reply.json["url"]).path


def _of(line: Line, query: str = "") -> str:
    reply = line.world.api.get(f"{line.path}/preview{query}")
    assert reply.status == 200, reply.text
    return urlsplit(reply.json["url"]).path


def test_an_unpublished_site_is_seen_at_a_signed_address_alone(site: Guarded, clock: FakeClock) -> None:
    browser, path = site.browser(), _preview(site)
    assert path.startswith(site.base + "~preview/")
    page = browser.get(path)
    assert page.status == 200
    assert "The quince." in page.text
    assert "Preview" in tree(page.text).one("aside", "preview-bar").text
    assert page.headers["cache-control"] == "private, no-store"
    assert "noindex" in page.headers["x-robots-tag"]
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in page.headers
    links = [one["href"] for one in tree(page.text).all("a") if one.attributes.get("href", "").startswith("/sites/")]
    assert links
    assert all(link.startswith(path) for link in links)
    assert browser.get(path + "guide").status == 200
    for below in ("guide.md", "llms.txt", "sitemap.xml", "robots.txt", "~octavo/search?q=quince", "favicon.ico"):
        reply = browser.get(path + below, accept="*/*")
        assert reply.headers["cache-control"] == "private, no-store", below
        assert "noindex" in reply.headers["x-robots-tag"]
    assert browser.get(site.base).status == 404
    clock.advance(HOUR)
    gone = browser.get(path)
    assert gone.status == 404
    assert "quince" not in gone.text


def test_addresses_that_were_altered_or_are_of_another_site_show_nothing(site: Guarded) -> None:
    other = Guarded(site.world, site.world.site(title="Elsewhere", publish=False))
    word = _preview(site).rstrip("/").rpartition("/")[2]
    for path in (
        f"{other.base}~preview/{word}/",
        f"{site.base}~preview/{word}x/",
        f"{site.base}~preview/x{word}/",
        f"{site.base}~preview/{word[:-4]}/",
        f"{site.base}~preview/",
        f"{site.base}~preview/{quote('ünd')}/",
    ):
        reply = site.browser().get(path)
        assert reply.status == 404, path
        assert "quince" not in reply.text


def test_where_it_opens_and_as_whom(site: Guarded) -> None:
    [link] = site.world.api.get(f"{site.api}/structure").json["structure"]
    assert _preview(site, f"?siteSpace={link['id']}&target=/guide").endswith("/guide")
    site.adapt()
    claims = quote(json.dumps({"beta": True, "unsigned": {"lang": "fr"}}))
    assert "The medlar." in site.browser().get(_preview(site, f"?claims={claims}") + "some").text
    assert site.browser().get(_preview(site) + "some").status == 404
    for query, field in (
        ("claims=(a:!t)", "claims"),
        ("claims=[]", "claims"),
        ("target=https://evil.example/", "target"),
        ("target=//evil.example/", "target"),
        ("target=/../../x", "target"),
        ("siteSpace=nothing", "siteSpace"),
        ("draft=maybe", "draft"),
        (f"claims={'x' * 1001}", "claims"),
    ):
        reply = site.world.api.get(f"{site.api}/publishing/preview?{query}")
        assert reply.status == 400, query
        assert field in reply.message


def test_drafts_are_there_where_they_are_asked_for(site: Guarded) -> None:
    async def change(unit: Any) -> None:
        [link] = await unit.sites.site_spaces(site.site["id"])
        await unit.sites.change_site_space(link, draft=True)

    site.world.run(site.world.house.store.write(change))
    assert site.browser().get(_preview(site)).status == 200
    assert site.browser().get(_preview(site, "?draft=false")).status == 404
    site.world.api.post(f"{site.api}/publish")
    assert "quince" not in site.browser().get(site.base).text


def test_nobody_shows_others_what_she_may_not_read(site: Guarded) -> None:
    world, space = site.world, _space(site)
    token = world.person("read")
    path = f"{site.api}/publishing/preview"
    assert world.api.get(path, token=token).status == 200
    assert world.api.patch(f"/v1/spaces/{space}", {"defaultLevel": None}).status == 200
    assert world.api.get(path, token=token).status == 403


def test_a_change_request_is_seen_by_a_stranger_with_what_it_changes(site: Guarded) -> None:
    line = Line(site.world, _space(site), subject="Sorbs & <b>")
    pages = {page["title"]: page["id"] for page in site.world.api.get(f"{line.base}/content/pages").json["pages"]}
    line.text(pages["Home"], "# Home\n\nThe quince here.\n\nSorbs grow there.\n")
    line.insert("# Cornel\n\nThe cornel.\n")
    path = _of(line)
    browser = site.browser()
    home = browser.get(path)
    assert home.status == 200
    assert home.headers["cache-control"] == "private, no-store"
    page = tree(home.text)
    bar = page.one("aside", "preview-bar")
    assert "Sorbs & <b>" in bar.text
    assert {(one.text, one.all(class_="nav-mark")[0].text) for one in bar.all("li")} == {
        ("Homechanged", "changed"),
        ("Cornelnew", "new"),
    }
    assert page.one("ins", "marked-added").text == "Sorbs grow there."
    assert page.one("del", "marked-removed").text == "The pear."
    assert page.one("div", "marked-changed").text == "The quince here."
    assert {one.text for one in page.one("nav", "nav").all(class_="nav-mark")} == {"changed", "new"}
    added = next(one for one in bar.all("a") if one.text.startswith("Cornel"))
    new = browser.get(added["href"])
    assert "The cornel." in new.text
    assert not tree(browser.get(path + "guide").text).all(class_="marked")
    opened = browser.get(_of(line, f"?page={pages['Guide']}"))
    assert "The apple." in opened.text
    # Visitors see nothing of it.
    site.world.api.post(f"{site.api}/publish")
    for below in ("", "cornel", "llms-full.txt", "~octavo/search?q=cornel"):
        text = site.browser().open(site.base + below, accept="*/*").text
        assert "The cornel" not in text
        assert "Sorbs grow" not in text


def test_a_preview_of_changes_follows_them_and_ends_with_them(site: Guarded, clock: FakeClock) -> None:
    line = Line(site.world, _space(site))
    page = line.insert("# Cornel\n\nThe cornel.\n")
    path = _of(line)
    line.text(page, "# Cornel\n\nThe damson.\n")
    assert "The damson." in site.browser().get(path + "cornel").text
    clock.advance(7 * 24 * HOUR - 1)
    assert site.browser().get(path).status == 200
    other = _of(line)
    clock.advance(1)
    assert site.browser().get(path).status == 404
    assert site.browser().get(other).status == 200
    assert site.world.api.post(f"{line.path}/merge").status == 200
    assert site.browser().get(other).status == 404
    assert site.world.api.get(f"{line.path}/preview").status == 409


def test_of_a_closed_site_it_shows_the_space_of_the_change_request_alone(site: Guarded, tmp_path: Path) -> None:
    world = site.world
    own = world.imported(write(tmp_path / "own", {"README.md": "# Own\n\nThe persimmon.\n"}), "Persimmon")
    both = Guarded(world, world.site(_space(site), own, title="Both", publish=False))
    line = Line(world, _space(site))
    path = _of(line, f"?site={both.site['id']}")
    word = "persimmon"
    link = world.api.get(f"{both.api}/structure").json["structure"][1]["path"]
    paths = ("", f"{link}/", f"{link}/README.md", "llms.txt", "llms-full.txt", "~octavo/search?q=own")
    for below in paths:
        assert word not in both.browser().open(path + below, accept="*/*").text.lower(), below
    world.api.post(f"{both.api}/publish")
    assert word in both.browser().get(path + "llms-full.txt").text
    both.change(visibility="share-link")
    for below in paths:
        assert word not in both.browser().open(path + below, accept="*/*").text.lower(), below


def test_on_which_site_a_change_request_is_previewed(site: Guarded) -> None:
    world, line = site.world, Line(site.world, _space(site))
    alone = Line(world, world.space()["id"])
    assert world.api.get(f"{alone.path}/preview").status == 409
    elsewhere = world.site(world.space()["id"])
    refused = world.api.get(f"{line.path}/preview?site={elsewhere['id']}")
    assert refused.status == 400
    assert "site" in refused.message
    abroad = other_organization(world, "Abroad")["id"]
    foreign = world.api.post(f"/v1/orgs/{abroad}/sites", {"title": "Foreign"}).json["id"]
    for word in (foreign, "nothing"):
        assert world.api.get(f"{line.path}/preview?site={word}").status == 404
    assert world.api.get(f"{line.path}/preview?page=nothing").status == 404
    public = Guarded(world, world.site(_space(site), title="Public"))
    assert _of(line).startswith(public.base)
    assert _of(line, f"?site={site.site['id']}").startswith(site.base)


def test_what_is_for_some_is_not_told_by_what_changed(site: Guarded) -> None:
    site.adapt()
    line = Line(site.world, _space(site))
    pages = {page["title"]: page["id"] for page in site.world.api.get(f"{line.base}/content/pages").json["pages"]}
    line.text(pages["Some"], "---\nif: visitor.claims.beta\n---\n\n# Some\n\nThe persimmon.\n")
    line.text(
        pages["Home"], "# Home\n\nThe quince.\n\n{% if visitor.claims.beta %}\nThe cornel.\n{% endif %}\n\nThe pear.\n"
    )
    plain, beta = _of(line), _of(line, "?claims=" + quote('{"beta": true}'))
    seen = site.browser().get(plain)
    assert "Some" not in tree(seen.text).one("aside", "preview-bar").text
    assert not tree(seen.text).all(class_="marked")
    assert site.browser().get(plain + "some").status == 404
    seen = site.browser().get(beta)
    assert "Some" in tree(seen.text).one("aside", "preview-bar").text
    assert tree(seen.text).one("ins", "marked-added").text == "The cornel."


def test_claims_that_no_visitor_could_have_are_ignored_and_named(site: Guarded) -> None:
    def known(claims: Any) -> tuple[Any, dict[str, str]]:
        reply = site.world.api.get(f"{site.api}/publishing/preview?claims={quote(json.dumps(claims))}")
        assert reply.status == 200, reply.text
        return reply.json["claims"], {one["claim"]: one["reason"] for one in reply.json["ignored"]}

    assert known({"plan": "pro"}) == ({}, {"plan": "the site has no schema of claims"})
    text = {"type": "string", "description": "."}
    plan = text | {"enum": ["free", "pro"]}
    groups = {"type": "array", "description": ".", "items": text}
    unsigned = {
        "type": "object", "description": "Unsigned claims of the site visitor.", "additionalProperties": False,
        "properties": {"language": text, "seats": {"type": "number", "description": "."}},
    }  # fmt: skip
    beta = {"type": "boolean", "description": "."}
    properties = {"plan": plan, "groups": groups, "beta": beta, "unsigned": unsigned}
    site.adapt({"type": "object", "additionalProperties": False, "properties": properties})
    honest = {"plan": "pro", "groups": ["a"], "beta": False, "unsigned": {"language": "fr"}}
    assert known(honest) == (honest, {})
    wrong = {
        "plan": "gold",
        "groups": ["a", 1],
        "beta": 1,
        "exp": 1,
        "unsigned": {"language": "fr", "seats": "2", "x": 1},
    }
    assert known(wrong) == (
        {"unsigned": {"language": "fr"}},
        {
            "plan": 'the schema wants "free" or "pro"',
            "groups": "the schema wants a list of at most 100, of which each is a text",
            "beta": "the schema wants true or false",
            "exp": "the schema does not declare it",
            "unsigned.seats": "the schema wants a number",
            "unsigned.x": "the schema does not declare it",
        },
    )
    assert known({"unsigned": 1})[1] == {"unsigned": "the schema wants an object"}
    site.change(adaptiveContent={"enabled": False})
    assert known({"plan": "pro"}) == ({}, {"plan": "content does not adapt to visitors"})


def test_of_an_open_site_others_are_shown_beside_a_change_request_as_to_anybody(site: Guarded, tmp_path: Path) -> None:
    world, token = site.world, site.world.person("read")
    files: dict[str, str | bytes] = {
        "README.md": "# Own\n\nThe persimmon.\n\n{% if visitor.claims.beta %}\nThe rowan.\n{% endif %}\n",
        "hidden.md": "---\nif: visitor.claims.beta\n---\n\n# Hidden\n\nThe rowan.\n",
        "SUMMARY.md": "* [Own](README.md)\n* [Hidden](hidden.md)\n",
    }
    own = world.imported(write(tmp_path / "own", files), "Persimmon")
    both = Guarded(world, world.site(_space(site), own, title="Both"))
    both.adapt()
    assert world.api.patch(f"/v1/spaces/{own}", {"defaultLevel": None}).status == 200
    line = Line(world, _space(site))
    other = world.api.get(f"{both.api}/structure").json["structure"][1]
    query = f"?site={both.site['id']}&claims=" + quote('{"beta": true}')
    reply = world.api.get(f"{line.path}/preview{query}", token=token)
    assert reply.status == 200, reply.text
    path = urlsplit(reply.json["url"]).path
    at = f"{path}{other['path']}/"
    assert "The medlar." in both.browser().get(path + "some").text
    assert "The persimmon." in both.browser().get(at).text
    assert both.browser().get(at + "hidden").status == 404
    listed = ("", "README.md", "llms.txt", "llms-full.txt", "~octavo/search?q=rowan")
    for below in [at, *(at + one for one in listed), *(path + one for one in listed)]:
        text = both.browser().open(below, accept="*/*").text
        assert "The rowan." not in text, below
        assert "Hidden" not in text, below
    changed = world.api.patch(f"{both.api}/site-spaces/{other['id']}", {"draft": True})
    assert changed.status == 200, changed.text
    for below in (at, path + "llms-full.txt"):
        assert "persimmon" not in both.browser().open(below, accept="*/*").text.lower()
