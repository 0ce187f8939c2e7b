"""The audit log's words: what an event holds, and what each write is called in it."""

from __future__ import annotations

import re
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


def _permissions(kind: str, resource: str) -> dict[str, str]:
    return {
        f"inviteTo{kind}": f"{resource}.permissions.invite",
        f"updateUserPermissionIn{kind}": f"{resource}.permissions.update-user",
        f"removeUserFrom{kind}": f"{resource}.permissions.remove-user",
        f"updateTeamPermissionIn{kind}": f"{resource}.permissions.update-team",
        f"removeTeamFrom{kind}": f"{resource}.permissions.remove-team",
    }


def _comments(kind: str, place: str) -> dict[str, str]:
    return {
        f"postCommentIn{kind}": f"{place}.comment.create",
        f"updateCommentIn{kind}": f"{place}.comment.update",
        f"deleteCommentIn{kind}": f"{place}.comment.delete",
        f"postCommentReplyIn{kind}": f"{place}.comment-reply.create",
        f"updateCommentReplyIn{kind}": f"{place}.comment-reply.update",
        f"deleteCommentReplyIn{kind}": f"{place}.comment-reply.delete",
    }


ACTIONS: Mapping[str, str] = {
    "updateUserById": "user.update",
    "deleteUser": "user.delete",
    "updateNotificationPreferences": "user.notification-preferences.update",
    "createUserAPIToken": "token.create",
    "revokeUserAPIToken": "token.revoke",
    "createOrganization": "organization.create",
    "updateOrganizationById": "organization.update",
    "deleteOrganization": "organization.delete",
    "restoreOrganization": "organization.restore",
    "updateMemberInOrganizationById": "member.update",
    "setUserAsSSOMemberForOrganization": "member.require-sso",
    "removeMemberFromOrganizationById": "member.remove",
    "joinOrganization": "member.join-by-domain",
    "joinOrganizationWithInvite": "member.join-by-invite",
    "createOrganizationInvite": "invite.create",
    "updateOrganizationInviteById": "invite.update",
    "deleteOrganizationInviteById": "invite.delete",
    "inviteUsersToOrganization": "email-invite.create",
    "deleteOrganizationEmailInvite": "email-invite.delete",
    "createOrganizationTeam": "team.create",
    "updateTeamInOrganizationById": "team.update",
    "removeTeamFromOrganizationById": "team.delete",
    "updateMembersInOrganizationTeam": "team.members.update",
    "addMemberToOrganizationTeamById": "team.members.add",
    "deleteMemberFromOrganizationTeamById": "team.members.remove",
    "createOrganizationSAMLProvider": "saml-provider.create",
    "updateOrganizationSAMLProvider": "saml-provider.update",
    "deleteOrganizationSAMLProvider": "saml-provider.delete",
    "createCollection": "collection.create",
    "updateCollectionById": "collection.update",
    "deleteCollectionById": "collection.delete",
    "moveCollection": "collection.move",
    "transferCollection": "collection.transfer",
    **_permissions("Collection", "collection"),
    "createSpace": "space.create",
    "updateSpaceById": "space.update",
    "deleteSpaceById": "space.delete",
    "restoreSpace": "space.restore",
    "duplicateSpace": "space.duplicate",
    "moveSpace": "space.move",
    "transferSpace": "space.transfer",
    "updateContent": "space.content.update",
    "restoreRevision": "space.revision.restore",
    "importGitRepository": "space.git.import",
    **_permissions("Space", "space"),
    **_comments("Space", "space"),
    "createChangeRequest": "change-request.create",
    "updateChangeRequestById": "change-request.update",
    "updateChangeRequest": "change-request.synchronize",
    "mergeChangeRequest": "change-request.merge",
    "updateChangeRequestContent": "change-request.content.update",
    "importContentInChangeRequest": "change-request.content.import",
    "requestReviewersForChangeRequest": "change-request.reviewers.request",
    "removeRequestedReviewerFromChangeRequest": "change-request.reviewers.remove",
    "submitChangeRequestReview": "change-request.review.submit",
    **_comments("ChangeRequest", "change-request"),
    "createSite": "site.create",
    "updateSiteById": "site.update",
    "publishSite": "site.publish",
    "unpublishSite": "site.unpublish",
    **_permissions("Site", "site"),
}
"""Operation -> what its events are called; programs rely on these words, so that none of them ever changes."""

UNRECORDED = frozenset(
    ("updateOrganizationMemberLastSeenAt", "markNotificationsAsRead", "markNotificationAsRead",
     "markNotificationAsUnread")
)  # fmt: skip
"""Operations that write only down what their caller has seen."""

OTHER_ACTIONS: Mapping[str, str] = {
    "user.login": "Log in",
    "user.login-failed": "Log-in that failed",
    "user.logout": "Log out",
    "user.logout-everywhere": "Log out everywhere",
    "user.create": "Create an account",
    "user.restore": "Restore a deleted account",
    "user.password.set": "Set a password",
    "user.password.remove": "Remove a password",
    "member.add": "Add a member, or give one a role",
    "organization.sso.off": "Switch off enforced single sign-on",
    "organization.domain.verify": "Verify a domain",
    "organization.domain.remove": "Remove a verified domain",
    "space.git.imported": "Content imported from Git",
    "space.git.import-failed": "Import from Git that failed",
    "space.purge": "Remove a deleted space for good",
}
"""What is done elsewhere than by an operation of the API -> label. Doors use the words of `ACTIONS` where they do the same."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def label(operation: str) -> str:
    """The words of an operation's id.

    >>> label("updateUserPermissionInSpace")
    'Update user permission in space'
    """
    words = [word if word.isupper() else word.lower() for word in _WORDS.findall(operation) if word != "Id"]
    return " ".join(words)[:1].upper() + " ".join(words)[1:].removesuffix(" by")


LABELS: Mapping[str, str] = {
    **{action: label(id) for id, action in ACTIONS.items()},
    "change-request.synchronize": "Bring a change request up to date",
    **OTHER_ACTIONS,
}
"""Every action there is, with words for people."""
