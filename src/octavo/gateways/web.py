"""Guarded fetch: a bounded HTTP request, each hop checked by the guard and sent to the very address checked."""

from __future__ import annotations

import asyncio
import base64
import functools
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import msgspec

from octavo import __version__
from octavo.gateways.addresses import Guard, name_of, origin_of, parse
from octavo.gateways.failures import GatewayFailure, Refused, TooLarge, TooSlow, Unreachable, host_of, untrusted

if TYPE_CHECKING:
    # Imported with the first request: it brings an eighth of all that a start would import.
    import httpx2

REDIRECTS = frozenset({301, 302, 303, 307, 308})
CODINGS = frozenset({"", "identity", "gzip", "x-gzip", "deflate"})
_CARRIED_ACROSS = frozenset(
    {"accept", "accept-language", "user-agent", "if-none-match", "if-modified-since", "git-protocol"}
)
_OURS = frozenset({"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "te", "upgrade"})


class Limits(msgspec.Struct, frozen=True):
    """Bounds of one fetch: bytes of the body after decompression, seconds for everything, bytes of one answer's
    headers, redirects followed, seconds to connect."""

    bytes: int = 10 << 20
    seconds: float = 30.0
    header_bytes: int = 32 << 10
    redirects: int = 5
    connect_seconds: float = 10.0


class Fetched(msgspec.Struct, frozen=True):
    """An answer of any status: header names in lower case, `url` the last address asked, without credentials."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str


class Saved(msgspec.Struct, frozen=True):
    """An answer whose body, `size` bytes, is in the file `path`."""

    status: int
    headers: Mapping[str, str]
    path: Path
    size: int
    url: str


class Answer:
    """An answer whose body is still to be read; close it."""

    def __init__(self, response: httpx2.Response, url: httpx2.URL, limits: Limits, stack: AsyncExitStack) -> None:
        self.status = response.status_code
        self.headers = {name.lower(): value for name, value in response.headers.items()}
        self.url = str(url)
        self._response, self._limits, self._stack = response, limits, stack

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body, decompressed; raises TooLarge as soon as it passes the limit."""
        import httpx2

        most, size = self._limits.bytes, 0
        declared = self.headers.get("content-length", "")
        if declared.isdecimal() and len(declared) < 20 and int(declared) > most:
            raise too_large(self.url, most)
        try:
            async with aclosing(self._response.aiter_bytes()) as parts:
                async for part in parts:
                    size += len(part)
                    if size > most or self._response.num_bytes_downloaded > most:
                        raise too_large(self.url, most)
                    yield part
        except httpx2.DecodingError:
            raise Refused(f"The answer of {host_of(self.url)} is not compressed the way it says.") from None
        except (httpx2.HTTPError, httpx2.StreamError, OSError):
            raise Unreachable(f"The host {host_of(self.url)} broke off while answering.") from None

    async def close(self) -> None:
        await self._stack.aclose()


async def fetch(
    url: str,
    *,
    limits: Limits,
    guard: Guard | None = None,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    follow: bool = True,
) -> Fetched:
    """Ask and read the whole body. A user and password in the address are sent as basic authentication; without `follow`
    a redirect is an answer too.

    Raises Refused, Unreachable or TooLarge; a status of 400 and above is an answer like any other.
    """
    try:
        async with asyncio.timeout(limits.seconds):
            answer = await request(
                url, limits=limits, guard=guard, method=method, headers=headers, body=body, follow=follow
            )
            try:
                content = b"".join([part async for part in answer.chunks()])
            finally:
                await answer.close()
    except TimeoutError:
        raise too_slow(url, limits.seconds) from None
    return Fetched(answer.status, answer.headers, content, answer.url)


async def download(
    url: str,
    path: Path,
    *,
    limits: Limits,
    guard: Guard | None = None,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> Saved:
    """As `fetch`, the body going to the file `path`, of which nothing is left after a failure."""
    size = 0
    try:
        async with asyncio.timeout(limits.seconds):
            answer = await request(url, limits=limits, guard=guard, method=method, headers=headers, body=body)
            try:
                with path.open("wb") as file:
                    async for part in answer.chunks():
                        size += file.write(part)
            finally:
                await answer.close()
    except TimeoutError:
        path.unlink(missing_ok=True)
        raise too_slow(url, limits.seconds) from None
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return Saved(answer.status, answer.headers, path, size, answer.url)


async def request(
    url: str,
    *,
    limits: Limits,
    guard: Guard | None = None,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    follow: bool = True,
) -> Answer:
    """Follow redirects to the first other answer; its body is unread. The caller bounds the time."""
    guard = guard or Guard()
    target, sent = parse(url), {name.lower(): value for name, value in (headers or {}).items()}
    if target.userinfo:
        sent["authorization"] = basic(target)
    for _hop in range(limits.redirects + 1):
        target = target.copy_with(userinfo=b"", fragment=None)
        answer = await _ask(guard, limits, target, method, sent, body)
        place = answer.headers.get("location")
        if answer.status not in REDIRECTS or place is None or not follow:
            return answer
        await answer.close()
        following = _following(target, place)
        if answer.status == 303 or (answer.status in {301, 302} and method == "POST"):
            method, body = ("HEAD" if method == "HEAD" else "GET"), None
            sent.pop("content-type", None)
        if origin_of(following) != origin_of(target):
            if body is not None:
                raise Refused(f"The host {host_of(str(target))} sends what was posted on to another host.")
            sent = {name: value for name, value in sent.items() if name in _CARRIED_ACROSS}
        target = following
    raise Refused(f"The host {host_of(url)} redirects more than {limits.redirects} times.")


def basic(url: httpx2.URL) -> str:
    """The basic authentication header of an address's user and password."""
    user, _, password = url.userinfo.decode("ascii").partition(":")
    return "Basic " + base64.b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode("ascii")


def too_large(url: str, most: int) -> TooLarge:
    return TooLarge(f"The host {host_of(url)} sends more than the {most:,} bytes allowed.")


def too_slow(url: str, seconds: float) -> TooSlow:
    return TooSlow(f"The host {host_of(url)} took longer than the {seconds:g} seconds allowed.")


def _following(target: httpx2.URL, place: str) -> httpx2.URL:
    import httpx2

    try:
        joined = str(target.join(place))
    except (httpx2.InvalidURL, ValueError, UnicodeError):
        raise Refused(f"The host {host_of(str(target))} redirects to an address that is not valid.") from None
    return parse(joined)


async def _ask(
    guard: Guard, limits: Limits, url: httpx2.URL, method: str, headers: Mapping[str, str], body: bytes | None
) -> Answer:
    import httpx2

    addresses = await asyncio.to_thread(guard.admit, url)
    failure: GatewayFailure = Unreachable(f"The host {host_of(str(url))} could not be reached.")
    for address in addresses:
        try:
            return await _ask_at(address, guard, limits, url, method, headers, body)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            if (why := untrusted(error)) is not None:
                failure = Refused(f"The certificate of {host_of(str(url))} is not valid: {why}.")
        except (httpx2.LocalProtocolError, httpx2.InvalidURL, UnicodeError, ValueError):
            raise Refused(f"The request to {host_of(str(url))} is not valid.") from None
        except (httpx2.HTTPError, OSError):
            raise Unreachable(f"The host {host_of(str(url))} broke off before answering.") from None
    raise failure


async def _ask_at(
    address: str,
    guard: Guard,
    limits: Limits,
    url: httpx2.URL,
    method: str,
    headers: Mapping[str, str],
    body: bytes | None,
) -> Answer:
    """One request to one address. A client of its own for each: a pool keyed by address would hand one host's
    verified connection to another host behind the same address."""
    import httpx2

    ours = {
        "User-Agent": f"Octavo/{__version__}",
        **{name: value for name, value in headers.items() if name not in _OURS},
        "Host": url.netloc.decode("ascii"),
        "Accept-Encoding": "gzip, deflate",
        "Connection": "close",
    }
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(
            httpx2.AsyncClient(
                verify=guard.tls or _authorities(),
                # A proxy named in the environment would resolve the host again, behind the guard's back.
                trust_env=False,
                follow_redirects=False,
                timeout=httpx2.Timeout(limits.seconds, connect=min(limits.connect_seconds, limits.seconds)),
            )
        )
        outgoing = client.build_request(method, url.copy_with(host=address), content=body)
        outgoing.headers.update(ours)
        outgoing.extensions["sni_hostname"] = name_of(url)
        response = await client.send(outgoing, stream=True, auth=None)
        stack.push_async_callback(response.aclose)
        _require_bounded(response, url, limits)
        return Answer(response, url, limits, stack.pop_all())


def _require_bounded(response: httpx2.Response, url: httpx2.URL, limits: Limits) -> None:
    if sum(len(name) + len(value) + 4 for name, value in response.headers.raw) > limits.header_bytes:
        raise TooLarge(f"The host {host_of(str(url))} sends more than {limits.header_bytes:,} bytes of headers.")
    # Codings within codings multiply the work of decompression before the cap on the result can see it.
    if response.headers.get("content-encoding", "").strip().lower() not in CODINGS:
        raise Refused(f"The host {host_of(str(url))} compresses in a way that was not asked for.")


@functools.cache
def _authorities() -> ssl.SSLContext:
    import httpx2

    return httpx2.create_ssl_context()
