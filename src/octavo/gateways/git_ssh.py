"""The SSH side of a clone or a push: guarded, counted and clocked like the HTTP side, with a key of ours and a pinned one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from shlex import quote
from typing import IO, Any
from urllib.parse import unquote, urlsplit

import asyncssh
import msgspec
from dulwich.client import TraditionalGitClient
from dulwich.protocol import Protocol

from octavo.gateways.addresses import Guard, parse
from octavo.gateways.failures import GatewayFailure, Refused, Unreachable, plain
from octavo.gateways.git_wire import Clocked, Progress
from octavo.gateways.snapshots import Limits

_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
_PIECE = 1 << 16
_CLOSE_SECONDS = 5.0
_CONNECT_SECONDS = 20.0
_STDERR_MAX = 4096


class Identity(msgspec.Struct, frozen=True):
    """Whom we are, and whom we expect."""

    key: str
    """Our private key, as OpenSSH writes it."""
    host_key: str
    """The public key of the host, `ssh-ed25519 AAAA…`."""


class SshConversation(Clocked):
    """All that is said to one host: each command of Git is a session of its own upon one connection."""

    def __init__(self, url: str, identity: Identity, guard: Guard, limits: Limits, progress: Progress) -> None:
        super().__init__(f"ssh://{urlsplit(url).hostname}", limits, progress)
        parts = urlsplit(url)
        self._user = unquote(parts.username or "git")
        if not _USER.fullmatch(self._user):
            raise Refused(f"The user {plain(self._user)} of the address is not allowed.")
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        # The rules for hosts are those of every other address.
        self._asked = parse(f"http://{host}:{parts.port or 22}")
        self.host, self._port, self.path = plain(str(parts.hostname)), parts.port or 22, unquote(parts.path)
        if "\0" in self.path or "\n" in self.path or len(self.path) < 2:
            raise Refused("The address names no repository.")
        self._guard, self._identity = guard, identity
        self._connection: asyncssh.SSHClientConnection | None = None

    def __exit__(self, *failure: object) -> None:
        if self._connection is not None:
            self._connection.abort()
        super().__exit__(*failure)

    def begin(self, command: str, version: int | None) -> Session:
        """Run a command of Git for the repository."""
        if self._connection is None:
            self._connection = self.run(self._connected())
        environment = {} if version is None else {"GIT_PROTOCOL": f"version={version}"}
        process = self.run(self._started(self._connection, f"{command} {quote(self.path)}", environment))
        return Session(process, self)

    async def _started(
        self, connection: asyncssh.SSHClientConnection, command: str, environment: dict[str, str]
    ) -> Any:
        try:
            return await connection.create_process(command, env=environment, encoding=None)
        except (asyncssh.Error, OSError) as error:
            raise Unreachable(f"The host {self.host} broke off.") from error

    async def _connected(self) -> asyncssh.SSHClientConnection:
        addresses = await asyncio.to_thread(self._guard.admit, self._asked)
        failure: GatewayFailure = Unreachable(f"The host {self.host} has no address.")
        for address in addresses:
            try:
                return await self._connect(address)
            except asyncssh.HostKeyNotVerifiable:
                raise Refused(f"The host {self.host} shows another key than the one that is pinned for it.") from None
            except asyncssh.PermissionDenied:
                raise Refused(f"The host {self.host} did not accept the deploy key.") from None
            except (asyncssh.Error, OSError, TimeoutError):
                failure = Unreachable(f"The host {self.host} could not be reached by SSH.")
        raise failure

    async def _connect(self, address: str) -> asyncssh.SSHClientConnection:
        try:
            pinned = asyncssh.import_public_key(self._identity.host_key)
            own = asyncssh.import_private_key(self._identity.key)
        except (asyncssh.KeyImportError, ValueError):
            raise Refused("The pinned key of the host cannot be read.") from None
        async with asyncio.timeout(_CONNECT_SECONDS):
            # Nothing of whoever runs the server: no configuration, no agent, no known hosts, no passwords.
            return await asyncssh.connect(
                address, self._port, username=self._user, client_keys=[own], known_hosts=([pinned], [], []), config=None,
                agent_path=None, preferred_auth="publickey", server_host_key_algs=[pinned.get_algorithm()],
                compression_algs=None, x509_trusted_certs=None, keepalive_interval=0,
            )  # fmt: skip


class Session:
    """A running command in the shape that dulwich reads."""

    def __init__(self, process: Any, conversation: SshConversation) -> None:
        self._process, self._conversation = process, conversation
        self._buffer, self._heard = bytearray(), False

    def read(self, size: int) -> bytes:
        """So many bytes; fewer at the end. Raises Refused where nothing was said at all, with what the host said instead."""
        while len(self._buffer) < size:
            part = self._conversation.run(self._next())
            if not part:
                break
            self._heard = True
            self._conversation.count(len(part))
            self._buffer += part
        if not self._buffer and not self._heard:
            raise Refused(self._conversation.run(self._refusal()))
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken

    def write(self, data: bytes) -> int:
        self._conversation.run(self._send(data))
        return len(data)

    def close(self) -> None:
        self._process.close()

    async def _next(self) -> bytes:
        try:
            part: bytes = await self._process.stdout.read(_PIECE)
            return part
        except (asyncssh.Error, OSError) as error:
            raise Unreachable(f"The host {self._conversation.host} broke off.") from error

    async def _send(self, data: bytes) -> None:
        try:
            self._process.stdin.write(data)
            await self._process.stdin.drain()
        except (asyncssh.Error, OSError) as error:
            raise Unreachable(f"The host {self._conversation.host} broke off.") from error

    async def _refusal(self) -> str:
        said = b""
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                said = await self._process.stderr.read(_STDERR_MAX)
        except (asyncssh.Error, OSError, TimeoutError):
            said = b""
        words = plain(" ".join(said.decode("utf-8", "replace").split()))
        return f"The host {self._conversation.host} gave no repository" + (f": {words}." if words else ".")


class SshClient(TraditionalGitClient):
    """Dulwich's protocol of pipes over the guarded conversation."""

    def __init__(self, conversation: SshConversation, *, thin_packs: bool = False) -> None:
        super().__init__(thin_packs=thin_packs, quiet=True)
        self._conversation = conversation

    def _connect(
        self, cmd: bytes, path: str | bytes, protocol_version: int | None = None
    ) -> tuple[Protocol, Callable[[], bool], IO[bytes] | None]:
        session = self._conversation.begin(f"git-{cmd.decode()}", 2 if cmd == b"upload-pack" else None)
        return Protocol(session.read, session.write, session.close), lambda: False, None

    @staticmethod
    def _warn_filter_objects() -> None:
        """A server that does not filter sends large files too; the limits of the pack see to them."""
