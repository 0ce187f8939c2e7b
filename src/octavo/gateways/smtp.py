"""A letter over SMTP: composed as a message, handed to the mail server, encrypted on the way as the settings say."""

from __future__ import annotations

import re
import ssl
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP as POLICY
from email.utils import format_datetime, parseaddr
from typing import Any

import aiosmtplib as smtp

from octavo.gateways.failures import GatewayFailure, Refused, Unreachable, plain, untrusted
from octavo.kernel.clock import moment
from octavo.kernel.letters import Letter

SECONDS = 30.0
"""For each answer of the mail server."""

_ADDRESS = re.compile(r"[^\s@<>()\[\]\\,;:\"]+@[^\s@<>()\[\]\\,;:\"]+")
_BREAKS = re.compile(r"\s+")


async def hand_over(letter: Letter, sender: str, *, key: str, now: int, host: str, **connection: Any) -> None:
    """Send one letter as `Mailer.send` does; `connection` is what aiosmtplib's `send` needs to know of the server."""
    message = composed(letter, sender, key=key, now=now)
    try:
        await smtp.send(
            message,
            sender=parseaddr(sender)[1],
            recipients=[letter.to],
            hostname=host,
            timeout=SECONDS,
            **connection,
        )
    except (smtp.SMTPException, OSError, ValueError) as error:
        raise _failure(error, host) from None


async def greet(*, host: str, context: Any = None, **connection: Any) -> None:
    """Connect and log in as for a letter, and send none. Raises as `hand_over` does."""
    try:
        async with smtp.SMTP(hostname=host, timeout=SECONDS / 3, tls_context=context, **connection):
            pass
    except (smtp.SMTPException, OSError, ValueError) as error:
        raise _failure(error, host) from None


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
        # RFC 8058: mail programs show a button, and post there themselves.
        message["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(letter.text)
    if letter.html is not None:
        message.add_alternative(letter.html, subtype="html")
    return message


def _address(address: str, name: str = "") -> Address:
    # Not by `addr_spec`, which takes no letters beyond ASCII.
    user, _, domain = address.rpartition("@")
    return Address(name, user, domain)


def _failure(error: Exception, host: str) -> GatewayFailure:
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
    if (why := untrusted(error)) is not None:
        return Unreachable(f"The certificate of the mail server {host} is not valid: {why}.")
    if isinstance(error, ssl.SSLError) or isinstance(error.__cause__, ssl.SSLError):
        return Unreachable(f"No encrypted connection to the mail server {host} comes about.")
    return Unreachable(f"The mail server {host} could not be reached, or broke off.")
