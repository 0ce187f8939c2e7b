"""What the export of an organization says besides the files of its spaces: everything that its sites are, and how they become
sites again. Secrets are in it only sealed; another installation makes new ones in their place, and says so."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from octavo.access.signing import Signer
from octavo.content.ordering import between
from octavo.history.contents import contents_of
from octavo.kernel.errors import BadRequest
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json, Level
from octavo.kernel.records.library import Collection, Space
from octavo.kernel.records.sites import Font, ShareLink, Site, SiteAuth, SiteMcpServer, SiteRedirect
from octavo.site.hostnames import want_hostname
from octavo.store.unit import Unit

NAME = "octavo.json"
"""At the top of the export of an organization: what its folders are."""
FONTS = "fonts"
"""The folder of the files of fonts, by their digest."""
_OF_SITE = (
    "id", "title", "basename", "visibility", "published", "type", "adaptive_enabled", "adaptive_schema", "customization",
    "agents_context", "default_level", "proxy", "icon", "wanted_hostname",
)  # fmt: skip
Visibility = Literal["public", "unlisted", "share-link", "visitor-auth"]


class KeptCollection(msgspec.Struct, omit_defaults=True):
    """A collection, in its order."""

    id: str
    title: str
    parent: str | None = None
    description: str | None = None
    default_level: str | None = "inherit"


class KeptSpace(msgspec.Struct, omit_defaults=True):
    """A space and the folder of its content."""

    id: str
    title: str
    directory: str
    emoji: str
    parent: str | None = None
    icon: str | None = None
    language: str | None = None
    edit_mode: str = "locked"
    default_level: str | None = "inherit"
    merge_rules: Json | None = None
    ids: dict[str, str] = {}
    """Path of each page, file and reusable content -> its id."""


class KeptRedirect(msgspec.Struct, omit_defaults=True):
    """A redirect of a site."""

    source: str
    destination: Json
    page: str | None = None
    """The path of the page that it leads to, in exports of before 2026."""
    capture_wildcard: bool = False
    permanent: bool = False
    draft: bool = False


class KeptSiteSpace(msgspec.Struct, omit_defaults=True):
    """What a `docs.yaml` does not say of a site-space."""

    id: str
    page: str | None = None
    customization: Json | None = None


class KeptShareLink(msgspec.Struct, omit_defaults=True):
    """A share link; its key is sealed."""

    name: str
    sealed_key: str
    active: bool = True


class KeptAuth(msgspec.Struct, omit_defaults=True):
    """How visitors show who they are; the key is sealed. An integration that does it has to be installed again."""

    backend: Literal["custom", "integration"]
    sealed_key: str
    fallback_url: str | None = None
    logout_url: str | None = None


class KeptServer(msgspec.Struct, omit_defaults=True):
    """A server of tools; its headers are sealed."""

    name: str
    url: str
    transport: Literal["sse", "http"]
    sealed_headers: str
    condition: str | None = None


class KeptFace(msgspec.Struct, omit_defaults=True):
    """A file of a font."""

    file: str
    """Its path in the export."""
    told: Json
    """Weight, size, content type."""


class KeptFont(msgspec.Struct, omit_defaults=True):
    """A font of the organization."""

    id: str
    family: str
    faces: list[KeptFace]


class KeptSite(msgspec.Struct, omit_defaults=True):
    """A site; its structure is the `docs.yaml` in its folder."""

    id: str
    title: str
    directory: str
    basename: str | None = None
    visibility: Visibility = "public"
    published: bool = False
    type: str = "basic"
    adaptive_enabled: bool = False
    adaptive_schema: Json | None = None
    customization: Json | None = None
    redirects: list[KeptRedirect] = []
    agents_context: Literal["included", "excluded"] = "included"
    default_level: Level | None = "inherit"
    proxy: str | None = None
    icon: Json | None = None
    wanted_hostname: str | None = None
    site_spaces: list[KeptSiteSpace] = []
    share_links: list[KeptShareLink] = []
    auth: KeptAuth | None = None
    mcp_servers: list[KeptServer] = []


class Manifest(msgspec.Struct):
    """What an export of an organization holds."""

    format: int
    octavo: str
    title: str
    collections: list[KeptCollection]
    spaces: list[KeptSpace]
    sites: list[KeptSite] = []
    fonts: list[KeptFont] = []


# What is.


async def fonts_of(unit: Unit, organization: str) -> list[KeptFont]:
    """The fonts of an organization, oldest first."""
    found = sorted(await unit.fonts.all(organization), key=lambda one: (one.created_at, one.id))
    return [KeptFont(one.id, one.family, [_face(face) for face in one.faces["faces"]]) for one in found]


def _face(face: Json) -> KeptFace:
    return KeptFace(f"{FONTS}/{face['blob']}", {name: value for name, value in face.items() if name != "blob"})


def digest_of(face: KeptFace) -> str:
    """The digest of the file of a face."""
    return face.file.rpartition("/")[2]


async def site_of(unit: Unit, signer: Signer, site: Site, directory: str) -> KeptSite:
    """Everything that a site is, but for its structure."""
    shown = sorted(await unit.sites.site_spaces(site.id), key=lambda one: one.id)
    links = sorted(await unit.sites.share_links(site.id), key=lambda one: (one.created_at, one.id))
    servers = sorted(await unit.mcp_servers.all(site.id), key=lambda one: (one.created_at, one.id))
    redirects = sorted(await unit.redirects.all(site.id), key=lambda one: (one.source, one.draft))
    auth = await unit.sites.auth(site.id)
    said = ("source", "destination", "capture_wildcard", "permanent", "draft")
    told = ("name", "url", "transport", "sealed_headers", "condition")
    return KeptSite(
        **{name: getattr(site, name) for name in _OF_SITE},
        directory=directory,
        redirects=[KeptRedirect(**{name: getattr(one, name) for name in said}) for one in redirects],
        site_spaces=[
            KeptSiteSpace(one.id, one.page, one.customization) for one in shown if one.page or one.customization
        ],
        share_links=[KeptShareLink(one.name, signer.seal(one.key), one.active) for one in links],
        auth=None if auth is None else KeptAuth(auth.backend, auth.sealed_key, auth.fallback_url, auth.logout_url),
        mcp_servers=[KeptServer(**{name: getattr(one, name) for name in told}) for one in servers],
    )


def collection_of(one: Collection) -> KeptCollection:
    """A collection as a manifest has it."""
    return KeptCollection(one.id, one.title, one.parent, one.description, one.default_level)


def space_of(space: Space, directory: str) -> KeptSpace:
    """A space as a manifest has it; the ids in it are known when its files are written."""
    names = ("id", "title", "emoji", "parent", "icon", "language", "edit_mode", "default_level", "merge_rules")
    return KeptSpace(**{name: getattr(space, name) for name in names}, directory=directory)


# What becomes of it.


async def free_id(unit: Unit, wanted: str, kind: Literal["space", "collection", "site", "font"]) -> str:
    """The id that something had, where nothing has it here; else a new one."""
    known: object = None
    if kind == "space":
        known = await unit.spaces.get(wanted)
    elif kind == "collection":
        known = await unit.spaces.collection(wanted)
    else:
        known = await (unit.sites.get(wanted) if kind == "site" else unit.fonts.get(wanted))
    return wanted if known is None else new_id()


async def restored_collections(unit: Unit, organization: str, kept: Manifest) -> dict[str, str]:
    """Make the collections, each below the one that it was in; old id -> id."""
    made: dict[str, str] = {}
    waiting = list(kept.collections)
    while waiting:
        ready = [one for one in waiting if one.parent is None or one.parent in made]
        if not ready:
            raise BadRequest(f"{NAME}: collections lie in one another, or in one that is not there")
        waiting = [one for one in waiting if one not in ready]
        for one in ready:
            made[one.id] = await free_id(unit, one.id, "collection")
            parent = None if one.parent is None else made[one.parent]
            collection = Collection(
                id=made[one.id],
                organization=organization,
                title=one.title[:50],
                position=between(await unit.spaces.last_position(organization, parent), None),
                created_at=unit.now,
                description=one.description,
                parent=parent,
                default_level=msgspec.convert(one.default_level, Level | None),
            )
            await unit.spaces.add_collection(collection)
    return made


async def restored_fonts(unit: Unit, organization: str, kept: Manifest) -> dict[str, str]:
    """Make the fonts, whose files are stored; old id -> id."""
    made: dict[str, str] = {}
    for number, one in enumerate(kept.fonts):
        made[one.id] = await free_id(unit, one.id, "font")
        faces = [{"blob": digest_of(face), **face.told} for face in one.faces]
        await unit.blobs.put(organization, {face["blob"]: face["size"] for face in faces}, unit.now)
        at = unit.now + number
        font = Font(
            id=made[one.id], organization=organization, family=one.family, faces={"faces": faces}, created_at=at,
            updated_at=at,
        )  # fmt: skip
        await unit.fonts.add(font)
    return made


def translated(value: Any, ids: Mapping[str, str]) -> Any:
    """The same with the ids of here for those of there."""
    if isinstance(value, dict):
        return {name: translated(one, ids) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [translated(one, ids) for one in value]
    return ids.get(value, value) if isinstance(value, str) else value


async def restored_site(unit: Unit, signer: Signer, site: Site, kept: KeptSite, ids: Mapping[str, str]) -> list[str]:
    """Give a site that has its structure everything else; `ids` are old id -> id. Returns sentences about what had to be
    made anew."""
    remade = [
        *await _share_links(unit, signer, site, kept),
        *await _auth(unit, signer, site, kept),
        *await _servers(unit, signer, site, kept),
    ]
    for number, one in enumerate(kept.redirects):
        redirect = await _redirect(unit, site, one, ids)
        await unit.redirects.add(msgspec.structs.replace(redirect, created_at=unit.now + number))
    shown = {one.id: one for one in await unit.sites.site_spaces(site.id)}
    for held in kept.site_spaces:
        own = shown.get(ids.get(held.id, held.id))
        if own is not None:
            look = translated(held.customization, ids)
            await unit.sites.change_site_space(own, page=held.page, customization=look, customized_at=unit.now)
    names = ("published", "type", "adaptive_enabled", "agents_context", "default_level", "proxy", "icon", "visibility")
    changed: Json = {name: getattr(kept, name) for name in names}
    changed |= {"adaptive_schema": kept.adaptive_schema, "customization": translated(kept.customization, ids)}
    changed |= {"adaptive_updated_at": unit.now, "customized_at": unit.now}
    if kept.wanted_hostname is not None:
        changed |= {"wanted_hostname": kept.wanted_hostname, "hostname_wanted_at": unit.now}
        remade.append(f"{kept.title}: {kept.wanted_hostname} has to be proven again before the site answers there.")
    await unit.sites.change(site, **changed)
    if kept.wanted_hostname is not None:
        await want_hostname(unit, site, kept.wanted_hostname)
    await unit.emit(SiteChanged(organization=site.organization, site=site.id))
    return remade


async def _share_links(unit: Unit, signer: Signer, site: Site, kept: KeptSite) -> list[str]:
    new = 0
    for number, one in enumerate(kept.share_links):
        key = _unsealed(signer, one.sealed_key)
        new += key is None
        link = ShareLink(
            id=new_id(), organization=site.organization, site=site.id, name=one.name,
            key=secrets.token_urlsafe(24) if key is None else key, active=one.active, created_at=unit.now + number,
        )  # fmt: skip
        await unit.sites.add_share_link(link)
    return [f"{kept.title}: {new} share links have new keys, as the secret is another one."] if new else []


async def _auth(unit: Unit, signer: Signer, site: Site, kept: KeptSite) -> list[str]:
    held = kept.auth
    if held is None:
        return []
    key = _unsealed(signer, held.sealed_key)
    made = SiteAuth(
        site=site.id, organization=site.organization, backend="custom", changed_at=unit.now,
        sealed_key=signer.seal(secrets.token_hex(32) if key is None else key),
        fallback_url=held.fallback_url, logout_url=held.logout_url,
    )  # fmt: skip
    await unit.sites.add_auth(made)
    said = [f"{kept.title}: the key of visitors' tokens is new, as the secret is another one."] if key is None else []
    if held.backend == "integration":
        said.append(f"{kept.title}: visitors came in by an integration, which has to be installed again.")
    return said


async def _servers(unit: Unit, signer: Signer, site: Site, kept: KeptSite) -> list[str]:
    lost = 0
    for number, one in enumerate(kept.mcp_servers):
        headers = _unsealed(signer, one.sealed_headers)
        lost += headers is None
        server = SiteMcpServer(
            id=new_id(), organization=site.organization, site=site.id, name=one.name, url=one.url,
            transport=one.transport, sealed_headers=signer.seal("{}" if headers is None else headers),
            created_at=unit.now + number, condition=one.condition,
        )  # fmt: skip
        await unit.mcp_servers.add(server)
    return [f"{kept.title}: {lost} MCP servers lost their headers, as the secret is another one."] if lost else []


def _unsealed(signer: Signer, sealed: str) -> str | None:
    try:
        return signer.unseal(sealed)
    except ValueError:
        return None


async def _redirect(unit: Unit, site: Site, one: KeptRedirect, ids: Mapping[str, str]) -> SiteRedirect:
    destination = translated(one.destination, ids)
    if one.page is not None:
        shown = {held.id: held.space for held in await unit.sites.site_spaces(site.id)}
        space = await unit.spaces.get(shown.get(destination.get("siteSpaceId", ""), ""))
        destination["pageId"] = "" if space is None else await _page_at(unit, space, one.page)
    return SiteRedirect(
        id=new_id(),
        organization=site.organization,
        site=site.id,
        source=one.source,
        destination=destination,
        created_at=unit.now,
        capture_wildcard=one.capture_wildcard,
        permanent=one.permanent,
        draft=one.draft,
    )


async def _page_at(unit: Unit, space: Space, path: str) -> str:
    """The page at a path of a space; where none is, what nobody has."""
    revision = await unit.revisions.get(space.revision)
    assert revision is not None  # a space's row names its head
    branch = (await contents_of(unit, revision)).by_path.get(path.lower())
    return "" if branch is None else branch.page.id
