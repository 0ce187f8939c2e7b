"""Writing content: batches of changes to a change request, or to primary content where a space is live."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from octavo.access.locate import revision
from octavo.content import draft
from octavo.content.draft import Base
from octavo.content.draft.changes import LEFT
from octavo.content.media import Mistaken, size_of, sniffed
from octavo.content.revision import File
from octavo.history import heads, saving
from octavo.history.edits import Drafted, Edited, Numbered, edit, stand
from octavo.history.edits import draft as draft_changes
from octavo.history.moves import with_old_addresses
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict, NotFound, Stale
from octavo.kernel.events import FilesWanted
from octavo.kernel.ids import new_id
from octavo.kernel.operation import writes
from octavo.kernel.records import Json
from octavo.kernel.records.content import Revision
from octavo.resources.call import Ahead, Call
from octavo.resources.embedded import show_change_requests
from octavo.resources.emoji import emoji_in
from octavo.resources.places import AtChangeRequest, AtSpace
from octavo.store.unit import Unit
from octavo.wire.content import documents, revisions
from octavo.wire.content import writing as content_changes
from octavo.wire.content.computed import ComputedSource
from octavo.wire.content.writing import CompatQuery, ContentChanges, ContentUpdate, FileInput, InsertFiles, UpdateFile
from octavo.wire.review import change_requests
from octavo.wire.review.change_requests import ChangeRequestView
from octavo.wire.view import View

FETCH_SECONDS = 60.0
"""How long a request waits for files that are fetched."""


@dataclass(frozen=True)
class Written:
    """What a batch did: to a change request, or to primary content."""

    edited: Edited
    space: str
    downloads: dict[str, str]
    change_request: ChangeRequestView | None
    revision: str
    full: bool
    """Whether the answer tells of pages and files."""
    conflicts: list[str]
    """Pages whose text was joined with what others wrote in the same lines."""


Files = dict[tuple[int, int], File]
"""(change, place in it) -> a file whose bytes are stored."""


@dataclass(frozen=True)
class Prepared:
    """What a batch needs ahead of its unit: files whose bytes are stored, and the changes made upon the head."""

    files: Files
    drafted: Drafted
    head: str
    organization: str
    """The one that has the files."""
    joined: dict[int, saving.Joined]
    """Number of a change -> its text with what others wrote meanwhile."""


async def prepare(prior: Ahead, at: AtSpace | AtChangeRequest, body: ContentChanges) -> Prepared:
    """Store the files and make the changes, outside of the unit: a long text takes its time to read."""
    _require_open(at)
    files = await _store_files(prior, at, body)

    joined = await saving.join(await prior.read(lambda unit: _overtaken(unit, at, body)))

    async def read(unit: Unit) -> tuple[Revision, list[Numbered], Base]:
        head, numbered, others = await _ordered(unit, at, body, files, joined)
        _, base = await stand(unit, head, numbered, others)
        return head, numbered, base

    head, numbered, base = await prior.read(read)
    drafted = await asyncio.to_thread(draft_changes, head.id, base, numbered, prior.store.clock())
    return Prepared(files, drafted, head.id, at.space.record.organization, joined)


async def _overtaken(unit: Unit, at: AtSpace | AtChangeRequest, body: ContentChanges) -> dict[int, saving.Sides]:
    """The changes whose text was edited of an older revision than what is there now, and has to be joined with it."""
    head = await unit.revisions.get(_head(at))
    assert head is not None  # a head is written in the unit that makes the revision
    found: dict[int, saving.Sides] = {}
    for number, change in enumerate(body.changes):
        if not isinstance(change, content_changes.UpdatePage) or change.revision is UNSET:
            continue
        if change.document is UNSET:
            raise BadRequest(f"changes[{number}].revision: goes with `document`, which began from it")
        try:
            began = (await revision(unit, change.revision, at.space.record)).record
        except NotFound as error:
            raise BadRequest(f"changes[{number}].revision: {error.message}") from error
        words = _words(change.document)
        wanted = words if isinstance(words, str) else saving.Tree(words, _metadata(number, change))
        sides = await saving.sides(unit, change.page, began, head, wanted)
        if sides is not None:
            found[number] = sides
    return found


def _head(at: AtSpace | AtChangeRequest) -> str:
    return at.change_request.record.revision if isinstance(at, AtChangeRequest) else at.space.record.revision


def _require_open(at: AtSpace | AtChangeRequest) -> None:
    if isinstance(at, AtChangeRequest):
        status = at.change_request.record.status
        if status not in ("draft", "open"):
            raise Conflict(f"the change request is {status}: only a draft or an open one can be written into")
    elif at.space.record.edit_mode != "live":
        raise Conflict("the space is locked: its content is changed by change requests")


async def _ordered(
    unit: Unit, at: AtSpace | AtChangeRequest, body: ContentChanges, files: Files, joined: Mapping[int, saving.Joined]
) -> tuple[Revision, list[Numbered], dict[str, Revision]]:
    """The head that is written upon, the changes of the draft, and the revisions that they revert to."""
    request = at.change_request.record if isinstance(at, AtChangeRequest) else None
    head = await unit.revisions.get(_head(at))
    assert head is not None  # a head is written in the unit that makes the revision
    base = head.id if request is None else request.base
    changes = [_with_joined(change, joined.get(number)) for number, change in enumerate(body.changes)]
    numbered = [one for number, change in enumerate(changes) for one in _changes(number, change, files, base)]
    others: dict[str, Revision] = {}
    for number, change in numbered:
        if isinstance(change, draft.RevertPage):
            try:
                others[change.revision] = (await revision(unit, change.revision, at.space.record)).record
            except NotFound as error:
                raise BadRequest(f"changes[{number}]: {error.message}") from error
    return head, numbered, others


async def _store_files(prior: Ahead, at: AtSpace | AtChangeRequest, body: ContentChanges) -> Files:
    """Store the bytes of every file of the batch, fetching those that are named by address."""
    wanted = [
        ((number, place), given) for number, change in enumerate(body.changes) for place, given in _given_files(change)
    ]
    organization = at.space.record.organization
    for key, given in wanted:
        sources = sum(value is not UNSET for value in (given.url, given.base64, given.key))
        if sources != 1:
            raise BadRequest(f"{_where(key)}: give one of `url`, `base64` and `key`")
    urls = [str(given.url) for _, given in wanted if given.url is not UNSET]
    fetched = iter(await _fetched(prior, organization, urls))
    made: Files = {}
    for key, given in wanted:
        data, claimed = await _bytes(prior, organization, key, given, next(fetched) if given.url is not UNSET else {})
        made[key] = await _stored(prior, organization, key, given.name, claimed, data)
    return made


def _given_files(change: content_changes.Change) -> list[tuple[int, FileInput]]:
    """The files whose bytes come with a change, each with its place in it."""
    if isinstance(change, InsertFiles):
        return list(enumerate(change.files))
    if not isinstance(change, UpdateFile) or change.url is change.base64 is change.key is UNSET:
        return []
    sources = {name: getattr(change, name) for name in ("content_type", "url", "base64", "key")}
    return [(0, FileInput(name="file" if change.name is UNSET else change.name, **sources))]


async def _fetched(prior: Ahead, organization: str, urls: list[str]) -> list[Json]:
    """What became of each address: {blob, content_type} or {error}."""
    if not urls:
        return []
    sealed = prior.signer.seal(msgspec.json.encode(urls).decode())
    event = FilesWanted(organization=organization, sealed_urls=sealed, user=prior.caller.user.id)
    found: list[Json] = (await prior.done(event, FETCH_SECONDS))["files"]
    return found


def _where(key: tuple[int, int]) -> str:
    return f"changes[{key[0]}].files[{key[1]}]"


async def _bytes(
    prior: Ahead, organization: str, key: tuple[int, int], given: FileInput, found: Json
) -> tuple[bytes, str | None]:
    """The bytes of a file and the type that is claimed for them."""
    claimed = None if given.content_type is UNSET else given.content_type
    if given.base64 is not UNSET:
        if claimed is None:
            raise BadRequest(f"{_where(key)}: `contentType` is needed with `base64`")
        return _decoded(key, given.base64), claimed
    if given.url is not UNSET:
        if "error" in found:
            raise BadRequest(f"{_where(key)}: {found['error']}")
        blob, claimed = found["blob"], claimed or found["content_type"]
    else:
        assert given.key is not UNSET
        try:
            blob = prior.signer.read_upload(organization, given.key, prior.store.clock())
        except BadRequest as error:
            raise BadRequest(f"{_where(key)}.{error.message}") from error
    data = await prior.blobs.get(organization, blob)
    if data is None:
        raise BadRequest(f"{_where(key)}: nothing was uploaded under this key yet")
    return data, claimed


def _decoded(key: tuple[int, int], text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise BadRequest(f"{_where(key)}: not base64: {error}") from error
    if len(data) > limits.FILE_BASE64_MAX:
        raise BadRequest(f"{_where(key)}: base64 is limited to {limits.FILE_BASE64_MAX} bytes; upload larger files")
    return data


async def _stored(
    prior: Ahead, organization: str, key: tuple[int, int], name: str, claimed: str | None, data: bytes
) -> File:
    try:
        kind = sniffed(name, claimed, data)
    except Mistaken as mistaken:
        raise BadRequest(f"{_where(key)}: {mistaken}") from mistaken
    width, height = size_of(name, data) or (None, None)
    blob = await prior.blobs.put(organization, data)
    return File(id=new_id(), name=name, content_type=kind, size=len(data), blob=blob, width=width, height=height)


async def write_change_request(call: Call, at: AtChangeRequest, body: ContentChanges) -> Written:
    """Apply the batch to a change request: all of it, as one new revision."""
    _require_open(at)
    request, space = at.change_request.record, at.space.record
    head, edited = await _edited(call, at, body)
    made = await heads.apart(call.unit, space, edited.root, edited.objects, parents=[head.id])
    changed = await call.unit.change_requests.change(request, call.now, revision=made.id)
    await call.unit.change_requests.contributed(request, call.caller.user.id, "edit", call.now)
    [view] = await show_change_requests(call, (changed,), {space.id: space})
    return _written(call, at, edited, view, made)


async def write_primary(call: Call, at: AtSpace, body: ContentChanges) -> Written:
    """Apply the batch to primary content. Raises Conflict where the space is locked."""
    _require_open(at)
    space = at.space.record
    head, edited = await _edited(call, at, body)
    await call.unit.objects.put(space.organization, edited.objects, call.now)
    root, objects = await with_old_addresses(call.unit, space.organization, head.root, edited.root)
    made = await heads.append(call.unit, space, root, objects)
    return _written(call, at, edited, None, made)


async def _edited(call: Call, at: AtSpace | AtChangeRequest, body: ContentChanges) -> tuple[Revision, Edited]:
    prepared: Prepared = call.prepared
    named = any(isinstance(one, content_changes.UpdatePage) and one.revision is not UNSET for one in body.changes)
    if at.space.record.organization != prepared.organization or (named and _head(at) != prepared.head):
        raise Stale
    head, numbered, others = await _ordered(call.unit, at, body, prepared.files, prepared.joined)
    await _require_specs(call.unit, at.space.record.organization, body)
    sizes = {file.blob: file.size for file in prepared.files.values()}
    await call.unit.blobs.put(at.space.record.organization, sizes, call.now)
    return head, await edit(call.unit, head, numbered, others, prepared.drafted)


async def _require_specs(unit: Unit, organization: str, body: ContentChanges) -> None:
    """Raises BadRequest for an entry that stands for a specification which is not there."""
    named = {
        number: change.computed.dependencies.spec.ref.spec
        for number, change in enumerate(body.changes)
        if isinstance(change, content_changes.InsertPage | content_changes.UpdatePage) and change.computed is not UNSET
    }
    known = {one.slug for one in await unit.openapi.all(organization)} if named else set()
    for number, slug in named.items():
        if slug not in known:
            place = f"changes[{number}].computed.dependencies.spec.ref.spec"
            raise BadRequest(f"{place}: the organization has no specification {slug!r}")


def _changes(number: int, change: content_changes.Change, files: Files, base: str) -> list[Numbered]:
    """A change of the body as those of a draft."""
    match change:
        case content_changes.InsertPage():
            made: draft.Change = _inserted(number, change)
        case content_changes.InsertGroup() | content_changes.InsertLink():
            made = _entry(number, change)
        case content_changes.UpdatePage():
            made = draft.UpdatePage(
                page=change.page,
                body=None if change.document is UNSET else _words(change.document),
                computed=_recipe(change.computed),
                into=LEFT if change.into is UNSET else change.into,
                at=_given(change.at),
                target=None if change.target is UNSET else _tree(change.target),
                metadata=_metadata(number, change),
            )
        case content_changes.DeletePage():
            made = draft.DeletePage(page=change.page)
        case content_changes.RevertPage():
            to = base if change.revision is UNSET else change.revision
            made = draft.RevertPage(page=change.page, revision=to, blocks=tuple(change.block))
        case content_changes.ResolveConflict():
            made = draft.ResolveConflict(page=change.page, keep=change.keep, blocks=tuple(change.block))
        case UpdateFile():
            made = draft.UpdateFile(file=change.file, name=_given(change.name), content=files.get((number, 0)))
        case content_changes.DeleteFile():
            made = draft.DeleteFile(file=change.file)
        case InsertFiles():
            return [
                (number, draft.InsertFile(file=files[number, place], ref=_given(file.ref)))
                for place, file in enumerate(change.files)
            ]
    return [(number, made)]


def _inserted(number: int, change: content_changes.InsertPage) -> draft.Change:
    """A page of somebody's words, or one that is computed."""
    into, at, ref = _given(change.into), _given(change.at), _given(change.ref)
    metadata = _metadata(number, change)
    if change.document is not UNSET:
        return draft.InsertPage(body=_words(change.document), into=into, at=at, ref=ref, metadata=metadata)
    computed = _recipe(change.computed)
    return draft.InsertEntry(type="computed", computed=computed, into=into, at=at, ref=ref, metadata=metadata)


def _with_joined(change: content_changes.Change, joined: saving.Joined | None) -> content_changes.Change:
    if joined is None or not isinstance(change, content_changes.UpdatePage):
        return change
    return replace(change, document=documents.Words(markdown=joined.text))


def _recipe(source: ComputedSource | UnsetType) -> Json | None:
    return None if source is UNSET else msgspec.to_builtins(source)


def _given(value: Any) -> Any:
    return None if value is UNSET else value


def _words(words: documents.Words | UnsetType) -> str | Json:
    assert words is not UNSET  # the shape refuses pages with neither of both
    if words.markdown is not UNSET:
        return words.markdown
    return documents.tree(words) or {"object": "document", "nodes": []}


def _entry(number: int, change: content_changes.InsertGroup | content_changes.InsertLink) -> draft.InsertEntry:
    at, ref, metadata = _given(change.at), _given(change.ref), _metadata(number, change)
    if isinstance(change, content_changes.InsertGroup):
        return draft.InsertEntry(type="group", at=at, ref=ref, metadata=metadata)
    target = _tree(change.target)
    return draft.InsertEntry(type="link", into=_given(change.into), at=at, ref=ref, target=target, metadata=metadata)


def _tree(value: Any) -> Json:
    made: Json = msgspec.to_builtins(value)
    return made


def _metadata(number: int, given: content_changes.PageFields | content_changes.EntryFields) -> draft.Metadata:
    fields = (
        content_changes.PageFields if isinstance(given, content_changes.PageFields) else content_changes.EntryFields
    )
    named = {name: _given(getattr(given, name)) for name in fields.__struct_fields__}
    if isinstance(given, content_changes.PageFields):
        named["layout"] = None if given.layout is UNSET else _tree(given.layout)
        named["cover"] = LEFT if given.cover is UNSET else None if given.cover is None else _tree(given.cover)
    if named["emoji"]:
        named["emoji"] = emoji_in(f"changes[{number}].emoji", named["emoji"])
    return draft.Metadata(**named)


def _written(
    call: Call, at: AtSpace | AtChangeRequest, edited: Edited, view: ChangeRequestView | None, made: Revision
) -> Written:
    space = at.space.record
    downloads = {file.id: call.download(space.organization, space.id, file) for file in edited.files}
    compat = isinstance(call.query, CompatQuery) and call.query.compat
    prepared: Prepared = call.prepared
    conflicts = [one.page for one in prepared.joined.values() if one.conflict]
    return Written(edited, space.id, downloads, view, made.id, view is None or not compat, conflicts)


def _present(shown: Written, view: View) -> change_requests.ChangeRequest | ContentUpdate:
    request = None if shown.change_request is None else change_requests.present(shown.change_request, view)
    if request is not None and not shown.full:
        return request
    word = "content" if request is None else f"change-requests/{request.id}/content"
    return ContentUpdate(
        changes=[_affected(outcome, shown.space, word, view) for outcome in shown.edited.outcomes],
        inserted_files=[
            revisions.present_file(one, shown.downloads[one.id], metadata=True) for one in shown.edited.files
        ],
        change_request=UNSET if request is None else request,
        revision=shown.revision if request is None else UNSET,
        conflicts=shown.conflicts or UNSET,
    )


def _affected(outcome: draft.Outcome, space: str, word: str, view: View) -> content_changes.Affected:
    if outcome.kind == "deleted_page":
        return content_changes.DeletedPage(outcome.page)
    location = view.location("spaces", space, *word.split("/"), "page", outcome.page)
    link = content_changes.PageLink(outcome.page, content_changes.ChangedPageUrls(location))
    if outcome.kind == "updated_page":
        return content_changes.UpdatedPage(link)
    return content_changes.CreatedPage(link, UNSET if outcome.ref is None else outcome.ref)


OPERATIONS = (
    writes("POST", "updateChangeRequestContent", "/spaces/{space}/change-requests/{change_request}/content",
           write_change_request, _present,
           query=CompatQuery, before=prepare, lock="space", body_max=limits.CHANGES_BODY_MAX, needs="space.edit",
           scope="space:write", audit="change-request.content.update",
           summary="Change the content of a change request"),
    writes("POST", "updateContent", "/spaces/{space}/content", write_primary, _present,
           query=CompatQuery, before=prepare, lock="space", body_max=limits.CHANGES_BODY_MAX, needs="space.edit",
           scope="space:write", audit="space.content.update",
           summary="Change primary content where the space is live"),
)  # fmt: skip
