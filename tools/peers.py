"""Builds Octavo's documentation with its peers too and writes bench/PEERS.md: what a click, a page and a search cost.

    python tools/peers.py [DIRECTORY]

The peers come from PyPI and npm into temporary folders; it needs Node.js, Debian's `chromium`, and both registries.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import venv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from browsing import FLAGS, ROOT, Way, chromium, slowed, visited
from playwright.sync_api import Browser, sync_playwright
from tabs import Tab

MATERIAL, STARLIGHT, ASTRO = "9.8.1", "0.37.7", "5.16.0"
ROUNDS = 9
LATENCY = 200
"""Milliseconds of every answer."""
POINTED = 400
"""Milliseconds that the pointer rests on a link before the click."""
TARGET = ROOT / "bench" / "PEERS.md"
_HELD = """
({ shown }) => new Promise((done) => {
  const look = () => {
    if (document.querySelector(shown)) done(performance.timeOrigin + performance.now());
    else requestAnimationFrame(look);
  };
  look();
})
"""


_UNFOLDED = """
(link) => {
  for (let at = link; at; at = at.parentElement) {
    if (at.tagName === "DETAILS") at.open = true;
    at.querySelector(":scope > input[type=checkbox]:not(:checked)")?.click();
  }
}
"""
_HEADING = "document.querySelector('main h1, article h1')?.innerText"


Opened = tuple[Way, str]
"""A way that may be made slow, and the address at its end, with a slash."""


@dataclass(frozen=True)
class Peer:
    """One way to publish the same pages, and where a browser finds its parts."""

    name: str
    opened: Callable[[Path, Path], contextlib.AbstractContextManager[Opened]]
    """From the source and a folder to work in: the running site."""
    link: str
    """An entry of the table of contents."""
    search: str
    """What opens the search."""
    field: str
    hit: str


@dataclass
class Found:
    """Medians in milliseconds, and KiB."""

    click: float
    weight: float
    search: float


@contextlib.contextmanager
def octavo(source: Path, folder: Path) -> Iterator[Opened]:
    with visited(source) as address, slowed(address) as opened:
        yield opened


@contextlib.contextmanager
def material(source: Path, folder: Path) -> Iterator[Opened]:
    venv.create(folder / "venv", with_pip=True)
    pip = [str(folder / "venv/bin/python"), "-m", "pip", "install", "-q", f"mkdocs-material=={MATERIAL}"]
    subprocess.run(pip, check=True)
    features = ["navigation.instant", "navigation.instant.prefetch", "search.suggest", "content.code.copy"]
    settings = {
        "site_name": "Docs", "site_url": "http://localhost/", "docs_dir": str(_plain(source, folder / "docs")),
        "theme": {"name": "material", "features": features},
    }  # fmt: skip
    (folder / "mkdocs.yml").write_text(json.dumps(settings))
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    with _static(folder / "site") as opened:
        settings["site_url"] = opened[1]  # what it navigates without loading goes by this
        (folder / "mkdocs.yml").write_text(json.dumps(settings))
        built = [
            str(folder / "venv/bin/mkdocs"),
            "build",
            "-q",
            "-f",
            str(folder / "mkdocs.yml"),
            "-d",
            str(folder / "site"),
        ]
        subprocess.run(built, check=True, env=environment)
        yield opened


@contextlib.contextmanager
def starlight(source: Path, folder: Path) -> Iterator[Opened]:
    _plain(source, folder / "src/content/docs")
    (folder / "src/content.config.mjs").write_text(
        "import { defineCollection } from 'astro:content';\nimport { docsLoader } from '@astrojs/starlight/loaders';\n"
        "import { docsSchema } from '@astrojs/starlight/schema';\n"
        "export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };\n"
    )
    (folder / "astro.config.mjs").write_text(
        "import { defineConfig } from 'astro/config';\nimport starlight from '@astrojs/starlight';\n"
        "export default defineConfig({ prefetch: true, integrations: [starlight({ title: 'Docs' })] });\n"
    )
    needs = {"astro": ASTRO, "@astrojs/starlight": STARLIGHT, "sharp": "*"}
    (folder / "package.json").write_text(json.dumps({"name": "docs", "type": "module", "dependencies": needs}))
    environment = os.environ | {"ASTRO_TELEMETRY_DISABLED": "1"}
    for command in (["npm", "install", "--silent", "--no-audit", "--no-fund"], ["npx", "astro", "build", "--silent"]):
        subprocess.run(command, cwd=folder, check=True, env=environment, stdout=subprocess.DEVNULL)
    with _static(folder / "dist") as opened:
        yield opened


def _plain(source: Path, target: Path) -> Path:
    """A copy with the names and the front matter that everybody reads: what is Octavo's own would end their builds."""
    shutil.copytree(source, target)
    for file in target.rglob("*.md"):
        title, _, body = f"\n{file.read_text('utf-8')}".partition("\n# ")[2].partition("\n")
        file.unlink()
        if file.name != "SUMMARY.md":
            named = file.with_name("index.md") if file.name == "README.md" else file
            named.write_text(f"---\ntitle: {json.dumps(title or file.stem)}\n---\n\n{body}", "utf-8")
    return target


PEERS = (
    Peer(
        "Octavo", octavo, link="nav.nav a[href$='/running/backup']", search="[data-search]",
        field="dialog.search input", hit=".search-body a",
    ),
    Peer(
        f"Material for MkDocs {MATERIAL}", material, link="nav.md-nav--primary a[href$='backup/']",
        search=".md-search__input, .md-search__button", field=".md-search__input, .md-search input",
        hit=".md-search-result__link, .md-search a",
    ),
    Peer(
        f"Starlight {STARLIGHT}", starlight, link="nav.sidebar a[href$='/backup/']",
        search="site-search button[data-open-modal]", field="dialog input", hit="dialog .pagefind-ui__result-link",
    ),
)  # fmt: skip


class _Files(SimpleHTTPRequestHandler):
    """A folder as usual hosts serve it: kept open, compressed."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        data, kind = path.read_bytes(), self.guess_type(str(path))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if kind.startswith(("text/", "application/j")) or path.suffix == ".svg":
            data = gzip.compress(data, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Cache-Control", "max-age=600")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextlib.contextmanager
def _static(folder: Path) -> Iterator[Opened]:
    folder.mkdir(exist_ok=True)
    server = ThreadingHTTPServer(("localhost", 0), partial(_Files, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with slowed(f"http://localhost:{server.server_port}/") as opened:
            yield opened
    finally:
        server.shutdown()


def measured(browser: Browser, peer: Peer, opened: Opened) -> Found:
    rounds = [(_click(peer, opened), _search(browser, peer, opened)) for _ in range(ROUNDS)]
    return Found(
        statistics.median(one for one, _ in rounds),
        _weight(browser, opened[1]),
        statistics.median(one for _, one in rounds),
    )


@contextlib.contextmanager
def _slow(way: Way) -> Iterator[None]:
    way.delay = LATENCY / 1000
    try:
        yield
    finally:
        way.delay = 0.0


def _click(peer: Peer, opened: Opened) -> float:
    """From the click on an entry of the table of contents to the heading of its page, in a fresh profile."""
    flags, (way, address) = [one for one in FLAGS if one != "--headless"], opened
    with contextlib.closing(Tab(chromium(), flags)) as tab:
        tab.goto(address)
        tab.evaluate(f"({_UNFOLDED})(document.querySelector({json.dumps(peer.link)}))")
        tab.rest(1.0)
        with _slow(way):
            before = tab.evaluate(_HEADING)
            place = tab.point(peer.link)
            tab.rest(POINTED / 1000)
            began = time.perf_counter()
            tab.press(*place)
            tab.until(lambda: tab.evaluate(_HEADING) not in (before, None))
            return (time.perf_counter() - began) * 1000


def _search(browser: Browser, peer: Peer, opened: Opened) -> float:
    """From the last letter of a word to the first hit."""
    way, address = opened
    with contextlib.closing(browser.new_context(viewport={"width": 1280, "height": 900})) as context:
        tab = context.new_page()
        tab.goto(address, wait_until="networkidle")
        with _slow(way):
            tab.locator(peer.search).first.click()
            field = tab.locator(peer.field).first
            field.press_sequentially("backu")
            tab.wait_for_timeout(1500)
            tab.evaluate(f"for (const one of document.querySelectorAll({json.dumps(peer.hit)})) one.dataset.old = ''")
            began = tab.evaluate("performance.timeOrigin + performance.now()")
            field.press_sequentially("p")
            ended = tab.evaluate(_HELD, {"shown": f":is({peer.hit}):not([data-old])"})
            return float(ended - began)


def _weight(browser: Browser, address: str) -> float:
    """KiB that the first page moves."""
    with contextlib.closing(browser.new_context(viewport={"width": 1280, "height": 900})) as context:
        tab = context.new_page()
        session: Any = context.new_cdp_session(tab)
        moved: list[float] = []
        session.on("Network.loadingFinished", lambda said: moved.append(said["encodedDataLength"]))
        session.send("Network.enable")
        tab.goto(address, wait_until="networkidle")
        return sum(moved) / 1024


def main() -> None:
    source = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "docs"
    rows = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        for peer in PEERS:
            with tempfile.TemporaryDirectory() as folder, peer.opened(source, Path(folder)) as opened:
                found = measured(browser, peer, opened)
            rows.append(f"| {peer.name} | {found.click:.0f} ms | {found.weight:.0f} KiB | {found.search:.0f} ms |")
            sys.stdout.write(rows[-1] + "\n")
            sys.stdout.flush()
    told = _REPORT.format(rows="\n".join(rows), rounds=ROUNDS, latency=LATENCY, pointed=POINTED)
    load, cores = os.getloadavg()[2], os.cpu_count() or 1
    busy = _BUSY.format(load=load, cores=cores) if load > 2 * cores else ""
    TARGET.write_text(told + busy, "utf-8")


_REPORT = """\
# Beside its peers

Written by `python tools/peers.py` from the same Markdown: Octavo's own documentation.

| | A click | The first page | A letter more in search |
| --- | ---: | ---: | ---: |
{rows}

* A click: from the click on an entry of the table of contents, on which the pointer rested for {pointed} ms, until the
  heading of the next page is there; whatever the browser asks, also ahead of the click, takes {latency} ms longer.
  Median of {rounds}, a fresh profile each.
* The first page: what Chromium moves for it, compressed, at 1280 x 900.
* Search: from the last letter of a word until a hit for it is shown, over the same slow network.
* Octavo is served as a published site; browsers of the Chromium family make its pages ahead of a click, others fetch them.
* Material has instant navigation and prefetch on, Starlight prefetch; both are served from files, compressed and kept for
  ten minutes, by Python's own server.
"""

_BUSY = """\
* The machine did other work meanwhile (a load of {load:.0f} on {cores} cores): times are several times what they are on
  one that is idle, and differ by when each row was measured. The weights hold.
"""

if __name__ == "__main__":
    main()
