"""Who may do what with a team: its owners say who is in it; its title and its end are for admins of the organization."""

from __future__ import annotations

from octavo.access.caller import Person
from octavo.access.policy import allows
from octavo.kernel.records.people import Team


def team_permissions(person: Person, team: Team) -> dict[str, bool]:
    """The `permissions` object of a team: `view` it with its members, and `admin`, say who is in it.

    Guests see the teams that they are in, and no other.
    """
    role = person.role_in(team.organization)
    place = person.teams.get(team.organization, {}).get(team.id)
    return {
        "admin": allows("organization", "admin", role) or place == "owner",
        "view": allows("organization", "listTeams", role) or place is not None,
    }
