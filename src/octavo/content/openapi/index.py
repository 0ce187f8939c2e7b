"""What a specification holds, by name: the one part that says which others there are."""

from __future__ import annotations

from typing import Any

import msgspec

Json = dict[str, Any]

INDEX = "index"
"""The name of the part that is an `Index`."""
SCHEMAS = "#/components/schemas/"
SCHEMES = "#/components/securitySchemes/"


class Operation(msgspec.Struct, frozen=True, omit_defaults=True):
    """An operation, or a webhook: something that is called by a method."""

    method: str
    """In lower case."""
    path: str
    """Of a webhook its name."""
    title: str
    tags: list[str] = []
    summary: str = ""
    id: str = ""
    deprecated: bool = False
    webhook: bool = False

    @property
    def part(self) -> str:
        """The name of the part that says all of it."""
        return part_of(self.method, self.path, webhook=self.webhook)


def part_of(method: str, path: str, *, webhook: bool = False) -> str:
    """The name of the part of an operation or webhook."""
    return f"{'webhook' if webhook else 'operation'} {method.lower()} {path}"


class Tag(msgspec.Struct, frozen=True, omit_defaults=True):
    """A group of operations."""

    name: str
    title: str
    description: str = ""
    parent: str = ""
    icon: str = ""
    emoji: str = ""


class Index(msgspec.Struct, frozen=True, omit_defaults=True):
    """The whole of a specification in outline, in the order in which it was written."""

    title: str
    version: str = ""
    description: str = ""
    openapi: str = ""
    servers: list[Json] = []
    tags: list[Tag] = []
    operations: list[Operation] = []
    schemas: list[str] = []
    schemes: list[str] = []
    """The ways to say who calls, by name."""


class Part(msgspec.Struct, frozen=True):
    """An operation or webhook with everything that it takes from around it."""

    operation: Json
    """With the parameters of its path, its servers and its security, wherever these were written."""
    needs: list[str]
    """The parts that its references lead to, and theirs."""
