"""API descriptions that lie among the files of a space: read beside the event loop, and kept by what is in them."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.content.document import Node
from octavo.content.openapi.cutting import cut
from octavo.content.openapi.reading import Unreadable, read
from octavo.content.revision import File
from octavo.history.contents import Contents
from octavo.kernel import limits
from octavo.site.apis import Parts
from octavo.store.content.blobs import Blobs
from octavo.store.kept import Kept, Kind
from octavo.web.beside import beside


def _weight(known: Parts | str) -> int:
    return 1_000 if isinstance(known, str) else sum(len(name) + len(data) + 200 for name, data in known.items())


_KNOWN: Kind[Parts | str] = Kind("API descriptions in files", _weight)


async def described(
    blobs: Blobs, kept: Kept, contents: Contents, space: str, blocks: Iterable[Node]
) -> dict[str, Parts | str]:
    """The files of the space that blocks name as API descriptions, by id: their parts, or a sentence why there are none."""
    named = {file.id: file for node in blocks if (file := _file(contents, space, node["data"].get("ref"))) is not None}
    return {key: await _known(blobs, kept, contents.organization, file) for key, file in named.items()}


def _file(contents: Contents, space: str, ref: object) -> File | None:
    if not isinstance(ref, dict) or ref.get("kind") != "file" or ref.get("space") not in (None, space):
        return None
    return contents.files.get(str(ref.get("file")))


async def _known(blobs: Blobs, kept: Kept, organization: str, file: File) -> Parts | str:
    if file.size > limits.OPENAPI_FILE_BYTES:
        most = limits.OPENAPI_FILE_BYTES >> 10
        return (
            f"{file.name} has more than {most} KiB: bring it in as a specification of the organization, and name that."
        )
    known = kept.get(_KNOWN, file.blob)
    if known is None:
        data = await blobs.get(organization, file.blob)
        if data is None:
            return f"The bytes of {file.name} are not there."
        known = kept.put(_KNOWN, file.blob, await beside(_read, data))
    return f"{file.name} describes no API. {known}" if isinstance(known, str) else known


def _read(data: bytes) -> Parts | str:
    try:
        return cut(read(data)[0], limits.OPENAPI_FILE_OPERATIONS_MAX).parts
    except Unreadable as fault:
        return str(fault)
