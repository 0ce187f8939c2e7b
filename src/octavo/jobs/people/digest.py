"""The letter that tells what happened: plain text, and the same as HTML without pictures, styles or scripts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from octavo.kernel import limits
from octavo.kernel.letters import Letter
from octavo.kernel.records.people import User
from octavo.wire.people.notifications import NotificationView, address
from octavo.wire.view import View

_DID = {
    "review-requested": "asked you to review",
    "mention": "mentioned you in",
    "reply": "replied in",
    "comment": "commented on",
    "merged": "merged",
}
_REVIEWED = {"approved": "approved", "changes-requested": "asked for changes to"}
_WHY = "You get this because you take part in what it tells, or were asked to."


def digest(user: User, shown: Sequence[NotificationView], view: View) -> Letter:
    """A letter to a user about at least one thing; they are told from newest to oldest."""
    told = shown[: limits.DIGEST_MAX]
    more = len(shown) - len(told)
    rest = f"… and {more} more." if more else ""
    where = view.notifications()
    lines = [(sentence(one), one.words or one.notification.message or "", address(one, view)) for one in told]
    subject = lines[0][0] if len(shown) == 1 else f"{len(shown)} notifications: {lines[0][0]}, …"
    text = [f"{said}\n{_quoted(words)}{link}\n" for said, words, link in lines]
    html = [
        f'<li><p><a href="{escape(link)}">{escape(said)}</a></p>'
        + (f"<blockquote>{escape(words)}</blockquote>" if words else "")
        + "</li>"
        for said, words, link in lines
    ]
    foot = f"{_WHY} What you get is chosen at"
    return Letter(
        to=user.email,
        subject=subject,
        unsubscribe=where,
        text="\n".join([*text, *([rest + "\n"] if rest else []), f"-- \n{foot} {where}\n"]),
        html=f"<!doctype html><html><body><ul>{''.join(html)}</ul>"
        + (f"<p>{rest}</p>" if rest else "")
        + f'<p><small>{foot} <a href="{escape(where)}">{escape(where)}</a></small></p></body></html>',
    )


def sentence(shown: NotificationView) -> str:
    """What happened, in one line: "Ada commented on #3 Birds (Handbook)"."""
    told, request = shown.notification, shown.change_request
    who = shown.actor.name if shown.actor else "Somebody"
    if told.kind == "git-failed":
        return _line(f"A Git operation failed in {shown.space.title}")
    did = _REVIEWED.get(shown.review or "", "reviewed") if told.kind == "review" else _DID[told.kind]
    if request is None:
        return _line(f"{who} {did} {shown.space.title}")
    return _line(f"{who} {did} #{request.number} {request.subject} ({shown.space.title})")


def _line(words: str) -> str:
    return " ".join(words.split())


def _quoted(words: str) -> str:
    return f"> {_line(words)}\n" if words else ""
