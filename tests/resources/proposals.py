"""Change requests for tests, and content for them and for primary content, put there beneath the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from octavo.content import trie
from octavo.content.ordering import between
from octavo.content.revision import Page
from octavo.history import heads
from octavo.history.contents import contents_of
from octavo.kernel.ids import new_id, token_hash
from tests.client import Reply, World

Texts = dict[str, str | None]
"""Title of a page -> its text; None removes the page."""


def user_of(world: World, token: str) -> str:
    """Whose token it is."""
    held = world.run(world.house.store.read(lambda unit: unit.people.token_by_hash(token_hash(token))))
    user: str = held.user
    return user


@dataclass
class Proposal:
    """A change request, as HTTP knows it."""

    world: World
    space: str
    id: str
    number: int

    @property
    def path(self) -> str:
        return f"/v1/spaces/{self.space}/change-requests/{self.number}"

    @property
    def shown(self) -> Any:
        """The change request as it is served now."""
        return self.get("")

    def get(self, path: str) -> Any:
        reply = self.world.api.get(self.path + path)
        assert reply.status == 200, reply.text
        return reply.json

    def post(self, path: str, json: Any = None, **options: Any) -> Reply:
        return self.world.api.post(self.path + path, json, **options)

    def patch(self, **fields: Any) -> Reply:
        return self.world.api.patch(self.path, fields)

    def become(self, status: str) -> Proposal:
        """Bring it into a status by way of the API."""
        reply = self.post("/merge") if status == "merged" else self.patch(status=status)
        assert reply.status == 200, reply.text
        assert self.shown["status"] == status
        return self

    def write(self, texts: Texts, *, token: str | None = None) -> str:
        """Edit its content, as the admin or somebody else; the new revision."""
        world, author = self.world, user_of(self.world, token or self.world.api.token or "")

        async def work(unit: Any) -> str:
            space = await unit.spaces.get(self.space)
            request = await unit.change_requests.find(self.space, self.id)
            root, objects = await _edited(unit, request.revision, texts)
            made = await heads.apart(unit, space, root, objects, parents=[request.revision])
            await unit.change_requests.change(request, unit.now, revision=made.id)
            await unit.change_requests.contributed(request, author, "edit", unit.now)
            return made.id

        made: str = world.run(world.house.store.write(work, lock=("spaces", self.space)))
        return made


def propose(world: World, space: str | None = None, texts: Texts | None = None, **options: Any) -> Proposal:
    """A change request in a space, or in a new one, with these edits; `token` and `subject` as the API takes them."""
    space = space or world.space()["id"]
    token = options.pop("token", None)
    reply = world.api.post(f"/v1/spaces/{space}/change-requests", options, token=token)
    assert reply.status == 201, reply.text
    made = Proposal(world, space, reply.json["id"], reply.json["number"])
    if texts:
        made.write(texts, token=token)
    return made


def write_primary(world: World, space: str, texts: Texts) -> str:
    """Edit primary content; the new head."""

    async def work(unit: Any) -> str:
        record = await unit.spaces.get(space)
        root, objects = await _edited(unit, record.revision, texts)
        return (await heads.append(unit, record, root, objects)).id

    head: str = world.run(world.house.store.write(work, lock=("spaces", space)))
    return head


async def _edited(unit: Any, revision: str, texts: Texts) -> tuple[bytes, dict[bytes, bytes]]:
    from octavo.content.markdown import parse

    contents = await contents_of(unit, await unit.revisions.get(revision))
    pages = {page.title: page for page in contents.pages.values()}
    objects: dict[bytes, bytes] = {}
    for title, text in texts.items():
        if text is None:
            del pages[title]
            continue
        last = max((page.position for page in pages.values()), default=None)
        page = pages.get(title) or Page(
            id=new_id(),
            type="document",
            title=title,
            slug=title.lower(),
            position=between(last, None),
            created=unit.now,
        )
        source, document = text.encode(), msgspec.json.encode(parse(text).document)
        named = {trie.digest(one): one for one in (source, document)}
        objects |= named
        first, second = (trie.digest(one) for one in (source, document))
        pages[title] = msgspec.structs.replace(page, text=first, document=second, updated=unit.now)
    root, assembled = heads.assemble(pages=pages.values(), files=contents.files.values())
    return root, objects | assembled


def texts_of(world: World, content: str) -> dict[str, str]:
    """Title -> Markdown of every page at a content path, which ends in `content` or in a revision's id."""
    listed = world.api.get(content + "/pages").json["pages"]
    return {
        page["title"]: world.api.get(f"{content}/page/{page['id']}?format=markdown").json["markdown"] for page in listed
    }
