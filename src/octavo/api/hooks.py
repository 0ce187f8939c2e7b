"""Addresses to which Git hosts post that somebody pushed: without a token, with a signature."""

from __future__ import annotations

import hashlib
import logging

import msgspec

from octavo.access import pushes
from octavo.access.addresses import client_address
from octavo.access.pushes import Pull, Pushed
from octavo.access.signing import Signer
from octavo.api.pace import Pacer
from octavo.history import following
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, NotFound, TooMany, Unauthorized
from octavo.kernel.records.git import GitConnection, GitPush
from octavo.kernel.records.library import Space
from octavo.kernel.settings import Settings
from octavo.store.unit import Store, Unit
from octavo.web.answers import Answer
from octavo.web.asgi import Receive, Scope, Send
from octavo.web.bodies import read_body
from octavo.web.door import answered, only, refuse_plainly
from octavo.web.fields import Fields

PREFIX = "/hooks/git/"
_log = logging.getLogger("octavo.api")


class Hooks:
    """The ASGI application under /hooks/git/."""

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
        space = scope["path"].removeprefix(PREFIX)
        if "/" in space or not space:
            raise NotFound("there is nothing here")
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        # Counted before anything is read: a secret cannot be guessed at any pace.
        address = client_address(scope, dict(scope["headers"]), self._settings.trusted_proxies)
        left, _ = self._pacer.spend(f"{space} {address}", limits.GIT_PUSHES_A_MINUTE)
        if left < 0:
            raise TooMany(f"too many posts for this space; try again in {self._pacer.seconds_left()} seconds")
        body = await read_body(receive, dict(scope["headers"]), limits.GIT_PUSH_BODY_MAX)
        connection = await self._store.read(lambda unit: unit.git.connection(space))
        sealed = None if connection is None else connection.sealed_webhook_secret
        # Where nothing is, the answer is that to a wrong signature: nobody learns which spaces there are.
        secret = self._signer.unseal(sealed) if sealed is not None else ""
        right = pushes.is_signed(headers, body, secret, self._store.clock())
        if connection is None or not secret or not right:
            raise Unauthorized("the signature is wrong, or this space takes no posts")
        try:
            pushed = pushes.told(headers, body)
        except ValueError as error:
            raise BadRequest(str(error)) from error
        digest = hashlib.sha256(body + headers.get("x-octavo-signature", "").encode()).hexdigest()
        return await self._store.write(
            lambda unit: self._act(unit, connection.space, pushed, digest), lock=("spaces", connection.space)
        )

    async def _act(self, unit: Unit, space: str, pushed: Pushed, digest: str) -> str:
        connection = await unit.git.connection(space)
        found = await unit.spaces.get(space)
        if connection is None or found is None or found.deleted_at is not None:
            raise Unauthorized("the signature is wrong, or this space takes no posts")
        if await unit.git.is_known(space, digest):
            return "This was taken before; nothing is done a second time."
        push = GitPush(space=space, digest=digest, organization=connection.organization, taken_at=unit.now)
        await unit.git.note_push(push, limits.GIT_PUSHES_KEPT)
        if pushed.event == "other":
            return "Nothing follows from that."
        if connection.paused:
            return "The connection is paused."
        sealed = following.sealed_address(connection, self._signer.seal, self._signer.unseal)
        if connection.previews is not None and pushed.pull is not None:
            return await _pulled(unit, found, connection, pushed.pull, sealed)
        others = [ref for ref in pushed.refs if following.follows(connection, ref)][: limits.GIT_BRANCHES_AT_ONCE]
        for ref in others:
            await following.order_branch(unit, found, connection, sealed, ref)
        if pushed.event == "push" and pushed.refs and not _concerns(connection, pushed):
            return "A look at the branch was queued." if others else f"This space follows {connection.ref}."
        if any(one.state == "queued" and one.ref == connection.ref for one in await unit.git.open(space)):
            return "A synchronisation waits already."
        await following.order(unit, found, connection, sealed, user=None, quiet=True)
        return "A synchronisation was queued."


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


def _concerns(connection: GitConnection, pushed: Pushed) -> bool:
    return connection.ref in pushed.refs
