"""Writes the bill of materials that lies in the wheel, from the locked libraries (CycloneDX 1.6). `--check` only compares."""

from __future__ import annotations

import re
import sys
import uuid
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.bom_ref import BomRef
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from octavo import __version__

ROOT = Path(__file__).parents[1]
BILL = ROOT / "src" / "octavo" / "bill.cdx.json"
LOCK = ROOT / "requirements" / "runtime.lock"
_PINNED = re.compile(r"^([\w.-]+)(?:\[[\w,.-]+\])?==(\S+?)(?: ;.*)?(?: \\)?$")


def locked(text: str) -> list[tuple[str, str]]:
    """Name and version of each library of a lock."""
    return [(found[1], found[2]) for line in text.splitlines() if (found := _PINNED.match(line))]


def bill() -> str:
    """The document. It says nothing of when or where it was made, so that the same lock makes the same bytes."""
    text = LOCK.read_text()
    itself = Component(name="octavo", version=__version__, type=ComponentType.APPLICATION, bom_ref=BomRef("octavo"))
    made = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"octavo {__version__}\n{text}"))
    made.metadata.timestamp = None  # type: ignore[assignment]
    made.metadata.component = itself
    libraries = [_component(*one) for one in locked(text)]
    for one in libraries:
        made.components.add(one)
    made.register_dependency(itself, libraries)
    return f"{JsonV1Dot6(made).output_as_string(indent=1)}\n"


def _component(name: str, version: str) -> Component:
    url = PackageURL("pypi", None, name, version)
    said = _license(name)
    return Component(
        name=name,
        version=version,
        type=ComponentType.LIBRARY,
        purl=url,
        bom_ref=BomRef(url.to_string()),
        licenses=[] if said is None else [LicenseFactory().make_from_string(said)],
    )


def _license(name: str) -> str | None:
    """What a library says of its licence; None where it is not installed on this machine, or holds a whole text."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return None
    said = next(filter(None, (told[field] for field in ("License-Expression", "License") if field in told)), "")
    return said if said and "\n" not in said and len(said) < 60 else None


def main(words: list[str]) -> int:
    """0, or 1 where it is stale."""
    text = bill()
    if "--check" in words:
        if BILL.exists() and BILL.read_text() == text:
            return 0
        print("src/octavo/bill.cdx.json is not what the lock says; python tools/bill.py writes it")
        return 1
    BILL.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
