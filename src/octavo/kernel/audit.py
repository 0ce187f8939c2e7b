"""The audit log's words: what an event holds, and what each write is called in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from octavo.kernel.records import Json, Record

Source = Literal["api", "ui", "script", "workflow"]
"""By which door somebody came: the API, a page of the console, the command line, a job."""
ActorType = Literal["user", "system"]

ANONYMOUS = "anonymous"
"""The actor of what somebody did who did not prove who she is."""
OPERATOR = "command-line"
WORKER = "worker"
ADDRESS_MAX, AGENT_MAX, LABEL_MAX = 64, 256, 255
"""Characters that are kept of what comes with a request, and of a title."""


class AuditEvent(Record, frozen=True, kw_only=True):
    """Who did what, when, from where."""

    id: str
    organization: str
    occurred_at: int
    action: str
    actor_type: ActorType
    actor: str
    """Id of a user, or a word for what is none."""
    actor_label: str | None = None
    """Name at that time."""
    source: Source
    target_type: str
    target: str
    target_label: str | None = None
    """Title at that time."""
    address: str | None = None
    agent: str | None = None
    """The header `User-Agent`."""
    token: str | None = None
    session: str | None = None
    request: str | None = None
    """Of one request, or the id of a job."""
    details: Json = {}
    """Names of changed fields, ids beside the target; never a value that somebody wrote."""


class Target(NamedTuple):
    """What was changed, as it is called at that moment."""

    type: str
    id: str
    label: str | None = None


class Wanted(NamedTuple):
    """Which events a list is asked for; times in milliseconds, both included."""

    since: int
    until: int
    action: str | None = None
    actor: str | None = None
    target: str | None = None


OTHER_ACTIONS: Mapping[str, str] = {
    "user.login": "Log in",
    "user.login-failed": "Log-in that failed",
    "user.logout": "Log out",
    "user.logout-everywhere": "Log out everywhere",
    "user.logout-by-provider": "Log-out that an identity provider told of",
    "user.create": "Create an account",
    "user.restore": "Restore a deleted account",
    "user.address.prove": "Show that an account's address is its user's; what was made in its name before ends",
    "user.password.set": "Set a password",
    "user.password.remove": "Remove a password",
    "member.add": "Add a member, or give one a role",
    "member.role-by-sso": "Give a member the role that an identity provider tells",
    "organization.sso.off": "Switch off enforced single sign-on",
    "organization.domain.verify": "Verify a domain",
    "organization.domain.remove": "Remove a verified domain",
    "organization.domain.prove": "Show that a domain is the organization's",
    "organization.domain.lose": "A domain that was not shown to be the organization's any more",
    "scim.user.create": "Add a member by SCIM",
    "scim.user.update": "Change what SCIM says of a member",
    "scim.user.activate": "Bring a member back by SCIM",
    "scim.user.deactivate": "Disable a member by SCIM; sessions and tokens end",
    "scim.user.remove": "Remove a member by SCIM",
    "scim.group.create": "Create a team by SCIM",
    "scim.group.update": "Change a team by SCIM",
    "scim.group.remove": "Delete a team by SCIM",
    "space.git.imported": "Content imported from Git",
    "space.git.import-failed": "Import from Git that failed",
    "space.git.exported": "Content exported to Git",
    "space.git.export-failed": "Export to Git that failed",
    "space.git.joined": "Edits of a Git branch brought into the space",
    "space.git.held": "Edits of a Git branch that contradict those of the space, held in a change request",
    "space.git.branch-opened": "Change request made of a Git branch",
    "space.git.branch-followed": "Edits of a Git branch brought into its change request",
    "space.git.branch-merged": "Change request merged, as its Git branch was",
    "space.git.branch-closed": "Change request archived, as its Git branch was closed or removed",
    "space.git.branch-pushed": "Edits of a change request pushed to its Git branch",
    "site.hostname.prove": "Show that a hostname is a site's to have",
    "site.hostname.lose": "A hostname that was not shown to be a site's any more",
    "webhook.disable": "Switch off a webhook that failed for long",
    "space.purge": "Remove a deleted space for good",
}
"""What is done elsewhere than by an operation of the API -> label. Doors use the words of the rows where they do the same."""
