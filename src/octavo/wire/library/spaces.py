"""Spaces: containers of pages and files."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import library as records
from octavo.kernel.records.git import GitSync
from octavo.wire import git
from octavo.wire.content.computed import ComputedSource
from octavo.wire.fields import (
    Body,
    DateTime,
    EditMode,
    Emoji,
    Id,
    Json,
    Language,
    Level,
    Maybe,
    Shape,
    ShownEmoji,
    SpaceTitle,
    SpaceVisibility,
    WebUrl,
    code_points,
    permissions,
    trimmed,
)
from octavo.wire.lists import ListQuery
from octavo.wire.review.merge_rules import INHERIT, MergeRules, SetSpaceRules
from octavo.wire.view import View

PERMISSIONS = (
    "view", "access", "admin", "viewInviteLinks", "edit", "triggerGitSync", "comment", "merge", "review",
    "installIntegration",
)  # fmt: skip
"""The keys of a space's `permissions`."""


class SpaceUrls(Shape, frozen=True):
    location: str
    app: str
    published: Maybe[str] = UNSET
    public: Maybe[str] = UNSET
    icon: Maybe[str] = UNSET


class VisitorAuth(Shape, frozen=True):
    backend: Literal["custom", "integration"]
    integration: Maybe[str] = UNSET


class Space(Shape, tag_field="object", tag="space", frozen=True):
    id: str
    title: str
    emoji: ShownEmoji
    visibility: SpaceVisibility
    created_at: DateTime
    updated_at: DateTime
    organization: str
    revision: str
    default_level: Level | None
    comments: int
    change_requests: int
    change_requests_open: int
    change_requests_draft: int
    merge_rules: MergeRules
    urls: SpaceUrls
    permissions: Annotated[dict[str, bool], permissions(*PERMISSIONS)]
    edit_mode: EditMode
    deleted_at: Maybe[DateTime] = UNSET
    parent: Maybe[str] = UNSET
    language: Maybe[str] = UNSET
    git_sync: Maybe[git.GitInfo] = UNSET
    visitor_auth: Maybe[VisitorAuth] = UNSET


class CreateSpace(Body, frozen=True):
    """At most one of `template`, `computedSource` and `empty: true`."""

    title: Maybe[SpaceTitle] = UNSET
    emoji: Maybe[Emoji] = UNSET
    parent: Maybe[Id] = UNSET
    language: Maybe[Language] = UNSET
    edit_mode: Maybe[EditMode] = UNSET
    template: Maybe[Json] = UNSET
    computed_source: Maybe[ComputedSource] = UNSET
    empty: bool = False

    def __post_init__(self) -> None:
        trimmed(self, "title", 0, limits.SPACE_TITLE_MAX)
        if (self.template is not UNSET) + (self.computed_source is not UNSET) + self.empty > 1:
            raise ValueError("Expected at most one of `template`, `computedSource` and `empty`")


class UpdateSpace(Body, frozen=True):
    """`emoji` and `icon` exclude each other; null in either goes back to the default emoji."""

    title: Maybe[SpaceTitle] = UNSET
    emoji: Maybe[Emoji | None] = UNSET
    icon: Maybe[WebUrl | None] = UNSET
    edit_mode: Maybe[EditMode] = UNSET
    default_level: Maybe[Level | None] = UNSET
    language: Maybe[Language] = UNSET
    merge_rules: Maybe[SetSpaceRules] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", 0, limits.SPACE_TITLE_MAX)
        if self.emoji and self.icon:
            raise ValueError("Expected at most one of `emoji` and `icon`")


class SpacesQuery(ListQuery, frozen=True):
    """`deleted` true lists the deleted spaces that the caller could restore, and no others."""

    deleted: bool = False


class SpaceView(msgspec.Struct, frozen=True):
    """A space with what others decide: the caller's permissions, sites that show it, its Git operation."""

    space: records.Space
    permissions: dict[str, bool]
    visibility: SpaceVisibility = "private"
    published: str | None = None
    """Address under which a published site shows it."""
    public: str | None = None
    """The same, if everybody may go there."""
    git: GitSync | None = None
    visitor_auth: Literal["custom", "integration"] | None = None


def present(shown: SpaceView, view: View) -> Space:
    """The space as the API serves it."""
    space = shown.space
    # By position: a list of spaces is as quick as this is.
    return Space(
        space.id,
        space.title,
        code_points(space.emoji),
        shown.visibility,
        iso(space.created_at),
        iso(space.updated_at),
        space.organization,
        space.revision,
        space.default_level,
        space.comments,
        space.change_requests,
        space.change_requests_open,
        space.change_requests_draft,
        space.merge_rules or INHERIT,
        SpaceUrls(
            f"{view.api}/v1/spaces/{space.id}",
            view.space(space.organization, space.id),
            UNSET if shown.published is None else shown.published,
            UNSET if shown.public is None else shown.public,
            UNSET if space.icon is None else space.icon,
        ),
        shown.permissions,
        space.edit_mode,
        UNSET if space.deleted_at is None else iso(space.deleted_at),
        UNSET if space.parent is None else space.parent,
        UNSET if space.language is None else space.language,
        UNSET if shown.git is None else git.present(shown.git),
        UNSET if shown.visitor_auth is None else VisitorAuth(shown.visitor_auth),
    )
