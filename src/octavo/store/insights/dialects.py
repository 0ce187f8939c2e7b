"""Where the engines differ: functions of JSON and of bits; everything else sqlglot prints for each."""

from __future__ import annotations

from typing import Protocol

from sqlglot import exp

_FINEST = 15
_RESOLUTION = 0xF << 52
"""Where a cell of the H3 grid says how fine it is."""


class Dialect(Protocol):
    """What a query needs of an engine."""

    def printed(self, tree: exp.Expr) -> str: ...
    def claim(self, claims: exp.Expr, name: str) -> exp.Expr:
        """The text of one claim; null where there is none, or nothing in it."""

    def each_key(self, claims: exp.Expr) -> exp.Expr:
        """A row for each claim's name."""

    def has_key(self, claims: exp.Expr, names: list[str]) -> exp.Expr:
        """Whether there is a claim of one of the names; false where there are no claims."""

    def parent_cell(self, cell: exp.Expr, resolution: int) -> exp.Expr:
        """The cell of a coarser grid around a finest one."""


def _masks(resolution: int) -> tuple[int, int]:
    """Bits that stay, and bits that are set: digits finer than the grid are all 7."""
    unused = sum(7 << 3 * (_FINEST - level) for level in range(resolution + 1, _FINEST + 1))
    return ((1 << 62) - 1) & ~_RESOLUTION, (resolution << 52) | unused


class DuckDialect:
    """DuckDB's."""

    def printed(self, tree: exp.Expr) -> str:
        return tree.sql("duckdb", identify=True)

    def claim(self, claims: exp.Expr, name: str) -> exp.Expr:
        pointer = "/" + name.replace("~", "~0").replace("/", "~1")
        found = exp.Anonymous(this="json_extract_string", expressions=[claims, exp.Literal.string(pointer)])
        return exp.Anonymous(this="nullif", expressions=[found, exp.Literal.string("")])

    def each_key(self, claims: exp.Expr) -> exp.Expr:
        return exp.Anonymous(this="unnest", expressions=[exp.Anonymous(this="json_keys", expressions=[claims])])

    def has_key(self, claims: exp.Expr, names: list[str]) -> exp.Expr:
        keys = exp.Anonymous(this="json_keys", expressions=[claims])
        wanted = exp.Array(expressions=[exp.Literal.string(name) for name in names])
        has = exp.Anonymous(this="list_has_any", expressions=[keys, wanted])
        return exp.func("coalesce", has, exp.false()) if names else exp.false()

    def parent_cell(self, cell: exp.Expr, resolution: int) -> exp.Expr:
        stays, put = _masks(resolution)
        kept = exp.paren(exp.BitwiseAnd(this=cell, expression=exp.Literal.number(stays)))
        return exp.BitwiseOr(this=kept, expression=exp.Literal.number(put))


class ClickhouseDialect:
    """ClickHouse's."""

    def printed(self, tree: exp.Expr) -> str:
        return tree.transform(_divided).sql("clickhouse", identify=True)

    def claim(self, claims: exp.Expr, name: str) -> exp.Expr:
        found = exp.Anonymous(this="JSONExtractString", expressions=[_said(claims), exp.Literal.string(name)])
        return exp.Anonymous(this="nullIf", expressions=[found, exp.Literal.string("")])

    def each_key(self, claims: exp.Expr) -> exp.Expr:
        return exp.Anonymous(this="arrayJoin", expressions=[_keys(claims)])

    def has_key(self, claims: exp.Expr, names: list[str]) -> exp.Expr:
        wanted = exp.Array(expressions=[exp.Literal.string(name) for name in names])
        return exp.Anonymous(this="hasAny", expressions=[_keys(claims), wanted]) if names else exp.false()

    def parent_cell(self, cell: exp.Expr, resolution: int) -> exp.Expr:
        stays, put = _masks(resolution)
        kept = exp.Anonymous(this="bitAnd", expressions=[cell, exp.Literal.number(stays)])
        return exp.Anonymous(this="bitOr", expressions=[kept, exp.Literal.number(put)])


def _divided(node: exp.Expr) -> exp.Expr:
    """A division of whole numbers as its own function; else it would be one of fractions that are cut off."""
    if not isinstance(node, exp.IntDiv):
        return node
    return exp.Anonymous(this="intDiv", expressions=[node.this, node.expression])


def _keys(claims: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this="JSONExtractKeys", expressions=[_said(claims)])


def _said(claims: exp.Expr) -> exp.Expr:
    """Claims as a text that is never null: functions of JSON want one there."""
    said = exp.Anonymous(this="ifNull", expressions=[claims, exp.Literal.string("{}")])
    return exp.Anonymous(this="toString", expressions=[said])
