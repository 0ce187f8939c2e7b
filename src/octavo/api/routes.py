"""Every room's operations; a room is in the API when it has its line here."""

from __future__ import annotations

from typing import cast

from octavo.kernel.operation import AnyOperation
from octavo.resources import openapi, search
from octavo.resources.content import archives, import_runs, links, pdf, rendered, revisions, uploads
from octavo.resources.content import importing as content_import
from octavo.resources.content import reading as revision_content
from octavo.resources.content import writing as content_writing
from octavo.resources.git import connections
from octavo.resources.git import operations as git_operations
from octavo.resources.git import sites as git_sites
from octavo.resources.git import trying as git_trying
from octavo.resources.installation import jobs as installation_jobs
from octavo.resources.installation import overview as installation
from octavo.resources.integrations import (
    development,
    installations,
    integrations,
    listings,
    placements,
    rendering,
    webhooks,
)
from octavo.resources.library import collections, permissions, spaces, transfers
from octavo.resources.people import (
    audit,
    domains,
    email_invites,
    invites,
    members,
    notifications,
    oidc,
    organizations,
    presence,
    saml,
    scim,
    sessions,
    teams,
    tokens,
    users,
)
from octavo.resources.review import change_requests, changes, comments, reviews
from octavo.resources.sites import (
    adaptive,
    addresses,
    customization,
    external_links,
    feedback,
    fonts,
    hostnames,
    insights,
    lookups,
    mcp_servers,
    pictures,
    published_site,
    publishing,
    redirects,
    redirects_csv,
    share_links,
    site_section_groups,
    site_sections,
    site_spaces,
    sites,
    structure,
)
from octavo.resources.translations import glossary
from octavo.resources.translations import runs as translation_runs
from octavo.resources.translations import settings as translations

OPERATIONS: tuple[AnyOperation, ...] = cast(
    "tuple[AnyOperation, ...]",
    (
        *users.OPERATIONS,
        *organizations.OPERATIONS,
        *members.OPERATIONS,
        *notifications.OPERATIONS,
        *presence.OPERATIONS,
        *invites.OPERATIONS,
        *email_invites.OPERATIONS,
        *teams.OPERATIONS,
        *tokens.OPERATIONS,
        *sessions.OPERATIONS,
        *collections.OPERATIONS,
        *spaces.OPERATIONS,
        *transfers.OPERATIONS,
        *permissions.OPERATIONS,
        *revision_content.OPERATIONS,
        *revisions.OPERATIONS,
        *change_requests.OPERATIONS,
        *content_writing.OPERATIONS,
        *content_import.OPERATIONS,
        *import_runs.OPERATIONS,
        *changes.OPERATIONS,
        *reviews.OPERATIONS,
        *comments.OPERATIONS,
        *git_operations.OPERATIONS,
        *git_sites.OPERATIONS,
        *git_trying.OPERATIONS,
        *connections.OPERATIONS,
        *links.OPERATIONS,
        *archives.OPERATIONS,
        *pdf.OPERATIONS,
        *rendered.OPERATIONS,
        *sites.OPERATIONS,
        *published_site.OPERATIONS,
        *addresses.OPERATIONS,
        *lookups.OPERATIONS,
        *adaptive.OPERATIONS,
        *share_links.OPERATIONS,
        *publishing.OPERATIONS,
        *structure.OPERATIONS,
        *site_sections.OPERATIONS,
        *site_section_groups.OPERATIONS,
        *site_spaces.OPERATIONS,
        *external_links.OPERATIONS,
        *customization.OPERATIONS,
        *redirects.OPERATIONS,
        *redirects_csv.OPERATIONS,
        *feedback.OPERATIONS,
        *hostnames.OPERATIONS,
        *fonts.OPERATIONS,
        *pictures.OPERATIONS,
        *mcp_servers.OPERATIONS,
        *openapi.OPERATIONS,
        *integrations.OPERATIONS,
        *installations.OPERATIONS,
        *placements.OPERATIONS,
        *listings.OPERATIONS,
        *development.OPERATIONS,
        *insights.OPERATIONS,
        *webhooks.OPERATIONS,
        *rendering.OPERATIONS,
        *search.OPERATIONS,
        *saml.OPERATIONS,
        *oidc.OPERATIONS,
        *scim.OPERATIONS,
        *domains.OPERATIONS,
        *translations.OPERATIONS,
        *translation_runs.OPERATIONS,
        *glossary.OPERATIONS,
        *audit.OPERATIONS,
        *uploads.OPERATIONS,
        *installation.OPERATIONS,
        *installation_jobs.OPERATIONS,
    ),
)
