"""A browser without a screen: it keeps cookies, follows nothing by itself, and sends forms as they came."""

from __future__ import annotations

import html
import re
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from octavo.access.people.passwords import hashed
from octavo.gateways.fakes import FakeMail
from octavo.kernel.ids import token_hash
from tests.client import Reply, World
from tests.conftest import opened_world

PASSWORD = "correct horse battery staple"
DIGEST = hashed(PASSWORD)
ORIGIN = "http://octavo.test"


@dataclass
class Browser:
    """Cookies are kept by name; what a server takes away is gone."""

    world: World
    address: str = "127.0.0.1"
    cookies: dict[str, str] = field(default_factory=dict)
    page: str = ""
    """The last page that came."""

    def get(self, path: str, **headers: str) -> Reply:
        return self._send("GET", path, None, headers)

    def post(
        self, path: str, fields: dict[str, Any] | None = None, *, word: str | None = None, **headers: str
    ) -> Reply:
        """A form of the last page; `word` replaces its hidden field ("" = none)."""
        found = re.search(r'name="form" value="([^"]*)"', self.page)
        given = (html.unescape(found[1]) if found else "") if word is None else word
        typed = ({"form": given} if given else {}) | (fields or {})
        sent = {"content-type": "application/x-www-form-urlencoded", "origin": ORIGIN} | headers
        return self._send("POST", path, urlencode(typed, doseq=True).encode(), sent)

    def sign_in(self, email: str, password: str = PASSWORD, **fields: str) -> Reply:
        self.get("/login")
        return self.post("/login", {"email": email, "password": password, **fields})

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Reply:
        sent = {name.replace("_", "-"): value for name, value in headers.items() if value}
        if self.cookies:
            sent["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        reply = self.world.api.request(method, path, body=body, headers=sent, token="", address=self.address)
        for name, value, attributes in cookies_of(reply):
            if "Max-Age=0" in attributes:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        if reply.headers.get("content-type", "").startswith("text/html"):
            self.page = reply.text
        return reply

    @property
    def signed_in(self) -> bool:
        return self.get("/account/tokens").status == 200


def cookies_of(reply: Reply) -> list[tuple[str, str, list[str]]]:
    """(name, value, attributes) of every cookie that is set."""
    given = []
    for line in filter(None, reply.headers.get("set-cookie", "").split(", ")):
        first, *attributes = line.split("; ")
        name, _, value = first.partition("=")
        given.append((name, value, attributes))
    return given


def account(world: World, password: bool = True) -> str:
    """The e-mail address of a new member with that password."""
    token = world.person("read")

    async def work(unit: Any) -> str:
        held = await unit.people.token_by_hash(token_hash(token))
        if password:
            await unit.proofs.set_password(held.user, DIGEST, unit.now)
        return str((await unit.people.user(held.user)).email)

    email: str = world.run(world.house.store.write(work))
    return email


def address() -> str:
    """A client's address that no other test has: attempts are counted by it, in a database that is never emptied."""
    number = uuid.uuid4().int
    return ":".join(f"{number >> shift & 0xFFFF:x}" for shift in range(112, -1, -16))


def browser(world: World) -> Browser:
    return Browser(world, address())


def mailed_path(world: World, organization: str) -> str:
    """The path of the page in the letter that invites into an organization; other letters wait in a shared database."""

    async def letter(unit: Any) -> str:
        while True:
            job = await unit.jobs.take(["mail"], now=unit.now, lease_for=1)
            assert job is not None, "nobody was written to"
            await unit.jobs.finish(job, now=unit.now)
            if job.organization == organization:
                return str(world.house.signer.unseal(job.payload["sealed_letter"]))

    found = re.search(rf"/invites/{organization}/[\w-]+", world.run(world.house.store.write(letter)))
    assert found is not None
    return found[0]


@contextmanager
def mailing(engine: Any, clock: Any, folder: Any, loop: Any) -> Any:
    """A world whose letters arrive in a box: (world, box)."""
    with opened_world(engine, clock, folder, loop, smtp_host="mail.octavo.test", mail_from="docs@octavo.test") as world:
        box = FakeMail()
        world.house.worker.tools = replace(world.house.worker.tools, mailer=box)
        yield world, box
