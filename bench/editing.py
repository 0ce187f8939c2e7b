"""From the saving of one page until its new text is there: Octavo beside MkDocs Material and VitePress, on the same pages.

The others come from PyPI and npm into a scratch folder; where these do not answer, they are left out, and it is said.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import world as worlds
from bench.client import free_port
from bench.content import write_repository
from bench.figures import within
from bench.rounds import Bench

PAGES = 1000
EDITS = 5
LONG, ENOUGH = 20.0, 100.0
"""Seconds of an edit that says what it says by itself, and after which no further one is measured."""
MATERIAL, VITEPRESS = "9.8.1", "1.6.4"
PATIENCE = 900.0
"""Seconds for a tool to show what was written: its first build is of everything."""
_EDITED = "group-3/topic-121"
_TAG = re.compile(r"^\{%.*?%\}\n?", re.MULTILINE)
Edit = Callable[[str], None]


@dataclass(frozen=True)
class Tool:
    """A way to show a folder of pages while somebody writes them, and one to build all of it for visitors."""

    name: str
    install: Callable[[Path], None]
    serve: Sequence[str]
    """The command; `{port}` is where it is to listen."""
    page: str
    """Where the edited page is read."""
    build: Sequence[str]


def edits(bench: Bench) -> None:
    """Seconds from saving a page until its new text is served: by previews, and by builds of everything."""
    if bench.world.engine != "sqlite":
        return  # neither the others nor a preview have another database
    source = bench.world.folder / "edited"
    write_repository(source, PAGES if bench.scale.imports else 60, worlds.SEED + 3)
    page = source / _EDITED / "README.md"
    page = page if page.exists() else next(iter(sorted(source.rglob("README.md"))))
    _octavo(bench, source, page)
    for tool in _tools():
        try:
            _beside(bench, tool, source, page)
        except (OSError, subprocess.SubprocessError) as error:
            bench.say(f"{tool.name} was left out: {error}")


def _beside(bench: Bench, tool: Tool, source: Path, page: Path) -> None:
    """The preview of another tool, and its build. Raises OSError and SubprocessError where it cannot be had or run."""
    folder = bench.world.folder / tool.name.split()[0].lower()
    folder.mkdir()
    plain = _plain(source, folder / "docs")
    tool.install(folder)
    edited = plain / page.relative_to(source).with_name("index.md")
    port = free_port()
    with _running([word.format(port=port) for word in tool.serve], folder):
        address = f"http://127.0.0.1:{port}/" + tool.page.format(page=edited.parent.relative_to(plain).as_posix())
        seconds = _seconds(edited, address)
    bench.add(within("An edit beside others", "no database", f"{tool.name}, its preview", seconds, "s"))
    began = time.perf_counter()
    subprocess.run(tool.build, cwd=folder, env=_environment(), check=True, capture_output=True)
    built = [time.perf_counter() - began]
    bench.add(within("An edit beside others", "no database", f"{tool.name}, the build that publishes it", built, "s"))


def _octavo(bench: Bench, source: Path, page: Path) -> None:
    """`octavo preview` of the folder."""
    command = [sys.executable, "-m", "octavo.cli", "preview", str(source), "--port", "0"]
    environment = _environment() | {"OCTAVO_LOG_LEVEL": "error"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as child:
        try:
            assert child.stdout is not None
            site = next(line.split()[1] for line in child.stdout if line.strip().startswith("Site "))
            path = page.parent.relative_to(source).as_posix()
            seconds = _seconds(page, site + ("" if path == "." else path))
        finally:
            child.terminate()
            child.wait(30)
    bench.add(within("An edit beside others", "no database", "Octavo, its preview", seconds, "s"))


def _tools() -> tuple[Tool, ...]:
    return (
        Tool(
            f"MkDocs Material {MATERIAL}",
            _install_material,
            ["venv/bin/mkdocs", "serve", "-q", "-a", "127.0.0.1:{port}"],
            "{page}/",
            ["venv/bin/mkdocs", "build", "-q"],
        ),
        Tool(
            f"VitePress {VITEPRESS}",
            _install_vitepress,
            ["node_modules/.bin/vitepress", "dev", "docs", "--port", "{port}", "--host", "127.0.0.1"],
            "{page}/index.md?import",  # the module that its page loads, and that is made anew; without it, the file
            ["node_modules/.bin/vitepress", "build", "docs"],
        ),
    )


def _install_material(folder: Path) -> None:
    venv.create(folder / "venv", with_pip=True)
    pip = [str(folder / "venv/bin/python"), "-m", "pip", "install", "-q", f"mkdocs-material=={MATERIAL}"]
    subprocess.run(pip, check=True, capture_output=True)
    settings = {"site_name": "Docs", "docs_dir": "docs", "theme": {"name": "material"}}
    (folder / "mkdocs.yml").write_text(json.dumps(settings))


def _install_vitepress(folder: Path) -> None:
    (folder / "package.json").write_text(json.dumps({"type": "module", "dependencies": {"vitepress": VITEPRESS}}))
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (folder / "docs/.vitepress").mkdir()
    links = "export default { ignoreDeadLinks: true, markdown: { html: false } };\n"
    (folder / "docs/.vitepress/config.mjs").write_text(links)


def _plain(source: Path, target: Path) -> Path:
    """A copy with the names that everybody reads, without what is Octavo's own."""
    shutil.copytree(source, target)
    for file in sorted(target.rglob("*.md")):
        text = _TAG.sub("", file.read_text("utf-8")).replace("{{", "{ {").replace("README.md", "index.md")
        file.unlink()
        if file.name != "SUMMARY.md":
            (file.with_name("index.md") if file.name == "README.md" else file).write_text(text, "utf-8")
    return target


def _seconds(page: Path, address: str) -> list[float]:
    """Save the page again and again, each time with another word; seconds until that is served."""
    text = page.read_text("utf-8")
    _until(address, text.partition("\n# ")[2].partition("\n")[0].split()[0])
    found: list[float] = []
    for at in range(EDITS + 1):
        word = f"word{time.time_ns()}"
        time.sleep(1.0)  # a watcher that still works off the last one would be measured as well
        began = time.perf_counter()
        page.write_text(f"{text}\n\nThe {word}.\n", "utf-8")
        _until(address, word)
        took = time.perf_counter() - began
        if (
            at or took > LONG
        ):  # the first one finds caches that others do not, which is nothing to a build of everything
            found.append(took)
        if sum(found) > ENOUGH:
            break
    page.write_text(text, "utf-8")
    return found


def _until(address: str, word: str) -> None:
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        with contextlib.suppress(urllib.error.URLError, OSError), urllib.request.urlopen(address, timeout=60) as answer:
            if word.encode() in answer.read():
                return
        time.sleep(0.01)
    raise TimeoutError(f"{address} does not show what was written")


@contextlib.contextmanager
def _running(command: Sequence[str], folder: Path) -> Iterator[None]:
    child = subprocess.Popen(
        command,
        cwd=folder,
        env=_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        child.terminate()
        child.wait(30)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("OCTAVO_")} | {
        "NO_MKDOCS_2_WARNING": "1"
    }
