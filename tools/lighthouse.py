"""Runs Lighthouse over pages of Octavo's own documentation and writes bench/LIGHTHOUSE.md; fails below 95.

    python tools/lighthouse.py [page ...]

Lighthouse comes from npm into a temporary folder; it needs Node.js, Debian's `chromium`, and the npm registry.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from browsing import FLAGS, ROOT, chromium, visited

VERSION = "13.5.0"
LEAST = 95
CATEGORIES = {
    "performance": "Performance",
    "accessibility": "Accessibility",
    "best-practices": "Best practices",
    "seo": "SEO",
}
PAGES = {"home": "", "kitchen sink": "content/blocks", "long page": "reference/api/operations"}
SCREENS = ("mobile", "desktop")
METRICS = {
    "largest-contentful-paint": "Largest paint",
    "total-blocking-time": "Blocked",
    "cumulative-layout-shift": "Layout shift",
    "total-byte-weight": "Weight",
}
TARGET = ROOT / "bench" / "LIGHTHOUSE.md"


@dataclass(frozen=True)
class Run:
    """What Lighthouse said of one page on one screen."""

    page: str
    screen: str
    report: dict[str, Any]

    def score(self, category: str) -> int:
        """0 to 100."""
        return round((self.report["categories"][category]["score"] or 0) * 100)

    def metric(self, audit: str) -> str:
        """A measure as Lighthouse words it."""
        said = str(self.report["audits"][audit].get("displayValue", ""))
        return said.replace("\u00a0", " ").removeprefix("Total size was ")

    def low(self) -> list[str]:
        """The categories below what is asked, each with the audits that cost something."""
        return [
            f"{self.page}, {self.screen}: {category} {self.score(category)} ({', '.join(self._lost(category))})"
            for category in CATEGORIES
            if self.score(category) < LEAST
        ]

    def _lost(self, category: str) -> list[str]:
        audits = self.report["audits"]
        asked = [one["id"] for one in self.report["categories"][category]["auditRefs"] if one["weight"]]
        return [name for name in asked if (audits[name]["score"] or 0) < 0.9 and audits[name]["score"] is not None]


def measured(wanted: list[str]) -> list[Run]:
    """Runs of all wanted pages; mobile as Lighthouse throttles it, desktop by its preset."""
    with tempfile.TemporaryDirectory() as folder, visited() as site:
        # A folder of its own: nothing of it is kept, and nothing of the machine's settings is found.
        npx = ["npx", "--yes", "--cache", f"{folder}/cache", f"lighthouse@{VERSION}"]
        return [_run(npx, Path(folder), site, page, screen) for page in wanted for screen in SCREENS]


def _run(npx: list[str], folder: Path, site: str, page: str, screen: str) -> Run:
    target = folder / "report.json"
    command = [
        *npx, site + PAGES[page], "--quiet", "--output=json", f"--output-path={target}",
        f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={' '.join(FLAGS)}",
        *(["--preset=desktop"] if screen == "desktop" else []),
    ]  # fmt: skip
    environment = {**os.environ, "CHROME_PATH": chromium(), "npm_config_loglevel": "error"}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdin=subprocess.DEVNULL, timeout=300)
    run = Run(page, screen, json.loads(target.read_text(encoding="utf-8")))
    sys.stderr.write(f"{page}, {screen}: {[run.score(category) for category in CATEGORIES]}\n")
    return run


def written(runs: list[Run]) -> str:
    """The page that is published."""
    browser = runs[0].report["environment"]["hostUserAgent"].rpartition("HeadlessChrome/")[2].split(".")[0]
    heads = ["Page", "Screen", *CATEGORIES.values(), *METRICS.values()]
    rows = [
        [f"{run.page} (`/{PAGES[run.page]}`)", run.screen, *(str(run.score(category)) for category in CATEGORIES),
         *(run.metric(audit) for audit in METRICS)]
        for run in runs
    ]  # fmt: skip
    table = "\n".join(
        "| " + " | ".join(row) + " |" for row in (heads, ["---"] * 2 + ["---:"] * (len(heads) - 2), *rows)
    )
    return f"""# Lighthouse

Written by `make lighthouse`, which fails when a score is below {LEAST}.

{table}

## How it was measured

* Lighthouse {VERSION} from npm in a temporary folder, Debian's Chromium {browser}, headless, a fresh profile a run.
* `docs` as a site of `octavo serve` on the same machine ({os.cpu_count()} cores, {platform.machine()}), one run a row,
  no warm-up.
* Mobile is Lighthouse's default: a small screen, a simulated slow 4G network and a processor four times slower. Desktop
  is its preset `desktop`.
* The kitchen sink is the page of the documentation that shows the blocks of the content format; the long page lists all
  operations of the API.
* It is no part of `make test`: it needs Node.js and the npm registry.
"""


def main(wanted: list[str]) -> int:
    """0 where every score is high enough."""
    runs = measured(wanted or list(PAGES))
    if not wanted:
        TARGET.write_text(written(runs), encoding="utf-8")
    low = [line for run in runs for line in run.low()]
    sys.stderr.write("".join(f"below {LEAST}: {line}\n" for line in low))
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
