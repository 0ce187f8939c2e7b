"""An organization with one of everything, people of every standing before it, and requests that leave nothing behind."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from octavo.access.people import sessions
from octavo.api.routes import OPERATIONS
from octavo.kernel.clock import DAY
from octavo.kernel.ids import new_id, new_token, token_hash
from octavo.kernel.operation import AnyOperation
from octavo.kernel.records.notifications import Notification
from octavo.kernel.records.people import Member, Token
from tests.client import Reply, World
from tests.contract import everything as made
from tests.contract.expectations import EXPECTED, ROLES
from tests.packing import packed
from tests.resources.checks import other_organization

ROWS: Mapping[str, AnyOperation] = {row.id: row for row in OPERATIONS}

_BODIES: Mapping[str, Any] = {
    "createOrganizationInvite": {"role": "read"},
    "createSpace": {"title": "New"},
    "moveSpace": {"parent": "{collection}"},
    "resolvePublishedContentByUrl": {"url": "{address}"},
    "transferCollection": {"organization": "{elsewhere}"},
    "transferSpace": {"organization": "{elsewhere}"},
}
"""Where a row's shape alone does not say what to send."""
_QUERIES = {
    "getContentByUrl": "?url={app}/o/{organization}/c/{collection}",
    "getPublishedContentByUrl": "?url={address}",
    "getEmbedByUrl": "?url=https://example.org/",
    "getEmbedByUrlInSpace": "?url=https://example.org/",
    "getChangeRequestPDF": "?page={link_page}",
    "getSpacePDF": "?page={link_page}",
    "searchOrganizationContent": "?query=heron",
    "searchSpaceContent": "?query=heron",
}
_PACKED = {"renderIntegrationUIWithGet": "renderIntegrationUIWithPost"}
"""Operation -> the one whose body it takes packed into its query."""
ANSWERS: Mapping[str, tuple[int, ...]] = {
    "getChangeRequestPDF": (400,),
    "getSpacePDF": (400,),
    "importContentInChangeRequest": (503,),
    "exportSpaceContent": (503,),
    "importSpaceContent": (503,),
    "installIntegration": (409,),
    "installIntegrationOnSite": (409,),
    "installIntegrationOnSpace": (409,),
    "joinOrganization": (204, 400),
    "moveCollection": (409,),
    "sendInstallationTestMail": (409,),
    "renderIntegrationUIWithGet": (501,),
    "renderIntegrationUIWithPost": (501,),
    "setUserPassword": (409,),
    "transferSpace": (412,),
    "trySpaceGitConnection": (503,),
    "updateContent": (409,),
}
"""Operation -> how it answers here somebody who may, where that is not its success: a link has no PDF, nobody imports
meanwhile, a site shows the space, it is locked,
the integration is installed already, no mail is sent, nobody has a password, nothing runs scripts, strangers
share no domain with the organization."""


OPERATOR = "Operator@Example.test"
"""Whom the settings of the stage name; her account writes it otherwise."""


@dataclass(frozen=True)
class Person:
    """Somebody before the organization."""

    name: str
    token: str
    inside: str | None
    """The role in the organization, `guest`, or None for a stranger to it."""
    on_content: str | None
    """The role on its space, collection and site."""
    disabled: bool = False
    """A member who is not let in at present: as a stranger, but that no link brings her back."""
    operates: bool = False
    """One of those who run the installation."""


class Forgotten(Exception):
    """Ends a unit whose work is done, so that nothing of it stays."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result


async def _look_away(at: Any) -> None:
    pass


@contextmanager
def forgetting(world: World, look: Callable[[Any], Awaitable[None]] = _look_away) -> Iterator[None]:
    """Inside, a write unit does all its work, and then the database forgets it: every request meets the same world,
    in whatever order they come, and what one deletes the next one finds. `look` sees what the unit did."""
    engine: Any = world.house.store.engine
    write = engine.write

    async def undone(work: Callable[[Any], Awaitable[Any]], *, lock: tuple[str, str] | None = None) -> Any:
        async def run(at: Any) -> Any:
            result = await work(at)
            await look(at)
            raise Forgotten(result)

        try:
            await write(run, lock=lock)
        except Forgotten as forgotten:
            return forgotten.result
        raise AssertionError("unreachable")

    engine.write = undone
    try:
        yield
    finally:
        del engine.write


class Stage:
    """The organization of a world with one of everything, and everybody who may come to it."""

    def __init__(self, world: World, folder: Path) -> None:
        self.world = world
        self.organization = world.organization
        self.elsewhere: str = other_organization(world, "Elsewhere")["id"]
        self.gone: str = other_organization(world, "Gone")["id"]
        self.ids = made.everything(world, folder, world.organization, "own")
        self._furnish()
        self.people = [*self._members(), *self._guests(), self._disabled(), self._stranger(), self._operator()]
        self._ask("DELETE", f"/v1/orgs/{self.gone}")
        world.work()
        world.run(world.house.store.write(self._wait))

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        """A request of the admin that must succeed."""
        reply = self.world.api.request(method, path, body)
        assert reply.status in (200, 201, 204, 205), f"{method} {path}: {reply.status} {reply.text}"
        return reply.json if reply.body else None

    def _furnish(self) -> None:
        """What only some paths name."""
        ids, org = self.ids, f"/v1/orgs/{self.organization}"
        pages = self._ask("GET", f"/v1/spaces/{ids['space']}/content/pages")["pages"]
        ids["link_page"] = next(page["id"] for page in _all(pages) if page["type"] == "link")
        given = {"role": "comment", "users": [ids["user"]], "teams": [ids["team"]]}
        for place in ("/v1/spaces/{space}", "/v1/collections/{collection}", f"{org}/sites/{{site}}"):
            self._ask("POST", place.format(**ids) + "/permissions", given)
        self._ask("PUT", f"{org}/teams/{ids['team']}/members/{ids['user']}", {})
        request = f"/v1/spaces/{ids['space']}/change-requests/{ids['change_request']}"
        self._ask("POST", request + "/requested-reviewers", {"users": [ids["user"]]})
        ids["restoreSpace space"] = self._ask("POST", f"{org}/spaces", {"title": "Gone"})["id"]
        self._ask("DELETE", f"/v1/spaces/{ids['restoreSpace space']}")
        ids["restoreOrganization organization"] = self.gone
        ids["applyTemplateToSite site"] = self._ask("POST", f"{org}/sites", {"title": "Empty"})["id"]
        ids["elsewhere"] = self.elsewhere
        ids["email_domain"] = "example.test"
        ids["app"] = self.world.house.base
        shown = self._ask("POST", f"{org}/sites", {"title": "Shown", "spaces": "sample"})["id"]
        ids["address"] = self._ask("POST", f"{org}/sites/{shown}/publish")["urls"]["published"]
        ids["organization"] = self.organization
        ids["subdomain"] = f"h{uuid.uuid4().hex[:20]}"
        self._ask("PATCH", org, {"hostname": ids["subdomain"]})
        address = f"invited-{uuid.uuid4().hex}@example.test"
        self._ask("POST", f"{org}/invites", {"emails": [address]})
        [invited] = self._ask("GET", f"{org}/invites")["items"]
        ids["deleteOrganizationEmailInvite invite"] = invited["id"]
        ids["hostname"] = self.wished(self.organization, ids["site"])
        ids["token"] = self._ask("GET", "/v1/user/tokens")["items"][0]["id"]
        ids["notification"] = self.notified(self.world.api.token or "")
        ids["session"] = self.signed_in(self.world.api.token or "")

    def wished(self, organization: str, site: str) -> str:
        """A hostname that the site asks for."""
        hostname = f"docs.{uuid.uuid4().hex}.test"
        self._ask("PATCH", f"/v1/orgs/{organization}/sites/{site}", {"hostname": hostname})
        return hostname

    async def _wait(self, unit: Any) -> None:
        """A run of a translation that has not begun: the others are over."""
        done = await unit.translations.run(self.ids["translation_run"])
        waiting = msgspec.structs.replace(done, id=new_id(), status="pending", started_at=None, finished_at=None)
        await unit.translations.add_run(waiting, keep=10)
        job = await unit.jobs.add("relink", {}, now=unit.now, organization=None)
        leased = await unit.jobs.lease(job, now=unit.now, lease_for=DAY)
        await unit.jobs.finish(leased, now=unit.now, error="it broke")
        self.ids["job"] = job.id
        self.ids["cancelTranslationRun translation_run"] = waiting.id
        brought = await unit.imports.get(self.ids["import_run"])
        pending = msgspec.structs.replace(brought, id=new_id(), status="pending")
        await unit.imports.add(pending, keep=10)
        self.ids["cancelImportRun import_run"] = pending.id

    def user_of(self, token: str) -> str:
        """The id of whoever has the token."""
        user: str = self.world.api.get("/v1/user", token=token).json["id"]
        return user

    def notified(self, token: str) -> str:
        """Tell somebody of a comment; the id of the notification."""
        told = Notification(
            id=new_id(),
            organization=self.organization,
            user=self.user_of(token),
            kind="comment",
            happening=new_id(),
            created_at=self.world.house.store.clock(),
            space=self.ids["space"],
            comment=self.ids["comment"],
        )
        self.world.run(self.world.house.store.write(lambda unit: unit.notifications.add([told])))
        return told.id

    def signed_in(self, token: str) -> str:
        """A browser of somebody; the id of its session."""
        user = self.user_of(token)
        made = self.world.run(self.world.house.store.write(lambda unit: sessions.begin(unit, user, "password")))
        return str(made[1].id)

    def _members(self) -> Iterator[Person]:
        for role in ROLES:
            yield Person(f"a member with the role {role}", self._arrived(role), role, role)

    def _guests(self) -> Iterator[Person]:
        yield Person("a guest without a grant", self._arrived("guest"), "guest", None)
        for role in ROLES:
            token = self._arrived("guest")
            for kind, word in (
                ("space", "space"),
                ("space", "restoreSpace space"),
                ("collection",) * 2,
                ("site",) * 2,
                ("site", "applyTemplateToSite site"),
            ):
                self.world.grant(token, kind, self.ids[word], role)
            yield Person(f"a guest who was granted {role}", token, "guest", role)

    def _disabled(self) -> Person:
        token = self._arrived("admin")
        user = self.user_of(token)

        async def work(unit: Any) -> None:
            for organization in (self.organization, self.gone):
                await unit.people.change_member(await unit.people.member(organization, user), disabled=True)

        self.world.run(self.world.house.store.write(work))
        return Person("an admin who was disabled", token, None, None, disabled=True)

    def _stranger(self) -> Person:
        there = other_organization(self.world, "Abroad")["id"]
        token = self.world.person("admin", there)
        self.join(token, self.elsewhere, "create")
        return Person("an admin of another organization", token, None, None)

    def _operator(self) -> Person:
        token = self.world.person(None)
        user = self.user_of(token)

        async def work(unit: Any) -> None:
            found = await unit.people.user(user)
            await unit.people.change_user(found, email=OPERATOR.lower(), email_verified=unit.now)

        self.world.run(self.world.house.store.write(work))
        return Person("an operator of the installation", token, None, None, operates=True)

    def _arrived(self, role: str) -> str:
        """Somebody in the organization; the same in the one that is gone; everybody may create elsewhere."""
        token = self.world.person(role)
        self.join(token, self.gone, None if role == "guest" else role)
        self.join(token, self.elsewhere, "create")
        return token

    def join(self, token: str, organization: str, role: Any) -> None:
        """Make somebody a member, or without a role a guest, of a further organization."""
        user = self.user_of(token)

        async def work(unit: Any) -> None:
            member = Member(organization=organization, user=user, role=role, joined_at=unit.now)
            await unit.people.add_member(member)

        self.world.run(self.world.house.store.write(work))

    def token(self, user: str, *, scopes: list[str] | None = None, lives: int = DAY) -> str:
        """A further token of a user; `lives` in milliseconds from now."""
        secret, id_ = new_token(), new_id()

        async def work(unit: Any) -> None:
            await unit.people.add_token(
                Token(
                    id=id_,
                    user=user,
                    hash=token_hash(secret),
                    created_at=unit.now,
                    scopes=scopes,
                    expires_at=unit.now + lives,
                )
            )

        self.world.run(self.world.house.store.write(work))
        return secret

    def request(
        self,
        operation: str,
        token: str,
        ids: Mapping[str, str] | None = None,
        body: Any = None,
        *,
        look: Callable[[Any], Awaitable[None]] = _look_away,
        address: str = "127.0.0.1",
    ) -> Reply:
        """The operation on everything that there is, as somebody; some ids and the body may be others."""
        row, named = ROWS[operation], {**self.ids, **(ids or {})}
        missing = [word for word in made.words(row) if word not in named and f"{row.id} {word}" not in named]
        assert not missing, f"{row.id}: give `stage.py` something that {missing} can stand for"
        path = made.address(row, named) + _QUERIES.get(row.id, "").format(**named)
        if operation in _PACKED:
            path += f"?request={packed(self.body(_PACKED[operation], named))}"
        body = self.body(operation, named) if body is None else body
        with forgetting(self.world, look):
            return self.world.api.request(row.method, path, body, token=token, address=address)

    def body(self, operation: str, ids: Mapping[str, str] | None = None) -> Any:
        """What the operation may be sent; None where it takes no body."""
        row, named = ROWS[operation], {**self.ids, **(ids or {})}
        return made.filled(_BODIES[row.id], named) if row.id in _BODIES else made.body(row, named)


def _all(pages: list[Any]) -> Iterator[Any]:
    for page in pages:
        yield page
        yield from _all(page.get("pages", []))


def expected(operation: str, person: Person) -> int | None:
    """What the person must be answered: 403, 404, or None where she may."""
    if person.disabled and operation in ("joinOrganization", "joinOrganizationWithInvite"):
        return 403
    for need in EXPECTED[operation][0].split(" and "):
        answer = _refused(need, person)
        if answer is not None:
            return answer
    return None


def _refused(need: str, person: Person) -> int | None:
    if need in ("anybody", "everybody"):
        return None
    if need == "operator":
        return None if person.operates else 403
    if need == "owner":
        return 404
    if need in ("self", "acquainted"):
        return 404 if person.inside is None else 403 if need == "self" else None
    place, least = need.rsplit(" ", 1)
    if place in ("organization", "people", "told", "deleted organization"):
        held = person.inside
        if held is None or (held == "guest" and place in ("people", "told")):
            return 404
    else:
        held = person.on_content
        if held is None:
            return 404
    enough = least == "guest" or (held in ROLES and least in ROLES and ROLES.index(held) >= ROLES.index(least))
    return None if enough else 404 if place.startswith(("deleted", "told")) else 403


def judged(operation: str, reply: Reply, wanted: int | None) -> str | None:
    """What is wrong with an answer, as words; None when it is as it must be."""
    right = (wanted,) if wanted else ANSWERS.get(operation, (ROWS[operation].status,))
    if reply.status in right:
        return None
    return f"{operation} is answered {reply.status}, not {' or '.join(map(str, right))}: {reply.text[:160]}"
