"""The typefaces that are shipped: all are named, licensed and packaged."""

from __future__ import annotations

import tomllib
from pathlib import Path

from typst import Fonts

from octavo.content import fonts

ROOT = Path(__file__).parents[2]


def test_the_families_are_those_of_the_files() -> None:
    found = Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(fonts.FOLDER)])
    assert set(found.families()) == {*fonts.FAMILIES, fonts.MONO}


def test_every_file_has_its_licence() -> None:
    noted = (fonts.FOLDER / "LICENSES.md").read_text()
    faces = sorted(fonts.FOLDER.glob("*.ttf"))
    assert faces
    for face in faces:
        assert f"`{face.name}`" in noted


def test_every_file_beside_the_code_is_packaged() -> None:
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = setup["tool"]["setuptools"]["package-data"]["octavo"]
    package = ROOT / "src" / "octavo"
    packaged = {path for pattern in patterns for path in package.glob(pattern)}
    beside = {path for path in package.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")}
    assert beside - packaged == set()
