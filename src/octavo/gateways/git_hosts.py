"""What hosts of repositories are told by their APIs, the status of a commit and one comment of a pull request; and which
pull requests they have.

GitHub, GitLab, Gitea (and Forgejo) and Bitbucket say the same in four ways, which stand in one table here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal
from urllib.parse import quote, urlsplit

import msgspec

from octavo.gateways import web
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure, Refused, Unreachable, host_of, plain

Provider = Literal["github", "gitlab", "gitea", "bitbucket"]
State = Literal["pending", "success", "failure"]
LIMITS = web.Limits(bytes=8 << 20, seconds=30.0, redirects=0)
DESCRIPTION_MAX = 140
"""Characters that every host takes."""
PAGES_MAX = 20
"""Pages of comments that are looked through for one of ours, and of pull requests."""
_PAGE = 100
_WAIT_MAX = 24 * 3600


class Later(GatewayFailure):
    """The host takes no more for now: `seconds` until it may be asked again, where it says so."""

    def __init__(self, message: str, seconds: int = 0) -> None:
        super().__init__(message)
        self.seconds = seconds


class Host(msgspec.Struct, frozen=True):
    """The API of a repository."""

    provider: Provider
    base: str
    """Its address without a slash at the end."""
    repository: str
    """As its address names it: owner and name, or more groups."""
    token: str
    guard: Guard
    username: str | None = None


class Status(msgspec.Struct, frozen=True):
    """What is said of a commit."""

    oid: str
    state: State
    context: str
    description: str
    url: str
    """Where people see more."""
    ref: str = ""
    """The short name of the branch."""


class _Ways(msgspec.Struct, frozen=True):
    """How one kind of host is spoken to; paths stand behind `repository`, which stands behind the base."""

    headers: Callable[[Host], dict[str, str]]
    repository: Callable[[str], str]
    status: str
    said: Callable[[Status], dict[str, Any]]
    comments: str
    comment: str
    """One comment, to be changed."""
    change: Literal["PATCH", "PUT"]
    pulls: str
    """Those that are open, into a branch; without the question, what stands before the number of one."""
    ended: str
    """A page of those that came to an end, at least of the ones into a branch, the newest first."""
    size: str
    """What a page of comments is asked by."""
    wrapped: Callable[[str], dict[str, Any]]
    written: Callable[[Mapping[str, Any]], str]


def _states(pending: str, success: str, failure: str) -> Mapping[State, str]:
    return {"pending": pending, "success": success, "failure": failure}


_GITLAB = _states("running", "success", "failed")
_BITBUCKET = _states("INPROGRESS", "SUCCESSFUL", "FAILED")


def _plainly(status: Status) -> dict[str, Any]:
    return {
        "state": status.state,
        "target_url": status.url,
        "description": status.description,
        "context": status.context,
    }


def _as_gitlab(status: Status) -> dict[str, Any]:
    made = _plainly(status) | {"state": _GITLAB[status.state]}
    return made | ({"ref": status.ref} if status.ref else {})


def _as_bitbucket(status: Status) -> dict[str, Any]:
    return {
        "state": _BITBUCKET[status.state],
        "key": status.context[:40],
        "name": status.context,
        "url": status.url,
        "description": status.description,
    }


def _text(comment: Mapping[str, Any]) -> str:
    return str(comment.get("body") or "")


def _raw(comment: Mapping[str, Any]) -> str:
    content = comment.get("content")
    return str(content.get("raw") or "") if isinstance(content, dict) and not comment.get("deleted") else ""


def _body(text: str) -> dict[str, Any]:
    return {"body": text}


def _content(text: str) -> dict[str, Any]:
    return {"content": {"raw": text}}


_WAYS: Mapping[str, _Ways] = {
    "github": _Ways(
        lambda host: {
            "authorization": f"Bearer {host.token}",
            "accept": "application/vnd.github+json",
            "x-github-api-version": "2022-11-28",
        },
        lambda name: f"/repos/{quote(name)}",
        "/statuses/{oid}",
        _plainly,
        "/issues/{pull}/comments",
        "/issues/comments/{comment}",
        "PATCH",
        "/pulls?state=open&base={into}&per_page=50",
        "/pulls?state=closed&base={into}&sort=updated&direction=desc&per_page=50",
        "per_page",
        _body,
        _text,
    ),
    "gitlab": _Ways(
        lambda host: {"private-token": host.token, "accept": "application/json"},
        lambda name: f"/projects/{quote(name, safe='')}",
        "/statuses/{oid}",
        _as_gitlab,
        "/merge_requests/{pull}/notes",
        "/merge_requests/{pull}/notes/{comment}",
        "PUT",
        "/merge_requests?state=opened&target_branch={into}&per_page=50",
        "/merge_requests?state=all&target_branch={into}&order_by=updated_at&sort=desc&per_page=50",
        "per_page",
        _body,
        _text,
    ),
    "gitea": _Ways(
        lambda host: {"authorization": f"token {host.token}", "accept": "application/json"},
        lambda name: f"/repos/{quote(name)}",
        "/statuses/{oid}",
        _plainly,
        "/issues/{pull}/comments",
        "/issues/comments/{comment}",
        "PATCH",
        "/pulls?state=open&limit=50",
        "/pulls?state=closed&sort=recentupdate&limit=50",
        "limit",
        _body,
        _text,
    ),
    "bitbucket": _Ways(
        lambda host: {"authorization": _bitbucket_authorization(host), "accept": "application/json"},
        lambda name: f"/repositories/{quote(name)}",
        "/commit/{oid}/statuses/build",
        _as_bitbucket,
        "/pullrequests/{pull}/comments",
        "/pullrequests/{pull}/comments/{comment}",
        "PUT",
        "/pullrequests?state=OPEN&pagelen=50",
        "/pullrequests?state=MERGED&state=DECLINED&sort=-updated_on&pagelen=50",
        "pagelen",
        _content,
        _raw,
    ),
}


def _bitbucket_authorization(host: Host) -> str:
    import base64

    if host.username is None or host.username == "x-token-auth":
        return f"Bearer {host.token}"
    return "Basic " + base64.b64encode(f"{host.username}:{host.token}".encode()).decode()


def host_for(provider: str | None, url: str, token: str, guard: Guard, username: str | None = None) -> Host | None:
    """The API of the host of a repository, by the repository's address; None where it has none that is known.

    An API at another host than the repository is that of the two services which have it there.
    """
    parts = urlsplit(url)
    name = parts.path.strip("/").removesuffix(".git")
    if provider not in _WAYS or not name:
        return None
    host = (parts.hostname or "").lower()
    # By SSH the port is that of SSH, and the API is where browsers look.
    here = f"https://{host}" if parts.scheme == "ssh" else f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    match provider:
        case "github":
            base = "https://api.github.com" if host in ("github.com", "ssh.github.com") else f"{here}/api/v3"
        case "gitlab":
            base = f"{here}/api/v4"
        case "gitea":
            base = f"{here}/api/v1"
        case _:
            base = (
                "https://api.bitbucket.org/2.0" if host in ("bitbucket.org", "altssh.bitbucket.org") else f"{here}/2.0"
            )
    return Host(provider, base, name, token, guard, username)  # type: ignore[arg-type]


async def put_status(host: Host, status: Status, now: int) -> None:
    """Say how a commit stands; the last word of a context counts. `now` is in milliseconds.

    Raises Later where the host is to be asked again, Refused where it does not take it.
    """
    ways = _WAYS[host.provider]
    status = msgspec.structs.replace(status, description=plain(status.description, DESCRIPTION_MAX))
    try:
        await _ask(host, "POST", ways.status.format(oid=quote(status.oid)), ways.said(status), now)
    except Refused as failure:
        # GitLab refuses a status that a commit has already.
        if host.provider == "gitlab" and "Cannot transition status" in failure.message:
            return
        raise


async def put_comment(host: Host, pull: int, known: str | None, mark: str, text: str, now: int) -> str:
    """Have a pull request hold one comment with this text, which holds the mark; its id.

    That is the `known` one, else one that holds the mark already, else a new one. Raises as `put_status`.
    """
    ways = _WAYS[host.provider]
    found = known or await _marked(host, pull, mark, now)
    if found is not None:
        try:
            path = ways.comment.format(pull=pull, comment=quote(found, safe=""))
            await _ask(host, ways.change, path, ways.wrapped(text), now)
        except _Absent:
            if known is None:
                raise
            # Somebody removed it; perhaps only after another one was written.
            return await put_comment(host, pull, None, mark, text, now)
        return found
    made = await _ask(host, "POST", ways.comments.format(pull=pull), ways.wrapped(text), now)
    if not isinstance(made, dict) or "id" not in made:
        raise Refused(f"The host {host_of(host.base)} does not say which comment it made.")
    return str(made["id"])


async def _marked(host: Host, pull: int, mark: str, now: int) -> str | None:
    ways = _WAYS[host.provider]
    for page in range(1, PAGES_MAX + 1):
        path = ways.comments.format(pull=pull) + f"?{ways.size}={_PAGE}&page={page}"
        answered = await _ask(host, "GET", path, None, now)
        comments = answered.get("values") if isinstance(answered, dict) else answered
        if not isinstance(comments, list):
            raise Refused(f"The host {host_of(host.base)} answers no list of comments.")
        for comment in comments:
            if isinstance(comment, dict) and mark in ways.written(comment):
                return str(comment.get("id"))
        if len(comments) < _PAGE:
            return None
    return None


async def open_pulls(host: Host, into: str, now: int) -> list[dict[str, Any]]:
    """The open pull requests of a repository, at least those into the branch with this short name, as the host says it; at
    most 50 for each of `PAGES_MAX` pages. `now` is in milliseconds. Raises as `put_status`."""
    ways, found = _WAYS[host.provider], list[dict[str, Any]]()
    for page in range(1, PAGES_MAX + 1):
        answer = await _answer(host, "GET", ways.pulls.format(into=quote(into, safe="")) + f"&page={page}", None, now)
        said = _json(host, answer)
        pulls = _listed(host, said)
        found += pulls
        # A host may have pages smaller than was asked for: only it knows whether there is another.
        more = said.get("next") if isinstance(said, dict) else 'rel="next"' in answer.headers.get("link", "")
        if not pulls or not more:
            break
    return found


def _listed(host: Host, said: Any) -> list[dict[str, Any]]:
    pulls = said.get("values") if isinstance(said, dict) else said
    if not isinstance(pulls, list):
        raise Refused(f"The host {host_of(host.base)} answers no list of pull requests.")
    return [one for one in pulls if isinstance(one, dict)]


async def ended_pulls(host: Host, into: str, now: int) -> list[dict[str, Any]]:
    """Pull requests that came to an end not long ago, as `open_pulls`; some hosts name open ones too."""
    said = await _ask(host, "GET", _WAYS[host.provider].ended.format(into=quote(into, safe="")) + "&page=1", None, now)
    return _listed(host, said)


async def get_pull(host: Host, number: int, now: int) -> dict[str, Any] | None:
    """One pull request as the host says it; None where it is there no more. Raises as `put_status`."""
    try:
        said = await _ask(host, "GET", f"{_WAYS[host.provider].pulls.partition('?')[0]}/{number}", None, now)
    except _Absent:
        return None
    if not isinstance(said, dict):
        raise Refused(f"The host {host_of(host.base)} answers no pull request.")
    return said


class _Absent(Refused):
    """The host has nothing there."""


async def _ask(host: Host, method: str, path: str, said: dict[str, Any] | None, now: int) -> Any:
    return _json(host, await _answer(host, method, path, said, now))


def _json(host: Host, answer: web.Fetched) -> Any:
    try:
        return json.loads(answer.body) if answer.body.strip() else {}
    except ValueError as error:
        raise Refused(f"The host {host_of(host.base)} answers no JSON.") from error


async def _answer(host: Host, method: str, path: str, said: dict[str, Any] | None, now: int) -> web.Fetched:
    """What the host answers with a status of 2xx."""
    ways = _WAYS[host.provider]
    headers = ways.headers(host)
    body = None
    if said is not None:
        headers["content-type"], body = "application/json", msgspec.json.encode(said)
    url = host.base + ways.repository(host.repository) + path
    try:
        answer = await web.fetch(url, limits=LIMITS, guard=host.guard, method=method, headers=headers, body=body)
    except Unreachable as failure:
        raise Later(failure.message) from failure
    if 200 <= answer.status < 300:
        return answer
    raise _failure(host, answer, now, "write statuses and comments" if method != "GET" else "read pull requests")


def _failure(host: Host, answer: web.Fetched, now: int, deed: str) -> GatewayFailure:
    """What a status other than 2xx means."""
    name, said = host_of(host.base), _said(answer.body)
    seconds = _wait(answer.headers, now)
    limited = answer.status == 429 or (answer.status == 403 and seconds is not None)
    if limited:
        return Later(f"The host {name} takes no more requests for now.", seconds or 60)
    if answer.status >= 500:
        return Later(f"The host {name} answered {answer.status}.", seconds or 0)
    kind = _Absent if answer.status in (404, 410) else Refused
    hint = f" Does the token have the right to {deed}?" if answer.status in (401, 403, 404) else ""
    return kind(f"The host {name} answered {answer.status}{said}.{hint}")


def _wait(headers: Mapping[str, str], now: int) -> int | None:
    """Seconds after which a host may be asked again, as its headers say."""
    after = headers.get("retry-after", "").strip()
    if after.isascii() and after.isdigit() and len(after) < 10:
        return min(int(after), _WAIT_MAX)
    remaining, reset = headers.get("x-ratelimit-remaining", ""), headers.get("x-ratelimit-reset", "").strip()
    if remaining.strip() == "0":
        if reset.isascii() and reset.isdigit() and len(reset) < 12:
            return max(1, min(int(reset) - now // 1000, _WAIT_MAX))
        return 60
    return 60 if after else None


def _said(body: bytes) -> str:
    try:
        found = json.loads(body)
    except ValueError:
        return ""
    message = found.get("message") or found.get("error") if isinstance(found, dict) else None
    if isinstance(message, dict):
        message = message.get("message") or next(iter(message.values()), None)
    return f": {plain(str(message))}" if message else ""
