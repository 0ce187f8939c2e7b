"""Servers of tools that assistants on a site may ask: their addresses, and the headers with which they are asked."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from octavo.access.locate_sites import SeenMcpServer
from octavo.content import conditions
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records.sites import SiteMcpServer
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtSite
from octavo.wire.lists import ListQuery
from octavo.wire.sites import mcp_servers
from octavo.wire.sites.mcp_servers import CreateMcpServer, McpServerView, UpdateMcpServer

_HEADERS: msgspec.json.Decoder[dict[str, str]] = msgspec.json.Decoder(dict[str, str])


class AtMcpServer(AtSite, frozen=True):
    server: SeenMcpServer


async def list_on_site(call: Call, at: AtSite, query: ListQuery) -> Slice[McpServerView]:
    """Newest first."""
    page = call.cut(await call.unit.mcp_servers.all(at.site.record.id), query, lambda one: (-one.created_at, one.id))
    return Slice([_view(call, one) for one in page.items], page.count, page.next)


async def get(call: Call, at: AtMcpServer, takes: Nothing) -> McpServerView:
    """One server."""
    return _view(call, at.server.record)


async def create(call: Call, at: AtSite, body: CreateMcpServer) -> McpServerView:
    """A further one."""
    site = at.site.record
    if len(await call.unit.mcp_servers.all(site.id)) >= limits.MCP_SERVERS_MAX:
        raise Conflict(f"a site has {limits.MCP_SERVERS_MAX} MCP servers at most")
    server = SiteMcpServer(
        id=new_id(),
        organization=site.organization,
        site=site.id,
        name=body.name,
        url=body.url,
        transport=body.transport,
        sealed_headers=_sealed(call, body.headers),
        created_at=call.now,
        condition=None if body.condition is UNSET else _sound(body.condition),
    )
    await call.unit.mcp_servers.add(server)
    return await _told(call, server)


async def update(call: Call, at: AtMcpServer, body: UpdateMcpServer) -> McpServerView:
    """Only the fields that were sent change."""
    changed: dict[str, object] = {
        name: value for name in ("name", "url", "transport") if (value := getattr(body, name)) is not UNSET
    }
    if body.headers is not UNSET:
        changed["sealed_headers"] = _sealed(call, body.headers)
    if body.condition is not UNSET:
        changed["condition"] = _sound(body.condition)
    return await _told(call, await call.unit.mcp_servers.change(at.server.record, **changed))


async def delete(call: Call, at: AtMcpServer, takes: Nothing) -> None:
    """Assistants ask it no more."""
    server = at.server.record
    await call.unit.mcp_servers.remove(server)
    await call.unit.emit(SiteChanged(organization=server.organization, site=server.site))


def _sealed(call: Call, headers: dict[str, str]) -> str:
    return call.signer.seal(msgspec.json.encode(headers).decode())


def _sound(condition: str | None) -> str | None:
    """A condition whose syntax is right; an empty one is none."""
    wrong = conditions.check(condition) if condition else None
    if wrong is not None:
        raise BadRequest(f"condition: {wrong}")
    return condition or None


async def _told(call: Call, server: SiteMcpServer) -> McpServerView:
    await call.unit.emit(SiteChanged(organization=server.organization, site=server.site))
    return _view(call, server)


def _view(call: Call, server: SiteMcpServer) -> McpServerView:
    try:
        headers = _HEADERS.decode(call.signer.unseal(server.sealed_headers))
    except ValueError:
        headers = {}  # the secret of the installation has changed, and nobody knows them any more
    return McpServerView(server, headers)


_ALL = "/orgs/{organization}/sites/{site}/mcp-servers"
_ONE = "/orgs/{organization}/sites/{site}/mcp-servers/{server}"

OPERATIONS = (
    reads("listSiteMcpServers", _ALL, list_on_site, listed(mcp_servers.present),
          needs="site.admin", scope="site:read", summary="List the MCP servers of a site"),
    writes("POST", "createSiteMcpServer", _ALL, create, mcp_servers.present,
           lock="site", status=201, needs="site.admin", scope="site:write", audit="site.mcp-server.create",
           about=lambda made: made.server, summary="Add an MCP server to a site"),
    reads("getSiteMcpServerById", _ONE, get, mcp_servers.present,
          needs="site.admin", scope="site:read", summary="Get an MCP server of a site"),
    writes("PATCH", "updateSiteMcpServerById", _ONE, update, mcp_servers.present,
           lock="site", needs="site.admin", scope="site:write", audit="site.mcp-server.update",
           summary="Change an MCP server of a site"),
    writes("DELETE", "deleteSiteMcpServerById", _ONE, delete, nothing,
           lock="site", needs="site.admin", scope="site:write", audit="site.mcp-server.delete",
           summary="Delete an MCP server of a site"),
)  # fmt: skip
