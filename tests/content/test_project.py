"""`docs.yaml`: the sites that it describes, and what is said of one that cannot be followed."""

from __future__ import annotations

import pytest

from octavo.content.layout.project import (
    Fault,
    GroupNode,
    SectionNode,
    read_project,
    spaces_of,
    title_of,
    write_project,
)

SECTIONS = """
version: 1
site:
  title: Terns
  structure:
    - type: section
      path: guide
      title: Guide
      children:
        - {type: space, path: en, default: true, content: {directory: ./guide/en, language: en}}
        - {type: space, title: Deutsch, content: {directory: guide/de, language: de}}
    - type: section-group
      title: More
      children:
        - {type: external-link, title: Source, url: https://example.org}
        - type: section
          key: reference
          children:
            - {type: space, content: {directory: /reference}}
            - {type: space, title: Elsewhere}
"""


def test_sections_groups_links_and_variants() -> None:
    project = read_project(SECTIONS, "docs")
    guide, more = project.entries
    assert isinstance(guide, SectionNode)
    assert isinstance(more, GroupNode)
    assert project.title == "Terns"
    assert [one.content.directory for one in spaces_of(project)] == [
        "docs/guide/en", "docs/guide/de", "reference", None,
    ]  # fmt: skip
    assert [title_of(one) for one in guide.children] == ["En", "Deutsch"]
    assert [type(one).__name__ for one in more.children] == ["LinkNode", "SectionNode"]


def test_variants_without_sections() -> None:
    project = read_project("site: {structure: [{type: space, content: {directory: v2}}, {type: space, path: v1}]}")
    assert [title_of(one) for one in project.spaces] == ["V2", "V1"]
    assert project.entries == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("site: [", "is not valid YAML"),
        ("- a", "does not describe a site: expected `object`"),
        ("site: {structure: [{type: chapter}]}", "invalid value 'chapter' - at `$.site.structure[0].type`"),
        ("version: 2\nsite: {}", "invalid enum value 2 - at `$.version`"),
        ("site: {structure: [{type: external-link}]}", "missing required field `url`"),
        ("site: {structure: [{type: space, content: {directory: ../x}}]}", "'../x' lies outside of the repository"),
        ("site: {structure: [{type: space, title: A}]}", "names no directory"),
        (
            "site: {structure: [{type: space, content: {directory: a}}, {type: section}]}",
            "spaces stand beside sections",
        ),
    ],
)
def test_what_cannot_be_followed_is_a_sentence(text: str, said: str) -> None:
    with pytest.raises(Fault) as fault:
        read_project(text)
    assert str(fault.value).startswith("docs.yaml")
    assert said in str(fault.value)


@pytest.mark.parametrize(
    "text",
    [
        SECTIONS,
        "site: {structure: [{type: space, content: {directory: v2}, default: true}, {type: space, path: v1, hidden: true}]}",
        'site: {title: "yes: #1", structure: [{type: space, title: "- a", condition: "visitor.claims.x == 1",'
        " content: {directory: a b/c}}, {type: external-link, title: X, url: https://example.org, draft: true,"
        " localizedTitle: {de: Ü}}]}",
    ],
)
def test_what_is_written_is_read_as_the_same(text: str) -> None:
    project = read_project(text, "docs")
    assert read_project(write_project(project), "elsewhere") == project
