"""Real smart HTTP for tests: `git http-backend` behind a small threaded CGI server."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.threads import answering

ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Ada Lovelace",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_NAME": "Ada Lovelace",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
    "PATH": os.environ.get("PATH", ""),
}


def git(directory: Path, *words: str, stdin: bytes | None = None) -> bytes:
    """Run git there, without the configuration of whoever runs the tests."""
    command = ["git", "-c", "protocol.file.allow=always", *words]
    return subprocess.run(
        command, cwd=directory, env=ENVIRONMENT, input=stdin, capture_output=True, check=True, timeout=60
    ).stdout


def require_git() -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed, so nothing can serve repositories")
    backend = Path(subprocess.run(["git", "--exec-path"], capture_output=True, check=True, text=True).stdout.strip())
    if not (backend / "git-http-backend").exists():
        pytest.skip("git http-backend is not installed, so nothing can serve repositories")


@dataclass
class Served:
    """A running server of the repositories below `root`.

    `password`: `user:password` that every request must carry; `moved`: path prefix -> address to redirect to;
    `pages`: path prefix -> status, content type and body to answer instead of git;
    `asked`: path and authorization of every request.
    """

    root: Path
    port: int = 0
    password: str | None = None
    moved: dict[str, str] = field(default_factory=dict)
    pages: dict[str, tuple[int, str, bytes]] = field(default_factory=dict)
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    lost: int = 0
    """Pushes that are done and whose answers do not arrive."""
    api: Callable[[str, str, Mapping[str, str], bytes], tuple[int, dict[str, str], bytes]] | None = None
    """What answers below /api/ and /2.0/: method, path, headers and body -> status, headers and body."""

    def url(self, name: str, user: str = "") -> str:
        return f"http://{user + '@' if user else ''}127.0.0.1:{self.port}/{name}"


@contextmanager
def serving(root: Path) -> Iterator[Served]:
    served = Served(root)

    class Handler(_Handler):
        state = served

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.port = server.server_address[1]
    with answering(server):
        yield served


class _Handler(BaseHTTPRequestHandler):
    state: Served

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    do_PATCH = do_PUT = do_POST

    def log_message(self, format: str, *args: object) -> None:
        """Tests are silent."""

    def _serve(self, body: bytes) -> None:
        if self.state.api is not None and self.path.startswith(("/api/", "/2.0/")):
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, given, content = self.state.api(self.command, self.path, headers, body)
            self._answer(status, [*given.items()], content)
            return
        sent = self.headers.get("Authorization")
        self.state.asked.append((self.path, sent))
        for prefix, place in self.state.moved.items():
            if self.path.startswith(prefix):
                self._answer(302, [("Location", place + self.path.removeprefix(prefix))], b"")
                return
        for prefix, (status, kind, content) in self.state.pages.items():
            if self.path.startswith(prefix):
                self._answer(status, [("Content-Type", kind)], content)
                return
        wanted = self.state.password
        if wanted is not None and sent != "Basic " + base64.b64encode(wanted.encode()).decode():
            self._answer(401, [("WWW-Authenticate", 'Basic realm="git"')], b"")
            return
        head, _, content = self._run(body).partition(b"\r\n\r\n")
        if self.state.lost and self.path.endswith("/git-receive-pack"):
            self.state.lost -= 1
            self._answer(502, [], b"")
            return
        status = 200
        told: list[tuple[str, str]] = []
        for line in head.decode("latin-1").split("\r\n"):
            name, _, value = line.partition(": ")
            if name.lower() == "status":
                status = int(value.split()[0])
            elif name:
                told.append((name, value))
        self._answer(status, told, content)

    def _run(self, body: bytes) -> bytes:
        parts = urlsplit(self.path)
        environment = {
            **ENVIRONMENT,
            "GIT_PROJECT_ROOT": str(self.state.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": parts.path,
            "QUERY_STRING": parts.query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_ADDR": "127.0.0.1",
        }
        return subprocess.run(
            ["git", "http-backend"], env=environment, input=body, capture_output=True, check=False, timeout=60
        ).stdout

    def _answer(self, status: int, headers: list[tuple[str, str]], content: bytes) -> None:
        try:
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except (BrokenPipeError, ConnectionResetError):
            # A client that has seen enough hangs up; that is what some tests are about.
            self.close_connection = True
