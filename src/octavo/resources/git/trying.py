"""Trying an address and credentials of a repository before they are saved."""

from __future__ import annotations

from urllib.parse import quote, urlsplit, urlunsplit

from msgspec import UNSET

from octavo.kernel.errors import BadRequest
from octavo.kernel.events import GitTryWanted
from octavo.kernel.operation import reads
from octavo.kernel.records import Json
from octavo.kernel.records.git import Connected
from octavo.resources.call import Ahead, Call
from octavo.resources.git.connections import same_host
from octavo.resources.git.operations import without_credentials
from octavo.resources.places import AtSpace
from octavo.wire.fields import maybe
from octavo.wire.git import GitTried, TryGit
from octavo.wire.view import View

SECONDS = 70.0
"""How long a request waits for its job."""


async def ask(prior: Ahead, at: AtSpace, body: TryGit) -> Json:
    """Have the repository asked. Raises BadRequest with a sentence where it cannot be read."""
    space = at.space.record
    if not body.url.startswith(("http://", "https://")):
        raise BadRequest("url: only addresses by HTTPS can be tried ahead; by SSH the key has to be at the host first")
    old = await prior.read(lambda unit: unit.git.connection(space.id))
    wanted = GitTryWanted(
        organization=space.organization,
        sealed_url=prior.signer.seal(_address(prior, body, old)),
        user=prior.caller.user.id,
    )
    return await prior.done(wanted, SECONDS)


def _address(prior: Ahead, body: TryGit, old: Connected | None) -> str:
    """With the user and the token that were sent, or the token that is kept for the same host."""
    shown = without_credentials(body.url)
    near = old if old is not None and same_host(old.url, shown) else None
    user = body.username if body.username is not UNSET else (near.username if near is not None else None)
    token = body.token if body.token is not UNSET else None
    if token is None and near is not None and near.sealed_token is not None:
        token = prior.signer.unseal(near.sealed_token)
    parts = urlsplit(shown)
    if token is None and not user:
        return shown
    who = quote(user or "git", safe="") + ("" if token is None else ":" + quote(token, safe=""))
    return urlunsplit(parts._replace(netloc=f"{who}@{parts.netloc}"))


async def tell(call: Call, at: AtSpace, body: TryGit) -> GitTried:
    """What the host said."""
    made = call.prepared
    return GitTried(made["branches"], made["writable"], maybe(made["refused"]))


def _present(tried: GitTried, view: View) -> GitTried:
    return tried


OPERATIONS = (
    reads("trySpaceGitConnection", "/spaces/{space}/git/try", tell, _present,
          method="POST", before=ask, needs="space.admin", scope="space:write",
          summary="Ask a Git repository with credentials, before a space follows it"),
)  # fmt: skip
