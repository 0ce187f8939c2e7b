"""The installation as its operators see it: what runs, what there is, organizations and accounts."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import people as records
from octavo.kernel.records.installation import Counts, Presence, Sizes
from octavo.wire.fields import DateTime, Maybe, Shape
from octavo.wire.lists import ListQuery
from octavo.wire.people import users
from octavo.wire.view import View


class InstallationDatabase(Shape, frozen=True):
    engine: Literal["sqlite", "postgres"]
    migration: str


class InstallationStorage(Shape, frozen=True):
    kind: Literal["directory", "object-store"]
    place: str
    files: int
    free_bytes: Maybe[int] = UNSET


class InstallationMail(Shape, frozen=True):
    sends: bool
    failed: int
    host: Maybe[str] = UNSET
    sender: Maybe[str] = UNSET


class InstallationJobs(Shape, frozen=True):
    waiting: int
    running: int
    failed: int
    late_seconds: int


class Installation(Shape, tag_field="object", tag="installation", frozen=True):
    version: str
    organizations: int
    users: int
    spaces: int
    sites: int
    published_sites: int
    database: InstallationDatabase
    storage: InstallationStorage
    mail: InstallationMail
    jobs: InstallationJobs


class InstallationView(msgspec.Struct, frozen=True):
    """What was found; room is told where the data lies on a disk of this machine."""

    version: str
    counts: Counts
    database: InstallationDatabase
    storage: InstallationStorage
    mail: InstallationMail
    jobs: InstallationJobs


class InstallationOrganization(Shape, tag_field="object", tag="installation-organization", frozen=True):
    id: str
    title: str
    created_at: DateTime
    people: int
    spaces: int
    sites: int
    deleted_at: Maybe[DateTime] = UNSET


class InstallationUser(Shape, tag_field="object", tag="installation-user", frozen=True):
    id: str
    user: users.User
    verified: bool
    organizations: int
    created_at: Maybe[DateTime] = UNSET
    last_seen_at: Maybe[DateTime] = UNSET
    deleted_at: Maybe[DateTime] = UNSET


class UsersQuery(ListQuery, frozen=True):
    """`search`: words of which the name or the address holds all, as they stand."""

    search: Annotated[str, Meta(max_length=limits.QUERY_WORDS_MAX)] = ""


class OrganizationSizes(msgspec.Struct, frozen=True):
    organization: records.Organization
    sizes: Sizes


class UserPresence(msgspec.Struct, frozen=True):
    user: records.User
    presence: Presence


def present(found: InstallationView, view: View) -> Installation:
    """Numbers and names; no secret is among them."""
    counts = found.counts
    return Installation(
        version=found.version,
        organizations=counts.organizations,
        users=counts.users,
        spaces=counts.spaces,
        sites=counts.sites,
        published_sites=counts.published,
        database=found.database,
        storage=found.storage,
        mail=found.mail,
        jobs=found.jobs,
    )


def present_organization(found: OrganizationSizes, view: View) -> InstallationOrganization:
    """An organization, and how large it is."""
    one, sizes = found.organization, found.sizes
    return InstallationOrganization(
        one.id, one.title, iso(one.created_at), sizes.people, sizes.spaces, sizes.sites, _moment(one.deleted_at)
    )


def present_user(found: UserPresence, view: View) -> InstallationUser:
    """An account, and whether somebody is behind it."""
    one, presence = found.user, found.presence
    return InstallationUser(
        one.id,
        users.present(one, view),
        one.email_verified > 0,
        presence.organizations,
        _moment(one.created_at or None),
        _moment(presence.seen_at or None),
        _moment(one.deleted_at),
    )


def _moment(at: int | None) -> Maybe[str]:
    return UNSET if at is None else iso(at)
