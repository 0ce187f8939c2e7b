"""The glossary of an organization: what terms are called in each language."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import translations as records
from octavo.wire.fields import Body, DateTime, Id, Language, Located, Maybe, Shape, line
from octavo.wire.lists import ListQuery
from octavo.wire.view import View

Terms = Annotated[
    dict[Language, Annotated[str, line(limits.TERM_MAX, min_length=1)]],
    Meta(min_length=1, description="Language -> the term in it"),
]


class GlossaryEntry(Shape, tag_field="object", tag="glossary-entry", frozen=True):
    id: str
    translations: dict[str, str]
    created_at: DateTime
    updated_at: DateTime
    urls: Located


class InsertEntry(Body, frozen=True, tag_field="type", tag="insert"):
    translations: Terms


class UpdateEntry(Body, frozen=True, tag_field="type", tag="update"):
    """The terms are all that the entry has afterwards."""

    id: Id
    translations: Terms


class DeleteEntry(Body, frozen=True, tag_field="type", tag="delete"):
    id: Id


class UpdateGlossary(Body, frozen=True):
    """Made in their order, all or none."""

    operations: Annotated[
        list[InsertEntry | UpdateEntry | DeleteEntry], Meta(max_length=limits.GLOSSARY_OPERATIONS_MAX)
    ]


class GlossaryQuery(ListQuery, frozen=True):
    """`orderBy` sorts by the terms of a language; entries without one come last."""

    order_by: Maybe[Language] = UNSET


def present(entry: records.GlossaryEntry, view: View) -> GlossaryEntry:
    """The entry as the API serves it."""
    return GlossaryEntry(
        id=entry.id,
        translations=entry.translations,
        created_at=iso(entry.created_at),
        updated_at=iso(entry.updated_at),
        urls=Located(view.location("orgs", entry.organization, "translations-glossary", entry.id)),
    )
