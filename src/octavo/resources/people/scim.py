"""Tokens for SCIM: what an organization's identity provider calls with, to say who is in it."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from octavo.access.locate import SeenScimToken
from octavo.kernel import extras, limits
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.ids import new_id, new_token, token_hash
from octavo.kernel.operation import UNLIMITED, Nothing, nothing, reads, writes
from octavo.kernel.records.provisioning import ScimToken
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization
from octavo.wire.fields import milliseconds
from octavo.wire.lists import ListQuery
from octavo.wire.people import scim
from octavo.wire.people.scim import CreateScimToken
from octavo.wire.view import View


class AtScimToken(AtOrganization, frozen=True):
    scim_token: SeenScimToken


class Made(msgspec.Struct, frozen=True):
    """A token, and what is called with: known here and never again."""

    token: ScimToken
    secret: str


async def list_in_organization(call: Call, at: AtOrganization, query: ListQuery) -> Slice[ScimToken]:
    """Newest first."""
    found = await call.unit.scim.tokens(at.organization.record.id)
    found.sort(key=lambda one: (-one.created_at, one.id))
    return call.cut(found, query, lambda one: (-one.created_at, one.id))


async def create(call: Call, at: AtOrganization, body: CreateScimToken) -> Made:
    """Its secret is in this answer and nowhere else."""
    extras.require("scim")
    organization = at.organization.record.id
    expires_at = None if body.expires_at is UNSET else milliseconds(body.expires_at)
    if expires_at is not None and expires_at <= call.now:
        raise BadRequest("expiresAt: is not in the future")
    if len(await call.unit.scim.tokens(organization)) >= limits.SCIM_TOKENS_MAX:
        raise Conflict(f"there are {limits.SCIM_TOKENS_MAX} tokens already; revoke one first")
    secret = new_token()
    token = ScimToken(
        id=new_id(),
        organization=organization,
        label="" if body.label is UNSET else body.label,
        hash=token_hash(secret),
        created_by=call.caller.user.id,
        created_at=call.now,
        expires_at=expires_at,
    )
    await call.unit.scim.add_token(token)
    return Made(token, secret)


async def revoke(call: Call, at: AtScimToken, takes: Nothing) -> None:
    """No process takes it any more. With the last one, teams that follow groups can be changed by hand again."""
    await call.unit.scim.remove_token(at.scim_token.record.id)


def _present_made(made: Made, view: View) -> scim.CreatedScimToken:
    return scim.present_made(made.token, made.secret, view)


_ALL = "/orgs/{organization}/scim/tokens"


OPERATIONS = (
    reads("listSCIMTokens", _ALL, list_in_organization, listed(scim.present),
          needs="organization.admin", scope=UNLIMITED, summary="List the tokens for SCIM of an organization"),
    writes("POST", "createSCIMToken", _ALL, create, _present_made,
           lock="organization", status=201, needs="organization.admin", scope=UNLIMITED, audit="scim-token.create",
           about=lambda made: made.token,
           summary="Create a token for SCIM"),
    writes("DELETE", "revokeSCIMToken", _ALL + "/{scim_token}", revoke, nothing,
           lock="organization", status=204, needs="organization.admin", scope=UNLIMITED, audit="scim-token.revoke",
           summary="Revoke a token for SCIM"),
)  # fmt: skip
