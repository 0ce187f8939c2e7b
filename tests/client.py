"""A client that calls the ASGI application directly, and a maker of people and things to call it with."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import uuid
from dataclasses import dataclass, field
from typing import Any, cast

import msgspec

from octavo.access.acting import LIVES, Word
from octavo.administration import first_admin
from octavo.kernel.ids import new_id, new_token, token_hash
from octavo.kernel.records import Role
from octavo.kernel.records.library import Grant
from octavo.kernel.records.people import Member, Token, User
from octavo.main import App, House


@dataclass
class Reply:
    """An answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def message(self) -> str:
        """The sentence of an error body, whose shape is checked on the way."""
        error = self.json["error"]
        assert set(self.json) == {"error"}
        assert set(error) == {"code", "message"}
        assert error["code"] == self.status
        return cast("str", error["message"])


@dataclass
class Client:
    """Speaks HTTP to the application without a socket."""

    app: App
    loop: asyncio.AbstractEventLoop
    token: str | None = None

    def request(
        self,
        method: str,
        path: str,
        json: Any = None,
        *,
        token: str | None = None,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        address: str = "127.0.0.1",
    ) -> Reply:
        """One request; `json` becomes the body, `token` replaces the client's own ("" = none)."""
        return self.loop.run_until_complete(
            self.send(method, path, json, token=token, body=body, headers=headers, address=address)
        )

    async def send(
        self,
        method: str,
        path: str,
        json: Any = None,
        *,
        token: str | None = None,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        address: str = "127.0.0.1",
    ) -> Reply:
        """The same inside a running loop."""
        sent = {"host": "octavo.test"} | {name.lower(): value for name, value in (headers or {}).items()}
        token = self.token if token is None else token
        if token:
            sent.setdefault("authorization", f"Bearer {token}")
        if json is not None:
            body = msgspec.json.encode(json)
        if body is not None:
            sent.setdefault("content-type", "application/json")
        raw, _, query = path.partition("?")
        scope = {
            "type": "http",
            "method": method,
            "scheme": "http",
            "path": _unquoted(raw),
            "raw_path": raw.encode(),
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
            "client": (address, 4711),
        }
        return await _call(self.app, scope, body or b"")

    def get(self, path: str, **options: Any) -> Reply:
        return self.request("GET", path, **options)

    def post(self, path: str, json: Any = None, **options: Any) -> Reply:
        return self.request("POST", path, json, **options)

    def patch(self, path: str, json: Any = None, **options: Any) -> Reply:
        return self.request("PATCH", path, json, **options)

    def put(self, path: str, json: Any = None, **options: Any) -> Reply:
        return self.request("PUT", path, json, **options)

    def delete(self, path: str, **options: Any) -> Reply:
        return self.request("DELETE", path, **options)


def _unquoted(raw: str) -> str:
    from urllib.parse import unquote

    return unquote(raw)


async def _call(app: App, scope: dict[str, Any], body: bytes) -> Reply:
    sent: list[Any] = []
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        return waiting.pop(0) if waiting else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = sent[0]
    headers: dict[str, str] = {}
    for raw, value in start["headers"]:
        name, text = raw.decode().lower(), value.decode("latin-1")
        headers[name] = f"{headers[name]}, {text}" if name in headers else text
    return Reply(start["status"], headers, b"".join(message.get("body", b"") for message in sent[1:]))


@dataclass
class World:
    """An application with an organization of its own: `admin` is its first member."""

    house: House
    app: App
    loop: asyncio.AbstractEventLoop
    organization: str = ""
    api: Client = field(init=False)
    """Calls as the admin."""

    def __post_init__(self) -> None:
        self.api = Client(self.app, self.loop)
        made = self.loop.run_until_complete(
            first_admin(self.house.store, f"admin-{uuid.uuid4().hex}@example.test", "Ada Admin", "Test organization")
        )
        self.organization = made["organization"]
        self.api.token = made["token"]

    def run(self, work: Any) -> Any:
        """Wait for a coroutine."""
        return self.loop.run_until_complete(work)

    def work(self) -> None:
        """Run every job that is due."""
        self.run(self.house.worker.drain())

    def awaited(self, method: str, path: str, json: Any = None, api: Client | None = None) -> Reply:
        """A request that waits for a job, with a worker beside it."""

        async def together() -> Reply:
            worker = asyncio.ensure_future(self.house.worker.run())
            try:
                return await (api or self.api).send(method, path, json)
            finally:
                worker.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await worker

        reply: Reply = self.run(together())
        return reply

    def person(self, role: str | None, organization: str | None = None) -> str:
        """A new user's token: member of the organization with a role, `guest`, or (None) a stranger to it."""
        user = User(id=new_id(), email=f"{next(_NUMBERS)}-{uuid.uuid4().hex}@example.test", name="Pat Person")
        secret = new_token()

        async def make(unit: Any) -> None:
            await unit.people.add_user(user)
            await unit.people.add_token(Token(id=new_id(), user=user.id, hash=token_hash(secret), created_at=unit.now))
            if role is not None:
                given = None if role == "guest" else cast("Role", role)
                member = Member(
                    organization=organization or self.organization, user=user.id, role=given, joined_at=unit.now
                )
                await unit.people.add_member(member)

        self.run(self.house.store.write(make))
        return secret

    def acting(self, integration: str, installation: str | None = None) -> str:
        """A token of an integration, or of an installation of it."""
        until = self.house.store.clock() + LIVES
        return self.house.signer.write_acting(Word(integration, installation, until))

    def grant(self, token: str, kind: str, resource: str, role: str) -> None:
        """Give a user a role on a space, collection or site."""

        async def give(unit: Any) -> None:
            held = await unit.people.token_by_hash(token_hash(token))
            await unit.grants.give(
                Grant(organization=self.organization, kind=kind, resource=resource, role=role, user=held.user)  # type: ignore[arg-type]
            )

        self.run(self.house.store.write(give))

    def space(self, title: str = "Handbook", **body: Any) -> dict[str, Any]:
        """A new space, as the API serves it."""
        reply = self.api.post(f"/v1/orgs/{self.organization}/spaces", {"title": title, **body})
        assert reply.status == 201, reply.text
        return cast("dict[str, Any]", reply.json)

    def site(self, *spaces: str, title: str = "Docs", publish: bool = True, **body: Any) -> dict[str, Any]:
        """A new site that shows the spaces, published unless told otherwise."""
        base = f"/v1/orgs/{self.organization}/sites"
        reply = self.api.post(base, {"title": title, "spaces": list(spaces), **body})
        assert reply.status == 201, reply.text
        made = reply.json
        if publish:
            reply = self.api.post(f"{base}/{made['id']}/publish")
            assert reply.status == 200, reply.text
            made = reply.json
        return cast("dict[str, Any]", made)

    def imported(self, source: Any, title: str = "Imported", organization: str | None = None) -> str:
        """A space that a directory of documentation was imported into; its id."""
        from octavo.importing import Order, import_into

        order = Order(str(source), organization or self.organization, title=title)
        made = self.run(import_into(self.house, order, quiet=True))
        return cast("str", made["space"])


_NUMBERS = itertools.count()
