"""Integrations: programs that organizations publish, and that others find."""

from __future__ import annotations

import base64
import binascii
import fnmatch
import secrets
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET

from octavo.access import locate
from octavo.access.caller import Caller
from octavo.access.locate_integrations import SeenIntegration
from octavo.access.policy import allows
from octavo.content.pictures import picture_type, require_png
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict, Forbidden
from octavo.kernel.events import IntegrationPublished
from octavo.kernel.operation import ANYBODY, Nothing, Rule, nothing, reads, writes
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import Integration
from octavo.kernel.records.people import Organization
from octavo.resources.call import Ahead, Call, Slice, listed
from octavo.resources.places import AtOrganization, Place
from octavo.resources.rules import OF_ORGANIZATION
from octavo.site.integrations import refreshed, show, show_all
from octavo.store.unit import Unit
from octavo.wire.integrations import integrations
from octavo.wire.integrations.integrations import IntegrationsQuery, IntegrationView
from octavo.wire.integrations.manifest import Name, PublishIntegration


class AtName(Place, frozen=True):
    integration: str


class AtIntegration(Place, frozen=True):
    integration: SeenIntegration


class _Stored(msgspec.Struct, frozen=True):
    """What a published integration is made of, among the files of its owner."""

    organization: str
    sizes: dict[str, int]
    script: str
    icon: str | None
    previews: list[Json]


async def list_all(call: Call, at: Nothing, query: IntegrationsQuery) -> Slice[IntegrationView]:
    """Public ones and those of the caller's organizations, newest first."""
    return await _listed(call, query, await _visible(call))


async def list_in_organization(call: Call, at: AtOrganization, query: IntegrationsQuery) -> Slice[IntegrationView]:
    """Those that can be installed in an organization, newest first."""
    organization = at.organization.record.id
    own = await call.unit.integrations.installations_in(organization)
    found = {one.id: one for one in await call.unit.integrations.listed([organization])}
    found |= await call.unit.integrations.by_names(one.integration for one in own)
    return await _listed(call, query, list(found.values()))


async def _visible(call: Call) -> list[Integration]:
    acting = call.caller.acting
    if acting is not None:
        return [acting.integration]
    mine = [organization for organization, role in call.caller.roles.items() if role is not None]
    return await call.unit.integrations.listed(mine)


async def _listed(call: Call, query: IntegrationsQuery, found: list[Integration]) -> Slice[IntegrationView]:
    def key(one: Integration) -> tuple[int | str, ...]:
        return -one.created_at, one.id

    page = call.cut(sorted((one for one in found if _matches(one, query)), key=key), query, key)
    return Slice(await show_all(call.unit, call.caller, page.items), page.count, page.next)


def _matches(one: Integration, query: IntegrationsQuery) -> bool:
    words = "" if query.search is UNSET else query.search.casefold()
    wanted = (
        words in f"{one.id}\n{one.title}".casefold(),
        query.category is UNSET or query.category in one.categories,
        query.block_domain is UNSET or _unfurls(one, query.block_domain),
        query.blocks is UNSET or query.blocks == bool(one.blocks),
        query.content_sources is UNSET or query.content_sources == bool(one.content_sources),
        query.owner is UNSET or query.owner == one.organization,
        query.scope is UNSET or query.scope in one.scopes,
        query.target is UNSET or query.target == one.target,
    )
    return all(wanted)


def _unfurls(one: Integration, domain: str) -> bool:
    """Whether a block of it is made of addresses of that host; patterns may have `*` in it."""
    patterns = (pattern for block in one.blocks for pattern in block.get("urlUnfurl", ()))
    return any(fnmatch.fnmatchcase(domain.lower(), _host(pattern)) for pattern in patterns)


def _host(pattern: str) -> str:
    try:
        return (urlsplit(pattern if "//" in pattern else f"//{pattern}").hostname or "").lower()
    except ValueError:
        return ""


async def get(call: Call, at: AtIntegration, takes: Nothing) -> IntegrationView:
    """One integration."""
    return await show(call.unit, call.caller, at.integration.record)


async def prepare_publish(prior: Ahead, at: AtName, body: PublishIntegration) -> _Stored:
    """Its pictures and its script among the files of the organization, when they are what they have to be."""

    async def owner(call: Call) -> str:
        return (await _owner(call, at, body)).id

    organization = await prior.read(lambda unit: owner(prior.call(unit)))
    icon = None if body.icon is UNSET else _icon(body.icon)
    previews = [_preview(number, one) for number, one in enumerate(body.preview_images)]
    script = body.script.encode()
    sizes: dict[str, int] = {}

    async def put(data: bytes) -> str:
        blob = await prior.blobs.put(organization, data)
        sizes[blob] = len(data)
        return blob

    return _Stored(
        organization,
        sizes,
        await put(script),
        None if icon is None else await put(icon),
        [{"blob": await put(data), "contentType": media} for data, media in previews],
    )


def _icon(sent: str) -> bytes:
    data = _bytes("icon", sent, limits.INTEGRATION_ICON_BYTES)
    try:
        require_png(data)
    except ValueError as error:
        raise BadRequest(f"icon: {error}") from error
    return data


def _preview(number: int, sent: str) -> tuple[bytes, str]:
    where = f"previewImages[{number}]"
    data = _bytes(where, sent, limits.INTEGRATION_PREVIEW_BYTES)
    try:
        return data, picture_type(data)
    except ValueError as error:
        raise BadRequest(f"{where}: {error}") from error


def _bytes(where: str, sent: str, most: int) -> bytes:
    try:
        data = base64.b64decode(sent, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadRequest(f"{where}: this is no base64") from error
    if not 0 < len(data) <= most:
        raise BadRequest(f"{where}: a picture has {most >> 10} KiB at most, and some bytes")
    return data


async def _owner(call: Call, at: AtName, body: PublishIntegration) -> Organization:
    """The organization that publishes, of which the caller is an admin."""
    word = body.organization
    named = await call.unit.people.organization_of_hostname(word)
    if named is not None and call.caller.belongs(named.id) and not call.caller.belongs(word):
        word = named.id
    seen = await locate.organization(call.unit, call.caller, word)
    if not allows("organization", "admin", seen.role):
        raise Forbidden("organization: publishing integrations takes an admin of the organization")
    old = await call.unit.integrations.get(at.integration)
    if old is not None and old.organization != seen.record.id:
        raise Conflict(f"the name {at.integration!r} is taken by an integration of another organization")
    return seen.record


async def publish(call: Call, at: AtName, body: PublishIntegration) -> IntegrationView:
    """A first version, or the next one."""
    _require_name(at.integration)
    owner, made = await _owner(call, at, body), call.prepared
    assert isinstance(made, _Stored)  # of the same request
    old = await call.unit.integrations.get(at.integration)
    said = _said(call, body, made)
    if old is None:
        if len(await call.unit.integrations.owned(owner.id)) >= limits.INTEGRATIONS_MAX:
            raise Conflict(f"an organization has {limits.INTEGRATIONS_MAX} integrations at most")
        kept = {"sealed_secrets": call.signer.seal("{}"), "sealed_key": call.signer.seal(secrets.token_urlsafe(32))}
        new = Integration(
            id=at.integration, organization=owner.id, created_at=call.now, updated_at=call.now, **{**kept, **said}
        )
        await call.unit.integrations.add(new)
    else:
        version = old.version + 1
        new = await call.unit.integrations.change(old, version=version, updated_at=call.now, **said)
    await call.unit.blobs.put(owner.id, made.sizes, call.now)
    await refreshed(call.unit, call.signer, new)
    await _agree_at_home(call.unit, new)
    await call.unit.emit(IntegrationPublished(organization=owner.id, integration=new.id))
    return await show(call.unit, call.caller, new)


async def _agree_at_home(unit: Unit, integration: Integration) -> None:
    """Where its owner has installed it, publishing it is agreeing to what it asks for. Others agree themselves."""
    own = await unit.integrations.installation_in(integration.id, integration.organization)
    if own is not None and own.scopes != integration.scopes:
        await unit.integrations.change_installation(own, scopes=integration.scopes, updated_at=unit.now)


def _require_name(name: str) -> None:
    try:
        msgspec.convert(name, Name)
    except msgspec.ValidationError as error:
        raise BadRequest(
            f"the name of an integration has letters, digits, - _ and ., {limits.INTEGRATION_NAME_MAX} of them at most"
        ) from error


def _said(call: Call, body: PublishIntegration, made: _Stored) -> dict[str, Any]:
    """The fields of a record."""
    plain = msgspec.to_builtins(body)
    names = ("title", "summary", "runtime", "visibility", "target", "scopes", "categories", "blocks")
    said: dict[str, Any] = {name: plain.get(name) for name in (*names, "description", "configurations")}
    said |= {"content_sources": plain["contentSources"], "external_links": plain["externalLinks"]}
    said |= {"script": made.script, "icon": made.icon, "previews": made.previews}
    said["scopes"] = list(dict.fromkeys(body.scopes))
    policy = body.content_security_policy
    said["security_policy"] = (
        None
        if policy is UNSET
        else {"text": policy}
        if isinstance(policy, str)
        else {"directives": plain["contentSecurityPolicy"]}
    )
    if body.secrets is not UNSET:
        said["sealed_secrets"] = call.signer.seal(msgspec.json.encode(body.secrets).decode())
    return said


async def unpublish(call: Call, at: AtIntegration, takes: Nothing) -> None:
    """It is gone, and so is every installation of it."""
    await call.unit.integrations.remove(at.integration.record)


def _owns(caller: Caller, at: AtIntegration, takes: object) -> bool:
    return allows("organization", "admin", at.integration.role)


OWNERS: Rule[AtIntegration, Any] = Rule(
    "admins of the organization that owns the integration", _owns,
    "this takes an admin of the organization that owns the integration",
)  # fmt: skip
_ONE = "/integrations/{integration}"

OPERATIONS = (
    reads("listIntegrations", "/integrations", list_all, listed(integrations.present),
          needs=ANYBODY, scope=None, installed="any", summary="List integrations: public ones, and your organizations'"),
    reads("getIntegrationByName", _ONE, get, integrations.present,
          needs=ANYBODY, also="whoever may see it: private ones are for members of its owner, and where they are installed",
          scope=None, installed="any", summary="Get an integration"),
    writes("POST", "publishIntegration", _ONE, publish, integrations.present,
           before=prepare_publish, needs=ANYBODY, also="admins of the organization that is named",
           scope="integration:publish", body_max=limits.INTEGRATION_BODY_MAX, audit="integration.publish",
           about=lambda made: made.integration, summary="Publish a version of an integration"),
    writes("DELETE", "unpublishIntegration", _ONE, unpublish, nothing,
           status=204, needs=OWNERS, scope="integration:delete", audit="integration.unpublish",
           summary="Unpublish an integration; its installations go with it"),
    reads("listOrganizationIntegrations", "/orgs/{organization}/integrations", list_in_organization,
          listed(integrations.present),
          needs=OF_ORGANIZATION, scope="integration:read", installed="any",
          summary="List the integrations that an organization may install"),
)  # fmt: skip
