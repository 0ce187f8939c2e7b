"""Pictures for a PDF: each becomes a small PDF of its own, so that a broken or huge one costs nothing but itself.

A typesetter holds every picture of a book decoded at once; PDFs it takes as they are.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from octavo.content.revision import File
from octavo.typesetting.typesetter import Typesetter, Unset

_FORMATS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/svg+xml": "svg",
}
_BYTES = 24 << 20
_PIXELS = 24_000_000
"""Of the largest picture that is set."""


def pictures(files: Iterable[File]) -> list[File]:
    """Those that can be set."""
    return [
        file
        for file in files
        if file.content_type.partition(";")[0].strip() in _FORMATS
        and file.size <= _BYTES
        and (file.width or 0) * (file.height or 0) <= _PIXELS
    ]


def prepare(typesetter: Typesetter, folder: Path, files: Iterable[File]) -> dict[str, str]:
    """Make a PDF of each picture that lies in the folder by its blob; the names of the PDFs by the ids of the files."""
    made: dict[str, str] = {}
    for file in files:
        name = f"{file.blob}.pdf"
        if not (folder / name).exists():
            _convert(typesetter, folder, file, name)
        if (folder / name).exists():
            made[file.id] = name
    typesetter.forget()
    return made


def named_files(value: Any) -> set[str]:
    """Ids of the files that a document names, wherever in it."""
    found: set[str] = set()
    waiting: list[Any] = [value]
    while waiting:
        at = waiting.pop()
        if isinstance(at, dict):
            if at.get("kind") == "file" and isinstance(at.get("file"), str):
                found.add(at["file"])
            waiting += at.values()
        elif isinstance(at, list):
            waiting += at
    return found


def _convert(typesetter: Typesetter, folder: Path, file: File, name: str) -> None:
    source = folder / file.blob
    if not source.exists():
        return
    kind = _FORMATS[file.content_type.partition(";")[0].strip()]
    sheet = folder / "picture.typ"
    sheet.write_text(f'#set page(width:auto,height:auto,margin:0pt)\n#image("{file.blob}",format:"{kind}")\n')
    with contextlib.suppress(Unset):  # what it shows is then said in its place
        typesetter.set(sheet, folder / name)
    source.unlink()
