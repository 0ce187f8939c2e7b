"""What the tools that open a browser share: the preview of Octavo's own documentation, and how Chromium is started."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def chromium() -> str:
    """The path of the browser; ends the program where there is none."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        sys.exit("No Chromium is installed.")
    return found


@contextlib.contextmanager
def previewed(source: Path = ROOT / "docs") -> Iterator[str]:
    """`octavo preview` of a directory, with data of its own; yields the site's address, with a slash at its end."""
    octavo = str(Path(sys.executable).with_name("octavo"))
    with tempfile.TemporaryDirectory() as data:
        command = [octavo, "preview", str(source), "--data", data, "--port", "0", "--title", "Octavo documentation"]
        command += ["--openapi", f"octavo={ROOT / 'src' / 'octavo' / 'api' / 'static' / 'openapi.json'}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                site = next((line.split()[1] for line in server.stdout if line.strip().startswith("Site ")), None)
                if site is None:
                    sys.exit("The preview did not start.")
                with urllib.request.urlopen(site):
                    pass
                yield site
            finally:
                server.terminate()
                server.wait(30)
