"""Writes the pages of docs/ that are made from the code: settings, operations, permissions. `--check` only compares."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from octavo.access.policy import POLICY
from octavo.api.groups import GROUPS, Group, group_of
from octavo.api.routes import OPERATIONS
from octavo.kernel import settings
from octavo.kernel.audit import OTHER_ACTIONS
from octavo.kernel.operation import ANYBODY, SCOPES, UNLIMITED, AnyOperation, Rule
from octavo.kernel.records import ROLES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

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
    """Words in angle brackets would be read as tags, but in code."""
    parts = sentence.split("`")
    parts[::2] = [part.replace("<", "&lt;").replace(">", "&gt;") for part in parts[::2]]
    return "`".join(parts)


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
        f"## {group.title}\n\n{group.description}\n\n" + _table(_HEADS, [_operation(row) for row in rows])
        for group, rows in _by_group()
    ]
    return _page(
        "Operations",
        "Every operation of the API: method, path, permission and token scope.",
        """
All paths stand below `/v1`. What an operation takes and gives is described at `/docs` of your installation, where it
can be tried as well, and for programs at `/openapi.json`.

The column *Needs* names what the caller must be allowed to do: `view` on the space, for example; see
[Permissions](../permissions.md).
*Scope* is what a token that is limited to [scopes](../tokens.md) must hold; *no limited token* will do where it says so.
""",
        "\n".join(parts),
    )


_HEADS = ("Operation", "Method and path", "Needs", "Scope", "Success")


def _by_group() -> list[tuple[Group, list[AnyOperation]]]:
    found: dict[str, list[AnyOperation]] = {}
    for row in OPERATIONS:
        found.setdefault(group_of(row).name, []).append(row)
    return [(group, found[group.name]) for group in GROUPS if group.name in found]


def _operation(row: AnyOperation) -> tuple[str, ...]:
    return row.summary, f"`{row.method} {row.path}`", _who(row), _scope(row), str(row.status)


def _who(row: AnyOperation) -> str:
    """Who may, in words."""
    if isinstance(row.needs, Rule):
        said = row.needs.who
    elif row.needs == ANYBODY:
        said = "" if row.also else "every caller"
    else:
        kind, _, word = row.needs.partition(".")
        said = f"`{word}` on the {kind}"
    return "; ".join(part for part in (said, row.also) if part)


def _scope(row: AnyOperation) -> str:
    if row.scope is None:
        return "none"
    return "no limited token" if row.scope == UNLIMITED else f"`{row.scope}`"


def _permissions() -> str:
    parts = [_by_permission(kind, words) for kind, words in POLICY.items()]
    rest = [row for row in OPERATIONS if not _word(row)[1]]
    rows = [(row.summary, f"`{row.method} {row.path}`", _who(row)) for row in rest]
    parts.append("## By who asks\n\n" + _table(("Operation", "Method and path", "Who may"), rows))
    return _page(
        "Permissions",
        "Which role has which permission, and what may be done with it.",
        """
Roles are cumulative: each one may do what the roles to its left may do. The same tables decide requests and fill the
`permissions` object that every organization, space, collection and site is served with. How somebody comes to a role on
a resource is told in [Roles](roles.md).

| Answer | To whom |
| --- | --- |
| 401 | no token, or one that is unknown, revoked or expired |
| 404 | who has no role on what the path names: it is answered as if it were not there |
| 403 | who sees it, and has too low a role; a [token](tokens.md) that lacks the scope |
| 409, 412 | who may, where something else forbids it: a merge rule, a locked space, a state |

Fields of a body that an operation does not take are ignored, whoever sends them.
""",
        "\n".join(parts),
    )


def _word(row: AnyOperation) -> tuple[str, str]:
    """The kind and the word of the policy table that a row needs; empty where it needs none."""
    kind, _, word = row.needs.partition(".") if isinstance(row.needs, str) else ("", "", "")
    return (kind, word) if word else ("", "")


def _by_permission(kind: str, words: Mapping[str, str]) -> str:
    """The permissions of a kind with their roles, and the operations that need them."""
    held = [(f"`{word}`", *("✓" if _has(role, least) else "" for role in ROLES)) for word, least in words.items()]
    rows = [
        (
            row.summary,
            f"`{row.method} {row.path}`",
            f"`{_word(row)[1]}`" + (f"; {row.also}" if row.also else ""),
            words[_word(row)[1]],
        )
        for row in OPERATIONS
        if _word(row)[0] == kind
    ]
    return (
        f"## {kind.capitalize()}\n\n"
        + _table(("Permission", *ROLES), held)
        + "\n"
        + _table(("Operation", "Method and path", "Needs", "From role"), rows)
    )


def _tokens() -> str:
    asked: dict[str, list[str]] = {scope: [] for scope in (*SCOPES, UNLIMITED)}
    for row in OPERATIONS:
        if row.scope is not None:
            asked[row.scope].append(row.summary)
    rows = [(f"`{scope}`", " · ".join(asked[scope]) or "nothing yet") for scope in SCOPES]
    unlimited = "\n".join(f"* {summary}" for summary in asked[UNLIMITED])
    return _page(
        "Tokens and scopes",
        "What programs call the API with, and how a token is limited.",
        """
A token acts for one user, with the roles that the user has at that moment. It is made on the page `/account/tokens`, by the
[command line](command-line.md#octavo-token-create), or by the API, and shown this once: Octavo keeps its hash.

```bash
curl -X POST https://docs.example.com/v1/user/tokens -H 'Authorization: Bearer octavo_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"label": "Nightly import", "scopes": ["space:read", "space:write"], "expiresAt": "2027-06-30T00:00:00Z"}'
```

| Request | What it does |
| --- | --- |
| `GET /v1/user/tokens` | Lists your tokens: label, scopes, when they were made, expire and were last used |
| `POST /v1/user/tokens` | Makes one; `label` has up to 50 characters, and all fields may be left out |
| `GET /v1/user/tokens/{token}` | Gives one of them |
| `DELETE /v1/user/tokens/{token}` | Revokes one, by its id |

Without `scopes` a token may do whatever its user may do, without `expiresAt` it does not expire. A token that is made with
another one has no scope that this lacks, and does not outlive it. A token revokes itself, and those that can do nothing
that it cannot. A user has up to 100 tokens. A revoked one is refused by every process in less than a second. `lastUsedAt`
is true within five minutes.

Octavo puts `octavo_…` for tokens in errors and log lines, should somebody put one where an id belongs.
""",
        "## Scopes\n\n"
        "A limited token does what its scopes name, as far as its user may. Each scope stands alone: `space:write` does not\n"
        "bring `space:read`.\n\n" + _table(("Scope", "For"), rows) + "\n## Beyond scopes\n\n"
        "Whatever its scopes, a limited token cannot do the following:\n\n" + unlimited,
    )


def _audit_actions() -> str:
    rows = [(f"`{row.audit}`", row.summary, "an operation") for row in OPERATIONS if row.audit is not None]
    rows += [(f"`{action}`", said, "elsewhere") for action, said in OTHER_ACTIONS.items()]
    return _page(
        "Actions of the audit log",
        "Every action that the audit log tells of.",
        """
What the [audit log](../running/audit.md) tells of is called by these words, and none of them ever changes its meaning.
Where the console or the command line does the same as an operation of the API, the action is the same too.
""",
        _table(("Action", "What was done", "By"), sorted(rows)),
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
    "reference/tokens.md": _tokens,
    "reference/audit-actions.md": _audit_actions,
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
