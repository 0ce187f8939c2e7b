"""An organization with one of everything, the paths of operations to it, and a body for each."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from octavo.kernel.ids import new_id
from octavo.kernel.operation import AnyOperation
from octavo.kernel.records.git import GitConnection, GitOperation, GitSiteConnection, GitSiteOperation, GitSync
from octavo.kernel.records.imports import ImportRun
from tests.client import World
from tests.resources.handbook import FILES, write
from tests.resources.openapi.petstore import PETS
from tests.resources.typefaces import WOFF2, uploaded

WORD = re.compile(r"\{(\w+)(?:\.\.\.)?\}")
PAGE_PATH = "guides/start"
"""A page that every space made here has."""

QUERIES: Mapping[str, str] = {"getSiteRedirectBySource": "?source=/former-one"}
"""What a read of something has to be asked, by operation."""

BODIES: Mapping[str, Any] = {
    "RenderMarkdown": {"markdown": "Words."},
    "AddExternalLink": {"title": "Elsewhere", "url": "https://example.org/"},
    "AddSection": {"spaceId": "{space}"},
    "AddSectionToGroup": {"sectionId": "{site_section}"},
    "AddSpace": {"spaceId": "{space}"},
    "ChangeNotificationPreferences": {"kinds": {"comment": {"email": "off"}}},
    "ContentChanges": {"changes": [{"operation": "insert_page", "document": {"markdown": "# New"}}]},
    "ArchiveImport": {"key": "{font_upload}"},
    "StartImportRun": {
        "source": {"type": "website", "url": "https://example.org/"},
        "target": {"space": "{space}"},
    },
    "ContentImport": {"source": "website", "url": "https://example.org/"},
    "AddPicture": {"storageKey": "{picture_upload}"},
    "CreateFont": {"fontFamily": "Another one", "fontFaces": [{"weight": 400, "storageKey": "{font_upload}"}]},
    "CreateMcpServer": {"name": "Tools", "url": "https://example.org/", "headers": {}},
    "CreateOrganization": {"title": "Another one"},
    "AggregateEvents": {
        "range": "last7Days",
        "select": [{"column": "page"}, {"column": "eventsCount"}, {"column": "datetime", "interval": "day"}],
    },
    "BulkRedirects": {"redirects": [{"source": "/new", "destination": {"kind": "external", "url": "https://a.test/"}}]},
    "CreateRedirect": {"source": "/new", "destination": {"kind": "external", "url": "https://example.org/"}},
    "ImportRedirects": {"csv": "source,destination\n/new,https://example.org/"},
    "ClaimDomain": {"domain": "another.example"},
    "CreateOidcProvider": {"label": "Another one"},
    "CreateSamlProvider": {"label": "Another one"},
    "CreateSectionGroup": {"title": "Another one"},
    "TryGit": {"url": "https://git.example.org/docs.git"},
    "ConnectGit": {
        "url": "https://git.example.org/docs.git",
        "ref": "refs/heads/main",
        "directory": "docs",
        "first": "git",
        "username": "ada",
        "token": "of the host",
        "pollMinutes": 15,
    },
    "CreateShareLink": {"name": "Another one"},
    "CreateSpec": {"slug": "another-one", "source": {"url": "https://example.org/openapi.json"}},
    "CreateTeam": {"title": "Another one"},
    "CreateTranslation": {
        "title": "Another one",
        "languages": ["de"],
        "source": {"space": "{space}", "language": "en"},
    },
    "ExportGit": {
        "url": "https://git.example.org/docs.git",
        "ref": "refs/heads/main",
        "commitMessage": "Describe the new feeder",
    },
    "ForgetVisitors": {"visitors": ["nobody"]},
    "SyncSite": {"keep": "git"},
    "ImportGit": {"url": "https://git.example.org/docs.git", "ref": "refs/heads/main"},
    "InvitePeople": {"role": "read", "users": ["{user}"]},
    "InviteUsers": {"emails": ["new@example.test"]},
    "AnnouncePresence": {"tab": "k3v9"},
    "SetPassword": {"current": "the one that holds", "password": "correct horse battery staple"},
    "Membership": {"role": "owner"},
    "PostComment": {"body": {"markdown": "Why?"}},
    "PostReply": {"body": {"markdown": "So."}},
    "PutSpec": {"source": {"url": "https://example.org/openapi.json"}},
    "PublishIntegration": {
        "organization": "{organization}",
        "title": "Changed",
        "description": "Another",
        "script": "export default {};",
        "scopes": [],
    },
    "InstallIntegration": {"organization": "{organization}"},
    "InstallOnSpace": {"space": "{space}"},
    "InstallOnSite": {"siteId": "{site}"},
    "CreateWebhook": {"title": "New", "url": "https://hooks.example.org/", "events": ["comment_posted"]},
    "DevelopIntegration": {"tunnelUrl": "https://tunnel.example.org"},
    "RenderIntegrationUI": {"componentId": "b", "props": {}, "context": {"type": "document", "spaceId": "{space}"}},
    "QueueTask": {"task": {"kind": "sync"}},
    "RequestReviewers": {"users": ["{user}"]},
    "RequestUpload": {"file": {"name": "a.zip", "type": "application/zip", "size": 5}, "kind": "import_file"},
    "SiteSearch": {"query": "heron"},
    "SortStructure": {"item": {"type": "site-section", "id": "{site_section}"}, "position": {}},
    "SubmitReview": {"status": "approved"},
    "TrackEvents": {
        "events": [
            {
                "type": "page_view",
                "session": {"visitorId": "somebody", "sessionId": "now", "visitorAuthClaims": {"plan": "pro"}},
                "location": {"url": "https://docs.example.org/", "space": "{space}", "page": "{page}"},
            }
        ]
    },
    "UpdateChangeRequest": {"subject": "Changed"},
    "UpdateComment": {"body": {"markdown": "Changed."}},
    "UpdateMember": {"role": "read"},
    "UpdatePermission": {"role": "read"},
    "UpdateReply": {"body": {"markdown": "Changed."}},
    "UpdateSite": {"title": "Changed"},
    "UpdateExternalLink": {"title": "Changed"},
    "UpdateSection": {"title": "Changed"},
    "UpdateSpec": {"visibility": "public"},
    "UpdateSectionGroup": {"title": "Changed"},
    "UpdateSiteSpace": {"path": "changed"},
    "UpdateAdaptiveSchema": {"jsonSchema": {"type": "object", "properties": {}, "additionalProperties": False}},
    "UpdatePublishingAuth": {"backend": "custom"},
    "UpdateTeam": {"title": "Changed"},
    "UpdateGlossary": {"operations": []},
    "UpdateTranslation": {"title": "Changed"},
    "UpdateTranslationLanguage": {"instructions": "Changed."},
    "UpdateTeamMembers": {"add": ["{user}"]},
}
"""A body that a row takes, by the name of its shape; rows whose shapes have no field that must be there need none."""

Ids = dict[str, str]
"""Word of a path -> id; "request comment" is the word `comment` of a path with a change request."""


def everything(world: World, folder: Path, organization: str, salt: str) -> Ids:
    """A space of an organization with one of everything; a comment-role member of it is the user."""
    api = world.api
    files = {name: data.replace(b"heron", f"heron {salt}".encode()) for name, data in FILES.items()}
    space = world.imported(write(folder / salt, files), salt, organization)
    token = world.person("comment", organization)
    base = f"/v1/spaces/{space}"
    user = api.get("/v1/user", token=token).json["id"]

    def made(path: str, body: Any) -> Any:
        reply = api.post(path, body)
        assert reply.status in (200, 201), f"{path}: {reply.text}"
        return reply.json

    request = made(f"{base}/change-requests", {"subject": salt})
    about = f"{base}/change-requests/{request['id']}"
    pages = api.get(f"{base}/content/pages").json["pages"]
    page = api.get(f"{base}/content/page/{pages[0]['id']}?format=document").json
    text = {"body": {"markdown": "Why?"}}
    site = made(f"/v1/orgs/{organization}/sites", {"title": salt, "spaces": [space]})["id"]
    structure = f"/v1/orgs/{organization}/sites/{site}"
    group = made(f"{structure}/section-groups", {"title": salt})["id"]
    section = made(f"{structure}/sections", {"spaceId": space, "siteSectionGroupId": group})
    further = made(f"{structure}/site-spaces", {"spaceId": space, "sectionId": section["id"]})
    beside = made(f"{structure}/sections", {"spaceId": space, "siteSectionGroupId": group})["id"]
    link = made(f"{structure}/external-links", {"title": "Elsewhere", "url": "https://example.org/"})
    schema = api.put(f"/v1/orgs/{organization}/sites/{site}/adaptive-schema", BODIES["UpdateAdaptiveSchema"])
    assert schema.status == 200, schema.text
    at_site = f"/v1/orgs/{organization}/sites/{site}"
    site_space = further
    own_look = {"pagination": {"enabled": False}}
    assert api.patch(f"{at_site}/site-spaces/{site_space['id']}/customization", own_look).status == 200
    former = {"source": "/former-one", "destination": {"kind": "external", "url": "https://example.org/"}}
    redirect = made(f"{at_site}/redirects", former)["id"]
    tools = {"name": salt, "url": "https://example.org/mcp", "headers": {"authorization": "Bearer x"}}
    server = made(f"{at_site}/mcp-servers", tools)["id"]
    font_upload = uploaded(world, organization, WOFF2)
    picture_upload = uploaded(world, organization, b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    faces = [{"weight": 400, "storageKey": font_upload}]
    font = api.put(f"/v1/orgs/{organization}/fonts", {"fontFamily": salt, "fontFaces": faces})
    assert font.status == 201, font.text
    translation = made(f"/v1/orgs/{organization}/translations", _translation(space, salt))["id"]
    translated = f"/v1/orgs/{organization}/translations/{translation}"
    assert api.post(f"{translated}/run").status == 204
    glossary = f"/v1/orgs/{organization}/translations-glossary"
    term = {"operations": [{"type": "insert", "translations": {"en": salt, "de": salt}}]}
    assert api.put(glossary, term).status == 204
    slug = f"pets-{salt}"
    spec = f"/v1/orgs/{organization}/openapi/{slug}"
    made(f"/v1/orgs/{organization}/openapi", {"slug": slug, "source": {"text": f"{PETS} # {salt}"}})
    world.work()
    version = api.get(f"{spec}/versions/latest").json["id"]
    comment, on_request = made(f"{base}/comments", text)["id"], made(f"{about}/comments", text)["id"]
    sections = api.get(f"{structure}/sections").json["items"]
    return {
        "organization": organization,
        "space": space,
        "operation": synchronised_site(world, organization, site, synchronised(world, organization, space)),
        "user": user,
        "team": api.put(f"/v1/orgs/{organization}/teams", {"title": salt}).json["id"],
        "site": site,
        "site_section_group": group,
        "site_section": section["id"],
        "site_space": further["id"],
        "external_link": link["id"],
        "section_beside": beside,
        "site_space_beside": section["siteSpaces"][0]["id"],
        "default_section": next(one["id"] for one in sections if one["default"]),
        "link": made(f"/v1/orgs/{organization}/sites/{site}/share-links", {"name": salt})["id"],
        "redirect": redirect,
        "server": server,
        "spec": slug,
        "slug": slug,
        "version": version,
        "font": font.json["id"],
        "font_upload": font_upload,
        "picture_upload": picture_upload,
        **webhook(world, organization, base),
        **integration(world, organization, space, site),
        "collection": made(f"/v1/orgs/{organization}/collections", {"title": salt})["id"],
        "revision": api.get(base).json["revision"],
        "change_request": request["id"],
        "page": page["id"],
        "document": page["documentId"],
        "file": api.get(f"{base}/content/files").json["items"][0]["id"],
        "reusable": next(n["data"]["ref"]["reusableContent"] for n in page["document"]["nodes"] if _includes(n)),
        "comment": comment,
        "reply": made(f"{base}/comments/{comment}/replies", text)["id"],
        "request comment": on_request,
        "request reply": made(f"{about}/comments/{on_request}/replies", text)["id"],
        "provider": made(f"/v1/orgs/{organization}/saml", {"label": salt})["id"],
        "oidc_provider": made(f"/v1/orgs/{organization}/oidc", {"label": salt})["id"],
        "domain": made(f"/v1/orgs/{organization}/domains", {"domain": f"{uuid.uuid4().hex}.example"})["domain"],
        "scim_token": made(f"/v1/orgs/{organization}/scim/tokens", {"label": salt})["id"],
        "translation": translation,
        "translation_language": api.get(f"{translated}/languages").json["items"][0]["id"],
        "translation_run": api.get(f"{translated}/runs").json["items"][0]["id"],
        "import_run": brought(world, organization, space, user),
        "glossary_entry": api.get(glossary).json["items"][0]["id"],
        "invite": made(f"/v1/orgs/{organization}/link-invites", {"role": "read"})["id"],
        "review": made(f"{about}/reviews", {"status": "approved"})["id"],
        "event": api.get(f"/v1/orgs/{organization}/audit-events").json["items"][0]["id"],
    }


def brought(world: World, organization: str, space: str, user: str, status: str = "completed") -> str:
    """An import into the space in that state; its id."""
    now, made = world.house.store.clock(), new_id()
    run = ImportRun(
        id=made, organization=organization, space=space, status=status, kind="website", format="website",  # type: ignore[arg-type]
        url="https://example.org/", files=0, created_by=user, created_at=now, updated_at=now,
        pages=[{"id": "a", "title": "A"}], warnings=[{"message": "Something was left out.", "page": "a"}],
    )  # fmt: skip
    world.run(world.house.store.write(lambda unit: unit.imports.add(run, keep=10)))
    return made


def synchronised(world: World, organization: str, space: str) -> str:
    """A space that follows a branch, and was imported from it once; the id of that operation."""
    now, made = world.house.store.clock(), new_id()
    told: dict[str, Any] = {"space": space, "organization": organization, "url": "https://git.example.org/docs.git"}

    async def work(unit: Any) -> None:
        branch = {**told, "ref": "refs/heads/main", "directory": "", "created_at": now}
        await unit.spaces.put_git_sync(GitSync(**told, repo_name="docs", updated_at=now))
        operation = GitOperation(
            id=made, number=1, direction="import", state="success", payload={}, ordered_at=now, ended_at=now, **branch
        )
        await unit.git.add(operation, 100)
        followed = {
            **branch,
            "first": "git",
            "created_by": "nobody",
            "sealed_webhook_secret": "sealed",
            "sealed_key": "sealed",
        }
        await unit.git.put_connection(GitConnection(**followed, updated_at=now))

    world.run(world.house.store.write(work))
    return made


def synchronised_site(world: World, organization: str, site: str, made: str) -> str:
    """A site that follows a branch, and was brought together with it once by an operation with that id, which answers it."""
    now = world.house.store.clock()
    told: dict[str, Any] = {
        "site": site, "organization": organization, "url": "https://git.example.org/docs.git",
        "ref": "refs/heads/main", "directory": "", "created_at": now,
    }  # fmt: skip

    async def work(unit: Any) -> None:
        await unit.git_sites.add(GitSiteOperation(id=made, number=1, state="success", ended_at=now, **told), 100)
        followed = told | {"first": "git", "created_by": "nobody", "updated_at": now, "sealed_key": "sealed"}
        followed |= {"sealed_webhook_secret": "sealed"}
        await unit.git_sites.put_connection(GitSiteConnection(**followed))

    world.run(world.house.store.write(work))
    return made


def _translation(space: str, title: str) -> Any:
    return {"title": title, "languages": ["de"], "source": {"space": space, "language": "en"}}


def webhook(world: World, organization: str, space: str) -> Ids:
    """A webhook of the organization, and what it was sent; nobody has to answer there."""
    path = f"/v1/orgs/{organization}/webhooks"
    made = world.api.post(path, {"title": "Hook", "url": "http://[::1]:9/", "events": ["comment_posted"]}).json["id"]
    assert world.api.post(f"{space}/comments", {"body": {"markdown": "Told."}}).status == 200
    world.work()
    sent = world.api.get(f"{path}/{made}/deliveries").json["items"][0]

    async def give_up(unit: Any) -> None:
        await unit.webhooks.change_delivery(await unit.webhooks.delivery(sent["id"]), state="failed")

    world.run(world.house.store.write(give_up))
    return {"webhook": made, "delivery": sent["id"]}


def integration(world: World, organization: str, space: str, site: str) -> Ids:
    """A private integration of the organization, installed on the space and the site; and what it was told."""
    name = f"counter-{uuid.uuid4().hex[:12]}"
    path = f"/v1/integrations/{name}"
    sent = {"organization": organization, "title": "Counter", "description": "", "scopes": [], "script": "export {};"}
    reply = world.api.post(path, sent)
    assert reply.status == 200, reply.text
    installation = world.api.post(f"{path}/installations", {"organization": organization}).json["id"]
    for kind, body in (("spaces", {"space": space}), ("sites", {"siteId": site})):
        assert world.api.post(f"{path}/installations/{installation}/{kind}", body).status == 201
    world.work()
    event = world.api.get(f"{path}/events").json["items"][0]["id"]
    return {"integration": name, "installation": installation, "getIntegrationEvent event": event}


def _includes(node: Any) -> bool:
    return bool(node.get("type") == "reusable-content")


def words(row: AnyOperation) -> list[str]:
    """The words of a row's path that stand for ids, in order."""
    return [word for word in WORD.findall(row.path) if word != "path"]


def id_for(ids: Mapping[str, str], row: AnyOperation, word: str) -> str:
    """The id that a word of the row's path stands for; a row may have one of its own, under "<id of the row> <word>"."""
    if (own := ids.get(f"{row.id} {word}")) is not None:
        return own
    return ids.get(f"request {word}", ids[word]) if "change_request" in row.path else ids[word]


def address(row: AnyOperation, ids: Mapping[str, str], strange: Mapping[str, str] | None = None, word: str = "") -> str:
    """The row's path with these ids; that of one word comes from the strange ones."""
    path = row.path.replace("{path...}", PAGE_PATH)

    def replaced(found: re.Match[str]) -> str:
        return id_for(ids if strange is None or found[1] != word else strange, row, found[1])

    return "/v1" + WORD.sub(replaced, path) + QUERIES.get(row.id, "")


def body(row: AnyOperation, ids: Mapping[str, str]) -> Any:
    """What the row may be sent; None for a row without a body."""
    if row.method not in ("POST", "PUT", "PATCH"):
        return None
    return filled(BODIES.get(row.takes.__name__), ids)


def filled(shape: Any, ids: Mapping[str, str]) -> Any:
    """The shape with "{word}" replaced by ids."""
    if isinstance(shape, dict):
        return {name: filled(value, ids) for name, value in shape.items()}
    if isinstance(shape, list):
        return [filled(value, ids) for value in shape]
    return ids[shape[1:-1]] if isinstance(shape, str) and shape.startswith("{") else shape
