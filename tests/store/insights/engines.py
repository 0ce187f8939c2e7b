"""The engines that the same tests run on: DuckDB, and ClickHouse's engine in this process behind a small HTTP front, where
its library is installed (`make clickhouse`). That proves the dialect and the way it is spoken to, not a cluster."""

from __future__ import annotations

import atexit
import re
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from octavo.store.insights.asking import Options
from octavo.store.insights.office import Office

_THERE = find_spec("chdb") is not None
NAMES = (
    "duckdb",
    pytest.param("clickhouse", marks=pytest.mark.skipif(not _THERE, reason="chdb is not installed: make clickhouse")),
)
PRESENT = ("duckdb", *(["clickhouse"] if _THERE else []))
_OURS = ("query", "database", "default_format", "wait_end_of_query")
_USUAL = {"max_execution_time": "0", "max_memory_usage": "0"}
"""What a request has that says nothing of it: settings outlive a request here."""
_CODE = re.compile(rb"Code: (\d+)\.")


class Front(ThreadingHTTPServer):
    """Answers as ClickHouse does over HTTP, as far as Octavo asks: one at a time."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        from chdb.session import Session

        self._folder = tempfile.TemporaryDirectory(prefix="octavo-clickhouse-")
        self._session = Session(self._folder.name)
        self._turn = threading.Lock()
        self._made = 0
        self._now: dict[str, str] = {}
        """Settings as they are."""

    def end(self) -> None:
        self.shutdown()
        self.server_close()
        self._session.close()
        self._folder.cleanup()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def database(self) -> str:
        """The address of a new database."""
        self._made += 1
        name = f"d{self._made}"
        self.answer("", f"CREATE DATABASE {name}", {})
        return f"{self.base}/{name}"

    def answer(self, database: str, sql: str | bytes, said: dict[str, str]) -> bytes:
        with self._turn:
            if database and self._now.get("database") != database:
                self._session.query(f"USE {database}")
                self._now["database"] = database
            parameters = {
                name.removeprefix("param_"): value for name, value in said.items() if name.startswith("param_")
            }
            for name, value in (_USUAL | said).items():
                if name not in _OURS and not name.startswith("param_") and self._now.get(name) != value:
                    self._session.query(f"SET {name} = '{value}'")
                    self._now[name] = value
            found = self._session.query(sql, said.get("default_format", "TabSeparated"), params=parameters)
            made: bytes = found.bytes()
            return made


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Front

    def do_POST(self) -> None:
        said = dict(parse_qsl(urlsplit(self.path).query))
        body = self.rfile.read(int(self.headers["content-length"]))
        sql: Any = body if "query" not in said else said["query"].encode() + b"\n" + body
        try:
            status, answer, code = 200, self.server.answer(said.get("database", ""), sql, said), b""
        except Exception as error:
            status, answer = 500, str(error).encode()
            found = _CODE.search(answer)
            code = found[1] if found else b""
        self.send_response(status)
        self.send_header("content-length", str(len(answer)))
        if code:
            self.send_header("X-ClickHouse-Exception-Code", code.decode())
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""


_fronts: list[Front] = []


def clickhouse() -> str:
    """The address of a new database of ClickHouse's engine; there can be one engine in a process."""
    if not _fronts:
        front = Front()
        threading.Thread(target=front.serve_forever, daemon=True).start()
        _fronts.append(front)
        atexit.register(front.end)  # an engine that is not closed takes the process with it
    return _fronts[0].database()


@contextmanager
def office(name: str, folder: Path, **options: Any) -> Iterator[Office]:
    """An office of one engine over a folder."""
    if name == "clickhouse":
        options.setdefault("clickhouse", clickhouse())
    made = Office(folder, Options(**options))
    yield made
    made.close()
