"""The guard of outbound requests: decides which hosts may be reached, on the very addresses then connected to."""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from octavo.gateways.failures import Refused, Unreachable, host_of, plain, shown

if TYPE_CHECKING:
    import httpx2

Resolver = Callable[[str, int], Sequence[str]]
"""Host and port -> textual IP addresses, in the order to try them; raises OSError when there is none."""

URL_MAX = 2048
ADDRESSES_MAX = 4

_PORTS = {"http": 80, "https": 443}
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)", re.IGNORECASE)
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def resolve(host: str, port: int) -> list[str]:
    """The system's resolver, each address once."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


@dataclass(frozen=True)
class Guard:
    """What the operator permits.

    `allow_private` lifts the address check altogether; `allow_hosts` lifts it for the hosts named (`wiki.corp` or
    `wiki.corp:8080`, lower case). `tls` replaces the system's certificate authorities.
    """

    allow_private: bool = False
    allow_hosts: frozenset[str] = frozenset()
    resolver: Resolver = resolve
    tls: ssl.SSLContext | None = field(default=None, repr=False)

    def admit(self, url: httpx2.URL) -> list[str]:
        """The addresses to connect to for `url`, at most 4.

        Blocks while the resolver works. Raises Refused when the host has no address, or one that is not global, and
        nothing lifts the check: in the same words, or asking would tell which names there are inside. Raises Unreachable
        when the check is lifted and the host has none.
        """
        host, port = name_of(url), port_of(url)
        literal = _literal(host)
        try:
            answers = [literal] if literal else list(self.resolver(host, port))
        except (OSError, UnicodeError):
            answers = []
        if self._lifted(host, port):
            if not answers:
                raise Unreachable(f"The host {plain(host)} has no address.")
        elif not answers or not all(is_public(answer) for answer in answers):
            raise Refused(
                f"The host {plain(host)} is not on the public internet, so this installation does not reach it."
            )
        return answers[:ADDRESSES_MAX]

    def _lifted(self, host: str, port: int) -> bool:
        return self.allow_private or host in self.allow_hosts or f"{host}:{port}" in self.allow_hosts


def parse(text: str) -> httpx2.URL:
    """An address that may be asked, or Refused: http and https only, with a host in its one usual writing."""
    import httpx2

    if len(text) > URL_MAX:
        raise Refused(f"The address of {host_of(text)} is longer than {URL_MAX} characters.")
    # Readers of addresses disagree about these characters; an attack lives on such a disagreement.
    if not text.isprintable() or " " in text or "\\" in text:
        raise Refused(f"The address {shown(text)} has characters that an address may not have.")
    try:
        url = httpx2.URL(text)
        # Reading these decodes the host: a failure belongs here.
        name, port = name_of(url), url.port
    except (httpx2.InvalidURL, ValueError, UnicodeError):
        raise Refused(f"The address {shown(text)} is not valid.") from None
    if url.scheme not in _PORTS:
        raise Refused(f"The address {shown(text)} does not begin with http:// or https://, the only kinds supported.")
    if not name or "%" in name or (port is not None and not 0 < port < 65536):
        raise Refused(f"The address {shown(text)} names no host that could be asked.")
    _require_usual(name)
    return url


def name_of(url: httpx2.URL) -> str:
    """The host as asked of the resolver: ASCII, lower case, without a final dot."""
    return url.raw_host.decode("ascii").lower().removesuffix(".")


def port_of(url: httpx2.URL) -> int:
    return url.port or _PORTS[url.scheme]


def origin_of(url: httpx2.URL) -> tuple[str, str, int]:
    """Scheme, host and port: what credentials are bound to."""
    return url.scheme, name_of(url), port_of(url)


def is_public(text: str) -> bool:
    """Whether a textual IP address is global unicast, also by the IPv4 address it may carry inside."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None:
            return False
        inner = _carried(address)
        if inner is not None:
            return is_public(str(inner))
        if address not in _GLOBAL_UNICAST:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _carried(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


def _literal(host: str) -> str | None:
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return None


def _require_usual(name: str) -> None:
    """Refuse decimal, octal, hexadecimal and shortened IPv4: system resolvers read them, each in a way of its own."""
    if ":" not in name and _NUMBER.fullmatch(name.rpartition(".")[2]) and _literal(name) is None:
        raise Refused(f"The host {plain(name)} is a number in an unusual writing; write four decimal numbers.")
