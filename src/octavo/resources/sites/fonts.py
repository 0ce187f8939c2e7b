"""Fonts of organizations: what their sites may be set in beside the typefaces that every site has."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from octavo.access.locate_sites import SeenFont
from octavo.access.policy import allows
from octavo.content.webfonts import kind_of
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict, Precondition
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records import Json
from octavo.kernel.records.sites import Font
from octavo.resources.call import Ahead, Call, Slice, listed
from octavo.resources.places import AtOrganization
from octavo.resources.rules import MEMBERS
from octavo.site.looks import named_fonts
from octavo.wire.lists import ListQuery
from octavo.wire.sites import fonts
from octavo.wire.sites.fonts import ChangedFace, CreateFont, FontView, NewFace, UpdateFont

REGULAR = 400


class AtFont(AtOrganization, frozen=True):
    font: SeenFont


async def list_in_organization(call: Call, at: AtOrganization, query: ListQuery) -> Slice[FontView]:
    """Newest first."""
    found = await call.unit.fonts.all(at.organization.record.id)
    page = call.cut(found, query, lambda one: (-one.created_at, one.id))
    return Slice([_view(at, one) for one in page.items], page.count, page.next)


async def get(call: Call, at: AtFont, takes: Nothing) -> FontView:
    """One font."""
    return _view(at, at.font.record)


async def prepare_create(prior: Ahead, at: AtOrganization, body: CreateFont) -> list[Json]:
    """The faces whose files were uploaded."""
    return await _stored(prior, at, body.font_faces)


async def create(call: Call, at: AtOrganization, body: CreateFont) -> FontView:
    """From files that were uploaded before."""
    organization = at.organization.record.id
    if len(await call.unit.fonts.all(organization)) >= limits.FONTS_MAX:
        raise Conflict(f"an organization has {limits.FONTS_MAX} fonts at most")
    faces = _faces(call.prepared)
    font = Font(
        id=new_id(),
        organization=organization,
        family=body.font_family,
        faces={"faces": faces},
        created_at=call.now,
        updated_at=call.now,
    )
    await call.unit.fonts.add(font)
    await _note(call, organization, faces)
    return _view(at, font)


async def prepare_update(prior: Ahead, at: AtFont, body: UpdateFont) -> list[Json] | None:
    """The faces whose files were uploaded, and those that stay; None where none was sent."""
    if body.font_faces is UNSET:
        return None
    return await _stored(prior, at, body.font_faces)


async def update(call: Call, at: AtFont, body: UpdateFont) -> FontView:
    """The faces that were sent are all that it has afterwards."""
    old = at.font.record
    changed: dict[str, object] = {} if body.font_family is UNSET else {"family": body.font_family}
    if call.prepared is not None:
        faces = _faces(call.prepared, {face["weight"]: face for face in old.faces["faces"]})
        changed["faces"] = {"faces": faces}
        await _note(call, old.organization, faces)
    font = await call.unit.fonts.change(old, **changed, updated_at=call.now)
    for site in await _sites_with(call, font):
        await call.unit.emit(SiteChanged(organization=font.organization, site=site))
    return _view(at, font)


async def delete(call: Call, at: AtFont, takes: Nothing) -> None:
    """Raises Precondition where a site is set in it."""
    font = at.font.record
    using = await _sites_with(call, font)
    if using:
        raise Precondition(f"the font is used by {'site' if len(using) == 1 else 'sites'} {', '.join(using[:5])}")
    await call.unit.fonts.remove(font)


async def _sites_with(call: Call, font: Font) -> list[str]:
    """The ids of the sites that are set in a font, all of one or some."""
    sites, site_spaces = await call.unit.fonts.dressed(font.organization)
    found = {site.id for site in sites if font.id in named_fonts(site.customization)}
    return sorted(found | {one.site for one in site_spaces if font.id in named_fonts(one.customization)})


async def _stored(prior: Ahead, at: AtOrganization, sent: Sequence[NewFace | ChangedFace]) -> list[Json]:
    """Faces with the blobs of their files; one that stays has none."""
    made: list[Json] = []
    for number, face in enumerate(sent):
        if any(face.weight == other["weight"] for other in made):
            raise BadRequest(f"fontFaces[{number}].weight: the weight {face.weight} is given twice")
        found = (
            {} if face.storage_key is None else await _file(prior, at.organization.record.id, number, face.storage_key)
        )
        made.append({"weight": face.weight, **found})
    if all(face["weight"] != REGULAR for face in made):
        raise Precondition(f"fontFaces: one of them must have the weight {REGULAR}")
    return made


async def _file(prior: Ahead, organization: str, number: int, key: str) -> Json:
    where, now = f"fontFaces[{number}].storageKey", prior.store.clock()
    try:
        name = prior.signer.read_upload(organization, key, now)
    except BadRequest as error:
        raise BadRequest(f"{where}: {error.message.removeprefix('key: ')}") from error
    if prior.signer.read_upload_address(key, now).size > limits.FONT_FACE_BYTES:
        raise BadRequest(f"{where}: a font file has {limits.FONT_FACE_BYTES} bytes at most")
    data = await prior.blobs.get(organization, name)
    if data is None:
        raise BadRequest(f"{where}: nothing was uploaded under this key yet")
    try:
        kind = kind_of(data)
    except ValueError as error:
        raise BadRequest(f"{where}: {error}") from error
    blob = await prior.blobs.put(organization, data)
    return {"blob": blob, "size": len(data), "contentType": f"font/{kind}"}


def _faces(prepared: list[Json], known: dict[int, Json] | None = None) -> list[Json]:
    """The faces as they are kept, by weight. Raises BadRequest for one that is to stay and is not there."""
    made = []
    for number, face in enumerate(prepared):
        if "blob" not in face and face["weight"] not in (known or {}):
            raise BadRequest(f"fontFaces[{number}].storageKey: the font has no file of the weight {face['weight']} yet")
        made.append(face if "blob" in face else (known or {})[face["weight"]])
    return sorted(made, key=lambda face: int(face["weight"]))


async def _note(call: Call, organization: str, faces: list[Json]) -> None:
    await call.unit.blobs.put(organization, {face["blob"]: face["size"] for face in faces}, call.now)


def _view(at: AtOrganization, font: Font) -> FontView:
    return FontView(font, allows("organization", "createContent", at.organization.role))


_ALL = "/orgs/{organization}/fonts"
_ONE = "/orgs/{organization}/fonts/{font}"

OPERATIONS = (
    reads("listCustomFonts", _ALL, list_in_organization, listed(fonts.present),
          needs=MEMBERS, scope="site:read", summary="List the fonts of an organization"),
    writes("PUT", "createCustomFont", _ALL, create, fonts.present,
           lock="organization", status=201, before=prepare_create, needs="organization.createContent",
           scope="site:write", audit="font.create", about=lambda made: made.font, stands="fonts",
           summary="Make a font of files that were uploaded"),
    reads("getCustomFont", _ONE, get, fonts.present,
          at=AtFont, needs=MEMBERS, scope="site:read", summary="Get a font"),
    writes("POST", "updateCustomFont", _ONE, update, fonts.present,
           lock="organization", status=201, before=prepare_update, needs="organization.createContent",
           scope="site:write", audit="font.update", summary="Change a font"),
    writes("DELETE", "deleteCustomFont", _ONE, delete, nothing,
           lock="organization", needs="organization.createContent", scope="site:write", audit="font.delete",
           summary="Delete a font that no site is set in"),
)  # fmt: skip
