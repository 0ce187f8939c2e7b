"""Records of what users are told, and of what they want to be told of."""

from __future__ import annotations

from typing import Literal, get_args

from octavo.kernel.records import Record

NotificationKind = Literal["review-requested", "review", "mention", "reply", "comment", "merged", "git-failed"]
NOTIFICATION_KINDS: tuple[NotificationKind, ...] = get_args(NotificationKind)
"""Who is told of one happening for two reasons is told for the first of them."""
NotificationEmail = Literal["off", "digest", "immediate"]


class Notification(Record, frozen=True):
    """What one user is told of."""

    id: str
    organization: str
    user: str
    kind: NotificationKind
    happening: str
    """What it tells of; nobody is told of one thing twice."""
    created_at: int
    space: str
    actor: str | None = None
    """Who did it; None = nobody in particular."""
    change_request: str | None = None
    comment: str | None = None
    reply: str | None = None
    review: str | None = None
    message: str | None = None
    """Why something failed."""
    listed: bool = True
    """False = it is only mailed."""
    read_at: int | None = None
    mail: Literal["digest", "immediate"] | None = None
    """How a letter about it is still to go out; None = none is, or it has gone."""


class NotificationPreference(Record, frozen=True):
    """How a user is told of one kind of thing; where nothing was chosen, these defaults hold."""

    user: str
    kind: NotificationKind
    list: bool = True
    email: NotificationEmail = "digest"
