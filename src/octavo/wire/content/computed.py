"""Entries that stand for pages made of something else."""

from __future__ import annotations

from typing import Literal

from octavo.wire.fields import Body


class SpecRef(Body, frozen=True):
    kind: Literal["openapi"]
    spec: str


class SpecDependency(Body, frozen=True):
    ref: SpecRef


class SpecDependencies(Body, frozen=True):
    spec: SpecDependency


class ReferenceProps(Body, frozen=True):
    models: bool = False
    download_link: bool = False
    grouping: Literal["by-tag", "by-operation"] = "by-tag"


class ComputedSource(Body, frozen=True):
    """Pages that are made of an OpenAPI specification of the organization, and follow its versions."""

    type: Literal["builtin:openapi"]
    dependencies: SpecDependencies
    props: ReferenceProps = ReferenceProps()
