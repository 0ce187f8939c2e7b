"""Uploads: addresses that take the bytes of a file."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from octavo.kernel import limits
from octavo.wire.fields import Body, Shape, line


class FileToUpload(Body, frozen=True):
    name: Annotated[str, line(limits.FILE_NAME_MAX, min_length=1)]
    type: str
    # Whoever has a larger file is told in MiB, so that the bound stands in the description alone.
    size: Annotated[int, Meta(ge=0, extra_json_schema={"maximum": limits.UPLOAD_MAX})]
    """In bytes; at most 256 MiB are taken."""


class RequestUpload(Body, frozen=True):
    file: FileToUpload
    kind: Literal["customization_font", "import_file", "organization_file"]


class SignedUrl(Shape, frozen=True, tag_field="object", tag="storage-signed-url"):
    """Where the bytes are sent by PUT, and the key under which they are named afterwards; both serve for an hour."""

    url: str
    key: str
