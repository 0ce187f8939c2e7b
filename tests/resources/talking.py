"""Comments for tests: a place where people comment, primary content or a change request, as HTTP knows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.client import Reply, World
from tests.resources.proposals import propose, write_primary

TEXT = "# Birds\n\nHerons stand in the shallows and wait.\n\n* one egg\n* two eggs\n\nTerns dive for small fish.\n"


@dataclass
class Talk:
    """A place with a page of two paragraphs and a list."""

    world: World
    space: str
    path: str
    """Where comments are below."""
    rewrite: Callable[[str | None], object]
    """Give the page another text; None removes it."""
    owner: str
    """The path of what counts the comments."""

    @property
    def page(self) -> dict[str, Any]:
        listed = self.get(f"{self.owner}/content/pages")["pages"]
        found: dict[str, Any] = next(page for page in listed if page["title"] == "Birds")
        return found

    @property
    def nodes(self) -> list[Any]:
        """The blocks of the page as it is now."""
        page = self.get(f"{self.owner}/content/page/{self.page['id']}?format=document")
        nodes: list[Any] = page["document"]["nodes"]
        return nodes

    @property
    def count(self) -> int:
        """How many comments the place says are open, which is how many its list has."""
        counted: int = self.get(self.owner)["comments"]
        assert self.get(f"{self.path}?status=open")["count"] == counted
        return counted

    def get(self, path: str, **options: Any) -> Any:
        reply = self.world.api.get(path, **options)
        assert reply.status == 200, reply.text
        return reply.json

    def send(self, markdown: str = "Why?", *, token: str | None = None, **about: Any) -> Reply:
        return self.world.api.post(self.path, {"body": {"markdown": markdown}, **about}, token=token)

    def say(self, markdown: str = "Why?", *, token: str | None = None, **about: Any) -> Any:
        """A new comment."""
        reply = self.send(markdown, token=token, **about)
        assert reply.status == 200, reply.text
        return reply.json

    def answer(self, comment: Any, markdown: str = "Because.", *, token: str | None = None) -> Any:
        """A new reply."""
        reply = self.world.api.post(
            f"{self.path}/{comment['id']}/replies", {"body": {"markdown": markdown}}, token=token
        )
        assert reply.status == 200, reply.text
        return reply.json

    def put(self, comment: Any, *, token: str | None = None, **fields: Any) -> Any:
        reply = self.world.api.put(f"{self.path}/{comment['id']}", fields, token=token)
        assert reply.status == 200, reply.text
        return reply.json

    def shown(self, comment: Any, query: str = "") -> Any:
        """The comment as it is served now."""
        return self.get(f"{self.path}/{comment['id']}{query}")


def on_primary(world: World) -> Talk:
    space = world.space()["id"]
    write_primary(world, space, {"Birds": TEXT})
    owner = f"/v1/spaces/{space}"
    return Talk(world, space, owner + "/comments", lambda text: write_primary(world, space, {"Birds": text}), owner)


def on_change_request(world: World) -> Talk:
    one = propose(world, texts={"Birds": TEXT})
    return Talk(world, one.space, one.path + "/comments", lambda text: one.write({"Birds": text}), one.path)
