"""The guard: every hostile writing of an address is refused, and no sentence shows a credential."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.gateways.addresses import Guard, is_public, parse
from octavo.gateways.failures import GatewayFailure, Refused, Unreachable, shown

PUBLIC = Guard(resolver=lambda host, port: ["93.184.216.34"])


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://0.0.0.0/",
        "http://10.1.2.3/",
        "http://100.64.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://192.168.0.1:8080/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://127.1/",
        "http://1.2.3.4.5/",
        "http://[::]/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::127.0.0.1]/",
        "http://[2002:7f00:1::]/",
        "http://[64:ff9b::a00:1]/",
        "http://[fc00::1]/",
        "http://[fd12:3456::1]/",
        "http://[fe80::1]/",
        "http://[fe80::1%25eth0]/",
        "http://[ff02::1]/",
        "http://127\u30020\u30020\u30021/",
        "http://\uff11\uff12\uff17.0.0.1/",
        "http://example.com@127.0.0.1/",
        "http://example.com:80@127.0.0.1/",
        "http://127.0.0.1\\@example.com/",
        "http://127.0.0.1 @example.com/",
        "http://example.com\t@127.0.0.1/",
        "http://%31%32%37.0.0.1/",
        "http://exam%70le.com/",
        "http:///etc/passwd",
        "http://example.com:0/",
        "http://example.com:70000/",
        "http://example.com:x/",
        "file:///etc/passwd",
        "file://localhost/etc/passwd",
        "gopher://example.com/_x",
        "ftp://example.com/",
        "//example.com/",
        "example.com",
        "",
        "http://example.com/" + "a" * 2048,
    ],
)
def test_refuses_hostile_addresses(url: str) -> None:
    with pytest.raises(Refused):
        PUBLIC.admit(parse(url))


@pytest.mark.parametrize(
    ("url", "addresses"),
    [
        ("https://example.com/a b".replace(" ", "%20"), ["93.184.216.34"]),
        ("HTTPS://EXAMPLE.com.:8443/", ["93.184.216.34"]),
        ("http://127.0.0.1.example.com/", ["93.184.216.34"]),
        ("http://b\u00fccher.example/", ["93.184.216.34"]),
        ("http://8.8.8.8/", ["8.8.8.8"]),
        ("http://[2606:4700::1111]/", ["2606:4700::1111"]),
        ("http://[::ffff:8.8.8.8]/", ["::ffff:8.8.8.8"]),
    ],
)
def test_admits_public_hosts(url: str, addresses: list[str]) -> None:
    assert [ipaddress.ip_address(found) for found in PUBLIC.admit(parse(url))] == [
        ipaddress.ip_address(expected) for expected in addresses
    ]


@pytest.mark.parametrize("private", ["10.0.0.5", "::1", "fe80::1%eth0", "nonsense", "::ffff:169.254.169.254"])
def test_one_private_answer_refuses_the_host(private: str) -> None:
    guard = Guard(resolver=lambda host, port: ["93.184.216.34", private])
    with pytest.raises(Refused, match=r"^The host mixed\.example is not on the public internet"):
        guard.admit(parse("https://mixed.example/"))


def test_the_operator_lifts_the_check() -> None:
    def inside(host: str, port: int) -> list[str]:
        return ["10.0.0.5"]

    url = parse("http://wiki.corp:8080/")
    assert Guard(allow_private=True, resolver=inside).admit(url) == ["10.0.0.5"]
    for hosts in ({"wiki.corp"}, {"wiki.corp:8080"}):
        assert Guard(allow_hosts=frozenset(hosts), resolver=inside).admit(url) == ["10.0.0.5"]
    for hosts in ({"corp"}, {"wiki.corp:80"}, {"evil.wiki.corp"}):
        with pytest.raises(Refused):
            Guard(allow_hosts=frozenset(hosts), resolver=inside).admit(url)


def test_says_that_a_host_has_no_address() -> None:
    def gone(host: str, port: int) -> list[str]:
        raise OSError("no such host")

    everywhere, named = Guard(allow_private=True, resolver=gone), frozenset({"gone.example"})
    for guard in (everywhere, Guard(allow_hosts=named, resolver=lambda host, port: [])):
        with pytest.raises(Unreachable, match=r"^The host gone\.example has no address\.$"):
            guard.admit(parse("https://gone.example/"))


def test_a_refusal_does_not_tell_which_names_there_are_inside() -> None:
    def inside(host: str, port: int) -> list[str]:
        if host == "wiki.corp":
            return ["10.0.0.5"]
        raise OSError("no such host")

    said = []
    for host in ("wiki.corp", "nope.corp"):
        with pytest.raises(GatewayFailure) as refused:
            Guard(resolver=inside).admit(parse(f"https://{host}/"))
        said.append((type(refused.value), str(refused.value).replace(host, "")))
    assert said[0] == said[1]


@settings(max_examples=300, deadline=None)
@given(st.ip_addresses())
def test_public_never_means_private(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    if is_public(str(address)):
        special = (address.is_loopback, address.is_link_local, address.is_multicast, address.is_unspecified)
        assert not any(special)
        if isinstance(address, ipaddress.IPv4Address):
            assert address.is_global
            assert is_public(f"::ffff:{address}")
    elif isinstance(address, ipaddress.IPv4Address):
        assert not is_public(f"::ffff:{address}")
        assert not is_public(str(ipaddress.IPv6Address(int(ipaddress.IPv6Address("64:ff9b::")) + int(address))))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://u:p@host/x?token=1#y", "https://host/x"),
        ("https://ghp_secret@host/x", "https://host/x"),
        ("https://u:p/q@host/x", "https://host/x"),
        ("https://u:p#q@host/x", "https://host/x"),
        ("https://u:p?q@host/x", "https://host/x"),
        ("https://u:p@q@host/x", "https://host/x"),
        ("https://u:p/q", "https://"),
        ("https://host:443/@ada/post", "https://host:443/@ada/post"),
        ("https://[::1]:80/x", "https://[::1]:80/x"),
        ("git@host:x/y", "host:x/y"),
        ("https://host/\x1b[31m", "https://host/?[31m"),
    ],
)
def test_shown_addresses_hold_no_credential(url: str, expected: str) -> None:
    assert shown(url) == expected


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab:/?#@[]%\\. \n1", max_size=30))
def test_parse_refuses_or_gives_a_host_and_never_shows_the_user(rest: str) -> None:
    url = f"https://user:s3cret@{rest}"
    said = ""
    try:
        parsed = parse(url)
        assert parsed.raw_host
        assert parsed.scheme == "https"
    except GatewayFailure as failure:
        said = failure.message
    assert "s3cret" not in said
