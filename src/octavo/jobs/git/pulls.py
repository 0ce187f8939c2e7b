"""Pull requests that a host has, asked for with each synchronisation: where no post tells of them, they are known all the
same, and so is what became of those that were open."""

from __future__ import annotations

from functools import partial

import msgspec

from octavo.access.pushes import Pull, pull_listed
from octavo.gateways import git_hosts
from octavo.gateways.failures import GatewayFailure
from octavo.gateways.git_hosts import Host
from octavo.history import following
from octavo.jobs.git import telling
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.records.git import GitBranch, GitConnection
from octavo.kernel.records.library import Space
from octavo.store.unit import Unit

_BACK = 50
"""Revisions of a change request among which the commit of a pull request is looked for."""


class Asked(msgspec.Struct, frozen=True):
    """What a host answered."""

    pulls: list[Pull] = []
    """Open ones, and those that were and no longer are."""
    message: str | None = None
    """Why it could not be asked."""


async def asked(work: Work, connection: GitConnection) -> Asked:
    """Ask the host of a connection; where it is of no kind that is known, branches alone are followed."""
    if following.provider_of(connection) in (None, "generic"):
        return Asked()
    host = telling.host_of(work, connection)
    if host is None:
        return Asked(message=telling.NO_TOKEN)
    known = await work.read(lambda unit: unit.git.branches(connection.space, limits.GIT_BRANCHES * 2))
    try:
        return Asked(await _pulls(work, host, connection, known, work.store.clock()))
    except GatewayFailure as failure:
        return Asked(message=failure.message)


async def _pulls(work: Work, host: Host, connection: GitConnection, known: list[GitBranch], now: int) -> list[Pull]:
    listed = await git_hosts.open_pulls(host, connection.ref.removeprefix("refs/heads/"), now)
    pulls = [pull for one in listed if (pull := pull_listed(host.provider, one)) is not None]
    still = {pull.number for pull in pulls}
    gone = [one for one in known if one.pull is not None and one.pull_state == "open" and one.pull not in still]
    for branch in gone[: limits.GIT_BRANCHES_OPEN_MAX]:
        said = await git_hosts.get_pull(host, branch.pull or 0, now)
        pull = None if said is None else pull_listed(host.provider, said)
        if pull is not None and pull.ref == branch.ref:
            pulls.append(pull)
        elif said is None:
            link, title = branch.link, branch.title or ""
            pulls.append(Pull(branch.pull or 0, branch.ref, connection.ref, "closed", title, link, fork=False))
    asked = {pull.ref for pull in pulls}
    waiting = {one.ref: one for one in known if one.state in ("open", "closed") and one.oid and one.ref not in asked}
    return pulls + (await _unseen(work, host, connection, waiting, now) if waiting else [])


async def _unseen(
    work: Work, host: Host, connection: GitConnection, waiting: dict[str, GitBranch], now: int
) -> list[Pull]:
    """Those that were opened, or opened again, and came to an end between two looks. One that is not known counts where
    nobody but Octavo pushed to the branch since: a branch may have had others in an earlier life."""
    listed = await git_hosts.ended_pulls(host, connection.ref.removeprefix("refs/heads/"), now)
    ended = [pull for one in listed if (pull := pull_listed(host.provider, one)) is not None]
    ended = [one for one in ended if one.state != "open" and one.into == connection.ref and one.ref in waiting]
    asking = {one.ref: waiting[one.ref] for one in ended if one.head and one.number != waiting[one.ref].pull}
    stood = await work.read(partial(_stood_at, [*asking.values()])) if asking else {}
    found = dict[str, Pull]()
    for pull in ended:
        branch = waiting[pull.ref]
        newest = found[pull.ref].number if pull.ref in found else branch.pull or 0
        if pull.number < newest or (pull.number, pull.state) == (branch.pull, branch.pull_state):
            continue
        if pull.number == branch.pull or (pull.head and any(oid.startswith(pull.head) for oid in stood[branch.id])):
            found[pull.ref] = pull
    return [*found.values()]


async def _stood_at(branches: list[GitBranch], unit: Unit) -> dict[str, list[str]]:
    """The commits that branches, by their ids, are at, or were at before what was pushed from here."""
    return {branch.id: [branch.oid, *await _commits_of(unit, branch)] for branch in branches}


async def _commits_of(unit: Unit, branch: GitBranch) -> list[str]:
    """From the newest back to the first that somebody else made."""
    line = await unit.revisions.line(branch.revision, _BACK) if branch.revision else []
    joined = {one.id: one for one in await unit.revisions.by_ids(key for one in line for key in one.parents[1:])}
    commits: list[str] = []
    for one in line:
        for commit in (one.git, *(joined[key].git for key in one.parents[1:] if key in joined)):
            if commit is not None:
                commits.append(commit.oid)
                if not commit.created_by_service:
                    return commits
    return commits


async def note(
    unit: Unit, space: Space, connection: GitConnection, told: Asked, known: dict[str, GitBranch]
) -> set[str]:
    """Write down what is new of pull requests, and whether they could be asked for; the branches that it concerns.

    Whoever asks holds the lock of the space; `known` are its branches.
    """
    now = await unit.git.connection(space.id)
    if now is not None and now.pulls_message != told.message:
        await unit.git.change_connection(now, pulls_message=told.message)
    noted = set[str]()
    for pull in told.pulls:
        branch = known.get(pull.ref)
        if pull.into != connection.ref or (branch is None and not following.follows(connection, pull.ref)):
            continue
        if branch is not None and _is_known(branch, pull):
            continue
        await following.note_pull(unit, space, pull)
        noted.add(pull.ref)
        if len(noted) >= limits.GIT_BRANCHES_AT_ONCE:
            # The others have their turn with the next synchronisation.
            break
    return noted


def _is_known(branch: GitBranch, pull: Pull) -> bool:
    if branch.pull is not None and pull.number < branch.pull:
        return True
    there = (pull.number, pull.state, pull.title or None, pull.link)
    return (branch.pull, branch.pull_state, branch.title, branch.link) == there
