"""Tables of what users are told: one row for each user and happening, and what each user wants to be told of."""

from __future__ import annotations

from sqlalchemy import Index, PrimaryKeyConstraint, Table

from octavo.store.schema.columns import identity, key, metadata, number, organization, text, where

Table(
    "notifications",
    metadata,
    identity(),
    organization(),
    key("user", "users.id"),
    text("kind", null=False),
    # What it tells of: the id of a comment, a reply, a review, a merge; nobody is told of one thing twice.
    key("happening"),
    number("created_at"),
    key("space", "spaces.id"),
    key("actor", null=True),
    key("change_request", "change_requests.id", null=True),
    key("comment", "comments.id", null=True),
    key("reply", "comment_replies.id", null=True),
    key("review", "reviews.id", null=True),
    text("message"),
    number("listed"),
    number("read_at", null=True),
    # How a letter about it is still to go out; NULL = none is, or it has gone.
    text("mail"),
    Index("notifications_happening", "user", "happening", unique=True),
    Index("notifications_of_user", "user", "created_at", "id"),
    Index("notifications_of_organization", "organization", "created_at"),
    Index("notifications_of_space", "space"),
    where("notifications_of_change_request", "change_request IS NOT NULL", "change_request"),
    where("notifications_of_comment", "comment IS NOT NULL", "comment"),
    where("notifications_of_reply", "reply IS NOT NULL", "reply"),
    where("notifications_of_review", "review IS NOT NULL", "review"),
    where("notifications_to_mail", "mail IS NOT NULL", "mail", "user", "created_at"),
)

Table(
    "notification_preferences",
    metadata,
    key("user", "users.id"),
    text("kind", null=False),
    number("list"),
    text("email", null=False),
    PrimaryKeyConstraint("user", "kind"),
)
