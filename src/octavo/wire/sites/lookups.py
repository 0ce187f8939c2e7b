"""Lookups: which site and space an address of published content shows, and with what a renderer reads them."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import UNSET

from octavo.wire.fields import Body, Maybe, Query, Shape, Url2048
from octavo.wire.view import View


class LookupVisitor(Body, frozen=True):
    """Who asks the renderer: with a token that signs claims, and with what they say of themselves."""

    jwt_token: Maybe[str] = UNSET
    unsigned_claims: dict[str, Any] = {}
    type: Literal["human", "agent"] = "human"


class Lookup(Body, frozen=True):
    """`redirectOnError` asks for the way to the log-in where the visitor's token is not taken; without it that is 404."""

    url: Url2048
    redirect_on_error: bool = False
    visitor: LookupVisitor = LookupVisitor()


class LookupQuery(Query, frozen=True):
    url: Url2048
    visitor_auth_token: Maybe[str] = UNSET
    redirect_on_error: bool = False


class LookupRedirect(Shape, frozen=True):
    """`target` is external for the log-in of a site, which is named then."""

    target: Literal["content", "application", "external"]
    redirect: str
    site: Maybe[str] = UNSET


class LookupContent(Shape, frozen=True):
    organization: str
    site: str
    site_space: str
    space: str
    pathname: str
    """Path of the page below `basePath`."""
    base_path: str
    """Path of the site-space on the address's host, with a slash at both ends."""
    site_base_path: str
    """The same of the site."""
    canonical_url: str
    api_token: str
    """With which everything else is read, with the visitor's rights."""
    complete: bool
    """Whether a longer address would lead into the same site-space."""
    site_section: Maybe[str] = UNSET
    change_request: Maybe[str] = UNSET
    revision: Maybe[str] = UNSET
    share_key: Maybe[str] = UNSET
    context_id: Maybe[str] = UNSET
    """Names what is known of the visitor, where that decides what is shown."""
    preview: Maybe[bool] = UNSET


Found: TypeAlias = LookupRedirect | LookupContent


def present(found: LookupRedirect | LookupContent, view: View) -> dict[str, Any]:
    """One of the two; no field tells them apart but those that they have."""
    import msgspec

    made: dict[str, Any] = msgspec.to_builtins(found)
    return made
