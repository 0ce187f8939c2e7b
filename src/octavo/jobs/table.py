"""All jobs on one page: what runs, how often and how long, behind which others, and which events ask for it."""

from __future__ import annotations

import msgspec

from octavo.jobs import backup
from octavo.jobs.content import archives, fetch_files, forget_upload, import_run, pdf, reindex, reindex_apis, relink
from octavo.jobs.content import importing as content_import
from octavo.jobs.git import following as git_following
from octavo.jobs.git import importing as git_import
from octavo.jobs.git import operating as git
from octavo.jobs.git import site as git_site
from octavo.jobs.git import telling as git_telling
from octavo.jobs.git import trying as git_trying
from octavo.jobs.installation import examining
from octavo.jobs.integrations import announce, asking, delivering, drawing, fetching, telling
from octavo.jobs.library import copy_content, purge
from octavo.jobs.openapi import processing as openapi
from octavo.jobs.people import login_code, login_failed, mail, notify, prove_domain, send_notifications
from octavo.jobs.people import purge as purge_people
from octavo.jobs.sites import prove_hostname, revalidate
from octavo.jobs.translations import follow
from octavo.jobs.translations import job as translate
from octavo.jobs.work import FETCHES, IMPORTS, MAIL, PDFS, UPKEEP, JobKind
from octavo.kernel import limits
from octavo.kernel.clock import HOUR
from octavo.kernel.events import (
    AccountDeleted,
    ArchiveImportWanted,
    ArchiveWanted,
    ChangeRequestMerged,
    CommentPosted,
    CommentReplied,
    CommentResolved,
    ContentChanged,
    ContentCopyWanted,
    ContentImportRequested,
    DomainProofWanted,
    Event,
    ExaminationWanted,
    FilesWanted,
    GitBranchDue,
    GitOperationFailed,
    GitOperationQueued,
    GitOperationStarted,
    GitPollDue,
    GitSitePollDue,
    GitSiteQueued,
    GitTryWanted,
    HostnameProofWanted,
    ImportRunWanted,
    IntegrationBlockWanted,
    IntegrationFetchWanted,
    IntegrationRenderWanted,
    IntegrationTold,
    LoginCodeRequested,
    LoginFailed,
    MailRequested,
    OpenAPISpecChanged,
    OpenAPISpecWanted,
    OrganizationDeleted,
    PageRated,
    PageViewed,
    PdfWanted,
    ReviewRequested,
    ReviewSubmitted,
    SiteChanged,
    SourceChanged,
    SpaceDeleted,
    SpaceVisibilityUpdated,
    TranslationWanted,
    UploadAnnounced,
    UsersNotified,
    WebhookDue,
)
from octavo.kernel.records import Json
from octavo.kernel.records.jobs import COLLECT, EXAMINE, FORGET_UPLOAD
from octavo.kernel.settings import Settings
from octavo.store.unit import Reaction, Reactions

JOBS: dict[str, JobKind] = {
    "git": JobKind(run=git.run, tries=git.TRIES, seconds=git.SECONDS, lane=IMPORTS, failed=git.failed, outside=True),
    "git_site": JobKind(
        run=git_site.run, tries=git.TRIES, seconds=git.SECONDS, lane=IMPORTS, failed=git_site.failed, outside=True
    ),
    "git_site_poll": JobKind(run=git_site.look, tries=5, seconds=60, lane=UPKEEP, outside=True),
    "git_poll": JobKind(run=git_following.run, tries=5, seconds=60, lane=UPKEEP, outside=True),
    git_trying.KIND: JobKind(run=git_trying.run, tries=1, seconds=git_trying.SECONDS, lane=FETCHES, outside=True),
    "git_tell": JobKind(run=git_telling.run, tries=5, seconds=300, lane=delivering.WEBHOOKS, outside=True),
    "git_import": JobKind(
        run=git_import.run, tries=3, seconds=900, lane=IMPORTS, failed=git_import.failed, outside=True
    ),
    "archive": JobKind(run=archives.run_export, tries=2, seconds=archives.SECONDS, lane=IMPORTS, outside=False),
    "archive_import": JobKind(run=archives.run_import, tries=1, seconds=archives.SECONDS, lane=IMPORTS, outside=False),
    "copy_content": JobKind(run=copy_content.run, tries=2, seconds=3600, lane=IMPORTS, outside=False),
    "content_import": JobKind(
        run=content_import.run, tries=1, seconds=content_import.SECONDS, lane=FETCHES, outside=True
    ),
    import_run.KIND: import_run.JOB,
    "fetch_files": JobKind(run=fetch_files.run, tries=1, seconds=120, lane=FETCHES, outside=True),
    EXAMINE: JobKind(run=examining.run, tries=1, seconds=120, outside=True),
    FORGET_UPLOAD: JobKind(run=forget_upload.run, tries=5, seconds=60, outside=False),
    "login_code": JobKind(run=login_code.run, tries=3, seconds=30, outside=True),
    "login_failed": JobKind(run=login_failed.run, tries=3, seconds=30, outside=True),
    "mail": JobKind(run=mail.run, tries=mail.TRIES, seconds=mail.SECONDS, lane=MAIL, pauses=mail.PAUSES, outside=True),
    "notify": JobKind(run=notify.run, tries=5, seconds=120, outside=True),
    "send_notifications": JobKind(run=send_notifications.run, tries=5, seconds=600, outside=True),
    "openapi": JobKind(
        run=openapi.run, tries=3, seconds=openapi.SECONDS, lane=FETCHES, failed=openapi.failed, outside=True
    ),
    "openapi_parts": JobKind(run=openapi.run_parts, tries=3, seconds=openapi.SECONDS, lane=IMPORTS, outside=False),
    "pdf": JobKind(run=pdf.run, tries=2, seconds=pdf.SECONDS, lane=PDFS, outside=True),
    "purge_account": JobKind(run=purge_people.run_account, tries=5, seconds=600, lane=UPKEEP, outside=False),
    "purge_organization": JobKind(
        run=purge_people.run_organization, tries=5, seconds=24 * 3600, lane=UPKEEP, outside=False
    ),
    COLLECT: JobKind(run=purge.run_collect, tries=2, seconds=24 * 3600, lane=UPKEEP, outside=False),
    "purge_space": JobKind(run=purge.run, tries=5, seconds=3600, lane=UPKEEP, outside=False),
    revalidate.REVALIDATE: revalidate.KIND,
    announce.ANNOUNCE: JobKind(run=announce.run, tries=5, seconds=120, outside=True),
    drawing.RENDER: JobKind(run=drawing.run, tries=1, seconds=40, lane=asking.SCRIPTS, outside=True),
    drawing.BLOCK: JobKind(run=drawing.run_block, tries=1, seconds=40, lane=asking.SCRIPTS, outside=True),
    fetching.FETCH: JobKind(run=fetching.run, tries=1, seconds=40, lane=asking.SCRIPTS, outside=True),
    delivering.WEBHOOK: JobKind(run=delivering.run, tries=5, seconds=900, lane=delivering.WEBHOOKS, outside=True),
    "integration_event": JobKind(run=telling.run, tries=3, seconds=60, lane=asking.SCRIPTS, outside=True),
    backup.NAME: backup.KIND,
    "relink": JobKind(run=relink.run, tries=5, seconds=600, outside=False),
    "prove_domain": JobKind(run=prove_domain.run, tries=3, seconds=60, lane=FETCHES, outside=True),
    "prove_hostname": JobKind(run=prove_hostname.run, tries=3, seconds=60, lane=FETCHES, outside=True),
    translate.KIND: translate.JOB,
    follow.KIND: follow.JOB,
    "reindex": JobKind(run=reindex.run, tries=5, seconds=600, outside=False),
    reindex_apis.KIND: JobKind(run=reindex_apis.run, tries=5, seconds=600, outside=False),
}
OUTSIDE = frozenset(name for name, kind in JOBS.items() if kind.outside)
"""Kinds that ask or tell parties outside."""


def reactions(event: Event) -> list[Reaction]:
    """The jobs that an event asks for: all on one page, which is why it is long."""
    payload: Json
    match event:
        case GitOperationQueued():
            whose = {"space": event.space, "user": event.user}
            return [Reaction("git", whose, dedup=f"git {event.space}", delay=event.delay)]
        case GitTryWanted():
            return [Reaction(git_trying.KIND, {"sealed_url": event.sealed_url, "user": event.user})]
        case GitPollDue():
            payload = {"space": event.space, "minutes": event.minutes}
            return [Reaction("git_poll", payload, dedup=f"git_poll {event.space} {event.minutes}", delay=event.delay)]
        case GitSiteQueued():
            payload = {"site": event.site, "user": event.user}
            return [Reaction("git_site", payload, dedup=f"git_site {event.site}", delay=event.delay)]
        case GitSitePollDue():
            payload = {"site": event.site, "minutes": event.minutes}
            key = f"git_site_poll {event.site} {event.minutes}"
            return [Reaction("git_site_poll", payload, dedup=key, delay=event.delay)]
        case GitBranchDue():
            return [Reaction("git_tell", {"branch": event.branch}, dedup=f"git_tell {event.branch}", delay=event.delay)]
        case FilesWanted():
            return [Reaction("fetch_files", {"sealed_urls": event.sealed_urls, "user": event.user})]
        case ContentImportRequested():
            where = {"sealed_url": event.sealed_url, "upload": event.upload}
            payload = {"source": event.source, **where, "user": event.user}
            return [Reaction("content_import", payload)]
        case ImportRunWanted():
            payload = {"run": event.run, "sealed_url": event.sealed_url, "uploads": event.uploads, "user": event.user}
            return [Reaction(import_run.KIND, payload)]
        case LoginCodeRequested():
            return [Reaction("login_code", {"sealed_email": event.sealed_email, "sealed_code": event.sealed_code})]
        case LoginFailed():
            whence = {"address": event.address, "agent": event.agent}
            return [Reaction("login_failed", {"sealed_email": event.sealed_email, "how": event.how, **whence})]
        case ExaminationWanted():
            return [Reaction(EXAMINE, {"user": event.user}, dedup=EXAMINE)]
        case MailRequested():
            return [Reaction("mail", {"sealed_letter": event.sealed_letter})]
        case UsersNotified():
            which = {"immediate": event.immediate}
            return [Reaction("send_notifications", which, dedup=f"send_notifications {which}", delay=event.delay)]
        case (
            ReviewRequested()
            | ReviewSubmitted()
            | CommentPosted()
            | CommentReplied()
            | ChangeRequestMerged()
            | GitOperationFailed()
        ):
            return [Reaction("notify", {"event": msgspec.to_builtins(event)}), _announced(event)]
        case ArchiveWanted():
            return [Reaction("archive", {"space": event.space, "user": event.user})]
        case ArchiveImportWanted():
            payload = {"space": event.space, "archive": event.archive, "user": event.user}
            return [Reaction("archive_import", payload)]
        case PdfWanted():
            return [Reaction("pdf", {"order": event.order, "user": event.user}, dedup=event.blob)]
        case UploadAnnounced():
            payload = {"blob": event.blob, "size": event.size, "user": event.user}
            return [Reaction(FORGET_UPLOAD, payload, delay=limits.UPLOAD_HOURS * HOUR)]
        case SpaceDeleted():
            payload = {"space": event.space, "deleted_at": event.deleted_at}
            return [*_following(event.space), Reaction("purge_space", payload, delay=purge.DAYS)]
        case OrganizationDeleted():
            payload = {"deleted": event.deleted, "deleted_at": event.deleted_at}
            return [Reaction("purge_organization", payload, delay=purge_people.ORGANIZATION)]
        case AccountDeleted():
            payload = {"account": event.account, "deleted_at": event.deleted_at}
            return [Reaction("purge_account", payload, delay=purge_people.ACCOUNT)]
        case ContentCopyWanted():
            payload = {"organization": event.organization, "to": event.to, "spaces": event.spaces, "user": event.user}
            return [Reaction("copy_content", payload)]
        case HostnameProofWanted():
            payload = {"site": event.site, "hostname": event.hostname}
            return [Reaction("prove_hostname", payload, dedup=f"prove_hostname {event.site} {event.hostname}")]
        case DomainProofWanted():
            payload = {"organization": event.organization, "domain": event.domain}
            return [Reaction("prove_domain", payload, dedup=f"prove_domain {event.organization} {event.domain}")]
        case OpenAPISpecWanted():
            return [Reaction("openapi", {"spec": event.spec}, dedup=f"openapi {event.spec}")]
        case TranslationWanted():
            payload = {"translation": event.translation, "language": event.language, "user": event.user}
            return [Reaction(translate.KIND, payload, dedup=f"translate {event.translation} {event.language}")]
        case SourceChanged():
            return [Reaction(follow.KIND, {"space": event.space}, dedup=f"follow {event.space}", delay=follow.DELAY)]
        case IntegrationRenderWanted() | IntegrationFetchWanted():
            where = {"integration": event.integration, "installation": event.installation}
            kind = drawing.RENDER if isinstance(event, IntegrationRenderWanted) else fetching.FETCH
            return [Reaction(kind, where | {"sealed_payload": event.sealed_payload})]
        case IntegrationBlockWanted():
            where = {"integration": event.integration, "installation": event.installation}
            payload = where | {"sealed_payload": event.sealed_payload, "key": event.key}
            return [Reaction(drawing.BLOCK, payload, dedup=f"{drawing.BLOCK} {event.key}")]
        case WebhookDue():
            payload = {"webhook": event.webhook, "resource": event.resource}
            key = f"{delivering.WEBHOOK} {event.webhook} {event.resource}"
            return [Reaction(delivering.WEBHOOK, payload, dedup=key, delay=event.delay)]
        case CommentResolved() | PageRated() | PageViewed() | GitOperationStarted() | SpaceVisibilityUpdated():
            return [_announced(event)]
        case SiteChanged():
            return [_announced(event, dedup=f"{announce.ANNOUNCE} {event.site}")]
        case IntegrationTold():
            return [Reaction("integration_event", {"told": event.told}, delay=event.delay)]
        case OpenAPISpecChanged():
            payload = {"organization": event.organization}
            return [Reaction(reindex_apis.KIND, payload, dedup=f"{reindex_apis.KIND} {event.organization}")]
        case ContentChanged():
            return [*_following(event.space), _announced(event)]
        case _:
            return []


def reactions_with(settings: Settings) -> Reactions:
    """The jobs that events ask for in an installation with these settings."""
    if settings.renderer_url is None:
        return reactions
    return lambda event: [*reactions(event), *revalidate.reactions(event)]


def _announced(event: announce.Announced, *, dedup: str | None = None) -> Reaction:
    """Telling integrations and webhooks, where some would hear of it."""
    payload = announce.payload_of(event)
    return Reaction(announce.ANNOUNCE, payload, dedup=dedup, heard_as=announce.heard_as(event))


def _following(space: str) -> list[Reaction]:
    """What follows the content of a space."""
    return [Reaction(kind, {"space": space}, dedup=f"{kind} {space}") for kind in ("reindex", "relink")]
