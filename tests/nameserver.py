"""A name server of the tests: it answers what it is told, by UDP on a port of the system's choice."""

from __future__ import annotations

import socket
import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

from tests.threads import answering


@dataclass
class Zone:
    """What names say; whoever changes it changes the next answer."""

    records: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """(name, kind) -> records as they stand in a zone file."""
    broken: bool = False
    """Nothing is known of any name, for now."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    setting: str = ""
    """Its address, as OCTAVO_DNS takes it."""

    def answer(self, wire: bytes) -> bytes:
        query = dns.message.from_wire(wire)
        question = query.question[0]
        key = question.name.to_text(omit_final_dot=True).lower(), dns.rdatatype.to_text(question.rdtype)
        self.asked.append(key)
        reply = dns.message.make_response(query)
        reply.flags |= dns.flags.RA
        found = self.records.get(key, [])
        if self.broken:
            reply.set_rcode(dns.rcode.SERVFAIL)
        elif found:
            reply.answer.append(dns.rrset.from_text(question.name, 60, "IN", key[1], *found))
        elif not any(name == key[0] for name, _ in self.records):
            reply.set_rcode(dns.rcode.NXDOMAIN)
        return reply.to_wire()


class _Six(socketserver.UDPServer):
    address_family = socket.AF_INET6


@contextmanager
def serving(host: str = "127.0.0.1") -> Iterator[Zone]:
    """A zone that is asked at its `setting` until the end of the block."""
    zone = Zone()

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            wire, asked = self.request
            asked.sendto(zone.answer(wire), self.client_address)

    kind = _Six if ":" in host else socketserver.UDPServer
    server = kind((host, 0), Handler)
    port = server.server_address[1]
    zone.setting = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    with answering(server):
        yield zone
