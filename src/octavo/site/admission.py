"""Admission: who is let into a site by what a renderer hands on of a visitor, without cookies and redirects of its own.

It asks for the same as the entrance of the published pages, and forgets nothing that a browser would keep.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import msgspec

from octavo.access.caller import Visiting
from octavo.access.signing import Signer
from octavo.access.visits import Visit, sign_of
from octavo.kernel import limits
from octavo.kernel.records import Json
from octavo.kernel.records.sites import Site, SiteAuth
from octavo.site.claims import filtered
from octavo.site.hosts import Located
from octavo.site.scripts import visitor_key
from octavo.site.shown import SHARED
from octavo.site.tokens import Token, read_token
from octavo.store.unit import Unit
from octavo.wire.sites.sites import LOGIN


class Entry(msgspec.Struct, frozen=True):
    """Somebody who is let in: how, at which path below the site's base, and where she goes from there."""

    visit: Visit
    within: str
    """`~share/<key>/` for who came by a share link, else empty: links on her pages begin with it."""
    rest: str
    key: str | None = None
    """Of the share link."""


class LogIn(msgspec.Struct, frozen=True):
    """Somebody who has to show first who she is; `address` is where, None where the site has no such place."""

    address: str | None
    below: str | None = None
    """The same, below the site's own address."""


async def admitted(
    unit: Unit, signer: Signer, at: Located, visiting: Visiting | None, word: str | None, unsigned: Mapping[str, Any]
) -> Entry | LogIn | None:
    """Who comes to a site with that token and those claims; None for who is not let in."""
    site, rest, within, key = at.site, at.rest, "", None
    if visiting is not None and visiting.visit.ahead and visiting.visit.site == site.id:
        return Entry(visiting.visit, "", rest)
    if not site.published:
        return None
    if rest.startswith(SHARED):
        key, _, rest = rest.removeprefix(SHARED).partition("/")
        within = f"{SHARED}{key}/"
    auth = await unit.sites.auth(site.id)
    token = await _token(unit, signer, auth, word)
    visit = Visit(site.id, _claims(site, token, unsigned))
    if site.visibility == "share-link":
        link = None if key is None else await unit.sites.share_link(site.id, key)
        return None if link is None else Entry(msgspec.structs.replace(visit, share=link.id), within, rest, key)
    if site.visibility == "visitor-auth":
        if token is None or auth is None:
            return _log_in(auth, rest)
        visit = msgspec.structs.replace(visit, auth=sign_of(auth))
    return Entry(visit, "", rest)


def _log_in(auth: SiteAuth | None, rest: str) -> LogIn:
    """Where she does: elsewhere, or where an integration lets visitors in, at the site's own door."""
    if auth is not None and auth.backend == "integration":
        return LogIn(None, f"{LOGIN}?{urlencode({'location': f'/{rest}'})}")
    return LogIn(None if auth is None or auth.fallback_url is None else login_address(auth.fallback_url, rest))


async def _token(unit: Unit, signer: Signer, auth: SiteAuth | None, word: str | None) -> Token | None:
    key = None if auth is None or word is None else await visitor_key(unit, signer, auth)
    return None if key is None or word is None else read_token(word, key)


def _claims(site: Site, token: Token | None, unsigned: Mapping[str, Any]) -> Json:
    if not site.adaptive_enabled or site.adaptive_schema is None:
        return {}
    said = filtered(site.adaptive_schema, {}, unsigned)
    # As the entrance takes no longer cookie: the token of the visit goes with every request.
    believed = unsigned if len(msgspec.json.encode(said)) <= limits.PUBLIC_CLAIMS_MAX else {}
    return filtered(site.adaptive_schema, {} if token is None else token.claims, believed)


def login_address(fallback: str, path: str) -> str:
    """Where visitors log in, told the path below the site's that they wanted to see."""
    scheme, host, below, query, fragment = urlsplit(fallback)
    fields = [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] != "location"]
    return urlunsplit((scheme, host, below, urlencode([*fields, ("location", f"/{path}")]), fragment))
