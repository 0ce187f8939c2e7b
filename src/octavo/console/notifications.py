"""The page where a person chooses what she is told of, and how."""

from __future__ import annotations

from octavo.access.caller import Caller
from octavo.console.request import ConsoleRequest
from octavo.kernel.locales import LOCALES, tag
from octavo.kernel.records.notifications import (
    NOTIFICATION_KINDS,
    NotificationEmail,
    NotificationKind,
    NotificationPreference,
)
from octavo.site.notices import preferences
from octavo.store.unit import Unit
from octavo.web.answers import Answer, html, redirect

PLACE = "/account/notifications"
WORDS: dict[NotificationKind, tuple[str, str]] = {
    "review-requested": ("Reviews asked of you", "Somebody asks you, or a team of yours, to review a change request."),
    "review": ("Reviews given", "A change request that you made, or take part in, is reviewed."),
    "mention": ("Mentions", "Somebody names you in a comment, a reply or a review."),
    "reply": ("Replies", "Somebody replies where you commented or replied."),
    "comment": ("Comments", "Somebody comments on a change request or page where you take part."),
    "merged": ("Merges", "A change request that you made, or take part in, is merged."),
    "git-failed": ("Git", "An operation of a space that you administer, or that you ordered, fails."),
}
EMAILS: dict[NotificationEmail, str] = {
    "digest": "together with others",
    "immediate": "at once",
    "off": "not at all",
}


async def show(request: ConsoleRequest, caller: Caller) -> Answer:
    """GET /account/notifications."""
    # Babel is imported with the first page that names languages, not with the server.
    from babel.core import Locale

    user = caller.user.id
    chosen = await request.services.store.read(lambda unit: preferences(unit, [user]))
    kinds = [(kind, *WORDS[kind], chosen[user, kind]) for kind in NOTIFICATION_KINDS]
    page = request.render(
        "notifications.html",
        kinds=kinds,
        emails=list(EMAILS.items()),
        email=caller.user.email,
        mails=request.services.mails,
        languages=[(locale, Locale.parse(tag(locale), sep="-").get_display_name()) for locale in LOCALES],
        language=caller.user.language,
        saved="saved" in request.query,
    )
    return html(200, page)


async def choose(request: ConsoleRequest, caller: Caller) -> Answer:
    """POST /account/notifications."""
    listed = request.fields.get("list", [])
    chosen = [
        NotificationPreference(user=caller.user.id, kind=kind, list=kind in listed, email=_email(request, kind))
        for kind in NOTIFICATION_KINDS
    ]

    language = next((one for one in LOCALES if one == request.typed("language")), None)

    async def work(unit: Unit) -> None:
        await unit.notifications.prefer(chosen)
        await unit.people.change_user(caller.user, language=language)
        await unit.audit.of_account("user.notification-preferences.update", caller.user)

    await request.services.store.write(work, request.provenance)
    return redirect(303, f"{PLACE}?saved=1")


def _email(request: ConsoleRequest, kind: NotificationKind) -> NotificationEmail:
    typed = request.typed(f"email-{kind}")
    return next((one for one in EMAILS if one == typed), "digest")
