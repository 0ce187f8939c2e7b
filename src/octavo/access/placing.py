"""Where something new may stand: at the top of an organization, or in one of its collections."""

from __future__ import annotations

from octavo.access import locate
from octavo.access.caller import Caller
from octavo.access.locate import SeenOrganization
from octavo.access.policy import allows
from octavo.kernel.errors import BadRequest, Forbidden, NotFound
from octavo.kernel.records.library import Space
from octavo.store.unit import Unit


async def may_place(unit: Unit, caller: Caller, organization: SeenOrganization, parent: str | None) -> None:
    """Raises Forbidden, or NotFound or BadRequest for a parent that is no collection there; None is the top."""
    if parent is None:
        if not allows("organization", "createContent", organization.role):
            raise Forbidden("your role in that organization does not allow creating content (needs createContent)")
        return
    collection = await locate.collection(unit, caller, parent)
    if collection.record.organization != organization.record.id:
        raise BadRequest(f"parent: collection {parent!r} belongs to another organization")
    if not allows("collection", "create", collection.role):
        raise Forbidden("your role on that collection does not allow creating content in it (needs create)")


async def may_place_beside(unit: Unit, caller: Caller, organization: SeenOrganization, space: Space) -> None:
    """Raises Forbidden. Who sees the space need not see the collection that it is in: that is no place for her then, and
    nothing that she asked for is absent."""
    try:
        await may_place(unit, caller, organization, space.parent)
    except NotFound as error:
        raise Forbidden("you may not create content in the collection that the space is in (needs create)") from error
