"""The operation row: an endpoint as data plus one plain typed function.

`reads` and `writes` make rows; what the function's annotations say is not said again.
"""

from __future__ import annotations

import typing
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar, get_args

import msgspec

from octavo.kernel import limits
from octavo.kernel.records.integrations import IntegrationScope

At = TypeVar("At")
In = TypeVar("In")
Rec = TypeVar("Rec")
Out = TypeVar("Out")
AtAsked = TypeVar("AtAsked", contravariant=True)
InAsked = TypeVar("InAsked", contravariant=True)

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
UNLIMITED: Literal["*"] = "*"
"""The scope of rows that only a token without limits may use; no token can be given it."""

Lock = Literal["space", "site", "organization"]
"""The word of the path whose row a write locks first; on PostgreSQL such units run one after the other."""

ANYBODY: Literal["user"] = "user"
"""`needs` of rows that any valid token may use."""


class Nothing:
    """`takes` of a row that reads no body and no query; `at` of a row without path words."""


NOTHING = Nothing()


class Raw(msgspec.Struct, frozen=True):
    """An answer that is not JSON; `next` is the address of what follows, told in the header `Link`."""

    media: str
    body: bytes
    next: str | None = None


class Rule(Generic[AtAsked, InAsked]):
    """Who may, where no word of the policy table says it: a named predicate that reads nothing.

    `who` is for the page of permissions; `otherwise` is the sentence of the 403.
    """

    def __init__(self, who: str, may: Callable[[Any, AtAsked, InAsked], bool], otherwise: str) -> None:
        self.who = who
        self.may = may
        """Of the caller, what was located, and what was sent."""
        self.otherwise = otherwise


class Operation(msgspec.Struct, Generic[At, In, Rec, Out], frozen=True, kw_only=True, dict=True):
    """One row of a room's OPERATIONS; made by `reads` and `writes`."""

    id: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    does: Callable[[Any, At, In], Awaitable[Rec]]
    """Runs inside the unit."""
    present: Callable[[Rec, Any], Out]
    """Turns what `does` returned into the shape of the answer."""
    place: type[At] | None
    """Given where `does` takes several kinds of places."""
    status: int
    needs: str | Rule[At, In]
    """`<kind>.<word>` of the policy table, ANYBODY, or a rule."""
    also: str
    """Who may, as far as what the request names decides it, for the page of permissions."""
    scope: Scope | Literal["*"] | None
    """What a limited token must hold: one of SCOPES, or UNLIMITED; None = every token."""
    summary: str
    writes: bool
    lock: Lock | None
    audit: str | None
    """What the audit log calls it; programs rely on these words, so that none ever changes. None = it is not told."""
    about: Callable[[Rec], Any] | None
    """The record that the log tells of, where that is not the one which the path names last."""
    stands: str | None
    """The word under which what was made (see `about`) stands below its site or organization: for `Location`, where the
    shape of the answer holds no address of its own."""
    tag: str
    query: type[Any] | None
    """The query of a row that takes a body too."""
    body_max: int
    immutable: bool
    """The answer for one address never changes: it carries an ETag and may be asked for again by If-None-Match."""
    before: Callable[[Any, At, In], Awaitable[Any]] | None
    """What has to happen ahead of the unit and outside of it: bytes stored, a job awaited. It follows a unit of its own
    that located and allowed the same as the row's; its result is `call.prepared`."""
    media: tuple[str, ...]
    """The types of an answer that is `Raw`."""
    anyone: bool
    """Whether it is answered without a token too, and with any: what it says depends on nobody's rights."""
    visitors: bool
    """Whether the token of a visit opens it too, as far as the visitor may see what it tells of."""
    installed: IntegrationScope | Literal["any"] | None
    """The scope with which the token of an integration opens it too, where it is installed; None = no such token does."""
    long: Callable[[In], bool] | None
    """Whether presenting what was asked for takes more than a moment: it happens beside the event loop then. For visitors
    it always does, as what they may see is decided in it."""

    @cached_property
    def at(self) -> type[At]:
        """A frozen struct of located records; its fields are the words of `path`, in order."""
        return self.place or self._taken[1]

    @cached_property
    def takes(self) -> type[In]:
        """The struct of the body for POST, PUT and PATCH, else of the query."""
        found: type[In] = self._taken[2]
        return found

    @cached_property
    def gives(self) -> Any:
        """The shape that `present` returns, also a union; None = no body."""
        return None if self.present is nothing else given_by(self.present)

    @property
    def in_body(self) -> bool:
        """Whether `takes` is read from the body."""
        return self.method in ("POST", "PUT", "PATCH") and self.takes is not Nothing

    @cached_property
    def asked(self) -> type[Any] | None:
        """The struct of the query; None for a row that reads none."""
        return self.query or (None if self.in_body or self.takes is Nothing else self.takes)

    @cached_property
    def _taken(self) -> list[Any]:
        return list(typing.get_type_hints(self.does).values())


AnyOperation = Operation[Any, Any, Any, Any]


def nothing(done: None, view: Any) -> None:
    """`present` of rows whose answer has no body."""


def given_by(present: Any) -> Any:
    """What a presenter returns, by its annotations; a presenter that is an object says it itself, as `gives`."""
    return present.gives if hasattr(present, "gives") else typing.get_type_hints(present, include_extras=True)["return"]


def reads(
    id: str,
    path: str,
    does: Callable[[Any, At, In], Awaitable[Rec]],
    present: Callable[[Rec, Any], Out],
    *,
    needs: str | Rule[At, In],
    scope: Scope | Literal["*"] | None,
    summary: str,
    method: Literal["GET", "POST"] = "GET",
    status: int = 200,
    at: type[At] | None = None,
    also: str = "",
    tag: str = "",
    query: type[Any] | None = None,
    immutable: bool = False,
    body_max: int = limits.BODY_MAX,
    before: Callable[[Any, At, In], Awaitable[Any]] | None = None,
    media: tuple[str, ...] = (),
    anyone: bool = False,
    visitors: bool = False,
    installed: IntegrationScope | Literal["any"] | None = None,
    long: Callable[[In], bool] | None = None,
) -> Operation[At, In, Rec, Out]:
    """A row that runs on one view of the data; POST where a body says what is asked for."""
    return Operation(
        id=id, method=method, path=path, does=does, present=present, place=at, status=status, needs=needs, also=also,
        scope=scope, summary=summary, writes=False, lock=None, audit=None, about=None, stands=None, tag=tag,
        query=query, body_max=body_max, immutable=immutable, before=before, media=media,
        anyone=anyone, visitors=visitors, installed=installed, long=long,
    )  # fmt: skip


def writes(
    method: Literal["POST", "PUT", "PATCH", "DELETE"],
    id: str,
    path: str,
    does: Callable[[Any, At, In], Awaitable[Rec]],
    present: Callable[[Rec, Any], Out],
    *,
    needs: str | Rule[At, In],
    scope: Scope | Literal["*"] | None,
    audit: str | None,
    summary: str,
    status: int | None = None,
    lock: Lock | None = None,
    at: type[At] | None = None,
    also: str = "",
    about: Callable[[Rec], Any] | None = None,
    stands: str | None = None,
    tag: str = "",
    query: type[Any] | None = None,
    body_max: int = limits.BODY_MAX,
    before: Callable[[Any, At, In], Awaitable[Any]] | None = None,
    installed: IntegrationScope | Literal["any"] | None = None,
) -> Operation[At, In, Rec, Out]:
    """A row that runs in a write unit; `status` is 200, or without a body 205 for DELETE and 204 for others."""
    usual = 200 if present is not nothing else 205 if method == "DELETE" else 204
    return Operation(
        id=id, method=method, path=path, does=does, present=present, place=at, status=status or usual, needs=needs,
        also=also, scope=scope, summary=summary, writes=True, lock=lock, audit=audit, about=about, stands=stands,
        tag=tag, query=query, body_max=body_max, immutable=False, before=before, media=(),
        anyone=False, visitors=False, installed=installed, long=None,
    )  # fmt: skip
