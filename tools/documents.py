"""Prints the documents of all pages below folders or in a bundle of Git, as one JSON array: for tests of the editor in web/.

python tools/documents.py docs ../shared/corpora/elsa-workflows.bundle
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from octavo.content.markdown import parse


def pages(folder: Path) -> list[dict[str, Any]]:
    """Every page below a folder: its path, the bytes of its text, its document."""
    made = []
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text(encoding="utf-8", errors="replace")
        # Addresses become references of several kinds, as they would in a space.
        document = parse(text, lambda href: {"kind": "page", "page": href} if ".md" in href else None).document
        made.append({"path": str(path.relative_to(folder)), "size": len(text.encode()), "document": document})
    return made


def main(words: list[str]) -> int:
    found: list[dict[str, Any]] = []
    for word in words:
        source = Path(word)
        if source.suffix != ".bundle":
            found += pages(source)
            continue
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["git", "clone", "-q", str(source), folder], check=True, capture_output=True)
            found += pages(Path(folder))
    json.dump(found, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
