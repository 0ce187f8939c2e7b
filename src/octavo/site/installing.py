"""What installing and configuring has in common for organizations, spaces and sites; and telling integrations of it."""

from __future__ import annotations

import msgspec

from octavo.access.signing import Signer
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest
from octavo.kernel.events import IntegrationTold
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import Installation, Integration, IntegrationEvent, Placement
from octavo.site.integrations import asked_for, configuration
from octavo.store.unit import Unit

_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "number": (int, float), "boolean": (bool,)}


def configured(integration: Integration, kind: str, old: Json, sent: Json, *, itself: bool) -> Json:
    """The configuration after one was sent. `itself`: the integration sends it, which keeps there what it wants.

    Raises BadRequest with the name of what does not fit.
    """
    if len(msgspec.json.encode(sent)) > limits.CONFIGURATION_BYTES:
        raise BadRequest(f"configuration: it has {limits.CONFIGURATION_BYTES >> 10} KiB at most")
    asked = asked_for(integration, kind)
    properties: Json = asked.get("properties", {})
    for name, value in sent.items():
        if name in properties:
            _require_fit(name, properties[name], value)
        elif "componentId" not in asked and not itself and (name not in old or old[name] != value):
            raise BadRequest(f"configuration.{name}: the integration asks for no such thing")
    if itself or "componentId" in asked:
        return sent
    return {name: value for name, value in old.items() if name not in properties} | sent


def _require_fit(name: str, asked: Json, value: object) -> None:
    kind = asked["type"]
    if value is None or kind == "button":
        return
    if not isinstance(value, _TYPES[kind]) or (kind == "number" and isinstance(value, bool)):
        raise BadRequest(f"configuration.{name}: this is a {kind}")
    if "enum" in asked and value not in asked["enum"]:
        raise BadRequest(f"configuration.{name}: one of {', '.join(asked['enum'])}")


async def tell(
    unit: Unit,
    signer: Signer,
    integration: str,
    organization: str,
    type: str,
    payload: Json,
    *,
    installation: str | None = None,
    delay: int = 0,
) -> IntegrationEvent:
    """Have an integration told of something, after `delay` milliseconds."""
    id = new_id()
    said: Json = {"eventId": id, "type": type}
    if installation is not None:
        said["installationId"] = installation
    event = IntegrationEvent(
        id=id,
        organization=organization,
        integration=integration,
        installation=installation,
        type=type,
        sealed_payload=signer.seal(msgspec.json.encode(said | payload).decode()),
        created_at=unit.now,
    )
    await unit.integration_events.add(event)
    await unit.emit(IntegrationTold(organization=organization, told=id, delay=delay))
    return event


async def tell_of_setup(
    unit: Unit, signer: Signer, now: Installation | Placement, before: Installation | Placement | None
) -> None:
    """The integration was installed, or configured anew."""
    type, place = _named(now)
    said: Json = {**place, "status": now.status}
    if before is not None:
        said["previous"] = {"status": before.status, "configuration": configuration(signer, before)}
    installation = now.id if isinstance(now, Installation) else now.installation
    await tell(
        unit, signer, now.integration, now.organization, f"{type}_setup", said, installation=installation
    )  # fmt: skip


async def tell_of_end(unit: Unit, signer: Signer, gone: Installation | Placement) -> None:
    """It was taken away."""
    type, place = _named(gone)
    installation = gone.id if isinstance(gone, Installation) else gone.installation
    said = {**place, "previous": {"configuration": configuration(signer, gone)}}
    await tell(
        unit, signer, gone.integration, gone.organization, f"{type}_deleted", said, installation=installation
    )  # fmt: skip


def _named(one: Installation | Placement) -> tuple[str, Json]:
    """How events of it begin, and the place that they name."""
    if isinstance(one, Installation):
        return "installation", {}
    if one.space is not None:
        return "space_installation", {"spaceId": one.space}
    return "site_installation", {"siteId": one.site}
