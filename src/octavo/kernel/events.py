"""Events: what happened, past tense, written in the transaction that made it happen; jobs react later."""

from __future__ import annotations

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """The base of all events; `version` of the shape is part of the tag when it changes."""

    organization: str


class UploadAnnounced(Event, frozen=True, kw_only=True, tag="upload_announced"):
    """Somebody was given an address to send a file to."""

    blob: str
    """Where its bytes will lie."""
    size: int
    user: str


class ContentChanged(Event, frozen=True, kw_only=True, tag="content_changed"):
    """The head of a space's primary content moved."""

    space: str
    revision: str


class ChangeRequestMerged(Event, frozen=True, kw_only=True, tag="change_request_merged"):
    """A change request became part of primary content, or had nothing to add to it."""

    space: str
    change_request: str
    revision: str
    """The head of primary content after it."""
    user: str


class ReviewRequested(Event, frozen=True, kw_only=True, tag="review_requested"):
    """Users or teams were asked to review a change request."""

    space: str
    change_request: str
    requested: list[str]
    """Ids of the new requests; who was asked before and has not answered is not among them."""
    user: str


class ReviewSubmitted(Event, frozen=True, kw_only=True, tag="review_submitted"):
    """Somebody reviewed a change request."""

    space: str
    change_request: str
    review: str
    user: str
    mentions: list[str] = []
    """As those of `CommentPosted`, of the comment that came with it."""


class GitOperationFailed(Event, frozen=True, kw_only=True, tag="git_operation_failed"):
    """An import from Git or an export to it came to nothing."""

    space: str
    operation: str
    message: str
    """Why: a sentence without credentials."""
    user: str | None = None
    """Who ordered it."""


class UsersNotified(Event, frozen=True, kw_only=True, tag="users_notified"):
    """Users were told something, and are to be written to about it."""

    organization: str = ""
    immediate: bool
    delay: int = 0
    """Milliseconds until somebody is to be written to."""


class CommentPosted(Event, frozen=True, kw_only=True, tag="comment_posted"):
    """Somebody commented on primary content or on a change request."""

    space: str
    comment: str
    user: str
    change_request: str | None = None
    mentions: list[str] = []
    """Ids of the users whom the text names; what they may see is for whoever tells them to ask."""


class CommentReplied(Event, frozen=True, kw_only=True, tag="comment_replied"):
    """Somebody replied to a comment."""

    space: str
    comment: str
    reply: str
    user: str
    change_request: str | None = None
    mentions: list[str] = []
    """As those of `CommentPosted`."""


class CommentResolved(Event, frozen=True, kw_only=True, tag="comment_resolved"):
    """An open comment was resolved."""

    space: str
    comment: str
    user: str
    change_request: str | None = None


class GitOperationQueued(Event, frozen=True, kw_only=True, tag="git_operation_queued"):
    """A Git operation waits in the queue of its space; its record says what for."""

    space: str
    user: str | None = None
    delay: int = 0
    """Milliseconds until it is due."""


class GitSiteQueued(Event, frozen=True, kw_only=True, tag="git_site_queued"):
    """A Git operation of a site waits, or a step of it: its record says what for."""

    site: str
    user: str | None = None
    delay: int = 0
    """Milliseconds until it is due."""


class GitSitePollDue(Event, frozen=True, kw_only=True, tag="git_site_poll_due"):
    """A site follows a branch, and it is to be looked whether either side changed."""

    site: str
    minutes: int
    """The interval, to which it belongs."""
    delay: int = 0
    """Milliseconds until it is due."""


class GitTryWanted(Event, frozen=True, kw_only=True, tag="git_try_wanted"):
    """Somebody is about to follow a branch, and waits to hear whether the repository is open to the credentials."""

    sealed_url: str
    """It may hold credentials."""
    user: str | None = None


class GitPollDue(Event, frozen=True, kw_only=True, tag="git_poll_due"):
    """A space follows a branch, and it is to be looked whether either side changed."""

    space: str
    minutes: int
    """The interval, to which it belongs."""
    delay: int = 0
    """Milliseconds until it is due."""


class GitBranchDue(Event, frozen=True, kw_only=True, tag="git_branch_due"):
    """The host of a repository is to be told what became of a branch."""

    branch: str
    delay: int = 0
    """Milliseconds until it is due."""


class FilesWanted(Event, frozen=True, kw_only=True, tag="files_wanted"):
    """Somebody named files by their addresses, and waits for their bytes."""

    sealed_urls: str
    """A JSON list: addresses may hold credentials."""
    user: str | None = None


class ContentCopyWanted(Event, frozen=True, kw_only=True, tag="content_copy_wanted"):
    """Spaces are about to be transferred to another organization, and somebody waits for their content to be there."""

    to: str
    spaces: list[str]
    user: str | None = None


class ContentImportRequested(Event, frozen=True, kw_only=True, tag="content_import_requested"):
    """Somebody named content by its address, or sent it, and waits for what is in it."""

    source: str
    """How it is read: website, docx, …"""
    sealed_url: str | None = None
    """It may hold credentials."""
    upload: str | None = None
    """The blob of what was sent instead."""
    user: str | None = None


class ImportRunWanted(Event, frozen=True, kw_only=True, tag="import_run_wanted"):
    """Somebody wants content in a space, and looks for what came of it when it is done."""

    run: str
    sealed_url: str | None = None
    uploads: list[str] = []
    """Blobs of the files that were sent instead."""
    user: str | None = None


class SpaceChanged(Event, frozen=True, kw_only=True, tag="space_changed"):
    """Title, access or place of a space changed, or it came to be."""

    space: str


class OrganizationDeleted(Event, frozen=True, kw_only=True, tag="organization_deleted"):
    """An organization was deleted; unless it is restored, it is removed when its days are over."""

    organization: str = ""
    """Empty: what is to be done of it outlives its rows."""
    deleted: str
    deleted_at: int


class AccountDeleted(Event, frozen=True, kw_only=True, tag="account_deleted"):
    """A user's account was deleted; unless it is restored, it is removed when its days are over."""

    organization: str = ""
    account: str
    deleted_at: int


class SpaceDeleted(Event, frozen=True, kw_only=True, tag="space_deleted"):
    """A space was deleted; unless it is restored, it is removed when its days are over."""

    space: str
    deleted_at: int


class SpaceVisibilityUpdated(Event, frozen=True, kw_only=True, tag="space_visibility_updated"):
    """Others may see a space than before, or it is seen otherwise; told only where somebody listens."""

    space: str
    previous: str
    visibility: str


class CollectionChanged(Event, frozen=True, kw_only=True, tag="collection_changed"):
    """A collection came, went, moved, or changed its title or access."""

    collection: str


class SiteChanged(Event, frozen=True, kw_only=True, tag="site_changed"):
    """A site, or what it shows, changed."""

    site: str


class TranslationWanted(Event, frozen=True, kw_only=True, tag="translation_wanted"):
    """A run of a language of a translation waits."""

    translation: str
    language: str
    user: str | None = None


class TranslationMade(Event, frozen=True, kw_only=True, tag="translation_made"):
    """A run of a translation is over, and its space is as the run wanted it."""

    translation: str
    language: str
    space: str


class SourceChanged(Event, frozen=True, kw_only=True, tag="source_changed"):
    """The primary content of a space changed of which translations follow on their own."""

    space: str


class PageRated(Event, frozen=True, kw_only=True, tag="page_rated"):
    """A visitor said what she thinks of a page, or thinks otherwise now."""

    site: str
    site_space: str
    space: str
    page: str
    revision: str
    """The head of the space's primary content, which she read."""
    feedback: str
    """The id of the record."""
    rating: str
    comment: str | None = None
    """What she said in words this time."""
    visitor: str
    """Names her on this site and tells nobody who she is."""
    url: str
    """Where visitors find the page."""
    agent: str | None = None
    """The program that she reads with, as it says itself."""
    language: str | None = None
    """What it says that she reads, as BCP 47."""


class PageViewed(Event, frozen=True, kw_only=True, tag="page_viewed"):
    """A visitor opened a page of a site."""

    site: str
    site_space: str
    space: str
    page: str
    visitor: str
    """Names her on this site and tells nobody who she is."""
    url: str
    referrer: str = ""
    agent: str | None = None
    language: str | None = None


class GitOperationStarted(Event, frozen=True, kw_only=True, tag="git_operation_started"):
    """An import, an export or both has begun."""

    space: str
    revision: str
    """The head of the space before it."""


class IntegrationPublished(Event, frozen=True, kw_only=True, tag="integration_published"):
    """There is a new version of an integration."""

    integration: str


class IntegrationTold(Event, frozen=True, kw_only=True, tag="integration_told"):
    """An integration is to be told of something, which is written down already."""

    told: str
    """The event, by its id."""
    delay: int = 0
    """Milliseconds."""


class IntegrationRenderWanted(Event, frozen=True, kw_only=True, tag="integration_render_wanted"):
    """Somebody waits for what a component of an integration draws."""

    integration: str
    installation: str
    sealed_payload: str


class IntegrationBlockWanted(Event, frozen=True, kw_only=True, tag="integration_block_wanted"):
    """Pages wait for what a block of an integration shows."""

    integration: str
    installation: str
    key: str
    """Under which it is kept, in hexadecimal."""
    sealed_payload: str


class IntegrationFetchWanted(Event, frozen=True, kw_only=True, tag="integration_fetch_wanted"):
    """Somebody waits for what an integration answers as a whole HTTP answer."""

    integration: str
    installation: str | None
    sealed_payload: str
    """`event`, and in base64 the `body` of the request that it tells of."""


class WebhookDue(Event, frozen=True, kw_only=True, tag="webhook_due"):
    """Something waits to be sent to a webhook."""

    webhook: str
    resource: str
    delay: int = 0
    """Milliseconds."""


class HostnameProofWanted(Event, frozen=True, kw_only=True, tag="hostname_proof_wanted"):
    """Somebody, or the calendar, wants to know whether a hostname is a site's to have."""

    site: str
    hostname: str


class DomainProofWanted(Event, frozen=True, kw_only=True, tag="domain_proof_wanted"):
    """Somebody, or the calendar, wants to know whether a domain of addresses is an organization's."""

    domain: str


class OpenAPISpecWanted(Event, frozen=True, kw_only=True, tag="openapi_spec_wanted"):
    """A specification has a new source, or its address is to be asked again."""

    spec: str


class OpenAPISpecChanged(Event, frozen=True, kw_only=True, tag="openapi_spec_changed"):
    """A specification came, went, says something else, or is for others."""

    slug: str


class MailRequested(Event, frozen=True, kw_only=True, tag="mail_requested"):
    """Somebody is to be written to; `access.mail` makes it."""

    organization: str = ""
    """Empty = the installation's own letter."""
    sealed_letter: str
    """A `kernel.letters.Letter`: it may hold a code or an invitation."""


class ExaminationWanted(Event, frozen=True, kw_only=True, tag="examination_wanted"):
    """An operator wants to know whether the installation is well."""

    organization: str = ""
    user: str


class LoginCodeRequested(Event, frozen=True, kw_only=True, tag="login_code_requested"):
    """Somebody wants to sign in with a code by mail; whether there is such an account, a job finds out."""

    organization: str = ""
    """None's business but the installation's."""
    sealed_email: str
    """What was typed as the address."""
    sealed_code: str


class LoginFailed(Event, frozen=True, kw_only=True, tag="login_failed"):
    """Somebody did not prove who she is; whose account it was, a job finds out."""

    organization: str = ""
    """None's business but the installation's."""
    sealed_email: str
    """What was typed as the address."""
    how: str
    """password or code."""
    address: str
    agent: str | None = None


class ArchiveWanted(Event, frozen=True, kw_only=True, tag="archive_wanted"):
    """Somebody waits for the content of a space as a zip."""

    space: str
    user: str | None = None


class ArchiveImportWanted(Event, frozen=True, kw_only=True, tag="archive_import_wanted"):
    """Somebody waits until an uploaded zip is the content of a space."""

    space: str
    archive: str
    user: str | None = None


class PdfWanted(Event, frozen=True, kw_only=True, tag="pdf_wanted"):
    """Somebody waits for a PDF of content."""

    order: dict[str, object]
    """A `history.pdfs.Order`."""
    blob: str
    """What the PDF will be called: who waits for the same one waits for the same job."""
    user: str | None = None
