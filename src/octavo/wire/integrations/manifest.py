"""What a published integration says of itself, and its bounds."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, field

from octavo.kernel import limits
from octavo.kernel.records.integrations import IntegrationScope
from octavo.wire.fields import Body, Maybe, WebUrl, line, matching, trimmed

Name = Annotated[
    str,
    matching(
        "^[a-zA-Z0-9-_.]+", "the name of an integration: letters, digits, - _ and .",
        max_length=limits.INTEGRATION_NAME_MAX,
    ),
]  # fmt: skip
Word = Annotated[str, line(limits.INTEGRATION_NAME_MAX, min_length=1)]
"""An id within an integration."""
Title = Annotated[str, line(limits.INTEGRATION_TITLE_MAX, min_length=limits.INTEGRATION_TITLE_MIN)]
PartTitle = Annotated[str, line(limits.INTEGRATION_PART_MAX, min_length=limits.INTEGRATION_PART_MIN)]
PartDescription = Annotated[str, Meta(max_length=limits.INTEGRATION_PART_DESCRIPTION_MAX)]
PropertyTitle = Annotated[str, line(limits.INTEGRATION_PROPERTY_MAX, min_length=limits.INTEGRATION_PROPERTY_MIN)]
PropertyDescription = Annotated[str, Meta(max_length=limits.INTEGRATION_PROPERTY_DESCRIPTION_MAX)]
Category = Literal["analytics", "collaboration", "content", "marketing", "visitor-auth", "gitsync", "other"]
Target = Literal["all", "site", "space", "organization"]
Visibility = Literal["public", "private", "unlisted"]
Directive = Annotated[str, matching(r"^[^;\r\n]*", "the sources of one directive, without ;", max_length=4096)]
Policy = Annotated[str, matching(r"^[^\r\n]*", "one line", max_length=8192)]
_Many = Meta(max_length=limits.INTEGRATION_PARTS_MAX)


class IntegrationBlockMarkdown(Body, frozen=True):
    """How a custom block is written in Markdown: as a code block of a syntax of its own."""

    codeblock: Word
    body: Word
    """The property that the code stands for."""


class IntegrationBlock(Body, frozen=True):
    """A custom block: its id is also the component that draws it."""

    id: Word
    title: PartTitle
    description: Maybe[PartDescription] = UNSET
    icon: Maybe[Annotated[str, Meta(max_length=limits.URL_MAX)]] = UNSET
    url_unfurl: Maybe[Annotated[list[Annotated[str, line(limits.URL_MAX)]], _Many]] = UNSET
    markdown: Maybe[IntegrationBlockMarkdown] = UNSET


class ConfigurationComponent(Body, frozen=True):
    """A component of the integration that asks for the configuration."""

    component_id: Word


class IntegrationContentSource(Body, frozen=True):
    id: Word
    title: PartTitle
    configuration: ConfigurationComponent
    description: Maybe[PartDescription] = UNSET
    icon: Maybe[Annotated[str, Meta(max_length=limits.URL_MAX)]] = UNSET


class _Property(Body, frozen=True, kw_only=True):
    title: Maybe[PropertyTitle] = UNSET
    description: Maybe[PropertyDescription] = UNSET


class TextProperty(_Property, frozen=True, kw_only=True, tag_field="type", tag="string"):
    default: Maybe[str] = UNSET
    completion_url: Maybe[str] = field(name="completion_url", default=UNSET)
    enum: Maybe[list[str]] = UNSET

    def __post_init__(self) -> None:
        if self.enum is not UNSET and self.default is not UNSET and self.default not in self.enum:
            raise ValueError("the default is none of `enum`")


class NumberProperty(_Property, frozen=True, kw_only=True, tag_field="type", tag="number"):
    default: Maybe[float | int] = UNSET


class YesNoProperty(_Property, frozen=True, kw_only=True, tag_field="type", tag="boolean"):
    default: Maybe[bool] = UNSET


class ButtonProperty(_Property, frozen=True, kw_only=True, tag_field="type", tag="button"):
    callback_url: str = field(name="callback_url")
    button_text: str = field(name="button_text")


Property = TextProperty | NumberProperty | YesNoProperty | ButtonProperty


class Configuration(Body, frozen=True):
    """What an integration asks for: either `properties`, of which some are required, or a component that asks itself."""

    properties: Maybe[Annotated[dict[Word, Property], _Many]] = UNSET
    required: Maybe[Annotated[list[Word], _Many]] = UNSET
    component_id: Maybe[Word] = UNSET

    def __post_init__(self) -> None:
        if (self.properties is UNSET) == (self.component_id is UNSET):
            raise ValueError("a configuration has either `properties` or a `componentId`")
        missing = [] if self.required is UNSET else [one for one in self.required if one not in (self.properties or {})]
        if missing:
            raise ValueError(f"`required` names {missing[0]!r}, which is none of the properties")


class Configurations(Body, frozen=True):
    """What it asks for in an organization, on a space and on a site."""

    account: Maybe[Configuration] = UNSET
    space: Maybe[Configuration] = UNSET
    site: Maybe[Configuration] = UNSET


class IntegrationLink(Body, frozen=True):
    url: WebUrl
    label: Annotated[str, line(limits.INTEGRATION_PROPERTY_MAX)]


class SecurityPolicyDirectives(Body, frozen=True, rename="kebab"):
    """A content security policy by its directives."""

    base_uri: Maybe[Directive] = UNSET
    block_all_mixed_content: Maybe[Directive] = UNSET
    child_src: Maybe[Directive] = UNSET
    connect_src: Maybe[Directive] = UNSET
    default_src: Maybe[Directive] = UNSET
    font_src: Maybe[Directive] = UNSET
    form_action: Maybe[Directive] = UNSET
    frame_ancestors: Maybe[Directive] = UNSET
    frame_src: Maybe[Directive] = UNSET
    img_src: Maybe[Directive] = UNSET
    manifest_src: Maybe[Directive] = UNSET
    media_src: Maybe[Directive] = UNSET
    navigate_to: Maybe[Directive] = UNSET
    object_src: Maybe[Directive] = UNSET
    plugin_types: Maybe[Directive] = UNSET
    prefetch_src: Maybe[Directive] = UNSET
    referrer: Maybe[Directive] = UNSET
    report_to: Maybe[Directive] = UNSET
    report_uri: Maybe[Directive] = UNSET
    require_sri_for: Maybe[Directive] = UNSET
    require_trusted_types_for: Maybe[Directive] = UNSET
    sandbox: Maybe[Directive] = UNSET
    script_src: Maybe[Directive] = UNSET
    script_src_attr: Maybe[Directive] = UNSET
    script_src_elem: Maybe[Directive] = UNSET
    style_src: Maybe[Directive] = UNSET
    style_src_attr: Maybe[Directive] = UNSET
    style_src_elem: Maybe[Directive] = UNSET
    trusted_types: Maybe[Directive] = UNSET
    upgrade_insecure_requests: Maybe[Directive] = UNSET
    worker_src: Maybe[Directive] = UNSET


_Picture = Annotated[str, Meta(description="The picture's bytes in base64")]
Secrets = Annotated[
    dict[Word, Annotated[str, Meta(max_length=limits.INTEGRATION_SECRET_MAX)]],
    Meta(max_length=limits.INTEGRATION_SECRETS_MAX, description="Given to the script; kept sealed, and never answered"),
]


class PublishIntegration(Body, frozen=True):
    """All that the integration is afterwards: what is not sent is gone, but for `secrets`, which stay unless others are
    sent. `organization` is an id or a subdomain."""

    organization: Annotated[str, Meta(min_length=1, max_length=256)]
    title: Title
    description: Annotated[str, line(limits.INTEGRATION_DESCRIPTION_MAX)]
    script: Annotated[str, Meta(min_length=1, max_length=limits.INTEGRATION_SCRIPT_MAX)]
    summary: Maybe[Annotated[str, Meta(max_length=limits.INTEGRATION_SUMMARY_MAX)]] = UNSET
    runtime: Literal["v1", "v2"] = "v1"
    icon: Maybe[_Picture] = UNSET
    preview_images: Annotated[list[_Picture], Meta(max_length=limits.INTEGRATION_PREVIEWS_MAX)] = []
    visibility: Visibility = "private"
    target: Target = "all"
    scopes: Annotated[list[IntegrationScope], Meta(max_length=100)] = []
    categories: Annotated[list[Category], Meta(max_length=20)] = []
    blocks: Annotated[list[IntegrationBlock], _Many] = []
    content_sources: Annotated[list[IntegrationContentSource], _Many] = []
    external_links: Annotated[list[IntegrationLink], Meta(max_length=limits.INTEGRATION_LINKS_MAX)] = []
    configurations: Configurations = Configurations()
    secrets: Maybe[Secrets] = UNSET
    content_security_policy: Maybe[Policy | SecurityPolicyDirectives] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", limits.INTEGRATION_TITLE_MIN, limits.INTEGRATION_TITLE_MAX)
        for name, parts in (("blocks", self.blocks), ("contentSources", self.content_sources)):
            ids = [one.id for one in parts]
            if len(set(ids)) < len(ids):
                raise ValueError(f"two of them have the same id - at `$.{name}`")


def plain(value: object) -> object:
    """A part of a manifest as it is kept and answered."""
    return msgspec.to_builtins(value)
