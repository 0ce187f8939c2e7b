"""What the domain name system says of a name, by resolvers that are named or by those of the system."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from typing import Any

from octavo.gateways.failures import Unreachable, plain

SECONDS = 10.0
ANSWERS_MAX = 50

Servers = Sequence[tuple[str, int]]
"""IP address and port of each resolver, in the order to ask them; none = those of the system."""


async def texts(name: str, servers: Servers = ()) -> list[str]:
    """The TXT records of a name; none where it has none. Raises Unreachable where nobody can say."""
    records = await _records(name, "TXT", servers)
    return [b"".join(record.strings).decode("utf-8", "replace") for record in records]


async def addresses(name: str, servers: Servers) -> list[str]:
    """The IPv4 and then the IPv6 addresses of a name; none where it has none. Raises Unreachable where nobody can say."""
    try:
        return [str(ipaddress.ip_address(name))]
    except ValueError:
        found = [*await _records(name, "A", servers), *await _records(name, "AAAA", servers)]
        return [record.address for record in found]


async def _records(name: str, kind: str, servers: Servers) -> list[Any]:
    # With the first question: few processes ask one.
    import dns.asyncresolver
    import dns.exception
    import dns.nameserver
    import dns.resolver

    try:
        resolver = dns.asyncresolver.Resolver(configure=not servers)
        if servers:
            resolver.nameservers = [dns.nameserver.Do53Nameserver(address, port) for address, port in servers]
        answer = await resolver.resolve(name, kind, lifetime=SECONDS, search=False)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.DNSException, OSError, UnicodeError):
        raise Unreachable(f"The domain name system did not answer for {plain(name)}.") from None
    return list(answer)[:ANSWERS_MAX]
