"""Where a published site answers."""

from __future__ import annotations

import re
from urllib.parse import quote

from octavo.content.slugs import slugify
from octavo.kernel.records.sites import Site, SiteSection, SiteSpace

BASENAME = 50
"""Characters of a basename that is made of a title: a host label has at most 63."""


def host_label(title: str) -> str:
    """A basename made of a title: what may also stand as a label of a host name; empty where nothing is left."""
    return re.sub("[^a-z0-9]+", "-", slugify(title)).strip("-")[:BASENAME].strip("-")


def site_path(site: Site) -> str:
    """The site's path on the installation's own host, with a slash at the end."""
    return f"/sites/{quote(site.basename or site.id)}/"


def site_address(base: str, site: Site) -> str:
    """The site's public address, with a slash at the end; `base` is the installation's address."""
    if site.hostname is not None:
        return f"https://{site.hostname}/"
    return base + site_path(site)


def space_path(site_space: SiteSpace, section: SiteSection | None, *, alone: bool) -> str:
    """The path of a site-space below its site's: empty, or with a slash at the end.

    Defaults need no segment; `alone` says that the site has no sections.
    """
    return "".join(quote(part) + "/" for part in space_segments(site_space, section, alone=alone))


def space_segments(site_space: SiteSpace, section: SiteSection | None, *, alone: bool) -> tuple[str, ...]:
    """The same as segments, not yet quoted."""
    in_section = () if alone or section is None or section.default else (section.path,)
    return in_section if site_space.default else (*in_section, site_space.path)


def within(path: str) -> str:
    """A path without dots that lead upwards, which browsers take out of an address and with them what stands ahead.

    >>> within("a/../../b/./c")
    'b/c'
    """
    kept: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del kept[-1:]
        elif part != ".":
            kept.append(part)
    return "/".join(kept)


def page_path(path: str) -> str:
    """A page's path as it stands in an address."""
    return quote(path, safe="/+@:!$&'()*,;=~")
