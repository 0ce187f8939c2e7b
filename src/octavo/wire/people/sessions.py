"""Browsers of the caller, and her password."""

from __future__ import annotations

from octavo.kernel.clock import iso
from octavo.kernel.records.people import Proof, Session
from octavo.wire.fields import Body, DateTime, Located, Shape
from octavo.wire.view import View


class UserSession(Shape, tag_field="object", tag="user-session", frozen=True):
    """`current` is the browser that asks."""

    id: str
    how: Proof
    current: bool
    created_at: DateTime
    last_used_at: DateTime
    expires_at: DateTime
    urls: Located


class SetPassword(Body, frozen=True):
    """The password that holds, and the one that shall."""

    current: str
    password: str


class SessionView(Shape, frozen=True):
    """A session, and whether it is the one that asks."""

    record: Session
    current: bool


def present(one: SessionView, view: View) -> UserSession:
    """Never the word of its cookie, nor what is kept of it."""
    it = one.record
    return UserSession(
        id=it.id,
        how=it.how,
        current=one.current,
        created_at=iso(it.created_at),
        last_used_at=iso(it.used_at),
        expires_at=iso(it.expires_at),
        urls=Located(view.location("user", "sessions", it.id)),
    )
