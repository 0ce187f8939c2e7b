"""Writing down a log-in that failed, if there is such an account: here, so that no answer takes longer for one."""

from __future__ import annotations

from octavo.jobs.work import Work
from octavo.kernel.records import Json
from octavo.store.unit import Provenance, Unit


async def run(work: Work) -> Json | None:
    """Payload: sealed_email, how, address, agent. What was typed is not kept; it may be anything, a password too."""
    payload = work.job.payload
    typed = work.tools.unseal(payload["sealed_email"])
    whence = Provenance(address=payload["address"], agent=payload["agent"], request=work.job.id, source="ui")

    async def note(unit: Unit) -> None:
        user = await unit.people.user_by_email(typed)
        if user is not None and user.deleted_at is None:
            details = {"how": payload["how"]}
            at = work.job.created_at
            await unit.audit.of_account("user.login-failed", user, details=details, occurred_at=at, anonymous=True)

    await work.write(note, whence=whence)
    return None
