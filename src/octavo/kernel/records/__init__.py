"""Records: what the store keeps of each resource, as plain frozen values; times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Role = Literal["read", "comment", "edit", "review", "create", "admin"]


ROLES: tuple[Role, ...] = ("read", "comment", "edit", "review", "create", "admin")


"""Cumulative, weakest first."""


RANKED: dict[Role, int] = {role: rank for rank, role in enumerate(ROLES)}


Level = Literal["inherit", "read", "comment", "edit", "review", "create", "admin"]


"""A `defaultLevel`; None is nobody but holders of grants and admins of the organization."""


Json = dict[str, Any]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The base of all records."""
