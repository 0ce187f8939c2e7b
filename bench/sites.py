"""Sites as visitors meet them: with log-in and claims, large ones beside small ones, and after a merge."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

import jwt

from bench import world as worlds
from bench.client import Line, Process, Refused, request
from bench.content import write_repository
from bench.figures import Figure, percentile, within
from bench.rounds import Bench, Case, beside_floors, cpu_of, expect
from bench.world import World

LARGE, SMALL = 5000, 50
"""Pages of two sites."""
SECTIONS = 50
MOST = 1.5
"""How many times the time of the small one the large one may take."""
_HOME_ROUNDS = 40
_CLOSED = '{% if visitor.claims.plan == "pro" %}\nThis is for those who pay.\n{% endif %}\n'
_SCHEMA = {"jsonSchema": {"type": "object", "additionalProperties": False, "properties": {
    "plan": {"type": "string", "enum": ["free", "pro"], "description": "What is paid for."},
}}}  # fmt: skip
_BROWSER = {"Accept-Encoding": "gzip"}


class Api:
    """The API of a server, as the admin."""

    def __init__(self, world: World, server: Process) -> None:
        self._world = world
        self._line = server.line()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON that is answered; the path is below `/v1/`, or below the organization with `~` at its beginning."""
        whole = path.replace("~", f"orgs/{self._world.organization}", 1)
        data = b"" if body is None else json.dumps(body).encode()
        headers = self._world.authorized(self._world.admin)
        reply = self._line.ask(request(f"/v1/{whole}", headers, method=method, body=data))
        if reply.status >= 300:
            raise Refused(f"{method} {path}: {reply.status} {reply.body[:300]!r}")
        return json.loads(reply.body or b"null")

    def close(self) -> None:
        self._line.close()


def audiences(bench: Bench) -> None:
    """Pages of a site on which visitors log in, and half of which have a condition: cold, kept, 304."""
    world, scale = bench.world, bench.scale
    count = scale.cold * scale.fresh + 1
    source = world.folder / "audiences"
    paths = [path for path in write_repository(source, count, worlds.SEED + 1) if path]
    for at, file in enumerate(sorted(source.rglob("*.md"))):
        if at % 2 and file.name != "SUMMARY.md":
            file.write_text(file.read_text("utf-8") + "\n" + _CLOSED, "utf-8")
    made = world.import_directory(source, "Audiences")
    server = world.server()
    api = Api(world, server)
    site = next(one["id"] for one in api.ask("GET", "~/sites")["items"] if one["title"] == "Audiences")
    api.ask("PUT", f"~/sites/{site}/adaptive-schema", _SCHEMA)
    api.ask("PATCH", f"~/sites/{site}", {"visibility": "visitor-auth", "adaptiveContent": {"enabled": True}})
    key = api.ask("GET", f"~/sites/{site}/publishing/auth")["privateKey"]
    api.close()
    server.end()
    token = jwt.encode({"plan": "pro", "exp": int(time.time()) + 36_000}, key, algorithm="HS256")
    visitor = _BROWSER | {"Cookie": f"gitbook-visitor-token={token}"}
    addresses = [made.site + path for path in paths]
    cold: list[float] = []
    for at in range(scale.fresh):
        server = world.server()
        line = server.line()
        first, *others = (request(path, visitor) for path in addresses[at :: scale.fresh][: scale.cold])
        expect(line.ask(first).status, 200)
        server.settle()
        cold += [cpu_of(server, line, one) * 1000 for one in others]
        line.close()
        server.end()
    told = "page for who logged in, with claims"
    bench.add(within("Audiences", world.engine, f"{told}, cold", cold, "ms", 5))
    bench.add(within("Audiences", world.engine, f"{told}, cold, p95", [percentile(cold, 0.95)], "ms", 20))
    server = world.server()
    try:
        few = addresses[:50]
        line = server.line()
        tag = line.ask(request(few[0], visitor)).header("etag")
        line.close()
        cases = (
            Case(f"{told}, kept", few, visitor, most=0.3),
            Case(f"{told}, 304", few[:1], visitor | {"If-None-Match": tag}, most=0.2, status=304),
        )
        beside_floors(bench, server, cases, "Audiences")
    finally:
        server.end()


def sizes(bench: Bench) -> None:
    """The first byte of the home of a large site beside that of a small one, and of many sections beside one."""
    world = bench.world
    homes = {}
    for pages in (SMALL, LARGE):
        source = world.folder / f"home-{pages}"
        write_repository(source, pages, worlds.SEED + 2)
        homes[pages] = world.import_directory(source, f"Home {pages}")
    server = world.server()
    try:
        api = Api(world, server)
        one = _sections(api, [homes[SMALL].space])
        many = _sections(api, [homes[SMALL].space, *world.spaces[: SECTIONS - 1]])
        pairs = (
            (f"{LARGE} pages beside {SMALL}", homes[LARGE].site, homes[SMALL].site),
            (f"{SECTIONS} sections beside one", many, one),
        )
        line = server.line()
        for told, large, small in pairs:
            kept = _first_bytes(line, large, small, lambda: None)
            # The title of a site is on all of its pages.
            anew = _first_bytes(line, large, small, lambda: _rename(api))
            bench.add(_ratio(world.engine, f"home of {told}, kept", kept))
            bench.add(_ratio(world.engine, f"home of {told}, made anew", anew))
        api.close()
        line.close()
    finally:
        server.end()


def _sections(api: Api, spaces: Sequence[str]) -> str:
    """The path of a published site with these spaces, a section each."""
    site = api.ask("POST", "~/sites", {"title": f"Sections {len(spaces)}", "type": "ultimate"})
    for space in spaces:
        api.ask("POST", f"~/sites/{site['id']}/sections", {"spaceId": space})
    api.ask("POST", f"~/sites/{site['id']}/publish")
    found = api.ask("GET", f"~/sites/{site['id']}")
    published: str = found["urls"]["published"]
    return "/sites/" + published.rstrip("/").rsplit("/", 1)[-1] + "/"


def _rename(api: Api) -> None:
    for site in api.ask("GET", "~/sites")["items"]:
        if site["title"].startswith(("Home ", "Sections ")):
            words = site["title"].split(" ")[:2]
            api.ask("PATCH", f"~/sites/{site['id']}", {"title": " ".join([*words, str(time.time_ns())])})


def _first_bytes(line: Line, large: str, small: str, before: Callable[[], None]) -> list[tuple[float, float]]:
    """Rounds of milliseconds until the answers begin, of both in changing order."""
    rounds: list[tuple[float, float]] = []
    for at in range(_HOME_ROUNDS + 3):
        before()
        took = {}
        for path in (large, small) if at % 2 else (small, large):
            began = time.perf_counter()
            expect(line.ask(request(path, _BROWSER)).status, 200)
            took[path] = (time.perf_counter() - began) * 1000
        rounds.append((took[large], took[small]))
    return rounds[3:]


def _ratio(engine: str, name: str, rounds: Sequence[tuple[float, float]]) -> Figure:
    ratios = [large / small for large, small in rounds]
    found = within("Large sites", engine, name, ratios, "times", MOST)
    large, small = (median(one[at] for one in rounds) for at in (0, 1))
    return replace(found, name=f"{name} ({large:.2f} and {small:.2f} ms)")


def merged(bench: Bench) -> None:
    """From the merge of one changed page until a visitor reads it, and how many pages are made anew for it."""
    world, made = bench.world, bench.imported()
    paths = [made.site + path for path in worlds.page_paths(bench.source, 100)]
    pages = worlds.page_ids(world, made)
    server, worker = world.server(), world.worker()
    try:
        api, line = Api(world, server), server.line()
        tags = {path: line.ask(request(path, _BROWSER)).header("etag") for path in paths}
        seconds, anew = [], []
        for at in range(5):
            # Which address a page has is asked, not guessed.
            page = api.ask("GET", f"spaces/{made.space}/content/page/{pages[at * 7 + 3]}?format=markdown")
            address = made.site + page["path"]
            change = api.ask("POST", f"spaces/{made.space}/change-requests", {"subject": f"Edit {at}"})
            path = f"spaces/{made.space}/change-requests/{change['id']}"
            text = f"{page['markdown']}\n\nMerged as number {at}.\n"
            edit = {"changes": [{"operation": "update_page", "page": page["id"], "document": {"markdown": text}}]}
            api.ask("POST", f"{path}/content", edit)
            tags[address] = line.ask(request(address, _BROWSER)).header("etag")
            began = time.perf_counter()
            api.ask("POST", f"{path}/merge")
            while line.ask(request(address, _BROWSER)).header("etag") == tags[address]:
                time.sleep(0.001)
            seconds.append(time.perf_counter() - began)
            new = {path: line.ask(request(path, _BROWSER)).header("etag") for path in tags}
            anew.append(sum(new[path] != tag for path, tag in tags.items()))
            tags = new
        api.close()
        line.close()
    finally:
        server.end()
        if worker is not None:
            worker.end()
    engine = world.engine
    bench.add(within("Published site", engine, "merge of a page until a visitor reads it", seconds, "s", 1))
    told = f"pages made anew for it, of {len(tags)}"
    bench.add(within("Published site", engine, told, anew, "pages", 1))
