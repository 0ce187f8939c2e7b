"""The net of types under the operation rows holds: every planted error is found, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_every_planted_error_is_refused() -> None:
    source = HERE / "planted.py"
    planted = {at for at, line in enumerate(source.read_text().splitlines(), 1) if "# planted" in line}
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(source)],
        capture_output=True, text=True, cwd=HERE.parents[1], check=False,
    )  # fmt: skip
    refused = {int(found) for found in re.findall(r"planted\.py:(\d+): error", done.stdout)}
    assert refused == planted, done.stdout + done.stderr
