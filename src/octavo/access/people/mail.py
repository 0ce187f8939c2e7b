"""Asking for a letter to be sent: sealed at once, because it may hold a code or an invitation."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from octavo.kernel.events import MailRequested
from octavo.kernel.letters import Occasion


def mail(seal: Callable[[str], str], letter: Occasion, organization: str | None = None) -> MailRequested:
    """What a unit emits to have a letter sent: `unit.emit(mail(signer.seal, Occasion(…), organization.id))`.

    `organization` is whose business it is; None = the installation's, a code to log in for example.
    """
    return MailRequested(organization=organization or "", sealed_letter=seal(msgspec.json.encode(letter).decode()))
