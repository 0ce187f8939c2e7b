"""What the export of an organization says of itself to whoever opens it."""

from __future__ import annotations

from collections.abc import Collection

from octavo.kernel.records import Json
from octavo.manifests.manifest import Manifest
from octavo.manifests.rows import PERSON
from octavo.manifests.sums import SUMS

README = "README.md"
_HEAD = """# {title}

An organization of Octavo, exported by version {version}. `octavo import` makes it again:

```bash
octavo import FOLDER
```

makes an organization of its own, with the ids and people of this one; `--organization ID` takes one that is there.

| Here | What it is |
| --- | --- |
| `octavo.json` | Collections, spaces, sites and fonts, with their ids |
| `spaces/` | The content of each space |
| `states/` | What change requests propose and what translations were made of: the files that are others than in the space |
| `sites/` | The `docs.yaml` of each site |
| `pictures/` | Logos, icons and pictures of previews that looks of sites name, by their digests |
"""
_FILES = {
    "organization.json": "Settings of the organization",
    "people.json": "People with their roles, teams, and invitations by e-mail",
    "access.json": "Roles on spaces, collections and sites",
    "specifications.json": "API specifications, with the texts of their versions below `specifications/`",
    "translations.json": "What is translated into which languages",
    "change-requests.json": "Change requests that are not decided, with their reviews",
    "comments.json": "Comments on spaces and on these change requests",
    "glossary.json": "What terms are called in each language",
    "translation-memory.json": "What was translated before",
    "webhooks.json": "Webhooks",
    "integrations.json": "Integrations and where they are installed, with their files below `integrations/`",
    "sign-in.json": "Identity providers",
    "git.json": "The branches that spaces and sites are kept the same as",
    "feedback.json": "What readers said of pages",
    "secrets.json": "Secrets, sealed",
    "SHA256SUMS": "The digests of all files: `sha256sum --check SHA256SUMS`",
}
_TAIL = """
## What has to be set anew

* **Passwords.** People are named by their e-mail addresses, and found by them. Who has no account gets one without a password,
  and signs in by a code by mail, by single sign-on, or with a password that the operator sets. Tokens and sessions end.
* **Secrets**, where the installation has another secret than the one that wrote this: keys of share links and of visitors,
  webhooks, credentials of Git, configurations of integrations. The import says which. Where the secret is the same they come
  back from `secrets.json`; who gives this folder away may leave that file and its line in `SHA256SUMS` out.
* **Hostnames and domains** are proven again, and links that invite anybody are made again.
* **Git**: branches that were kept the same are paused, as two installations would write to one branch.

Not here, and in a backup of the installation only: history, change requests that were decided, the audit log.
"""


def told_readme(manifest: Manifest, told: dict[str, Json], files: Collection[str]) -> bytes:
    """The same for the same export; `files` are those at its top."""
    lines = [f"| `{name}` | {what} |\n" for name, what in _FILES.items() if name in files or name == SUMS]
    names = [
        str(one["user"]).removeprefix(PERSON) for one in told["people.json"]["members"] if one.get("role") == "admin"
    ]
    admins = f"\nAdmins: {', '.join(names)}.\n" if names else ""
    return (_HEAD.format(title=manifest.title, version=manifest.octavo) + "".join(lines) + admins + _TAIL).encode()
