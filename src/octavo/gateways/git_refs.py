"""What a Git host says of a repository before anything is fetched: its branches, and whether it takes pushes."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from octavo.gateways import web
from octavo.gateways.addresses import Guard, parse
from octavo.gateways.failures import GatewayFailure, Refused
from octavo.gateways.git_talk import require_http
from octavo.gateways.git_wire import require_git

BYTES = 4 << 20
"""Of one list of refs."""
SECONDS = 20.0
BRANCHES_MAX = 200
_HEADS = b"refs/heads/"


class Asked(msgspec.Struct, frozen=True):
    """Branches by their short names, sorted, the first `BRANCHES_MAX`; whether whoever asked may push, and why not."""

    branches: list[str]
    writable: bool
    refused: str | None = None


async def ask(url: str, guard: Guard) -> Asked:
    """Ask the repository at an http(s) address, with the user and password in it. Raises GatewayFailure where it is not
    readable; that it is not writable is an answer."""
    require_http(url)
    branches = _branches((await _advertised(url, guard, "git-upload-pack")).body)
    try:
        await _advertised(url, guard, "git-receive-pack")
    except GatewayFailure as failure:
        return Asked(branches, False, str(failure))
    return Asked(branches, True)


async def _advertised(url: str, guard: Guard, service: str) -> web.Fetched:
    parsed = parse(url)
    headers: Mapping[str, str] = {"authorization": web.basic(parsed)} if parsed.userinfo else {}
    place = str(parsed.copy_with(userinfo=b"", query=None, fragment=None)).rstrip("/")
    limits = web.Limits(bytes=BYTES, seconds=SECONDS)
    answer = await web.fetch(f"{place}/info/refs?service={service}", guard=guard, limits=limits, headers=headers)
    require_git(answer, bool(headers), writing=service == "git-receive-pack")
    return answer


def _branches(body: bytes) -> list[str]:
    """Of the lines of an advertisement, each with its length in four hexadecimal digits before it. Raises Refused."""
    found, at = set[str](), 0
    while at + 4 <= len(body):
        try:
            size = int(body[at : at + 4], 16)
        except ValueError as error:
            raise Refused("What answers at the address does not speak as Git does.") from error
        line = body[at + 4 : at + max(size, 4)]
        at += max(size, 4)
        name = line.split(b"\0", 1)[0].strip().partition(b" ")[2]
        if name.startswith(_HEADS):
            found.add(name.removeprefix(_HEADS).decode("utf-8", "replace"))
    return sorted(found)[:BRANCHES_MAX]
