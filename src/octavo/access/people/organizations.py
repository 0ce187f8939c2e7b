"""Who may do what with an organization: its policy table, and what does not come from a role in it."""

from __future__ import annotations

from octavo.access.caller import Person
from octavo.access.policy import permissions
from octavo.kernel.records import Role


def organization_permissions(person: Person, organization: str, role: Role | None) -> dict[str, bool]:
    """The `permissions` object of an organization for somebody with that role in it.

    Guests see that the organization exists; owning a team is no matter of role.
    """
    belongs = role is not None or person.belongs(organization)
    owns = role == "admin" or person.owns_team_in(organization)
    return permissions("organization", role) | {"view": belongs, "ownTeam": owns}
