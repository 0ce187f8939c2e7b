"""A real server with real pages, and a real browser to read them with."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from tests.browser import corpus
from tests.processes import octavo, ran

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the playwright library")

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
OCTAVO = str(Path(sys.executable).with_name("octavo"))
ROOT = Path(__file__).parents[2]
KITCHEN_SINK = ROOT / "tests" / "content" / "kitchen_sink"
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
)  # fmt: skip


LATENCY = int(os.environ.get("OCTAVO_TEST_LATENCY", "0"))
"""Milliseconds that each answer takes longer: what a test saw only because answers came at once fails with 400."""


@dataclass(frozen=True)
class Served:
    """Addresses of published sites, each with a slash at the end."""

    kitchen: str
    hostile: str
    own: str
    data: Path
    """Where the installation keeps its data; commands may be run beside it."""
    token: str
    """Of the admin."""


def _octavo(data: Path, *words: str) -> dict[str, Any]:
    made: dict[str, Any] = octavo(*words, "--data", data)
    return made


def typed(data: Path, password: str) -> None:
    """The admin has a password that was typed on the command line."""
    done = ran("user", "password", "--email", "ada@example.org", "--data", data, typed=f"{password}\n")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`octavo serve` on a port of the system's choice, with the kitchen sink, hostile pages and Octavo's own docs."""
    if chromium() is None:
        pytest.skip("no Chromium is installed")
    data = tmp_path_factory.mktemp("served")
    admin = _octavo(data, "bootstrap", "--email", "ada@example.org", "--name", "Ada", "--organization", "Tests")
    hostile = corpus.make(tmp_path_factory.mktemp("hostile") / "pages")
    sites = {
        name: _octavo(
            data, "import", str(folder), "--organization", admin["organization"], "--title", name, "--publish"
        )
        for name, folder in (("kitchen", KITCHEN_SINK), ("hostile", hostile), ("own", ROOT / "docs"))
    }
    with running(data) as (base, _):
        yield Served(*(base + "/" + made["url"].split("/", 3)[3] for made in sites.values()), data, admin["token"])


@contextmanager
def running(data: Path, **told: str) -> Iterator[tuple[str, IO[str]]]:
    """`octavo serve` on a port of the system's choice: its address, and what it goes on to print. `told` are settings."""
    with (
        (data / "log").open("w") as log,
        subprocess.Popen(
            [OCTAVO, "serve", "--data", str(data), "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, "OCTAVO_LOG_LEVEL": "error", **told},
        ) as server,
    ):
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            assert line, (data / "log").read_text()
            base = line.split()[-1]
            _wait(f"{base}/healthz")
            yield base, server.stdout
        finally:
            server.terminate()
            assert server.wait(30) == 0, (data / "log").read_text()


def _wait(url: str) -> None:
    for _ in range(200):
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.05)
    raise AssertionError(f"{url} does not answer")


def chromium() -> str | None:
    """The browser's program, where there is one: the one without windows takes half of the time of the other."""
    named = os.environ.get("OCTAVO_TEST_CHROMIUM")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    program = chromium()
    if program is None:
        pytest.skip("no Chromium is installed")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield opened
        opened.close()


def _far_away(tab: Any) -> None:
    conditions = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
    tab.context.new_cdp_session(tab).send("Network.emulateNetworkConditions", conditions)


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens tabs of a fresh profile; what the console complains of or scripts ask for is kept as `tab.complaints`."""
    contexts = []

    def open_one(url: str, **options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        contexts.append(context)
        context.set_default_timeout(30_000)  # a machine that is busy is no mistake of a page
        if LATENCY:
            context.on("page", _far_away)
        tab = context.new_page()
        tab.complaints = []
        tab.on("console", lambda said: tab.complaints.append(said.text) if said.type in ("error", "warning") else None)
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.on("dialog", lambda dialog: (tab.complaints.append(f"dialog {dialog.message}"), dialog.dismiss()))
        tab.goto(url)
        return tab

    yield open_one
    for context in contexts:
        context.close()
