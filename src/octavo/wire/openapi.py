"""OpenAPI specifications and their versions: what is taken, and what is served."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import openapi as records
from octavo.wire.fields import Body, DateTime, Located, Maybe, Shape, WebUrl, matching, maybe, permissions
from octavo.wire.view import View

SPEC_SLUG = "^[a-z0-9]+(?:-[a-z0-9]+)*"
Slug = Annotated[
    str,
    matching(
        SPEC_SLUG,
        "words of lower-case letters and digits, joined by hyphens",
        min_length=1,
        max_length=limits.OPENAPI_SLUG_MAX,
        description="The word by which pages name the specification: lower-case letters, digits and hyphens",
    ),
]
SpecVisibility = Literal["private", "public"]


class SpecSource(Body, frozen=True):
    """Where the specification comes from: its address, or its text."""

    url: Maybe[Annotated[WebUrl, Meta(description="Where it is fetched, and fetched again every few hours")]] = UNSET
    text: Maybe[Annotated[str, Meta(min_length=1, description="The whole specification, as JSON or YAML")]] = UNSET

    def __post_init__(self) -> None:
        if (self.url is UNSET) == (self.text is UNSET):
            raise ValueError("Expected either `url` or `text`")
        if self.url is not UNSET and "@" in urlsplit(self.url).netloc:
            raise ValueError("Expected an address without user and password - at `$.url`")


class CreateSpec(Body, frozen=True):
    """A slug of the organization, and what it stands for."""

    slug: Slug
    source: SpecSource


class PutSpec(Body, frozen=True):
    """The source that the specification has from now on. The same one again has it read again."""

    source: SpecSource


class UpdateSpec(Body, frozen=True):
    """Who may read it."""

    visibility: Annotated[
        SpecVisibility, Meta(description="`public` gives it an address that anybody may fetch it from")
    ]


class ProcessingError(Shape, frozen=True):
    """Something that is not as it should be."""

    message: Annotated[str, Meta(description="A sentence for people")]
    code: Annotated[str, Meta(description="What kind of mistake it is, for programs")]


class SpecUrls(Shape, frozen=True):
    """Where the specification is."""

    location: str
    app: str
    published: Maybe[str] = UNSET


class OpenAPISpec(Shape, tag_field="object", tag="openapi-spec", frozen=True):
    """An API description by its slug, and how it was last read."""

    id: str
    created_at: DateTime
    updated_at: DateTime
    slug: str
    processing_state: Annotated[
        records.ProcessingState,
        Meta(description="`pending` until it is read, `progress` while it is, `complete` when that is over"),
    ]
    visibility: SpecVisibility
    last_processed_error_count: Annotated[int, Meta(ge=0, description="How many mistakes the last run found")]
    permissions: Annotated[dict[str, bool], permissions("view", "edit")]
    urls: SpecUrls
    source_url: Maybe[str] = msgspec.field(name="sourceURL", default=UNSET)
    last_version: Maybe[str] = UNSET
    last_processed_at: Maybe[DateTime] = UNSET
    last_process_error_code: Maybe[
        Annotated[records.ErrorCode, Meta(description="Why the last run made no version")]
    ] = UNSET
    last_processed_errors: Maybe[list[ProcessingError]] = UNSET


class OpenAPISpecVersion(Shape, tag_field="object", tag="openapi-spec-version", frozen=True):
    """What the specification said from one time on."""

    id: str
    created_at: DateTime
    url: Annotated[str, Meta(description="Where its content is")]
    urls: Located


class ContentUrls(Shape, frozen=True):
    """Where the content comes from, and where anybody may fetch it."""

    source: str
    public: str | None


class SpecFile(Shape, frozen=True):
    """A file of a specification; there is one, as what it refers to is in it."""

    dir: str
    is_entrypoint: bool
    references: list[str]
    filename: str
    specification: Annotated[Any, Meta(description="The document as OpenAPI 3")]


class SpecContent(Shape, frozen=True):
    """The specification as its readers parse it."""

    filesystem: list[SpecFile]
    urls: ContentUrls


class SpecText(Shape, frozen=True):
    """The specification exactly as it was sent or fetched."""

    text: str
    format: Literal["json", "yaml"]


class SpecView(msgspec.Struct, frozen=True):
    spec: records.OpenapiSpec
    may_edit: bool


class VersionView(msgspec.Struct, frozen=True):
    spec: records.OpenapiSpec
    version: records.OpenapiSpecVersion


class ContentView(msgspec.Struct, frozen=True):
    """A version with its document, or its text."""

    spec: records.OpenapiSpec
    version: records.OpenapiSpecVersion
    data: bytes


def present(shown: SpecView, view: View) -> OpenAPISpec:
    """The specification as the API serves it."""
    spec = shown.spec
    errors = (spec.errors or {}).get("errors", [])
    return OpenAPISpec(
        id=spec.id,
        created_at=iso(spec.created_at),
        updated_at=iso(spec.updated_at),
        slug=spec.slug,
        processing_state=spec.state,
        visibility=spec.visibility,
        last_processed_error_count=spec.error_count,
        permissions={"view": True, "edit": shown.may_edit},
        urls=SpecUrls(_location(spec, view), view.openapi(spec.organization, spec.slug), maybe(public_url(spec, view))),
        source_url=maybe(spec.source_url),
        last_version=maybe(spec.last_version),
        last_processed_at=UNSET if spec.processed_at is None else iso(spec.processed_at),
        last_process_error_code=maybe(spec.error_code),
        last_processed_errors=[ProcessingError(one["message"], one["code"]) for one in errors] if errors else UNSET,
    )


def public_path(spec: str, slug: str) -> str:
    """The path at which anybody fetches a specification that is public."""
    return f"/~octavo/openapi/{spec}/{slug}"


def public_url(spec: records.OpenapiSpec, view: View) -> str | None:
    """The same as an address; None for a private one, and for one without a version."""
    if spec.visibility != "public" or spec.last_version is None:
        return None
    return view.app + public_path(spec.id, spec.slug)


def _location(spec: records.OpenapiSpec, view: View) -> str:
    return view.location("orgs", spec.organization, "openapi", spec.slug)


def present_version(shown: VersionView, view: View) -> OpenAPISpecVersion:
    """A version as the API serves it."""
    at = f"{_location(shown.spec, view)}/versions/{shown.version.id}"
    return OpenAPISpecVersion(shown.version.id, iso(shown.version.created_at), f"{at}/content", Located(at))


def present_content(shown: ContentView, view: View) -> SpecContent:
    """The document, not read on the way."""
    at = f"{_location(shown.spec, view)}/versions/{shown.version.id}/content"
    file = SpecFile("./", True, [], "openapi.json", msgspec.Raw(shown.data))
    return SpecContent([file], ContentUrls(shown.version.source_url or at, public_url(shown.spec, view)))


def present_text(shown: ContentView, view: View) -> SpecText:
    """The text."""
    return SpecText(shown.data.decode("utf-8-sig", "replace"), shown.version.format)
