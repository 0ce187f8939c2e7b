"""What a letter tells that says what happened: who did what, how the words begin, and where to look."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.kernel import limits
from octavo.kernel.letters import Occasion
from octavo.kernel.records import Json
from octavo.kernel.records.people import User
from octavo.wire.people.notifications import NotificationView, address
from octavo.wire.view import View


def digest(user: User, shown: Sequence[NotificationView], view: View, unsubscribe: str) -> Occasion:
    """A letter to a user about at least one thing; they are told from newest to oldest."""
    told = [_entry(one, view) for one in shown[: limits.DIGEST_MAX]]
    values = {"entries": told, "more": len(shown) - len(told), "choose": view.notifications()}
    return Occasion(to=user.email, about="notifications", told=values, language=user.language, unsubscribe=unsubscribe)


def _entry(shown: NotificationView, view: View) -> Json:
    """`told` names the sentence, "{who} commented on {what}"; `what` is "#3 Birds (Handbook)" or a space."""
    told, request = shown.notification, shown.change_request
    where = shown.space.title if request is None else f"#{request.number} {request.subject} ({shown.space.title})"
    return {
        "told": (shown.review or "review") if told.kind == "review" else told.kind,
        "who": shown.actor.name if shown.actor else None,
        "what": _line(where),
        "words": _line(shown.words or told.message or ""),
        "link": address(shown, view),
    }


def _line(words: str) -> str:
    return " ".join(words.split())
