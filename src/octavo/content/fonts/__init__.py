"""The typefaces of everything that Octavo draws itself, each as its makers published it; see `LICENSES.md`."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
"""Where the files are; nothing else in it is a typeface."""

FAMILIES = ("Inter", "Noto Sans Arabic", "Noto Sans Hebrew", "Droid Sans Fallback", "Twemoji Mozilla")
"""Their names, in the order in which a character looks for one that has it."""

MONO = "JetBrains Mono"
"""What code is set in; characters that it lacks come from `FAMILIES`."""
