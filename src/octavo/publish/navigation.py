"""What a site's pages offer beside themselves: the sections, groups and links of the site, and variants of what is read."""

from __future__ import annotations

from collections.abc import Mapping

from octavo.content.icons import content_icon
from octavo.content.revision import Branch
from octavo.history.contents import Contents
from octavo.kernel.records import Json
from octavo.kernel.records.sites import SiteExternalLink, SiteSectionGroup, SiteSpace
from octavo.publish.building import Address
from octavo.publish.context import page_href
from octavo.publish.views import Alternate, Link, SiteChrome, Tab
from octavo.site.snapshot import Place, Snapshot
from octavo.site.structure import levels
from octavo.store.sites.structure import Entry


def tabs(snapshot: Snapshot, address: Address, place: Place | None, locale: str) -> tuple[Tab, ...]:
    """The navigation as visitors see it, in the words of a locale; nothing where it would offer one way only."""
    current = place.section.id if place is not None and place.section is not None else ""
    below = levels(snapshot.navigation)

    def made(entry: Entry) -> Tab | None:
        title = worded(entry.localized_title, locale) or entry.title
        icon = content_icon(entry.icon) if entry.icon else ""
        if isinstance(entry, SiteSectionGroup):
            children = tuple(tab for one in below.get(entry.id, ()) if (tab := made(one)) is not None)
            is_open = any(child.current for child in children)
            return Tab(title, icon=icon, current=is_open, children=children) if children else None
        about = worded(entry.localized_description, locale) or entry.description or ""
        if isinstance(entry, SiteExternalLink):
            return Tab(title, entry.url, icon, description=about, new_tab=True)
        href = address.base + snapshot.section_base(entry)
        return Tab(title, href, icon, current=entry.id == current, description=about)

    found = tuple(tab for one in below.get(None, ()) if (tab := made(one)) is not None)
    alone = len(found) == 1 and not found[0].children and not found[0].new_tab
    return () if alone else found


def worded(localized: Json | None, locale: str) -> str:
    """What is said in a locale; "" where nothing is."""
    return str((localized or {}).get(locale) or "")


def variants_of(snapshot: Snapshot, place: Place | None) -> list[SiteSpace]:
    """What somebody may read instead of what stands here, which is among it; empty where there is no choice."""
    if place is None:
        return []
    here = place.site_space.id
    beside = [one for one in snapshot.siblings(place.site_space) if not one.hidden or one.id == here]
    return beside if len(beside) > 1 else []


def variants(
    snapshot: Snapshot, address: Address, place: Place | None, branch: Branch | None, contents: Mapping[str, Contents]
) -> tuple[Link, ...]:
    """The variants as links: to the page with the path of this one, where there is such, else to the beginning.

    `contents` are those of the variants' site-spaces as the visitor sees them, by id, where a page is read.
    """

    def link(one: SiteSpace) -> Link:
        base = address.base + snapshot.base_of(one)
        here = place is not None and one.id == place.site_space.id
        known = contents.get(one.id)
        same = None if known is None or branch is None else known.by_path.get(branch.path.lower())
        if known is None or same is None or same.page.type != "document":
            return Link(one.title, base, current=here)
        language = snapshot.spaces[one.space].language
        return Link(one.title, page_href(known, base, same), current=here, lang=tag(language or ""))

    return tuple(link(one) for one in variants_of(snapshot, place))


def alternates(site: SiteChrome) -> tuple[Alternate, ...]:
    """The same page in other languages, for machines, where its variants are languages."""
    named = {one.lang: one.href for one in reversed(site.variants) if one.lang}
    if len(named) < 2:
        return ()
    return tuple(Alternate(lang, site.public_url + named[lang].removeprefix(site.base_path)) for lang in sorted(named))


def current_trail(entries: tuple[Tab, ...]) -> list[str]:
    """The titles on the way to the section that is open."""
    for one in entries:
        if one.current:
            return [one.title, *current_trail(one.children)]
    return []


def tag(language: str) -> str:
    """A language as a BCP 47 tag."""
    primary, dash, region = language.partition("-")
    return f"{primary}{dash}{region.upper()}"
