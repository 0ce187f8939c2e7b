"""Published integrations, and where they are installed."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.kernel.records.integrations import Installation, Integration, Placement
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, by_id, count

INTEGRATIONS = Table("integrations", Integration)
INSTALLATIONS = Table("integration_installations", Installation)
PLACEMENTS = Table("integration_placements", Placement)

_LISTED = INTEGRATIONS.select(
    "WHERE visibility = 'public' OR organization IN :organizations[] ORDER BY created_at DESC, id"
)
_OWNED = INTEGRATIONS.select("WHERE organization = :organization ORDER BY created_at DESC, id")
_BY_IDS = INTEGRATIONS.select("WHERE id IN :ids[]")
_OF_INTEGRATION = INSTALLATIONS.select("WHERE integration = :integration ORDER BY created_at DESC, id")
_OF_ORGANIZATION = INSTALLATIONS.select("WHERE organization = :organization ORDER BY created_at DESC, id")
_ONE = INSTALLATIONS.select("WHERE integration = :integration AND organization = :organization")
_PLACES = PLACEMENTS.select("WHERE installation = :installation ORDER BY created_at DESC, id")
_PLACES_OF = PLACEMENTS.select("WHERE integration = :integration ORDER BY created_at DESC, id")
_PLACES_IN = PLACEMENTS.select("WHERE organization = :organization ORDER BY created_at DESC, id")
_ON_SPACE = PLACEMENTS.select("WHERE installation = :installation AND space = :target")
_ON_SITE = PLACEMENTS.select("WHERE installation = :installation AND site = :target")
_AT_SPACE = PLACEMENTS.select("WHERE space = :target")
_AT_SITE = PLACEMENTS.select("WHERE site = :target")
_SPACES = Statement("SELECT count(*) FROM spaces WHERE organization = :organization AND deleted_at IS NULL")
_ANY = Statement("SELECT 1 FROM integration_installations WHERE organization = :organization LIMIT 1")


class Integrations:
    """Integrations, installations of them in organizations, and their places on spaces and sites."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, name: str) -> Integration | None:
        return await INTEGRATIONS.get(self._at, id=name)

    async def by_names(self, names: Iterable[str]) -> dict[str, Integration]:
        wanted = sorted(set(names))
        return by_id(await INTEGRATIONS.list(self._at, _BY_IDS, {"ids": wanted})) if wanted else {}

    async def listed(self, organizations: Iterable[str]) -> list[Integration]:
        """Public ones and those of these organizations, newest first."""
        return await INTEGRATIONS.list(self._at, _LISTED, {"organizations": sorted(organizations)})

    async def owned(self, organization: str) -> list[Integration]:
        """Newest first."""
        return await INTEGRATIONS.list(self._at, _OWNED, {"organization": organization})

    async def add(self, integration: Integration) -> None:
        await INTEGRATIONS.add(self._at, integration)

    async def change(self, integration: Integration, **changed: object) -> Integration:
        return await INTEGRATIONS.change(self._at, integration, **changed)

    async def remove(self, integration: Integration) -> None:
        await INTEGRATIONS.remove(self._at, id=integration.id)

    async def installation(self, installation: str) -> Installation | None:
        return await INSTALLATIONS.get(self._at, id=installation)

    async def installation_in(self, integration: str, organization: str) -> Installation | None:
        values = {"integration": integration, "organization": organization}
        return await INSTALLATIONS.first(self._at, _ONE, values)

    async def installations_of(self, integration: str) -> list[Installation]:
        """Newest first."""
        return await INSTALLATIONS.list(self._at, _OF_INTEGRATION, {"integration": integration})

    async def installations_in(self, organization: str) -> list[Installation]:
        """Newest first."""
        return await INSTALLATIONS.list(self._at, _OF_ORGANIZATION, {"organization": organization})

    async def any_in(self, organization: str) -> bool:
        """Whether anything is installed there."""
        return bool(await self._at.rows(_ANY, {"organization": organization}))

    async def add_installation(self, installation: Installation) -> None:
        await INSTALLATIONS.add(self._at, installation)

    async def change_installation(self, installation: Installation, **changed: object) -> Installation:
        return await INSTALLATIONS.change(self._at, installation, **changed)

    async def remove_installation(self, installation: Installation) -> None:
        await INSTALLATIONS.remove(self._at, id=installation.id)

    async def count_spaces(self, organization: str) -> int:
        """Active spaces of an organization."""
        return await count(self._at, _SPACES, {"organization": organization})

    async def places(self, installation: str) -> list[Placement]:
        """Newest first."""
        return await PLACEMENTS.list(self._at, _PLACES, {"installation": installation})

    async def places_of(self, integration: str) -> list[Placement]:
        """In all organizations, newest first."""
        return await PLACEMENTS.list(self._at, _PLACES_OF, {"integration": integration})

    async def places_in(self, organization: str) -> list[Placement]:
        """Of all integrations, newest first."""
        return await PLACEMENTS.list(self._at, _PLACES_IN, {"organization": organization})

    async def place_on_space(self, installation: str, space: str) -> Placement | None:
        return await PLACEMENTS.first(self._at, _ON_SPACE, {"installation": installation, "target": space})

    async def place_on_site(self, installation: str, site: str) -> Placement | None:
        return await PLACEMENTS.first(self._at, _ON_SITE, {"installation": installation, "target": site})

    async def places_on_space(self, space: str) -> list[Placement]:
        return await PLACEMENTS.list(self._at, _AT_SPACE, {"target": space})

    async def places_on_site(self, site: str) -> list[Placement]:
        return await PLACEMENTS.list(self._at, _AT_SITE, {"target": site})

    async def add_place(self, place: Placement) -> None:
        await PLACEMENTS.add(self._at, place)

    async def change_place(self, place: Placement, **changed: object) -> Placement:
        return await PLACEMENTS.change(self._at, place, **changed)

    async def remove_place(self, place: Placement) -> None:
        await PLACEMENTS.remove(self._at, id=place.id)
