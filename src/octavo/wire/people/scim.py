"""Tokens for SCIM of an organization."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, field

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import provisioning as records
from octavo.wire.fields import Body, DateTime, Instant, Maybe, Shape, TokenLabel, trimmed
from octavo.wire.view import View


class ScimToken(Shape, tag_field="object", tag="scim-token", frozen=True):
    """An absent `expiresAt` is never."""

    id: str
    label: str
    base_url: str = field(name="baseURL")
    """What identity providers ask for as the address of SCIM."""
    created_at: DateTime
    expires_at: Maybe[DateTime] = UNSET
    last_used_at: Maybe[DateTime] = UNSET


class CreatedScimToken(ScimToken, tag_field="object", tag="scim-token", frozen=True, kw_only=True):
    token: str
    """What the identity provider calls with; it is told this once."""


class CreateScimToken(Body, frozen=True):
    """Without `expiresAt` it holds until it is revoked."""

    label: Maybe[TokenLabel] = UNSET
    expires_at: Maybe[Instant] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "label", 0, limits.TOKEN_LABEL_MAX)


def present(token: records.ScimToken, view: View) -> ScimToken:
    """The token without its secret."""
    return ScimToken(**_fields(token, view))


def present_made(token: records.ScimToken, secret: str, view: View) -> CreatedScimToken:
    """The token as it is told to whoever made it."""
    return CreatedScimToken(token=secret, **_fields(token, view))


def _fields(token: records.ScimToken, view: View) -> dict[str, Any]:
    return {
        "id": token.id,
        "label": token.label,
        "base_url": f"{view.app}/scim/v2",
        "created_at": iso(token.created_at),
        "expires_at": UNSET if token.expires_at is None else iso(token.expires_at),
        "last_used_at": UNSET if token.last_used_at is None else iso(token.last_used_at),
    }
