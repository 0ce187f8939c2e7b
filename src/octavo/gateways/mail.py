"""Mail out of the house: one letter over SMTP, encrypted on the way as the settings say."""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP as POLICY
from email.utils import format_datetime, parseaddr
from typing import Protocol

import aiosmtplib as smtp

from octavo.gateways.failures import Failure, Refused, Unreachable, plain
from octavo.kernel.clock import moment
from octavo.kernel.letters import Letter
from octavo.kernel.settings import Settings

SECONDS = 30.0
"""For each answer of the mail server."""
PORTS = {"starttls": 587, "tls": 465, "none": 25}
"""The usual port of each way of encryption."""

_ADDRESS = re.compile(r"[^\s@<>()\[\]\\,;:\"]+@[^\s@<>()\[\]\\,;:\"]+")
_BREAKS = re.compile(r"\s+")


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
        message = composed(letter, self.sender, key=key, now=now)
        try:
            await smtp.send(
                message,
                sender=parseaddr(self.sender)[1],
                recipients=[letter.to],
                hostname=self.host,
                port=self.port,
                username=self.user,
                password=self.password,
                use_tls=self.tls == "tls",
                start_tls=self.tls == "starttls",
                tls_context=self.context,
                timeout=SECONDS,
            )
        except (smtp.SMTPException, OSError, ValueError) as error:
            raise _failure(error, self.host) from None


def mailer(settings: Settings) -> Mailer | None:
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


def composed(letter: Letter, sender: str, *, key: str, now: int) -> EmailMessage:
    """The message as it goes over the wire. Raises Refused for an address that cannot be one."""
    message = EmailMessage(policy=POLICY)
    name, address = parseaddr(sender)
    if not (_ADDRESS.fullmatch(letter.to) and letter.to.isprintable()):
        raise Refused("The letter has no address that mail can be sent to.")
    message["From"] = _address(address, name)
    message["To"] = _address(letter.to)
    # A subject is one line, whatever the titles in it: a break would begin another header.
    message["Subject"] = _BREAKS.sub(" ", plain(letter.subject.strip(), 200))
    message["Date"] = format_datetime(moment(now))
    message["Message-ID"] = f"<{key}@{address.rpartition('@')[2]}>"
    # Nobody wants the answer of a machine to a machine.
    message["Auto-Submitted"] = "auto-generated"
    if letter.unsubscribe is not None:
        message["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
    message.set_content(letter.text)
    if letter.html is not None:
        message.add_alternative(letter.html, subtype="html")
    return message


def _address(address: str, name: str = "") -> Address:
    # Not by `addr_spec`, which takes no letters beyond ASCII.
    user, _, domain = address.rpartition("@")
    return Address(name, user, domain)


def _failure(error: Exception, host: str) -> Failure:
    """What went wrong as a sentence: words of the server only where it has not seen the letter yet."""
    if isinstance(error, smtp.SMTPRecipientsRefused):
        return _failure(error.recipients[0], host)
    if isinstance(error, smtp.SMTPAuthenticationError):
        return Unreachable(f"The mail server {host} does not accept the user and password ({error.code}).")
    if isinstance(error, smtp.SMTPRecipientRefused | smtp.SMTPSenderRefused):
        whom = "recipient" if isinstance(error, smtp.SMTPRecipientRefused) else "sender"
        kind = Refused if error.code >= 500 else Unreachable
        return kind(f"The mail server {host} does not take the {whom}: {error.code} {plain(error.message)}")
    if isinstance(error, smtp.SMTPDataError):
        # A filter may quote what it did not like.
        kind = Refused if error.code >= 500 else Unreachable
        return kind(f"The mail server {host} does not take the letter ({error.code}).")
    if isinstance(error, smtp.SMTPNotSupported):
        return Refused(f"The mail server {host} cannot take such a letter or address.")
    if type(error) is smtp.SMTPException:
        return Unreachable(f"The mail server {host} does not offer the encryption or log-in that the settings ask for.")
    if isinstance(error, ssl.SSLError) or isinstance(error.__cause__, ssl.SSLError):
        return Unreachable(f"No encrypted connection to the mail server {host} comes about.")
    return Unreachable(f"The mail server {host} could not be reached, or broke off.")
