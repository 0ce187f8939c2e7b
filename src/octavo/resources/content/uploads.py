"""Uploads: files that are too large for a body are sent to an address of their own first, and then named by key."""

from __future__ import annotations

from dataclasses import dataclass

from octavo.access.locate import SeenOrganization
from octavo.access.signing import Upload
from octavo.kernel.ids import new_id
from octavo.kernel.operation import READ, Operation
from octavo.resources.call import Call
from octavo.wire.content.uploads import RequestUpload, SignedUrl
from octavo.wire.view import View


@dataclass(frozen=True)
class InOrganization:
    organization: SeenOrganization


async def request_upload(call: Call, at: InOrganization, body: RequestUpload) -> str:
    """The key of an upload, for whoever belongs to the organization, guests too; nothing is kept until the bytes arrive.

    Where the file goes to is asked when it is named."""
    name = f"upload-{new_id()}"
    return call.signer.write_upload(Upload(at.organization.record.id, name, body.file.size), call.now)


def _present(key: str, view: View) -> SignedUrl:
    return SignedUrl(f"{view.app}/uploads/{key}", key)


OPERATIONS = (
    Operation(
        id="generateStorageUploadURL",
        method="POST",
        path="/orgs/{organization}/storage/upload",
        at=InOrganization,
        takes=RequestUpload,
        does=request_upload,
        present=_present,
        gives=SignedUrl,
        status=201,
        needs="relation",
        pace="write",
        unit=READ,
        scope="space:write",
        summary="Get an address to upload a file to",
    ),
)
