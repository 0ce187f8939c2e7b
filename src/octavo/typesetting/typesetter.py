"""Typst within a folder: what it may read, what becomes of its failures, and of what it remembers."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from typst import Compiler, Fonts, TypstError

from octavo.content import fonts
from octavo.typesetting.panics import Panic, panics_are_errors

_FORGET = 12
"""Compilations after which Typst has forgotten what it made before."""


class Unset(Exception):
    """Something could not be set; `where` names the files that it came from."""

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(message)
        self.where = where


class Typesetter:
    """Compiles files of one folder, and reads nothing but these and typefaces."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._compiler = Compiler(
            root=folder,
            # For scripts that none of our typefaces has, those of the machine.
            font_paths=Fonts(include_system_fonts=True, include_embedded_fonts=True, font_paths=[str(fonts.FOLDER)]),
            sys_inputs={"fonts": ",".join(fonts.FAMILIES), "mono": fonts.MONO},
            # No package is ever named, and none may come from elsewhere.
            package_path=folder,
            package_cache_path=folder,
        )

    def set(self, source: Path, to: Path, at: datetime | None = None) -> None:
        """Make a PDF of a file; `at` stands in it as the time when it was made. Raises Unset."""
        try:
            with panics_are_errors():
                self._compiler.compile(source, to, format="pdf", root=self._folder, timestamp=at)
        except TypstError as error:
            raise Unset(error.message, error.diagnostic) from error
        except Panic as panic:
            raise Unset(str(panic)) from panic

    def forget(self) -> None:
        """Give back the memory of what was compiled."""
        for number in range(_FORGET):
            self._compiler.compile(b"%d" % number)
