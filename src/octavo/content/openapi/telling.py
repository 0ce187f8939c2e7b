"""Operations, webhooks and schemas as Markdown: what assistants, text files and whoever copies a page are told."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import msgspec

from octavo.content.document import Node
from octavo.content.openapi.describing import Described, Field, Media, Model, last_of
from octavo.content.openapi.index import Index
from octavo.content.openapi.samples import samples
from octavo.content.openapi.schemes import scheme_of

DEEPEST = 4
"""Fields in one another that are told."""
EXAMPLE_MAX = 4_000
_EXPLAINED = re.compile(r"^#{1,4} auth", re.IGNORECASE | re.MULTILINE)
"""A heading under which a description itself says how callers show who they are."""


def told(shown: Described | list[Model] | str) -> list[Node]:
    """The same as blocks."""
    from octavo.content.markdown import parse

    nodes: list[Node] = parse(written(shown)).document.get("nodes", [])
    return nodes


def written(shown: Described | list[Model] | str) -> str:
    """The same as text."""
    if isinstance(shown, str):
        return f"*{shown}*\n"
    if isinstance(shown, list):
        return "\n\n".join(_model(one) for one in shown)
    return _operation(shown)


def outlined(index: Index, schemes: Mapping[str, bytes]) -> str:
    """The whole of an API in outline: what it is about, where it answers, how a caller says who it is."""
    parts = [f"Version {_line(index.version)}" if index.version else "", index.description]
    servers = [str(one.get("url") or "") for one in index.servers if isinstance(one, dict)]
    if found := [one for one in servers if one]:
        parts += ["## Servers" if len(found) > 1 else "## Server", "\n".join(f"* `{_code(one)}`" for one in found)]
    if schemes and not _EXPLAINED.search(index.description):
        parts.append("## Authentication")
        ways = [scheme_of(last_of(ref), msgspec.json.decode(part), []) for ref, part in schemes.items()]
        for way in ways:
            parts.append(f"### {_line(way.kind)}" if len(ways) > 1 else "")
            parts.append(way.description)
            if way.place:
                where = "header" if way.place == "header" else f"{way.place} parameter"
                sent = f"{way.key}: {way.value}" if way.place == "header" else f"{way.key}={way.value}"
                parts += [
                    f"Sent as the {where} `{_code(way.key)}`:",
                    _fence(sent, "http" if way.place == "header" else ""),
                ]
    return "\n\n".join(part for part in parts if part)


def _operation(one: Described) -> str:
    address = one.path if one.webhook else one.server + one.path
    parts = [f"## {_line(one.title)}", f"`{one.method.upper()} {_code(address)}`"]
    if one.deprecated:
        parts.append("**Deprecated.**")
    parts.append(one.description)
    if one.schemes:
        named = ", ".join(f"{scheme.kind} (`{_code(scheme.key or scheme.name)}`)" for scheme in one.schemes)
        parts.append(f"**Authorization**: {named}{', optional' if one.open else ''}")
    for place, fields in one.parameters:
        parts += [f"**{place.capitalize()} parameters**", _fields(fields)]
    parts += _bodies("Payload" if one.webhook else "Body", one.body)
    if not one.webhook:
        title, syntax, source = samples(one)[0]
        parts += [f"**{title}**", _fence(source, syntax)]
    for reply in one.replies:
        parts.append(f"**Response {reply.status}** {_line(reply.description)}")
        parts += _bodies("", reply.media)
        parts += [_example(value) for media in reply.media[:1] for _, value in media.examples[:1]]
    return "\n\n".join(part for part in parts if part)


def _model(one: Model) -> str:
    parts = [f"## {_line(one.name)}", one.schema.description, _inside(one.schema)]
    if one.example is not None:
        parts.append(_example(one.example))
    return "\n\n".join(part for part in parts if part)


def _bodies(title: str, found: list[Media]) -> list[str]:
    schema = next((media.schema for media in found if media.schema is not None), None)
    if schema is None:
        return []
    kinds = ", ".join(f"`{_code(media.type)}`" for media in found)
    return [f"**{title}** {kinds}" if title else "", _inside(schema) or f"`{_code(schema.type)}`"]


def _inside(field: Field, depth: int = 0) -> str:
    lines = [_fields(field.children, depth)] if field.children else []
    lines += [f"{'  ' * depth}* {_line(one.name)}: `{_code(one.type)}`" for one in field.variants]
    return "\n".join(line for line in lines if line)


def _fields(fields: list[Field], depth: int = 0) -> str:
    lines = []
    for one in fields:
        notes = [f"`{_code(one.type)}`", "required" if one.required else "", "deprecated" if one.deprecated else ""]
        notes += [one.access, *one.bounds, f"default `{_code(one.default)}`" if one.default else ""]
        notes.append("one of " + ", ".join(f"`{_code(value)}`" for value in one.values) if one.values else "")
        said = f": {_line(one.description)}" if one.description else ""
        shown = ", ".join(note for note in notes if note)
        lines.append(f"{'  ' * depth}* `{_code(one.name)}` ({shown}){said}")
        if depth + 1 < DEEPEST and (inner := _inside(one, depth + 1)):
            lines.append(inner)
    return "\n".join(lines)


def _example(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    if len(text) > EXAMPLE_MAX:
        text = text[:EXAMPLE_MAX].rpartition("\n")[0] + "\n…"
    return _fence(text, "" if isinstance(value, str) else "json")


def _fence(text: str, syntax: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{syntax}\n{text}\n{fence}"


def _line(text: str) -> str:
    return " ".join(text.split())


def _code(text: str) -> str:
    return text.replace("`", "'").replace("\n", " ") or "–"
