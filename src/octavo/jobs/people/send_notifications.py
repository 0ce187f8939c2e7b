"""Letters about what users were told: one digest after a quiet time, or at once where somebody wants that."""

from __future__ import annotations

from functools import partial

from octavo.access.caller import person_of
from octavo.access.people.mail import mail
from octavo.jobs.people.digest import digest
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.clock import MINUTE
from octavo.kernel.events import UsersNotified
from octavo.kernel.records import Json
from octavo.site.notices import show, visible
from octavo.store.people.notifications import Mail, Waiting
from octavo.store.unit import Unit
from octavo.wire.view import View

QUIET = limits.NOTIFICATION_QUIET_MINUTES * MINUTE
LONGEST = limits.NOTIFICATION_WAIT_MINUTES * MINUTE


async def run(work: Work) -> Json:
    """Payload: immediate. Writes to everybody whose time has come; result: letters, how many."""
    which: Mail = "immediate" if work.job.payload["immediate"] else "digest"
    waiting = await work.read(lambda unit: unit.notifications.waiting(which))
    now = work.store.clock()
    letters = 0
    for one in waiting:
        if _due(which, one) <= now:
            letters += await work.write(partial(_write_to, work=work, which=which, one=one))
    await work.write(partial(_go_on, which=which))
    return {"letters": letters}


def _due(which: Mail, one: Waiting) -> int:
    """When somebody is to be written to: after a quiet time, but not too late."""
    return one.newest if which == "immediate" else min(one.newest + QUIET, one.oldest + LONGEST)


async def _write_to(unit: Unit, *, work: Work, which: Mail, one: Waiting) -> int:
    """Ask for the letter, and note that, in one unit: nothing is told twice or lost."""
    told = await unit.notifications.to_mail(which, one.user, one.newest)
    await unit.notifications.mailed(which, one.user, one.newest)
    user = await unit.people.user(one.user)
    # An address that nobody has shown to be hers may be somebody else's.
    if user is None or user.deleted_at is not None or not user.email_verified or work.tools.mailer is None:
        return 0
    spaces = await unit.spaces.by_ids({notification.space for notification in told})
    seen = await visible(unit, await person_of(unit, user), spaces)
    shown = await show(unit, [notification for notification in told if notification.space in seen], seen)
    if not shown:
        return 0
    base = work.tools.base
    signer = work.tools.signer
    assert signer is not None  # the composition root gives one
    unsubscribe = f"{base}/unsubscribe/{signer.write_unsubscribe(user.id)}"
    await unit.emit(mail(work.tools.seal, digest(user, shown, View(api=base, app=base), unsubscribe)))
    return 1


async def _go_on(unit: Unit, *, which: Mail) -> None:
    """Look again when the next one's time has come."""
    waiting = await unit.notifications.waiting(which)
    if waiting:
        next_ = min(_due(which, one) for one in waiting)
        await unit.emit(UsersNotified(immediate=which == "immediate", delay=max(0, next_ - unit.now)))
