"""Every answer against the official schema of the API, for every operation that both have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.client import World
from tests.contract import official
from tests.contract.official import Official
from tests.contract.stage import ROWS, Stage
from tests.contract.written import WRITTEN
from tests.resources.handbook import every, write


class Deviation(NamedTuple):
    """What an answer has otherwise, and which line of which authority says so."""

    place: str
    """How the place ends."""
    fault: str
    why: str


DEVIATIONS = (
    Deviation(
        "", '"installationProvider" is a required property',
        "decisions.md, Git: only where it is known; api.md, Space: gitSync. There is no word for a host of one's own",
    ),
    Deviation(
        "ssoURL", 'the value is not a "uri"',
        "api.md, SSO: POST /saml requires `label` alone, and SamlProvider has ssoURL always: empty until it is set",
    ),
    Deviation(
        "id", 'the value is not a "uuid"',
        "api.md, Conventions 1 and 8: ids are strings; decisions.md: opaque. The official one wants UUIDs of events only",
    ),
    Deviation(
        "items/*", '"origin" is a required property',
        "api-facts.md 5.8: GET …/users, which /aggregate answers like, has {permission, user}",
    ),
    Deviation(
        "filesystem", 'the value is not of type "object"',
        "clients.md 1.5, row 12: a pre-bundled list of files for the renderer's parser",
    ),
    Deviation(
        "items/*", '"disabled" is a required property',
        "api-facts.md 5.8: GET …/users, which /aggregate answers like, has {permission, user}",
    ),
    Deviation(
        "object", 'the value is not one of "translation"',
        "api.md, TranslationSettings: `object` = `translation-settings`; api-facts.md, 6: implement it",
    ),
)  # fmt: skip
"""Named one by one; one that no answer shows any more is to be taken off."""


NAMED_ELSEWHERE = {
    "internal_isOnNewTrial": "api.md, Organization",
    "ingestConversations": "api.md, Organization: permissions",
    "agentsContext": "api.md, Site",
    **dict.fromkeys(("title", "languages"), "api.md, TranslationSettings"),
    # What the API of Octavo has beyond the official one.
    **dict.fromkeys(("createdAt", "uses", "urls"), "invites by link, which run out"),
    **dict.fromkeys(("origin", "payload", "schemaVersion", "correlationId"), "events of the audit log"),
    "permissions": "of the installation: whether the caller runs it",
    "because": "the rule that decides who may what",
    **dict.fromkeys(
        ("format", "progress", "warnings"), "of import runs: how it is read, how far it is, what was left out"
    ),
    "automatic": "whether a translation follows its source",
    "interval": "into which buckets a column of times is cut: more than one may be asked for",
    "install": "api.md, Integration: permissions",
    "scopes": "of installations: what the organization agreed to",
    "signedInAt": "of identity providers: when the newest session began that rests on its word",
    "proof": "what is to be shown for a hostname",
    **dict.fromkeys(
        ("claims", "ignored"), "of previews of a site: which claims of the visitor count, and which do not"
    ),
    "links": "invitations by mail where no mail is sent",
    **dict.fromkeys(("organization", "lastSeenAt"), "answers that are empty in the official one"),
}
"""Fields that the official schema does not have."""


@pytest.fixture(scope="module")
def schema(pytestconfig: pytest.Config) -> Official:
    return Official(official.document(pytestconfig.cache.mkdir("official")))  # type: ignore[union-attr]


def _deviation(operation: str, misfit: str) -> Deviation | None:
    place, _, fault = misfit.partition(": ")
    return next((one for one in DEVIATIONS if place.endswith(one.place) and fault == one.fault), None)


def test_every_operation(stage: Stage, schema: Official) -> None:
    token = next(one.token for one in stage.people if one.inside == "admin")
    asked, wrong, seen = 0, [], set()
    for operation in ROWS:
        if operation not in schema:
            continue
        reply = stage.request(operation, token)
        if reply.status >= 300 or not reply.body:
            continue
        asked += 1
        for misfit in schema.misfits(operation, reply.status, reply.json):
            known = _deviation(operation, misfit)
            seen.add(known)
            if known is None:
                wrong.append(f"{operation}: {misfit}")
    assert not wrong, "\n".join(wrong)
    assert not set(DEVIATIONS) - seen, "answers do not deviate like that any more"
    assert asked > 120


def test_no_answer_has_a_field_that_nobody_names(stage: Stage, schema: Official) -> None:
    """What only a vendor needs, such as plans and their billing, is served as far as it is specified, and no further."""
    token = next(one.token for one in stage.people if one.inside == "admin")
    found = set()
    for operation in ROWS:
        if operation in schema:
            reply = stage.request(operation, token)
            if reply.status < 300 and reply.body:
                found |= schema.strangers(operation, reply.status, reply.json)
    assert {one.rpartition(".")[2] for one in found} == set(NAMED_ELSEWHERE), sorted(found)


class Asking:
    """Asks, and collects what of the answers does not fit."""

    def __init__(self, world: World, schema: Official) -> None:
        self._world, self._schema = world, schema
        self.wrong: list[str] = []

    def __call__(self, operation: str, path: str, body: Any = None) -> Any:
        row = ROWS[operation]
        reply = self._world.api.request(row.method, path, body)
        assert reply.status == row.status, f"{path}: {reply.text}"
        self.wrong += [f"{operation}: {one}" for one in self._schema.misfits(operation, reply.status, reply.json)]
        return reply.json


@pytest.fixture
def asking(world: World, schema: Official) -> Iterator[Asking]:
    asking = Asking(world, schema)
    yield asking
    assert not asking.wrong, "\n".join(dict.fromkeys(asking.wrong))


def test_one_of_every_block(world: World, asking: Asking, tmp_path: Path) -> None:
    base = f"/v1/spaces/{world.imported(write(tmp_path, WRITTEN))}"
    revision = asking("getCurrentRevision", f"{base}/content")
    asking("getRevisionSemanticChanges", f"{base}/revisions/{revision['id']}/changes")
    for page in every(revision["pages"]):
        if page["type"] != "document":
            continue
        one = f"{base}/revisions/{revision['id']}/page/{page['id']}"
        for query in ("format=document", "format=markdown", "format=document&evaluated=true&dereferenced=true"):
            asking("getPageInRevisionById", f"{one}?{query}")
        asking("getPageDocumentInRevisionById", f"{one}/document")
        asking("listRevisionPageMetaLinks", f"{one}/meta-links")


def test_a_life_of_changes(world: World, asking: Asking, tmp_path: Path) -> None:
    base = f"/v1/spaces/{world.imported(write(tmp_path, WRITTEN))}"
    page = asking("getCurrentRevision", f"{base}/content")["pages"][0]["id"]
    request = f"{base}/change-requests/" + asking("createChangeRequest", f"{base}/change-requests", {})["id"]
    changes = [
        {"operation": "insert_page", "emoji": "🚀", "document": {"markdown": "# New"}},
        {"operation": "update_page", "page": page, "title": "Hello", "emoji": "rocket"},
    ]
    asking("updateChangeRequestContent", f"{request}/content?compat=false", {"changes": changes})
    asking("getChangeRequestChanges", f"{request}/changes")
    asking("mergeChangeRequest", f"{request}/merge")
    asking("getCurrentRevision", f"{base}/content")
    said = {"body": {"markdown": "Why?"}, "page": page}
    comment = f"{base}/comments/" + asking("postCommentInSpace", f"{base}/comments", said)["id"]
    asking("postCommentReplyInSpace", f"{comment}/replies", {"body": {"markdown": "So."}})
    asking("updateCommentInSpace", comment, {"addedReactions": ["🚀"], "resolved": True})
    asking("getCommentInSpace", f"{comment}?format=document")
    asking("updateSpaceById", base, {"emoji": "🚀", "mergeRules": {"type": "none"}})


def test_a_published_site(world: World, asking: Asking, tmp_path: Path) -> None:
    space = world.imported(write(tmp_path, WRITTEN))
    world.work()
    site = f"/v1/orgs/{world.organization}/sites/{world.site(space)['id']}"
    asking("getPublishedContentSite", f"{site}/published")
    [home] = asking("getSiteStructure", f"{site}/structure")["structure"]
    here = {"mode": "default", "currentSiteSpace": home["id"], "restrictTo": "currentSiteSpace"}
    for where in ({"mode": "all"}, {"scope": {"mode": "default"}}, {"scope": here}):
        assert asking("searchSiteContent", f"{site}/search", {"query": "heron"} | where)["items"]
