"""Guarded fetch against a local server: redirects, caps, credentials, certificates."""

from __future__ import annotations

import asyncio
import gzip
import shutil
import ssl
import subprocess
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from octavo.gateways import git, openid
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure, Refused, TooLarge, TooSlow, Unreachable
from octavo.gateways.web import Fetched, Limits, download, fetch
from tests.certificates import AHEAD, OVER, made
from tests.gateways.conftest import Site, start

OPEN = Guard(allow_hosts=frozenset({"127.0.0.1"}), resolver=lambda host, port: ["127.0.0.1"])
ANY = Guard(allow_private=True, resolver=lambda host, port: ["127.0.0.1"])


def get(url: str, guard: Guard = OPEN, **arguments: object) -> Fetched:
    return asyncio.run(fetch(url, guard=guard, **{"limits": Limits(), **arguments}))  # type: ignore[arg-type]


def refusal(kind: type[GatewayFailure], url: str, guard: Guard = OPEN, **arguments: object) -> str:
    with pytest.raises(GatewayFailure) as caught:
        get(url, guard, **arguments)
    assert caught.type is kind
    return caught.value.message


def test_fetches_with_the_real_host_name_at_the_checked_address(site: Site) -> None:
    site.put("/a?b=c", b"hello", Content_Type="text/plain")
    answer = get(site.url("/a?b=c", "docs.example"), ANY, headers={"Accept": "text/plain", "Host": "evil"})
    assert (answer.status, answer.body, answer.headers["content-type"]) == (200, b"hello", "text/plain")
    assert answer.url == site.url("/a?b=c", "docs.example")
    _, _, headers, _ = site.asked[0]
    assert headers["host"] == f"docs.example:{site.port}"
    assert headers["accept"] == "text/plain"
    assert headers["user-agent"].startswith("Octavo/")


def test_any_status_is_an_answer(site: Site) -> None:
    site.put("/gone", b"no", 404)
    assert (get(site.url("/gone")).status, get(site.url("/gone")).body) == (404, b"no")


def test_posts_a_body(site: Site) -> None:
    site.put("/in", b"", 204)
    assert get(site.url("/in"), method="POST", body=b"{}", headers={"Content-Type": "application/json"}).status == 204
    method, _, headers, body = site.asked[0]
    assert (method, body, headers["content-type"]) == ("POST", b"{}", "application/json")


def test_private_hosts_are_refused_without_a_connection(site: Site) -> None:
    site.put("/", b"secret")
    for guard in (Guard(), Guard(resolver=lambda host, port: ["93.184.216.34", "127.0.0.1"])):
        assert "not on the public internet" in refusal(Refused, site.url("/", "localhost"), guard)
    assert site.asked == []


def test_a_redirect_to_a_private_host_is_refused(site: Site, other: Site) -> None:
    other.put("/", b"secret")
    for place in (other.url("/", "inner.example"), "http://169.254.169.254/", "file:///etc/passwd", "http://[::1]/"):
        site.put("/", b"", 302, Location=place)
        refusal(Refused, site.url("/"))
    assert other.asked == []


def test_follows_five_redirects_and_no_more(site: Site) -> None:
    for number in range(6):
        site.put(f"/{number}", b"", 302, Location=f"/{number + 1}")
    site.put("/6", b"end")
    answer = get(site.url("/1"))
    assert (answer.body, answer.url) == (b"end", site.url("/6"))
    assert "redirects more than 5 times" in refusal(Refused, site.url("/0"))


def test_credentials_stay_with_their_origin(site: Site, other: Site) -> None:
    site.put("/near", b"", 302, Location="/far")
    site.put("/far", b"", 302, Location=other.url("/end").replace("http://", "http://eve:pw@"))
    other.put("/end", b"end")
    url = site.url("/near").replace("http://", "http://ada:s3cret@")
    answer = get(url, ANY, headers={"Cookie": "a=b", "X-Api-Key": "k", "Accept": "*/*"})
    assert answer.body == b"end"
    assert answer.url == other.url("/end")
    for _, _, headers, _ in site.asked:
        assert headers["authorization"] == "Basic YWRhOnMzY3JldA=="
        assert (headers["cookie"], headers["x-api-key"]) == ("a=b", "k")
    assert not {"authorization", "cookie", "x-api-key"} & set(other.asked[0][2])
    assert other.asked[0][2]["accept"] == "*/*"


def test_a_posted_body_is_not_sent_on_to_another_host(site: Site, other: Site) -> None:
    other.put("/", b"")
    site.put("/keep", b"", 307, Location=other.url("/"))
    assert "on to another host" in refusal(Refused, site.url("/keep"), ANY, method="POST", body=b"secret")
    assert other.asked == []
    site.put("/see", b"", 303, Location=other.url("/"))
    get(site.url("/see"), ANY, method="POST", body=b"secret")
    assert (other.asked[0][0], other.asked[0][3]) == ("GET", b"")


def test_caps_the_body_declared_or_not(site: Site) -> None:
    site.put("/declared", b"x" * 1001)

    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not site.released.is_set():
            handler.wfile.write(b"x" * 4096)

    site.pages["/endless"] = endless
    for path in ("/declared", "/endless"):
        said = refusal(TooLarge, site.url(path), limits=Limits(bytes=1000))
        assert said == "The host 127.0.0.1 sends more than the 1,000 bytes allowed."
    assert len(get(site.url("/declared"), limits=Limits(bytes=1001)).body) == 1001


@pytest.mark.parametrize(("coding", "packed"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_unpacks_within_the_cap(site: Site, coding: str, packed: object) -> None:
    site.put("/small", packed(b"hello"), Content_Encoding=coding)  # type: ignore[operator]
    site.put("/bomb", packed(bytes(50 << 20)), Content_Encoding=coding)  # type: ignore[operator]
    assert get(site.url("/small")).body == b"hello"
    refusal(TooLarge, site.url("/bomb"), limits=Limits(bytes=1 << 20))


def test_refuses_codings_within_codings_and_false_ones(site: Site) -> None:
    site.put("/twice", gzip.compress(gzip.compress(b"x")), Content_Encoding="gzip, gzip")
    site.put("/false", b"not gzip at all", Content_Encoding="gzip")
    assert "not asked for" in refusal(Refused, site.url("/twice"))
    assert "not compressed the way it says" in refusal(Refused, site.url("/false"))


def test_caps_headers_and_time(site: Site) -> None:
    site.put("/wide", b"", X_Wide="x" * 5000)
    said = refusal(TooLarge, site.url("/wide"), limits=Limits(header_bytes=4000))
    assert said == "The host 127.0.0.1 sends more than 4,000 bytes of headers."

    def silent(handler: BaseHTTPRequestHandler) -> None:
        site.released.wait(30)

    def stuck(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b"begin")
        site.released.wait(30)

    site.pages.update({"/silent": silent, "/stuck": stuck})
    for path in ("/silent", "/stuck"):
        said = refusal(TooSlow, site.url(path), limits=Limits(seconds=0.2))
        assert said == "The host 127.0.0.1 took longer than the 0.2 seconds allowed."


def test_says_that_the_other_side_broke_off(site: Site) -> None:
    def short(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.wfile.write(b"begin")

    site.pages.update({"/short": short, "/none": lambda handler: None})
    assert "broke off while answering" in refusal(Unreachable, site.url("/short"))
    assert "broke off before answering" in refusal(Unreachable, site.url("/none"))
    for name, value in (("X-Bad", "a\r\nb"), ("Bad Name", "x")):
        assert "is not valid" in refusal(Refused, site.url("/none"), headers={name: value})


def test_tries_the_next_address(site: Site) -> None:
    site.put("/", b"here")
    two = Guard(allow_private=True, resolver=lambda host, port: ["127.0.0.2", "127.0.0.1"])
    assert get(site.url("/", "two.example"), two).body == b"here"
    none = Guard(allow_private=True, resolver=lambda host, port: ["127.0.0.2"])
    said = refusal(Unreachable, site.url("/", "two.example").replace("http://", "http://ada:s3cret@"), none)
    assert said == "The host two.example could not be reached."


def test_downloads_to_a_file_and_leaves_nothing_after_a_failure(site: Site, tmp_path: Path) -> None:
    site.put("/file", b"x" * 300_000)
    saved = asyncio.run(download(site.url("/file"), tmp_path / "a", limits=Limits(), guard=OPEN))
    assert (saved.size, saved.path.read_bytes(), saved.status) == (300_000, b"x" * 300_000, 200)
    site.put("/big", gzip.compress(bytes(5 << 20)), Content_Encoding="gzip")
    with pytest.raises(TooLarge):
        asyncio.run(download(site.url("/big"), tmp_path / "b", limits=Limits(bytes=3 << 20), guard=OPEN))
    assert not (tmp_path / "b").exists()


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for docs.example, its own authority, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed, so no certificate can be made")
    place = tmp_path_factory.mktemp("tls")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=docs.example"
    more = ["-addext", "subjectAltName=DNS:docs.example", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([*command.split(), *more], cwd=place, check=True, capture_output=True)
    return place / "cert.pem", place / "key.pem"


@pytest.fixture
def secure(authority: tuple[Path, Path]) -> Iterator[Site]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*authority)
    names: list[str | None] = []
    context.sni_callback = lambda wrapped, name, given: names.append(name)
    running, stop = start(context)
    running.put("/", b"safe")
    running.put("/names", b"")
    yield running
    stop()
    assert set(names) <= {"docs.example", "wrong.example"}


def test_checks_the_certificate_against_the_name_not_the_address(secure: Site, authority: tuple[Path, Path]) -> None:
    trusting = Guard(allow_private=True, resolver=ANY.resolver, tls=ssl.create_default_context(cafile=authority[0]))
    assert get(secure.url("/", "docs.example"), trusting).body == b"safe"
    said = refusal(Refused, secure.url("/", "wrong.example"), trusting)
    assert said == "The certificate of wrong.example is not valid: it is for another name."
    said = refusal(Refused, secure.url("/", "docs.example"), ANY)
    assert said == "The certificate of docs.example is not valid: it is signed by itself alone."
    assert len(secure.asked) == 1


@pytest.mark.parametrize(("days", "why"), [(OVER, "it has expired"), (AHEAD, "it is not valid yet")])
def test_a_certificate_out_of_its_time_is_told(tmp_path: Path, days: tuple[int, int], why: str) -> None:
    """Whoever fetches says so: specifications, webhooks, identity providers, Git."""
    shows, believes = made(tmp_path, "docs.example", days)
    running, stop = start(shows)
    try:
        guard = Guard(allow_private=True, resolver=ANY.resolver, tls=believes)
        said = refusal(Refused, running.url("/", "docs.example"), guard)
        assert said.startswith(f"The certificate of docs.example is not valid: {why}")
        with pytest.raises(Refused) as told:
            git.clone(running.url("/docs.git", "docs.example"), "refs/heads/main", tmp_path, guard=guard)
        assert told.value.message == said
        with pytest.raises(openid.Refused) as refused:
            asyncio.run(openid.OpenId(guard).discover(running.url("", "docs.example")))
        assert said in str(refused.value)
    finally:
        stop()
