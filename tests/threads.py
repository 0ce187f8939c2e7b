"""Servers of the tests that answer from a thread of this process until the end of a block."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def answering(server: socketserver.BaseServer) -> Iterator[None]:
    """The server answers in the block; at its end it is closed, and its thread is over."""
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
