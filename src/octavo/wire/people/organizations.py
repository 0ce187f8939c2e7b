"""Organizations: what owns everything else."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, field

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import people as records
from octavo.wire.fields import (
    Body,
    DateTime,
    EmailDomain,
    Id,
    Json,
    Maybe,
    OrganizationHostname,
    OrganizationTitle,
    Role,
    Shape,
    WebUrl,
    maybe,
    permissions,
    trimmed,
)
from octavo.wire.lists import ListQuery
from octavo.wire.review.merge_rules import NONE, MergeRules, SetOrganizationRules
from octavo.wire.view import View

PERMISSIONS = (
    "view", "access", "admin", "ownTeam", "createContent", "createOpenAPISpec", "ingestConversations", "viewBilling",
    "listMembers", "listTeams", "listIntegrations", "listInstallations", "installIntegration",
)  # fmt: skip
"""The keys of an organization's `permissions`."""

UseCase = Literal[
    "internalDocs", "docsSite", "audienceControlledSite", "productDocs", "teamKnowledgeBase", "designSystem",
    "openSourceDocs", "notes", "other",
]  # fmt: skip
EmailDomains = Annotated[list[EmailDomain], Meta(max_length=limits.EMAIL_DOMAINS_MAX)]
CommunityType = Literal["nonProfit", "openSource", "education"]


class Price(Shape, frozen=True):
    monthly: int = 0
    yearly: int = 0


class MemberPricing(Shape, frozen=True):
    plus: Price = field(name="plus_2024", default=Price())
    pro: Price = field(name="pro_2024", default=Price())


class SitePricing(Shape, frozen=True):
    premium: Price = Price()
    ultimate: Price = Price()


class Pricing(Shape, frozen=True):
    members: MemberPricing = MemberPricing()
    sites: SitePricing = SitePricing()


class Billing(Shape, frozen=True):
    """Nothing is billed: whatever an installation has is included. Clients read every key."""

    interval: Literal["monthly", "yearly"] = "yearly"
    end_date: DateTime | None = None
    has_payment_failed: bool = False
    is_scheduled_to_cancel: bool = False
    pricing: Pricing = Pricing()
    usage_addons: dict[str, Json] = {}
    can_checkout: bool = False
    can_change_interval: bool = False
    can_use_saml: bool = field(name="canUseSAML", default=True)
    credits_bundle: None = None
    ai_credit_alert_threshold: None = None


class Trial(Shape, frozen=True):
    status: Literal["notapplicable", "none", "active", "ended", "expired"] = "notapplicable"
    count: int = 0
    end_date: Maybe[DateTime] = UNSET
    decision: Maybe[Literal["downgrade"]] = UNSET


class DefaultContent(Shape, frozen=True):
    """What the organization's hostname shows at its root."""

    site: Id
    type: Literal["site"] = "site"


class Blocked(Shape, frozen=True):
    reason: str


class BillingMigration(Shape, frozen=True):
    deadline: DateTime
    discount_percent: int
    discount_end_date: DateTime


class OrganizationUrls(Shape, frozen=True):
    location: str
    app: str
    logo: Maybe[str] = UNSET


class Organization(Shape, tag_field="object", tag="organization", frozen=True):
    id: str
    title: str
    created_at: DateTime
    email_domains: list[str]
    default_role: Role | None
    """Null for guests."""
    sso: bool
    ai: bool
    invite_links: bool
    merge_rules: MergeRules
    urls: OrganizationUrls
    permissions: Annotated[dict[str, bool], permissions(*PERMISSIONS)]
    type: Literal["business", "community"] = "business"
    plan: str = "enterprise_2024"
    billing: Billing = Billing()
    trial: Trial = Trial()
    hostname: Maybe[str] = UNSET
    use_case: Maybe[str] = UNSET
    community_type: Maybe[str] = UNSET
    default_content: Maybe[DefaultContent] = UNSET
    custom_hostname: Maybe[str] = UNSET
    blocked: Maybe[Blocked] = UNSET
    internal_billing_migration: Maybe[BillingMigration] = field(name="internal_billingMigration", default=UNSET)
    internal_is_on_new_trial: bool = field(name="internal_isOnNewTrial", default=True)


class DomainOrganizations(Shape, frozen=True):
    """Organizations for a domain of addresses."""

    organizations: list[Organization]


class SubdomainTarget(Shape, frozen=True):
    organization: str
    type: Literal["organization"] = "organization"


class Subdomain(Shape, tag_field="object", tag="subdomain", frozen=True):
    """Whose hostname a word is."""

    subdomain: str
    target: SubdomainTarget
    is_active: bool
    """The organization is not deleted."""


class OrganizationsQuery(ListQuery, frozen=True):
    """`deleted` lists those of the caller's that can be restored instead."""

    deleted: bool = False


class CreateOrganization(Body, frozen=True):
    title: OrganizationTitle
    email_domains: Maybe[EmailDomains] = UNSET
    onboarding_preferences: Maybe[Json] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", limits.ORGANIZATION_TITLE_MIN, limits.ORGANIZATION_TITLE_MAX)


class UpdateOrganization(Body, frozen=True):
    title: Maybe[OrganizationTitle] = UNSET
    email_domains: Maybe[EmailDomains] = UNSET
    hostname: Maybe[OrganizationHostname] = UNSET
    default_role: Maybe[Role | None] = UNSET
    default_content: Maybe[DefaultContent | None] = UNSET
    logo: Maybe[WebUrl | None] = UNSET
    sso: Maybe[bool] = UNSET
    ai: Maybe[bool] = UNSET
    invite_links: Maybe[bool] = UNSET
    merge_rules: Maybe[SetOrganizationRules] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", limits.ORGANIZATION_TITLE_MIN, limits.ORGANIZATION_TITLE_MAX)


class OrganizationView(msgspec.Struct, frozen=True):
    organization: records.Organization
    permissions: dict[str, bool]


def present_subdomain(organization: records.Organization, view: View) -> Subdomain:
    """What an organization's hostname leads to."""
    target = SubdomainTarget(organization.id)
    return Subdomain(organization.hostname or "", target, organization.deleted_at is None)


def present(shown: OrganizationView, view: View) -> Organization:
    """The organization as the API serves it."""
    organization = shown.organization
    content = organization.default_content
    return Organization(
        id=organization.id,
        title=organization.title,
        created_at=iso(organization.created_at),
        email_domains=organization.email_domains,
        default_role=organization.default_role,
        sso=organization.sso,
        ai=organization.ai,
        invite_links=organization.invite_links,
        merge_rules=organization.merge_rules or NONE,
        urls=OrganizationUrls(
            view.location("orgs", organization.id), view.organization(organization.id), maybe(organization.logo)
        ),
        permissions=shown.permissions,
        hostname=maybe(organization.hostname),
        use_case=maybe(organization.use_case),
        community_type=maybe(organization.community_type),
        default_content=UNSET if content is None else DefaultContent(content),
    )
