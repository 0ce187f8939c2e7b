"""A body for every shape that one is read into: shown in the description of the API, and sent by a test.

`{word}` stands for the id of something that exists: the caller's organization, a space in it, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from octavo.kernel.operation import AnyOperation

EXAMPLES: Final[Mapping[str, Any]] = {
    "AddExternalLink": {"title": "Status", "url": "https://status.example.org/", "icon": "heart-pulse"},
    "AddSection": {"spaceId": "{space}", "title": "Guides", "icon": "book-open"},
    "AddSectionToGroup": {"sectionId": "{site_section}"},
    "AggregateEvents": {
        "range": "last30Days",
        "select": [{"column": "datetime", "interval": "day"}, {"column": "eventsCount"}, {"column": "visitorsCount"}],
        "where": [{"column": "eventType", "values": ["page_view"], "operator": "in"}],
        "groupBy": [{"column": "datetime", "interval": "day"}],
        "order": {"by": {"column": "datetime", "interval": "day"}, "direction": "asc"},
        "limit": 31,
        "timeZone": "Europe/Berlin",
    },
    "AddSpace": {"spaceId": "{space}", "sectionId": "{site_section}"},
    "AnnouncePresence": {"tab": "k3v9", "page": "home", "doing": "editing"},
    "BulkRedirects": {
        "redirects": [
            {
                "source": "/old/*",
                "captureWildcard": True,
                "destination": {"kind": "external", "url": "https://acme.com/"},
            }
        ]
    },
    "ChangeNotificationPreferences": {"kinds": {"comment": {"email": "off"}}},
    "ImportRedirects": {"csv": "source,destination,intent,permanent\n/old/page,https://acme.com/new,live,true\n"},
    "ContentChanges": {
        "changes": [{"operation": "insert_page", "title": "Install", "document": {"markdown": "Take the *first* one."}}]
    },
    "ArchiveImport": {"key": "{font_upload}"},
    "StartImportRun": {
        "source": {"type": "website", "url": "https://docs.example.org/"},
        "target": {"space": "{space}"},
    },
    "ContentImport": {"source": "website", "url": "https://docs.example.org/"},
    "CreateChangeRequest": {"subject": "Explain the installation"},
    "CreateCollection": {"title": "Guides"},
    "AddPicture": {"storageKey": "{picture_upload}"},
    "CreateFont": {"fontFamily": "Acme Sans", "fontFaces": [{"weight": 400, "storageKey": "{font_upload}"}]},
    "CreateInvite": {"role": "read", "maxUses": 10},
    "CreateMcpServer": {
        "name": "Orders",
        "url": "https://mcp.acme.example/",
        "transport": "http",
        "headers": {"Authorization": "Bearer secret"},
    },
    "CreateOrganization": {"title": "Acme"},
    "CreateRedirect": {"source": "/former", "destination": {"kind": "site-space", "siteSpaceId": "{site_space}"}},
    "ClaimDomain": {"domain": "example.org"},
    "CreateScimToken": {"label": "Company directory"},
    "CreateOidcProvider": {"label": "Company login", "issuer": "https://login.example.org", "clientID": "octavo"},
    "CreateSamlProvider": {"label": "Company login"},
    "CreateSectionGroup": {"title": "Products", "icon": "cubes", "sections": ["{site_section}"]},
    "TryGit": {"url": "https://git.example.org/docs.git", "username": "ada", "token": "<token of the host>"},
    "ConnectGit": {
        "url": "https://git.example.org/docs.git",
        "ref": "refs/heads/main",
        "directory": "docs",
        "first": "git",
        "username": "ada",
        "token": "<token of the host>",
        "pollMinutes": 15,
    },
    "CreateShareLink": {"name": "For the auditors"},
    "CreateSite": {"title": "Acme Docs", "spaces": ["{space}"]},
    "CreateSpace": {"title": "Handbook", "emoji": "1f4d8"},
    "CreateTranslation": {
        "title": "Handbook",
        "languages": ["de", "fr"],
        "source": {"space": "{space}", "language": "en"},
        "instructions": "Address readers informally.",
    },
    "CreateSpec": {"slug": "petstore", "source": {"url": "https://example.org/openapi.json"}},
    "CreateTeam": {"title": "Writers", "members": ["{user}"]},
    "CreateUserAPIToken": {"label": "Command line"},
    "CreateWebhook": {
        "title": "Deployments",
        "url": "https://hooks.example.org/octavo",
        "events": ["space_content_updated", "change_request_merged"],
        "spaces": ["{space}"],
    },
    "DevelopIntegration": {"tunnelUrl": "https://tunnel.example.org/"},
    "DuplicateSiteSpace": {"draft": True},
    "ExportGit": {
        "url": "https://git.example.org/docs.git",
        "ref": "refs/heads/main",
        "commitMessage": "Describe the new feeder",
    },
    "ForgetVisitors": {"visitors": ["b0d4"]},
    "SyncSite": {"keep": "git"},
    "ImportGit": {"url": "https://git.example.org/docs.git", "ref": "refs/heads/main"},
    "InstallIntegration": {"organization": "{organization}"},
    "InstallOnSite": {"siteId": "{site}"},
    "InstallOnSpace": {"space": "{space}"},
    "InvitePeople": {"role": "read", "users": ["{user}"]},
    "InviteUsers": {"emails": ["ada@example.org"], "role": "read"},
    "Lookup": {"url": "{address}"},
    "Membership": {"role": "owner"},
    "Move": {"parent": None},
    "moveSpace": {"parent": "{collection}"},
    "MoveSection": {"position": {"before": {"type": "site-section", "siteSection": "{section_beside}"}}},
    "MoveSectionGroup": {"position": {"before": {"type": "site-section", "id": "{default_section}"}}},
    "MoveSiteSpace": {"position": {"before": {"type": "site-space", "siteSpace": "{site_space_beside}"}}},
    "OverrideCustomization": {"title": "Acme 2", "styling": {"corners": "straight"}, "header": {"preset": None}},
    "PostComment": {"body": {"markdown": "Is that still true?"}},
    "RenderMarkdown": {"markdown": "Take the *second* one.\n"},
    "PostReply": {"body": {"markdown": "It is."}},
    "PutSpec": {"source": {"text": "openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\npaths: {}\n"}},
    "PublishIntegration": {
        "organization": "{organization}",
        "title": "Page counter",
        "description": "Counts the views of pages",
        "scopes": ["site:metadata:read", "site:script:inject"],
        "categories": ["analytics"],
        "target": "site",
        "configurations": {
            "site": {
                "properties": {"key": {"type": "string", "title": "Key", "description": "Of your account"}},
                "required": ["key"],
            }
        },
        "script": "export default { async fetch() { return new Response('OK'); } };",
    },
    "QueueTask": {"task": {"kind": "synchronise"}, "schedule": 60},
    "RenderIntegrationUI": {
        "componentId": "board",
        "props": {"id": "42"},
        "context": {"type": "document", "spaceId": "{space}", "editable": False},
    },
    "RequestReviewers": {"users": ["{user}"]},
    "RequestUpload": {"file": {"name": "docs.zip", "type": "application/zip", "size": 1024}, "kind": "import_file"},
    "SiteSearch": {"query": "install", "scope": {"mode": "all"}},
    "SortStructure": {
        "item": {"type": "site-section", "id": "{site_section}"},
        "position": {"after": {"type": "site-section", "id": "{section_beside}"}},
    },
    "SubmitReview": {"status": "approved", "comment": {"markdown": "Good."}},
    "TrackEvents": {
        "events": [
            {
                "type": "page_view",
                "session": {
                    "visitorId": "b0d4",
                    "sessionId": "7c21",
                    "cookies": {},
                    "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                    "language": "en",
                    "referrer": "https://search.example.org/",
                },
                "location": {
                    "url": "https://docs.example.org/install",
                    "siteSection": None,
                    "siteSpace": "{site_space}",
                    "siteShareKey": None,
                    "space": "{space}",
                    "revision": None,
                    "page": "{page}",
                },
            }
        ]
    },
    "Transfer": {"organization": "{elsewhere}"},
    "UpdateAdaptiveSchema": {
        "jsonSchema": {
            "type": "object",
            "properties": {"beta": {"type": "boolean", "description": "Whether they try what is not ready."}},
            "additionalProperties": False,
        }
    },
    "UpdateChangeRequest": {"subject": "Explain the installation", "description": {"markdown": "On *all* systems."}},
    "UpdateCollection": {"title": "Guides", "description": "How to do things"},
    "UpdateComment": {"resolved": True},
    "UpdateExternalLink": {"title": "Status", "description": "Whether everything works"},
    "UpdateCustomization": {
        "title": "Acme",
        "styling": {"theme": "bold", "primaryColor": {"light": "#15803d", "dark": "#22c55e"}},
        "header": {"links": [{"title": "Start", "to": {"kind": "space", "space": "{space}"}, "links": []}]},
    },
    "UpdateFont": {"fontFamily": "Acme Sans"},
    "UpdateInstallation": {"externalIds": ["T01234"], "space_selection": "all"},
    "UpdateInvite": {"maxUses": 20},
    "UpdateMcpServer": {"condition": "visitor.claims.customer"},
    "UpdateMember": {"role": "edit"},
    "UpdateOrganization": {"title": "Acme"},
    "UpdatePermission": {"role": "edit"},
    "UpdatePublishingAuth": {"backend": "custom", "fallbackURL": "https://login.example.org/docs"},
    "UpdatePlacement": {"configuration": {}},
    "UpdateRedirect": {"permanent": True},
    "UpdateReply": {"addedReactions": ["🎉"]},
    "UpdateOidcProvider": {"roles": {"writers": "edit"}},
    "UpdateSamlProvider": {"label": "Company login"},
    "UpdateSection": {"title": "Guides", "path": "guides", "condition": "visitor.claims.staff"},
    "UpdateSectionGroup": {"title": "Products"},
    "UpdateSite": {"title": "Acme Docs", "visibility": "unlisted"},
    "UpdateSiteSpace": {"path": "v2", "hidden": True},
    "UpdateShareLink": {"active": False},
    "UpdateSpace": {"title": "Handbook", "emoji": "1f680"},
    "UpdateSpec": {"visibility": "public"},
    "UpdateTeam": {"title": "Writers"},
    "UpdateTeamMembers": {"add": ["{user}"]},
    "UpdateGlossary": {"operations": [{"type": "insert", "translations": {"en": "page", "de": "Seite"}}]},
    "UpdateTranslation": {"title": "Handbook", "automatic": True},
    "UpdateTranslationLanguage": {"instructions": "Say “du”, not “Sie”."},
    "UpdateWebhook": {"events": ["space_content_updated"], "active": True},
    "SetPassword": {"current": "the one that holds", "password": "correct horse battery staple"},
    "UpdateUser": {"displayName": "Ada"},
}
"""By the name of the shape, or of the operation where that needs one of its own."""


def example_of(row: AnyOperation) -> Any:
    """The body that a row may be sent."""
    return EXAMPLES[row.id if row.id in EXAMPLES else row.takes.__name__]


def shown(example: Any) -> Any:
    """The example with `{word}` as an id looks.

    >>> shown({"users": ["{user}"], "role": "read"})
    {'users': ['user_id'], 'role': 'read'}
    """
    if isinstance(example, dict):
        return {name: shown(value) for name, value in example.items()}
    if isinstance(example, list):
        return [shown(one) for one in example]
    if not isinstance(example, str) or not example.startswith("{"):
        return example
    return _SHOWN.get(example, f"{example[1:-1]}_id")


_SHOWN = {
    "{address}": "https://docs.example.org/install",
    "{font_upload}": "upload_key",
    "{picture_upload}": "upload_key",
}
