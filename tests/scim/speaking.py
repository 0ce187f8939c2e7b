"""An identity provider that speaks SCIM with the application, without a network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx2

from octavo.kernel.ids import new_id, new_token, token_hash
from octavo.kernel.records.provisioning import ScimToken
from tests.client import Reply, World

DOMAIN = "acme.test"
USER = "urn:ietf:params:scim:schemas:core:2.0:User"
GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
ERROR = "urn:ietf:params:scim:api:messages:2.0:Error"


def token_of(world: World) -> str:
    """A token for SCIM of the world's organization, whose domain is proven."""
    secret = new_token()

    async def make(unit: Any) -> None:
        await unit.people.verify_domain(world.organization, DOMAIN, unit.now)
        await unit.scim.add_token(
            ScimToken(id=new_id(), organization=world.organization, label="idp", hash=token_hash(secret),
                      created_by="somebody", created_at=unit.now)
        )  # fmt: skip

    world.run(world.house.store.write(make))
    return secret


@dataclass
class Idp:
    """Calls with a token for SCIM."""

    world: World
    token: str

    def ask(self, method: str, path: str, json: Any = None, **headers: str) -> Reply:
        """One request; every answer with a body is SCIM's."""
        sent = {
            "content-type": "application/scim+json",
            **{name.replace("_", "-"): one for name, one in headers.items()},
        }
        reply = self.world.api.request(method, f"/scim/v2{path}", json, token=self.token, headers=sent)
        if reply.body:
            assert reply.headers["content-type"] == "application/scim+json"
        return reply

    def made(self, path: str, json: Any) -> Any:
        """What was created."""
        reply = self.ask("POST", path, json)
        assert reply.status == 201, reply.text
        return reply.json

    def user(self, name: str, /, **said: Any) -> Any:
        """A new user, called as her address."""
        return self.made("/Users", {"schemas": [USER], "userName": f"{name}@{DOMAIN}", **said})

    def group(self, name: str, /, *members: str, **said: Any) -> Any:
        """A new group of these users."""
        there = [{"value": member} for member in members]
        return self.made("/Groups", {"schemas": [GROUP], "displayName": name, "members": there, **said})

    def patch(self, path: str, *operations: Any, **headers: str) -> Reply:
        """Operations as they are given."""
        return self.ask("PATCH", path, {"schemas": [PATCH], "Operations": list(operations)}, **headers)

    def refused(self, reply: Reply, status: int, kind: str | None = None) -> str:
        """The sentence of a refusal of that kind."""
        said = reply.json
        assert (reply.status, said["schemas"], said["status"]) == (status, [ERROR], str(status)), reply.text
        assert said.get("scimType") == kind, reply.text
        return str(said["detail"])


class Wire(httpx2.BaseTransport):
    """Carries what a client library sends to the application."""

    def __init__(self, world: World) -> None:
        self._world = world

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """One request, there and back."""
        reply = self._world.api.request(
            request.method, request.url.raw_path.decode(), body=request.read(), headers=dict(request.headers), token=""
        )
        return httpx2.Response(reply.status, headers=reply.headers, content=reply.body)
