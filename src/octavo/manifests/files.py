"""Files of an export that are named by their digests: of specifications, integrations and looks."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from octavo.gateways.failures import GatewayFailure
from octavo.gateways.snapshots import clean
from octavo.kernel.errors import BadRequest
from octavo.kernel.records.integrations import Integration
from octavo.kernel.records.openapi import OpenapiSpec, OpenapiSpecVersion
from octavo.manifests.manifest import Manifest
from octavo.manifests.rows import Held, record_of
from octavo.manifests.tables import ROWS
from octavo.store.integrations.integrations import INTEGRATIONS
from octavo.store.openapi import SPECS, VERSIONS
from octavo.wire.sites.pictures import named

MEMORY = "translation-memory.json"
_TABLES = (SPECS.name, VERSIONS.name, INTEGRATIONS.name)


def named_files(records: dict[str, list[Any]]) -> dict[str, str]:
    """Path in the export -> digest, of all files that these records name."""
    files: dict[str, str] = {}
    specs: Sequence[OpenapiSpec] = records[SPECS.name]
    slugs = {one.id: one.slug for one in specs}
    versions: Sequence[OpenapiSpecVersion] = records[VERSIONS.name]
    texts = {(one.spec, one.blob) for one in versions}
    for version in versions:
        name = f"specifications/{slugs[version.spec]}/{version.id}"
        files |= {f"{name}.{version.format}": version.blob, f"{name}.document.json": version.document}
    for spec in specs:
        if spec.source_blob is not None and (spec.id, spec.source_blob) not in texts:
            files[f"specifications/{spec.slug}/source.txt"] = spec.source_blob
    integrations: Sequence[Integration] = records[INTEGRATIONS.name]
    for one in integrations:
        files[f"integrations/{one.id}/script.js"] = one.script
        if one.icon is not None:
            files[f"integrations/{one.id}/icon.png"] = one.icon
        for number, preview in enumerate(one.previews, 1):
            kind = str(preview.get("contentType", "")).rpartition("/")[2] or "png"
            files[f"integrations/{one.id}/preview-{number}.{kind}"] = preview["blob"]
    return files


def named_pictures(manifest: Manifest) -> dict[str, str]:
    """Path in the export -> digest, of the pictures that looks of its sites name."""
    return {f"pictures/{blob}": blob for blob in named(msgspec.to_builtins(manifest.sites))}


def read_pictures(folder: Path, manifest: Manifest) -> dict[str, Path]:
    """Digest -> file. Raises BadRequest for another one; one that is not there was not there when it was exported."""
    made = {digest: folder / name for name, digest in named_pictures(manifest).items()}
    made = {digest: path for digest, path in made.items() if path.is_file()}
    for digest, path in made.items():
        if sha256(path.read_bytes()).hexdigest() != digest:
            raise BadRequest(f"pictures/{digest}: this is another file")
    return made


def read_files(folder: Path, held: Held) -> dict[str, Path]:
    """Digest -> file, of all that the rows name. Raises BadRequest for one that is not there, or another one."""
    of = {rows.name: rows for rows in ROWS}
    records = {name: [record_of(of[name], row, of[name].file) for row in held[name]] for name in _TABLES}
    made: dict[str, Path] = {}
    for name, digest in named_files(records).items():
        try:
            path = folder / clean(name)
        except GatewayFailure as failure:
            raise BadRequest(f"{name}: {failure}") from failure
        if not path.is_file() or sha256(path.read_bytes()).hexdigest() != digest:
            raise BadRequest(f"{name}: the file is not there, or another one")
        made[digest] = path
    return made


def told_memory(answers: dict[bytes, str]) -> bytes:
    """What was translated before, as its file has it."""
    told = [{"digest": digest, "text": text} for digest, text in sorted(answers.items())]
    return msgspec.json.format(msgspec.json.encode(told)) + b"\n"


class _Answer(msgspec.Struct):
    digest: bytes
    text: str


def read_memory(folder: Path) -> dict[bytes, str]:
    """Digest -> text. Raises BadRequest for a file that cannot be read."""
    file = folder / MEMORY
    if not file.is_file():
        return {}
    try:
        return {one.digest: one.text for one in msgspec.json.decode(file.read_bytes(), type=list[_Answer])}
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadRequest(f"{MEMORY}: {error}") from error
