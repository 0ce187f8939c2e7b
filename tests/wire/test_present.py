"""Presenters: every field that must be there is, with its type, for the least and the fullest record."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import msgspec
import pytest

from octavo import wire
from octavo.content import revision as content
from octavo.kernel.records.library import Collection
from octavo.kernel.records.people import Member, Team
from octavo.wire import git, information
from octavo.wire.content import pages, revisions
from octavo.wire.library import collections as wire_collections
from octavo.wire.library import spaces
from octavo.wire.lists import Listing
from octavo.wire.people import members, organizations, teams, users
from octavo.wire.sites import published_site, site_section_groups, site_sections, site_spaces, sites
from tests.wire import samples

VIEW = samples.VIEW


def served(made: Any) -> Any:
    """As a client reads it; decoding into the struct again proves that types and enumerations hold."""
    encoded = msgspec.json.encode(made)
    assert msgspec.json.decode(encoded, type=type(made)) == made
    return msgspec.json.decode(encoded)


def test_information() -> None:
    shown = information.present(information.InformationView("1.2.3", operates=False), VIEW)
    assert served(shown) == {"version": "1.2.3", "build": "1.2.3", "permissions": {"operate": False}}


def test_user() -> None:
    least = {
        "object": "user",
        "id": "u1",
        "displayName": "Ada",
        "email": "ada@example.org",
        "urls": {"location": "https://api.test/v1/users/u1"},
    }
    assert served(users.present(samples.USER, VIEW)) == least
    assert served(users.present(samples.USER_MAX, VIEW)) == least | {"photoURL": "https://example.org/ada.png"}


def test_least_space() -> None:
    assert served(spaces.present(samples.SPACE_VIEW, VIEW)) == {
        "object": "space",
        "id": "s1",
        "title": "Guide",
        "emoji": "1f4d8",
        "visibility": "private",
        "createdAt": "1970-01-01T00:00:00.000Z",
        "updatedAt": "1970-01-01T00:00:00.001Z",
        "editMode": "locked",
        "organization": "o1",
        "revision": "r1",
        "defaultLevel": "inherit",
        "comments": 0,
        "changeRequests": 0,
        "changeRequestsOpen": 0,
        "changeRequestsDraft": 0,
        "mergeRules": {"type": "inherit"},
        "urls": {"location": "https://api.test/v1/spaces/s1", "app": "https://app.test/app/o/o1/s/s1"},
        "permissions": dict.fromkeys(spaces.PERMISSIONS, True),
    }


def test_fullest_space() -> None:
    space = served(spaces.present(samples.SPACE_VIEW_MAX, VIEW))
    assert space["defaultLevel"] is None
    assert space["deletedAt"] == "1970-01-01T00:00:00.005Z"
    assert (space["parent"], space["language"], space["editMode"]) == ("c1", "fr", "live")
    assert (space["comments"], space["changeRequests"]) == (1, 4)
    assert (space["changeRequestsOpen"], space["changeRequestsDraft"]) == (2, 1)
    assert space["mergeRules"] == {"type": "none"}
    assert space["visitorAuth"] == {"backend": "custom"}
    assert set(space["urls"]) == {"location", "app", "published", "public", "icon"}
    assert space["gitSync"] == {
        "repoName": "a/b",
        "url": "https://git.test/a/b",
        "updatedAt": "1970-01-01T00:00:00.007Z",
        "installationStatus": "active",
        "installationId": "s1",
        "installationProvider": "github",
        "integration": "git",
        "operation": {
            "state": "failure",
            "direction": "import",
            "startedAt": "1970-01-01T00:00:00.007Z",
            "endedAt": "1970-01-01T00:00:00.007Z",
            "message": "The branch is gone.",
        },
    }


def test_git_info_of_an_unknown_host() -> None:
    info = served(git.present(samples.GIT))
    assert set(info) == {"repoName", "url", "updatedAt", "installationStatus", "installationId", "operation"}


def test_collection() -> None:
    record = Collection(id="c1", organization="o1", title="Team", position="a", created_at=0)
    allowed = samples.allowed(wire_collections.PERMISSIONS)
    least = {
        "object": "collection",
        "id": "c1",
        "title": "Team",
        "organization": "o1",
        "defaultLevel": "inherit",
        "urls": {"location": "https://api.test/v1/collections/c1", "app": "https://app.test/app/o/o1/c/c1"},
        "permissions": allowed,
    }
    assert served(wire_collections.present(wire_collections.CollectionView(record, allowed), VIEW)) == least
    full = msgspec.structs.replace(record, description="Ours", parent="c0", default_level=None)
    assert served(wire_collections.present(wire_collections.CollectionView(full, allowed), VIEW)) == least | {
        "description": "Ours",
        "parent": "c0",
        "defaultLevel": None,
    }


def test_least_organization() -> None:
    organization = served(organizations.present(samples.ORGANIZATION_VIEW, VIEW))
    billing, trial = organization.pop("billing"), organization.pop("trial")
    assert organization == {
        "object": "organization",
        "id": "o1",
        "title": "Acme",
        "createdAt": "1970-01-01T00:00:00.000Z",
        "emailDomains": [],
        "type": "business",
        "plan": "enterprise_2024",
        "defaultRole": None,
        "sso": False,
        "ai": True,
        "inviteLinks": True,
        "mergeRules": {"type": "none"},
        "internal_isOnNewTrial": True,
        "urls": {"location": "https://api.test/v1/orgs/o1", "app": "https://app.test/app/o/o1"},
        "permissions": dict.fromkeys(organizations.PERMISSIONS, True),
    }
    assert trial == {"status": "notapplicable", "count": 0}
    assert set(billing) >= {
        "interval", "hasPaymentFailed", "isScheduledToCancel", "pricing", "usageAddons", "canCheckout",
        "canChangeInterval", "canUseSAML", "creditsBundle", "aiCreditAlertThreshold",
    }  # fmt: skip


def test_fullest_organization() -> None:
    organization = served(organizations.present(samples.ORGANIZATION_VIEW_MAX, VIEW))
    assert organization["hostname"] == "acme"
    assert organization["defaultRole"] == "read"
    assert organization["emailDomains"] == ["acme.org"]
    assert organization["defaultContent"] == {"type": "site", "site": "st1"}
    assert organization["urls"]["logo"] == "https://acme.org/l.svg"
    assert (organization["useCase"], organization["communityType"]) == ("docsSite", "openSource")
    assert organization["mergeRules"] == {"type": "rules", "rules": []}


def test_members_and_teams() -> None:
    member = Member(organization="o1", user="u1", role=None, joined_at=0, last_seen_at=1, sso=True)
    shown = members.MemberView(member, samples.USER, spaces=1, sites=2, teams=3)
    wanted = {
        "object": "member",
        "id": "u1",
        "role": None,
        "user": served(users.present(samples.USER, VIEW)),
        "disabled": False,
        "joinedAt": "1970-01-01T00:00:00.000Z",
        "lastSeenAt": "1970-01-01T00:00:00.001Z",
        "sso": True,
        "spaces": 1,
        "sites": 2,
        "teams": 3,
    }
    assert served(members.present(shown, VIEW)) == wanted
    unseen = members.MemberView(msgspec.structs.replace(member, last_seen_at=None), samples.USER)
    assert "lastSeenAt" not in served(members.present(unseen, VIEW))
    team = teams.TeamView(Team(id="t1", organization="o1", title="Docs", created_at=0), {"admin": True}, 2, 5)
    assert served(teams.present(team, VIEW)) == {
        "object": "team",
        "id": "t1",
        "title": "Docs",
        "members": 2,
        "spaces": 5,
        "createdAt": "1970-01-01T00:00:00.000Z",
        "permissions": {"admin": True},
    }
    item = teams.TeamMemberView(shown, "owner", {"view": True})
    assert served(teams.present_member(item, VIEW)) == {
        "organization": wanted,
        "team": {"role": "owner"},
        "permissions": {"view": True},
    }


def test_least_site() -> None:
    site = served(sites.present(samples.SITE_VIEW, VIEW))
    features = site.pop("features")
    assert site == {
        "object": "site",
        "id": "st1",
        "type": "basic",
        "appliedType": "basic",
        "title": "Docs",
        "visibility": "public",
        "published": False,
        "siteSpaces": 0,
        "createdAt": "1970-01-01T00:00:00.000Z",
        "adaptiveContent": {"enabled": False},
        "agentsContext": "included",
        "defaultLevel": "inherit",
        "urls": {
            "location": "https://api.test/v1/orgs/o1/sites/st1",
            "app": "https://app.test/app/o/o1/sites/st1",
            "preview": "https://docs.test",
        },
        "permissions": dict.fromkeys(sites.PERMISSIONS, True),
    }
    assert {"id": "sites-sections", "plan": "basic", "frozen": False, "customizations": []} in features


def test_fullest_site() -> None:
    site = served(sites.present(samples.SITE_VIEW_MAX, VIEW))
    assert (site["hostname"], site["basename"]) == ("docs.acme.org", "docs")
    assert site["proxy"] == {"origin": "https://acme.org/docs", "target": "https://docs.test"}
    assert site["urls"]["published"] == "https://docs.acme.org"
    assert site["adaptiveContent"] == {"enabled": True}
    assert (site["visibility"], site["published"], site["siteSpaces"]) == ("visitor-auth", True, 2)
    assert (site["agentsContext"], site["defaultLevel"], site["icon"]) == ("excluded", "read", {"emoji": "1f4d7"})


def test_site_space() -> None:
    least = served(site_spaces.present(samples.SITE_SPACE_VIEW, VIEW))
    assert least == {
        "object": "site-space",
        "id": "ss1",
        "path": "guide",
        "title": "Guide",
        "space": served(spaces.present(samples.SPACE_VIEW, VIEW)),
        "urls": {},
        "default": False,
        "draft": False,
        "hidden": False,
        "hasAdvancedCustomizationFeature": True,
    }
    full = served(site_spaces.present(samples.SITE_SPACE_VIEW_MAX, VIEW))
    assert (full["section"], full["condition"]) == ("se1", "visitor.claims.beta")
    assert (full["default"], full["draft"], full["hidden"]) == (True, True, True)
    assert full["urls"] == {"published": "https://docs.test/guide"}
    of_another_section = msgspec.structs.replace(samples.SITE_SPACE_VIEW_MAX, home=False)
    assert served(site_spaces.present(of_another_section, VIEW))["default"] is False
    assert served(site_spaces.present_inside(of_another_section, VIEW))["default"] is True


def test_section() -> None:
    assert served(site_sections.present(samples.SECTION_VIEW, VIEW)) == {
        "object": "site-section",
        "id": "se1",
        "title": "Guides",
        "path": "guides",
        "siteSpaces": [],
        "urls": {},
        "default": False,
        "draft": False,
    }
    full = served(site_sections.present(samples.SECTION_VIEW_MAX, VIEW))
    assert (full["description"], full["condition"], full["sectionGroup"], full["icon"]) == (
        "How to",
        "true",
        "g1",
        "book",
    )
    assert full["siteSpaces"] == [served(site_spaces.present(samples.SITE_SPACE_VIEW_MAX, VIEW))]
    assert full["urls"] == {"published": "https://docs.test/guides"}


def test_section_group() -> None:
    least = served(site_section_groups.present(samples.GROUP_VIEW, VIEW))
    assert least == {
        "object": "site-section-group",
        "id": "g1",
        "title": "More",
        "sections": [],
        "children": [],
        "draft": False,
    }
    full = served(site_section_groups.present(samples.GROUP_VIEW_MAX, VIEW))
    section = served(site_sections.present(samples.SECTION_VIEW_MAX, VIEW))
    assert (full["icon"], full["draft"]) == ("folder", True)
    assert full["sections"] == [section]
    assert full["children"] == [section, least]


def test_published_site() -> None:
    made = served(published_site.present(samples.PUBLISHED_VIEW, VIEW))
    assert set(made) == {"object", "site", "structure", "customizations", "scripts"}
    assert made["object"] == "published-content-site"
    assert made["structure"]["type"] == "sections"
    assert [part["object"] for part in made["structure"]["structure"]] == ["site-section", "site-section-group"]
    looks = made["customizations"]
    assert looks["site"]["themes"]["default"] == "dark"
    assert looks["site"]["styling"]["theme"] == "clean"
    assert looks["siteSpaces"]["ss1"]["styling"]["theme"] == "bold"
    assert looks["siteSpaces"]["ss1"]["themes"]["default"] == "dark"
    assert made["scripts"] == []


def test_a_site_without_sections_is_flat() -> None:
    flat = published_site.StructureView(site_spaces=[samples.SITE_SPACE_VIEW])
    made = served(published_site.present_structure(flat, VIEW))
    assert made["type"] == "siteSpaces"
    assert [part["id"] for part in made["structure"]] == ["ss1"]


LAYOUT = {
    "cover": True, "title": True, "description": True, "tableOfContents": True, "outline": True, "pagination": True,
    "metadata": True, "tags": True, "actions": True, "anchors": True, "coverSize": "hero", "width": "default",
    "coverMask": "none",
}  # fmt: skip
SHELF = pages.Shelf("https://app.test/app/o/o1/s/s1", {"p5": "/start"})


def branch(page: content.Page, path: str | None = None) -> content.Branch:
    return content.Branch(page, path or page.slug, [])


def test_least_page() -> None:
    assert served_page(samples.PAGE) == {
        "id": "p1",
        "type": "document",
        "kind": "sheet",
        "title": "Start",
        "slug": "start",
        "path": "start",
        "pages": [],
        "layout": LAYOUT,
        "tags": [],
        "urls": {"app": "https://app.test/app/o/o1/s/s1/p1"},
        "hidden": False,
        "noIndex": False,
        "noRobotsIndex": False,
    }


def served_page(page: content.Page, shelf: pages.Shelf = SHELF) -> Any:
    return served(pages.present_page(pages.PageView(branch(page)), shelf))


def test_fullest_page() -> None:
    page = served_page(samples.PAGE_MAX)
    assert page["layout"] == LAYOUT | {"width": "wide", "outline": False}
    assert page["documentId"] == "01ff"
    assert page["git"] == {"oid": "abc", "path": "install.md"}
    assert page["cover"] == {"ref": {"kind": "file", "file": "f1"}, "yPos": 3}
    assert (page["createdAt"], page["updatedAt"]) == ("1970-01-01T00:00:00.001Z", "1970-01-01T00:00:00.002Z")
    assert (page["emoji"], page["icon"], page["linkTitle"], page["description"]) == ("1f680", "rocket", "Setup", "How")
    assert (page["hidden"], page["noIndex"], page["noRobotsIndex"]) == (True, True, True)
    assert (page["tags"], page["variables"]) == ([{"tag": {"kind": "tag", "tag": "new"}}], {"v": "1"})
    assert page["computed"] == {"type": "builtin:openapi"}
    assert not {"markdown", "document"} & set(page)


def test_text_in_the_form_that_was_asked_for() -> None:
    document = {"object": "document", "data": {}, "nodes": []}
    made = served(pages.present_page(pages.PageView(branch(samples.PAGE), "# Start\n", document), SHELF))
    assert (made["markdown"], made["document"]) == ("# Start\n", document)
    empty = served(pages.present_page(pages.PageView(branch(samples.PAGE), markdown=""), SHELF))
    assert empty["markdown"] == ""


def test_without_metadata_there_is_no_git() -> None:
    shelf = pages.Shelf("https://app.test", metadata=False)
    assert "git" not in served_page(samples.PAGE_MAX, shelf)


def test_other_pages() -> None:
    group = served_page(samples.GROUP)
    assert (group["type"], group["kind"], group["path"], group["pages"]) == ("group", "group", "reference", [])
    link = served_page(samples.LINK)
    assert (link["type"], link["kind"], link["href"]) == ("link", "link", "https://a.b")
    assert link["target"] == {"kind": "url", "url": "https://a.b"}
    assert served_page(samples.LINK_TO_PAGE)["href"] == "/start"
    assert "href" not in served_page(samples.LINK_TO_PAGE, pages.Shelf("https://app.test"))
    computed = served_page(samples.COMPUTED)
    assert (computed["type"], computed["computed"]["type"]) == ("computed", "builtin:openapi")


def test_a_layout_passes_over_what_no_layout_can_be() -> None:
    made = pages.layout({"width": "huge", "outline": False, "cover": 3, "unknown": {}})
    assert msgspec.to_builtins(made) == LAYOUT | {"outline": False}


def test_meta_links() -> None:
    page = msgspec.structs.replace(
        samples.PAGE, meta_links={"canonical": {"kind": "page", "page": "p2"}, "alternates": [{"kind": "space"}, 3]}
    )
    assert served(pages.present_meta_links(page)) == {
        "canonical": {"kind": "page", "page": "p2"},
        "alternates": [{"kind": "space"}],
    }
    assert served(pages.present_meta_links(samples.PAGE)) == {"alternates": []}


def test_least_revision() -> None:
    assert served(revisions.present(samples.REVISION_VIEW)) == {
        "object": "revision",
        "id": "r1",
        "type": "edits",
        "parents": [],
        "pages": [],
        "files": [],
        "reusableContents": [],
        "variables": {},
        "tags": [],
        "createdAt": "1970-01-01T00:00:00.000Z",
        "urls": {"app": "https://app.test/app/o/o1/s/s1"},
    }


def test_fullest_revision() -> None:
    made = served(revisions.present(samples.REVISION_VIEW_MAX))
    assert [page["id"] for page in made["pages"]] == ["p1", "p3", "p5", "p6"]
    assert [page["path"] for page in made["pages"][0]["pages"]] == ["start/install"]
    assert made["git"] == {
        "oid": "c0ffee",
        "message": "Write",
        "createdByService": True,
        "createdByGitBook": True,
        "url": "https://git.test/c",
        "ref": "refs/heads/main",
    }
    assert made["files"] == [
        {"id": "f1", "name": "a.txt", "contentType": "text/plain", "downloadURL": "https://api.test/f1", "size": 3},
        {
            "id": "f2",
            "name": "a.png",
            "contentType": "image/png",
            "downloadURL": "https://api.test/f2",
            "size": 9,
            "dimensions": {"width": 4, "height": 3},
            "git": {"oid": "def", "path": "assets/a.png"},
        },
    ]
    assert made["reusableContents"] == [
        {"id": "rc1", "title": "Note", "document": "03", "git": {"oid": "123", "path": "n.md"}}
    ]
    assert made["urls"] == {
        "app": "https://app.test/app/o/o1/s/s1",
        "published": "https://docs.test",
        "public": "https://docs.test",
    }
    assert (made["parents"], made["variables"]) == (["r1"], {"name": "Octavo"})
    assert made["tags"] == [{"slug": "new", "label": "New", "color": "default"}]


def structs() -> list[type[msgspec.Struct]]:
    found = []
    for module in pkgutil.iter_modules(wire.__path__):
        loaded = importlib.import_module(f"octavo.wire.{module.name}")
        for value in vars(loaded).values():
            if isinstance(value, type) and issubclass(value, msgspec.Struct) and value.__module__ == loaded.__name__:
                found.append(value)
    return [struct for struct in found if struct is not Listing]


@pytest.mark.parametrize("struct", structs(), ids=lambda struct: f"{struct.__module__[12:]}.{struct.__qualname__}")
def test_every_shape_can_be_described(struct: type[msgspec.Struct]) -> None:
    (reference,), parts = msgspec.json.schema_components([struct])
    described = parts[reference["$ref"].rpartition("/")[2]]
    names = {field.encode_name for field in msgspec.structs.fields(struct)}
    assert set(described["properties"]) - {struct.__struct_config__.tag_field} == names


def test_permissions_are_described_by_name() -> None:
    _, parts = msgspec.json.schema_components([spaces.Space, Listing[spaces.Space]])
    assert set(parts["Space"]["properties"]["permissions"]["required"]) == set(spaces.PERMISSIONS)
