"""A letter: what is sent to one address by e-mail, and what it is about until it is written."""

from __future__ import annotations

from typing import Literal

import msgspec

from octavo.kernel.records import Json

About = Literal["login-code", "invitation", "notifications", "webhook-off", "trial"]
"""What letters are about; each has its templates in `jobs/people/letters`."""


class Occasion(msgspec.Struct, frozen=True, kw_only=True):
    """What a letter is to tell one address. It may hold secrets, and is stored and logged by nobody in clear."""

    to: str
    """One address, `ada@example.com`."""
    about: About
    told: Json
    """What its templates know besides words, by name."""
    language: str | None = None
    """Of the addressee, `pt-br`; None = the one of the installation."""
    until: int | None = None
    """Milliseconds since 1970 after which it is worth nothing, as a code that has expired: it is not sent any more."""
    unsubscribe: str | None = None
    """Where a POST says that such letters are not wanted; for letters that nobody asked for one by one."""


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """Words for one address, as they are handed to a mail server."""

    to: str
    subject: str
    """One line."""
    text: str
    """The whole letter as plain text."""
    html: str | None = None
    """The same as HTML, whose words are escaped; None = plain text only."""
    unsubscribe: str | None = None
    """See `Occasion`."""
