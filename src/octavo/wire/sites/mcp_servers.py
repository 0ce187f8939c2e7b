"""Servers of tools that assistants on a site may ask."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.records.sites import SiteMcpServer
from octavo.wire.fields import Body, Condition, Located, Maybe, Shape, WebUrl, line, matching, maybe
from octavo.wire.view import View

Name = Annotated[str, line(limits.MCP_SERVER_NAME_MAX, min_length=1)]
HeaderName = Annotated[str, matching("^[A-Za-z0-9!#$%&'*+.^_`|~-]+", "the name of a header", max_length=100)]
Headers = Annotated[
    dict[HeaderName, Annotated[str, line(limits.MCP_HEADER_MAX, min_length=1)]],
    Meta(max_length=limits.MCP_HEADERS_MAX, description="Sent with every request to the server"),
]
Transport = Literal["sse", "http"]


class McpServer(Shape, tag_field="object", tag="site-mcp-server", frozen=True):
    id: str
    name: str
    url: str
    transport: Transport
    headers: dict[str, str]
    urls: Located
    condition: Maybe[str] = UNSET


class CreateMcpServer(Body, frozen=True):
    name: Name
    url: WebUrl
    headers: Headers
    transport: Transport = "sse"
    condition: Maybe[Condition | None] = UNSET


class UpdateMcpServer(Body, frozen=True):
    """`headers` are all that are sent afterwards; `condition` null lets every visitor's assistant ask."""

    name: Maybe[Name] = UNSET
    url: Maybe[WebUrl] = UNSET
    headers: Maybe[Headers] = UNSET
    transport: Maybe[Transport] = UNSET
    condition: Maybe[Condition | None] = UNSET


class McpServerView(msgspec.Struct, frozen=True):
    server: SiteMcpServer
    headers: dict[str, str]


def present(shown: McpServerView, view: View) -> McpServer:
    """The server as the API serves it."""
    server = shown.server
    place = ("orgs", server.organization, "sites", server.site, "mcp-servers", server.id)
    return McpServer(
        id=server.id,
        name=server.name,
        url=server.url,
        transport=server.transport,
        headers=shown.headers,
        urls=Located(view.location(*place)),
        condition=maybe(server.condition),
    )
