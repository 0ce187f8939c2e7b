"""The end of a run: what it made is joined with what people wrote into the translated space, and becomes its head.

Where both sides changed one place, the words of people stay, and the translation stands beside them inside a condition that
nobody meets, as in every conflict of content.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import msgspec

from octavo.content import trie
from octavo.content.ordering import between
from octavo.content.revision import Digest, Root
from octavo.content.trie import Objects, Steps
from octavo.history import ahead, heads
from octavo.history.moves import addressed
from octavo.history.spaces import hold
from octavo.jobs.translations.making import PROBLEMS, SHOWN, Made
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.errors import Conflict as Overtaken
from octavo.kernel.events import TranslationMade
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Space
from octavo.kernel.records.translations import TranslationLanguage, TranslationRun
from octavo.store.unit import Provenance, Unit

LABEL = "translation"
"""What marks of conflicts call the side of a run."""
TIMES = 20
"""How often a head may move while a run is joined to it."""
EDITED = "Somebody changed this page and its source changed too: her words stay, the new translation waits beside them."
_encode = msgspec.msgpack.Encoder(order="deterministic").encode
_root = msgspec.msgpack.Decoder(Root).decode


@dataclass(frozen=True)
class Finished:
    """What a run comes to its end with."""

    run: str
    source: Space
    base: str
    """The revision of the source that it translated."""
    recipe: str
    made: Made
    ended: dict[str, object]
    """Fields of the run."""


@dataclass(frozen=True)
class Target:
    """The translated space, its head, and what the last run alone made; without a space there is none yet."""

    language: TranslationLanguage
    space: Space | None = None
    head: Revision | None = None
    machine: Revision | None = None


@dataclass(frozen=True)
class Joint:
    """What a run and people's words come to."""

    root: Digest
    objects: Objects
    conflicts: list[Json]


async def finish(work: Work, finished: Finished) -> bool:
    """Make it the head of the translated space, which is made where there is none; False when the run was cancelled."""
    for _ in range(TIMES):
        target = await work.read(partial(_target, run=finished.run))
        if target is None:
            return False
        joint = await _joined(work, finished, target)
        lock = None if target.space is None else ("spaces", target.space.id)
        run = await work.read(lambda unit: unit.translations.run(finished.run))
        whence = Provenance(actor=None if run is None else run.user, request=work.job.id)
        try:
            return await work.write(
                partial(_write, finished=finished, target=target, joint=joint), lock=lock, whence=whence
            )
        except Overtaken:
            continue
    raise Overtaken("the translated space changed again and again")


async def _target(unit: Unit, *, run: str) -> Target | None:
    one = await unit.translations.run(run)
    if one is None or one.status != "running":
        return None
    languages = (await unit.translations.languages((one.translation,)))[one.translation]
    language = next((each for each in languages if each.language == one.language), None)
    if language is None:
        return None
    space = None if language.space is None else await unit.spaces.get(language.space)
    if space is None or space.deleted_at is not None or space.organization != language.organization:
        return Target(language)
    head = await unit.revisions.get(space.revision)
    machine = None if language.machine is None else await unit.revisions.get(language.machine)
    return Target(language, space, head, machine)


async def _joined(work: Work, finished: Finished, target: Target) -> Joint:
    root = finished.made.root
    if target.head is None or target.machine is None or target.machine.root == root:
        # Nothing is there, or nothing new: what people wrote is not touched.
        return Joint(root if target.head is None else target.head.root, {}, [])
    base, ours = target.machine.root, target.head.root
    steps = trie.once(_steps(base, ours, root))
    computed = await ahead.compute(work.store, target.language.organization, steps)
    return computed.result


def _steps(base: Digest, ours: Digest, theirs: Digest) -> Steps[Joint]:
    # What reads Markdown is imported with the first run, not with the server.
    from octavo.content.merge.revisions import merge

    found = yield frozenset((base, ours, theirs))
    head = _root(found[ours])
    made = yield from merge(_root(found[base]), head, _root(found[theirs]), label=LABEL)
    changed = yield from trie.over(made.objects, trie.diff(head.pages, made.root.pages))
    root, more = yield from addressed(head, made.root, changed)
    data = _encode(root)
    named = trie.digest(data)
    conflicts: list[Json] = [msgspec.to_builtins(one) for one in made.conflicts]
    return Joint(named, {**made.objects, **more, named: data}, conflicts)


async def _write(unit: Unit, *, finished: Finished, target: Target, joint: Joint) -> bool:
    """All of it in one unit. Raises Conflict where the head is another one meanwhile."""
    run = await unit.translations.run(finished.run)
    if run is None or run.status != "running":
        return False
    if target.space is None or target.head is None:
        space, result = await _begun(unit, run, finished, joint.root)
    else:
        space = target.space
        now = await unit.spaces.get(space.id)
        if now is None or (now.organization, now.revision) != (space.organization, space.revision):
            # Another organization has nothing of what the run made.
            raise Overtaken("the translated space changed")
        result = await _grown(unit, target, joint, finished)
    machine = await _machine(unit, space, target, result, finished.made.root)
    await _settled(unit, run, finished, target.language, (space, machine, result), joint.conflicts)
    await unit.emit(
        TranslationMade(
            organization=space.organization, translation=run.translation, language=run.language, space=space.id
        )
    )
    return True


async def _begun(unit: Unit, run: TranslationRun, finished: Finished, root: Digest) -> tuple[Space, Revision]:
    """A space of its own, where the source is: as it, but for the language."""
    old = finished.source
    await unit.people.hold_organization(old.organization)
    siblings = await unit.spaces.siblings(old.organization, old.parent)
    mark = f" ({run.language})"
    made = Space(
        id=new_id(),
        organization=old.organization,
        title=old.title[: limits.SPACE_TITLE_MAX - len(mark)] + mark,
        emoji=old.emoji,
        icon=old.icon,
        position=between(siblings[-1][1] if siblings else None, None),
        created_at=unit.now,
        updated_at=unit.now,
        revision="",
        parent=old.parent,
        edit_mode=old.edit_mode,
        default_level=old.default_level,
        language=run.language,
    )
    maker = run.user
    assert maker is not None  # a run is asked for by somebody, or follows a source that somebody named
    space = await hold(unit, made, root, maker)
    result = await unit.revisions.get(space.revision)
    assert result is not None  # it was just made
    return space, result


async def _grown(unit: Unit, target: Target, joint: Joint, finished: Finished) -> Revision:
    assert target.space is not None
    assert target.head is not None
    if joint.root == target.head.root:
        return target.head
    return await heads.append(
        unit, target.space, joint.root, joint.objects, kind="update", conflicts=joint.conflicts or None
    )


async def _machine(unit: Unit, space: Space, target: Target, result: Revision, root: Digest) -> Revision:
    """The revision of what the run alone made."""
    if result.root == root:
        return result
    if target.machine is not None and target.machine.root == root:
        return target.machine
    parents = [] if target.machine is None else [target.machine.id]
    return await heads.apart(unit, space, root, {}, parents=parents)


async def _settled(
    unit: Unit,
    run: TranslationRun,
    finished: Finished,
    language: TranslationLanguage,
    there: tuple[Space, Revision, Revision],
    conflicts: list[Json],
) -> None:
    space, machine, result = there
    made = finished.made
    problems = [*made.problems]
    for one in conflicts[: PROBLEMS - len(problems)]:
        named = {"page": one.get("id", ""), "title": str(one.get("title", ""))[:SHOWN]}
        problems.append({name: value for name, value in named.items() if value} | {"reason": EDITED})
    ended = await unit.translations.change_run(
        run, **finished.ended, status="completed", finished_at=unit.now, problems=problems, revision=result.id
    )
    await unit.translations.change_language(
        language,
        space=space.id,
        source=finished.source.id,
        base=finished.base,
        machine=machine.id,
        result=result.id,
        recipe=finished.recipe,
        unfinished=made.unfinished,
        runs=language.runs + 1,
        words=language.words + ended.words,
        pages=language.pages + made.pages,
        duration=language.duration + unit.now - (run.started_at or unit.now),
    )
