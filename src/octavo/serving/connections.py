"""Connections of clients: each gets so many bytes and so much time for what it asks, and an answer at the end of all."""

from __future__ import annotations

import asyncio
import enum
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

HEAD_MAX = 64 << 10
"""Bytes of the first line and the headers of a request."""
HEAD_SECONDS = 20.0
"""From the first byte of a request, or from the connection, until its headers are there."""
BODY_SECONDS = 30.0
"""For a body, beside what its size allows."""
BODY_LEAST = 4 << 10
"""Bytes a second at which a body has to arrive on average."""
STALLED_SECONDS = 120.0
"""For which a client may take nothing of an answer."""
UNREAD_SECONDS = 5.0
"""For which what is left of a body is taken after it was answered."""
LAST_SECONDS = 1.0
"""For which a connection without a request is kept when the server ends: one may be on its way."""
_LOOK = 5.0
"""Seconds between two looks at a body that arrives."""


class _Stage(enum.Enum):
    IDLE = enum.auto()
    """Nothing of a request that is not there whole."""
    HEAD = enum.auto()
    BODY = enum.auto()


class Connection(HttpToolsProtocol):
    """One connection."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._stage = _Stage.IDLE
        self._arrived = 0
        """Bytes of the head, or of the body, that came after those with which it began."""
        self._since = self._waited = 0.0
        self._ending = False
        self._last = False
        """Whether it is closed when the body has ended."""
        self._timer: asyncio.TimerHandle | None = None
        self._wanted: tuple[float, Any] | None = None
        """What the timer is to be: seconds, and what then happens."""
        self._feeding = self._changed = False
        """Whether bytes are being read, at the end of which the timer is set: most requests are there whole and need none."""
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._arm(HEAD_SECONDS, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        if self._stalled is not None:
            self._stalled.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self._stage
        self._feeding = True
        super().data_received(data)
        self._feeding = False
        if self._changed:
            self._set()
        if self._stage is not before:
            return
        self._arrived += len(data)
        # The parser tells of a header when it has ended; one that does not end is counted by what arrives of it.
        if self._stage is _Stage.HEAD and self._arrived > HEAD_MAX and not self.transport.is_closing():
            self._refuse(431)

    def on_message_begin(self) -> None:
        self._stage, self._arrived = _Stage.HEAD, 0
        self._arm(HEAD_SECONDS, self._late)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if self.transport.is_closing():
            return
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > HEAD_MAX:
            self._refuse(431)
            return
        self._stage = _Stage.BODY
        self._since, self._arrived, self._waited = self.loop.time(), 0, 0.0
        self._arm(_LOOK, self._look)
        super().on_headers_complete()
        if not self.cycle.keep_alive:
            self.cycle.transport = _Last(self)  # type: ignore[assignment]
        if self._ending:
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        if not self.transport.is_closing():
            self._stage = _Stage.IDLE
            self._disarm()
            super().on_message_complete()
            if self._last:
                self.transport.close()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._stage is _Stage.BODY and not self.transport.is_closing():
            self._arm(UNREAD_SECONDS, self.transport.close)

    def close_behind(self) -> None:
        """Close behind the last request: what is left of its body is taken first, as a client that sends is told of a reset
        where it has not read the answer yet."""
        self._last = self._stage is _Stage.BODY
        if not self._last:
            self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        super().resume_writing()

    def shutdown(self) -> None:
        """The server ends: what was asked is answered, and so is what is asked within a moment."""
        self._ending = True
        if self.cycle is not None and not self.cycle.response_complete:
            super().shutdown()
        elif self._stage is not _Stage.HEAD:
            self._arm(LAST_SECONDS, self.transport.close)

    def _look(self) -> None:
        """Whether the body arrives fast enough; the time in which nobody read it is not the client's."""
        if self.flow.read_paused:
            self._waited += _LOOK
        elif self.loop.time() - self._since - self._waited > BODY_SECONDS + self._arrived / BODY_LEAST:
            self._late()
            return
        self._arm(_LOOK, self._look)

    def _late(self) -> None:
        """The request did not arrive in its time; where an answer is on its way nothing can be said in between."""
        answering = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        if answering or (self._stage is _Stage.BODY and self.cycle.response_complete):
            self.transport.close()
        else:
            self._refuse(408)

    def _refuse(self, status: int) -> None:
        sentence = HTTPStatus(status).phrase.encode()
        lines = [STATUS_LINE[status], b"content-type: text/plain; charset=utf-8\r\n", b"connection: close\r\n"]
        self.transport.write(b"".join((*lines, b"content-length: %d\r\n\r\n" % len(sentence), sentence)))
        self.transport.close()

    def _arm(self, seconds: float, then: Any) -> None:
        self._wanted, self._changed = (seconds, then), True
        if not self._feeding:
            self._set()

    def _disarm(self) -> None:
        self._wanted, self._changed = None, True
        if not self._feeding:
            self._set()

    def _set(self) -> None:
        self._changed = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._wanted is not None:
            self._timer = self.loop.call_later(*self._wanted)


class _Last:
    """The transport of a request behind which the client wants its connection closed."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection.transport, name)

    def close(self) -> None:
        self._connection.close_behind()
