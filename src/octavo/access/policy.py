"""The policy table: which role each permission takes. It decides, and it fills every `permissions` object."""

from __future__ import annotations

from typing import Literal

import msgspec

from octavo.kernel.records import RANKED, ROLES, Level, Role

Kind = Literal["organization", "collection", "space", "site"]

RANK = RANKED

POLICY: dict[Kind, dict[str, Role]] = {
    "organization": {
        "view": "read",
        "admin": "admin",
        "access": "read",
        "createContent": "create",
        "createOpenAPISpec": "create",
        "ingestConversations": "admin",
        "viewBilling": "admin",
        "listMembers": "read",
        "listTeams": "read",
        "listIntegrations": "read",
        "listInstallations": "read",
        "installIntegration": "admin",
    },
    "collection": {"view": "read", "admin": "admin", "viewInviteLinks": "admin", "create": "create"},
    "space": {
        "view": "read",
        "access": "read",
        "admin": "admin",
        "viewInviteLinks": "admin",
        "edit": "edit",
        "triggerGitSync": "create",
        "comment": "comment",
        "merge": "review",
        "review": "review",
        "installIntegration": "admin",
    },
    "site": {
        "view": "read",
        "access": "read",
        "edit": "admin",
        "create": "create",
        "admin": "admin",
        "installIntegration": "admin",
        "viewAdaptiveSchema": "read",
        "editAdaptiveSchema": "create",
    },
}
"""(kind, word) -> the least role that has it. `docs/reference/permissions.md` is made from this table."""


def allows(kind: Kind, word: str, role: Role | None) -> bool:
    """Whether the role has the permission; None is somebody without any role there."""
    return role is not None and RANK[role] >= RANK[POLICY[kind][word]]


def at_least(held: Role | None, asked: Role | None) -> bool:
    """Whether a role is no weaker than another; None is a guest's."""
    return asked is None or (held is not None and RANK[held] >= RANK[asked])


def _decided(kind: Kind) -> dict[Role | None, dict[str, bool]]:
    return {role: {word: allows(kind, word, role) for word in POLICY[kind]} for role in (None, *ROLES)}


_PERMISSIONS: dict[Kind, dict[Role | None, dict[str, bool]]] = {kind: _decided(kind) for kind in POLICY}


def permissions(kind: Kind, role: Role | None) -> dict[str, bool]:
    """The `permissions` object of a resource for somebody with that role on it."""
    return _PERMISSIONS[kind][role]


class Opinion(msgspec.Struct, frozen=True):
    """What one step of the resolution says: grants to the caller there, and the level that stands there."""

    user: Role | None = None
    """The direct grant."""
    teams: tuple[Role, ...] = ()
    """Grants to the caller's teams."""
    level: Level | None = "inherit"
    on: str = ""
    """The id of the resource that says it, for whoever asks why."""

    @property
    def granted(self) -> Role | None:
        """A direct grant, else the highest team grant."""
        if self.user is None and self.teams:
            return max(self.teams, key=RANK.__getitem__)
        return self.user

    @property
    def silent(self) -> bool:
        """Nothing is said here: the next step is asked."""
        return self.granted is None and self.level == "inherit"

    def decides(self, organization_role: Role | None) -> bool:
        """No further step has to be asked for somebody with that role in the organization."""
        return self.granted is not None or (self.level != "inherit" and organization_role is not None)

    @property
    def role(self) -> Role | None:
        """What was granted, else the level."""
        return self.granted or (None if self.level == "inherit" else self.level)


class Decision(msgspec.Struct, frozen=True):
    """A role, and what decided it."""

    role: Role | None
    by: Opinion | None = None
    """None = the role in the organization did."""
    most: Opinion | None = None
    """To a guest who was granted more: what stands nearer, and gives everybody less."""


def resolve(
    organization_role: Role | None,
    own: Opinion,
    sites: tuple[Opinion, ...] = (),
    collections: tuple[Opinion, ...] = (),
) -> Role | None:
    """The role of `decide`."""
    return decide(organization_role, own, sites, collections).role


def decide(
    organization_role: Role | None,
    own: Opinion,
    sites: tuple[Opinion, ...] = (),
    collections: tuple[Opinion, ...] = (),
) -> Decision:
    """The role on a space (or, without `sites`, on a site or collection), by precedence and not by maximum.

    Admins of the organization are admins. Else the first that has something to say decides: the resource itself; for a
    space the sites that show it (the highest of those that say something); the collections from the inside out; the
    role in the organization. A level of None says: nobody. To guests no level speaks: it gives them nothing, and of what
    was granted to them further out they have no more than it gives to members.
    """
    if organization_role == "admin":
        return Decision("admin")
    most: Role | None = "admin"
    bound: Opinion | None = None
    for opinions in ((own,), sites, *((collection,) for collection in collections)):
        speaking = [one for one in opinions if not one.silent]
        if not speaking:
            continue
        if organization_role is not None:
            by = max(speaking, key=_of_role)
            return Decision(by.role, by)
        granting = [one for one in speaking if one.granted is not None]
        if granting:
            by = max(granting, key=_of_role)
            less = _rank(most) < _rank(by.role)
            return Decision(most if less else by.role, by, bound if less else None)
        least = max(speaking, key=_of_role)
        if bound is None or _rank(least.role) < _rank(most):
            most, bound = least.role, least
    return Decision(organization_role)


def _of_role(one: Opinion) -> int:
    return _rank(one.role)


def _rank(role: Role | None) -> int:
    return -1 if role is None else RANK[role]
