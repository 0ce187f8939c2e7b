"""OpenAPI specifications of organizations: what pages and blocks describe APIs from, and the versions of it."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import UNSET

from octavo.access.caller import Caller
from octavo.access.locate_openapi import SeenSpec, SeenSpecVersion
from octavo.access.policy import allows
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict, NotFound, TooLarge, Unavailable, absent
from octavo.kernel.events import OpenAPISpecChanged, OpenAPISpecWanted
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, Rule, nothing, reads, writes
from octavo.kernel.records.openapi import OpenapiSpec, OpenapiSpecVersion
from octavo.resources.call import Ahead, Call, Slice, listed
from octavo.resources.places import AtOrganization
from octavo.resources.told_specs import is_told
from octavo.site.computed import cache_tag
from octavo.wire import openapi
from octavo.wire.fields import END
from octavo.wire.lists import ListQuery
from octavo.wire.openapi import ContentView, CreateSpec, PutSpec, SpecSource, SpecView, UpdateSpec, VersionView


class AtSpec(AtOrganization, frozen=True):
    spec: SeenSpec


class AtSpecSlug(AtOrganization, frozen=True):
    """A slug, whether anything has it or not."""

    slug: str


class AtSpecVersion(AtSpec, frozen=True):
    version: SeenSpecVersion


class _Sent(msgspec.Struct, frozen=True):
    """A source, its text stored."""

    url: str | None = None
    blob: str | None = None
    size: int = 0


def _reads(caller: Caller, at: AtOrganization, takes: object) -> bool:
    # What scope integrations need, the row says.
    return caller.acting is not None or allows("organization", "view", at.organization.role)


def _writes(caller: Caller, at: AtOrganization, takes: object) -> bool:
    return caller.acting is not None or allows("organization", "createOpenAPISpec", at.organization.role)


READING: Rule[Any, Any] = Rule(
    "`view` on the organization; integrations where they are installed",
    _reads,
    "your role in this organization does not allow this (needs view)",
)
READERS: Rule[AtSpec, Nothing] = Rule(
    READING.who + "; visitors of a site that shows them the specification on a page",
    # Which specifications a visitor may see, is decided where pages are at hand.
    lambda caller, at, takes: caller.visiting is not None or _reads(caller, at, takes),
    READING.otherwise,
)
WRITING: Rule[Any, Any] = Rule(
    "`createOpenAPISpec` on the organization; integrations where they are installed",
    _writes,
    "your role in this organization does not allow this (needs createOpenAPISpec)",
)


async def list_in_organization(call: Call, at: AtOrganization, query: ListQuery) -> Slice[SpecView]:
    """Newest first."""
    found = await call.unit.openapi.all(at.organization.record.id)
    page = call.cut(found, query, lambda one: (-one.created_at, one.id))
    return Slice([_view(call, at, one) for one in page.items], page.count, page.next)


async def get(call: Call, at: AtSpec, takes: Nothing) -> SpecView:
    """One specification."""
    return _view(call, at, at.spec.record)


async def prepare_create(prior: Ahead, at: AtOrganization, body: CreateSpec) -> _Sent:
    """The text, stored."""
    return await _stored(prior, at, body.source)


async def create(call: Call, at: AtOrganization, body: CreateSpec) -> SpecView:
    """It is read by a job."""
    if await call.unit.openapi.by_slug(at.organization.record.id, body.slug) is not None:
        raise Conflict(f"slug: the organization has a specification with the slug {body.slug!r}")
    return _view(call, at, await _made(call, at, body.slug))


async def prepare_put(prior: Ahead, at: AtSpecSlug, body: PutSpec) -> _Sent:
    """The text, stored."""
    return await _stored(prior, at, body.source)


async def put(call: Call, at: AtSpecSlug, body: PutSpec) -> SpecView:
    """The source of the specification with this slug from now on; a new one where there is none."""
    old = await call.unit.openapi.by_slug(at.organization.record.id, at.slug)
    if old is None:
        return _view(call, at, await _made(call, at, _slug(at.slug)))
    sent = await _noted(call, at)
    spec = await call.unit.openapi.change(
        old, source_url=sent.url, source_blob=sent.blob, wanted=old.wanted + 1, state="pending", updated_at=call.now
    )
    await call.unit.emit(OpenAPISpecWanted(organization=spec.organization, spec=spec.id))
    return _view(call, at, spec)


async def update(call: Call, at: AtSpec, body: UpdateSpec) -> SpecView:
    """Who may fetch it."""
    spec = at.spec.record
    if body.visibility != spec.visibility:
        spec = await call.unit.openapi.change(spec, visibility=body.visibility, updated_at=call.now)
        await call.unit.emit(OpenAPISpecChanged(organization=spec.organization, slug=spec.slug))
    return _view(call, at, spec)


async def delete(call: Call, at: AtSpec, takes: Nothing) -> None:
    """With all its versions; blocks that name it say that it is not there."""
    spec = at.spec.record
    await call.unit.openapi.remove(spec)
    await call.unit.emit(OpenAPISpecChanged(organization=spec.organization, slug=spec.slug))


async def list_versions(call: Call, at: AtSpec, query: ListQuery) -> Slice[VersionView]:
    """Newest first."""
    found = await call.unit.openapi.versions(at.spec.record.id)
    page = call.cut(found, query, lambda one: (-one.created_at, one.id))
    return Slice([VersionView(at.spec.record, one) for one in page.items], page.count, page.next)


async def get_latest(call: Call, at: AtSpec, takes: Nothing) -> VersionView:
    """The newest version."""
    _follow(call, at)
    return VersionView(at.spec.record, _require_latest(at, await call.unit.openapi.versions(at.spec.record.id)))


async def get_version(call: Call, at: AtSpecVersion, takes: Nothing) -> VersionView:
    """One version."""
    return VersionView(at.spec.record, at.version.record)


async def prepare_latest(prior: Ahead, at: AtSpec, takes: Nothing) -> ContentView:
    """The newest version with its document."""
    if prior.caller.visiting is not None and not await is_told(prior, at.spec.record):
        raise absent("OpenAPI specification", at.spec.record.slug)
    version = await _latest(prior, at)
    return await _content(prior, at.spec.record, version, version.document)


async def prepare_raw(prior: Ahead, at: AtSpec, takes: Nothing) -> ContentView:
    """The newest version with its text."""
    version = await _latest(prior, at)
    return await _content(prior, at.spec.record, version, version.blob)


async def prepare_content(prior: Ahead, at: AtSpecVersion, takes: Nothing) -> ContentView:
    """A version with its document."""
    return await _content(prior, at.spec.record, at.version.record, at.version.record.document)


async def get_content(call: Call, at: AtSpec, takes: Nothing) -> ContentView:
    """The newest version: as the JSON that readers are shown, or exactly as it was sent or fetched."""
    _follow(call, at)
    found: ContentView = call.prepared
    return found


async def get_version_content(call: Call, at: AtSpecVersion, takes: Nothing) -> ContentView:
    """This version, as the JSON that readers are shown."""
    found: ContentView = call.prepared
    return found


def _follow(call: Call, at: AtSpec) -> None:
    call.follows.add(cache_tag(at.organization.record.id, at.spec.record.slug))


async def _stored(prior: Ahead, at: AtOrganization, source: SpecSource) -> _Sent:
    if source.text is UNSET:
        return _Sent(url=str(source.url))
    data = source.text.encode("utf-8", "surrogatepass")
    if len(data) > limits.OPENAPI_BYTES:
        raise TooLarge(
            f"source.text: a specification has {limits.OPENAPI_BYTES:,} bytes at most, this one {len(data):,}"
        )
    return _Sent(blob=await prior.blobs.put(at.organization.record.id, data), size=len(data))


async def _noted(call: Call, at: AtOrganization) -> _Sent:
    """The source that was sent; from now on the organization holds its text."""
    sent: _Sent = call.prepared
    if sent.blob is not None:
        await call.unit.blobs.put(at.organization.record.id, {sent.blob: sent.size}, call.now)
    return sent


async def _made(call: Call, at: AtOrganization, slug: str) -> OpenapiSpec:
    organization = at.organization.record.id
    if await call.unit.openapi.count(organization) >= limits.OPENAPI_SPECS_MAX:
        raise Conflict(f"an organization has {limits.OPENAPI_SPECS_MAX} specifications at most")
    sent = await _noted(call, at)
    spec = OpenapiSpec(
        id=new_id(),
        organization=organization,
        slug=slug,
        created_at=call.now,
        updated_at=call.now,
        source_url=sent.url,
        source_blob=sent.blob,
    )
    await call.unit.openapi.add(spec)
    await call.unit.emit(OpenAPISpecWanted(organization=organization, spec=spec.id))
    return spec


def _slug(word: str) -> str:
    """Raises BadRequest for what no specification may be called."""
    if len(word) > limits.OPENAPI_SLUG_MAX or re.match(openapi.SPEC_SLUG + END, word) is None:
        raise BadRequest(
            "the slug in the address must be words of lower-case letters and digits, joined by hyphens,"
            f" of {limits.OPENAPI_SLUG_MAX} characters at most"
        )
    return word


def _view(call: Call, at: AtOrganization, spec: OpenapiSpec) -> SpecView:
    acting = call.caller.acting
    return SpecView(spec, _writes(call.caller, at, None) and (acting is None or acting.opens("openapi:write")))


def _require_latest(at: AtSpec, versions: list[OpenapiSpecVersion]) -> OpenapiSpecVersion:
    if not versions:
        raise NotFound(f"the specification {at.spec.record.slug!r} has no version yet")
    return versions[0]


async def _latest(prior: Ahead, at: AtSpec) -> OpenapiSpecVersion:
    return _require_latest(at, await prior.read(lambda unit: unit.openapi.versions(at.spec.record.id)))


async def _content(prior: Ahead, spec: OpenapiSpec, version: OpenapiSpecVersion, blob: str) -> ContentView:
    data = await prior.blobs.get(spec.organization, blob)
    if data is None:
        raise Unavailable("the text of this version is not in the file store")
    return ContentView(spec, version, data)


_ALL = "/orgs/{organization}/openapi"
_ONE = _ALL + "/{spec}"
_VERSIONS = _ONE + "/versions"

OPERATIONS = (
    reads("listOpenAPISpecs", _ALL, list_in_organization, listed(openapi.present),
          needs=READING, scope="openapi:read", installed="openapi:read",
          summary="List the OpenAPI specifications of an organization"),
    writes("POST", "createOpenAPISpec", _ALL, create, openapi.present,
           lock="organization", status=201, before=prepare_create, body_max=limits.OPENAPI_BODY_MAX,
           needs=WRITING, scope="openapi:write", installed="openapi:write", audit="openapi.create",
           about=lambda made: made.spec, summary="Create an OpenAPI specification from an address or a text"),
    reads("getOpenAPISpecBySlug", _ONE, get, openapi.present,
          needs=READING, scope="openapi:read", installed="openapi:read", summary="Get an OpenAPI specification"),
    writes("PUT", "createOrUpdateOpenAPISpecBySlug", _ALL + "/{slug}", put, openapi.present,
           lock="organization", before=prepare_put, body_max=limits.OPENAPI_BODY_MAX,
           needs=WRITING, scope="openapi:write", installed="openapi:write", audit="openapi.update",
           about=lambda made: made.spec, summary="Create an OpenAPI specification, or give it another source"),
    writes("PATCH", "updateOpenAPISpecBySlug", _ONE, update, openapi.present,
           lock="organization", needs=WRITING, scope="openapi:write", installed="openapi:write",
           audit="openapi.visibility.update", summary="Change who may fetch an OpenAPI specification"),
    writes("DELETE", "deleteOpenAPISpecBySlug", _ONE, delete, nothing,
           lock="organization", needs=WRITING, scope="openapi:write", installed="openapi:write",
           audit="openapi.delete", summary="Delete an OpenAPI specification with its versions"),
    reads("listOpenAPISpecVersions", _VERSIONS, list_versions, listed(openapi.present_version),
          needs=READING, scope="openapi:read", installed="openapi:read",
          summary="List the versions of an OpenAPI specification"),
    reads("getLatestOpenAPISpecVersion", _VERSIONS + "/latest", get_latest, openapi.present_version,
          needs=READING, scope="openapi:read", installed="openapi:read",
          summary="Get the newest version of an OpenAPI specification"),
    reads("getLatestOpenAPISpecVersionContent", _VERSIONS + "/latest/content", get_content, openapi.present_content,
          before=prepare_latest, needs=READERS, visitors=True, scope="openapi:read", installed="openapi:read",
          summary="Get the content of the newest version of an OpenAPI specification"),
    reads("getLatestOpenAPISpecVersionContentRaw", _VERSIONS + "/latest/content/raw", get_content,
          openapi.present_text,
          before=prepare_raw, needs=READING, scope="openapi:read", installed="openapi:read",
          summary="Get the text of the newest version of an OpenAPI specification as it came"),
    reads("getOpenAPISpecVersionById", _VERSIONS + "/{version}", get_version, openapi.present_version,
          needs=READING, scope="openapi:read", installed="openapi:read", summary="Get a version of an OpenAPI specification"),
    reads("getOpenAPISpecVersionContentById", _VERSIONS + "/{version}/content", get_version_content,
          openapi.present_content, before=prepare_content,
          needs=READING, scope="openapi:read", installed="openapi:read",
          summary="Get the content of a version of an OpenAPI specification"),
)  # fmt: skip
