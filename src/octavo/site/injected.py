"""Scripts that integrations put on the pages of a site, and where integrations answer requests themselves."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import msgspec

from octavo.access.signing import Signer
from octavo.kernel.events import IntegrationFetchWanted
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import Integration
from octavo.kernel.records.sites import Site
from octavo.kernel.settings import Settings
from octavo.site.integrations import Active, active_on, tunnel_of
from octavo.site.waiting import done
from octavo.store.unit import Store, Unit
from octavo.wire.integrations.integrations import ENDPOINT

SECONDS = 15.0
"""For which somebody waits for an integration's answer."""
INJECTS = frozenset({"site:script:inject", "space:script:inject"})
COOKIES = frozenset({"site:script:cookies", "space:script:cookies"})
_NAME = "~script.js"
_decode: msgspec.json.Decoder[Json] = msgspec.json.Decoder(Json)


class Injected(msgspec.Struct, frozen=True):
    """A script that runs on a site."""

    integration: str
    installation: str
    organization: str
    site: str
    made: str
    """A digest of all that the script is told: another one is another script."""
    cookies: bool
    policy: str | None
    """The content security policy that it needs."""
    tunnelled: bool
    """Whether it is being developed."""

    @property
    def path(self) -> str:
        """Where it answers on the installation's own host."""
        return f"/{ENDPOINT}/{self.integration}/{self.installation}/sites/{self.site}/{_NAME}"


def runs(settings: Settings, integration: Integration, organization: str) -> bool:
    """Whether anything runs the script of an integration for that organization."""
    return settings.script_program is not None or tunnel_of(integration, organization) is not None


async def injected_on(unit: Unit, site: Site) -> tuple[Injected, ...]:
    """The scripts of a site, in the order in which their integrations were installed."""
    found = await active_on(unit, site.organization, site.id, "site")
    return tuple(_injected(one, site) for one in reversed(found) if not INJECTS.isdisjoint(one.scopes))


def _injected(one: Active, site: Site) -> Injected:
    told = [one.integration.script, one.integration.sealed_secrets, one.installation.sealed_configuration]
    told += [] if one.place is None else [one.place.sealed_configuration]
    return Injected(
        integration=one.integration.id,
        installation=one.installation.id,
        organization=site.organization,
        site=site.id,
        made=blake2b("\n".join(told).encode(), digest_size=12).hexdigest(),
        cookies=not COOKIES.isdisjoint(one.scopes),
        policy=policy_text(one.integration),
        tunnelled=tunnel_of(one.integration, site.organization) is not None,
    )


def policy_text(integration: Integration) -> str | None:
    """Its content security policy as one line."""
    policy = integration.security_policy
    if policy is None:
        return None
    if "text" in policy:
        return str(policy["text"])
    return "; ".join(f"{name} {value}".strip() for name, value in policy["directives"].items())


def is_script(rest: str) -> bool:
    """Whether a path of an integration on a site is that of its script."""
    return rest == _NAME


class Fetched(msgspec.Struct, frozen=True):
    """What an integration answered."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        """The last of that name."""
        return next((value for own, value in reversed(self.headers) if own.lower() == name), None)


async def fetched(
    store: Store,
    signer: Signer,
    integration: str,
    installation: str | None,
    organization: str,
    said: Mapping[str, Any],
    body: bytes | None = None,
) -> Fetched:
    """What the integration answers to an event, which a job asks it. Raises Unavailable or TookTooLong."""
    event: Json = {"eventId": new_id(), **said}
    if installation is not None:
        event["installationId"] = installation
    payload: Json = {"event": event, "body": None if body is None else base64.b64encode(body).decode()}
    wanted = IntegrationFetchWanted(
        organization=organization,
        integration=integration,
        installation=installation,
        sealed_payload=signer.seal(msgspec.json.encode(payload).decode()),
    )
    made = _decode.decode(signer.unseal((await done(store, wanted, SECONDS))["sealed_output"]))
    headers = [(name, value) for name, value in made["headers"]]
    return Fetched(made["status"], headers, base64.b64decode(made["body"]))
