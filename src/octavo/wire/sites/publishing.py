"""How visitors of a site show who they are, and addresses at which it is looked at ahead of them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.records import Json
from octavo.kernel.records.sites import SiteAuth
from octavo.wire.fields import Body, Id, Maybe, Query, Shape, WebUrl, maybe
from octavo.wire.view import View

Claims = Annotated[
    str,
    Meta(
        max_length=limits.PREVIEW_CLAIMS_MAX, description="Claims of the visitor as whom it is read, as a JSON object"
    ),
]


class PublishingAuth(Shape, tag_field="object", tag="publishing-auth", frozen=True):
    backend: Literal["custom", "integration"]
    private_key: str
    """Signs visitors' tokens (HS256)."""
    fallback_url: Maybe[str] = msgspec.field(name="fallbackURL", default=UNSET)
    logout_url: Maybe[str] = msgspec.field(name="logoutURL", default=UNSET)
    integration: Maybe[str] = UNSET


class UpdatePublishingAuth(Body, frozen=True):
    """`fallbackURL` is where visitors without a token log in, `logoutURL` where they log out."""

    backend: Literal["custom", "integration"]
    fallback_url: Maybe[WebUrl | None] = msgspec.field(name="fallbackURL", default=UNSET)
    logout_url: Maybe[WebUrl | None] = msgspec.field(name="logoutURL", default=UNSET)


class PreviewQuery(Query, frozen=True):
    """`siteSpace` and `target`, a path below it, say where it opens."""

    site_space: Maybe[Id] = UNSET
    claims: Maybe[Claims] = UNSET
    draft: bool = True
    """Whether what is no more than a draft is shown."""
    target: Maybe[Annotated[str, Meta(max_length=limits.PATH_MAX)]] = UNSET


class ChangePreviewQuery(Query, frozen=True):
    """`site` is one that shows the space; without it the one that most people see. `page` is where it opens."""

    site: Maybe[Id] = UNSET
    page: Maybe[Id] = UNSET
    claims: Maybe[Claims] = UNSET


class PreviewAddress(Shape, frozen=True):
    url: str


class IgnoredClaim(Shape, frozen=True):
    claim: str
    """The way to it; parts are parted by dots."""
    reason: str


class SitePreview(Shape, frozen=True):
    url: str
    claims: Json
    """What is known of the visitor."""
    ignored: list[IgnoredClaim]
    """What was asked for beside that: the schema of claims does not allow it, so it counts for nothing."""


class SitePreviewView(msgspec.Struct, frozen=True):
    url: str
    claims: Json
    ignored: list[tuple[str, str]]


class AuthView(msgspec.Struct, frozen=True):
    auth: SiteAuth
    key: str


def present(shown: AuthView, view: View) -> PublishingAuth:
    """Backend, key and addresses."""
    auth = shown.auth
    return PublishingAuth(
        auth.backend, shown.key, maybe(auth.fallback_url), maybe(auth.logout_url), maybe(auth.integration)
    )


def present_preview(url: str, view: View) -> PreviewAddress:
    """The address."""
    return PreviewAddress(url)


def present_site_preview(shown: SitePreviewView, view: View) -> SitePreview:
    """The address, and what of the claims counts."""
    return SitePreview(shown.url, shown.claims, [IgnoredClaim(*one) for one in shown.ignored])
