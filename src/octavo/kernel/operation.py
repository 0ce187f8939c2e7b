"""The operation row: an endpoint as data plus one plain typed function."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, get_args

from octavo.kernel import limits

At = TypeVar("At")
In = TypeVar("In")
Rec = TypeVar("Rec")
Out = TypeVar("Out")

Pace = Literal["read", "write", "search"]
"""Which allowance a request draws on."""

Scope = Literal[
    "user:read",
    "organization:read", "organization:write", "organization:members:read", "organization:members:write",
    "organization:ask", "organization:search",
    "space:read", "space:write", "space:permissions:read", "space:permissions:write",
    "change-request:merge",
    "site:read", "site:write", "site:publish", "site:permissions:read", "site:permissions:write", "site:auth:read",
    "site:auth:write", "site:insights:read", "site:ask", "site:search",
    "integration:read", "integration:installations:read", "integration:installations:write", "integration:publish",
    "integration:delete",
    "openapi:read", "openapi:write",
]  # fmt: skip
"""What a token may be limited to."""
SCOPES: tuple[Scope, ...] = get_args(Scope)
UNLIMITED = "*"
"""The scope of rows that only a token without limits may use; no token can be given it."""

Lock = Literal["space", "site", "organization"]


@dataclass(frozen=True)
class Unit:
    """What transaction a row runs in: a read, or a write that first locks a root row named by a path word."""

    writes: bool
    lock: Lock | None = None


READ = Unit(writes=False)


def write(lock: Lock | None = None) -> Unit:
    """A write unit; on PostgreSQL units on the same locked row run one after the other."""
    return Unit(writes=True, lock=lock)


class Nothing:
    """`takes` of a row that reads no body and no query; `at` of a row without path words."""


NOTHING = Nothing()


@dataclass(frozen=True)
class Raw:
    """An answer that is not JSON; `next` is the address of what follows, told in the header `Link`."""

    media: str
    body: bytes
    next: str | None = None


@dataclass(frozen=True)
class Operation(Generic[At, In, Rec, Out]):
    """One row of a room's OPERATIONS.

    `at` is a frozen dataclass of located records; its fields are the words of `path`, in order.
    `takes` is a msgspec struct: of the body for POST, PUT and PATCH, else of the query (the query of a row with a body
    is `query`). `does` runs inside the unit and returns what `present` turns into `gives`.
    `needs` is "<kind>.<word>" of the policy table, or "user" (any valid token), or "any" (rooms decide by relation).
    """

    id: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    at: type[At]
    takes: type[In]
    does: Callable[[Any, At, In], Awaitable[Rec]]
    present: Callable[[Rec, Any], Out]
    gives: Any
    """The shape that `present` returns, also a union; None = no body."""
    status: int
    needs: str
    pace: Pace
    unit: Unit
    scope: str | None
    """What a limited token must hold: one of SCOPES, or UNLIMITED; None = every token."""
    summary: str
    tag: str = ""
    query: type[Any] | None = None
    body_max: int = limits.BODY_MAX
    immutable: bool = False
    """The answer for one address never changes: it carries an ETag and may be asked for again by If-None-Match."""
    before: Callable[[Any, At, In], Awaitable[Any]] | None = None
    """What has to happen ahead of the unit and outside of it: bytes stored, a job awaited. It follows a unit of its own
    that located and allowed the same as the row's; its result is `call.prepared`."""
    media: tuple[str, ...] = ()
    """The types of an answer that is `Raw`."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Word of the path -> name of the parameter in the specification, where they differ."""
