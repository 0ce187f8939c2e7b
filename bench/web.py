"""Measure the application in Chromium on a processor slowed four times, and write bench/WEB.md.

python -m bench.web    (needs chromium; `make bench-web`)
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("WEB.md")
OCTAVO = Path(sys.executable).with_name("octavo")
PASSWORD = "correct horse battery staple"
SLOWED = 4
PAGES = 10_000
BLOCKS = 1_000
BROWSERS = ("chromium", "chromium-browser", "chromium-headless-shell")
TIMEOUT = 120_000
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
CHANGE = """(title) => new Promise((done) => {
  const row = [...document.querySelectorAll(".tree [role=row]")].find((one) => one.textContent.includes(title));
  const text = () => document.querySelector("iframe.page-frame")?.contentDocument?.querySelector(".content")?.textContent;
  const before = text();
  let began = 0;
  row.addEventListener("pointerdown", () => { began = performance.now(); }, { once: true, capture: true });
  const until = performance.now() + 20000;
  const look = () => {
    const there = began && document.querySelector("h1").textContent.includes(title) && text() && text() !== before;
    if (there || performance.now() > until) done(there ? performance.now() - began : null);
    else requestAnimationFrame(look);
  };
  look();
  window.measured = row.getBoundingClientRect().toJSON();
})"""
SCROLL = """() => new Promise((done) => {
  const tree = document.querySelector(".tree");
  const gaps = [];
  let last = performance.now();
  let step = 0;
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    tree.scrollTop += 400;
    if (++step < 120) requestAnimationFrame(frame);
    else done(gaps.slice(2));
  };
  requestAnimationFrame(frame);
})"""

KEYS = """() => {
  const content = document.querySelector(".visual").shadowRoot.querySelector(".content");
  let began = 0;
  window.keys = [];
  addEventListener("keydown", () => { began = performance.now(); }, true);
  new MutationObserver(() => {
    if (began) window.keys.push(performance.now() - began);
    began = 0;
  }).observe(content, { subtree: true, characterData: true, childList: true });
  return content.children.length;
}"""


def _run(data: Path, *words: str, typed: str | None = None) -> Any:
    done = subprocess.run(
        [OCTAVO, *words, "--data", str(data)], input=typed, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def _sources(folder: Path, pages: int, groups: int) -> Path:
    """A folder of small pages below `groups` pages."""
    folder.mkdir()
    summary = []
    for group in range(groups):
        name = f"part-{group:03}"
        (folder / f"{name}.md").write_text(f"# Part {group:03}\n\nWhat part {group} is about.\n")
        summary.append(f"* [Part {group:03}]({name}.md)\n")
        for number in range(pages // groups):
            leaf = f"{name}-{number:03}"
            body = "\n\n".join(
                f"## Heading {at}\n\nA paragraph of page {leaf} with some words in it." for at in range(8)
            )
            (folder / f"{leaf}.md").write_text(f"# Page {group:03} {number:03}\n\n{body}\n")
            summary.append(f"  * [Page {group:03} {number:03}]({leaf}.md)\n")
    (folder / "SUMMARY.md").write_text("".join(summary))
    (folder / "README.md").write_text("# Home\n\nThe first page.\n")
    return folder


@contextmanager
def _served(folder: Path) -> Iterator[tuple[str, dict[str, str], dict[str, str]]]:
    """(address, organization and token, spaces by name) of an installation with a small space and one of many pages."""
    data = folder / "data"
    made = _run(data, "bootstrap", "--email", "ada@example.org", "--name", "Ada", "--organization", "Mills")
    organization = made["organization"]
    spaces = {}
    for name, pages, groups in (("small", 40, 4), ("large", PAGES, 20)):
        sources = _sources(folder / name, pages, groups)
        spaces[name] = _run(data, "import", str(sources), "--organization", organization, "--title", name)["space"]
    _run(data, "user", "password", "--email", "ada@example.org", typed=PASSWORD + "\n")
    command = [str(OCTAVO), "serve", "--data", str(data), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "OCTAVO_LOG_LEVEL": "error"}
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[-1], made, spaces
        finally:
            server.terminate()


def _sign_in(tab: Any, base: str) -> None:
    tab.goto(f"{base}/app")
    tab.get_by_label("E-mail").fill("ada@example.org")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in").click()
    tab.wait_for_url(re.compile("/app/o/"))


def _changes(tab: Any, ahead: bool) -> list[float]:
    """Milliseconds from pressing the mouse in the tree until another page is there; `ahead` with a rest upon it first."""
    found = []
    for number in range(1, 9):
        title = f"Page 000 {number:03}"
        waiting = tab.evaluate_handle(f"(title) => ({{ done: ({CHANGE})(title) }})", title)
        box = tab.evaluate("window.measured")
        if ahead:
            tab.mouse.move(box["x"] + 90, box["y"] + 10)
            tab.wait_for_timeout(250)
        tab.mouse.click(box["x"] + 90, box["y"] + 10)
        took = tab.evaluate("(one) => one.done", waiting)
        if took is not None:
            found.append(took)
        tab.wait_for_timeout(600)
    return found


def _asked(base: str, token: str, method: str, path: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(base + path, data, headers, method=method)) as answer:
        return json.load(answer)


def _keys(tab: Any, base: str, made: dict[str, str], space: str) -> list[tuple[str, str, str]]:
    """Milliseconds from a key to its letter in a page of about a thousand blocks."""
    at = f"/v1/spaces/{space}/change-requests"
    number = _asked(base, made["token"], "POST", at, {"subject": "Long"})["number"]
    page = _asked(base, made["token"], "GET", f"{at}/{number}/content/pages")["pages"][0]["id"]
    text = "".join(f"## Part {one}\n\nSome *words* and `code`, number {one}.\n\n" for one in range(BLOCKS // 2))
    change = {"operation": "update_page", "page": page, "document": {"markdown": f"# Long\n\n{text}"}}
    _asked(base, made["token"], "POST", f"{at}/{number}/content", {"changes": [change]})
    tab.goto(f"{base}/app/o/{made['organization']}/s/{space}/~/changes/{number}/~/edit/{page}")
    written = tab.get_by_role("textbox", name="Text of the page")
    written.locator("p").nth(40).click()
    tab.keyboard.press("End")
    blocks = tab.evaluate(KEYS)
    for _ in range(80):
        tab.keyboard.type("a")
        tab.wait_for_timeout(120)
    found = sorted(tab.evaluate("window.keys"))
    return [
        (f"A key in the visual editor, a page of {blocks} blocks", f"{statistics.median(found):.1f} ms", "16 ms"),
        ("The same, 95th percentile", f"{found[int(len(found) * 0.95)]:.1f} ms", "—"),
    ]


def _measured(base: str, made: dict[str, str], spaces: dict[str, str]) -> list[tuple[str, str, str]]:
    """(what, measured, budget) of each."""
    from playwright.sync_api import sync_playwright

    rows = []
    chromium = os.environ.get("OCTAVO_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        sys.exit("No Chromium is installed.")
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium, args=list(FLAGS))
        tab = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        tab.set_default_timeout(TIMEOUT)
        _sign_in(tab, base)
        home = f"{base}/app/o/{made['organization']}"
        tab.goto(f"{home}/s/{spaces['small']}")
        # The first page is shown, and open in the tree.
        tab.get_by_role("row", name="Page 000 001").wait_for()
        tab.wait_for_timeout(1500)
        slow = tab.context.new_cdp_session(tab)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        for ahead, words in ((False, "pressed at once"), (True, "the mouse rested on it")):
            found = _changes(tab, ahead)
            rows.append((f"Another page from the tree, {words}", f"{statistics.median(found):.0f} ms", "200 ms"))
        tab.goto(f"{home}/s/{spaces['large']}")
        tab.get_by_role("row", name="Page 000 001").wait_for()
        # The branch of the first page stands open, and what comes behind its pages is not drawn.
        tab.get_by_role("button", name="Open or close Part 000").click()
        tab.get_by_role("button", name="Open or close Part 001").wait_for()
        began = tab.evaluate("performance.now()")
        tab.get_by_role("button", name="Open or close Part 001").click()
        tab.get_by_role("row", name="Page 001 001").wait_for()
        opened = tab.evaluate("performance.now()") - began
        rows.append((f"A branch of {PAGES // 20} pages is opened, of {PAGES:,} pages", f"{opened:.0f} ms", "—"))
        gaps = tab.evaluate(SCROLL)
        late = sum(gap > 1000 / 30 for gap in gaps)
        rows.append(("Scrolling in it, middle time of a frame", f"{statistics.median(gaps):.1f} ms", "16.7 ms"))
        rows.append((f"Frames of it above 33 ms, of {len(gaps)}", str(late), "0"))
        rows += _keys(tab, base, made, spaces["small"])
        browser.close()
    return rows


def _weights() -> list[tuple[str, str, str]]:
    done = subprocess.run(["node", "budget.mjs"], cwd=ROOT / "web", capture_output=True, text=True, check=False)
    lines = re.findall(r"(first screen|visual editor|source editor): ([\d.]+ KiB) gzip of (\d+)", done.stdout)
    return [(f"Script and style: {name}", weight, f"{most} KiB") for name, weight, most in lines]


def main() -> None:
    """Measure everything, and write it down."""
    with tempfile.TemporaryDirectory(prefix="octavo-bench-web-") as folder, _served(Path(folder)) as served:
        rows = _weights() + _measured(*served)
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    head = (
        "# The application, measured\n\n"
        f"Made by `make bench-web` on {datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} processors, load {load} at the end; "
        f"Chromium with its processor slowed {SLOWED} times, 1,440 by 900 pixels.\n\n"
        "| What | Measured | Budget |\n| --- | --- | --- |\n"
    )
    RESULTS.write_text(head + "".join(f"| {what} | {found} | {budget} |\n" for what, found, budget in rows))
    sys.stderr.write(RESULTS.read_text())


if __name__ == "__main__":
    main()
