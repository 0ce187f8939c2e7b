"""Builds the application of web/ into src/octavo/app/static, where it is committed; says whether it is still that build.

python tools/web.py            types, lint and build, within the budgets
python tools/web.py --check    the digest of the sources is that of the build; needs no Node.js
python tools/web.py --rebuild  build again elsewhere, and compare every byte; passes where there is no npm
python tools/web.py --test     the tests of parts and editor; passes where there is no npm
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
BUILT = ROOT / "src" / "octavo" / "app" / "static"
DIGEST = BUILT / "sources.txt"
_KINDS = (".ts", ".tsx", ".css", ".html", ".json", ".mjs", ".cjs")
_NOT_BUILT = ("node_modules", "made.d.ts", ".test.")


def digest() -> str:
    """Of everything that the build is made of."""
    made = sha256()
    for path in sorted(WEB.rglob("*")):
        name = path.relative_to(WEB).as_posix()
        if path.suffix in _KINDS and not any(word in name for word in _NOT_BUILT):
            made.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    return made.hexdigest()


def fresh() -> bool:
    """Whether what is committed was built from the sources as they are."""
    return DIGEST.is_file() and DIGEST.read_text().strip() == digest()


def _npm(*words: str) -> None:
    subprocess.run(["npm", *words], cwd=WEB, check=True)


def _installed() -> bool:
    """Whether there is npm, with the packages of the lock file."""
    if shutil.which("npm") is None:
        print("There is no npm here; this is left out.")
        return False
    if not (WEB / "node_modules" / ".package-lock.json").is_file():
        _npm("ci", "--no-audit", "--no-fund")
    return True


def _build() -> int:
    if not _installed():
        return 1
    _npm("run", "build")
    DIGEST.write_text(digest() + "\n")
    return 0


def _rebuild() -> int:
    if not _installed():
        return 0
    with tempfile.TemporaryDirectory() as folder:
        _npm("run", "types")
        _npm("run", "lint")
        _npm("exec", "--", "vite", "build", "--outDir", folder)
        again = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    here = {path.name: path.read_bytes() for path in BUILT.iterdir() if path != DIGEST}
    differing = sorted(name for name in again.keys() | here.keys() if again.get(name) != here.get(name))
    if differing:
        print("These files of src/octavo/app/static differ from what the sources make:", *differing, sep="\n  ")
    return int(bool(differing) or not fresh())


def main(words: list[str]) -> int:
    if words == ["--check"]:
        if not fresh():
            print("src/octavo/app/static is not made of web/ as it is: run `make web`")
        return int(not fresh())
    if words == ["--rebuild"]:
        return _rebuild()
    if words == ["--test"]:
        if _installed():
            _npm("test")
        return 0
    return _build()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
