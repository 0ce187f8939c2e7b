"""A site under construction: asks that must succeed, and what its structure is then."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from tests.client import Reply, World


class Site:
    """A site with its operations; each returns what is answered."""

    def __init__(self, world: World, *spaces: str, publish: bool = False, **body: Any) -> None:
        self.world = world
        self.record = world.site(*spaces, publish=publish, **body)
        self.id = self.record["id"]
        self.path = f"/v1/orgs/{world.organization}/sites/{self.id}"

    def ask(self, method: str, path: str, body: Any = None, status: int | None = None, **more: Any) -> Reply:
        """A request below the site; it must be answered with the status, where one is given."""
        reply = self.world.api.request(method, f"{self.path}/{path}", body, **more)
        assert status is None or reply.status == status, f"{method} {path}: {reply.status} {reply.text[:400]}"
        return reply

    def section(self, title: str, **body: Any) -> Any:
        """A new section with a blank space."""
        return self.ask("POST", "sections", {"spaceId": None, "title": title, **body}, 201).json

    def group(self, title: str, **body: Any) -> Any:
        return self.ask("POST", "section-groups", {"title": title, **body}, 201).json

    def link(self, title: str, **body: Any) -> Any:
        return self.ask("POST", "external-links", {"title": title, "url": "https://example.org/", **body}, 201).json

    def space(self, title: str, **body: Any) -> Any:
        """A new site-space with a blank space."""
        return self.ask("POST", "site-spaces", {"spaceId": None, "title": title, **body}, 201).json

    def structure(self) -> Any:
        return self.ask("GET", "structure", status=200).json

    def tree(self) -> list[Any]:
        """Titles: of a section or a link; of a group with a list of those inside."""

        def shown(entry: Any) -> Any:
            inside = entry.get("children")
            return entry["title"] if inside is None else [entry["title"], *map(shown, inside)]

        return [shown(entry) for entry in self.structure()["structure"]]

    def sections(self) -> Any:
        return self.ask("GET", "sections", status=200).json["items"]

    def spaces(self, query: str = "") -> Any:
        return self.ask("GET", f"site-spaces{query}", status=200).json["items"]

    def send(self, method: str, path: str, body: Any = None) -> Awaitable[Reply]:
        """A request below the site, inside a running loop."""
        return self.world.api.send(method, f"{self.path}/{path}", body)


def check_sound(site: Site) -> None:
    """What holds of every structure: one default where there is content, paths that are free, each address once."""
    sections = site.sections()
    assert sum(one["default"] for one in sections) == (1 if sections else 0)
    for one in sections:
        assert sum(space["default"] for space in one["siteSpaces"]) == 1, one
        paths = [space["path"].lower() for space in one["siteSpaces"]]
        assert len(set(paths)) == len(paths)
    spaces = site.spaces()
    assert sum(one["default"] for one in spaces) == (1 if spaces else 0)
    assert len({one["path"].lower() for one in sections}) == len(sections)
    published = [one["urls"]["published"] for one in spaces if "published" in one["urls"]]
    assert len(set(published)) == len(published)
