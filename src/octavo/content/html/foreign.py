"""Blocks that other parties give life to, OpenAPI and integrations, in a neutral readable form."""

from __future__ import annotations

from octavo.content.document import Node
from octavo.content.html import openapi as reference
from octavo.content.html.escape import escape, name, string
from octavo.content.html.links import attribute, ref_of
from octavo.content.html.media import card
from octavo.content.html.writer import Handler, Writer, data
from octavo.content.openapi.describing import Described


def openapi(writer: Writer, node: Node) -> None:
    """What the context makes of an API description, or at least what the block is about."""
    made = writer.context.openapi(node)
    of, ref = data(node), ref_of(node)
    if isinstance(made, Described):
        reference.operation(writer, node, made)
        return
    if isinstance(made, list):
        reference.models(writer, made, title=string(of.get("title")))
        return
    if isinstance(made, str):
        reference.absent(writer, made)
    writer.put('<div class="openapi">')
    method, path = string(of.get("method")), string(of.get("path")) or string(of.get("name"))
    if method or path:
        badge = f'<span class="method" data-method="{name(method)}">{escape(method.upper())}</span> ' if method else ""
        writer.put(f'<p class="openapi-operation">{badge}<code class="openapi-path">{escape(path)}</code></p>')
    schemas = of.get("schemas")
    for schema in schemas if isinstance(schemas, list) else ():
        writer.put(f'<p class="openapi-schema"><code>{escape(string(schema))}</code></p>')
    if source := string(ref.get("spec")) or string(ref.get("url")):
        writer.put(f'<p class="openapi-source">{escape(source)}</p>')
    writer.put("</div>")


def integration(writer: Writer, node: Node) -> None:
    """What an integration drew, or else the name of its block and its properties."""
    of, drawn = data(node), writer.context.integration(node)
    if drawn is not None:
        to, token = writer.context.pressed(node)
        more = attribute("to", to) + attribute("token", token)
        if token:
            writer.needs.add("boards")
        writer.put(
            f'<div class="integration" data-drawn{attribute("integration", string(of.get("integration")))}{more}>'
        )
        writer.blocks(drawn)
        writer.put("</div>")
        return
    title = "/".join(filter(None, (string(of.get("integration")), string(of.get("block")))))
    writer.put(f'<div class="integration"><p class="integration-name">{escape(title)}</p>')
    props = of.get("props")
    pairs = [(key, string(value)) for key, value in props.items()] if isinstance(props, dict) else []
    rows = "".join(f"<dt>{escape(string(key))}</dt><dd>{escape(value)}</dd>" for key, value in pairs if value)
    writer.put(f'<dl class="properties">{rows}</dl>' if rows else "")
    if url := string(of.get("url")):
        card(writer, url, {})
    writer.put("</div>")


BLOCKS: dict[str, Handler] = {
    "swagger": openapi,
    "openapi-operation": openapi,
    "openapi-schemas": openapi,
    "openapi-webhook": openapi,
    "integration": integration,
}
