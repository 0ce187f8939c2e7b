"""What bodies take and refuse: limits at, below and above, patterns, enumerations, nulls."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from octavo.kernel.names import fault
from octavo.wire import git
from octavo.wire.content import uploads
from octavo.wire.library import collections, spaces
from octavo.wire.people import members, organizations, saml, teams, tokens, users
from octavo.wire.review import change_requests
from octavo.wire.sites import site_section_groups, site_sections, site_spaces, sites


def take(body: type[Any], **fields: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(fields), type=body)


def refuse(body: type[Any], field: str, **fields: Any) -> None:
    """The sentence names the field."""
    with pytest.raises(msgspec.ValidationError, match=re.escape(f"$.{field}")):
        take(body, **fields)


TITLES = [
    (spaces.CreateSpace, 0, 50, {}),
    (spaces.UpdateSpace, 0, 50, {}),
    (collections.CreateCollection, 0, 50, {}),
    (collections.UpdateCollection, 0, 50, {}),
    (sites.CreateSite, 2, 128, {}),
    (sites.UpdateSite, 2, 128, {}),
    (site_sections.AddSection, 2, 128, {"spaceId": "s1"}),
    (site_sections.UpdateSection, 2, 128, {}),
    (site_spaces.AddSpace, 2, 128, {"spaceId": "s1"}),
    (site_section_groups.CreateSectionGroup, 1, 100, {}),
    (site_section_groups.UpdateSectionGroup, 1, 100, {}),
    (teams.CreateTeam, 1, 64, {}),
    (teams.UpdateTeam, 1, 64, {}),
    (organizations.CreateOrganization, 2, 255, {}),
    (organizations.UpdateOrganization, 2, 255, {}),
]


DECEIVING = "\x00\t\n\r\x1b\x7f\x85\u2028\u202a\u202e\u2066\u2069"
LINES = [
    (users.UpdateUser, "displayName", {}),
    (tokens.CreateUserAPIToken, "label", {}),
    (collections.UpdateCollection, "description", {}),
    (change_requests.UpdateChangeRequest, "subject", {}),
    (site_sections.UpdateSection, "description", {}),
    (site_sections.UpdateSection, "icon", {}),
    (spaces.CreateSpace, "emoji", {}),
    (saml.UpdateSamlProvider, "label", {}),
    (uploads.FileToUpload, "name", {"type": "x", "size": 1}),
    *((body, "title", others) for body, _, _, others in TITLES),
]


@pytest.mark.parametrize(("body", "field", "others"), LINES)
def test_what_is_one_line_takes_nothing_that_breaks_it_or_turns_it(
    body: type[Any], field: str, others: dict[str, Any]
) -> None:
    """A name goes into subjects of letters, logs and terminals; and it is read as it is written."""
    for character in DECEIVING:
        refuse(body, field, **{field: f"ab{character}cd"}, **others)
    take(body, **{field: "é \u200f\u05d0 👩\u200d💻"}, **others)


@pytest.mark.parametrize(("body", "least", "most", "others"), TITLES)
def test_titles_are_trimmed_and_what_stays_is_counted(
    body: type[Any], least: int, most: int, others: dict[str, Any]
) -> None:
    for length in (max(least, 1), most):
        assert take(body, title=f" \t{'é' * length}\n ", **others).title == "é" * length
    refuse(body, "title", title="x" * (most + 1), **others)
    refuse(body, "title", title=7, **others)
    if least:
        refuse(body, "title", title="x" * (least - 1) + "   ", **others)


@given(st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_a_title_is_its_own_trimming_or_refused(text: str) -> None:
    wanted = text.strip()
    if len(wanted) <= 50 and fault(wanted) is None:
        assert msgspec.convert({"title": text}, spaces.CreateSpace).title == wanted
    else:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"title": text}, spaces.CreateSpace)


LENGTHS = [
    (collections.UpdateCollection, "description", 0, 100, {}),
    (spaces.CreateSpace, "emoji", 1, 50, {}),
    (sites.UpdateSite, "basename", 1, 100, {}),
    (site_sections.UpdateSection, "path", 1, 100, {}),
    (site_sections.UpdateSection, "description", 0, 256, {}),
    (site_sections.UpdateSection, "condition", 0, 1024, {}),
    (site_sections.UpdateSection, "icon", 0, 50, {}),
    (site_sections.AddSection, "icon", 0, 50, {"spaceId": "s1"}),
    (site_section_groups.CreateSectionGroup, "icon", 0, 50, {"title": "More"}),
    (site_spaces.UpdateSiteSpace, "path", 1, 100, {}),
    (site_spaces.UpdateSiteSpace, "condition", 0, 1024, {}),
    (organizations.UpdateOrganization, "hostname", 3, 32, {}),
    (users.UpdateUser, "displayName", 1, 64, {}),
]


@pytest.mark.parametrize(("body", "field", "least", "most", "others"), LENGTHS)
def test_lengths(body: type[Any], field: str, least: int, most: int, others: dict[str, Any]) -> None:
    for length in (least, most):
        assert msgspec.to_builtins(take(body, **{field: "x" * length}, **others))[field] == "x" * length
    refuse(body, field, **{field: "x" * (most + 1)}, **others)
    if least:
        refuse(body, field, **{field: "x" * (least - 1)}, **others)


NULLABLE = [
    (spaces.UpdateSpace, "defaultLevel"),
    (spaces.UpdateSpace, "emoji"),
    (spaces.UpdateSpace, "icon"),
    (collections.UpdateCollection, "defaultLevel"),
    (sites.UpdateSite, "proxy"),
    (sites.UpdateSite, "hostname"),
    (sites.UpdateSite, "defaultLevel"),
    (site_sections.UpdateSection, "condition"),
    (site_sections.UpdateSection, "icon"),
    (site_sections.UpdateSection, "description"),
    (site_sections.UpdateSection, "siteSectionGroupId"),
    (site_section_groups.UpdateSectionGroup, "icon"),
    (site_section_groups.UpdateSectionGroup, "parentSectionGroupId"),
    (site_section_groups.UpdateSectionGroup, "localizedTitle"),
    (site_sections.UpdateSection, "localizedTitle"),
    (site_sections.UpdateSection, "localizedDescription"),
    (site_spaces.UpdateSiteSpace, "condition"),
    (site_spaces.UpdateSiteSpace, "pageId"),
    (organizations.UpdateOrganization, "defaultRole"),
    (organizations.UpdateOrganization, "defaultContent"),
    (organizations.UpdateOrganization, "logo"),
    (users.UpdateUser, "photoURL"),
]
PATCHES = {body for body, _ in NULLABLE}


@pytest.mark.parametrize("body", sorted(PATCHES, key=lambda body: body.__module__))
def test_a_patch_tells_absent_from_null(body: type[Any]) -> None:
    nullable = {field for named, field in NULLABLE if named is body}
    assert all(value is UNSET for value in msgspec.structs.asdict(take(body, somethingNew=1)).values())
    for field in msgspec.structs.fields(body):
        if field.encode_name in nullable:
            assert getattr(take(body, **{field.encode_name: None}), field.name) is None
        else:
            refuse(body, field.encode_name, **{field.encode_name: None})


def test_creation_takes_null_only_where_it_means_something() -> None:
    assert take(site_spaces.AddSpace, spaceId=None).space_id is None
    section = take(site_sections.AddSection, spaceId=None, title=None, icon=None)
    assert (section.space_id, section.title, section.icon) == (None, None, None)
    assert take(members.UpdateMember, role=None).role is None
    refuse(spaces.CreateSpace, "title", title=None)
    refuse(sites.CreateSite, "visibility", visibility=None)
    with pytest.raises(msgspec.ValidationError, match="spaceId"):
        take(site_spaces.AddSpace)
    with pytest.raises(msgspec.ValidationError, match="title"):
        take(organizations.CreateOrganization)


@pytest.mark.parametrize("level", ["inherit", "read", "comment", "edit", "review", "create", "admin"])
def test_levels(level: str) -> None:
    for body in (spaces.UpdateSpace, collections.UpdateCollection, sites.UpdateSite):
        assert take(body, defaultLevel=level).default_level == level
        refuse(body, "defaultLevel", defaultLevel="owner")


def test_an_organization_does_not_inherit() -> None:
    assert take(organizations.UpdateOrganization, defaultRole="admin").default_role == "admin"
    refuse(organizations.UpdateOrganization, "defaultRole", defaultRole="inherit")
    refuse(organizations.UpdateOrganization, "mergeRules", mergeRules={"type": "inherit"})


def test_default_content_is_a_site() -> None:
    taken = take(organizations.UpdateOrganization, defaultContent={"type": "site", "site": "st1"})
    assert taken.default_content.site == "st1"
    refuse(organizations.UpdateOrganization, "defaultContent.type", defaultContent={"type": "space", "site": "st1"})


def test_merge_rules_of_a_space() -> None:
    for kind, others in (("inherit", {}), ("none", {}), ("rules", {"rules": [{"rule": "require_agent_review"}]})):
        given = {"type": kind} | others
        assert msgspec.to_builtins(take(spaces.UpdateSpace, mergeRules=given).merge_rules) == given
    refuse(spaces.UpdateSpace, "mergeRules", mergeRules={"type": "some"})


def test_an_emoji_and_an_icon_exclude_each_other() -> None:
    assert take(spaces.UpdateSpace, emoji=None, icon=None).icon is None
    assert take(spaces.UpdateSpace, icon="https://a.b/c.png").emoji is UNSET
    with pytest.raises(msgspec.ValidationError, match="at most one of `emoji` and `icon`"):
        take(spaces.UpdateSpace, emoji="📗", icon="https://a.b/c.png")


def test_a_space_begins_in_one_way() -> None:
    assert take(spaces.CreateSpace, template={"id": "t"}, empty=False).empty is False
    with pytest.raises(msgspec.ValidationError, match="at most one of `template`"):
        take(spaces.CreateSpace, template={"id": "t"}, empty=True)


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:image/png;base64,AA", "//a.b/c", "https://a.b/ c", ""]
)
def test_images_are_web_addresses(address: str) -> None:
    refuse(organizations.UpdateOrganization, "logo", logo=address)
    refuse(spaces.UpdateSpace, "icon", icon=address)
    refuse(users.UpdateUser, "photoURL", photoURL=address)


def test_an_address_has_2048_characters_at_most() -> None:
    start = "https://acme.org/"
    assert take(organizations.UpdateOrganization, logo=start.ljust(2048, "a")).logo.startswith(start)
    refuse(organizations.UpdateOrganization, "logo", logo=start.ljust(2049, "a"))


@pytest.mark.parametrize("hostname", ["docs.acme.org", "a.b.c.d", "x-1.acme.org", f"{'a' * 63}.acme.org"])
def test_site_hostnames(hostname: str) -> None:
    assert take(sites.UpdateSite, hostname=hostname).hostname == hostname


@pytest.mark.parametrize(
    "hostname",
    ["acme.org", "Docs.acme.org", "-a.acme.org", "a-.acme.org", "docs..acme.org", f"{'a' * 64}.acme.org", "a.b.c\n"],
)
def test_no_site_hostnames(hostname: str) -> None:
    refuse(sites.UpdateSite, "hostname", hostname=hostname)


def test_a_site_hostname_has_512_characters_at_most() -> None:
    assert take(sites.UpdateSite, hostname=".".join(["a"] * 256) + "b").hostname.endswith("ab")
    refuse(sites.UpdateSite, "hostname", hostname=".".join(["a"] * 257))


@pytest.mark.parametrize("proxy", ["acme.org/docs", "www.acme.org/a/b", "acme.org/" + "a" * 503])
def test_proxies(proxy: str) -> None:
    assert take(sites.UpdateSite, proxy=proxy).proxy == proxy


@pytest.mark.parametrize(
    "proxy",
    ["acme.org", "acme.org/", "https://acme.org/docs", "acme.org/a//b", "acme.org/a?b", "acme.org/" + "a" * 504],
)
def test_no_proxies(proxy: str) -> None:
    refuse(sites.UpdateSite, "proxy", proxy=proxy)


@pytest.mark.parametrize("path", ["a/b", "a b", "a?", "a#b", "a\n"])
def test_paths_are_one_segment(path: str) -> None:
    refuse(site_spaces.UpdateSiteSpace, "path", path=path)
    refuse(site_sections.UpdateSection, "path", path=path)
    refuse(sites.UpdateSite, "basename", basename=path)


def test_a_site_takes_spaces_or_makes_one() -> None:
    assert take(sites.CreateSite, spaces=["s1", "s2"]).spaces == ["s1", "s2"]
    assert take(sites.CreateSite, spaces="sample").spaces == "sample"
    made = take(sites.CreateSite)
    assert (made.type, made.visibility, made.spaces) == ("basic", "public", UNSET)
    refuse(sites.CreateSite, "spaces", spaces="full")
    refuse(sites.CreateSite, "type", type="huge")
    refuse(sites.CreateSite, "spaces[0]", spaces=["no id"])


def test_a_git_import() -> None:
    least = take(git.ImportGit, url="https://git.test/a", ref="refs/heads/main")
    assert (least.force, least.standalone, least.timestamp) == (False, False, UNSET)
    whole = take(
        git.ImportGit,
        url="https://me:secret@git.test/a",
        ref="refs/heads/feature/x",
        repoCacheID="cache",
        repoTreeURL="https://git.test/a/tree",
        repoCommitURL="https://git.test/a/commit",
        repoProjectDirectory="docs",
        timestamp="2024-05-01T10:00:00+02:00",
        force=True,
        standalone=True,
        gitInfo={"provider": "github", "url": "https://github.com/a/b"},
    )
    assert (whole.repo_cache_id, whole.repo_project_directory) == ("cache", "docs")
    assert whole.repo_tree_url.endswith("tree")
    assert whole.repo_commit_url.endswith("commit")
    assert whole.timestamp.timestamp() == 1714550400
    assert whole.git_info.provider == "github"


@pytest.mark.parametrize(
    ("field", "value"),
    [("ref", "main"), ("ref", "refs/heads/"), ("ref", "refs/tags/v1"), ("ref", "refs/heads/a b"), ("url", ""),
     ("timestamp", "yesterday"), ("timestamp", "2024-05-01T10:00:00"), ("gitInfo", {"provider": "svn", "url": "x"})],
)  # fmt: skip
def test_no_git_import(field: str, value: Any) -> None:
    refuse(git.ImportGit, field, **({"url": "https://git.test/a", "ref": "refs/heads/main"} | {field: value}))


def test_members_of_a_team() -> None:
    taken = take(teams.UpdateTeamMembers, add=["u1", "ada@example.org"], memberships={"u1": {"role": "owner"}})
    assert taken.memberships["u1"].role == "owner"
    assert take(teams.Membership).role is UNSET
    refuse(teams.UpdateTeamMembers, "memberships", memberships={"u1": {"role": "admin"}})
