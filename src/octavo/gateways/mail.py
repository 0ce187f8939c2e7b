"""Mail out of the house: who sends letters, as the settings say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from octavo.kernel.letters import Letter
from octavo.kernel.settings import Settings

if TYPE_CHECKING:
    import ssl

PORTS = {"starttls": 587, "tls": 465, "none": 25}
"""The usual port of each way of encryption."""


class Mailer(Protocol):
    """Who sends letters."""

    async def send(self, letter: Letter, *, key: str, now: int) -> None:
        """Hand one letter over; `key` names it, so that mail systems know one that comes twice. `now`: milliseconds.

        Raises Refused when it will never be taken, Unreachable when trying again may help; no sentence holds a word of
        the letter.
        """


@dataclass(frozen=True)
class Smtp:
    """A mail server that takes letters for everybody."""

    host: str
    port: int
    sender: str
    """As in a From line: `Docs <docs@example.com>`."""
    tls: str = "starttls"
    """starttls: the server has to offer it; tls: from the first byte; none."""
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    context: ssl.SSLContext | None = field(default=None, repr=False)
    """Which certificates are believed; None = those of the machine."""

    async def send(self, letter: Letter, *, key: str, now: int) -> None:
        """See `Mailer`."""
        # Imported with the first letter: most processes send none.
        from octavo.gateways.smtp import hand_over

        await hand_over(
            letter,
            self.sender,
            key=key,
            now=now,
            host=self.host,
            tls_context=self.context,
            **self._connection,
        )

    async def greet(self) -> None:
        """Whether it would take letters: connect, encrypt and log in. Raises as `send` does."""
        from octavo.gateways.smtp import greet

        await greet(host=self.host, context=self.context, **self._connection)

    @property
    def _connection(self) -> dict[str, Any]:
        return {
            "port": self.port,
            "username": self.user,
            "password": self.password,
            "use_tls": self.tls == "tls",
            "start_tls": self.tls == "starttls",
        }


def mailer(settings: Settings) -> Smtp | None:
    """Who sends letters by these settings; None = nobody, because no mail server is set."""
    if settings.smtp_host is None or settings.mail_from is None:
        return None
    return Smtp(
        host=settings.smtp_host,
        port=settings.smtp_port or PORTS[settings.smtp_tls],
        sender=settings.mail_from,
        tls=settings.smtp_tls,
        user=settings.smtp_user,
        password=settings.smtp_password,
    )
