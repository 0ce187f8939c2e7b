"""Servers of tools that assistants on sites may ask."""

from __future__ import annotations

from octavo.kernel.records.sites import SiteMcpServer
from octavo.store.database.engine import Connection
from octavo.store.shelf import Table

MCP_SERVERS = Table("site_mcp_servers", SiteMcpServer)

_ALL = MCP_SERVERS.select("WHERE site = :site ORDER BY created_at DESC, id")


class McpServers:
    """Configurations of such servers."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, server: str) -> SiteMcpServer | None:
        return await MCP_SERVERS.get(self._at, id=server)

    async def all(self, site: str) -> list[SiteMcpServer]:
        """Those of a site, newest first."""
        return await MCP_SERVERS.list(self._at, _ALL, {"site": site})

    async def add(self, server: SiteMcpServer) -> None:
        await MCP_SERVERS.add(self._at, server)

    async def change(self, server: SiteMcpServer, **changed: object) -> SiteMcpServer:
        return await MCP_SERVERS.change(self._at, server, **changed)

    async def remove(self, server: SiteMcpServer) -> None:
        await MCP_SERVERS.remove(self._at, id=server.id)
