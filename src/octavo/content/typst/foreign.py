"""Blocks that other parties give life to, OpenAPI and integrations, in a neutral readable form."""

from __future__ import annotations

from octavo.content.document import Node
from octavo.content.html.escape import string
from octavo.content.html.links import ref_of
from octavo.content.html.writer import data
from octavo.content.typst.source import literal
from octavo.content.typst.writer import Handler, Writer


def openapi(writer: Writer, node: Node) -> None:
    """What the block is about."""
    of, ref = data(node), ref_of(node)
    method, path = string(of.get("method")).upper(), string(of.get("path")) or string(of.get("name"))
    schemas = of.get("schemas")
    shown = [path, *(string(schema) for schema in (schemas if isinstance(schemas, list) else ()))]
    source = string(ref.get("spec")) or string(ref.get("url"))
    writer.put(f"operation({literal(method)},{{")
    writer.text("\n".join(filter(None, shown)))
    writer.put(f"}},{literal(source)});")


def integration(writer: Writer, node: Node) -> None:
    """The name of an integration's block and its properties."""
    of = data(node)
    title = "/".join(filter(None, (string(of.get("integration")), string(of.get("block")))))
    props = of.get("props")
    pairs = [(string(key), string(value)) for key, value in props.items()] if isinstance(props, dict) else []
    lines = [f"{key}: {value}" for key, value in pairs if value]
    url = string(of.get("url"))

    def content() -> None:
        writer.put('operation("",{')
        writer.text("\n".join([title, *lines]))
        writer.put(f"}},{literal(url)});")

    writer.link(writer.around.goal({"kind": "url", "url": url}, writer.page), content)


BLOCKS: dict[str, Handler] = {
    "swagger": openapi,
    "openapi-operation": openapi,
    "openapi-schemas": openapi,
    "openapi-webhook": openapi,
    "integration": integration,
}
