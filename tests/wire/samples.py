"""Records for presenters: each once with only what must be there, once with everything."""

from __future__ import annotations

from octavo.content import revision as content
from octavo.kernel.records.content import Revision
from octavo.kernel.records.git import GitCommit, GitSync
from octavo.kernel.records.library import Space
from octavo.kernel.records.people import Organization, User
from octavo.kernel.records.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from octavo.wire.content import revisions
from octavo.wire.library import spaces
from octavo.wire.people import organizations
from octavo.wire.sites import published_site, site_section_groups, site_sections, site_spaces, sites
from octavo.wire.view import View

VIEW = View("https://api.test", "https://app.test")

USER = User(id="u1", email="ada@example.org", name="Ada")
USER_MAX = User(id="u1", email="ada@example.org", name="Ada", photo_url="https://example.org/ada.png")


def allowed(words: tuple[str, ...]) -> dict[str, bool]:
    return dict.fromkeys(words, True)


SPACE = Space(
    id="s1", organization="o1", title="Guide", emoji="📘", position="a", created_at=0, updated_at=1, revision="r1"
)
SPACE_MAX = Space(
    id="s1", organization="o1", title="Guide", emoji="📘", position="a", created_at=0, updated_at=1, revision="r1",
    parent="c1", icon="https://example.org/i.png", edit_mode="live", default_level=None, language="fr",
    merge_rules={"type": "none"}, deleted_at=5, comments=1, change_requests=4, change_requests_open=2,
    change_requests_draft=1,
)  # fmt: skip
GIT = GitSync(space="s1", organization="o1", url="https://git.test/a/b", repo_name="a/b", updated_at=7)
GIT_MAX = GitSync(
    space="s1", organization="o1", url="https://git.test/a/b", repo_name="a/b", updated_at=7, provider="github",
    integration="git", state="failure", message="The branch is gone.",
)  # fmt: skip

SPACE_VIEW = spaces.SpaceView(SPACE, allowed(spaces.PERMISSIONS))
SPACE_VIEW_MAX = spaces.SpaceView(
    SPACE_MAX,
    allowed(spaces.PERMISSIONS),
    "visitor-auth",
    "https://docs.test/a",
    "https://docs.test/a",
    GIT_MAX,
    "custom",
)

ORGANIZATION_VIEW = organizations.OrganizationView(
    Organization(id="o1", title="Acme", created_at=0), allowed(organizations.PERMISSIONS)
)
ORGANIZATION_VIEW_MAX = organizations.OrganizationView(
    Organization(
        id="o1", title="Acme", created_at=0, hostname="acme", default_role="read", email_domains=["acme.org"],
        default_content="st1", logo="https://acme.org/l.svg", use_case="docsSite", community_type="openSource",
        merge_rules={"type": "rules", "rules": []},
    ),
    allowed(organizations.PERMISSIONS),
)  # fmt: skip

SITE_VIEW = sites.SiteView(
    Site(id="st1", organization="o1", title="Docs", created_at=0),
    allowed(sites.PERMISSIONS),
    "https://docs.test",
)
SITE_VIEW_MAX = sites.SiteView(
    Site(
        id="st1", organization="o1", title="Docs", created_at=0, basename="docs", hostname="docs.acme.org",
        wanted_hostname="docs.acme.org",
        published=True, visibility="visitor-auth", agents_context="excluded", adaptive_enabled=True,
        icon={"emoji": "📗"}, proxy="acme.org/docs",
        default_level="read", customization={"themes": {"default": "dark"}}, site_spaces=2,
    ),
    allowed(sites.PERMISSIONS),
    "https://docs.test",
    "https://docs.acme.org",
)  # fmt: skip

SITE_SPACE_VIEW = site_spaces.SiteSpaceView(
    SiteSpace(id="ss1", organization="o1", site="st1", space="s1", title="Guide", path="guide", position="a"),
    SPACE_VIEW,
)
SITE_SPACE_VIEW_MAX = site_spaces.SiteSpaceView(
    SiteSpace(
        id="ss1", organization="o1", site="st1", space="s1", title="Guide", path="guide", position="a", default=True,
        section="se1", condition="visitor.claims.beta", hidden=True, draft=True,
    ),
    SPACE_VIEW_MAX,
    "https://docs.test/guide",
    home=True,
)  # fmt: skip

SECTION_VIEW = site_sections.SiteSectionView(
    SiteSection(id="se1", organization="o1", site="st1", title="Guides", path="guides", position="a")
)
SECTION_VIEW_MAX = site_sections.SiteSectionView(
    SiteSection(
        id="se1", organization="o1", site="st1", title="Guides", path="guides", position="a", default=True,
        description="How to", condition="true", group="g1", icon="book", draft=True,
    ),
    [SITE_SPACE_VIEW_MAX],
    "https://docs.test/guides",
)  # fmt: skip

GROUP_VIEW = site_section_groups.SiteSectionGroupView(
    SiteSectionGroup(id="g1", organization="o1", site="st1", title="More", position="a")
)
GROUP_VIEW_MAX = site_section_groups.SiteSectionGroupView(
    SiteSectionGroup(id="g1", organization="o1", site="st1", title="More", position="a", icon="folder", draft=True),
    [SECTION_VIEW_MAX, GROUP_VIEW],
)

PUBLISHED_VIEW = published_site.PublishedSiteView(
    SITE_VIEW_MAX,
    published_site.StructureView(sections=[SECTION_VIEW_MAX, GROUP_VIEW_MAX]),
    {"ss1": {"styling": {"theme": "bold"}}},
)

PAGE = content.Page(id="p1", type="document", title="Start", slug="start", position="a")
PAGE_MAX = content.Page(
    id="p2", type="document", title="Install", slug="install", position="b", parent="p1", document=b"\x01\xff",
    text=b"\x02", path="install.md", oid="abc", description="How", emoji="1f680", icon="rocket", link_title="Setup",
    hidden=True, no_index=True, no_robots_index=True, layout={"width": "wide", "outline": False},
    cover={"ref": {"kind": "file", "file": "f1"}, "yPos": 3}, tags=[{"tag": "new"}], variables={"v": "1"}, created=1,
    updated=2, computed={"type": "builtin:openapi"},
)  # fmt: skip
GROUP = content.Page(id="p3", type="group", title="Reference", slug="reference", position="c")
LINK = content.Page(
    id="p4",
    type="link",
    title="Home",
    slug="home",
    position="d",
    parent="p3",
    target={"kind": "url", "url": "https://a.b"},
)
LINK_TO_PAGE = content.Page(
    id="p5", type="link", title="Back", slug="back", position="e", target={"kind": "page", "page": "p1"}
)
COMPUTED = content.Page(
    id="p6", type="computed", title="API", slug="api", position="f", computed={"type": "builtin:openapi", "props": {}}
)
PAGES = [PAGE, PAGE_MAX, GROUP, LINK, LINK_TO_PAGE, COMPUTED]

FILE = content.File(id="f1", name="a.txt", content_type="text/plain", size=3, blob="00")
FILE_MAX = content.File(
    id="f2",
    name="a.png",
    content_type="image/png",
    size=9,
    blob="01",
    width=4,
    height=3,
    path="assets/a.png",
    oid="def",
)

REVISION = Revision(
    id="r1", organization="o1", space="s1", root=b"", parents=[], type="edits", created_at=0
)  # fmt: skip
REVISION_MAX = Revision(
    id="r2", organization="o1", space="s1", root=b"", parents=["r1"], type="merge", created_at=0, author="u1",
    git=GitCommit(
        oid="c0ffee", message="Write", url="https://git.test/c", ref="refs/heads/main", created_by_service=True
    ),
)  # fmt: skip
REVISION_VIEW = revisions.RevisionView(REVISION, "https://app.test/app/o/o1/s/s1")
REVISION_VIEW_MAX = revisions.RevisionView(
    REVISION_MAX,
    "https://app.test/app/o/o1/s/s1",
    branches=content.tree(PAGES),
    files=[FILE, FILE_MAX],
    reusables=[content.Reusable(id="rc1", title="Note", text=b"", document=b"\x03", path="n.md", oid="123")],
    variables={"name": "Octavo"},
    tags=[{"slug": "new", "label": "New"}],
    downloads={"f1": "https://api.test/f1", "f2": "https://api.test/f2"},
    hrefs={"p5": "/start"},
    published="https://docs.test",
    public="https://docs.test",
)
