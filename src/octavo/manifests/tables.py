"""Every table of the database, and what the export of an organization does with it: a table that nobody names fails a test."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from octavo.kernel import limits
from octavo.kernel.clock import HOUR
from octavo.kernel.ids import token_hash
from octavo.kernel.records import Json
from octavo.kernel.records.review import ChangeRequest
from octavo.store import git, git_sites
from octavo.store.integrations.integrations import INSTALLATIONS, INTEGRATIONS, PLACEMENTS
from octavo.store.integrations.webhooks import WEBHOOKS
from octavo.store.library.grants import GRANTS
from octavo.store.openapi import SPECS, VERSIONS
from octavo.store.people.invites import EMAIL_INVITES
from octavo.store.people.people import folded
from octavo.store.people.saml import PROVIDERS
from octavo.store.people.teams import TEAM_MEMBERS, TEAMS
from octavo.store.review.change_requests import CHANGE_REQUESTS, CONTRIBUTORS
from octavo.store.review.comments import COMMENT_REPLIES, COMMENTS, REACTIONS
from octavo.store.review.reviews import REQUESTED_REVIEWERS, REVIEWS
from octavo.store.shelf import Table
from octavo.store.sites.feedback import FEEDBACK
from octavo.store.translations import GLOSSARY, LANGUAGES, TRANSLATIONS

USERS = "users"
ALLOWED = "spaces collections sites"


@dataclass(frozen=True)
class Secret:
    """A column that is sealed: what it is where the secret of the installation is another one."""

    anew: Callable[[], str | None]
    """Its words; None = the column is empty then."""
    said: str
    """What became of it, after the number of them."""


@dataclass(frozen=True)
class Rows:
    """How the rows of a table stand in a file of an export."""

    table: Table[Any]
    file: str
    refs: Mapping[str, str] = field(default_factory=dict)
    """Column -> the tables one of which has what it names. Rows that name what the export has not are left out."""
    soft: Mapping[str, str] = field(default_factory=dict)
    """The same for columns that may be empty, or name somebody who is gone."""
    lists: Mapping[str, str] = field(default_factory=dict)
    """The same for columns with lists of ids."""
    states: Mapping[str, str] = field(default_factory=dict)
    """Column with a revision -> the column that says whose it is: a space, or a change request."""
    left: Mapping[str, Any] = field(default_factory=dict)
    """Columns that are not exported -> what they are after an import."""
    fill: Callable[[Json, int], Json] | None = None
    """What columns are after an import that depend on the row and the time."""
    sealed: Mapping[str, Secret] = field(default_factory=dict)
    order: tuple[str, ...] = ("created_at", "id")
    extra: Callable[[Any], Json] | None = None
    """Columns that the record does not show."""
    only: Callable[[Any], Any] = lambda one: one
    """The record as it is exported; None where it is not."""
    stilled: str = ""
    """What is said, after the number of them, of rows that were active and are not after an import."""
    unique: tuple[str, ...] = ()
    """Columns of which an organization has one row each: where it has one, that one stays."""

    @property
    def name(self) -> str:
        return self.table.name


def _proposed(request: ChangeRequest) -> ChangeRequest | None:
    """What is not decided yet; it begins where it last met primary content."""
    if request.status not in ("draft", "open"):
        return None
    return msgspec.structs.replace(request, revision_initial=request.base)


def _due(row: Json, now: int) -> Json:
    """A specification with an address is fetched again as if it had been fetched just now."""
    return {"due_at": now + limits.OPENAPI_REFETCH_HOURS * HOUR if row.get("source_url") else None}


def _no_word() -> str:
    return token_hash(secrets.token_urlsafe(32))


def _webhook_secret() -> str:
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def _still(row: Json, now: int) -> Json:
    """Two installations would tell one receiver."""
    reason = (
        "It came with an import and was never switched on here."
        if row.get("active", True)
        else row.get("disabled_reason")
    )
    return {"active": False, "disabled_reason": reason}


_GIT = {
    "sealed_token": Secret(lambda: None, "credentials of repositories have to be given again"),
    "sealed_api_token": Secret(lambda: None, "credentials of Git hosts have to be given again"),
    "sealed_webhook_secret": Secret(lambda: None, "secrets of push webhooks have to be made again"),
    "sealed_key": Secret(lambda: None, "deploy keys have to be made again"),
}
_CONFIGURATION = Secret(lambda: "{}", "configurations of integrations have to be given again")

ROWS: tuple[Rows, ...] = (
    Rows(TEAMS, "people.json"),
    Rows(TEAM_MEMBERS, "people.json", {"team": "teams", "user": USERS}, order=("team", "user")),
    Rows(
        EMAIL_INVITES, "people.json", soft={"created_by": USERS}, left={"hash": "", "mailed": False},
        fill=lambda row, now: {"hash": _no_word()}, extra=lambda one: {"email_folded": folded(one.email)},
        unique=("email",),
    ),
    Rows(
        GRANTS, "access.json", {"resource": ALLOWED, "user": USERS, "team": "teams"},
        order=("kind", "resource", "user", "team"),
    ),
    Rows(
        SPECS, "specifications.json", soft={"last_version": "openapi_versions"},
        left={"wanted": 0, "state": "complete", "due_at": None}, fill=_due, unique=("slug",),
    ),
    Rows(VERSIONS, "specifications.json", {"spec": "openapi_specs"}),
    Rows(TRANSLATIONS, "translations.json", soft={"source": "spaces", "user": USERS}),
    Rows(
        LANGUAGES, "translations.json", {"translation": "translations"}, soft={"space": "spaces", "source": "spaces"},
        states={"base": "source", "machine": "space", "result": "space"}, order=("translation", "position", "id"),
    ),
    Rows(GLOSSARY, "glossary.json"),
    Rows(
        CHANGE_REQUESTS, "change-requests.json", {"space": "spaces"}, soft={"created_by": USERS}, only=_proposed,
        left={"merged_ancestor": None, "revision_merged": None, "merged_at": None, "merged_by": None},
        states={"revision_initial": "space", "revision": "space"}, order=("space", "number"),
    ),
    Rows(
        REQUESTED_REVIEWERS, "change-requests.json", {"change_request": "change_requests", "user": USERS, "team": "teams"},
        soft={"requested_by": USERS}, states={"revision": "change_request"},
    ),
    Rows(
        REVIEWS, "change-requests.json", {"change_request": "change_requests"},
        soft={"reviewer": USERS, "requested_by": USERS}, states={"revision": "change_request"},
    ),
    Rows(
        CONTRIBUTORS, "change-requests.json", {"change_request": "change_requests"}, soft={"user": USERS},
        order=("change_request", "user", "action"),
    ),
    Rows(
        COMMENTS, "comments.json", {"space": "spaces", "change_request": "change_requests", "review": "reviews"},
        soft={"posted_by": USERS, "resolved_by": USERS}, left={"revision": "", "document": None},
        order=("posted_at", "id"),
    ),
    Rows(
        COMMENT_REPLIES, "comments.json", {"comment": "comments"}, soft={"posted_by": USERS}, order=("posted_at", "id"),
    ),
    Rows(
        REACTIONS, "comments.json", {"comment": "comments", "user": USERS},
        order=("comment", "reply", "user", "emoji"),
    ),
    Rows(
        WEBHOOKS, "webhooks.json", soft={"created_by": USERS}, lists={"spaces": "spaces", "sites": "sites"},
        left={"sealed_former_secret": None, "former_until": None, "failing_since": None},
        fill=_still, stilled="webhooks are switched off: switch them on where their receivers shall hear of this installation",
        sealed={"sealed_secret": Secret(_webhook_secret, "webhooks are signed with new secrets")},
    ),
    Rows(
        INTEGRATIONS, "integrations.json", left={"tunnel": None, "tunnel_all": False},
        sealed={
            "sealed_secrets": Secret(lambda: "{}", "integrations have lost their secrets"),
            "sealed_key": Secret(lambda: secrets.token_urlsafe(32), "integrations sign with new keys"),
        },
    ),
    Rows(
        INSTALLATIONS, "integrations.json", soft={"installed_by": USERS}, unique=("integration",),
        sealed={"sealed_configuration": _CONFIGURATION},
    ),
    Rows(
        PLACEMENTS, "integrations.json",
        {"installation": "integration_installations", "space": "spaces", "site": "sites"},
        sealed={"sealed_configuration": _CONFIGURATION},
    ),
    Rows(
        PROVIDERS, "sign-in.json", soft={"default_team": "teams"},
        sealed={"sealed_secret": Secret(lambda: None, "secrets of identity providers have to be given again")},
    ),
    Rows(
        git.CONNECTIONS, "git.json", {"space": "spaces"}, soft={"created_by": USERS}, left={"paused": True}, sealed=_GIT,
        order=("space",),
    ),
    Rows(
        git_sites.CONNECTIONS, "git.json", {"site": "sites"}, soft={"created_by": USERS}, left={"paused": True},
        sealed={name: one for name, one in _GIT.items() if name != "sealed_api_token"}, order=("site",),
    ),
    Rows(FEEDBACK, "feedback.json", {"site": "sites"}, soft={"space": "spaces"}),
)  # fmt: skip
"""Each table that is exported row by row; a row names only what stands above it, or in the manifest."""

ELSEWHERE = {
    "organizations": "organization.json",
    "users": "people.json, those whom the organization knows",
    "members": "people.json",
    "spaces": "octavo.json, and the files below spaces",
    "collections": "octavo.json",
    "sites": "octavo.json",
    "site_sections": "docs.yaml of the site",
    "site_section_groups": "docs.yaml of the site",
    "site_spaces": "docs.yaml of the site, and octavo.json",
    "site_external_links": "docs.yaml of the site",
    "site_redirects": "octavo.json",
    "site_auths": "octavo.json and secrets.json",
    "site_mcp_servers": "octavo.json and secrets.json",
    "share_links": "octavo.json and secrets.json",
    "fonts": "octavo.json, and the files below fonts",
    "translation_memory": "translation-memory.json",
    "revisions": "the newest below spaces, and below states those which translations and change requests begin from",
    "objects": "the files below spaces, as far as the newest revisions need them",
    "blobs": "files below spaces, fonts, pictures, specifications and integrations",
}
"""Tables of which something else than rows is exported -> where."""

DERIVED = {
    "links": "of the content",
    "link_heads": "of the content",
    "openapi_parts": "of the newest version of a specification",
    "search_heads": "of the content",
    "search_pages": "of the content",
    "search_sections": "of the content",
    "search_words": "of the content",
    "cache": "of anything",
}
"""Tables that an import makes anew -> of what."""

LEFT = {
    "installation": "it is of the installation, not of an organization",
    "tokens": "a secret of a person, who makes another one",
    "sessions": "a browser signs in again",
    "passwords": "people set another one; hashes leave an installation in a backup only",
    "login_codes": "they are good for minutes",
    "attempts": "they slow guessing for minutes",
    "notification_preferences": "they are of an account, in all its organizations",
    "notifications": "people were told already",
    "presences": "they are good for seconds",
    "invites": "whoever has such a link may join: links are made again",
    "verified_domains": "a proof counts where it was shown",
    "domain_claims": "a proof counts where it was shown",
    "scim_tokens": "a secret of the identity provider, which is given another one",
    "scim_users": "the identity provider sends them again, and finds people by their addresses",
    "scim_groups": "the identity provider sends them again",
    "saml_identities": "who is who is proven at the next sign-in",
    "saml_used": "it is good for minutes",
    "saml_logins": "they are good for minutes",
    "oidc_identities": "they are of the installation; who is who is proven at the next sign-in",
    "translation_runs": "a log of what was done",
    "import_runs": "a log of what was done",
    "integration_events": "a log of what was told",
    "webhook_deliveries": "a log of what was told",
    "audit_events": "a log of one installation, with an export of its own",
    "jobs": "work of one installation",
    "git_syncs": "the state of the last operation",
    "git_operations": "a log of what was done",
    "git_bases": "revisions and commits that were the same; the first operation compares anew",
    "git_pushes": "posts that were taken already",
    "git_branches": "change requests that follow branches are made again",
    "git_site_pushes": "posts that were taken already",
    "git_site_operations": "a log of what was done",
    "git_site_bases": "the first operation compares anew",
}
"""Tables that are not exported -> why."""
