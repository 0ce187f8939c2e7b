"""`octavo mail`: templates of letters written down for an operator to change, and letters as they will look."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from octavo.jobs.people.letters import TEMPLATES, Letters
from octavo.jobs.people.letters.samples import samples
from octavo.kernel.settings import Settings


def write_templates(folder: Path) -> dict[str, Any]:
    """Those that are not there yet; what somebody changed stays. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    own = files("octavo.jobs.people.letters").joinpath("templates")
    missing = [name for name in TEMPLATES if not (folder / name).exists()]
    for name in missing:
        (folder / name).write_text(own.joinpath(name).read_text(encoding="utf-8"), encoding="utf-8")
    return {"folder": str(folder), "written": missing, "kept": len(TEMPLATES) - len(missing)}


def show_letters(settings: Settings, folder: Path, language: str | None) -> dict[str, Any]:
    """One letter of each kind as `KIND.html` and `KIND.txt`. Raises ValueError for a template that cannot be used."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for occasion in samples(language):
        letter = Letters(settings).check(occasion)
        (folder / f"{occasion.about}.html").write_text(letter.html or "", encoding="utf-8")
        (folder / f"{occasion.about}.txt").write_text(f"Subject: {letter.subject}\n\n{letter.text}", encoding="utf-8")
        written.append(occasion.about)
    return {"folder": str(folder), "letters": written}
