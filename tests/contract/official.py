"""The official OpenAPI document of this API, fetched from npm once, and what of an answer does not fit it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs
import pytest

PACKAGE = "@gitbook/api@0.202.0"
_SHA256 = "bdf31400531efffe484a58c033a8127631ea8c535ff56e3970984bb883ef898d"
_MEMBER = "package/spec/openapi.json"
_HERE = "urn:official"
_METHODS = ("get", "post", "put", "patch", "delete")


def _mended(schemas: dict[str, Any]) -> None:
    """Where the document contradicts itself, so that no answer could ever fit, what it means is put in its place."""
    # A page is a document besides, one alternative of which allows no other field: pages without a text have fields.
    empty = schemas["Document"]["anyOf"][2]
    empty.update(additionalProperties=True, propertyNames={"not": {"enum": ["markdown", "document"]}})
    # A button has a label and a kind, and beside them a reference or an action, which allow no other field.
    for way in schemas["DocumentInlineButton"]["properties"]["data"]["allOf"][1]["anyOf"]:
        del way["additionalProperties"]


def document(cache: Path) -> dict[str, Any]:
    """The document of the package, kept in the folder. Skips the test where npm or its registry does not answer."""
    kept = cache / "official.json"
    if not kept.exists():
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            fresh = Path(folder, "fresh")
            fresh.write_bytes(_packed(Path(folder)))
            # Whole or not at all: other processes look for it too.
            os.replace(fresh, kept)
    # Its alternatives overlap: nearly every tag, edited page and cell with a picture would fit two of them.
    found: dict[str, Any] = json.loads(kept.read_bytes().replace(b'"oneOf"', b'"anyOf"'))
    _mended(found["components"]["schemas"])
    return found


def _packed(folder: Path) -> bytes:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed, which the official schema comes from")
    command = ("npm", "pack", PACKAGE, "--ignore-scripts", "--silent", "--pack-destination", str(folder))
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=60, cwd=folder)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip(f"the npm registry does not answer for {PACKAGE}")
    [archive] = folder.glob("*.tgz")
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == _SHA256, f"{PACKAGE} is not what it was"
    with tarfile.open(archive) as packed:
        member = packed.extractfile(_MEMBER)
        assert member is not None
        return member.read()


class Official:
    """The answers that the document describes, by operation; each schema is compiled when it is first asked."""

    def __init__(self, whole: dict[str, Any]) -> None:
        self._whole = whole
        self._registry = jsonschema_rs.Registry([(_HERE, whole)])
        self._answers: dict[str, tuple[str, Mapping[str, Any]]] = {}
        self._compiled: dict[tuple[str, int], Any] = {}
        for path, operations in whole["paths"].items():
            for method in _METHODS:
                if method in operations:
                    operation = operations[method]
                    pointer = f"/paths/{_escaped(path)}/{method}/responses"
                    self._answers[operation["operationId"]] = (pointer, operation["responses"])

    def __contains__(self, operation: str) -> bool:
        return operation in self._answers

    def misfits(self, operation: str, status: int, answer: Any) -> Iterator[str]:
        """`place: what is wrong`, once for each place; indexes in a list are `*`."""
        pointer, answers = self._answers[operation]
        if str(status) not in answers:
            yield f"status: {status} is none of {', '.join(answers)}"
            return
        if not {"content", "$ref"} & answers[str(status)].keys():
            return  # it has no body there, so that any fits
        key = (operation, status)
        if key not in self._compiled:
            schema = {"$ref": _HERE + "#" + quote(f"{pointer}/{status}/content/application~1json/schema")}
            self._compiled[key] = jsonschema_rs.validator_for(
                schema, registry=self._registry, validate_formats=True, mask="the value"
            )
        seen = dict.fromkeys(_said(error) for error in _leaves(self._compiled[key].iter_errors(answer)))
        yield from seen

    def strangers(self, operation: str, status: int, answer: Any) -> set[str]:
        """The names of fields that the document does not have where they stand, with the field that they stand in."""
        response = self._answers[operation][1].get(str(status), {})
        held = response.get("content", {}).get("application/json", {})
        return set(self._strangers(answer, [held.get("schema", {})], ""))

    def _strangers(self, value: Any, schemas: list[Any], within: str) -> Iterator[str]:
        parts = [part for schema in schemas for part in self._parts(schema)]
        if isinstance(value, list):
            items = [part["items"] for part in parts if "items" in part]
            for one in value:
                yield from self._strangers(one, items, within)
        named = [part["properties"] for part in parts if "properties" in part]
        if not isinstance(value, dict) or not named or any(part.get("additionalProperties") for part in parts):
            return
        for name, below in value.items():
            known = [properties[name] for properties in named if name in properties]
            if known:
                yield from self._strangers(below, known, name)
            else:
                yield f"{within}.{name}"

    def _parts(self, schema: Any) -> Iterator[Any]:
        """A schema with all that it refers to and is made of."""
        while "$ref" in schema:
            schema = self._whole["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        yield schema
        for word in ("allOf", "anyOf"):
            for part in schema.get(word, ()):
                yield from self._parts(part)


def _escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")


def _said(error: Any) -> str:
    place = "/".join("*" if isinstance(part, int) else str(part) for part in error.instance_path)
    return f"{place}: {error.message}"


def _leaves(errors: Iterable[Any]) -> Iterator[Any]:
    """What is wrong in the end: of alternatives, what is wrong with the one that comes nearest."""
    for error in errors:
        branches = [list(branch) for branch in getattr(error.kind, "context", ())]
        if not any(branches):
            yield error
            continue
        yield from _leaves(min((branch for branch in branches if branch), key=_distance))


def _distance(branch: list[Any]) -> tuple[bool, int]:
    """Another tag (`type`, `object`) makes an alternative the wrong one; of the others fewer faults are nearer."""
    leaves = list(_leaves(branch))
    foreign = any(type(error.kind).__name__.endswith(("Enum", "Constant")) for error in leaves)
    return foreign, len(leaves)
