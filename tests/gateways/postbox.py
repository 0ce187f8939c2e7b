"""A real mail server on a port of its own, which keeps what it is sent."""

from __future__ import annotations

import asyncio
import email
import email.policy
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any, cast

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword


@dataclass
class Postbox:
    """What came, and how the next letters are answered: `refuses[address]` to RCPT, `answer` to the data."""

    messages: list[EmailMessage] = field(default_factory=list)
    encrypted: list[bool] = field(default_factory=list)
    users: list[str] = field(default_factory=list)
    refuses: dict[str, str] = field(default_factory=dict)
    answer: str = "250 OK"
    port: int = 0

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address in self.refuses:
            return self.refuses[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.answer.startswith("250"):
            parsed = email.message_from_bytes(envelope.content, policy=email.policy.default)
            self.messages.append(cast("EmailMessage", parsed))
            self.encrypted.append(server.transport.get_extra_info("ssl_object") is not None)
        return self.answer

    def let_in(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        right = isinstance(data, LoginPassword) and data.password == b"right"
        if right:
            self.users.append(data.login.decode())
        return AuthResult(success=right, handled=False)


@contextmanager
def postbox(
    loop: asyncio.AbstractEventLoop,
    *,
    tls: ssl.SSLContext | None = None,
    starttls: ssl.SSLContext | None = None,
    log_in: bool = False,
) -> Iterator[Postbox]:
    """A server in this loop, encrypted from the first byte (`tls`), on request (`starttls`), or not at all."""
    box = Postbox()

    def serve() -> SMTP:
        return SMTP(
            box,
            hostname="mail.octavo.test",
            enable_SMTPUTF8=True,
            tls_context=starttls,
            require_starttls=starttls is not None,
            auth_require_tls=False,
            authenticator=box.let_in if log_in else None,
            loop=loop,
        )

    server = loop.run_until_complete(loop.create_server(serve, "127.0.0.1", 0, ssl=tls))
    box.port = server.sockets[0].getsockname()[1]
    try:
        yield box
    finally:
        server.close()
        loop.run_until_complete(server.wait_closed())
