"""Uploads: files that are too large for a body are sent to an address of their own first, and then named by key."""

from __future__ import annotations

from octavo.access.signing import Upload
from octavo.kernel.ids import new_id
from octavo.kernel.operation import reads
from octavo.resources.call import Call
from octavo.resources.places import AtOrganization
from octavo.resources.rules import MEMBERS
from octavo.wire.content.uploads import RequestUpload, SignedUrl
from octavo.wire.view import View


async def request_upload(call: Call, at: AtOrganization, body: RequestUpload) -> str:
    """The key of an upload, for whoever belongs to the organization, guests too; nothing is kept until the bytes arrive.

    Where the file goes to is asked when it is named."""
    name = f"upload-{new_id()}"
    return call.signer.write_upload(Upload(at.organization.record.id, name, body.file.size), call.now)


def _present(key: str, view: View) -> SignedUrl:
    return SignedUrl(f"{view.app}/uploads/{key}", key)


OPERATIONS = (
    reads("generateStorageUploadURL", "/orgs/{organization}/storage/upload", request_upload, _present,
          method="POST", status=201, needs=MEMBERS, scope="space:write",
          summary="Get an address to upload a file to"),
)  # fmt: skip
