"""What the domain name system says of a name, by the resolvers of the system."""

from __future__ import annotations

from octavo.gateways.failures import Unreachable, plain

SECONDS = 10.0
ANSWERS_MAX = 50


async def texts(name: str) -> list[str]:
    """The TXT records of a name; none where it has none. Raises Unreachable where nobody can say."""
    # With the first question: few processes ask one.
    import dns.asyncresolver
    import dns.exception
    import dns.resolver

    try:
        answer = await dns.asyncresolver.resolve(name, "TXT", lifetime=SECONDS, search=False)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.DNSException, OSError, UnicodeError):
        raise Unreachable(f"The domain name system did not answer for {plain(name)}.") from None
    return [b"".join(record.strings).decode("utf-8", "replace") for record in list(answer)[:ANSWERS_MAX]]
