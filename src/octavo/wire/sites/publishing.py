"""How visitors of a site show who they are, and addresses at which it is looked at ahead of them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
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
