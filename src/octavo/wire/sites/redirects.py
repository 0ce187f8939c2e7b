"""Redirects of sites: addresses that lead elsewhere."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import sites as records
from octavo.wire.fields import Body, DateTime, Id, Maybe, Query, Shape, ShareKeyQuery, WebUrl, matching, maybe
from octavo.wire.lists import ListQuery
from octavo.wire.view import View

_CHARACTER = r"(?:[A-Za-z0-9._~+-]|%[0-9A-Fa-f]{2})"
Source = Annotated[
    str,
    matching(
        rf"^/{_CHARACTER}+(?:/{_CHARACTER}+)*(?:/?\*)?",
        "a path below the site's, as in /old/page, without query; it may end with the wildcard *",
        max_length=limits.REDIRECT_SOURCE_MAX,
        description="A path below the site's: /old/page; `*` at its end stands for whatever follows",
    ),
]


class ToSection(Body, frozen=True, tag_field="kind", tag="site-section"):
    site_section_id: Id


class ToSiteSpace(Body, frozen=True, tag_field="kind", tag="site-space"):
    site_space_id: Id


class ToPage(Body, frozen=True, tag_field="kind", tag="site-page"):
    site_space_id: Id
    page_id: Id


class ToAddress(Body, frozen=True, tag_field="kind", tag="external"):
    url: WebUrl


class ToPath(Body, frozen=True, tag_field="kind", tag="path"):
    """The page that a space has at a path now."""

    space_id: Id
    path: Annotated[str, Meta(max_length=limits.PATH_MAX)]


Destination = ToSection | ToSiteSpace | ToPage | ToAddress
Sent = ToSection | ToSiteSpace | ToPage | ToAddress | ToPath


class Redirect(Shape, tag_field="object", tag="site-redirect", frozen=True):
    id: str
    source: str
    draft: bool
    capture_wildcard: bool
    permanent: bool
    destination: Destination
    created_at: DateTime
    updated_at: Maybe[DateTime] = UNSET


class Resolved(Shape, frozen=True):
    redirect: Redirect
    target: str
    """Where it leads."""


class CreateRedirect(Body, frozen=True):
    """`captureWildcard` puts what the wildcard stood for behind the destination; `permanent` answers 308, else 307. A
    draft leads nowhere until it is one no more."""

    source: Source
    destination: Sent
    capture_wildcard: bool = False
    draft: bool = False
    permanent: bool = False


class UpdateRedirect(Body, frozen=True):
    source: Maybe[Source] = UNSET
    destination: Maybe[Sent] = UNSET
    capture_wildcard: Maybe[bool] = UNSET
    draft: Maybe[bool] = UNSET
    permanent: Maybe[bool] = UNSET


class BulkRedirect(Body, frozen=True):
    """`intent` says which one of the source is meant: the one that holds, or the draft; `publish` lets the draft hold.
    `destination` null takes the redirect away."""

    source: Source
    intent: Literal["live", "draft", "publish"] = "live"
    destination: Maybe[Sent | None] = UNSET
    capture_wildcard: bool = False
    permanent: Maybe[bool] = UNSET

    def __post_init__(self) -> None:
        if self.intent != "publish" and self.destination is UNSET:
            raise ValueError("Object missing required field `destination`")


class BulkRedirects(Body, frozen=True):
    redirects: Annotated[list[BulkRedirect], Meta(min_length=1, max_length=limits.REDIRECTS_BULK_MAX)]


class Outcome(Shape, frozen=True):
    """What became of one entry."""

    status: Literal["created", "updated", "deleted", "published", "error"]
    source: str
    draft: bool
    id: Maybe[str] = UNSET
    error: Maybe[str] = UNSET


class Outcomes(Shape, frozen=True):
    results: list[Outcome]


class RedirectsQuery(ListQuery, frozen=True):
    """`search` filters by what source or address contain; `draft` true lists drafts, false what holds."""

    search: Maybe[str] = UNSET
    draft: bool = False
    order_by: Literal["createdAt", "updatedAt", "source"] = "createdAt"


class SourceQuery(ShareKeyQuery, frozen=True, kw_only=True):
    source: Source


class ResolvedView(msgspec.Struct, frozen=True):
    redirect: records.SiteRedirect
    target: str


def present(redirect: records.SiteRedirect, view: View) -> Redirect:
    """The redirect as the API serves it."""
    return Redirect(
        id=redirect.id,
        source=redirect.source,
        draft=redirect.draft,
        capture_wildcard=redirect.capture_wildcard,
        permanent=redirect.permanent,
        destination=msgspec.convert(redirect.destination, Destination),
        created_at=iso(redirect.created_at),
        updated_at=maybe(None if redirect.updated_at is None else iso(redirect.updated_at)),
    )


def present_resolved(found: ResolvedView, view: View) -> Resolved:
    """The redirect, and where it leads."""
    return Resolved(present(found.redirect, view), found.target)


def present_outcomes(made: list[Outcome], view: View) -> Outcomes:
    """What became of the entries, in their order."""
    return Outcomes(made)


__all__ = ["Query", "RedirectsQuery", "present"]
