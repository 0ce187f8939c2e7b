"""Pictures of looks: logos, icons and pictures of previews that were uploaded instead of lying somewhere else."""

from __future__ import annotations

from octavo.content.drawings import acting
from octavo.content.media import sniffed
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest
from octavo.kernel.operation import writes
from octavo.resources.call import Ahead, Call
from octavo.resources.places import AtSite
from octavo.wire.sites import pictures
from octavo.wire.sites.pictures import ENDINGS, AddPicture, PictureView

_TAKEN = "pictures are PNG, JPEG, GIF, WebP, AVIF or SVG"


async def prepare_add(prior: Ahead, at: AtSite, body: AddPicture) -> PictureView:
    """The picture whose bytes were uploaded."""
    organization, now = at.organization.record.id, prior.store.clock()
    try:
        name = prior.signer.read_upload(organization, body.storage_key, now)
    except BadRequest as error:
        raise BadRequest(f"storageKey: {error.message.removeprefix('key: ')}") from error
    if prior.signer.read_upload_address(body.storage_key, now).size > limits.PICTURE_BYTES:
        raise BadRequest(f"storageKey: a picture has {limits.PICTURE_BYTES} bytes at most")
    data = await prior.blobs.get(organization, name)
    if data is None:
        raise BadRequest("storageKey: nothing was uploaded under this key yet")
    kind = sniffed("picture", None, data)
    if kind not in ENDINGS:
        raise BadRequest(f"storageKey: {_TAKEN}, and these bytes are {kind}")
    if kind == "image/svg+xml" and (why := acting(data)) is not None:
        raise BadRequest(f"storageKey: {why}")
    return PictureView(organization, await prior.blobs.put(organization, data), kind, len(data))


async def add(call: Call, at: AtSite, body: AddPicture) -> PictureView:
    """Keep it for a look to name; what none names goes with the next collection after a day."""
    made: PictureView = call.prepared
    await call.unit.blobs.put(made.organization, {made.blob: made.size}, call.now)
    return made


OPERATIONS = (
    writes("POST", "addSitePicture", "/orgs/{organization}/sites/{site}/pictures", add, pictures.present,
           at=AtSite, status=201, before=prepare_add, needs="site.admin", scope="site:write", audit="site.picture.add",
           summary="Make an address for the looks of sites of a picture that was uploaded"),
)  # fmt: skip
