"""Descriptions of APIs that a preview shows: files that are given by the slugs under which pages name them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from octavo.administration import OPERATOR
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest
from octavo.kernel.events import OpenAPISpecWanted
from octavo.kernel.ids import new_id
from octavo.kernel.records.openapi import OpenapiSpec
from octavo.main import House
from octavo.store.unit import Unit
from octavo.wire.openapi import SPEC_SLUG


def named(given: Iterable[str]) -> dict[str, Path]:
    """`slug=file` as somebody typed it -> the file by its slug. Raises BadRequest for what is none."""
    made: dict[str, Path] = {}
    for one in given:
        slug, _, name = one.partition("=")
        file = Path(name)
        if re.fullmatch(SPEC_SLUG, slug) is None or not name:
            raise BadRequest(f"--openapi {one}: expected a slug and a file, such as petstore=openapi.yaml")
        if not file.is_file():
            raise BadRequest(f"--openapi {one}: there is no file {file}")
        made[slug] = file
    return made


async def bring(house: House, organization: str, files: Mapping[str, Path]) -> None:
    """Give the organization these descriptions; the jobs of the preview read them. Raises BadRequest for one too large."""
    for slug, file in files.items():
        data = file.read_bytes()
        if len(data) > limits.OPENAPI_BYTES:
            raise BadRequest(f"{file}: a specification has {limits.OPENAPI_BYTES:,} bytes at most")
        blob = await house.blobs.put(organization, data)

        async def wanted(unit: Unit, slug: str = slug, blob: str = blob, size: int = len(data)) -> None:
            await unit.blobs.put(organization, {blob: size}, unit.now)
            known = await unit.openapi.by_slug(organization, slug)
            if known is None:
                own = {"organization": organization, "created_at": unit.now, "updated_at": unit.now}
                known = OpenapiSpec(id=new_id(), slug=slug, source_blob=blob, **own)  # type: ignore[arg-type]
                await unit.openapi.add(known)
            elif known.source_blob == blob:
                return
            else:
                known = await unit.openapi.change(known, source_blob=blob, wanted=known.wanted + 1, updated_at=unit.now)
            await unit.emit(OpenAPISpecWanted(organization=organization, spec=known.id))

        await house.store.write(wanted, OPERATOR)
