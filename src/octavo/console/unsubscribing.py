"""Where letters about notifications are ended without signing in, also by mail programs themselves (RFC 8058)."""

from __future__ import annotations

from octavo.console.request import Services
from octavo.kernel.errors import absent
from octavo.kernel.records.notifications import NOTIFICATION_KINDS, NotificationPreference
from octavo.kernel.records.people import User
from octavo.site.notices import preferences
from octavo.store.unit import Provenance, Unit
from octavo.web.answers import Answer, html

BELOW = "/unsubscribe/"


async def show(services: Services, word: str) -> Answer:
    """GET /unsubscribe/{word}: programs that look at links end nothing, a person presses the button."""
    user = await services.store.read(lambda unit: _reader(services, unit, word))
    return html(200, services.pages.render("unsubscribe.html", email=user.email, ended=False, caller=None))


async def end(services: Services, word: str, address: str) -> Answer:
    """POST /unsubscribe/{word}, from a form or from a mail program: nothing is mailed any more, the list stays as it is.

    The word of the letter is the right to do so, so that no session and no word of a form is asked for.
    """

    async def work(unit: Unit) -> User:
        user = await _reader(services, unit, word)
        chosen = await preferences(unit, [user.id])
        mailed = [chosen[user.id, kind] for kind in NOTIFICATION_KINDS if chosen[user.id, kind].email != "off"]
        if mailed:
            await unit.notifications.prefer([_unmailed(one) for one in mailed])
            await unit.audit.of_account("user.notification-preferences.update", user)
        return user

    user = await services.store.write(work, Provenance(None, None, address, source="ui"))
    return html(200, services.pages.render("unsubscribe.html", email=user.email, ended=True, caller=None))


def _unmailed(chosen: NotificationPreference) -> NotificationPreference:
    return NotificationPreference(user=chosen.user, kind=chosen.kind, list=chosen.list, email="off")


async def _reader(services: Services, unit: Unit, word: str) -> User:
    user = await unit.people.user(services.signer.read_unsubscribe(word))
    if user is None or user.deleted_at is not None:
        raise absent("letter", word[:20])
    return user
