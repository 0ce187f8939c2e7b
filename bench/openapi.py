"""Descriptions of APIs and translations: a large one read, its largest page; runs that ask for little.

python -m bench.openapi FILE    # reads a specification in this process: seconds, and the most memory in MiB
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from bench import world as worlds
from bench.client import Process, free_port, request
from bench.content import write_repository
from bench.figures import Figure, within
from bench.rounds import Bench, cpu_of, expect
from bench.sampling import high_water
from bench.sites import Api
from bench.world import World
from octavo.content.openapi.cutting import cut
from octavo.content.openapi.index import INDEX, Index, Part
from octavo.content.openapi.reading import read
from octavo.kernel import limits

PACKAGE = "@gitbook/api@0.202.0"
MEMBER = "package/spec/openapi.json"
READ, MEMORY, PAGE = 3.0, 400.0, 30.0
"""Seconds and MiB of a specification, and milliseconds of a page, at most."""
SLUG = "large"
TRANSLATED = 30
"""Pages of the space that is translated."""
_NAME = "OpenAPI and translations"
_BROWSER = {"Accept-Encoding": "gzip"}
_SUMMARY = f"""# Table of contents

* [Home](README.md)
* ```yaml
  type: builtin:openapi
  title: Large
  props:
    grouping: by-operation
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: {SLUG}
  ```
"""
_TRANSLATOR = """
import json, sys
asked = json.load(sys.stdin)
made = [{"id": one["id"], "text": "(de) " + one["text"]} for one in asked["blocks"]]
json.dump({"blocks": made}, sys.stdout)
"""
_WAIT = 120


def openapi(bench: Bench) -> None:
    """The part `openapi`."""
    text = _specification(bench.world.folder)
    if text is None:
        bench.add(Figure(_NAME, bench.world.engine, "specification", f"not measured: npm did not give {PACKAGE}"))
    else:
        _processing(bench, text)
        _largest(bench, text)
    _translations(bench)


def _specification(folder: Path) -> str | None:
    """The text of the package's specification; a file that BENCH_SPECIFICATION names takes its place."""
    named = os.environ.get("BENCH_SPECIFICATION")
    if named is not None:
        return Path(named).read_text("utf-8")
    command = ["npm", "pack", PACKAGE, "--ignore-scripts", "--silent", "--pack-destination", str(folder)]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
    except (OSError, subprocess.SubprocessError):
        return None
    [archive] = folder.glob("*.tgz")
    with tarfile.open(archive) as packed:
        member = packed.extractfile(MEMBER)
        return None if member is None else member.read().decode()


def _as_yaml(text: str) -> str:
    from ryaml import dumps  # type: ignore[attr-defined]

    made: str = dumps(json.loads(text))
    return made


def _processing(bench: Bench, text: str) -> None:
    """From the request until the version is there; and the reading alone, in a process of its own."""
    world = bench.world
    for kind, given in (("JSON", text), ("YAML", _as_yaml(text))):
        seconds = []
        with _serving(world) as (_, api):
            for at in range(3):
                began = time.perf_counter()
                slug = f"{kind.lower()}-{at}"
                api.ask("PUT", f"~/openapi/{slug}", {"source": {"text": given}})
                _awaited(lambda slug=slug: api.ask("GET", f"~/openapi/{slug}").get("lastVersion"))  # type: ignore[misc]
                seconds.append(time.perf_counter() - began)
        told = f"specification of {len(given) / 1e6:.1f} MB, {kind}"
        bench.add(within(_NAME, world.engine, f"{told}: until its version is there", seconds, "s", READ))
        file = world.folder / f"specification.{kind.lower()}"
        file.write_text(given, "utf-8")
        done = [_read_apart(file) for _ in range(3)]
        bench.add(within(_NAME, world.engine, f"{told}: reading alone", [one[0] for one in done], "s"))
        bench.add(within(_NAME, world.engine, f"{told}: memory", [one[1] for one in done], "MiB", MEMORY))


def _largest(bench: Bench, text: str) -> None:
    """The page of the operation that refers to the most, made for the first time, in processes that made another before."""
    world = bench.world
    source = world.folder / "described"
    source.mkdir()
    (source / "README.md").write_text("# Home\n\nHello.\n", "utf-8")
    (source / "SUMMARY.md").write_text(_SUMMARY, "utf-8")
    with _serving(world) as (_, api):
        api.ask("PUT", f"~/openapi/{SLUG}", {"source": {"text": text}})
        _awaited(lambda: api.ask("GET", f"~/openapi/{SLUG}").get("lastVersion"))
    made = world.import_directory(source, "Described")
    large, small = _extremes_of(text)
    path, other = _path_of(world, made.space, large), _path_of(world, made.space, small)
    cold: list[float] = []
    for _ in range(bench.scale.fresh):
        server = world.server()
        line = server.line()
        # What renders is imported with the first page, which is not what is asked here.
        for warm in ("", other):
            expect(line.ask(request(made.site + warm, _BROWSER)).status, 200)
        server.settle()
        cold.append(cpu_of(server, line, request(made.site + path, _BROWSER)) * 1000)
        line.close()
        server.end()
    bench.add(within(_NAME, world.engine, "page of the largest operation, cold", cold, "ms", PAGE))


def _extremes_of(text: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """(method, path) of the operations whose parts are largest and smallest."""
    parts = cut(json.loads(text), limits.OPENAPI_OPERATIONS_MAX).parts
    index = msgspec.json.decode(parts[INDEX], type=Index)

    def size(name: str) -> int:
        needs = msgspec.json.decode(parts[name], type=Part).needs
        return len(parts[name]) + sum(len(parts.get(one, b"")) for one in needs)

    known = sorted((one for one in index.operations if not one.webhook), key=lambda one: size(one.part))
    return (known[-1].method, known[-1].path), (known[0].method, known[0].path)


def _path_of(world: World, space: str, operation: tuple[str, str]) -> str:
    with _serving(world) as (_, api):
        waiting = api.ask("GET", f"spaces/{space}/content/pages")["pages"]
    while waiting:
        page = waiting.pop()
        props = page.get("computed", {}).get("props", {})
        if (props.get("method"), props.get("page")) == operation:
            return str(page["path"])
        waiting += page.get("pages", [])
    raise RuntimeError(f"no page is about {operation}")


def _translations(bench: Bench) -> None:
    """A run, a second one, and one after a sentence changed: how many texts each asks for, and its time."""
    world = bench.world
    source = world.folder / "translated"
    write_repository(source, TRANSLATED, worlds.SEED + 9)
    made = world.import_directory(source, "Translated")
    command = ",".join([sys.executable, str(world.folder / "translator.py")])
    (world.folder / "translator.py").write_text(_TRANSLATOR, "utf-8")
    with _serving(world, OCTAVO_TRANSLATION_COMMAND=command) as (_, api):
        body = {"title": "Translated", "languages": ["de"], "source": {"space": made.space, "language": "en"}}
        path = f"~/translations/{api.ask('POST', '~/translations', body)['id']}"
        first = _run(api, path)
        again = _run(api, path)
        _sentence(api, made.space)
        changed = _run(api, path)
    for name, (asked, seconds), most in (
        (f"translation of {TRANSLATED} pages, texts asked for", first, None),
        ("second run, texts asked for", again, 0),
        ("run after one sentence changed, texts asked for", changed, 1),
    ):
        bench.add(within(_NAME, world.engine, name, [asked], "texts", most))
        bench.add(within(_NAME, world.engine, f"{name}: time", [seconds], "s"))


def _run(api: Api, path: str) -> tuple[int, float]:
    began = time.perf_counter()
    before = api.ask("GET", f"{path}/runs")["count"]
    api.ask("POST", f"{path}/run")

    def ended() -> Any:
        found = api.ask("GET", f"{path}/runs")
        newest = found["items"][0] if found["count"] > before else {}
        return newest if newest.get("status") in ("completed", "failed", "cancelled") else None

    run = _awaited(ended)
    if run["status"] != "completed":
        raise RuntimeError(f"the run {run['status']}: {run.get('message')}")
    return run["blocks"]["asked"], time.perf_counter() - began


def _sentence(api: Api, space: str) -> None:
    """One more sentence in a page of its own paragraph."""
    [page] = [one for one in api.ask("GET", f"spaces/{space}/content/pages")["pages"] if one["type"] == "document"][:1]
    text = api.ask("GET", f"spaces/{space}/content/page/{page['id']}?format=markdown")["markdown"]
    change = {
        "operation": "update_page",
        "page": page["id"],
        "document": {"markdown": f"{text}\n\nOne sentence more.\n"},
    }
    request_id = api.ask("POST", f"spaces/{space}/change-requests", {})["id"]
    api.ask("POST", f"spaces/{space}/change-requests/{request_id}/content", {"changes": [change]})
    api.ask("POST", f"spaces/{space}/change-requests/{request_id}/merge")


def _awaited(ask: Callable[[], Any]) -> Any:
    ends = time.perf_counter() + _WAIT
    while time.perf_counter() < ends:
        found = ask()
        if found:
            return found
        time.sleep(0.02)
    raise RuntimeError(f"it did not end within {_WAIT} seconds")


@contextmanager
def _serving(world: World, **settings: str) -> Iterator[tuple[Process, Api]]:
    """A server, with a worker where it does no jobs itself."""
    port = free_port()
    server = Process(["octavo.cli", "serve", "--port", str(port)], world.environment | settings, port)
    worker = None if world.database_url is None else Process(["octavo.cli", "worker"], world.environment | settings)
    api = Api(world, server)
    try:
        yield server, api
    finally:
        api.close()
        server.end()
        if worker is not None:
            worker.end()


def _read_apart(file: Path) -> tuple[float, float]:
    done = subprocess.run([sys.executable, "-m", "bench.openapi", str(file)], capture_output=True, check=True)
    seconds, memory = json.loads(done.stdout)
    return seconds, memory


def main() -> None:
    """Read the file that is named, as the job's child does; prints [seconds, MiB]."""
    data = Path(sys.argv[1]).read_bytes()
    began = time.perf_counter()
    document, _ = read(data)
    made = cut(document, limits.OPENAPI_OPERATIONS_MAX)
    msgspec.json.encode(document)
    seconds = time.perf_counter() - began
    assert made.index.operations
    # Not getrusage: that has the most that the process which started this one ever held, too.
    memory = high_water(Path("/proc/self/status").read_text())
    sys.stdout.write(json.dumps([seconds, memory]) + "\n")


if __name__ == "__main__":
    main()
