"""Which of what is remembered a write to a table makes stale; a table that nobody put into a set makes all of it stale."""

from __future__ import annotations

import re
import threading
from collections.abc import Collection
from typing import Literal

Family = Literal["callers", "sites"]

ALL: frozenset[Family] = frozenset(("callers", "sites"))
NOTHING: frozenset[Family] = frozenset()

CALLERS = frozenset(
    (
        "users",
        "tokens",
        "sessions",
        "organizations",
        "members",
        "teams",
        "team_members",
        "grants",
        "saml_providers",
        "saml_identities",
        "integrations",
        "integration_installations",
        "integration_placements",
    )
)
"""Who somebody is, and where with which role: `api.auth` and `console.request` remember callers."""

SITES = frozenset(
    (
        "organizations",
        "sites",
        "site_sections",
        "site_section_groups",
        "site_spaces",
        "site_external_links",
        "site_redirects",
        "site_auths",
        "site_mcp_servers",
        "fonts",
        "openapi_specs",
        "share_links",
        "translations",
        "translation_languages",
        "spaces",
        "collections",
        "integrations",
        "integration_installations",
        "integration_placements",
    )
)
"""What answers on which address, with which structure: `publish.app` remembers hosts and snapshots of sites."""

HARMLESS = frozenset(
    (
        # Written while nobody has the database open.
        "alembic_version",
        # What processes do, and what they made of other data.
        "jobs",
        "cache",
        "links",
        "link_heads",
        "search_heads",
        "search_pages",
        "search_sections",
        "search_words",
        "search_index",
        # Content never changes under its name; which revision is a space's head stands in `spaces`.
        "objects",
        "blobs",
        "revisions",
        "git_syncs",
        "translation_runs",
        "import_runs",
        "translation_memory",
        "glossary_entries",
        "git_operations",
        "git_bases",
        "git_connections",
        "git_pushes",
        "git_site_operations",
        "git_site_bases",
        "git_site_connections",
        "git_site_pushes",
        "git_branches",
        "page_feedback",
        # A version never changes; which one is the newest stands in `openapi_specs`.
        "openapi_versions",
        "openapi_parts",
        # What was told, and what became of it.
        "integration_events",
        "webhooks",
        "webhook_deliveries",
        # What people say and propose is read by every request that shows it.
        "change_requests",
        "contributors",
        "requested_reviewers",
        "reviews",
        "comments",
        "comment_replies",
        "reactions",
        "notifications",
        "notification_preferences",
        "presences",
        "audit_events",
        # Of those who are not in yet; signing in reads them anew.
        "invites",
        "passwords",
        "email_invites",
        "login_codes",
        "attempts",
        "saml_used",
        "saml_logins",
        "oidc_identities",
        "domain_claims",
        "scim_tokens",
        "scim_users",
        "scim_groups",
    )
)
"""Nothing of these tables is ever remembered."""

_WRITTEN = re.compile(r"(?i)\b(?:INSERT\s+INTO|DELETE\s+FROM|(?<!DO )(?<!FOR )(?<!KEY )UPDATE)\s+\"?(\w+)")
_READS = re.compile(r"(?i)\s*(?:SELECT|WITH)\b")


def stale_by(table: str) -> frozenset[Family]:
    """What a write to the table makes stale."""
    if table in HARMLESS:
        return NOTHING
    known: set[Family] = set()
    if table in CALLERS:
        known.add("callers")
    if table in SITES:
        known.add("sites")
    return frozenset(known) or ALL


def stale_after(sql: str) -> frozenset[Family]:
    """What a statement makes stale; all where it is neither a query nor names the table that it writes.

    >>> stale_after("SELECT id FROM users FOR NO KEY UPDATE"), stale_after("UPDATE jobs SET lease = NULL")
    (frozenset(), frozenset())
    >>> stale_after("DELETE FROM tokens WHERE id = :id")
    frozenset({'callers'})
    >>> stale_after("DROP TABLE jobs") == ALL
    True
    """
    tables = _WRITTEN.findall(sql)
    if not tables:
        return NOTHING if _READS.match(sql) else ALL
    return frozenset[Family]().union(*map(stale_by, tables))


class Generations:
    """For each family a number that changes when its tables may have changed, as far as this process can tell."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.of: dict[Family, int] = dict.fromkeys(ALL, 0)

    def pass_on(self, families: Collection[Family]) -> None:
        """Those tables may have changed. From any thread."""
        if families:
            with self._lock:
                for family in families:
                    self.of[family] += 1
