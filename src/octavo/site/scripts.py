"""What a script is given with an event: who it is, where it is installed, what was configured there, and its tokens."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import msgspec

from octavo.access.acting import LIVES, Word
from octavo.access.people.organizations import organization_permissions
from octavo.access.signing import Signer
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import Installation, Integration, IntegrationEvent, Placement
from octavo.kernel.records.sites import SiteAuth
from octavo.site.integrations import configuration, kind_of, with_defaults
from octavo.site.visits import ANYONE
from octavo.store.unit import Unit
from octavo.wire.integrations import installations, integrations
from octavo.wire.integrations.installations import InstallationView, PlacementView
from octavo.wire.integrations.integrations import IntegrationView
from octavo.wire.view import View

_decode: msgspec.json.Decoder[Json] = msgspec.json.Decoder(Json)


class Told(msgspec.Struct, frozen=True):
    """An event on its way to a script."""

    integration: Integration
    payload: Json
    environment: Json


async def told(unit: Unit, signer: Signer, view: View, event: IntegrationEvent) -> Told | None:
    """The event as a script is given it; None when the integration is gone, or is paused there."""
    integration = await unit.integrations.get(event.integration)
    if integration is None:
        return None
    payload = _decode.decode(signer.unseal(event.sealed_payload))
    return await told_of(unit, signer, view, integration, event.installation, payload)


async def told_of(
    unit: Unit, signer: Signer, view: View, integration: Integration, installation: str | None, payload: Json
) -> Told | None:
    """The same for what nobody writes down."""
    owner = await unit.people.organization(integration.organization)
    if owner is None:
        return None
    one = None if installation is None else await unit.integrations.installation(installation)
    if one is not None and one.status == "paused":
        return None
    shown = IntegrationView(
        integration, owner, organization_permissions(ANYONE, owner.id, None), False, {"admin": False, "install": False}
    )
    made: Json = {
        "apiEndpoint": view.api,
        "apiTokens": {"integration": _token(unit, signer, integration, None)},
        "integration": integrations.present(shown, view),
        "secrets": _unsealed(signer, integration.sealed_secrets),
        "signingSecrets": {"integration": signing_secret(signer, integration)},
    }
    made["authToken"], made["signingSecret"] = made["apiTokens"]["integration"], made["signingSecrets"]["integration"]
    if one is not None:
        await _add_installation(unit, signer, view, integration, one, payload, made)
    return Told(integration, payload, _decode.decode(msgspec.json.encode(made)))


async def _add_installation(
    unit: Unit, signer: Signer, view: View, integration: Integration, one: Installation, payload: Json, made: Json
) -> None:
    known = with_defaults(integration, "account", configuration(signer, one))
    made["installation"] = installations.present(InstallationView(one, 0, known), view)
    made["authToken"] = made["apiTokens"]["installation"] = _token(unit, signer, integration, one)
    made["signingSecrets"]["installation"] = signing_secret(signer, integration, one.id)
    for kind, place in (
        ("space", await _place(unit, one, space=payload.get("spaceId"))),
        ("site", await _place(unit, one, site=payload.get("siteId"))),
    ):
        if place is None:
            continue
        shown = PlacementView(place, with_defaults(integration, kind_of(place), configuration(signer, place)))
        present: Any = installations.present_on_space if kind == "space" else installations.present_on_site
        made[f"{kind}Installation"] = present(shown, view)
        made["signingSecrets"][f"{kind}Installation"] = signing_secret(signer, integration, place.id)


async def _place(unit: Unit, one: Installation, *, space: Any = None, site: Any = None) -> Placement | None:
    if isinstance(space, str):
        return await unit.integrations.place_on_space(one.id, space)
    return await unit.integrations.place_on_site(one.id, site) if isinstance(site, str) else None


def _token(unit: Unit, signer: Signer, integration: Integration, one: Installation | None) -> str:
    return signer.write_acting(Word(integration.id, None if one is None else one.id, unit.now + LIVES))


def signing_secret(signer: Signer, integration: Integration, of: str = "") -> str:
    """With which the integration signs what comes back to it; of an installation, one of its own."""
    key = _text(signer, integration.sealed_key)
    return hmac.new(key.encode(), f"{integration.id}/{of}".encode(), hashlib.sha256).hexdigest()


async def visitor_key(unit: Unit, signer: Signer, auth: SiteAuth) -> str | None:
    """The key that signs tokens of a site's visitors: the site's own, or that of the integration on it which lets them in.

    None where there is none: it was sealed with another secret of the installation, or the integration is not there.
    """
    if auth.backend != "integration" or auth.integration is None:
        return _text(signer, auth.sealed_key) or None
    integration = await unit.integrations.get(auth.integration)
    one = await unit.integrations.installation_in(auth.integration, auth.organization)
    place = None if one is None else await unit.integrations.place_on_site(one.id, auth.site)
    if integration is None or one is None or place is None or "paused" in (one.status, place.status):
        return None
    return signing_secret(signer, integration, place.id)


def _unsealed(signer: Signer, sealed: str) -> Json:
    return _decode.decode(_text(signer, sealed) or "{}")


def _text(signer: Signer, sealed: str) -> str:
    try:
        return signer.unseal(sealed)
    except ValueError:
        return ""  # the secret of the installation has changed
