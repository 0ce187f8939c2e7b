"""Where something new may stand: at the top of an organization, or in one of its collections."""

from __future__ import annotations

from octavo.access import locate
from octavo.access.caller import Caller
from octavo.access.locate import SeenOrganization
from octavo.access.policy import allows
from octavo.kernel.errors import BadRequest, Forbidden
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
