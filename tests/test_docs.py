"""Octavo's own documentation: generated pages are fresh, nothing is left out, every link leads somewhere."""

from __future__ import annotations

import itertools
import re
import runpy
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

from octavo import cli
from octavo.content.html import PlainContext, render
from octavo.content.layout.read import Layout, read
from octavo.content.layout.summary import Entry, parse
from octavo.kernel.extras import EXTRAS
from octavo.kernel.settings import Settings
from octavo.terminal import Defaulting

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MADE = runpy.run_path(str(ROOT / "tools" / "docs.py"))


@pytest.fixture(scope="module")
def layout() -> Layout:
    files = {path.relative_to(DOCS).as_posix(): path.read_bytes for path in DOCS.rglob("*") if path.is_file()}
    numbers = itertools.count()
    return read(files, new_id=lambda: f"id{next(numbers)}", now=0)


def test_generated_pages_say_what_the_code_says() -> None:
    assert MADE["stale"]() == [], "run `python tools/docs.py`"


def test_the_check_sees_a_page_that_is_not_what_the_code_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = runpy.run_path(str(ROOT / "tools" / "docs.py"))
    made["main"].__globals__["DOCS"] = tmp_path
    assert made["main"](["--check"]) == 1
    assert "docs/reference/settings.md" in capsys.readouterr().err
    assert made["main"]([]) == 0
    assert made["main"](["--check"]) == 0
    (tmp_path / "reference" / "permissions.md").write_text("old")
    assert made["main"](["--check"]) == 1


@pytest.mark.parametrize("field", msgspec.structs.fields(Settings), ids=lambda field: field.name)
def test_every_setting_is_documented(field: msgspec.structs.FieldInfo) -> None:
    page = (DOCS / "reference" / "settings.md").read_text()
    row = re.search(rf"^\| `OCTAVO_{field.name.upper()}` \|.*\| (.*) \|$", page, re.MULTILINE)
    assert row is not None
    assert row[1].strip(), "it has no sentence"


def _commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield name, command
        return
    if isinstance(command, Defaulting):
        yield name, command.own
    for word, below in command.commands.items():
        yield from _commands(below, f"{name} {word}")


COMMANDS = dict(_commands(cli.main, "octavo"))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_on_the_command_line_page(name: str) -> None:
    page = (DOCS / "reference" / "command-line.md").read_text()
    sections = {part.partition("\n")[0]: part for part in page.split("\n## ")}
    assert name in sections
    usage = sections[name].split("```")[1]
    for parameter in COMMANDS[name].params:
        if isinstance(parameter, click.Argument):
            assert parameter.make_metavar(click.Context(COMMANDS[name])) in usage
        else:
            assert f"{parameter.opts[0]}" in usage
            assert f"`{parameter.opts[0]}`" in sections[name]


def test_the_command_line_page_has_no_command_that_does_not_exist() -> None:
    page = (DOCS / "reference" / "command-line.md").read_text()
    assert set(re.findall(r"^## (octavo .+)$", page, re.MULTILINE)) == set(COMMANDS)
    options = {opt for command in COMMANDS.values() for option in command.params for opt in option.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", page)) <= options | {"--version", "--help"}


def _typed() -> Iterator[tuple[str, list[str]]]:
    """(page, words) of every `octavo …` in the blocks of commands of the guide for operators."""
    for page in sorted((DOCS / "running").glob("*.md")):
        for block in re.findall(r"^```bash\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                if line.partition(" ")[0].rpartition("/")[2] == "octavo":
                    yield f"{page.name}: {line}", shlex.split(line, comments=True)[1:]


TYPED = dict(_typed())


@pytest.mark.parametrize("line", TYPED)
def test_what_the_guide_types_is_a_command_with_its_words(line: str) -> None:
    """None has an option that is not there, or lacks one that has to be. (tests/test_guide.py runs them.)"""
    command: click.Command = cli.main
    context, words = click.Context(command, info_name="octavo"), TYPED[line]
    if words[0] == "--version":
        return
    while isinstance(command, click.Group):
        name, found, words = command.resolve_command(context, words)
        assert found is not None, line
        command, context = found, click.Context(found, info_name=name, parent=context)
    given, rest, _ = command.make_parser(context).parse_args(list(words))
    assert rest == [], line
    for parameter in command.params:
        assert not parameter.required or given.get(parameter.name or "") is not None, f"{line}: {parameter.name}"


def test_the_documentation_is_read_without_a_warning(layout: Layout) -> None:
    assert [str(warning) for warning in layout.report.warnings] == []


def test_every_relative_link_leads_to_a_file_in_the_documentation(layout: Layout) -> None:
    """Also those that Markdown readers elsewhere follow: the file itself must exist."""
    for page in layout.pages:
        for href in page.links:
            assert ((DOCS / (page.path or "")).parent / href.partition("#")[0]).exists(), f"{page.path}: {href}"


def test_every_anchor_exists(layout: Layout) -> None:
    anchors = {page.id: _anchors(layout, page.document) for page in layout.pages if page.document}
    seen = 0
    for page in layout.pages:
        for ref in (ref for ref in page.links.values() if ref["kind"] == "anchor"):
            assert ref["anchor"] in anchors[ref["page"]], f"{page.path}: #{ref['anchor']}"
            seen += 1
    assert seen


def _anchors(layout: Layout, document: bytes) -> set[str]:
    tree: dict[str, Any] = msgspec.json.decode(layout.objects[document])
    return set(re.findall(r'\bid="([^"]+)"', render(tree, PlainContext()).html))


def _named(entries: list[Entry]) -> Iterator[str]:
    for entry in entries:
        if entry.href and "://" not in entry.href:
            yield entry.href
        yield from _named(entry.children)


def test_the_table_of_contents_names_every_page_once() -> None:
    named = list(_named(parse((DOCS / "SUMMARY.md").read_text()).entries))
    pages = [path.relative_to(DOCS) for path in DOCS.rglob("*.md") if path.name != "SUMMARY.md"]
    assert sorted(named) == sorted(path.as_posix() for path in pages if path.parts[0] != ".gitbook")


def test_every_library_has_its_reason() -> None:
    page = (DOCS / "reference" / "dependencies.md").read_text()
    for files, heading in (
        (("runtime.in",), "## To run\n"),
        ([f"{extra}.in" for extra in (*EXTRAS, "integrations", "otel")], "## Optional\n"),
        (("dev.in", "clickhouse.in", "audit.in"), "## To develop\n"),
    ):
        lines = [line for file in files for line in (ROOT / "requirements" / file).read_text().splitlines()]
        declared = {re.split(r"[<>=~!;\[ ]", line)[0] for line in lines if line and not line.startswith(("-", "#"))}
        section = page.partition(heading)[2].partition("\n## ")[0]
        assert set(re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)) == declared, files
