"""A local web server whose answers a test writes as functions."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

Page = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Site:
    """`pages`: path -> function that answers; `asked`: method, path, headers (lower case) and body of each."""

    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)
    port: int = 0
    released: threading.Event = field(default_factory=threading.Event)
    scheme: str = "http"

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"

    def put(self, path: str, body: bytes = b"", status: int = 200, **headers: str) -> None:
        def page(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)

        self.pages[path] = page


def start(tls: ssl.SSLContext | None = None) -> tuple[Site, Callable[[], None]]:
    site = Site(scheme="https" if tls else "http")

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            site.asked.append((self.command, self.path, headers, body))
            try:
                site.pages[self.path](self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        do_GET = do_POST = do_HEAD = _serve

        def log_message(self, format: str, *args: object) -> None:
            """Tests are silent."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """A refused handshake is what a test may be about."""

    server = Server(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()

    def stop() -> None:
        site.released.set()
        server.shutdown()
        server.server_close()
        thread.join()

    return site, stop


@pytest.fixture
def site() -> Iterator[Site]:
    running, stop = start()
    yield running
    stop()


@pytest.fixture
def other() -> Iterator[Site]:
    running, stop = start()
    yield running
    stop()
