"""The digests of all files of an export, as `sha256sum --check` reads them: what was damaged or changed on the way is found."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from octavo.kernel.errors import BadRequest

SUMS = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_ANEW = f"an export that was changed on purpose is imported without its {SUMS}"


def write_sums(folder: Path) -> None:
    """Of every file below the folder."""
    lines = [f"{_digest(folder / name)}  {name}\n" for name in _files(folder)]
    folder.joinpath(SUMS).write_text("".join(lines), "utf-8")


def check_sums(folder: Path) -> None:
    """Raises BadRequest for the first file that is another one, is missing, or came in between. An export without the list
    is taken as it is."""
    file = folder / SUMS
    if not file.is_file():
        return
    said: dict[str, str] = {}
    for number, line in enumerate(file.read_bytes().decode("utf-8", "replace").splitlines(), 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise BadRequest(f"{SUMS}, line {number}: it does not name a digest and a file")
        said[match[2]] = match[1]
    there = _files(folder)
    for name in there:
        if name not in said:
            raise BadRequest(f"{name}: it is not in {SUMS}, so the export did not write it; {_ANEW}")
    missing = sorted(said.keys() - set(there))
    if missing:
        raise BadRequest(f"{missing[0]}: the export has lost this file, which {SUMS} names")
    for name in there:
        if _digest(folder / name) != said[name]:
            raise BadRequest(f"{name}: it is not as the export wrote it, says {SUMS}; {_ANEW}")


def _files(folder: Path) -> list[str]:
    every = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in every if name != SUMS)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
