"""Addresses to which Git hosts post that somebody pushed: without a token, with a signature."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import msgspec

from octavo.access import pushes
from octavo.access.addresses import client_address
from octavo.access.pushes import Pull, Pushed
from octavo.access.signing import Signer
from octavo.history import following, following_sites
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, NotFound, TooMany, Unauthorized
from octavo.kernel.records.git import Connected, GitConnection, GitSiteConnection
from octavo.kernel.records.library import Space
from octavo.kernel.settings import Settings
from octavo.store.git_pushes import Pushes
from octavo.store.unit import Store, Unit
from octavo.web.answers import Answer
from octavo.web.asgi import Receive, Scope, Send
from octavo.web.bodies import read_body
from octavo.web.door import answered, only, refuse_plainly
from octavo.web.fields import Fields
from octavo.web.pace import Pacer

PREFIX = "/hooks/git/"
_log = logging.getLogger("octavo.api")


class Hooks:
    """The ASGI application under /hooks/git/: a space's posts come to its id, a site's to `sites/` and its id."""

    def __init__(self, store: Store, signer: Signer, settings: Settings) -> None:
        self._store, self._signer, self._settings = store, signer, settings
        self._pacer = Pacer(store.clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def work(_: Fields) -> Answer:
            only(scope, "POST")
            sentence = await self._take(scope, receive)
            body = msgspec.json.encode({"message": sentence})
            return Answer(200, body).header("content-type", "application/json").header("cache-control", "no-store")

        answer = await answered(scope, _log, work, refuse_plainly)
        await answer.send(scope, send)

    async def _take(self, scope: Scope, receive: Receive) -> str:
        """What became of a post."""
        kind, _, owner = scope["path"].removeprefix(PREFIX).rpartition("/")
        if kind not in _OWNERS or not owner:
            raise NotFound("there is nothing here")
        to = _OWNERS[kind]
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        # Counted before anything is read: a secret cannot be guessed at any pace.
        address = client_address(scope, dict(scope["headers"]), self._settings.trusted_proxies)
        left, _ = self._pacer.spend(f"{kind} {owner} {address}", limits.GIT_PUSHES_A_MINUTE)
        if left < 0:
            raise TooMany(f"too many posts for this {to.name}; try again in {self._pacer.seconds_left()} seconds")
        body = await read_body(receive, dict(scope["headers"]), limits.GIT_PUSH_BODY_MAX)
        connection = await self._store.read(lambda unit: to.shelf(unit).connection(owner))
        sealed = None if connection is None else connection.sealed_webhook_secret
        # Where nothing is, the answer is that to a wrong signature: nobody learns what there is.
        secret = self._signer.unseal(sealed) if sealed is not None else ""
        right = pushes.is_signed(headers, body, secret, self._store.clock())
        if connection is None or not secret or not right:
            raise Unauthorized(_WRONG.format(to.name))
        try:
            pushed = pushes.told(headers, body)
        except ValueError as error:
            raise BadRequest(str(error)) from error
        digest = hashlib.sha256(body + headers.get("x-octavo-signature", "").encode()).hexdigest()
        return await self._store.write(
            lambda unit: _act(unit, self._signer, to, owner, pushed, digest), lock=(to.lock, owner)
        )


class _Shelf(Protocol):
    """What spaces and sites have of Git, as far as posts concern it."""

    @property
    def pushes(self) -> Pushes[Any]: ...
    async def connection(self, owner: str, /) -> Connected | None: ...


class _Owner(msgspec.Struct, frozen=True):
    """What may follow a branch, and be told of pushes."""

    name: str
    lock: str
    shelf: Callable[[Unit], _Shelf]
    act: Callable[[Unit, Signer, Any, Pushed], Awaitable[str]]
    """What follows from a post, and the sentence about it."""


_WRONG = "the signature is wrong, or this {} takes no posts"


async def _act(unit: Unit, signer: Signer, to: _Owner, owner: str, pushed: Pushed, digest: str) -> str:
    shelf = to.shelf(unit)
    connection = await shelf.connection(owner)
    if connection is None:
        raise Unauthorized(_WRONG.format(to.name))
    if await shelf.pushes.is_known(owner, digest):
        return "This was taken before; nothing is done a second time."
    await shelf.pushes.note(owner, connection.organization, digest, unit.now, limits.GIT_PUSHES_KEPT)
    if pushed.event == "other":
        return "Nothing follows from that."
    if connection.paused:
        return "The connection is paused."
    return await to.act(unit, signer, connection, pushed)


async def _to_space(unit: Unit, signer: Signer, connection: GitConnection, pushed: Pushed) -> str:
    space = await unit.spaces.get(connection.space)
    if space is None or space.deleted_at is not None:
        raise Unauthorized(_WRONG.format("space"))
    sealed = following.sealed_address(connection, signer.seal, signer.unseal)
    if connection.previews is not None and pushed.pull is not None:
        return await _pulled(unit, space, connection, pushed.pull, sealed)
    others = [ref for ref in pushed.refs if following.follows(connection, ref)][: limits.GIT_BRANCHES_AT_ONCE]
    for ref in others:
        await following.order_branch(unit, space, connection, sealed, ref)
    if not _concerns(connection, pushed):
        return "A look at the branch was queued." if others else f"This space follows {connection.ref}."
    if any(one.state == "queued" and one.ref == connection.ref for one in await unit.git.open(space.id)):
        return _WAITS
    await following.order(unit, space, connection, sealed, user=None, quiet=True)
    return _QUEUED


async def _to_site(unit: Unit, signer: Signer, connection: GitSiteConnection, pushed: Pushed) -> str:
    if pushed.pull is not None and (pushed.pull.state != "merged" or pushed.pull.into != connection.ref):
        return "Nothing follows from that."
    if not _concerns(connection, pushed):
        return f"This site follows {connection.ref}."
    # One that has read the structure already does not see what was pushed since.
    if any(one.state == "queued" and one.phase == "structure" for one in await unit.git_sites.open(connection.site)):
        return _WAITS
    await following_sites.order(unit, connection, user=None, quiet=True)
    return _QUEUED


_WAITS, _QUEUED = "A synchronisation waits already.", "A synchronisation was queued."
_OWNERS = {
    "": _Owner("space", "spaces", lambda unit: unit.git, _to_space),
    "sites": _Owner("site", "sites", lambda unit: unit.git_sites, _to_site),
}
"""What stands before the id in the address -> whom it is about."""


async def _pulled(unit: Unit, space: Space, connection: GitConnection, pull: Pull, sealed: str) -> str:
    """Write down what a post says of a pull request, and have its branch looked at."""
    if pull.into != connection.ref or not following.follows(connection, pull.ref):
        return "Nothing follows from that."
    await following.note_pull(unit, space, pull)
    if pull.state == "merged":
        # What was merged comes with the branch of the space.
        await following.order(unit, space, connection, sealed, user=None, quiet=True)
    await following.order_branch(unit, space, connection, sealed, pull.ref)
    return "A look at the pull request was queued."


def _concerns(connection: Connected, pushed: Pushed) -> bool:
    """Whether the branch itself may have moved."""
    return pushed.event != "push" or not pushed.refs or connection.ref in pushed.refs
