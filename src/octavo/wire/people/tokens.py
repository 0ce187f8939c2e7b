"""Personal tokens of the caller."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.operation import Scope
from octavo.kernel.records import people as records
from octavo.wire.fields import Body, DateTime, Instant, Located, Maybe, Shape, TokenLabel, trimmed
from octavo.wire.view import View

Scopes = Annotated[list[Scope], Meta(min_length=1)]


class UserAPIToken(Shape, tag_field="object", tag="api-token", frozen=True):
    """Absent `scopes` are all; an absent `expiresAt` is never."""

    id: str
    label: str
    created_at: DateTime
    urls: Located
    scopes: Maybe[list[str]] = UNSET
    expires_at: Maybe[DateTime] = UNSET
    last_used_at: Maybe[DateTime] = UNSET


class CreatedUserAPIToken(UserAPIToken, tag_field="object", tag="api-token", frozen=True, kw_only=True):
    token: str
    """What requests are made with; it is told this once."""


class CreateUserAPIToken(Body, frozen=True):
    """Without `scopes` the new token has those of the token that asks, and without `expiresAt` its end."""

    label: Maybe[TokenLabel] = UNSET
    scopes: Maybe[Scopes] = UNSET
    expires_at: Maybe[Instant] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "label", 0, limits.TOKEN_LABEL_MAX)


def present(token: records.Token, view: View) -> UserAPIToken:
    """The token without its secret."""
    return UserAPIToken(**_fields(token, view))


def present_made(token: records.Token, secret: str, view: View) -> CreatedUserAPIToken:
    """The token as it is told to whoever made it."""
    return CreatedUserAPIToken(token=secret, **_fields(token, view))


def _fields(token: records.Token, view: View) -> dict[str, Any]:
    return {
        "id": token.id,
        "label": token.label,
        "created_at": iso(token.created_at),
        "urls": Located(view.location("user", "tokens", token.id)),
        "scopes": UNSET if token.scopes is None else token.scopes,
        "expires_at": UNSET if token.expires_at is None else iso(token.expires_at),
        "last_used_at": UNSET if token.last_used_at is None else iso(token.last_used_at),
    }
