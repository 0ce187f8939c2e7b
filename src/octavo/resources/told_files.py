"""The files of content for who asks: to a visitor none that stands only where she does not read."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

from octavo.content.revision import File
from octavo.history.contents import Contents
from octavo.resources.call import Ahead, Call
from octavo.resources.places import At, contents_at
from octavo.site.shown_files import decided, hidden_files, undecided
from octavo.site.visits import visitor_for
from octavo.store.unit import Unit
from octavo.wire.content.pages import ContentQuery
from octavo.wire.content.revisions import FilesQuery


async def prepare_revision(prior: Ahead, at: At, query: ContentQuery) -> None:
    """The same where pages may stand for others."""
    await _prepare(prior, at, computed=query.computed)


async def prepare_files(prior: Ahead, at: At, query: ContentQuery | FilesQuery) -> None:
    """Texts are opened beside the event loop, where a visitor asks and it is not known what she reads."""
    await _prepare(prior, at, computed=False)


async def _prepare(prior: Ahead, at: At, *, computed: bool) -> None:
    if prior.caller.visiting is None:
        return
    visitor = visitor_for(prior.caller, at.space.record.id)

    async def read(unit: Unit) -> tuple[Contents, Mapping[str, bytes] | None]:
        _, contents = await contents_at(prior.call(unit), at, computed=computed)
        return contents, await undecided(unit, contents, visitor)

    contents, texts = await prior.read(read)
    if texts is not None:
        await asyncio.to_thread(decided, contents, visitor, texts)


async def files_of(call: Call, at: At, contents: Contents) -> list[File]:
    """By name."""
    hidden = await _hidden(call, at, contents)
    files = (file for key, file in contents.files.items() if key not in hidden)
    return sorted(files, key=lambda file: (file.name, file.id))


async def file_of(call: Call, at: At, contents: Contents, key: str) -> File | None:
    """One of them, which is asked for without a look at the others."""
    file = contents.files.get(key)
    return None if file is None or key in await _hidden(call, at, contents) else file


async def _hidden(call: Call, at: At, contents: Contents) -> Collection[str]:
    if call.caller.visiting is None:
        return ()
    return await hidden_files(call.unit, contents, visitor_for(call.caller, at.space.record.id))
