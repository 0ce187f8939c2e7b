"""A site for assistants: its pages as tools of the Model Context Protocol, over HTTP, with the visitor's rights.

Each message is answered for itself and in one piece, as the protocol allows to servers that hold nothing between two of
them (Streamable HTTP, revision 2025-06-18): there are no sessions, no streams and nothing that this side begins.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from octavo import __version__
from octavo.content.revision import Branch
from octavo.content.snippets import Marker
from octavo.kernel import limits
from octavo.publish.building import readable
from octavo.publish.context import markdown_href
from octavo.publish.markdown import page_markdown
from octavo.publish.reading import contents_at, listed_contents, material
from octavo.publish.request import SiteRequest
from octavo.site.finding import FoundPage, found, nearest, rank
from octavo.site.placed import placed
from octavo.site.snapshot import Place
from octavo.store.unit import Store
from octavo.web.answers import Answer
from octavo.web.beside import beside

ENDPOINT = "/~octavo/mcp"
"""How the path ends at which messages are posted."""
VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
"""Revisions of the protocol that are spoken, the newest first."""
BODY = 64 << 10
"""Bytes of a message."""
RESULTS = 10
LISTED = 500
"""Pages that one list names."""
SNIPPET = 300
"""Characters."""
_PARSE, _INVALID, _UNKNOWN, _PARAMS = -32700, -32600, -32601, -32602


class Message(msgspec.Struct, frozen=True):
    jsonrpc: str
    method: str
    id: int | str | None = None
    params: dict[str, Any] = {}


class Refused(Exception):
    """A message that cannot be answered: the code of JSON-RPC, and a sentence."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class NotHere(Exception):
    """A tool found nothing: a sentence for the assistant, which may ask otherwise."""


@dataclass(frozen=True)
class Tool:
    """What an assistant may ask for."""

    title: str
    description: str
    fields: Mapping[str, str]
    """Name of an argument -> what it is; all are text."""
    required: tuple[str, ...]
    run: Callable[[Store, SiteRequest, Mapping[str, str]], Awaitable[str]]


async def answer_message(store: Store, request: SiteRequest, body: bytes) -> Answer:
    """The answer to one message; 202 without a body to one that asks nothing."""
    key: int | str | None = None
    try:
        message = _read(body)
        key = message.id
        if key is None:
            return Answer(202, b"", [])
        said: dict[str, Any] = {"result": await _result(store, request, message)}
    except Refused as refused:
        said = {"error": {"code": refused.code, "message": str(refused)}}
    data = msgspec.json.encode({"jsonrpc": "2.0", "id": key} | said)
    return Answer(200, data, [(b"content-type", b"application/json"), (b"cache-control", b"no-store")])


def _read(body: bytes) -> Message:
    try:
        message = msgspec.json.decode(body, type=Message)
    except msgspec.ValidationError as error:
        raise Refused(_INVALID, f"not a message of JSON-RPC 2.0: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(_PARSE, f"the body is not JSON: {error}") from error
    if message.jsonrpc != "2.0":
        raise Refused(_INVALID, 'jsonrpc: has to be "2.0"')
    return message


async def _result(store: Store, request: SiteRequest, message: Message) -> dict[str, Any]:
    match message.method:
        case "initialize":
            return _initialized(request, message.params)
        case "ping":
            return {}
        case "tools/list":
            return {"tools": [_described(name, tool) for name, tool in TOOLS.items()]}
        case "tools/call":
            return await _called(store, request, message.params)
    raise Refused(_UNKNOWN, f"there is no method {message.method[:100]!r}")


def _initialized(request: SiteRequest, params: Mapping[str, Any]) -> dict[str, Any]:
    asked, title = params.get("protocolVersion"), request.snapshot.site.title
    return {
        "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": "octavo", "title": title, "version": __version__},
        "instructions": f"The documentation {title!r}: search it, then read the pages that fit.",
    }


def _described(name: str, tool: Tool) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {field: {"type": "string", "description": said} for field, said in tool.fields.items()},
        "required": list(tool.required),
        "additionalProperties": False,
    }
    hints = {"readOnlyHint": True, "openWorldHint": False}
    told = {"name": name, "title": tool.title, "description": tool.description}
    return {**told, "inputSchema": schema, "annotations": hints}


async def _called(store: Store, request: SiteRequest, params: Mapping[str, Any]) -> dict[str, Any]:
    name, given = params.get("name"), params.get("arguments") or {}
    tool = TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        raise Refused(_PARAMS, f"there is no tool {str(name)[:100]!r}; there are {', '.join(TOOLS)}")
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise Refused(_PARAMS, "arguments: an object whose values are text")
    missing = [field for field in tool.required if not given.get(field, "").strip()]
    if missing:
        raise Refused(_PARAMS, f"arguments.{missing[0]}: is needed")
    try:
        text, failed = await tool.run(store, request, given), False
    except NotHere as nothing:
        text, failed = str(nothing), True
    return {"content": [{"type": "text", "text": text}], "isError": failed}


async def _search(store: Store, request: SiteRequest, given: Mapping[str, str]) -> str:
    query = given["query"][: limits.SEARCH_QUERY_MAX]
    snapshot = request.snapshot

    contents = await store.read(lambda unit: listed_contents(unit, snapshot))
    organization = snapshot.site.organization
    ranked = await rank(store, organization, contents, query)
    pages = await store.read(lambda unit: found(unit, organization, contents, ranked.pages[:RESULTS]))
    if not pages:
        raise NotHere(f"Nothing was found for {query!r}. Try fewer or other words, or list_pages.")
    marker = Marker(ranked.words)
    return "\n\n".join(_hit(request, page, marker) for page in pages)


def _hit(request: SiteRequest, page: FoundPage, marker: Marker) -> str:
    snapshot = request.snapshot
    shown = next(one for one in snapshot.shown if one.space == page.space)
    address = markdown_href(request.address.public + snapshot.base_of(shown), page.branch)
    lines = [f"## {page.branch.page.title}", address]
    for section in page.sections[:3]:
        snippet = "".join(marker.snippet(section.body, SNIPPET).pieces) if section.body else ""
        lines.append(f"- {section.title}: {snippet}" if section.anchor else snippet)
    return "\n".join(line for line in lines if line)


async def _page(store: Store, request: SiteRequest, given: Mapping[str, str]) -> str:
    path = given["path"].strip()
    for begins in (request.address.public, request.address.base):
        path = path.removeprefix(begins)
    path = path.partition("#")[0].strip("/").removesuffix(".md")
    place = await store.read(lambda unit: placed(unit, request.snapshot, path))
    if place is None:
        raise NotHere("The site shows no pages.")
    contents = await store.read(lambda unit: contents_at(unit, request.snapshot, place.space.id))
    branch = contents.by_path.get(place.rest.lower()) if place.rest else contents.landing
    if branch is None or branch.page.type != "document":
        near = "".join(f"\n- {_path(place, one)}" for one in nearest(place.rest, readable(contents)))
        raise NotHere(f"There is no page {path!r}." + (f" Like it are:{near}" if near else ""))
    given_page = await material(store, request.blobs, request.snapshot, place, contents, branch, coloured=False)
    return await beside(lambda: page_markdown(given_page, request.address.public))


async def _list(store: Store, request: SiteRequest, given: Mapping[str, str]) -> str:
    begins, snapshot = given.get("below", "").strip("/").lower(), request.snapshot
    lines: list[str] = []
    for one in snapshot.shown:
        place = snapshot.place(snapshot.base_of(one))
        if one.hidden or place is None:
            continue
        contents = await store.read(lambda unit, space=one.space: contents_at(unit, snapshot, space))  # type: ignore[misc]
        for branch in readable(contents):
            path = _path(place, branch)
            if path.lower().startswith(begins):
                lines.append(f"- {path}: {branch.page.title}")
    if not lines:
        raise NotHere(f"No page's path begins with {begins!r}." if begins else "The site shows no pages.")
    more = f"\n{len(lines) - LISTED} more; ask with `below`." if len(lines) > LISTED else ""
    return "\n".join(lines[:LISTED]) + more


def _path(place: Place, branch: Branch) -> str:
    return place.base + branch.path


TOOLS: Mapping[str, Tool] = {
    "search": Tool(
        "Search", "Search the documentation. Gives titles, addresses and the places that match.",
        {"query": "What is looked for, in words or as a question"}, ("query",), _search,
    ),
    "get_page": Tool(
        "Read a page", "Get a page as Markdown.",
        {"path": "Path or address of the page, as search and list_pages give it"}, ("path",), _page,
    ),
    "list_pages": Tool(
        "List pages", "List the paths and titles of pages.", {"below": "Only paths that begin so"}, (), _list,
    ),
}  # fmt: skip
