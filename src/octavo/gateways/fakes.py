"""In-memory parties outside, with the signatures of the real ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from octavo.gateways.addresses import Guard, parse
from octavo.gateways.directories import blob_oid
from octavo.gateways.failures import GatewayFailure, Refused, Unreachable, host_of, plain, shown
from octavo.gateways.git_ssh import Identity
from octavo.gateways.git_wire import Progress
from octavo.gateways.smtp import composed
from octavo.gateways.snapshots import (
    NAME_NOT_ALLOWED,
    Commit,
    Entry,
    Limits,
    Listing,
    Skipped,
    Snapshot,
    admit,
    allowed,
)
from octavo.gateways.translators import Question
from octavo.gateways.web import Fetched, Saved, too_large
from octavo.gateways.web import Limits as WebLimits
from octavo.kernel.letters import Letter


@dataclass(frozen=True)
class Asked:
    """A request that a fake has received."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None


@dataclass
class FakeWeb:
    """Answers by address: `answers["https://…"]` is an answer to give or a failure to raise; others are unreachable.

    `fetch` and `download` stand for the functions of `web`; `asked` remembers the requests. The guard is not asked.
    """

    answers: dict[str, Fetched | GatewayFailure] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)

    def put(self, url: str, body: bytes, *, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self.answers[url] = Fetched(status, dict(headers or {}), body, url)

    async def fetch(
        self,
        url: str,
        *,
        limits: WebLimits,
        guard: Guard | None = None,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        follow: bool = True,
    ) -> Fetched:
        parse(url)
        self.asked.append(Asked(method, url, dict(headers or {}), body))
        answer = self.answers.get(url, Unreachable(f"The host {host_of(url)} has no address."))
        if isinstance(answer, GatewayFailure):
            raise answer
        if len(answer.body) > limits.bytes:
            raise too_large(url, limits.bytes)
        return answer

    async def download(
        self,
        url: str,
        path: Path,
        *,
        limits: WebLimits,
        guard: Guard | None = None,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Saved:
        answer = await self.fetch(url, limits=limits, guard=guard, method=method, headers=headers, body=body)
        path.write_bytes(answer.body)
        return Saved(answer.status, answer.headers, path, len(answer.body), answer.url)


@dataclass
class FakeGit:
    """Repositories by address, each a map of branch to files; `clone` and `local` stand for the functions of `git`."""

    repositories: dict[str, dict[str, dict[str, bytes]]] = field(default_factory=dict)

    def put(self, url: str, files: Mapping[str, bytes], *, branch: str = "main") -> None:
        self.repositories.setdefault(url, {})[branch] = dict(files)

    def clone(
        self,
        url: str,
        ref: str,
        directory_for_pack: Path,
        *,
        limits: Limits | None = None,
        guard: Guard | None = None,
        progress: Progress | None = None,
        allow_local: bool = False,
        kept: Path | None = None,
        identity: Identity | None = None,
    ) -> Snapshot:
        branches = self.repositories.get(url)
        if branches is None:
            raise Refused(f"There is no repository at {shown(url)}.")
        name = next(iter(branches), "") if ref == "HEAD" else ref.removeprefix("refs/heads/")
        if name not in branches:
            few = ", ".join(sorted(branches)[:10]) or "none"
            raise Refused(f"The repository has no branch {plain(name, 100)}; its branches are: {few}.")
        return snapshot(branches[name], limits=limits)

    def local(self, directory: Path, limits: Limits | None = None) -> Snapshot:
        return snapshot(self.repositories[str(directory)]["main"], limits=limits)


@dataclass
class FakeMail:
    """Keeps what is sent, newest last; `answers[address]` is a failure to raise instead."""

    sent: list[Letter] = field(default_factory=list)
    answers: dict[str, GatewayFailure] = field(default_factory=dict)

    async def send(self, letter: Letter, *, key: str, now: int) -> None:
        composed(letter, "Docs <docs@octavo.test>", key=key, now=now)
        if letter.to in self.answers:
            raise self.answers[letter.to]
        self.sent.append(letter)


def snapshot(files: Mapping[str, bytes], *, commit: Commit | None = None, limits: Limits | None = None) -> Snapshot:
    """A snapshot of files given as path -> content; the commit's id follows from the content when none is given."""
    state = b"".join(f"{path} {blob_oid(content)}\n".encode() for path, content in sorted(files.items()))
    made = commit or Commit(blob_oid(state), "A commit", "Ada", "ada@example.com", 1_700_000_000_000)
    return Snapshot(_Memory(dict(files), limits or Limits()), made)


class _Memory:
    def __init__(self, files: dict[str, bytes], limits: Limits) -> None:
        self._files, self._limits = files, limits

    def walk(self, directory: str) -> Listing:
        listing, prefix = Listing(), f"{directory}/" if directory else ""
        for path, content in self._files.items():
            inner = path.removeprefix(prefix)
            if not path.startswith(prefix):
                continue
            if all(map(allowed, inner.split("/"))):
                admit(listing, self._limits, inner, Entry(blob_oid(content), len(content)))
            else:
                listing.skipped.append(Skipped(inner, NAME_NOT_ALLOWED))
        return listing

    def read(self, path: str, entry: Entry) -> bytes:
        return self._files[path]

    def oid(self, path: str, entry: Entry) -> str:
        return entry.oid

    def close(self) -> None:
        """Nothing is held open."""


@dataclass
class FakeTranslator:
    """Puts every run of letters outside of placeholders between the language's brackets: `Open <1>this</1>` becomes
    `[de:Open <1>this</1>]`, so that only words change. `asked` remembers the texts, question by question.

    `answers[text]` is given instead, None for no answer; `failures` are raised first, one a question.
    """

    answers: dict[str, str | None] = field(default_factory=dict)
    failures: list[GatewayFailure] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)

    async def translate(self, question: Question) -> Mapping[str, str]:
        self.asked.append(question)
        if self.failures:
            raise self.failures.pop(0)
        made = {one.id: self.answers.get(one.text, f"[{question.target}:{one.text}]") for one in question.blocks}
        return {key: answer for key, answer in made.items() if answer is not None}

    @property
    def texts(self) -> list[str]:
        """All texts that were asked for, in order."""
        return [block.text for question in self.asked for block in question.blocks]
