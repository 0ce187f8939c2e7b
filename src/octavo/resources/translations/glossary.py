"""The glossary of an organization: what terms are called in each language, whoever translates."""

from __future__ import annotations

from msgspec import UNSET

from octavo.access.locate_translations import SeenGlossaryEntry
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.ids import new_id
from octavo.kernel.operation import UNLIMITED, Nothing, nothing, reads, writes
from octavo.kernel.records.translations import GlossaryEntry
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization
from octavo.wire.translations import glossary
from octavo.wire.translations.glossary import DeleteEntry, GlossaryQuery, InsertEntry, UpdateEntry, UpdateGlossary


class AtGlossaryEntry(AtOrganization, frozen=True):
    glossary_entry: SeenGlossaryEntry


async def list_in_organization(call: Call, at: AtOrganization, query: GlossaryQuery) -> Slice[GlossaryEntry]:
    """Newest first, or by the terms of a language."""
    found = await call.unit.glossary.all(at.organization.record.id)

    def key(entry: GlossaryEntry) -> tuple[int | str, ...]:
        if query.order_by is UNSET:
            return -entry.created_at, entry.id
        term = entry.translations.get(query.order_by)
        return int(term is None), (term or "").casefold(), entry.id

    return call.cut(sorted(found, key=key), query, key)


async def get(call: Call, at: AtGlossaryEntry, takes: Nothing) -> GlossaryEntry:
    """One entry."""
    return at.glossary_entry.record


async def update(call: Call, at: AtOrganization, body: UpdateGlossary) -> None:
    """All operations in their order, or none."""
    organization, shelf = at.organization.record.id, call.unit.glossary
    known = {entry.id: entry for entry in await shelf.all(organization)}
    for number, one in enumerate(body.operations):
        if isinstance(one, InsertEntry):
            made = GlossaryEntry(
                id=new_id(),
                organization=organization,
                translations=_terms(one),
                created_at=call.now,
                updated_at=call.now,
            )
            await shelf.add(made)
            known[made.id] = made
            continue
        if one.id not in known:
            raise BadRequest(f"operations[{number}].id: the glossary has no entry {one.id!r}")
        if isinstance(one, DeleteEntry):
            await shelf.remove(known.pop(one.id).id)
        else:
            terms = _terms(one)
            known[one.id] = await shelf.change(known[one.id], translations=terms, updated_at=call.now)
    if len(known) > limits.GLOSSARY_MAX:
        raise Conflict(f"a glossary has {limits.GLOSSARY_MAX} entries at most")


def _terms(one: InsertEntry | UpdateEntry) -> dict[str, str]:
    return {str(language): term for language, term in one.translations.items()}


_ALL = "/orgs/{organization}/translations-glossary"

OPERATIONS = (
    reads("listGlossaryEntries", _ALL, list_in_organization, listed(glossary.present),
          needs="organization.view", scope=UNLIMITED, summary="List the glossary of an organization"),
    writes("PUT", "updateGlossaryEntries", _ALL, update, nothing,
           lock="organization", status=204, needs="organization.createContent", scope=UNLIMITED,
           audit="glossary.update", summary="Insert, change and delete entries of a glossary"),
    reads("getGlossaryEntry", _ALL + "/{glossary_entry}", get, glossary.present,
          needs="organization.view", scope=UNLIMITED, summary="Get an entry of a glossary"),
)  # fmt: skip
