"""Hostnames of sites: what is known of their proof."""

from __future__ import annotations

from typing import Any

from octavo.access.caller import Caller
from octavo.access.locate_sites import SeenHostname
from octavo.access.policy import allows
from octavo.kernel.errors import BadRequest
from octavo.kernel.events import HostnameProofWanted, SiteChanged
from octavo.kernel.operation import Nothing, Rule, nothing, reads, writes
from octavo.kernel.records.sites import HostnameProof
from octavo.resources.call import Call
from octavo.resources.places import Place
from octavo.site import hostnames
from octavo.wire.sites.hostnames import HostnameView, present


class AtHostname(Place, frozen=True):
    hostname: SeenHostname


def _administrates(caller: Caller, at: AtHostname, takes: object) -> bool:
    return allows("site", "admin", at.hostname.role)


_ADMINS: Rule[AtHostname, Any] = Rule(
    "`admin` on the site that has the hostname, or asks for it",
    _administrates,
    "you may see this site, but your role does not allow that (needs site.admin)",
)


async def get(call: Call, at: AtHostname, takes: Nothing) -> HostnameView:
    """Whether a site answers on it, and what has to be shown for that."""
    return _view(at.hostname.record)


async def revalidate(call: Call, at: AtHostname, takes: Nothing) -> None:
    """Look for the proof now. Raises BadRequest for a hostname that needs none."""
    proof = at.hostname.record
    if proof.hostname_secret is None or proof.wanted_hostname is None:
        raise BadRequest("hostname: the operator of this installation vouches for it, so that it needs no proof")
    await call.unit.emit(
        HostnameProofWanted(organization=proof.organization, site=proof.id, hostname=proof.wanted_hostname)
    )


async def remove(call: Call, at: AtHostname, takes: Nothing) -> None:
    """The site neither has it nor asks for it any more."""
    site = await call.unit.sites.change(at.hostname.site, hostname=None, wanted_hostname=None, hostname_wanted_at=None)
    await hostnames.want_hostname(call.unit, site, None)
    await call.unit.emit(SiteChanged(organization=site.organization, site=site.id))


def _view(proof: HostnameProof) -> HostnameView:
    name = proof.wanted_hostname or ""
    return HostnameView(proof, hostnames.record_name(name), hostnames.proof_address(name))


_ONE = "/custom-hostnames/{hostname}"

OPERATIONS = (
    reads("getCustomHostname", _ONE, get, present,
          needs=_ADMINS, scope="site:read", summary="Get a hostname of a site, and how it is proven"),
    writes("PATCH", "dnsRevalidateCustomHostname", _ONE, revalidate, nothing,
           needs=_ADMINS, scope="site:write", audit=None, summary="Look for the proof of a hostname now"),
    writes("DELETE", "removeCustomHostname", _ONE, remove, nothing,
           needs=_ADMINS, scope="site:write", audit="site.hostname.remove", about=None,
           summary="Take the hostname away from a site"),
)  # fmt: skip
