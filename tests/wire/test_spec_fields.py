"""The field tables of the specification against the structs that are served."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from octavo.wire.content import pages, revisions
from octavo.wire.library import spaces
from octavo.wire.people import organizations, users
from octavo.wire.review import change_requests, comments, reviews
from octavo.wire.sites import site_section_groups, site_sections, site_spaces, sites

SPECIFICATION = Path(__file__).parents[3] / "shared" / "spec" / "api.md"

SERVED = {
    "User (embedded)": users.User,
    "Space": spaces.Space,
    "Site": sites.Site,
    "SiteSection": site_sections.SiteSection,
    "SiteSectionGroup": site_section_groups.SiteSectionGroup,
    "SiteSpace": site_spaces.SiteSpace,
    "Organization": organizations.Organization,
    "Page": pages.DocumentPage,
    "File": revisions.File,
    "Revision": revisions.Revision,
    "ChangeRequest": change_requests.ChangeRequest,
    "Comment": comments.Comment,
    "CommentReply": comments.CommentReply,
    "ChangeRequestRequestedReviewer": reviews.RequestedReviewer,
}
PERMISSIONS = {
    "Space": spaces.PERMISSIONS,
    "Site": sites.PERMISSIONS,
    "Organization": organizations.PERMISSIONS,
    "Comment": comments.PERMISSIONS,
}


@pytest.fixture(scope="module")
def chapters() -> dict[str, str]:
    if not SPECIFICATION.exists():
        pytest.skip(f"the specification is not at {SPECIFICATION}")
    parts = re.split(r"^#{2,3} (.+)$", SPECIFICATION.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def names(chapter: str) -> Iterator[tuple[str, str]]:
    """(field, rest of its row) of a table, or of the sentence that stands for one."""
    rows = re.findall(r"^\| ([\w.]+(?:, [\w.]+)*) \|(.*)\|$", chapter, flags=re.MULTILINE)
    for words, rest in rows:
        if words != "Field":
            for word in words.split(", "):
                yield word, rest
    if not rows:
        outside = re.sub(r"\{[^}]*\}|\([^)]*\)", "", chapter)
        for word in re.findall(r"(?:^|[;,:] )(?:array of )?`(\w+)`", outside, flags=re.MULTILINE):
            yield word, ""


def fields(struct: Any) -> set[str]:
    found = {field.encode_name for field in msgspec.structs.fields(struct)}
    return found | {struct.__struct_config__.tag_field} if struct.__struct_config__.tag_field else found


@pytest.mark.parametrize("resource", SERVED)
def test_every_listed_field_is_served(chapters: dict[str, str], resource: str) -> None:
    struct = SERVED[resource]
    listed = list(names(chapters[resource]))
    assert len(listed) >= 5
    for name, _ in listed:
        outer, _, inner = name.partition(".")
        assert outer in fields(struct), name
        if inner:
            held = next(field.type for field in msgspec.structs.fields(struct) if field.encode_name == outer)
            assert inner in fields(held), name


@pytest.mark.parametrize("resource", ["Space", "Site", "SiteSection", "SiteSpace", "Organization", "ChangeRequest"])
def test_required_fields_have_no_absence(chapters: dict[str, str], resource: str) -> None:
    by_name = {field.encode_name: field for field in msgspec.structs.fields(SERVED[resource])}
    for name, rest in names(chapters[resource]):
        if rest.split("|")[1].strip() == "yes" and name in by_name:
            assert by_name[name].default is not msgspec.UNSET, name


@pytest.mark.parametrize("resource", PERMISSIONS)
def test_every_listed_permission_has_a_key(chapters: dict[str, str], resource: str) -> None:
    rest = next((rest for name, rest in names(chapters[resource]) if name == "permissions"), "")
    assert set(re.findall(r"`(\w+)`", rest)) <= set(PERMISSIONS[resource])


@pytest.mark.parametrize("resource", ["Space", "Site", "Organization", "ChangeRequest"])
def test_every_listed_address_is_served(chapters: dict[str, str], resource: str) -> None:
    rest = next(rest for name, rest in names(chapters[resource]) if name == "urls")
    held = next(field.type for field in msgspec.structs.fields(SERVED[resource]) if field.encode_name == "urls")
    assert set(re.findall(r"`(\w+)`", rest)) <= fields(held)


def test_the_layout_is_complete(chapters: dict[str, str]) -> None:
    rest = next(rest for name, rest in names(chapters["Page"]) if name == "layout")
    assert set(re.findall(r"`(\w+)`", rest)) <= fields(pages.Layout)
