"""Who may call what, written by hand from the specification; it imports nothing of Octavo, so that it can disagree.

A line is: operation -> (what the caller needs, scope that a limited token needs). A need is a place and the least role
there, or several joined by "and", asked from left to right. Roles are cumulative: read < comment < edit < review <
create < admin. The places:

* organization, space, collection, site: who has no role there gets 404, as if it were not there, and who has too low a
  role 403. A guest of the organization sees the organization, so that she gets 403; `organization guest` lets her in.
* people: members and teams of the organization, which guests do not see: 404.
* deleted space, deleted organization: 404 for all but those who could restore it.
* anybody: every valid token. `acquainted`: who shares an organization with the user of the path; others get 404.
* owner: it is the owner's alone, and does not exist for others (404). `self`: the account of somebody else, who can be
  seen, is changed by nobody but herself (403).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ROLES: Final = ("read", "comment", "edit", "review", "create", "admin")
EVERY: Final = "every token"
NONE: Final = "no limited token"

_CONTENT_READS = (
    # content, revisions, change requests, links: read
    "getCurrentRevision", "listPages", "listFiles", "getFileById", "getPageById", "getPageByPath",
    "getRevisionOfChangeRequestById", "listPagesInChangeRequest", "listFilesInChangeRequestById",
    "getFileInChangeRequestById", "getPageInChangeRequestById", "getPageInChangeRequestByPath",
    "listChangeRequestPageMetaLinks", "getReusableContentInChangeRequestById",
    "getRevisionById", "listPagesInRevisionById", "listFilesInRevisionById", "getFileInRevisionById",
    "getPageInRevisionById", "getPageInRevisionByPath", "getPageDocumentInRevisionById", "listRevisionPageMetaLinks",
    "getReusableContentInRevisionById", "getReusableContentDocumentInRevisionById", "getDocumentById",
    "listRevisionsForSpace", "getRevisionSemanticChanges",
    "listChangeRequestsForSpace", "getChangeRequestById", "getChangeRequestChanges", "getChangeRequestPageChanges",
    "getRequestedReviewersByChangeRequestId", "getReviewsByChangeRequestId", "getChangeRequestReviewById",
    "getContributorsByChangeRequestId",
    "listCommentsInSpace", "getCommentInSpace", "listCommentRepliesInSpace", "getCommentReplyInSpace",
    "listCommentersInSpace",
    "listCommentsInChangeRequest", "getCommentInChangeRequest", "listCommentRepliesInChangeRequest",
    "getCommentReplyInChangeRequest", "listCommentersInChangeRequest",
    "listSpaceLinks", "listPageLinksInSpace", "listPageBacklinksInSpace", "listSpaceFileBacklinks",
    "listPageLinksInChangeRequest", "listPageBacklinksInChangeRequest", "listChangeRequestFileBacklinks",
    "getChangeRequestPDF", "getSpacePDF", "getSpaceGitInfo", "getSpaceById",
)  # fmt: skip

EXPECTED: Final[Mapping[str, tuple[str, str]]] = {
    **dict.fromkeys(_CONTENT_READS, ("space read", "space:read")),
    # The caller and her account.
    "getApiInformation": ("anybody", EVERY),
    "getAuthenticatedUser": ("anybody", EVERY),
    "getUserById": ("acquainted", "user:read"),
    "updateUserById": ("self", NONE),
    "deleteUser": ("self", NONE),
    "listUserAPITokens": ("anybody", "user:read"),
    "createUserAPIToken": ("anybody", EVERY),
    "getUserAPIToken": ("owner", "user:read"),
    "revokeUserAPIToken": ("owner", EVERY),
    "listNotifications": ("anybody", "space:read"),
    "markNotificationsAsRead": ("anybody", NONE),
    "markNotificationAsRead": ("owner", NONE),
    "markNotificationAsUnread": ("owner", NONE),
    "getNotificationPreferences": ("anybody", "user:read"),
    "updateNotificationPreferences": ("anybody", NONE),
    # Organizations.
    "listOrganizationsForAuthenticatedUser": ("anybody", "organization:read"),
    "createOrganization": ("anybody", "organization:write"),
    "getOrganizationsForEmailDomain": ("anybody", "organization:read"),
    "getSubdomain": ("anybody", "organization:read"),
    "getOrganizationById": ("organization guest", EVERY),
    "updateOrganizationById": ("organization admin", "organization:write"),
    "deleteOrganization": ("organization admin", "organization:write"),
    "restoreOrganization": ("deleted organization admin", "organization:write"),
    "updateOrganizationMemberLastSeenAt": ("organization guest", "organization:read"),
    "listSSOProviderLoginsInOrganization": ("organization guest", "organization:read"),
    "searchOrganizationContent": ("organization guest", "organization:search"),
    "generateStorageUploadURL": ("organization guest", "space:write"),
    # Members.
    "listMembersInOrganizationById": ("organization read", "organization:members:read"),
    "getMemberInOrganizationById": ("people read", "organization:members:read"),
    "updateMemberInOrganizationById": ("people admin", "organization:members:write"),
    "removeMemberFromOrganizationById": ("people admin", "organization:members:write"),
    "setUserAsSSOMemberForOrganization": ("people admin", "organization:members:write"),
    "listSpacesForOrganizationMember": ("people admin", "organization:members:read"),
    "listTeamsForOrganizationMember": ("people read", "organization:members:read"),
    # Ways in.
    "joinOrganization": ("anybody", "organization:members:write"),
    "joinOrganizationWithInvite": ("anybody", "organization:members:write"),
    "getOrganizationInviteLink": ("anybody", "organization:members:read"),
    "listOrganizationInviteLinks": ("organization guest", "organization:members:read"),
    "createOrganizationInvite": ("organization admin", "organization:members:write"),
    "updateOrganizationInviteById": ("organization admin", "organization:members:write"),
    "deleteOrganizationInviteById": ("organization admin", "organization:members:write"),
    "inviteUsersToOrganization": ("organization admin", "organization:members:write"),
    "listOrganizationEmailInvites": ("organization admin", "organization:members:read"),
    "deleteOrganizationEmailInvite": ("organization admin", "organization:members:write"),
    # Teams.
    "listTeamsInOrganizationById": ("organization read", "organization:members:read"),
    "createOrganizationTeam": ("organization admin", "organization:members:write"),
    "getTeamInOrganizationById": ("people read", "organization:members:read"),
    "updateTeamInOrganizationById": ("people admin", "organization:members:write"),
    "removeTeamFromOrganizationById": ("people admin", "organization:members:write"),
    "listTeamMembersInOrganizationById": ("people read", "organization:members:read"),
    "updateMembersInOrganizationTeam": ("people admin", "organization:members:write"),
    "addMemberToOrganizationTeamById": ("people admin", "organization:members:write"),
    "deleteMemberFromOrganizationTeamById": ("people admin", "organization:members:write"),
    # Audit.
    "listOrganizationAuditEvents": ("organization admin", "organization:members:read"),
    "listOrganizationAuditEventActions": ("organization admin", "organization:members:read"),
    "getOrganizationAuditEvent": ("organization admin", "organization:members:read"),
    "exportOrganizationAuditEvents": ("organization admin", "organization:members:read"),
    # SAML.
    "listSAMLProvidersInOrganizationById": ("organization admin", NONE),
    "createOrganizationSAMLProvider": ("organization admin", NONE),
    "getOrganizationSAMLProviderById": ("organization admin", NONE),
    "updateOrganizationSAMLProvider": ("organization admin", NONE),
    "deleteOrganizationSAMLProvider": ("organization admin", NONE),
    # Collections.
    "listCollectionsInOrganizationById": ("organization guest", "space:read"),
    "createCollection": ("organization create", "space:write"),
    "getCollectionById": ("collection read", "space:read"),
    "listSpacesInCollectionById": ("collection read", "space:read"),
    "updateCollectionById": ("collection admin", "space:write"),
    "deleteCollectionById": ("collection admin", "space:write"),
    "moveCollection": ("collection admin", "space:write"),
    "transferCollection": ("collection admin", "space:write"),
    "inviteToCollection": ("collection admin", "space:permissions:write"),
    "listUserPermissionsInCollection": ("collection admin", "space:permissions:read"),
    "updateUserPermissionInCollection": ("collection admin", "space:permissions:write"),
    "removeUserFromCollection": ("collection admin", "space:permissions:write"),
    "listTeamPermissionsInCollection": ("collection admin", "space:permissions:read"),
    "updateTeamPermissionInCollection": ("collection admin", "space:permissions:write"),
    "removeTeamFromCollection": ("collection admin", "space:permissions:write"),
    "listPermissionsAggregateInCollection": ("collection admin", "space:permissions:read"),
    # Spaces.
    "listSpacesInOrganizationById": ("organization guest", "space:read"),
    "createSpace": ("organization create", "space:write"),
    "updateSpaceById": ("space admin", "space:write"),
    "deleteSpaceById": ("space admin", "space:write"),
    "restoreSpace": ("deleted space admin", "space:write"),
    "duplicateSpace": ("space read and organization create", "space:write"),
    "moveSpace": ("space admin and collection create", "space:write"),
    "transferSpace": ("space admin", "space:write"),
    "inviteToSpace": ("space admin", "space:permissions:write"),
    "listUserPermissionsInSpace": ("space admin", "space:permissions:read"),
    "updateUserPermissionInSpace": ("space admin", "space:permissions:write"),
    "removeUserFromSpace": ("space admin", "space:permissions:write"),
    "listTeamPermissionsInSpace": ("space admin", "space:permissions:read"),
    "updateTeamPermissionInSpace": ("space admin", "space:permissions:write"),
    "removeTeamFromSpace": ("space admin", "space:permissions:write"),
    "listPermissionsAggregateInSpace": ("space admin", "space:permissions:read"),
    "importGitRepository": ("space create", "space:write"),
    "exportToGitRepository": ("space create", "space:write"),
    # Changes.
    "listChangeRequestsForOrganization": ("organization guest", "space:read"),
    "createChangeRequest": ("space edit", "space:write"),
    "updateChangeRequestById": ("space edit", "space:write"),
    "updateChangeRequest": ("space edit", "space:write"),
    "updateChangeRequestContent": ("space edit", "space:write"),
    "updateContent": ("space edit", "space:write"),
    "importContentInChangeRequest": ("space edit", "space:write"),
    "requestReviewersForChangeRequest": ("space edit", "space:write"),
    "removeRequestedReviewerFromChangeRequest": ("space edit", "space:write"),
    "submitChangeRequestReview": ("space review", "space:write"),
    "mergeChangeRequest": ("space review", "change-request:merge"),
    "restoreRevision": ("space review", "space:write"),
    # Comments of somebody else.
    "postCommentInSpace": ("space comment", "space:write"),
    "updateCommentInSpace": ("space admin", "space:write"),
    "deleteCommentInSpace": ("space admin", "space:write"),
    "postCommentReplyInSpace": ("space comment", "space:write"),
    "updateCommentReplyInSpace": ("space admin", "space:write"),
    "deleteCommentReplyInSpace": ("space admin", "space:write"),
    "postCommentInChangeRequest": ("space comment", "space:write"),
    "updateCommentInChangeRequest": ("space admin", "space:write"),
    "deleteCommentInChangeRequest": ("space admin", "space:write"),
    "postCommentReplyInChangeRequest": ("space comment", "space:write"),
    "updateCommentReplyInChangeRequest": ("space admin", "space:write"),
    "deleteCommentReplyInChangeRequest": ("space admin", "space:write"),
    # Sites.
    "listSites": ("organization guest", "site:read"),
    "createSite": ("organization create", "site:write"),
    "getSiteById": ("site read", "site:read"),
    "getPublishedContentSite": ("site read", "site:read"),
    "getSiteStructure": ("site read", "site:read"),
    "searchSiteContent": ("site read", "site:search"),
    "updateSiteById": ("site admin", "site:write"),
    "getSiteCustomizationById": ("site read", "site:read"),
    "updateSiteCustomizationById": ("site admin", "site:write"),
    "getSiteSpaceCustomizationById": ("site read", "site:read"),
    "overrideSiteSpaceCustomizationById": ("site admin", "site:write"),
    "deleteSiteSpaceCustomizationById": ("site admin", "site:write"),
    "listSiteRedirects": ("site read", "site:read"),
    "createSiteRedirect": ("site admin", "site:write"),
    "bulkUpsertSiteRedirects": ("site admin", "site:write"),
    "updateSiteRedirectById": ("site admin", "site:write"),
    "deleteSiteRedirectById": ("site admin", "site:write"),
    "getSiteRedirectBySource": ("site read", "site:read"),
    "getCustomHostname": ("site admin", "site:read"),
    "dnsRevalidateCustomHostname": ("site admin", "site:write"),
    "removeCustomHostname": ("site admin", "site:write"),
    "listCustomFonts": ("organization guest", "site:read"),
    "createCustomFont": ("organization create", "site:write"),
    "getCustomFont": ("organization guest", "site:read"),
    "updateCustomFont": ("organization create", "site:write"),
    "deleteCustomFont": ("organization create", "site:write"),
    "listSiteMcpServers": ("site admin", "site:read"),
    "createSiteMcpServer": ("site admin", "site:write"),
    "getSiteMcpServerById": ("site admin", "site:read"),
    "updateSiteMcpServerById": ("site admin", "site:write"),
    "deleteSiteMcpServerById": ("site admin", "site:write"),
    "publishSite": ("site admin", "site:publish"),
    "unpublishSite": ("site admin", "site:publish"),
    "inviteToSite": ("site admin", "site:permissions:write"),
    "listUserPermissionsInSite": ("site admin", "site:permissions:read"),
    "updateUserPermissionInSite": ("site admin", "site:permissions:write"),
    "removeUserFromSite": ("site admin", "site:permissions:write"),
    "listTeamPermissionsInSite": ("site admin", "site:permissions:read"),
    "updateTeamPermissionInSite": ("site admin", "site:permissions:write"),
    "removeTeamFromSite": ("site admin", "site:permissions:write"),
    "listPermissionsAggregateInSite": ("site admin", "site:permissions:read"),
}  # fmt: skip
"""Operation -> (need, scope), for somebody whom nothing but roles connects with what the path names."""

BY_RELATION: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "author": (
        # Whoever may comment edits, resolves and deletes what she wrote.
        ("updateCommentInSpace", "comment"),
        ("deleteCommentInSpace", "comment"),
        ("updateCommentReplyInSpace", "comment"),
        ("deleteCommentReplyInSpace", "comment"),
        ("updateCommentInChangeRequest", "comment"),
        ("deleteCommentInChangeRequest", "comment"),
        ("updateCommentReplyInChangeRequest", "comment"),
        ("deleteCommentReplyInChangeRequest", "comment"),
    ),
    "requested reviewer": (("submitChangeRequestReview", "read"),),
    "team owner": (
        ("getTeamInOrganizationById", "guest"),
        ("listTeamMembersInOrganizationById", "guest"),
        ("updateMembersInOrganizationTeam", "guest"),
        ("addMemberToOrganizationTeamById", "guest"),
        ("deleteMemberFromOrganizationTeamById", "guest"),
    ),
    "self": (
        ("getUserById", "guest"),
        ("updateUserById", "guest"),
        ("getMemberInOrganizationById", "guest"),
        ("removeMemberFromOrganizationById", "guest"),
        ("listSpacesForOrganizationMember", "guest"),
        ("listTeamsForOrganizationMember", "guest"),
        ("deleteUser", "guest"),
    ),
    "owner": (
        ("getUserAPIToken", "guest"),
        ("revokeUserAPIToken", "guest"),
        ("markNotificationAsRead", "read"),
        ("markNotificationAsUnread", "read"),
    ),
}
"""What somebody is to a thing -> operations that this opens to her, and the least role in the organization for that."""

PERMISSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "organization": {
        "view": "getOrganizationById",
        "admin": "updateOrganizationById",
        "createContent": "createSpace",
        "listMembers": "listMembersInOrganizationById",
        "listTeams": "listTeamsInOrganizationById",
    },
    "space": {
        "view": "getSpaceById",
        "access": "getCurrentRevision",
        "admin": "updateSpaceById",
        "viewInviteLinks": "createOrganizationInvite",
        "edit": "createChangeRequest",
        "triggerGitSync": "importGitRepository",
        "comment": "postCommentInSpace",
        "merge": "mergeChangeRequest",
        "review": "submitChangeRequestReview",
    },
    "collection": {
        "view": "getCollectionById",
        "admin": "updateCollectionById",
        "viewInviteLinks": "createOrganizationInvite",
        "create": "createSpace",
    },
    "site": {"view": "getSiteById", "access": "getSiteStructure", "edit": "updateSiteById", "admin": "publishSite"},
    "team": {"view": "getTeamInOrganizationById", "admin": "updateMembersInOrganizationTeam"},
    "comment": {
        "view": "getCommentInSpace",
        "edit": "updateCommentInSpace",
        "reply": "postCommentReplyInSpace",
        "delete": "deleteCommentInSpace",
    },
    "reply": {
        "view": "getCommentReplyInSpace",
        "edit": "updateCommentReplyInSpace",
        "reply": "postCommentReplyInSpace",
        "delete": "deleteCommentReplyInSpace",
    },
}
"""Key of a served `permissions` object -> the operation that it speaks of. For a key without an operation as yet, see
`AHEAD`."""

AHEAD: Final[Mapping[str, tuple[str, ...]]] = {
    "organization": (
        "access", "ownTeam", "createOpenAPISpec", "ingestConversations", "viewBilling", "listIntegrations",
        "listInstallations", "installIntegration",
    ),
    "space": ("installIntegration",),
    "site": ("create", "installIntegration", "viewAdaptiveSchema", "editAdaptiveSchema"),
}  # fmt: skip
"""Keys that speak of operations which are not there yet, or of none."""


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


AUDITED: Final[Mapping[str, str]] = {
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
    "updateSiteCustomizationById": "site.customization.update",
    "overrideSiteSpaceCustomizationById": "site-space.customization.update",
    "deleteSiteSpaceCustomizationById": "site-space.customization.delete",
    "createSiteRedirect": "site.redirect.create",
    "bulkUpsertSiteRedirects": "site.redirects.update",
    "updateSiteRedirectById": "site.redirect.update",
    "deleteSiteRedirectById": "site.redirect.delete",
    "removeCustomHostname": "site.hostname.remove",
    "createCustomFont": "font.create",
    "updateCustomFont": "font.update",
    "deleteCustomFont": "font.delete",
    "createSiteMcpServer": "site.mcp-server.create",
    "updateSiteMcpServerById": "site.mcp-server.update",
    "deleteSiteMcpServerById": "site.mcp-server.delete",
    "publishSite": "site.publish",
    "unpublishSite": "site.unpublish",
    **_permissions("Site", "site"),
}
"""Operation -> what its events are called; programs rely on these words, so that none of them ever changes."""

UNRECORDED: Final = (
     "updateOrganizationMemberLastSeenAt", "markNotificationsAsRead", "markNotificationAsRead",
     "markNotificationAsUnread", "generateStorageUploadURL", "dnsRevalidateCustomHostname",
)  # fmt: skip
"""Operations that write only down what their caller has seen, or what goes again by itself."""
