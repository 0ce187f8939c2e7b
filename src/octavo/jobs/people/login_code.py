"""Mailing the code that somebody wants to sign in with, if there is such an account."""

from __future__ import annotations

from octavo.access.people.mail import mail
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.clock import MINUTE
from octavo.kernel.letters import Letter
from octavo.kernel.records import Json
from octavo.kernel.records.people import User


async def run(work: Work) -> Json | None:
    """Payload: sealed_email, sealed_code. The record of the job does not tell whether there is such an account."""
    typed, code = (work.tools.unseal(work.job.payload[name]) for name in ("sealed_email", "sealed_code"))
    user = await work.read(lambda unit: unit.people.user_by_email(typed))
    if user is not None and user.deleted_at is None:
        # To the address of the account, whose letters may differ from those that were typed and compare the same.
        until = work.job.created_at + limits.LOGIN_CODE_MINUTES * MINUTE
        event = mail(work.tools.seal, _letter(user, code, work.tools.base, until))
        await work.write(lambda unit: unit.emit(event))
    return None


def _letter(user: User, code: str, base: str, until: int) -> Letter:
    half = len(code) // 2
    text = f"""Your code to sign in to {base}:

    {code[:half]} {code[half:]}

Type it in the browser in which you asked for it. It serves once, for {limits.LOGIN_CODE_MINUTES} minutes.
If you did not ask for it, you need not do anything; never tell it to anybody.
"""
    subject = f"{code[:half]} {code[half:]} is your code to sign in"
    return Letter(to=user.email, subject=subject, text=text, until=until)
