"""Columns as every table writes them, in both dialects.

Times are BIGINT milliseconds, booleans are 0 or 1, JSON is TEXT that is never queried inside, ids are TEXT compared byte
by byte. Every row carries its organization.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, MetaData, Text, TextClause
from sqlalchemy import text as sql
from sqlalchemy.types import TypeEngine

metadata = MetaData()

Key: TypeEngine[str] = Text().with_variant(Text(collation="C"), "postgresql")


def key(name: str, target: str | None = None, *, null: bool = False, unique: bool = False) -> Column[str]:
    """An id or another word that rows are found by; rows go with the one that `target` names."""
    foreign = [ForeignKey(target, ondelete="CASCADE")] if target else []
    return Column(name, Key, *foreign, nullable=null, unique=unique)


def text(name: str, *, null: bool = True, default: str | None = None) -> Column[str]:
    """Words, an enumeration or JSON. A column that was added later and is never null says what older rows were given."""
    return Column(name, Text, nullable=null, server_default=default)


def number(name: str, *, null: bool = False) -> Column[int]:
    """A number, a time or a yes or no."""
    return Column(name, BigInteger, nullable=null)


def identity() -> Column[str]:
    """The id of a row."""
    return Column("id", Key, primary_key=True)


def organization(*, null: bool = False) -> Column[str]:
    """Whose row it is."""
    return key("organization", "organizations.id", null=null)


def unique_where(name: str, condition: str, *columns: str) -> Index:
    """An index whose columns are unique among the rows that meet the condition."""
    return where(name, condition, *columns, unique=True)


def where(name: str, condition: str, *columns: str | TextClause, unique: bool = False) -> Index:
    """An index of the rows that meet the condition."""
    return Index(name, *columns, unique=unique, sqlite_where=sql(condition), postgresql_where=sql(condition))
