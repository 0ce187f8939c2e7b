"""A row, prepared for its requests: how its words are found, who may, how its input is read and its answer written."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property
from typing import Any, cast

import msgspec

from octavo.access.caller import Caller
from octavo.access.finders import FINDERS
from octavo.access.locate import Finder, Seen
from octavo.access.policy import POLICY, Kind, allows
from octavo.api.sentences import MOMENT, sentence
from octavo.api.unknown import Known, known_of, unknown_in
from octavo.kernel.errors import BadRequest, Forbidden
from octavo.kernel.operation import ANYBODY, AnyOperation, Nothing, Raw, Rule
from octavo.store.unit import Unit
from octavo.web.asgi import Scope
from octavo.web.fields import Fields, read_query
from octavo.wire.view import View

Found = Mapping[str, Any]
Allowed = Callable[[Caller, Found, Any, Any], None]
Header = tuple[bytes, bytes]

_TABLES = {"space": "spaces", "site": "sites", "organization": "organizations"}
_ASKED = 256
"""Queries of a row that are remembered."""
_SHORT = 100
"""Bytes of the longest of them."""
_NUL = rb"\u0000"
_encode = msgspec.json.Encoder().encode
_PLAIN: tuple[Header, ...] = ((b"content-type", b"application/json"),)


class Plan:
    """What all requests for a row share. Raises TypeError for a row that is none: words of the path that are not those of
    its place, a permission that is not in the policy table."""

    def __init__(self, row: AnyOperation) -> None:
        self.row = row
        words = [part.strip("{}").removesuffix("...") for part in row.path.split("/") if part.startswith("{")]
        hints = {} if row.at is Nothing else typing.get_type_hints(row.at)
        names = [] if row.at is Nothing else [field.name for field in msgspec.structs.fields(row.at)]
        if names != words:
            raise TypeError(f"{row.id}: the path has the words {words}, its place has {names}")
        self.locked = None if row.lock is None else words.index(row.lock)
        """Which word names the row that the unit locks."""
        self._finders: list[tuple[str, Finder]] = [(name, FINDERS[hints[name]]) for name in names]
        self._allows = _allowed(row, names)
        self._within = _within(hints)
        self._body = msgspec.json.Decoder(row.takes) if row.in_body else None
        self._query = None if row.asked is None else Query(row.asked)
        self._asked: dict[bytes, Any] = {}
        """Queries that were read already, as clients repeat them: structs that nobody changes."""

    def table(self, words: Sequence[str]) -> tuple[str, str] | None:
        """The table and the id of the row that the unit locks."""
        return None if self.locked is None else (_TABLES[self.row.lock or ""], words[self.locked])

    async def reach(self, unit: Unit, caller: Caller, words: Sequence[str]) -> None:
        """Whether the caller gets as far as to what the words name, with a role that may be enough, ahead of what she
        sends. Raises as `locate` does; what a rule makes of what was sent is asked by that."""
        found: dict[str, Any] = {}
        for (name, finder), word in zip(self._finders, words):
            found[name] = await finder(unit, caller, word, found)
        if not isinstance(self.row.needs, Rule):
            self._allows(caller, found, None, None)

    async def locate(self, unit: Unit, caller: Caller, words: Sequence[str], takes: Any) -> tuple[Any, str | None]:
        """The row's place, and the organization that the caller is seen in there. Raises NotFound for a word that names
        nothing which the caller may see, Forbidden where the row asks for more."""
        found: dict[str, Any] = {}
        for (name, finder), word in zip(self._finders, words):
            found[name] = await finder(unit, caller, word, found)
        at = self.row.at(*found.values())
        self._allows(caller, found, at, takes)
        return at, None if self._within is None else self._within(found)

    def body(self, data: bytes) -> tuple[Any, str]:
        """What a body says, an empty one nothing; and its fields that the row does not know, "" where it knows all. Raises
        BadRequest with the name of the field."""
        assert self._body is not None  # only rows that take one are asked
        if _holds_nul(data):
            raise BadRequest("the body holds the character U+0000, which no text may hold")
        try:
            # The decoder does not read what the row does not know, so that it would let bytes pass there that are no text.
            if not data.isascii():
                data.decode()
            takes = self._body.decode(data or b"{}")
        except msgspec.ValidationError as error:
            raise BadRequest(sentence(error, self.row.takes)) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadRequest(f"the body is not JSON: {error}") from error
        return takes, unknown_in(data, self._known) if data else ""

    @cached_property
    def _known(self) -> Known:
        return known_of(self.row.takes)

    def query(self, scope: Scope) -> Any:
        """What the request's query says; None for a row that reads none."""
        raw: bytes = scope.get("query_string", b"")
        known = self._asked.get(raw)
        if known is None:
            fields = read_query(scope)
            known = None if self._query is None else self._query.read(fields)
            if len(raw) <= _SHORT and len(self._asked) < _ASKED:
                self._asked[raw] = known
        return known

    def answer(self, result: Any, view: View) -> tuple[bytes, Sequence[Header]]:
        """The body for what the row's function returned, and the headers that follow from it."""
        row = self.row
        shape = row.present(result, view)
        if shape is None:
            return b"", ()
        if isinstance(shape, Raw):
            link = () if shape.next is None else ((b"link", f'<{shape.next}>; rel="next"'.encode()),)
            return shape.body, ((b"content-type", shape.media.encode()), *link)
        if row.status == 201 and (location := self._location(shape, result, view)) is not None:
            return _encode(shape), (*_PLAIN, (b"location", location.encode()))
        return _encode(shape), _PLAIN

    def _location(self, shape: Any, result: Any, view: View) -> str | None:
        """Where what was made is from now on."""
        found = getattr(getattr(shape, "urls", None), "location", None)
        if isinstance(found, str):
            return found
        if self.row.stands is None:
            return None
        made = result if self.row.about is None else self.row.about(result)
        within = ("sites", made.site) if hasattr(made, "site") else ()
        return view.location("orgs", made.organization, *within, self.row.stands, made.id)


plan_of = cache(Plan)
"""The plan of a row, which all applications of a process share."""


class Query:
    """Fields of a query as a struct."""

    def __init__(self, kind: type[Any]) -> None:
        hints = typing.get_type_hints(kind)
        self._kind = kind
        self._lists = {
            field.encode_name
            for field in msgspec.structs.fields(kind)
            if any(typing.get_origin(one) is list for one in (hints[field.name], *typing.get_args(hints[field.name])))
        }
        self._moments = {
            field.encode_name
            for field in msgspec.structs.fields(kind)
            if any(one is datetime for one in _parts(hints[field.name]))
        }

    def read(self, fields: Fields) -> Any:
        """Raises BadRequest with the name of the field. A field given twice counts once, unless it is a list."""
        values: dict[str, Any] = {name: said if name in self._lists else said[-1] for name, said in fields.items()}
        # msgspec takes a number in a text for seconds since 1970, which the description does not say.
        for name in self._moments & values.keys():
            if "T" not in values[name].upper() and " " not in values[name]:
                raise BadRequest(f"{name}: {MOMENT}")
        try:
            return msgspec.convert(values, self._kind, strict=False)
        except msgspec.ValidationError as error:
            raise BadRequest(sentence(error, self._kind)) from error


def _parts(hint: Any) -> Iterator[Any]:
    """A type, and those that it is made of."""
    yield hint
    for part in typing.get_args(hint):
        yield from _parts(part)


def _allowed(row: AnyOperation, names: list[str]) -> Allowed:
    """What raises Forbidden for a caller that the row does not allow; of what was located, the place, and what was sent."""
    needs = row.needs
    if isinstance(needs, Rule):
        rule = needs

        def by_rule(caller: Caller, found: Found, at: Any, takes: Any) -> None:
            if not rule.may(caller, at, takes):
                raise Forbidden(rule.otherwise)

        return by_rule
    if needs == ANYBODY:
        return lambda caller, found, at, takes: None
    kind, _, word = needs.partition(".")
    if word not in POLICY.get(cast("Kind", kind), {}) or kind not in names:
        raise TypeError(f"{row.id}: {needs} is not in the policy table, or the path names no {kind}")

    def by_role(caller: Caller, found: Found, at: Any, takes: Any) -> None:
        if not allows(cast("Kind", kind), word, found[kind].role):
            raise Forbidden(f"you may see this {kind}, but your role does not allow that (needs {needs})")

    return by_role


def _within(hints: Mapping[str, Any]) -> Callable[[Found], str] | None:
    """The organization of what is located: itself, or that of the space or collection."""
    for name in ("organization", "space", "collection"):
        if isinstance(hints.get(name), type) and issubclass(hints[name], Seen):
            key = name
            if key == "organization":
                return lambda found: cast("str", found[key].record.id)
            return lambda found: cast("str", found[key].record.organization)
    return None


def _holds_nul(data: bytes) -> bool:
    """Whether a JSON text holds the character, as it is or escaped; a backslash that is escaped itself escapes nothing.

    >>> [_holds_nul(data) for data in (b"", b'"\\\\u0000"', b'"\\\\\\\\u0000"', b'"\\\\\\\\\\\\u0000"', bytes(1))]
    [False, True, False, True, True]
    """
    if b"\x00" in data:
        return True
    # Without the backslashes that stand for themselves, what is left escapes. (A pattern took 8 s for 60 MB.)
    return _NUL in data and _NUL in data.replace(b"\\\\", b"")
