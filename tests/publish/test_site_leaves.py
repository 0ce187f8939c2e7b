"""Every leaf of a customization: who changes it through the API changes pages, or it stands in a list with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from octavo.kernel.records.git import GitSync
from octavo.wire.sites.customization import Customization
from tests.client import World
from tests.publish.visiting import Visitor, visit, write

WITHOUT_EFFECT = {
    "ai.mode": "Octavo's pages have no assistant of their own",
    "ai.greeting": "Octavo's pages have no assistant of their own",
    "ai.localizedGreeting": "Octavo's pages have no assistant of their own",
    "ai.suggestions": "Octavo's pages have no assistant of their own",
    "ai.instructions": "Octavo's pages have no assistant of their own",
}
ELSEWHERE = {
    "insights.trackingCookie": "tests/publish/test_site_insights.py: the cookie comes with the answer to a page's post"
}
"""What takes effect where no page shows it, and which test holds that."""

HERE, THERE = ({"kind": "url", "url": f"https://example.org/{word}"} for word in ("here", "there"))
LINK: dict[str, Any] = {"title": "A", "to": HERE}
MENU = {"title": "M", "to": None, "links": [LINK]}
GROUP = {"title": "G", "links": [LINK]}
SAID: dict[str, Any] = {"enabled": True, "message": "Hello", "style": "info", "link": LINK}
ACCOUNT = {"platform": "github", "handle": "pond", "display": {"footer": True, "header": False}}
COLOUR, OTHER = {"light": "#112233", "dark": "#ddeeff"}, "#7a1fa2"
PICTURE = {"light": "https://example.org/l.png", "dark": "https://example.org/d.png"}
GERMAN = {"internationalization": {"locale": "de"}}
CUSTOM = {"preset": "custom", "backgroundColor": COLOUR, "linkColor": {"light": "#ffffff", "dark": "#000000"}}


def _colour(name: str) -> dict[str, Any]:
    return {"styling": {name: COLOUR}}


def _links(*links: Any) -> dict[str, Any]:
    return {"header": {"links": list(links)}}


BASES: dict[str, dict[str, Any]] = {
    "localizedTitle": GERMAN,
    **{f"styling.{name}Color": _colour(f"{name}Color") for name in ("primary", "info", "success", "warning", "danger")},
    "styling.tint.color": {"styling": {"tint": {"color": COLOUR}}},
    **{
        f"styling.codeTheme.{of}": {"styling": {"codeTheme": {of: {"light": "default-light", "dark": "default-dark"}}}}
        for of in ("default", "openapi")
    },
    "favicon.icon": {"favicon": {"icon": PICTURE}},
    "header.links.*.title": _links(LINK), "header.links.*.to": _links(LINK), "header.links.*.style": _links(LINK),
    "header.links.*.localizedTitle": _links(LINK) | GERMAN, "header.links.*.condition": _links(LINK),
    "header.links.*.links.*.title": _links(MENU), "header.links.*.links.*.to": _links(MENU),
    "header.links.*.links.*.localizedTitle": _links(MENU) | GERMAN, "header.links.*.links.*.condition": _links(MENU),
    "header.logo": {"header": {"logo": PICTURE}},
    "header.backgroundColor": {"header": CUSTOM}, "header.linkColor": {"header": CUSTOM},
    "footer.groups.*": {"footer": {"groups": [GROUP]}} | GERMAN,
    "footer.logo": {"footer": {"logo": PICTURE}},
    "announcement": {"announcement": SAID} | GERMAN,
    "advancedCustomization.enabled": {"footer": {"copyright": "Pond"}},
    "socialAccounts.*": {"socialAccounts": [ACCOUNT]},
}  # fmt: skip
"""What is set before the leaf changes; the longest beginning of its name counts."""

VALUES: dict[str, Any] = {
    "title": "Sea", "localizedTitle": {"de": "Teich"},
    "styling.theme": "muted", "styling.corners": "straight", "styling.depth": "flat", "styling.links": "accent",
    "styling.font": "Lato", "styling.headingFont": "Lato", "styling.monospaceFont": "FiraCode",
    "styling.background": "match", "styling.icons": "thin", "styling.sidebar.background": "filled",
    "styling.sidebar.list": "line", "styling.search": "subtle",
    "styling.codeTheme.default.light": "solarized-light", "styling.codeTheme.default.dark": "nord",
    "styling.codeTheme.openapi.light": "solarized-light", "styling.codeTheme.openapi.dark": "nord",
    "internationalization.locale": "fr", "favicon.emoji": "🦆",
    "header.preset": "bold", "header.primaryLink": THERE, "footer.copyright": "Pond",
    "announcement.enabled": False, "announcement.message": "Good bye", "announcement.style": "danger",
    "announcement.localizedMessage": {"de": "Guten Tag"},
    "themes.default": "dark", "themes.toggeable": False,
    "advancedCustomization.enabled": False, "pageActions.items": ["git"], "externalLinks.target": "blank",
    "pagination.enabled": False, "trademark.enabled": True, "privacyPolicy.url": "https://example.org/privacy",
    "socialPreview.url": "https://example.org/p.png",
    "socialAccounts.*.platform": "medium", "socialAccounts.*.handle": "sea",
    "socialAccounts.*.display.header": True, "socialAccounts.*.display.footer": False,
    "header.links.*.style": "button-primary", "feedback.enabled": True,
}  # fmt: skip
_BY_END = {
    "title": "B", "to": THERE, "localizedTitle": {"de": "Da"}, "condition": "false", "light": OTHER, "dark": OTHER,
}  # fmt: skip
_PICTURES = ("header.logo", "footer.logo", "favicon.icon")


def leaves(shape: Any, at: str = "") -> Iterator[str]:
    """The names of all that can be set, `*` for the entries of a list."""
    kinds = [shape, *get_args(shape)]
    kinds += [inner for one in kinds for inner in get_args(one)]
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__name__ != "FontDefinition":
            hints = get_type_hints(kind, include_extras=True)
            for field in msgspec.structs.fields(kind):
                yield from leaves(hints[field.name], f"{at}.{field.encode_name}" if at else field.encode_name)
            return
        if get_origin(kind) is list and at:
            below = list(leaves(get_args(kind)[0], f"{at}.*"))
            if below != [f"{at}.*"]:
                yield from below
                return
    yield at


LEAVES = sorted(set(leaves(Customization)))


def _base(leaf: str) -> dict[str, Any]:
    known = [name for name in BASES if leaf == name or leaf.startswith(f"{name}.")]
    return BASES[max(known, key=len)] if known else {}


def _value(leaf: str) -> Any:
    if leaf in VALUES:
        return VALUES[leaf]
    if leaf.rpartition(".")[0] in _PICTURES:
        return "https://example.org/new.png"
    return _BY_END[leaf.rpartition(".")[2]]


def _with(look: Any, way: list[str], value: Any) -> Any:
    if not way:
        return value
    if way[0] == "*":
        return [_with(look[0], way[1:], value)]
    return {**(look or {}), way[0]: _with((look or {}).get(way[0]), way[1:], value)}


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    text = "# Ducks\n\n[Away](https://example.com/a)\n\n```python\nprint(1)\n```\n"
    files = {"SUMMARY.md": "* [Home](README.md)\n* [Ducks](ducks.md)\n", "README.md": "# Home\n", "ducks.md": text}
    site = visit(world, write(tmp_path, files), title="Pond")

    async def sync(unit: Any) -> None:
        await unit.spaces.put_git_sync(
            GitSync(
                space=site.space,
                organization=world.organization,
                url="https://git.test/a.git",
                repo_name="a",
                updated_at=unit.now,
                provider="github",
                ref="refs/heads/main",
                state="success",
            )
        )

    world.run(world.house.store.write(sync))
    return site


def _seen(site: Visitor) -> tuple[str, str]:
    """The page, without what follows from its being another one, and its style sheet."""
    page = site.page("ducks")
    sheet = next(one["href"] for one in page.all("link", rel="stylesheet") if "theme.css" in one["href"])
    reply = site.get(sheet)
    assert reply.status == 200
    return site.get("ducks").text, reply.text


def test_every_leaf_changes_pages(site: Visitor) -> None:
    at = f"/v1/orgs/{site.world.organization}/sites/{site.site['id']}/customization"
    silent = []
    for leaf in LEAVES:
        if leaf in WITHOUT_EFFECT or leaf in ELSEWHERE:
            continue
        base, value = _base(leaf), _value(leaf)
        after = _with(base, leaf.split("."), value)
        seen = []
        for look in (base, after):
            reply = site.world.api.put(at, look)
            assert reply.status == 200, f"{leaf}: {reply.text}"
            seen.append(_seen(site))
        if seen[0] == seen[1]:
            silent.append(leaf)
    assert not silent, f"change nothing: {silent}"


def test_the_list_of_what_has_no_effect_is_true(site: Visitor) -> None:
    at = f"/v1/orgs/{site.world.organization}/sites/{site.site['id']}/customization"
    assert set(WITHOUT_EFFECT) | set(ELSEWHERE) <= set(LEAVES)
    site.world.api.put(at, {})
    plain = _seen(site)
    look = {
        "insights": {"trackingCookie": True},
        "ai": {"mode": "assistant", "greeting": "Hi", "localizedGreeting": {"de": "Na"}, "suggestions": ["Why?"],
               "instructions": "Be brief"},
    }  # fmt: skip
    assert site.world.api.put(at, look).status == 200
    assert _seen(site) == plain


def test_a_site_space_looks_otherwise_where_it_says_so(world: World) -> None:
    site = world.site(*(world.space(title)["id"] for title in ("One", "Two")))
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    one, two = world.api.get(f"{at}/structure").json["structure"]
    world.api.put(f"{at}/customization", {"footer": {"copyright": "Pond"}, "header": {"links": [MENU]}})
    own = {"footer": {"copyright": "Ocean"}, "header": {"links": [LINK]}, "styling": {"corners": "straight"}}
    assert world.api.patch(f"{at}/site-spaces/{two['id']}/customization", own).status == 200
    first, second = (
        world.api.get(one["urls"]["published"].partition("octavo.test")[2], token="").text for one in (one, two)
    )
    assert ("Pond" in first, "Ocean" in first, "Pond" in second, "Ocean" in second) == (True, False, False, True)
    assert ('data-corners="straight"' in first, 'data-corners="straight"' in second) == (False, True)
    world.api.delete(f"{at}/site-spaces/{two['id']}/customization")
    assert "Pond" in world.api.get(two["urls"]["published"].partition("octavo.test")[2], token="").text
