"""All rows from one database into an empty one: in pieces that are done or not, so that one that broke off goes on."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

import msgspec

from octavo.kernel.errors import BadRequest, Conflict
from octavo.store.database.migrate import HEAD, UNFINISHED, statements
from octavo.store.moving.sides import Side
from octavo.store.moving.tables import Row, Table, tables
from octavo.store.search import sql as search
from octavo.store.search.search import Section, indexed, words_of

ROWS, BYTES = 2_000, 8 << 20
"""Of one piece, which is one transaction: it ends with whichever comes first."""
Show = Callable[[dict[str, Any]], None]
_VERSION = "SELECT version_num FROM alembic_version"
_SECTIONS = "SELECT id, organization, space, page, anchor, title, body FROM search_sections WHERE id >= {} ORDER BY id"


class Sum(msgspec.Struct, frozen=True):
    """What a table comes to."""

    rows: int
    digest: bytes


async def prepare(source: Side, target: Side) -> bool:
    """Make the target ready; True where a move from this source into it goes on. Raises Conflict where it holds anything
    else."""
    mark = await _mark(source)
    names = await target.names()
    if not names:
        async with target.transaction():
            for statement in statements(target.dialect, None):
                await target.run(statement)
            await _name(target, mark)
        return False
    at = await _version(target) if "alembic_version" in names else None
    if at == mark:
        return True
    if at is not None and at.startswith(UNFINISHED):
        raise Conflict("the target holds an unfinished transfer from another installation; empty it first")
    what = "holds tables of something else" if at is None else f"holds an installation already, at migration {at}"
    raise Conflict(f"the target {what}; transfer goes into an empty database")


async def refuse_unfit(source: Side) -> None:
    """Raises Conflict where nothing can be moved: there is no installation, of another version, or it is in use."""
    at = await _version(source) if "alembic_version" in await source.names() else None
    if at is None:
        raise Conflict("the source holds no installation of Octavo")
    if at.startswith(UNFINISHED):
        raise Conflict("the source holds an unfinished transfer: nothing is moved from there")
    if at != HEAD:
        how = "run `octavo migrate` on it first" if at < HEAD else "use the newer version"
        raise Conflict(f"the source is at migration {at}, this Octavo at {HEAD}; {how}")
    if others := await source.others():
        raise Conflict(
            f"{others} other connections use the source; stop every `octavo serve` and `octavo worker` of it first"
        )


async def _version(side: Side) -> str | None:
    found = await side.rows(_VERSION)
    return str(found[0][0]) if found else None


async def _mark(source: Side) -> str:
    """What the version of a target is called until it is whole: nothing opens it, and only this source goes on with it."""
    found = sorted(await source.rows("SELECT name, value FROM installation WHERE name = 'secret'"))
    first = await source.rows("SELECT id FROM organizations ORDER BY created_at, id LIMIT 1")
    return UNFINISHED + hashlib.sha256(repr((found, list(first))).encode()).hexdigest()[:16]


async def _name(target: Side, version: str) -> None:
    await target.run(f"UPDATE alembic_version SET version_num = '{version}'")


async def copy(source: Side, target: Side, show: Show) -> int:
    """Bring every row that is not there; how many were brought now."""
    brought = 0
    for table in tables():
        total = (await source.rows(f'SELECT count(*) FROM "{table.name}"'))[0][0]
        done = (await target.rows(f'SELECT count(*) FROM "{table.name}"'))[0][0]
        if table.whole and done:
            continue  # it is written in one piece
        async for piece in _pieces(table, await _rest(source, target, table)):
            async with target.transaction():
                _refuse_unwritable(target, table, piece)
                await target.put(table, piece)
            brought += len(piece)
            done += len(piece)
            show({"step": table.name.replace("_", " "), "done": done, "total": total})
    await _index(target, show)
    return brought


async def _rest(source: Side, target: Side, table: Table) -> AsyncIterator[Row]:
    """The rows of the source behind the last one of the target."""
    last = [] if table.whole else await target.rows(table.last(target.dialect))
    return source.stream(table.query(source.dialect, after=bool(last)), *(last[0] if last else ()))


async def _pieces(table: Table, rows: AsyncIterator[Row]) -> AsyncIterator[list[Row]]:
    piece: list[Row] = []
    weight = 0
    async for row in rows:
        piece.append(row)
        weight += sum(len(value) for value in row if isinstance(value, (str, bytes)))
        if not table.whole and (len(piece) >= ROWS or weight >= BYTES):
            yield piece
            piece, weight = [], 0
    if piece:
        yield piece


def _refuse_unwritable(target: Side, table: Table, rows: Sequence[Row]) -> None:
    """PostgreSQL keeps no text with a NUL; SQLite does, though nothing of Octavo writes one."""
    if target.dialect != "postgres":
        return
    for row in rows:
        if any(isinstance(value, str) and "\0" in value for value in row):
            raise BadRequest(f"PostgreSQL cannot keep the row {named(table, row)}: a text of it holds a NUL")


async def _index(target: Side, show: Show) -> None:
    """Which sections a word is in: each database keeps that in its own way, so it is made anew, page by page."""
    where = "rowid" if target.dialect == "sqlite" else "id"
    total = (await target.rows("SELECT count(*) FROM search_sections"))[0][0]
    last = await target.rows(f"SELECT {where} FROM search_index ORDER BY {where} DESC LIMIT 1")
    begin = ((last[0][0] >> search.PAGE_BITS) + 1) << search.PAGE_BITS if last else 0
    done = (await target.rows("SELECT count(*) FROM search_sections WHERE id < " + str(begin)))[0][0]
    waiting: list[dict[str, Any]] = []
    # Read ahead of what is written, as one connection does both.
    rows = await target.rows(_SECTIONS.format(begin) + f" LIMIT {ROWS}")
    while rows:
        whole = rows if len(rows) < ROWS else rows[: _last_page(rows)] or await _page(target, rows[0][0])
        waiting = [one for page in _by_page(whole) for one in _indexed(target.dialect, page)]
        async with target.transaction():
            await target.connection.many(search.ADD_INDEX, waiting)
        done += len(waiting)
        show({"step": "search", "done": done, "total": total})
        following = ((whole[-1][0] >> search.PAGE_BITS) + 1) << search.PAGE_BITS
        rows = await target.rows(_SECTIONS.format(following) + f" LIMIT {ROWS}")


def _last_page(rows: Sequence[Row]) -> int:
    """Where the last page of the rows begins: it may go on behind them."""
    last = rows[-1][0] >> search.PAGE_BITS
    return next(at for at, row in enumerate(rows) if row[0] >> search.PAGE_BITS == last)


async def _page(target: Side, first: int) -> Sequence[Row]:
    """All sections of one page, of which there are more than a piece has."""
    return await target.rows(_SECTIONS.format(first) + f" LIMIT {search.PAGE_SECTIONS}")


def _by_page(rows: Sequence[Row]) -> Iterator[list[Row]]:
    page: list[Row] = []
    for row in rows:
        if page and row[0] >> search.PAGE_BITS != page[0][0] >> search.PAGE_BITS:
            yield page
            page = []
        page.append(row)
    yield page


def _indexed(dialect: str, page: Sequence[Row]) -> list[dict[str, Any]]:
    _, organization, space, *_ = page[0]
    sections = [Section(anchor, title, body) for *_, anchor, title, body in page]
    written = indexed(dialect, organization, space, words_of(sections))
    return [{"id": row[0], "words": words} for row, words in zip(page, written, strict=True)]


async def compare(source: Side, target: Side, show: Show) -> dict[str, Sum]:
    """Table -> what it comes to on both sides. Raises Conflict that names the first row that is not the same."""
    found = {}
    for number, table in enumerate(tables(), 1):
        digest, count = hashlib.sha256(), 0
        ours = target.stream(table.query(target.dialect))
        async for row in source.stream(table.query(source.dialect)):
            other = await anext(ours, None)
            if other != row:
                raise _differs(table, row, other)
            digest.update(msgspec.msgpack.encode(row))
            count += 1
        if (more := await anext(ours, None)) is not None:
            raise _differs(table, None, more)
        found[table.name] = Sum(count, digest.digest())
        show({"step": "compared", "done": number, "total": len(tables())})
    if (table_broken := await target.broken()) is not None:
        raise Conflict(
            f"rows of {table_broken} in the target refer to rows that are not there; empty it and begin anew"
        )
    [(sections,)] = await target.rows("SELECT count(*) FROM search_sections")
    [(words,)] = await target.rows("SELECT count(*) FROM search_index")
    if sections != words:
        raise Conflict(f"search_index in the target has {words} sections of {sections}; empty it and begin anew")
    return found


def _differs(table: Table, ours: Row | None, theirs: Row | None) -> Conflict:
    """The first row that is on one side only, or is another one there; rows come in the order of their keys."""
    if theirs is None or (ours is not None and _ordered(table, ours) < _ordered(table, theirs)):
        assert ours is not None
        said = f"the row {named(table, ours)} of the source is not in the target"
    elif ours is None or _ordered(table, ours) > _ordered(table, theirs):
        said = f"the row {named(table, theirs)} of the target is not in the source"
    else:
        said = f"the row {named(table, ours)} is not the same in source and target"
    return Conflict(f"{said}; did somebody write into one of them? Empty the target and begin anew")


def _ordered(table: Table, row: Row) -> list[tuple[bool, Any]]:
    return [(value is not None, value) for value in table.key_of(row)]


def named(table: Table, row: Row) -> str:
    """A row as people find it: its table and its key."""
    parts = [value.hex() if isinstance(value, bytes) else str(value) for value in table.key_of(row)]
    return f"{table.name} {'/'.join(parts)}"


async def finish(source: Side, target: Side) -> None:
    """Let the target be an installation."""
    async with target.transaction():
        await target.reach(await source.reached())
        await _name(target, HEAD)
    await target.run("ANALYZE")
