"""A change request as its writers use it, over HTTP."""

from __future__ import annotations

from typing import Any

from tests.client import Client, Reply, World

Shape = tuple[str, str, list[Any]]
"""Title, path, pages below."""


class Line:
    """A change request of a space, and the space's primary content."""

    def __init__(self, world: World, space: str, subject: str = "Terns") -> None:
        self.world = world
        self.space = space
        self.base = f"/v1/spaces/{space}"
        self.request = world.api.post(f"{self.base}/change-requests", {"subject": subject}).json
        self.path = f"{self.base}/change-requests/{self.request['number']}"

    def write(
        self, *changes: dict[str, Any], status: int = 200, compat: bool = False, client: Client | None = None
    ) -> Any:
        """Send a batch; the answer."""
        path = f"{self.path}/content?compat={str(compat).lower()}"
        reply: Reply = (client or self.world.api).post(path, {"changes": list(changes)})
        assert reply.status == status, reply.text
        return reply.json

    def insert(self, markdown: str, **more: Any) -> str:
        """A new page; its id."""
        made = self.write({"operation": "insert_page", "document": {"markdown": markdown}, **more})
        page: str = made["changes"][0]["page"]["id"]
        return page

    def text(self, page: str, markdown: str) -> None:
        """Another text for a page."""
        self.write({"operation": "update_page", "page": page, "document": {"markdown": markdown}})

    def page(self, page: str, query: str = "format=markdown", *, primary: bool = False) -> Any:
        """A page as it is served, here or in primary content."""
        reply = self.world.api.get(f"{self.base if primary else self.path}/content/page/{page}?{query}")
        assert reply.status == 200, reply.text
        return reply.json

    def tree(self, *, primary: bool = False) -> list[Shape]:
        """The table of contents, here or in primary content."""
        return tree(self.world.api.get(f"{self.base if primary else self.path}/content/pages").json["pages"])

    def post(self, word: str, status: int = 200) -> Any:
        """merge or update; the answer."""
        reply = self.world.api.post(f"{self.path}/{word}")
        assert reply.status == status, reply.text
        return reply.json

    def get(self, word: str = "") -> Any:
        """The change request, or something of it."""
        reply = self.world.api.get(self.path + word)
        assert reply.status == 200, reply.text
        return reply.json


def tree(pages: list[Any]) -> list[Shape]:
    """Served pages as titles and paths."""
    return [(one["title"], one.get("path", ""), tree(one.get("pages", []))) for one in pages]
