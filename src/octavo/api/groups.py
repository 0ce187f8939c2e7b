"""The groups of the API's operations, by what their paths are about: the chapters of its reference."""

from __future__ import annotations

from typing import Final

import msgspec

from octavo.kernel.operation import AnyOperation


class Group(msgspec.Struct, frozen=True):
    """A chapter: its name in the description of the API, and how it is told to people."""

    name: str
    title: str
    description: str
    words: tuple[str, ...] = ()
    """Fixed parts of paths that belong here; the group that stands first in GROUPS has an operation that several name."""


GROUPS: Final = (
    Group("general", "Service and caller", "What this installation is, and whose token is used."),
    Group(
        "tokens", "Tokens", "Personal tokens: made for a program, limited to scopes where that is enough, revoked.",
        ("tokens",),
    ),
    Group(
        "notifications", "Notifications", "What people are told of, and how: in a list, by mail, at once or once a day.",
        ("notifications", "notification-preferences"),
    ),
    Group(
        "organizations", "Organizations",
        "An organization holds everything that belongs together: members, teams, spaces, collections and sites.",
    ),
    Group(
        "members", "Members", "Who belongs to an organization, and in which role.", ("members", "join", "ping"),
    ),
    Group(
        "invites", "Invites", "People come into an organization by a link or by a mail.", ("invites", "link-invites"),
    ),
    Group("teams", "Teams", "Members in groups, so that a role is given once.", ("teams",)),
    Group(
        "single-sign-on", "Single sign-on",
        "Signing in with an identity provider of the organization, by SAML or OpenID Connect; domains and SCIM.",
        ("saml", "oidc", "sso", "scim", "domains"),
    ),
    Group(
        "audit", "Audit log", "Who did what, when and from where.", ("audit-events", "audit-event-actions"),
    ),
    Group("collections", "Collections", "Folders of spaces, whose roles what is inside inherits.", ("collections",)),
    Group("spaces", "Spaces", "A space holds pages and files, and the history of both.", ("spaces",)),
    Group(
        "content", "Primary content", "The content of a space as it is now: pages, files, documents.", ("content",),
    ),
    Group(
        "revisions", "Revisions", "The content of a space as it was; a revision never changes.", ("revisions",),
    ),
    Group(
        "change-requests", "Change requests",
        "Changes that are made beside primary content, reviewed, and merged into it.", ("change-requests",),
    ),
    Group(
        "change-request-content", "Content of change requests", "Pages and files as a change request would have them.",
    ),
    Group("reviews", "Reviews", "Who is asked to look at a change request, and what they say.",
          ("reviews", "requested-reviewers", "contributors")),
    Group("comments", "Comments", "What people say of pages and changes, their replies and reactions."),
    Group("links", "Links", "What pages link to, what links to them, and which links are broken.",
          ("links", "backlinks")),
    Group("pdf", "PDF", "Pages as a printable document.", ("pdf",)),
    Group("imports", "Imports", "Content of other systems brought into a space: started, followed, cancelled.",
          ("imports",)),
    Group("git", "Git", "Spaces and branches of repositories: imports, exports, and keeping both the same.", ("git",)),
    Group(
        "translations", "Translations", "Spaces in further languages, translated as their source changes.",
        ("translations", "translations-glossary"),
    ),
    Group(
        "openapi", "OpenAPI specifications", "Descriptions of APIs, which pages and blocks are made from.", ("openapi",),
    ),
    Group("sites", "Sites", "A site publishes spaces.", ("sites", "published")),
    Group(
        "site-structure", "Structure of sites", "Sections, groups, variants and external links of a site.",
        ("structure", "sections", "section-groups", "site-spaces", "external-links", "template"),
    ),
    Group(
        "site-customization",
        "Looks of sites",
        "Colours, typefaces, header and footer.",
        ("customization", "fonts", "pictures"),
    ),
    Group(
        "site-audiences", "Audiences of sites", "Who may visit a site, and what is known of visitors.",
        ("share-links", "publishing", "adaptive-schema"),
    ),
    Group("redirects", "Redirects", "Old addresses of a site that lead on.", ("redirects", "redirect")),
    Group("hostnames", "Hostnames", "Sites on hosts of their own.", ("custom-hostnames",)),
    Group("feedback", "Feedback", "How readers rate pages.", ("feedback",)),
    Group("insights", "Insights", "What readers do on a site, counted without names and addresses.", ("insights",)),
    Group("mcp-servers", "MCP servers", "Servers of tools that a site tells assistants of.", ("mcp-servers",)),
    Group("permissions", "Permissions", "Who may do what with a space, a collection or a site.", ("permissions",)),
    Group("search", "Search", "Words found in pages, titles and records.", ("search",)),
    Group("urls", "Look-ups", "From an address to what it shows.", ("urls", "subdomains", "email-domains")),
    Group(
        "integrations", "Integrations", "Programs that extend Octavo: published, installed, told of events.",
        ("integrations", "installations", "installation_status", "integration-blocks"),
    ),
    Group("installation", "Installation", "The whole installation, for those who run it.", ("installation",)),
    Group("webhooks", "Webhooks", "Events that are sent to an address of yours, signed and tried again.", ("webhooks",)),
)  # fmt: skip

_BY_NAME = {group.name: group for group in GROUPS}
_FIRST = (
    "urls",
    "openapi", "translations", "translations-glossary", "webhooks", "integrations", "installations", "permissions",
    "teams", "saml", "oidc", "sso", "scim", "domains", "members", "installation",
)  # fmt: skip
"""Parts that decide wherever they stand; of others the last one does."""


def group_of(row: AnyOperation) -> Group:
    """The group of an operation: what its path is about, unless the row says it."""
    if row.tag:
        return _BY_NAME[row.tag]
    fixed = [part for part in row.path.split("/") if part and not part.startswith("{")]
    if "change-requests" in fixed and "content" in fixed and not {"links", "backlinks"} & {*fixed}:
        return _BY_NAME["change-request-content"]
    ordered = [part for part in _FIRST if part in fixed] + fixed[::-1]
    return next(
        (_OF[part] for part in ordered if part in _OF), _BY_NAME["organizations" if "orgs" in fixed else "general"]
    )


_OF = {word: group for group in GROUPS for word in group.words}
