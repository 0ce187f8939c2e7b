"""Events in ClickHouse, over its HTTP interface: each row says which portion of the spool it came with, as there are no
transactions, so that a portion of which nobody knows how far it came is taken back before it comes again."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote, urlsplit

import httpx2
import msgspec

from octavo.kernel.ids import new_id
from octavo.store.insights.asking import FILE, Heavy, Options, Slow
from octavo.store.insights.dialects import ClickhouseDialect, Dialect
from octavo.store.insights.engine import KINDS, REQUIRED, fresh, noted, row
from octavo.store.insights.spool import Portion

_TYPES = {"integer": "Int64", "text": "String", "flag": "Bool"}
_FEW = (
    "organization", "site", "type", "context", "section", "site_space", "space", "revision", "country", "language", "claims",
    "claims_flat", "rating", "device", "browser", "system", "bot",
)  # fmt: skip
"""Texts of which there are not many: they are kept as numbers."""
_PLACE = "writer LowCardinality(String), segment Int64, begin Int64"
"""The portion that a row came with."""
_KEPT = "SETTINGS fsync_after_insert = 1, fsync_part_directory = 1"
_LATE, _LARGE = ("159", "160", "209"), ("241", "158", "307")
"""Codes of what takes too long, and of what takes too much."""
_TAKEN = "taken-"
"""How the name of a file begins that goes into ClickHouse."""
_GRACE = 10.0
"""Seconds that an answer may take longer than the engine's own limit."""
_WRITES = 600.0
"""Seconds for what changes something."""
_LONGEST = str(64 << 20)
"""Bytes of a question: it may name a thousand values, and a portion of the spool many keys."""
_COLUMNS = [*KINDS, "writer", "segment", "begin"]
_SEGMENTS = """
SELECT claims, count() AS events, uniqCombined64(17)(visitor), uniqCombined64(17)(session) FROM events
WHERE organization = {organization:String} AND site = {site:String}
GROUP BY claims ORDER BY events DESC, claims ASC NULLS FIRST LIMIT {limit:UInt64}"""
_log = logging.getLogger("octavo.insights")


class Refused(Exception):
    """ClickHouse does not answer, or says that something is wrong."""


def _fault(reply: httpx2.Response) -> Exception:
    code = reply.headers.get("x-clickhouse-exception-code", "")
    if code in _LATE:
        return Slow()
    return Heavy() if code in _LARGE else Refused(f"ClickHouse says: {reply.text.strip()[:300]}")


def _type(name: str) -> str:
    plain = _TYPES[KINDS[name]]
    wanted = plain if name in REQUIRED else f"Nullable({plain})"
    return f"LowCardinality({wanted})" if name in _FEW else wanted


_SCHEMA = (
    f"CREATE TABLE IF NOT EXISTS events ({', '.join(f'{name} {_type(name)}' for name in KINDS)}, {_PLACE})"
    f" ENGINE = MergeTree ORDER BY (organization, site, moment) {_KEPT}",
    f"CREATE TABLE IF NOT EXISTS keys (key Int64, moment Int64, {_PLACE}) ENGINE = MergeTree ORDER BY key {_KEPT}",
    "CREATE TABLE IF NOT EXISTS positions (writer String, segment Int64, reached Int64)"
    f" ENGINE = MergeTree ORDER BY (writer, segment) {_KEPT}",
)


class ClickhouseEngine:
    """Several owners may share one database: each has writers of its own."""

    def __init__(self, folder: Path, options: Options) -> None:
        assert options.clickhouse is not None  # whoever makes this engine was told where it is
        self.dialect: Dialect = ClickhouseDialect()
        self._options = options
        self._folder = folder
        parts = urlsplit(options.clickhouse)
        headers = {"X-ClickHouse-User": unquote(parts.username or "default")}
        if parts.password is not None:
            headers["X-ClickHouse-Key"] = unquote(parts.password)
        host = parts.netloc.rpartition("@")[2]
        self._database = unquote(parts.path.strip("/")) or "default"
        self._client = httpx2.Client(base_url=f"{parts.scheme}://{host}", headers=headers, trust_env=False)
        self._sure: set[tuple[str, int]] = set()
        """Files of the spool of which nothing is there beyond their positions."""
        self._gone: list[tuple[str, int]] = []
        """Files of the spool that are removed, whose positions are still there."""
        for statement in _SCHEMA:
            self._change(statement)
        # Columns of a newer version: what was kept before has none of them.
        added = [f"ADD COLUMN IF NOT EXISTS {name} {_type(name)}" for name in KINDS]
        self._change(f"ALTER TABLE events {', '.join(added)}")
        self._take_files()

    def _ask(self, sql: str, data: bytes | BinaryIO | None, seconds: float, **settings: str) -> bytes:
        """What ClickHouse answers. Raises Slow, Heavy or Refused."""
        with self._answer(sql, data, seconds, settings) as reply:
            return reply.read()

    @contextmanager
    def _answer(
        self, sql: str, data: bytes | BinaryIO | None, seconds: float, settings: dict[str, str]
    ) -> Iterator[httpx2.Response]:
        """The answer, not read yet."""
        query = {"database": self._database, "wait_end_of_query": "1", "max_query_size": _LONGEST} | settings
        if data is not None:
            query["query"] = sql
        body = sql.encode() if data is None else data
        try:
            with self._client.stream("POST", "/", params=query, content=body, timeout=seconds + _GRACE) as reply:
                if reply.status_code != 200:
                    reply.read()
                    raise _fault(reply)
                yield reply
        except httpx2.ReadTimeout as error:
            raise Slow from error
        except httpx2.HTTPError as error:
            raise Refused(f"ClickHouse does not answer: {error or type(error).__name__}") from error

    def _change(self, sql: str, data: bytes | BinaryIO | None = None, **settings: str) -> None:
        # Blocks that look the same are not left out: a portion that was taken back comes again.
        self._ask(sql, data, _WRITES, insert_deduplicate="0", async_insert="0", mutations_sync="2", **settings)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self._asked(sql)

    def _asked(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        """The rows of somebody's question; `values` stand in it as {name:Type}."""
        asked = self._options
        limits = {"max_execution_time": f"{asked.seconds:f}", "max_memory_usage": str(asked.memory)}
        return self._found(sql, asked.seconds, **limits, **{f"param_{name}": str(one) for name, one in values.items()})

    def _found(self, sql: str, seconds: float = _WRITES, **settings: str) -> list[tuple[Any, ...]]:
        found = self._ask(
            sql, None, seconds, default_format="JSONCompactEachRow", prefer_column_name_to_alias="1",
            output_format_json_quote_64bit_integers="0", **settings,
        )  # fmt: skip
        return [tuple(one) for one in msgspec.json.Decoder(list[Any]).decode_lines(found)]

    def positions(self) -> dict[tuple[str, int], int]:
        found = self._found("SELECT writer, segment, max(reached) FROM positions GROUP BY writer, segment")
        return {(writer, segment): reached for writer, segment, reached in found}

    def load(self, portion: Portion) -> None:
        place = (portion.writer, portion.segment)
        if place not in self._sure:
            self._take_back(portion)
        self._sure.discard(place)
        wanted = sorted({one.key for one in portion.events if one.key is not None})
        known: set[int] = set()
        if wanted:
            words = ", ".join(map(str, wanted))
            known = {key for (key,) in self._found(f"SELECT key FROM keys WHERE key IN ({words})")}
        events = fresh(portion.events, known)
        came = (*place, portion.begin)
        self._insert("events", _COLUMNS, ((*row(one), *came) for one in events))
        keys = [(*one, *came) for one in noted(events)]
        self._insert("keys", ["key", "moment", "writer", "segment", "begin"], keys)
        self._insert("positions", ["writer", "segment", "reached"], [(*place, portion.end)])
        self._sure.add(place)

    def _take_back(self, portion: Portion) -> None:
        """Remove what came of a file beyond where it is known to be: whoever wrote it down did not come to its end."""
        of = f"writer = '{portion.writer}' AND segment = {portion.segment} AND begin >= {portion.begin}"
        for table in ("events", "keys"):
            self._remove(table, of)

    def _insert(self, table: str, columns: list[str], rows: Iterable[tuple[Any, ...]]) -> None:
        data = msgspec.json.Encoder().encode_lines(list(rows))
        if data:
            self._change(f"INSERT INTO {table} ({', '.join(columns)}) FORMAT JSONCompactEachRow", data)

    def forget_files(self, files: list[tuple[str, int]]) -> None:
        # To remove a row costs as much as to remove many: it waits for the next time that much is removed.
        self._gone += files
        self._sure.difference_update(files)

    def segments(self, organization: str, site: str, limit: int) -> list[tuple[str | None, int, int, int]]:
        return [
            (claims, events, visitors, sessions)
            for claims, events, visitors, sessions in self._asked(
                _SEGMENTS, organization=organization, site=site, limit=limit
            )
        ]

    def remove(self, condition: str) -> int:
        return self._remove("events", condition)

    def _remove(self, table: str, condition: str) -> int:
        [(count,)] = self._found(f"SELECT count() FROM {table} WHERE {condition}")
        if count:
            self._change(f"ALTER TABLE {table} DELETE WHERE {condition}")
        return int(count)

    def retain(self, since: int, keys: int) -> int:
        self._remove("keys", f"moment < {keys}")
        gone, self._gone = self._gone, []
        if gone:
            named = (f"(writer = '{writer}' AND segment = {segment})" for writer, segment in gone)
            self._remove("positions", " OR ".join(named))
        return self._remove("events", f"moment < {since}")

    def export(self, file: str) -> int:
        """As a file of DuckDB: a backup is the same whichever engine there is."""
        from octavo.store.insights.duck import written

        parts = {}
        for table, columns in (("events", ", ".join(KINDS)), ("keys", "key, moment")):
            parts[table] = f"{file}.{table}.parquet"
            with (
                self._answer(f"SELECT {columns} FROM {table} FORMAT Parquet", None, _WRITES, {}) as reply,
                Path(parts[table]).open("wb") as part,
            ):
                for some in reply.iter_raw():
                    part.write(some)
        try:
            return written(Path(file), parts)
        finally:
            for name in parts.values():
                Path(name).unlink(missing_ok=True)

    def _take_files(self) -> None:
        """Take in what a file of DuckDB holds: of the time before this engine, or of a backup."""
        from octavo.store.insights.duck import settle

        file = self._folder / FILE
        if file.exists():
            settle(file)
            # Under a name that stays, by which is known what came of it if somebody is stopped.
            file.rename(self._folder / f"{_TAKEN}{new_id()}.duckdb")
        for left in sorted(self._folder.glob(f"{_TAKEN}*.duckdb")):
            self._take(left)
            left.unlink()
            _log.warning("events of a file were taken into ClickHouse", extra={"file": str(file)})

    def _take(self, file: Path) -> None:
        from octavo.store.insights.duck import read_out

        with tempfile.TemporaryDirectory(dir=self._folder) as aside:
            for table, part in read_out(file, Path(aside), file.stem).items():
                self._remove(table, f"writer = '{file.stem}'")
                names = [*KINDS] if table == "events" else ["key", "moment"]
                into = f"INSERT INTO {table} ({', '.join([*names, 'writer', 'segment', 'begin'])}) FORMAT Parquet"
                with part.open("rb") as content:
                    self._change(into, content)

    def close(self) -> None:
        self._client.close()
