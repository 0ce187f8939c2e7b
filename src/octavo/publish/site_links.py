"""Where the links and pictures of a customization lead on its site; what leads nowhere is left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

from msgspec import UNSET

from octavo.content.html import Target
from octavo.content.html.escape import address, host
from octavo.content.icons import content_icon
from octavo.kernel.records import Json
from octavo.publish.accounts import account
from octavo.publish.context import SiteContext, opens_tab
from octavo.publish.views import Announcement, HeaderLink, Image, Link, LinkGroup, SiteChrome
from octavo.site.snapshot import Snapshot
from octavo.site.visitor import holds
from octavo.wire.sites import customization
from octavo.wire.sites.customization import Customization
from octavo.wire.sites.pictures import below


class SiteLinks:
    """The links of one customization, in the words of the site's locale."""

    def __init__(self, site: SiteChrome, look: Customization, context: SiteContext, at: Snapshot) -> None:
        self._site = site
        self._scope = at.visitor.of("").scope()
        self._organization = at.site.organization
        self._look = look
        self._context = context

    def header(self) -> tuple[HeaderLink, ...]:
        """The links of the header."""
        made = [self._header_link(link) for link in self._look.header.links if self._holds(link.condition)]
        return tuple(link for link in made if link is not None)

    def primary(self) -> Link | None:
        """Where the title of the site leads, where that is not its beginning."""
        ref = self._look.header.primary_link
        return self._link(ref, "") if isinstance(ref, dict) else None

    def footer(self) -> tuple[LinkGroup, ...]:
        """The groups of the footer that have a link."""
        groups = [
            LinkGroup(self._title(group.localized_title, group.title), self._links(group.links))
            for group in self._look.footer.groups
        ]
        return tuple(group for group in groups if group.links)

    def social(self, place: str) -> tuple[Link, ...]:
        """The accounts to show in the `header` or the `footer`."""
        made = []
        for one in self._look.social_accounts:
            found = account(one.platform, one.handle) if getattr(one.display, place) else None
            if found is not None:
                new_tab = opens_tab(self._site, found.href)
                made.append(Link(found.name, found.href, content_icon(found.icon), new_tab=new_tab))
        return tuple(made)

    def announcement(self, site: str) -> Announcement | None:
        """What is to be said above every page of the site with that id."""
        said = self._look.announcement
        if said is UNSET or not said.enabled or not said.message.strip():
            return None
        message = self._title(said.localized_message or {}, said.message).strip()
        link = next(iter(self._links((said.link,))), None) if said.link is not UNSET else None
        parts = (site, message, said.style, link.href if link else "", link.title if link else "")
        key = blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=6).hexdigest()
        return Announcement(key, message, said.style, link)

    def image(self, stored: tuple[Any, Any] | None) -> Image | None:
        """A picture for both themes, each an address or a content reference."""
        light, dark = (self._picture(one) for one in stored or ("", ""))
        if not light and not dark:
            return None
        return Image(light or dark, dark if light and dark != light else "")

    def _picture(self, stored: Any) -> str:
        ref = stored if isinstance(stored, dict) else {"kind": "url", "url": stored}
        if (own := below(str(ref.get("url") or ""), self._organization)) != "":
            return self._site.static_path + own
        picture = self._context.image(ref)
        return picture.url if picture is not None and shown_picture(picture.url) else ""

    def _header_link(self, link: customization.HeaderLink) -> HeaderLink | None:
        title = self._title(link.localized_title, link.title)
        own = self._link(link.to, title)
        below = self._links(link.links)
        if own is None and not below:
            return None
        if own is None:
            return HeaderLink(title, children=below, style=link.style)
        return HeaderLink(own.title, own.href, below, link.style, own.new_tab)

    def _links(self, links: Iterable[customization.FooterLink]) -> tuple[Link, ...]:
        made = (
            self._link(link.to, self._title(link.localized_title, link.title))
            for link in links
            if self._holds(link.condition)
        )
        return tuple(link for link in made if link is not None)

    def _link(self, ref: Json | None, title: str) -> Link | None:
        target = self._context.link(ref) if isinstance(ref, dict) else None
        if target is None or not _leads(target):
            return None
        return Link(title or target.title or host(target.href) or target.href, target.href, new_tab=target.new_tab)

    def _holds(self, condition: object) -> bool:
        return condition in (UNSET, "") or (isinstance(condition, str) and holds(condition, self._scope))

    def _title(self, localized: Mapping[Any, str], title: str) -> str:
        return localized.get(self._site.locale) or title


def shown_picture(url: str) -> bool:
    """Whether pages may show a picture from the address: the content security policy would refuse others."""
    return url.startswith("https://") or (url.startswith("/") and not url.startswith("//"))


def _leads(target: Target) -> bool:
    # An anchor alone would lead to a place on whichever page is open.
    return not target.broken and not target.href.startswith("#") and bool(address(target.href))
