"""Uploads: files that are too large for a body are sent to an address of their own first, and then named by key."""

from __future__ import annotations

from octavo.access.signing import Upload
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, TooMany
from octavo.kernel.events import UploadAnnounced
from octavo.kernel.ids import new_id
from octavo.kernel.operation import writes
from octavo.kernel.records.jobs import FORGET_UPLOAD
from octavo.resources.call import Call
from octavo.resources.places import AtOrganization
from octavo.resources.rules import MEMBERS
from octavo.wire.content.uploads import RequestUpload, SignedUrl
from octavo.wire.view import View


async def request_upload(call: Call, at: AtOrganization, body: RequestUpload) -> str:
    """The key of an upload, for whoever belongs to the organization, guests too; it is written down together with its end.

    Where the file goes to is asked when it is named."""
    organization, user, size = at.organization.record.id, call.caller.user.id, body.file.size
    await _require_room(call, organization, user, size)
    upload = Upload(organization, f"upload-{new_id()}", size)
    await call.unit.emit(UploadAnnounced(organization=organization, blob=upload.name, size=size, user=user))
    return call.signer.write_upload(upload, call.now)


async def _require_room(call: Call, organization: str, user: str, size: int) -> None:
    """Raises BadRequest for a file that is never taken, TooMany where a user, or an organization, has announced too much that
    is not removed yet."""
    if size > limits.UPLOAD_MAX:
        raise BadRequest(
            f"file.size: the file is larger than {limits.UPLOAD_MAX >> 20} MiB, which is the most that is taken"
        )
    announced = [job.payload for job in await call.unit.jobs.waiting(FORGET_UPLOAD, organization)]
    own = [one["size"] for one in announced if one["user"] == user]
    later = f"what was uploaded is removed after {limits.UPLOAD_HOURS} hours"
    if len(own) >= limits.UPLOADS_OF_USER_MAX:
        raise TooMany(f"you have announced {len(own)} files, which is as many as you may; {later}")
    if sum(own) + size > limits.UPLOADS_OF_USER_BYTES:
        raise TooMany(f"you have announced {sum(own)} of {limits.UPLOADS_OF_USER_BYTES} bytes; {later}")
    total = sum(one["size"] for one in announced)
    if total + size > limits.UPLOADS_BYTES:
        raise TooMany(f"the organization has announced {total} of {limits.UPLOADS_BYTES} bytes; {later}")


def _present(key: str, view: View) -> SignedUrl:
    return SignedUrl(f"{view.app}/uploads/{key}", key)


OPERATIONS = (
    writes("POST", "generateStorageUploadURL", "/orgs/{organization}/storage/upload", request_upload, _present,
           lock="organization", status=201, needs=MEMBERS, scope="space:write", audit=None,
           summary="Get an address to upload a file to"),
)  # fmt: skip
