"""Names are asked of the resolvers that are set, and of them alone."""

from __future__ import annotations

import asyncio
import socket

import pytest

from octavo.gateways import dns
from octavo.gateways.failures import Unreachable
from octavo.kernel.settings import load
from tests import nameserver

NAME = "_octavo.acme.test"


def _servers(*zones: nameserver.Zone) -> dns.Servers:
    return load({"OCTAVO_DNS": ", ".join(zone.setting for zone in zones)}).name_servers


def _has_six() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as one:
            one.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_resolver_says_what_a_name_has(host: str) -> None:
    if host == "::1" and not _has_six():
        pytest.skip("this machine has no IPv6")
    with nameserver.serving(host) as zone:
        servers = _servers(zone)
        assert asyncio.run(dns.texts(NAME, servers)) == []  # there is no such name
        zone.records[NAME, "A"] = ["192.0.2.7"]
        assert asyncio.run(dns.texts(NAME, servers)) == []  # there is, without such a record
        zone.records[NAME, "TXT"] = ['"octavo-domain=" "in two"', "other"]
        zone.records[NAME, "AAAA"] = ["2001:db8::7"]
        assert sorted(asyncio.run(dns.texts(NAME, servers))) == ["octavo-domain=in two", "other"]
        assert asyncio.run(dns.addresses(NAME, servers)) == ["192.0.2.7", "2001:db8::7"]
        before = len(zone.asked)
        assert asyncio.run(dns.addresses("192.0.2.9", servers)) == ["192.0.2.9"]
        assert len(zone.asked) == before


def test_the_next_resolver_is_asked_where_one_knows_nothing() -> None:
    with nameserver.serving() as first, nameserver.serving() as second:
        first.broken = True
        second.records[NAME, "TXT"] = ["word"]
        assert asyncio.run(dns.texts(NAME, _servers(first, second))) == ["word"]
        assert (NAME, "TXT") in first.asked
        with pytest.raises(Unreachable, match=r"did not answer for _octavo\.acme\.test"):
            asyncio.run(dns.texts(NAME, _servers(first)))
