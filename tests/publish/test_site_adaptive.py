"""Adaptive content: what a visitor may not see is absent everywhere; what they see is theirs alone."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.client import World
from tests.publish.browsing import SCHEMA, Browser, Guarded
from tests.publish.visiting import write

OPEN, PAGE, BLOCK, GROUP, INLINE, LINKED = "apple", "quince", "medlar", "sorb", "damson", "cornel"
FILES: dict[str, str | bytes] = {
    "README.md": f"---\ndescription: The {OPEN}.\n---\n\n# Home\n\nThe {OPEN} for all.\n\n"
    f'{{% if visitor.claims.beta %}}\n## A {BLOCK} heading\n\nThe {BLOCK} is for some.\n{{% endif %}}\n\n'
    f'Hello <code class="expression">visitor.claims.name</code>. See [the page](closed.md) and '
    '[closed.md](closed.md "mention").\n\n'
    '{% if !visitor.claims.unsigned.lang %}\nSay what you speak.\n{% endif %}\n',
    "closed.md": f'---\nif: visitor.claims.plan == "pro"\ndescription: A {PAGE} description.\n---\n\n'
    f"# The {PAGE}\n\nText of the {PAGE}.\n",
    "closed/below.md": f"# Below {GROUP}\n\nText of the {GROUP}.\n",
    "failing.md": f"---\nif: visitor.claims.missing.deep\n---\n\n# Never {LINKED}\n\nText of {LINKED}.\n",
    "plain.md": "# Plain\n\nNothing hangs on anybody here.\n",
    "SUMMARY.md": "* [Home](README.md)\n* [Closed](closed.md)\n  * [Below](closed/below.md)\n"
    "* [Failing](failing.md)\n* [Plain](plain.md)\n",
}  # fmt: skip


@pytest.fixture
def site(world: World, tmp_path: Path) -> Guarded:
    space = world.imported(write(tmp_path / "docs", FILES))
    world.work()
    made = Guarded(world, world.site(space, title="Orchard"))
    made.adapt()
    return made


def _as(site: Guarded, **claims: Any) -> Browser:
    browser = site.browser()
    if claims:
        browser.open(f"{site.base}?jwt_token={site.token(**claims)}")
    return browser


def _surfaces(site: Guarded, words: tuple[str, ...]) -> list[tuple[str, str]]:
    """Addresses below the site's, with what is accepted there."""
    pages = ["", "closed", "closed/below", "failing", "plain", "~octavo/nav/x"]
    texts = ["README.md", "closed.md", "closed/below.md", "failing.md", "llms.txt", "llms-full.txt", "sitemap.xml",
             "robots.txt", "rss.xml", "closed/rss.xml"]  # fmt: skip
    found = [(path, "text/html") for path in pages] + [(path, "*/*") for path in texts]
    found += [(path, "text/markdown") for path in pages]
    for word in words:
        found += [(f"~octavo/search?q={quote(word)}", accept) for accept in ("text/html", "application/json")]
    return found


def _seen(site: Guarded, browser: Browser, *words: str) -> dict[str, list[str]]:
    """Word -> the addresses whose answers hold it, the question itself aside."""
    found: dict[str, list[str]] = {word: [] for word in words}
    for path, accept in _surfaces(site, words):
        reply = browser.open(site.base + path, accept=accept)
        assert reply.status in (200, 404), (path, reply.status)
        if reply.status == 200:
            assert reply.headers["cache-control"] in ("private, no-cache", "no-store"), path
        text = reply.text + reply.headers.get("location", "")
        if "search" in path:
            asked = path.rpartition("=")[2]
            text = re.sub(rf'value="{asked}"|q={asked}|“{asked}”|<title>[^<]*</title>', "", text)
        for word in words:
            if word in text.lower():
                found[word].append(path)
    return found


def test_what_somebody_may_not_see_is_nowhere(site: Guarded) -> None:
    anybody = _seen(site, site.browser(), OPEN, PAGE, BLOCK, GROUP, LINKED)
    assert anybody[OPEN]
    assert anybody | {OPEN: []} == {word: [] for word in (OPEN, PAGE, BLOCK, GROUP, LINKED)}
    beta = _seen(site, _as(site, beta=True), PAGE, BLOCK, GROUP, LINKED)
    assert {"", "README.md", "llms-full.txt"} <= set(beta[BLOCK])
    assert beta | {BLOCK: []} == {word: [] for word in (PAGE, BLOCK, GROUP, LINKED)}
    pro = _seen(site, _as(site, plan="pro"), PAGE, BLOCK, GROUP, LINKED)
    assert {"", "closed", "closed.md", "llms.txt", "llms-full.txt"} <= set(pro[PAGE])
    assert {"closed/below", "~octavo/search?q=sorb"} <= set(pro[GROUP])
    assert pro[BLOCK] == pro[LINKED] == []


def test_nothing_that_is_kept_is_mixed(site: Guarded) -> None:
    """Asked in every order: what was made for one visitor is no other's, and equal visitors share it."""
    people = [_as(site), _as(site, plan="pro"), _as(site, beta=True), _as(site, plan="free"), _as(site, name="Ada")]
    first = [one.get(site.base).text for one in people]
    assert [one.get(site.base).text for one in reversed(people)] == first[::-1]
    assert [PAGE in text for text in first] == [False, True, False, False, False]
    assert [BLOCK in text for text in first] == [False, False, True, False, False]
    assert ["Hello Ada" in text for text in first] == [False, False, False, False, True]
    # The table of contents of that page hangs on the plan, and on nothing else that is known of them.
    plain = [one.get(site.base + "plain").headers["etag"] for one in people]
    assert plain[0] == plain[2] == plain[4] != plain[1]
    tag = people[1].get(site.base + "plain").headers["etag"]
    assert people[0].get(site.base + "plain", **{"if-none-match": tag}).status == 200


def test_claims_that_the_schema_does_not_declare_so_are_none(site: Guarded) -> None:
    undeclared: tuple[dict[str, Any], ...] = (
        {"plan": "gold"}, {"plan": ["pro"]}, {"plan": True}, {"beta": "true"}, {"beta": 1}, {"missing": {"deep": True}},
        {"unsigned": {"lang": "fr"}}, {"name": "\ud800"}, {"name": 5}, {"beta": None}, {"groups": "eng"},
    )  # fmt: skip
    for claims in undeclared:
        page = _as(site, **claims).get(site.base)
        assert page.status == 200, claims
        assert PAGE not in page.text
        assert BLOCK not in page.text
        assert "Say what you speak." in page.text


def test_without_adaptive_content_nothing_is_known_of_anybody(site: Guarded) -> None:
    browser = _as(site, plan="pro", beta=True)
    assert PAGE in browser.get(site.base).text
    site.change(adaptiveContent={"enabled": False})
    page = browser.get(site.base)
    assert PAGE not in page.text
    assert BLOCK not in page.text
    site.change(adaptiveContent={"enabled": True})
    assert PAGE in browser.get(site.base).text
    site.adapt(SCHEMA | {"properties": {"beta": SCHEMA["properties"]["beta"]}})
    page = browser.get(site.base)
    assert PAGE not in page.text
    assert BLOCK in page.text


def test_a_token_that_ended_says_nothing(site: Guarded) -> None:
    came = site.browser()
    assert came.open(f"{site.base}?jwt_token={site.token(plan='pro', exp=int(time.time()) - 5)}").status == 200
    assert not came.jar
    assert PAGE not in came.get(site.base).text
    inside = _as(site, plan="pro")
    site.world.api.post(f"{site.api}/publishing/auth/regenerate")
    assert PAGE not in inside.get(site.base).text


def test_what_visitors_say_of_themselves(site: Guarded) -> None:
    browser = site.browser()
    sent = browser.get(site.base + "plain?visitor.lang=fr&visitor.plan=pro&a=1")
    assert (sent.status, sent.headers["location"]) == (303, site.base + "plain?a=1")
    assert "HttpOnly" not in sent.headers["set-cookie"]
    page = browser.get(site.base)
    assert "Say what you speak." not in page.text
    assert PAGE not in page.text
    for said in ("visitor.lang=de", "visitor.lang.x=1", "visitor.=fr", "visitor.unsigned.lang=fr", "visitor.beta=true"):
        other = site.browser()
        assert "Say what you speak." in other.open(f"{site.base}?{said}").text, said
        assert BLOCK not in other.get(site.base).text
    for words in ("{", "[]", '{"lang": "xx"}', '{"plan": "pro"}', "%ff", "x" * 5000, '{"lang":' + "[" * 900):
        other = site.browser()
        other.jar[other.host, site.base, "gitbook-visitor-public"] = quote(words, safe="%")
        page = other.get(site.base)
        assert page.status == 200
        assert "Say what you speak." in page.text
        assert PAGE not in page.text


def test_sections_and_site_spaces_are_for_some(site: Guarded, tmp_path: Path) -> None:
    world = site.world
    own = world.imported(write(tmp_path / "own", {"README.md": "# Own\n\nThe persimmon.\n"}), "Own")
    world.work()

    async def add(unit: Any) -> None:
        from octavo.kernel.ids import new_id
        from octavo.kernel.records.sites import SiteSpace

        await unit.sites.add_site_space(
            SiteSpace(id=new_id(), organization=world.organization, site=site.site["id"], space=own, title="Own persimmon",
                      path="own", position="zz", condition='visitor.claims.groups.includes("eng")')
        )  # fmt: skip

    world.run(world.house.store.write(add))
    paths = ["", "own/", "own/README.md", "llms.txt", "llms-full.txt", "sitemap.xml", "own/llms.txt"]
    paths += ["~octavo/search?q=persimmon"]

    def holding(browser: Browser) -> set[str]:
        found = set()
        for path in paths:
            text = browser.open(site.base + path, accept="*/*").text
            if "persimmon" in re.sub(r'value="persimmon"|q=persimmon|“persimmon”|<title>[^<]*</title>', "", text):
                found.add(path)
        return found

    assert holding(_as(site)) == set()
    assert holding(_as(site, groups=["ops"])) == set()
    assert holding(_as(site, groups="eng")) == set()
    assert holding(_as(site, groups=["ops", "eng"])) >= {"", "own/", "llms-full.txt", "~octavo/search?q=persimmon"}
    assert "own/" in _as(site, groups=["eng"]).get(site.base + "sitemap.xml", accept="*/*").text


def test_the_first_page_is_for_some(world: World, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "README.md": "---\nif: visitor.claims.beta\n---\n\n# First\n\nThe quince.\n",
        "second.md": "# Second\n\nFor all.\n",
        "SUMMARY.md": "* [First](README.md)\n* [Second](second.md)\n",
    }
    site = Guarded(world, world.site(world.imported(write(tmp_path / "docs", files))))
    site.adapt()
    sent = site.browser().get(site.base)
    assert (sent.status, sent.headers["location"]) == (307, site.base + "second")
    assert site.browser().open(site.base).status == 200
    assert "quince" in _as(site, beta=True).get(site.base).text
    site.change(visibility="visitor-auth")
    assert site.browser().get(site.base).status == 404


def test_an_expression_may_end_with_braces(world: World, tmp_path: Path) -> None:
    text = '# Home\n\nA <code class="expression">({a: {b: "fig"}}).a.b</code>, <code class="expression">!{}</code>.\n'
    made = Guarded(world, world.site(world.imported(write(tmp_path / "docs", {"README.md": text}))))
    assert "A fig, false." in re.sub(r"<[^>]+>", "", made.browser().get(made.base).text)
    assert "A fig, false." in made.browser().get(made.base + "readme.md").text


def test_a_look_that_leads_into_what_some_see_is_kept_for_each_of_them(site: Guarded, tmp_path: Path) -> None:
    """A link of the header leads to a page that is for those without beta, in a space that is for those with a plan."""
    world = site.world
    files: dict[str, str | bytes] = {
        "README.md": "# Inside\n",
        "later.md": "---\nif: visitor.claims.beta != true\n---\n\n# Later\n",
        "SUMMARY.md": "* [Inside](README.md)\n* [Later](later.md)\n",
    }
    other = world.imported(write(tmp_path / "other", files))
    made = world.api.post(f"{site.api}/site-spaces", {"spaceId": other}).json["id"]
    condition = {"condition": 'visitor.claims.plan == "pro"'}
    assert world.api.patch(f"{site.api}/site-spaces/{made}", condition).status == 200
    pages = {one["title"]: one["id"] for one in world.api.get(f"/v1/spaces/{other}/content/pages").json["pages"]}
    look = world.api.get(f"{site.api}/customization").json
    look = {name: value for name, value in look.items() if name not in ("object", "urls", "updatedAt")}
    link = {"title": "Mulberry", "to": {"kind": "page", "space": other, "page": pages["Later"]}}
    look["header"]["links"] = [link]
    people: list[dict[str, Any]] = [{"beta": True}, {"plan": "pro"}, {"plan": "pro", "beta": True}, {"plan": "free"}]
    for turn in range(len(people)):
        # Nothing is kept of a look that is new.
        reply = world.api.put(f"{site.api}/customization", look | {"title": f"Orchard {turn}"})
        assert reply.status == 200, reply.text
        for claims in (*people[turn:], *people[:turn]):
            for path in ("", "plain"):
                shown = "Mulberry" in _as(site, **claims).get(site.base + path).text
                assert shown == (claims == {"plan": "pro"}), (turn, claims, path)
