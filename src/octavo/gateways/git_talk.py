"""Ways to the host of a repository, and Git's protocol over each: HTTP, and SSH for who has a key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from dulwich.client import AbstractHttpGitClient

from octavo.gateways.addresses import Guard
from octavo.gateways.failures import Refused, shown
from octavo.gateways.git_ssh import Identity, SshClient, SshConversation
from octavo.gateways.git_wire import Conversation, Progress
from octavo.gateways.snapshots import Limits

Talk: TypeAlias = Conversation | SshConversation


def conversing(url: str, identity: Identity | None, guard: Guard, limits: Limits, progress: Progress) -> Talk:
    """What is said to the host of a repository: by SSH for who has a key, else by HTTP."""
    if identity is not None and url.startswith("ssh://"):
        return SshConversation(url, identity, guard, limits, progress)
    require_http(url)
    return Conversation(url, guard, limits, progress)


def client_of(conversation: Talk, *, thin_packs: bool = False) -> Any:
    """Git's protocol over it."""
    if isinstance(conversation, SshConversation):
        return SshClient(conversation, thin_packs=thin_packs)
    return SmartClient(conversation.url, conversation, thin_packs=thin_packs)


def require_http(url: str) -> None:
    """Refuse every other way: ssh, ext::, file:// and what begins with a dash are nothing that is spoken here."""
    if "://" not in url or urlsplit(url).scheme.lower() not in ("http", "https"):
        raise Refused(f"The address {shown(url)} is not https:// or http://; other ways are not supported.")


class SmartClient(AbstractHttpGitClient):
    """Dulwich's smart protocol over the guarded conversation."""

    def __init__(self, url: str, conversation: Conversation, *, thin_packs: bool = False) -> None:
        super().__init__(url, thin_packs=thin_packs, quiet=True)
        self._conversation = conversation

    def _http_request(
        self, url: str, headers: dict[str, str] | None = None, data: Any = None, raise_for_status: bool = True
    ) -> tuple[Any, Callable[[int], bytes]]:
        body = data if data is None or isinstance(data, bytes) else b"".join(data)
        reply = self._conversation.ask(url, headers or {}, body)
        return reply, reply.read

    @staticmethod
    def _warn_filter_objects() -> None:
        """A server that does not filter sends large files too; the limits of the pack see to them."""
