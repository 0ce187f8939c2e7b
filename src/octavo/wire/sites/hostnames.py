"""Hostnames of sites, and how somebody shows that one is a site's to have."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET

from octavo.kernel.clock import iso
from octavo.kernel.records.sites import HostnameProof
from octavo.wire.fields import DateTime, Located, Maybe, Shape, maybe
from octavo.wire.view import View


class SitePointer(Shape, tag_field="type", tag="site", frozen=True):
    site: str


class Proof(Shape, frozen=True):
    """One of both is enough: the TXT record, or the text that the address answers."""

    record: str
    address: str
    value: str
    checked_at: Maybe[DateTime] = UNSET
    problem: Maybe[str] = UNSET
    """Why it was not found when it was last looked for."""


class CustomHostname(Shape, tag_field="object", tag="custom-hostname", frozen=True):
    hostname: str
    target: SitePointer
    is_active: bool
    """Whether the site answers on it."""
    urls: Located
    status: Maybe[Literal["live", "dns_no_cname"]] = UNSET
    proof: Maybe[Proof] = UNSET
    """Absent where the operator said that the site may have the hostname."""


class HostnameView(msgspec.Struct, frozen=True):
    proof: HostnameProof
    record: str
    address: str


def present(shown: HostnameView, view: View) -> CustomHostname:
    """The hostname as the API serves it."""
    proof = shown.proof
    hostname, active = proof.wanted_hostname or "", proof.hostname is not None
    return CustomHostname(
        hostname=hostname,
        target=SitePointer(proof.id),
        is_active=active,
        urls=Located(view.location("custom-hostnames", hostname)),
        status="live" if active else UNSET if proof.hostname_checked_at is None else "dns_no_cname",
        proof=UNSET
        if proof.hostname_secret is None
        else Proof(
            shown.record,
            shown.address,
            proof.hostname_secret,
            maybe(None if proof.hostname_checked_at is None else iso(proof.hostname_checked_at)),
            maybe(proof.hostname_problem),
        ),
    )
