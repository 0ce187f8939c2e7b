"""Writes the pages of docs/ that are made from the code: settings, operations, permissions. `--check` only compares."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from octavo.access.policy import POLICY
from octavo.api.openapi import tag_of
from octavo.api.router import AnyOperation
from octavo.api.routes import OPERATIONS
from octavo.kernel import settings
from octavo.kernel.records import ROLES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

_TAGS = {
    "general": "Service and caller",
    "organizations": "Organizations",
    "spaces": "Spaces",
    "content": "Primary content",
    "revisions": "Revisions",
    "change-requests": "Change requests",
    "change-request-content": "Content of change requests",
    "comments": "Comments",
    "git": "Git",
    "sites": "Sites",
    "search": "Search",
}
_BARE = {
    "git_max_files": "Files that one Git import may hold.",
    "log_level": "`debug`, `info`, `warning` or `error`.",
}
"""What the settings without a sentence of their own mean."""


def pages() -> dict[str, str]:
    """Path below docs/ -> text of every page that is made from the code."""
    return {path: make() for path, make in _MADE.items()}


def stale() -> list[str]:
    """The paths, relative to docs/, whose text is not what the code says."""
    return [path for path, text in pages().items() if not (DOCS / path).exists() or (DOCS / path).read_text() != text]


def setting_sentences() -> dict[str, str]:
    """Name of each setting -> the sentence below it in the source."""
    tree = ast.parse(Path(settings.__file__).read_text())
    struct = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Settings")
    said: dict[str, str] = {}
    for field, below in zip(struct.body, struct.body[1:]):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            name = field.target.id
            sentence = (
                below.value.value if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) else ""
            )
            said[name] = " ".join(str(sentence).split()) or _BARE.get(name, "")
    return said


def _settings() -> str:
    said = setting_sentences()
    rows = [
        (
            f"`OCTAVO_{field.name.upper()}`",
            _kind(field.type),
            _default(field),
            _text(said[field.name]),
        )
        for field in msgspec.structs.fields(settings.Settings)
    ]
    return _page(
        "Settings",
        "Every setting, with its default.",
        """
Octavo runs without any setting. Settings come from three places; a later one wins:

1. a TOML file, named by the environment variable `OCTAVO_CONFIG`; its keys are the names below in lower case, without
   `OCTAVO_`;
2. environment variables, with the names below;
3. the option `--data` of the command line.

```toml
# octavo.toml
data = "/var/lib/octavo"
base_url = "https://docs.example.com"
trusted_proxies = ["127.0.0.1"]
```

In a variable a list is written with commas, and a yes or no as `1` or `0`. A wrong value or an unknown `OCTAVO_…`
variable ends the command with a sentence that names it.
""",
        _table(("Variable", "Kind", "Default", "Meaning"), rows),
    )


def _text(sentence: str) -> str:
    """Words in angle brackets would be read as tags."""
    return sentence.replace("<", "&lt;").replace(">", "&gt;")


def _kind(kind: object) -> str:
    names = {Path: "directory", bool: "yes or no", int: "whole number", float: "number", list[str]: "list", str: "text"}
    return names.get(kind, "text")  # type: ignore[call-overload, no-any-return]


def _default(field: msgspec.structs.FieldInfo) -> str:
    value = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    if value is None or value == []:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"`{','.join(value)}`" if isinstance(value, list) else f"`{value}`"


def _operations() -> str:
    parts = [
        f"## {_TAGS.get(tag, tag.capitalize())}\n\n" + _table(_HEADS, [_operation(row) for row in rows])
        for tag, rows in _by_tag().items()
    ]
    return _page(
        "Operations",
        "Every operation of the API: method, path, permission and token scope.",
        """
All paths stand below `/v1`. What an operation takes and gives is described at `/docs` of your installation, where it
can be tried as well, and for programs at `/openapi.json`.

The column *Needs* names what the caller must be allowed to do: `view` on the space, for example; see
[Permissions](../permissions.md). *any caller* asks for a valid token only. *by request* means that the operation decides
from what is asked: a list holds what the caller may see, a new space needs `createContent` on the organization, or
`create` on the collection that it is put into, and a review needs `review` on the space, or that it was asked for.
*Scope* is what a token that is limited to scopes must hold; the tokens that the command line makes are not limited.
""",
        "\n".join(parts),
    )


_HEADS = ("Operation", "Method and path", "Needs", "Scope", "Success")


def _by_tag() -> dict[str, list[AnyOperation]]:
    found: dict[str, list[AnyOperation]] = {tag: [] for tag in _TAGS}
    for row in OPERATIONS:
        found.setdefault(tag_of(row), []).append(row)
    return {tag: rows for tag, rows in found.items() if rows}


def _operation(row: AnyOperation) -> tuple[str, ...]:
    kind, _, word = row.needs.partition(".")
    needs = f"`{word}` on the {kind}" if word else {"user": "any caller"}.get(kind, "by request")
    return row.summary, f"`{row.method} {row.path}`", needs, f"`{row.scope}`" if row.scope else "none", str(row.status)


def _permissions() -> str:
    parts = []
    for kind, words in POLICY.items():
        rows = [(f"`{word}`", *("✓" if _has(role, least) else "" for role in ROLES)) for word, least in words.items()]
        parts.append(f"## {kind.capitalize()}\n\n" + _table(("Permission", *ROLES), rows))
    return _page(
        "Permissions",
        "Which role has which permission.",
        """
Roles are cumulative: each one may do what the roles to its left may do. The same tables decide requests and fill the
`permissions` object that every organization, space, collection and site is served with. How somebody comes to a role on
a resource is told in [Roles](roles.md).
""",
        "\n".join(parts),
    )


def _has(role: str, least: str) -> bool:
    names: tuple[str, ...] = ROLES
    return names.index(role) >= names.index(least)


def _page(title: str, description: str, before: str, body: str) -> str:
    front = f"---\ndescription: {description!r}\nlayout:\n  width: wide\n---\n"
    return f"{front}\n# {title}\n\n<!-- Made by tools/docs.py. -->\n\n{before.strip()}\n\n{body.strip()}\n"


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    return "\n".join(_lines(heads, rows)) + "\n"


def _lines(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


_MADE: dict[str, Callable[[], str]] = {
    "reference/settings.md": _settings,
    "reference/api/operations.md": _operations,
    "reference/permissions.md": _permissions,
}


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` say which ones are stale; the exit code."""
    late = stale()
    if arguments == ["--check"]:
        for path in late:
            sys.stderr.write(f"docs/{path} is not what the code says; run `python tools/docs.py`\n")
        return 1 if late else 0
    if arguments:
        sys.stderr.write("usage: python tools/docs.py [--check]\n")
        return 2
    made = pages()
    for path in late:
        (DOCS / path).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / path).write_text(made[path])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
