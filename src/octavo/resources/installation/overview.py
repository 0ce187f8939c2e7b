"""The installation for its operators: what runs, what there is, organizations, accounts, and whether mail goes out."""

from __future__ import annotations

import shutil

from octavo import __version__
from octavo.access.people.mail import mail
from octavo.kernel.errors import Conflict
from octavo.kernel.letters import Occasion
from octavo.kernel.operation import UNLIMITED, Nothing, nothing, reads, writes
from octavo.kernel.records.installation import Presence
from octavo.resources.call import Call, Slice, listed
from octavo.resources.rules import OPERATORS
from octavo.store.database.migrate import HEAD
from octavo.wire.installation import overview as wire
from octavo.wire.installation.overview import (
    InstallationDatabase,
    InstallationJobs,
    InstallationMail,
    InstallationStorage,
    InstallationView,
    OrganizationSizes,
    UserPresence,
    UsersQuery,
)
from octavo.wire.lists import ListQuery

_NEVER = Presence(0, 0)


async def get(call: Call, at: Nothing, takes: Nothing) -> InstallationView:
    """What the process that answers knows, and numbers of the database; nobody outside is asked."""
    settings, unit = call.settings, call.unit
    told = await unit.jobs.counts()
    states = {
        state: sum(number for _, one, number, _ in told if one == state) for state in ("waiting", "running", "failed")
    }
    due = min((since for _, state, _, since in told if state == "waiting"), default=call.now)
    letters = sum(number for kind, state, number, _ in told if kind == "mail" and state == "failed")
    counts = await unit.whole.counts()
    directory = settings.blobs_url is None
    free = shutil.disk_usage(settings.data).free if settings.data.is_dir() else None
    sent = {"host": settings.smtp_host, "sender": settings.mail_from}
    return InstallationView(
        version=__version__,
        counts=counts,
        database=InstallationDatabase("sqlite" if settings.database_url is None else "postgres", HEAD),
        storage=InstallationStorage(
            "directory" if directory else "object-store",
            str(settings.data) if directory else str(settings.blobs_url).partition("?")[0],
            counts.files,
            **({} if free is None else {"free_bytes": free}),
        ),
        mail=InstallationMail(
            settings.smtp_host is not None, failed=letters, **{name: word for name, word in sent.items() if word}
        ),
        jobs=InstallationJobs(**states, late_seconds=max(0, call.now - due) // 1000),
    )


async def list_organizations(call: Call, at: Nothing, query: ListQuery) -> Slice[OrganizationSizes]:
    """Newest first, with how many people, spaces and sites each has; deleted ones as long as they can be restored."""
    found, total = await call.unit.whole.organizations(call.newest_behind(query), query.limit + 1)
    page = call.listing(found, total, query, lambda one: (one.created_at, one.id))
    sizes = await call.unit.whole.sizes([one.id for one in page.items])
    return Slice([OrganizationSizes(one, sizes[one.id]) for one in page.items], page.count, page.next)


async def list_users(call: Call, at: Nothing, query: UsersQuery) -> Slice[UserPresence]:
    """Newest first, with how many organizations each is in, and when she was in one last."""
    found, total = await call.unit.whole.users(query.search, call.newest_behind(query), query.limit + 1)
    page = call.listing(found, total, query, lambda one: (one.created_at, one.id))
    presence = await call.unit.whole.presence([one.id for one in page.items])
    return Slice([UserPresence(one, presence.get(one.id, _NEVER)) for one in page.items], page.count, page.next)


async def send_letter(call: Call, at: Nothing, takes: Nothing) -> None:
    """A letter to the caller's own address, by the job that sends all others: whether it arrives, she sees herself."""
    if call.settings.smtp_host is None:
        raise Conflict("no mail server is set: OCTAVO_SMTP_HOST and OCTAVO_MAIL_FROM say who sends letters")
    letter = Occasion(
        to=call.caller.user.email, about="trial", told={"base": call.view.app}, language=call.caller.user.language
    )
    await call.unit.emit(mail(call.signer.seal, letter))


OPERATIONS = (
    reads("getInstallation", "/installation", get, wire.present,
          needs=OPERATORS, scope=UNLIMITED, summary="Get what the installation runs on and what is in it"),
    reads("listInstallationOrganizations", "/installation/organizations", list_organizations,
          listed(wire.present_organization),
          needs=OPERATORS, scope=UNLIMITED, summary="List every organization of the installation"),
    reads("listInstallationUsers", "/installation/users", list_users, listed(wire.present_user),
          needs=OPERATORS, scope=UNLIMITED, summary="List every account of the installation"),
    writes("POST", "sendInstallationTestMail", "/installation/test-mail", send_letter, nothing,
           needs=OPERATORS, scope=UNLIMITED, audit="installation.test-mail",
           summary="Have a letter sent to the caller's own address"),
)  # fmt: skip
