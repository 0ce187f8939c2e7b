"""Mailing the code that somebody wants to sign in with, if there is such an account."""

from __future__ import annotations

from octavo.access.people.mail import mail
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.clock import MINUTE
from octavo.kernel.letters import Occasion
from octavo.kernel.records import Json


async def run(work: Work) -> Json | None:
    """Payload: sealed_email, sealed_code. The record of the job does not tell whether there is such an account."""
    typed, code = (work.tools.unseal(work.job.payload[name]) for name in ("sealed_email", "sealed_code"))
    user = await work.read(lambda unit: unit.people.user_by_email(typed))
    if user is not None and user.deleted_at is None:
        # To the address of the account, whose letters may differ from those that were typed and compare the same.
        until = work.job.created_at + limits.LOGIN_CODE_MINUTES * MINUTE
        half = len(code) // 2
        told = {"code": f"{code[:half]} {code[half:]}", "base": work.tools.base, "minutes": limits.LOGIN_CODE_MINUTES}
        letter = Occasion(to=user.email, about="login-code", told=told, language=user.language, until=until)
        event = mail(work.tools.seal, letter)
        await work.write(lambda unit: unit.emit(event))
    return None
