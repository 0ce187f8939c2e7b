"""Asks for known weaknesses of the locked libraries, with pip-audit in its own environment; exit code 1 where one is open.

Where the database of advisories cannot be reached nothing is audited, which the last line says; that is no failure.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import venv
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ACCEPTED = ROOT / "requirements" / "accepted.toml"
"""Weaknesses that do not concern us: id -> why, and until when that is believed."""
_PLACE = ROOT / ".venv" / "audit"


def judged(told: dict[str, Any], accepted: dict[str, Any], today: date) -> tuple[int, list[str]]:
    """What pip-audit said, as an exit code and lines."""
    libraries = told["dependencies"]
    asked = [one for one in libraries if "skip_reason" not in one]
    lines = []
    for one in asked:
        for weakness in one["vulns"]:
            names = {weakness["id"], *weakness["aliases"]}
            reason = next((accepted[name] for name in sorted(names) if name in accepted), None)
            if reason is not None and today <= reason["until"]:
                continue
            mended = ", ".join(weakness["fix_versions"]) or "none yet"
            lines.append(f"{one['name']} {one['version']}: {weakness['id']}, mended in {mended}")
    if lines:
        return 1, lines
    if not asked:
        return 0, ["the database of advisories was not reached: nothing was audited"]
    left = len(libraries) - len(asked)
    return 0, [f"no known weakness in {len(asked)} libraries" + (f"; {left} are not known there" if left else "")]


def _program() -> Path:
    python = _PLACE / "bin" / "python"
    if not (_PLACE / "bin" / "pip-audit").exists():
        venv.create(_PLACE, with_pip=True)
        lock = ROOT / "requirements" / "audit.lock"
        words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", str(lock)]
        subprocess.run([python, *words], check=True)
    return _PLACE / "bin" / "pip-audit"


def main() -> int:
    """0, or 1 where a weakness is open."""
    lock = ROOT / "requirements" / "runtime.lock"
    words = ["--requirement", str(lock), "--disable-pip", "--no-deps", "--format", "json", "--progress-spinner", "off"]
    try:
        program = _program()
    except subprocess.CalledProcessError:
        print("pip-audit could not be installed: nothing was audited")
        return 0
    done = subprocess.run([program, *words, "--timeout", "10"], capture_output=True, text=True, timeout=300)
    try:
        told = json.loads(done.stdout)
    except ValueError:
        told = {"dependencies": []}
    code, lines = judged(told, tomllib.loads(ACCEPTED.read_text()), date.today())
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main())
