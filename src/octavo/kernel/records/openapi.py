"""OpenAPI specifications of organizations, and the versions that were made of them."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Json, Record

ErrorCode = Literal["FETCH_TIMEOUT", "FETCH_ERROR", "PARSE_ERROR"]
ProcessingState = Literal["pending", "progress", "complete"]
SpecVisibility = Literal["private", "public"]


class OpenapiSpec(Record, frozen=True):
    """A specification by its slug; what it says is in its versions."""

    id: str
    organization: str
    slug: str
    created_at: int
    updated_at: int
    source_url: str | None = None
    """Where it is fetched; None for one that was sent as text."""
    source_blob: str | None = None
    """The text that was sent."""
    wanted: int = 0
    """Grows with every source that was named: what was made of an earlier one is worth nothing."""
    visibility: SpecVisibility = "private"
    state: ProcessingState = "pending"
    last_version: str | None = None
    processed_at: int | None = None
    error_code: ErrorCode | None = None
    """Why the last run made nothing."""
    errors: Json | None = None
    """{errors: [{message, code}]}: what the last run found wrong, the first ones."""
    error_count: int = 0
    due_at: int | None = None
    """When it is fetched again; None for one that was sent as text."""


class OpenapiSpecVersion(Record, frozen=True):
    """What a specification said at one time."""

    id: str
    organization: str
    spec: str
    created_at: int
    blob: str
    """The text exactly as it came."""
    size: int
    format: Literal["json", "yaml"]
    document: str
    """The blob of the same as JSON, in today's format."""
    document_size: int
    source_url: str | None = None


class NewestSpec(Record, frozen=True):
    """A specification that has a version, as far as pages need to know it."""

    id: str
    slug: str
    last_version: str
    source_url: str | None = None
