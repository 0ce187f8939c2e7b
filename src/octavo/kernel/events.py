"""Events: what happened, past tense, written in the transaction that made it happen; jobs react later."""

from __future__ import annotations

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """The base of all events; `version` of the shape is part of the tag when it changes."""

    organization: str


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


class GitImportRequested(Event, frozen=True, kw_only=True, tag="git_import_requested"):
    """An import was accepted; `payload` is sealed where it holds credentials."""

    space: str
    payload: dict[str, object]
    user: str | None = None


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
    """Somebody named content by its address, and waits for what is in it."""

    source: str
    """How it is read: website, docx, …"""
    sealed_url: str
    """It may hold credentials."""
    user: str | None = None


class SpaceChanged(Event, frozen=True, kw_only=True, tag="space_changed"):
    """Title, access or place of a space changed, or it came to be."""

    space: str


class SpaceDeleted(Event, frozen=True, kw_only=True, tag="space_deleted"):
    """A space was deleted; unless it is restored, it is removed when its days are over."""

    space: str
    deleted_at: int


class CollectionChanged(Event, frozen=True, kw_only=True, tag="collection_changed"):
    """A collection came, went, moved, or changed its title or access."""

    collection: str


class SiteChanged(Event, frozen=True, kw_only=True, tag="site_changed"):
    """A site, or what it shows, changed."""

    site: str


class PdfWanted(Event, frozen=True, kw_only=True, tag="pdf_wanted"):
    """Somebody waits for a PDF of content."""

    order: dict[str, object]
    """A `history.pdfs.Order`."""
    blob: str
    """What the PDF will be called: who waits for the same one waits for the same job."""
    user: str | None = None
