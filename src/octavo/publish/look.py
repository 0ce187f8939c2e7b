"""The look of a site: its customization as the view that templates take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from octavo.content.html.text import characters
from octavo.content.revision import Branch
from octavo.history.contents import Contents
from octavo.kernel import extras
from octavo.kernel.records import Json
from octavo.publish import code_themes, customizations, favicons, navigation, typefaces, words
from octavo.publish.building import Address
from octavo.publish.colours import Further
from octavo.publish.context import SiteContext
from octavo.publish.endpoints import SCRIPTS, is_elsewhere
from octavo.publish.kept import READS, Reads
from octavo.publish.marking import preview_of
from octavo.publish.reading import contents_at
from octavo.publish.site_links import SiteLinks, shown_picture
from octavo.publish.views import SiteChrome
from octavo.publish.watching import ENDPOINT
from octavo.site.snapshot import Place, Snapshot
from octavo.site.visitor import names_of
from octavo.store.kept import Kind
from octavo.store.unit import Store, Unit
from octavo.wire.sites.customization import DEFAULT, Customization, FooterLink, Header, HeaderLink, Styling
from octavo.wire.sites.customization_values import ThemedCode, ThemedColour
from octavo.wire.sites.pictures import below
from octavo.wire.sites.sites import LOGOUT

_CHROMES: Kind[SiteChrome] = Kind("looks of sites", lambda chrome: 4_000 + 2 * len(repr(chrome)))
"""Views without sections and variants, by everything that they were made of."""


async def site_chrome(
    store: Store, snapshot: Snapshot, address: Address, place: Place | None, branch: Branch | None = None
) -> SiteChrome:
    """The site around every page; `place` is where the visitor is, None on pages of the site as a whole, and `branch` is
    the page that is read there."""
    language = place.space.language if place is not None else None
    own = place.site_space.customization if place is not None else None
    whole = (
        snapshot.version,
        snapshot.heads,
        address,
        language,
        place.site_space.id if place is not None and own else "",
        # What the look reads of visitors hangs on which spaces its links may lead into.
        snapshot.view,
    )
    reads = store.kept.get(READS, whole)
    view = None if reads is None else store.kept.get(_CHROMES, _key(whole, snapshot, reads.names))
    if view is None:
        stored = customizations.of_place(snapshot.site.customization, own)
        made = await store.read(lambda unit: _dressed(unit, snapshot, address, language, stored))
        store.kept.put(READS, whole, Reads(made.reads))
        view = store.kept.put(_CHROMES, _key(whole, snapshot, made.reads), made)
    preview = None
    if snapshot.visitor.previews:
        preview = await store.read(lambda unit: preview_of(unit, snapshot, address.base))
    beside = await _variants(store, snapshot, place) if branch is not None else {}
    scripts = () if snapshot.visitor.previews or not is_elsewhere(address.base) else snapshot.scripts
    return replace(
        view,
        preview=preview,
        scripts=tuple(f"{address.base}~octavo/{SCRIPTS}/{one.installation}.js" for one in scripts),
        policies=tuple(one.policy for one in scripts if one.policy is not None),
        insights_url="" if store.insights is None or snapshot.visitor.previews else address.base + ENDPOINT,
        sections=navigation.tabs(snapshot, address, place, view.locale),
        variants=navigation.variants(snapshot, address, place, branch, beside),
        reads=view.reads.union(*(one.reads for one in beside.values())),
        spaces=view.spaces.union(one.space for one in snapshot.site_spaces if one.id in beside),
        search_in=place.space.id if place is not None and len(snapshot.shown) > 1 else "",
    )


def _key(whole: tuple[object, ...], snapshot: Snapshot, reads: frozenset[str]) -> tuple[object, ...]:
    return (*whole, snapshot.visitor.known(reads))


async def _variants(store: Store, snapshot: Snapshot, place: Place | None) -> dict[str, Contents]:
    """What the variants of a place hold, by their ids."""
    beside = navigation.variants_of(snapshot, place)

    async def read(unit: Unit) -> dict[str, Contents]:
        return {one.id: await contents_at(unit, snapshot, one.space, one) for one in beside}

    return await store.read(read) if beside else {}


async def _dressed(unit: Unit, snapshot: Snapshot, address: Address, language: str | None, stored: Json) -> SiteChrome:
    look = customizations.read(stored)
    view = _plain(snapshot, address, look, language)
    home = snapshot.default_place()
    space = "" if home is None else home.space.id
    contents = await _contents(unit, snapshot, stored, space)
    here = address.base + ("" if home is None else home.base)
    links = SiteLinks(view, look, SiteContext(snapshot, view, space, here, contents), snapshot)
    conditions = names_of(link.condition for link in _links(look) if isinstance(link.condition, str))
    view = replace(
        view,
        reads=conditions.union(snapshot.reads, *(one.reads for one in contents.values())),
        spaces=frozenset(contents),
        logo=links.image(customizations.pictures(stored, "header", "logo")),
        icon=links.image(
            customizations.pictures(stored, "favicon", "icon") or customizations.pictures(snapshot.site.icon, "icon")
        ),
        footer_logo=links.image(customizations.pictures(stored, "footer", "logo")),
        announcement=links.announcement(snapshot.site.id),
        brand_link=links.primary(),
        header_links=() if look.header.preset == "none" else links.header(),
        header_social=() if look.header.preset == "none" else links.social("header"),
        footer_groups=links.footer(),
        footer_social=links.social("footer"),
    )
    return _with_icons(view, address)


async def _contents(unit: Unit, snapshot: Snapshot, stored: Json | None, home: str) -> Mapping[str, Contents]:
    """The entries of the spaces that links and pictures point into."""
    wanted = {
        str(ref.get("space") or home)
        for ref in customizations.references(stored)
        if ref["kind"] in ("page", "anchor", "file")
    }
    return {space: await contents_at(unit, snapshot, space) for space in wanted & {one.space for one in snapshot.shown}}


def _links(look: Customization) -> Iterator[FooterLink | HeaderLink]:
    """All links that may have a condition."""
    for link in look.header.links:
        yield link
        yield from link.links
    for group in look.footer.groups:
        yield from group.links


def _plain(snapshot: Snapshot, address: Address, look: Customization, language: str | None) -> SiteChrome:
    """Everything but links and pictures."""
    styling, site = look.styling, snapshot.site
    locale = words.nearest(language, look.internationalization.locale)
    titles: Mapping[Any, str] = look.localized_title or {}
    light, dark = _full(styling.primary_color)
    own_emoji = look.favicon.emoji or (site.icon or {}).get("emoji")
    preview, privacy = look.social_preview.url or "", look.privacy_policy.url or ""
    preview = address.static + own if (own := below(preview, site.organization)) else preview
    return SiteChrome(
        title=titles.get(locale) or look.title or site.title,
        base_path=address.base,
        static_path=address.static,
        locale=locale,
        lang=_tag(language, locale),
        primary=light,
        primary_dark="" if dark == light else dark,
        colours=_further(styling, look.header),
        style=_style(styling, look.header),
        theme=look.themes.default,
        theme_switch=look.themes.toggeable,
        footer_note=look.footer.copyright or "",
        privacy_url=privacy if privacy.startswith(("https://", "http://")) else "",
        trademark=look.trademark.enabled,
        pagination=look.pagination.enabled,
        feedback=look.feedback.enabled,
        typefaces=(*typefaces.chosen(styling, snapshot.fonts), *_code_colours(styling)),
        actions=tuple(look.page_actions.items),
        new_tab=look.external_links.target == "blank",
        open_to_all=site.visibility in ("public", "unlisted"),
        logout_url=address.base + LOGOUT if site.visibility == "visitor-auth" else "",
        search_url=address.base + "~octavo/search",
        public_url=address.public,
        emoji=characters(own_emoji),
        social_image=preview if shown_picture(preview) else "",
    )


def _with_icons(view: SiteChrome, address: Address) -> SiteChrome:
    """The icons of browsers and home screens: the site's own picture, or its mark."""
    mark = favicons.mark_of(view.title, view.primary, view.emoji)
    drawn = "" if extras.lacks("pdf") else address.base + favicons.png_path(mark)
    if view.icon is None:
        return replace(view, favicon=address.base + favicons.svg_path(mark), touch_icon=drawn)
    # Home screens take no drawings.
    vector = view.icon.href.partition("?")[0].lower().endswith(".svg")
    own = drawn if vector else view.icon.href
    return replace(view, favicon=view.icon.href, favicon_dark=view.icon.dark, touch_icon=own)


def _tag(language: str | None, locale: str) -> str:
    """The language of the content where it is not that of the words around it."""
    if not language or words.nearest(language, "") == locale:
        return ""
    return navigation.tag(language)


def _full(colour: ThemedColour) -> tuple[str, str]:
    """Both colours with six digits."""
    light, dark = (
        one if len(one) == 7 else "#" + "".join(digit * 2 for digit in one[1:]) for one in (colour.light, colour.dark)
    )
    return light.lower(), dark.lower()


def _further(styling: Styling, header: Header) -> Further:
    """The colours that were chosen beside the primary one."""
    made = [] if styling.tint is UNSET else [("tint", *_full(styling.tint.color))]
    for name in ("info", "success", "warning", "danger"):
        chosen: ThemedColour = getattr(styling, f"{name}_color")
        if chosen != getattr(DEFAULT.styling, f"{name}_color"):
            made.append((name, *_full(chosen)))
    if header.preset == "custom" and header.background_color is not UNSET:
        made.append(("bar", *_full(header.background_color)))
        if header.link_color is not UNSET:
            made.append(("link", *_full(header.link_color)))
    return tuple(made)


def _style(styling: Styling, header: Header) -> tuple[tuple[str, str], ...]:
    """Data attributes for the style sheet; what is as usual needs none."""
    bar = "bold" if header.preset == "default" and styling.theme == "bold" else header.preset
    if bar == "custom" and header.background_color is UNSET:
        bar = "default"
    usual = DEFAULT.styling
    given = {
        "look": (styling.theme, usual.theme),
        "corners": (styling.corners, usual.corners),
        "depth": (styling.depth, usual.depth),
        "links": (styling.links, usual.links),
        "background": (styling.background, usual.background),
        "search": (styling.search, usual.search),
        "icons": (styling.icons, usual.icons),
        "sidebar": (styling.sidebar.background, usual.sidebar.background),
        "list": (styling.sidebar.list, usual.sidebar.list),
        "header": (bar, "default"),
        "code": (_code(styling.code_theme.default), ""),
        "api-code": (_code(styling.code_theme.openapi) or "both", _code(styling.code_theme.default) or "both"),
    }
    return tuple((name, value) for name, (value, without) in given.items() if value != without)


def _code_colours(styling: Styling) -> tuple[tuple[str, str], ...]:
    themes = styling.code_theme
    said = (("code", code_themes.named(themes.default)), ("apicode", code_themes.named_for_apis(themes)))
    return tuple((name, named) for name, named in said if named)


def _code(themes: ThemedCode) -> str:
    """Which of the two code themes stands on both grounds; empty when each has its own."""
    light, dark = code_themes.is_light(themes.light), code_themes.is_light(themes.dark)
    return ("light" if light else "dark") if light == dark else ""
