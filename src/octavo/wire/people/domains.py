"""Domains that organizations claim, and how they are proven."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET

from octavo.kernel.clock import iso
from octavo.kernel.records.provisioning import DomainClaim
from octavo.wire.fields import Body, DateTime, EmailDomain, Located, Maybe, Shape
from octavo.wire.view import View


class TxtRecord(Shape, frozen=True):
    """What is to be set in the domain name system."""

    type: Literal["TXT"]
    name: str
    value: str


class Domain(Shape, tag_field="object", tag="domain", frozen=True):
    """Without a record where the operator of the installation vouches for the domain."""

    domain: str
    status: Literal["pending", "proven"]
    urls: Located
    record: Maybe[TxtRecord] = UNSET
    claimed_at: Maybe[DateTime] = UNSET
    checked_at: Maybe[DateTime] = UNSET
    """When the record was last looked for."""
    found_at: Maybe[DateTime] = UNSET
    """When it was last there."""
    problem: Maybe[str] = UNSET
    """Why it was not there when it was last looked for."""


class ClaimDomain(Body, frozen=True):
    domain: EmailDomain


class DomainView(msgspec.Struct, frozen=True):
    claim: DomainClaim
    proven: bool
    name: str
    """Of the record that proves it."""
    value: str


def present(shown: DomainView, view: View) -> Domain:
    """The domain as the API serves it."""
    one = shown.claim
    times = {
        name: UNSET if at is None else iso(at)
        for name, at in (("checked_at", one.checked_at), ("found_at", one.found_at))
    }
    vouched = not one.word
    return Domain(
        domain=one.domain,
        status="proven" if shown.proven else "pending",
        urls=Located(view.location("orgs", one.organization, "domains", one.domain)),
        record=UNSET if vouched else TxtRecord("TXT", shown.name, shown.value),
        claimed_at=UNSET if vouched else iso(one.claimed_at),
        problem=UNSET if one.problem is None else one.problem,
        **times,
    )
