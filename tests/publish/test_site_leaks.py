"""One secret word behind every kind of restriction, looked for on every public surface as every kind of visitor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import pytest

from octavo.kernel.ids import new_id
from octavo.kernel.records.sites import SiteSection, SiteSectionGroup, SiteSpace
from octavo.store.sites.sites import GROUPS, SECTIONS
from tests.client import World
from tests.publish.browsing import Browser, Guarded
from tests.publish.visiting import write
from tests.resources.writing import Line

SECRET = "xylograph"
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f64540"
    "0000000049454e44ae426082"
)
BETA = 'visitor.claims.plan == "pro"'


@dataclass
class Hidden:
    """A site with the secret behind one restriction, and who may see it; None where no visitor may."""

    site: Guarded
    insider: Browser | None = None


def _folder(tmp_path: Path, name: str, *, secret: bool, front: str = "", block: bool = False) -> Path:
    """A repository with an open page and one with the word in all of its parts."""
    word = SECRET if secret else "plain"
    text = f"The {word} lies here. [File](.gitbook/assets/{word}.txt) ![A {word}](.gitbook/assets/{word}.png)"
    text = f"## Of the {word}\n\n{text}\n\n{{% updates %}}\n{{% update date=\"2026-01-01\" %}}\n## New {word}\n\nThe {word}.\n{{% endupdate %}}\n{{% endupdates %}}\n"  # fmt: skip # noqa: E501
    if block:
        page = f"---\n---\n\n# Some page\n\n{{% if {BETA} %}}\n{text}\n{{% endif %}}\n"
    else:
        page = f"---\n{front}description: All about the {word}.\n---\n\n# The {word}\n\n{text}"
    title = "Some page" if block else f"The {word}"
    files: dict[str, str | bytes] = {
        "README.md": '# Home\n\nFor all. See [this](some.md) and [some.md](some.md "mention").\n',
        "some.md": page,
        f".gitbook/assets/{word}.txt": f"{word}\n",
        f".gitbook/assets/{word}.png": PICTURE,
        "SUMMARY.md": f"* [Home](README.md)\n* [{title}](some.md)\n",
    }
    return write(tmp_path / name, files)


def _with_token(site: Guarded, **claims: Any) -> Browser:
    browser = site.browser()
    reply = browser.open(f"{site.base}?jwt_token={site.token(**claims)}")
    assert reply.status == 200, reply.text[:200]
    return browser


def _site(world: World, tmp_path: Path, **folder: Any) -> Guarded:
    space = world.imported(_folder(tmp_path, "docs", secret=True, **folder), "Space")
    world.work()
    return Guarded(world, world.site(space, title="Orchard"))


def _unpublished(world: World, tmp_path: Path) -> Hidden:
    site = _site(world, tmp_path)
    assert world.api.post(f"{site.api}/unpublish").status == 200
    return Hidden(site)


def _share_link(world: World, tmp_path: Path) -> Hidden:
    site = _site(world, tmp_path)
    site.change(visibility="share-link")
    insider = site.browser()
    insider.open(urlsplit(site.link()["urls"]["published"]).path)
    return Hidden(site, insider)


def _visitor_auth(world: World, tmp_path: Path) -> Hidden:
    site = _site(world, tmp_path)
    site.change(visibility="visitor-auth")
    return Hidden(site, _with_token(site))


def _page_condition(world: World, tmp_path: Path) -> Hidden:
    site = _site(world, tmp_path, front=f"if: {BETA}\n")
    site.adapt()
    return Hidden(site, _with_token(site, plan="pro"))


def _block_condition(world: World, tmp_path: Path) -> Hidden:
    site = _site(world, tmp_path, block=True)
    site.adapt()
    return Hidden(site, _with_token(site, plan="pro"))


def _change_request(world: World, tmp_path: Path) -> Hidden:
    space = world.imported(_folder(tmp_path, "docs", secret=False), "Space")
    line = Line(world, space, subject=f"About the {SECRET}")
    line.insert(f"# The {SECRET}\n\nThe {SECRET}.\n")
    world.work()
    site = Guarded(world, world.site(space, title="Orchard"))
    world.api.get(f"{line.path}/preview")
    return Hidden(site)


def _deleted_space(world: World, tmp_path: Path) -> Hidden:
    hidden = _placed(world, tmp_path)
    [secret] = [
        one for one in world.api.get(f"{hidden.site.api}/structure").json["structure"] if SECRET in one["title"]
    ]
    assert world.api.delete(f"/v1/spaces/{secret['space']['id']}").status == 205
    return hidden


def _placed(world: World, tmp_path: Path, *, section: Any = None, group: Any = None, **more: Any) -> Hidden:
    """A second space whose place on the site is not for everybody."""
    first = world.imported(_folder(tmp_path, "first", secret=False), "First")
    second = world.imported(_folder(tmp_path, "second", secret=True), f"Second {SECRET}")
    world.work()
    site = Guarded(world, world.site(first, title="Orchard"))
    own = {"organization": world.organization, "site": site.site["id"]}

    async def place(unit: Any) -> None:
        at = unit.sites._at
        held = None
        if section is not None:
            around = None
            if group is not None:
                around = new_id()
                await GROUPS.add(at, SiteSectionGroup(id=around, title=f"Group {SECRET}", position="a", **own, **group))
            opened, held = new_id(), new_id()
            await SECTIONS.add(at, SiteSection(id=opened, title="Open", path="open", position="a", default=True, **own))
            await SECTIONS.add(
                at,
                SiteSection(
                    id=held, title=f"Section {SECRET}", path=f"s-{SECRET}", position="b", group=around, **own, **section
                ),
            )
            [link] = await unit.sites.site_spaces(site.site["id"])
            await unit.sites.change_site_space(link, section=opened)
        await unit.sites.add_site_space(
            SiteSpace(
                id=new_id(), space=second, title=f"Variant {SECRET}", path=f"v-{SECRET}", position="zz", section=held,
                default=held is not None, **own, **more,
            )
        )  # fmt: skip

    world.run(world.house.store.write(place))
    if "condition" in more or "condition" in (section or {}):
        site.adapt()
        return Hidden(site, _with_token(site, plan="pro"))
    return Hidden(site)


KINDS: dict[str, Callable[[World, Path], Hidden]] = {
    "unpublished": _unpublished,
    "share-link": _share_link,
    "visitor-auth": _visitor_auth,
    "page condition": _page_condition,
    "block condition": _block_condition,
    "change request": _change_request,
    "deleted space": _deleted_space,
    "site-space condition": lambda world, tmp: _placed(world, tmp, condition=BETA),
    "site-space draft": lambda world, tmp: _placed(world, tmp, draft=True),
    "section condition": lambda world, tmp: _placed(world, tmp, section={"condition": BETA}),
    "section draft": lambda world, tmp: _placed(world, tmp, section={"draft": True}),
    "group draft": lambda world, tmp: _placed(world, tmp, section={}, group={"draft": True}),
    "a condition that fails": lambda world, tmp: _placed(world, tmp, condition="visitor.claims.plan.x.y == undefined"),
}
HINTS = (f"v-{SECRET}", f"s-{SECRET}", f"the-{SECRET}", f"q={SECRET}")
"""Addresses that an answer may repeat, because they were asked for."""


def _outsiders(hidden: Hidden) -> Iterator[tuple[str, Browser]]:
    site, world = hidden.site, hidden.site.world
    yield "nobody", site.browser()
    other = Guarded(world, world.site(title="Other", visibility="share-link"))
    by_link = site.browser()
    by_link.open(urlsplit(other.link()["urls"]["published"]).path)
    for (host, path, name), value in list(by_link.jar.items()):
        by_link.jar[host, path.replace(other.base, site.base), name] = value
    yield "somebody with a link of another site", by_link
    other.change(visibility="visitor-auth")
    token = other.token(plan="pro", beta=True)
    foreign = site.browser()
    foreign.jar[foreign.host, site.base, "gitbook-visitor-token"] = token
    yield "somebody with a token of another site", foreign
    claiming = site.browser()
    claiming.jar[claiming.host, site.base, "gitbook-visitor-public"] = quote('{"plan": "pro", "lang": "en"}')
    yield "somebody who says so", claiming
    if site.site["visibility"] == "public":
        lesser = site.browser()
        lesser.open(f"{site.base}?jwt_token={site.token(plan='free', beta=True)}")
        yield "somebody with other claims", lesser
    elif hidden.insider is not None:
        late = site.browser()
        late.jar.update(hidden.insider.jar)
        path = f"{site.api}/share-links"
        for link in world.api.get(path).json["items"]:
            world.api.patch(f"{path}/{link['id']}", {"active": False})
        world.api.post(f"{site.api}/publishing/auth/regenerate")
        yield "somebody who was let in before", late


def _surfaces() -> Iterator[tuple[str, str]]:
    bases = ["", f"v-{SECRET}/", f"s-{SECRET}/", f"s-{SECRET}/v-{SECRET}/"]
    for base in bases:
        for path in ("", "some", "the-" + SECRET, "x"):
            yield base + path, "text/html"
            yield base + path, "text/markdown"
        for path in ("README.md", "some.md", "rss.xml", "some/rss.xml", "llms.txt", "llms-full.txt", "~octavo/nav/x"):
            yield base + path, "*/*"
    for path in ("sitemap.xml", "robots.txt", "favicon.ico", "sitemap-1.xml"):
        yield path, "*/*"
    for word in (SECRET, SECRET[:6], "the", "lies"):
        yield f"~octavo/search?q={word}", "application/json"
        if word != SECRET:
            # That page repeats what was asked.
            yield f"~octavo/search?q={word}", "text/html"


def _told(browser: Browser, base: str) -> tuple[list[str], set[str]]:
    """Where the word is told, and the addresses of pictures, files and entries that were met."""
    told, met = [], set()
    for path, accept in _surfaces():
        reply = browser.open(base + path, accept=accept)
        text = " ".join([*reply.headers.values(), reply.body.decode("latin-1")])
        here = urljoin("http://octavo.test", base + path)
        met |= {
            urljoin(here, one) for one in re.findall(r'(?:href|src|content|data-lazy)="([^"]*~octavo/[^"]+)"', text)
        }
        for hint in HINTS:
            text = text.replace(hint, "")
        if SECRET in text.lower():
            told.append(f"{path} as {accept}")
    return told, {urlsplit(one).path for one in met}


@pytest.mark.parametrize("kind", KINDS)
def test_the_secret_is_told_to_nobody_who_may_not_see_it(world: World, tmp_path: Path, kind: str) -> None:
    hidden = KINDS[kind](world, tmp_path)
    base, insider = hidden.site.base, hidden.insider
    files: set[str] = set()
    if insider is not None and kind != "a condition that fails":
        told, met = _told(insider, base)
        assert any("search" in one for one in told) or kind == "block condition"
        assert "llms-full.txt as */*" in told
        files = {one for one in met if SECRET in one and ("/files/" in one or "/social/" in one)}
        assert files
        assert all(insider.get(one).status == 200 for one in files)
        for one in files:
            assert insider.get(one).headers["cache-control"] == "private, no-cache"
    for name, browser in _outsiders(hidden):
        told, _ = _told(browser, base)
        assert told == [], name
        if hidden.site.site["visibility"] != "public" or any(one in kind for one in ("space", "section", "page")):
            # Also who was told their addresses.
            assert {browser.get(one).status for one in files} <= {404}, name
