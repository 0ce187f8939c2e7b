"""A browser without a screen: it keeps cookies as browsers do, by host and path, and follows redirects where it is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import jwt

from tests.client import Client, Reply, World

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "beta": {"type": "boolean", "description": "Tries what is not ready."},
        "plan": {"type": "string", "enum": ["free", "pro"], "description": "What is paid for."},
        "name": {"type": "string", "description": "How to call them."},
        "groups": {
            "type": "array",
            "description": "Where they belong.",
            "items": {"type": "string", "enum": ["eng", "ops"], "description": "A group."},
        },
        "unsigned": {
            "type": "object",
            "description": "Unsigned claims of the site visitor.",
            "properties": {"lang": {"type": "string", "enum": ["en", "fr"], "description": "What they speak."}},
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
}


@dataclass
class Browser:
    """Somebody without an account, with a memory."""

    world: World
    host: str = "octavo.test"
    jar: dict[tuple[str, str, str], str] = field(default_factory=dict)
    """(Host, path, name) -> value."""

    def get(self, address: str, *, accept: str = "text/html", host: str | None = None, **headers: str) -> Reply:
        """One request; its cookies are kept."""
        parts = urlsplit(address)
        at = host or parts.netloc or self.host
        sent = [
            f"{name}={value}"
            for (of, path, name), value in sorted(self.jar.items(), key=lambda one: -len(one[0][1]))
            if of == at and parts.path.startswith(path)
        ]
        given = {"host": at, "accept": accept} | headers | ({"cookie": "; ".join(sent)} if sent else {})
        client = Client(self.world.app, self.world.loop)
        reply = client.get(parts.path + (f"?{parts.query}" if parts.query else ""), headers=given)
        self._keep(at, reply)
        return reply

    def open(self, address: str, **options: Any) -> Reply:
        """The same, following redirects on the same host."""
        reply = self.get(address, **options)
        for _ in range(5):
            to = reply.headers.get("location", "")
            if reply.status not in (302, 303, 307, 308) or (urlsplit(to).netloc or self.host) != self.host:
                return reply
            reply = self.get(to, **options)
        raise AssertionError(f"{address} leads in circles: {reply.headers['location']}")

    def _keep(self, host: str, reply: Reply) -> None:
        for one in reply.headers.get("set-cookie", "").split(", ") if "set-cookie" in reply.headers else []:
            first, *attributes = one.split("; ")
            name, _, value = first.partition("=")
            path = next(word.removeprefix("Path=") for word in attributes if word.startswith("Path="))
            if "Max-Age=0" in attributes:
                self.jar.pop((host, path, name), None)
            else:
                self.jar[host, path, name] = value


@dataclass
class Guarded:
    """A site with an audience."""

    world: World
    site: dict[str, Any]

    @property
    def api(self) -> str:
        return f"/v1/orgs/{self.world.organization}/sites/{self.site['id']}"

    @property
    def base(self) -> str:
        return f"/sites/{self.site['basename']}/"

    def change(self, **body: Any) -> None:
        reply = self.world.api.patch(self.api, body)
        assert reply.status == 200, reply.text
        self.site = reply.json

    def adapt(self, schema: Any = None) -> None:
        """Declare what is known of visitors, and let content depend on it."""
        assert self.world.api.put(f"{self.api}/adaptive-schema", {"jsonSchema": schema or SCHEMA}).status == 200
        self.change(adaptiveContent={"enabled": True})

    def link(self, name: str = "A link") -> Any:
        reply = self.world.api.post(f"{self.api}/share-links", {"name": name})
        assert reply.status == 201, reply.text
        return reply.json

    @property
    def key(self) -> str:
        """The key that signs visitors' tokens."""
        reply = self.world.api.get(f"{self.api}/publishing/auth")
        assert reply.status == 200, reply.text
        key: str = reply.json["privateKey"]
        return key

    def token(self, **claims: Any) -> str:
        return jwt.encode(claims, self.key, algorithm="HS256")

    def browser(self) -> Browser:
        return Browser(self.world)
