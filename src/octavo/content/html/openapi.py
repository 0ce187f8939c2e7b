"""Operations, webhooks and schemas of an API as a reference: what is sent, what comes back, and how it is called."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from octavo.content.document import Node, block, text
from octavo.content.html.escape import escape, name
from octavo.content.html.writer import Writer
from octavo.content.openapi.describing import Described, Field, Media, Model, Reply
from octavo.content.openapi.samples import Call, samples
from octavo.content.openapi.schemes import Scheme
from octavo.content.openapi.wording import anchor_of

_ORIGIN = re.compile(r"https?://[a-zA-Z0-9.-]+(?::[0-9]{1,5})?(?=[/?]|$)")
OPEN_MODELS = 40
"""Schemas of one block that are shown with all that they have; of more, a reader opens those that she wants."""
EXAMPLE_MAX = 6_000
"""Characters of an example; longer ones are cut at a line."""
_PLACES = {
    "path": "Path parameters",
    "query": "Query parameters",
    "header": "Headers",
    "cookie": "Cookies",
}
_SPECIAL = frozenset("*_`[]<>#|~\\&\n:!")
_REASONS = {
    "200": "OK", "201": "Created", "202": "Accepted", "204": "No content", "205": "Reset content", "301": "Moved",
    "302": "Found", "304": "Not modified", "307": "Redirect", "400": "Bad request", "401": "Unauthorized",
    "403": "Forbidden", "404": "Not found", "409": "Conflict", "412": "Precondition failed", "413": "Too large",
    "415": "Unsupported type", "422": "Unprocessable", "429": "Too many requests", "500": "Server error",
    "501": "Not implemented", "503": "Unavailable", "504": "Timeout",
}  # fmt: skip


def operation(writer: Writer, node: Node, described: Described) -> None:
    """One operation or webhook."""
    writer.needs.add("openapi")
    put = writer.put
    put(f'<section class="api"{" data-deprecated" if described.deprecated else ""}>')
    if not (node.get("data") or {}).get("headless"):
        title = block("heading-1", {"id": name(anchor_of(described))}, [text(described.title)])
        writer.blocks([title | {"key": ""}])
    _line(writer, described)
    prose(writer, described.description)
    put('<div class="api-sides"><div class="api-told">')
    if not described.webhook:
        _security(writer, described.schemes, described.open)
    for place, fields in described.parameters:
        _fields(writer, _PLACES[place], fields)
    _body(writer, described)
    _replies(writer, described.replies)
    put('</div><div class="api-shown">')
    if not described.webhook:
        _samples(writer, described)
        _tried(writer, described)
    _examples(writer, described)
    put("</div></div></section>")


def models(writer: Writer, found: list[Model], *, title: str = "") -> None:
    """Schemas by their names."""
    writer.needs.add("openapi")
    collapsed = len(found) > OPEN_MODELS
    for model in found:
        writer.put('<section class="api api-model">')
        shown = title or f"The {model.name} object"
        writer.blocks([block("heading-1", {"id": name(model.name.lower())}, [text(shown)]) | {"key": ""}])
        _described(writer, model.schema)
        if collapsed:
            writer.put(f'<details class="api-inside"><summary>{_inside(model.schema)}</summary>')
        writer.put('<div class="api-sides"><div class="api-told">')
        _children(writer, model.schema)
        writer.put('</div><div class="api-shown">')
        if model.example is not None:
            writer.quiet([_listing(model.example, model.name)])
        writer.put("</div></div></details></section>" if collapsed else "</div></div></section>")


def listings(shown: Iterable[Described | list[Model] | str]) -> Iterator[tuple[str, str]]:
    """(syntax, code) of the listings in what is written."""
    for one in shown:
        if isinstance(one, list):
            yield from (source_of(model.example)[::-1] for model in one if model.example is not None)
        elif not isinstance(one, str):
            yield from ((syntax, source) for _, syntax, source in ([] if one.webhook else samples(one)))
            yield from (source_of(value)[::-1] for _, value in _values(one))


def absent(writer: Writer, what: str) -> None:
    """What stands where a block names something that is not there."""
    writer.put('<div class="hint hint-warning api-absent">')
    writer.icon("circle-exclamation", "hint-icon")
    writer.put(f'<div class="hint-body"><p>{escape(what)}</p></div></div>')


def _line(writer: Writer, described: Described) -> None:
    """Method and address."""
    put = writer.put
    method = name(described.method)
    shown = "webhook" if described.webhook else described.method.upper()
    put(f'<p class="api-line"><span class="method" data-method="{method}">{escape(shown)}</span> ')
    server = "" if described.webhook else described.server
    put(f'<code class="api-path"><span class="api-server">{escape(server)}</span>')
    for number, piece in enumerate(described.path.split("/")):
        slash = "/" if number else ""
        if piece.startswith("{") and piece.endswith("}"):
            put(f"{slash}<wbr><var>{escape(piece)}</var>")
        else:
            put(f"{slash}<wbr>{escape(piece)}" if number else escape(piece))
    put("</code>")
    if described.deprecated:
        put(' <span class="badge api-deprecated">Deprecated</span>')
    put("</p>")


def _head(writer: Writer, words: str, more: str = "") -> None:
    writer.put(f'<p class="api-head">{escape(words)}{more}</p>')


def _security(writer: Writer, schemes: list[Scheme], is_open: bool) -> None:
    if not schemes:
        return
    _head(writer, "Authorization", ' <span class="api-note">optional</span>' if is_open else "")
    writer.put('<dl class="api-fields">')
    for one in schemes:
        writer.put(f'<div class="api-field"><dt><code>{escape(one.key or one.name)}</code>')
        writer.put(f' <span class="api-type">{escape(one.kind)}</span></dt><dd>')
        prose(writer, one.description)
        if one.scopes:
            scopes = ", ".join(f"<code>{escape(scope)}</code>" for scope in one.scopes)
            writer.put(f"<p>Scopes: {scopes}</p>")
        writer.put("</dd></div>")
    writer.put("</dl>")


def _fields(writer: Writer, words: str, fields: list[Field]) -> None:
    _head(writer, words)
    writer.put('<dl class="api-fields">')
    for field in fields:
        _field(writer, field)
    writer.put("</dl>")


def _field(writer: Writer, field: Field) -> None:
    put = writer.put
    shown = "any other name" if field.name == "*" else field.name
    struck = " data-deprecated" if field.deprecated else ""
    put(f'<div class="api-field"{struck}><dt><code>{escape(shown)}</code>')
    put(f' <span class="api-type">{escape(field.type)}</span>')
    if field.required:
        put(' <span class="api-required">required</span>')
    for word in filter(None, (field.access, "deprecated" if field.deprecated else "")):
        put(f' <span class="api-note">{word}</span>')
    put("</dt><dd>")
    _described(writer, field)
    if field.children or field.variants:
        put(f'<details class="api-inside"><summary>{_inside(field)}</summary>')
        _children(writer, field)
        put("</details>")
    put("</dd></div>")


def _inside(field: Field) -> str:
    if field.variants and not field.children:
        return f"{len(field.variants)} options"
    count = len(field.children)
    return "1 attribute" if count == 1 else f"{count} attributes"


def _described(writer: Writer, field: Field) -> None:
    prose(writer, field.description)
    told = [f"Default <code>{escape(field.default)}</code>"] if field.default else []
    told += [_bound(one) for one in field.bounds]
    if field.values:
        told.append(
            ("always " if len(field.values) == 1 else "one of ")
            + ", ".join(f"<code>{escape(one)}</code>" for one in field.values)
        )
    if told:
        writer.put(f'<p class="api-bounds">{" · ".join(told)}</p>')
    if field.more and not field.children:
        writer.put(f'<p class="api-bounds">See <code>{escape(field.more)}</code></p>')


def _bound(said: str) -> str:
    word, _, pattern = said.partition(" ")
    return f"pattern <code>{escape(pattern)}</code>" if word == "pattern" else escape(said)


def _children(writer: Writer, field: Field) -> None:
    if field.children:
        writer.put('<dl class="api-fields">')
        for one in field.children:
            _field(writer, one)
        writer.put("</dl>")
    for variant in field.variants:
        writer.put('<details class="api-inside api-variant"><summary>')
        writer.put(f'{escape(variant.name)} <span class="api-type">{escape(variant.type)}</span></summary>')
        _described(writer, variant)
        _children(writer, variant)
        writer.put("</details>")


def _body(writer: Writer, described: Described) -> None:
    if not described.body:
        return
    note = ' <span class="api-required">required</span>' if described.body_required else ""
    kinds = ", ".join(media.type for media in described.body)
    _head(writer, "Payload" if described.webhook else "Body", f' <span class="api-type">{escape(kinds)}</span>{note}')
    prose(writer, described.body_description)
    _shape(writer, described.body)


def _shape(writer: Writer, found: list[Media]) -> None:
    schema = next((media.schema for media in found if media.schema is not None), None)
    if schema is None:
        return
    if schema.children or schema.variants:
        _children(writer, schema)
    else:
        writer.put(f'<p class="api-bounds"><span class="api-type">{escape(schema.type)}</span></p>')
        _described(writer, schema)


def _replies(writer: Writer, replies: list[Reply]) -> None:
    if not replies:
        return
    _head(writer, "Responses")
    for number, reply in enumerate(replies):
        status = f'<span class="api-status" data-class="{escape(reply.status[:1])}">{escape(reply.status)}</span>'
        said = reply.description or _REASONS.get(reply.status, "")
        brief = escape(said if len(said) < 90 and "\n" not in said else _REASONS.get(reply.status, ""))
        inner = any(media.schema is not None for media in reply.media) or reply.headers
        if not inner and len(said) < 90:
            writer.put(f'<p class="api-reply">{status} {brief}</p>')
            continue
        writer.put(f'<details class="api-inside api-reply"{" open" if not number else ""}><summary>{status} {brief}')
        writer.put("</summary>")
        if escape(said) != brief:
            prose(writer, said)
        if reply.headers:
            _fields(writer, "Headers", reply.headers)
            if any(media.schema is not None for media in reply.media):
                kinds = ", ".join(media.type for media in reply.media)
                _head(writer, "Body", f' <span class="api-type">{escape(kinds)}</span>')
        _shape(writer, reply.media)
        writer.put("</details>")


def _samples(writer: Writer, described: Described) -> None:
    tabs = [_tab(title, [_code(source, syntax)]) for title, syntax, source in samples(described)]
    writer.blocks([block("tabs", {}, tabs)])


def _examples(writer: Writer, described: Described) -> None:
    """What comes back; of a webhook, what is sent."""
    tabs = [_tab(title, [_listing(value)]) for title, value in _values(described)]
    if tabs:
        writer.put(f'<p class="api-head">{"Payload" if described.webhook else "Response"}</p>')
        writer.blocks([block("tabs", {}, tabs)])


def _values(described: Described) -> list[tuple[str, Any]]:
    """(title, value) of the examples that are shown beside the calls."""
    made: list[tuple[str, Any]] = []
    if described.webhook:
        sent = [one for media in described.body for one in media.examples]
        made = [(title or "Payload", value) for title, value in sent[:3]]
    for reply in described.replies:
        shown = [one for media in reply.media[:1] for one in media.examples[:3]]
        made += [(" ".join(filter(None, (reply.status, title))), value) for title, value in shown]
    return made[:8]


def _tried(writer: Writer, described: Described) -> None:
    """Where a reader calls the API herself; a script makes it work, and without one it is not there."""
    call = Call(described)
    origin = _ORIGIN.match(call.url)
    if origin is None or not described.server:
        return
    writer.needs |= {"openapi-try", f"call:{origin[0].lower()}"}
    shown = {
        "method": call.method,
        "server": described.server,
        "path": described.path,
        "values": [[place, key, value] for place, key, value in described.values],
        "more": [
            [place, field.name]
            for place, fields in described.parameters
            if place in ("query", "header")
            for field in fields
        ],
        "schemes": [[one.place, one.key, one.value] for one in described.schemes if one.place],
        "media": call.media,
        "body": call.text() if call.has_body else None,
    }
    data = escape(json.dumps(shown, ensure_ascii=False))
    writer.put(f'<div class="api-try" data-call="{data}" hidden></div>')


def _tab(title: str, nodes: list[Node]) -> Node:
    return block("tabs-item", {"title": title}, nodes)


def _code(source: str, syntax: str) -> Node:
    lines = [block("code-line", {}, [text(line)]) for line in source.split("\n")]
    return block("code", {"syntax": syntax}, lines)


def _listing(value: Any, title: str = "") -> Node:
    made = _code(*source_of(value))
    if title:
        made["data"]["title"] = title
    return made


def source_of(value: Any) -> tuple[str, str]:
    """(text, syntax) of an example."""
    if isinstance(value, str):
        source, syntax = value, ""
    else:
        source, syntax = json.dumps(value, indent=2, ensure_ascii=False), "json"
    if len(source) > EXAMPLE_MAX:
        source = source[:EXAMPLE_MAX].rpartition("\n")[0] + "\n…"
    return source, syntax


def prose(writer: Writer, words: str) -> None:
    """A description, which is written in Markdown."""
    if not words:
        return
    if _SPECIAL.isdisjoint(words):
        writer.put(f"<p>{escape(words)}</p>")
    else:
        writer.quiet(read(words))


@lru_cache(maxsize=2_000)
def _read(words: str) -> tuple[Node, ...]:
    from octavo.content.markdown import parse

    return tuple(parse(words).document.get("nodes", ()))


def read(words: str) -> Iterable[Node]:
    """Markdown as blocks; few descriptions are long."""
    return _read(words[:20_000])
