"""Callers that are integrations: their passing tokens, and what these open where they are installed.

A token stands for an integration, with all its active installations, or for one installation of it. It opens rows that
say which scope of an integration they take, and spaces and sites that were chosen for it.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from octavo.kernel.clock import HOUR
from octavo.kernel.records import RANKED, Role
from octavo.kernel.records.integrations import Installation, Integration, given
from octavo.kernel.records.library import Space
from octavo.kernel.records.sites import Site
from octavo.store.unit import Unit

PREFIX = "oi_"
"""Begins the tokens of integrations, and no other."""
LIVES = 1 * HOUR
ANY = "any"
"""Of a row that every token of an integration opens."""

_ON_SPACES: dict[str, Role] = {
    "space:metadata:read": "read",
    "space:content:read": "read",
    "space:content:write": "edit",
    "space:git:sync": "create",
    "space:metadata:write": "admin",
}
"""Scope -> the role on a space that it takes."""
_ON_SITES: dict[str, Role] = {
    "site:metadata:read": "read",
    "site:views:read": "read",
    "site:adaptive:read": "read",
    "site:adaptive:write": "create",
}


class Word(msgspec.Struct, frozen=True, array_like=True):
    """What a token says."""

    integration: str
    installation: str | None
    until: int


class Held(msgspec.Struct, frozen=True):
    """One installation of the integration."""

    installation: Installation
    scopes: frozenset[str]
    """What the integration asks for, and the organization has agreed to."""
    spaces: frozenset[str] | None
    """None = all of the organization."""
    sites: frozenset[str] | None


class Acting(msgspec.Struct, frozen=True):
    """An integration that calls."""

    integration: Integration
    held: tuple[Held, ...]
    installation: Installation | None = None
    """The only one that the token stands for."""

    def opens(self, scope: str | None) -> bool:
        """Whether rows are open that take this scope of an integration; None = they take none at all."""
        return scope == ANY or any(scope in one.scopes for one in self.held)

    def giving(self, scope: str) -> Acting:
        """The same, only where that scope was agreed to."""
        if scope == ANY or all(scope in one.scopes for one in self.held):
            return self
        return replace(self, held=tuple(one for one in self.held if scope in one.scopes))

    def in_organization(self, organization: str) -> Held | None:
        return next((one for one in self.held if one.installation.organization == organization), None)

    def role_on_space(self, space: Space) -> Role | None:
        """By its scopes, on a space that was chosen for it."""
        held = self.in_organization(space.organization)
        if held is None or (held.spaces is not None and space.id not in held.spaces):
            return None
        return _role(held, _ON_SPACES)

    def role_on_site(self, site: Site) -> Role | None:
        """The same of a site."""
        held = self.in_organization(site.organization)
        if held is None or (held.sites is not None and site.id not in held.sites):
            return None
        return _role(held, _ON_SITES)


def _role(held: Held, of: dict[str, Role]) -> Role | None:
    roles = [role for scope, role in of.items() if scope in held.scopes]
    return max(roles, key=RANKED.__getitem__, default=None)


def is_acting(secret: str) -> bool:
    """Whether a secret looks like the token of an integration."""
    return secret.startswith(PREFIX)


async def acting_of(unit: Unit, word: Word) -> Acting | None:
    """What a token stands for now; None when it is over, or its installation is gone or stopped."""
    integration = await unit.integrations.get(word.integration)
    if integration is None or unit.now >= word.until:
        return None
    if await unit.people.organization(integration.organization) is None:
        return None
    if word.installation is None:
        found = await unit.integrations.installations_of(integration.id)
        places = await unit.integrations.places_of(integration.id)
    else:
        one = await unit.integrations.installation(word.installation)
        if one is None or one.integration != integration.id or one.status == "paused":
            return None
        found, places = [one], await unit.integrations.places(one.id)
    held = []
    for one in found:
        if one.status != "paused" and await unit.people.organization(one.organization) is not None:
            mine = [place for place in places if place.installation == one.id]
            spaces = frozenset(place.space for place in mine if place.space is not None)
            sites = frozenset(place.site for place in mine if place.site is not None)
            held.append(
                Held(
                    one,
                    given(integration, one),
                    None if one.space_selection == "all" else spaces,
                    None if one.site_selection == "all" else sites,
                )
            )
    if word.installation is not None and not held:
        return None
    return Acting(integration, tuple(held), found[0] if word.installation is not None else None)
