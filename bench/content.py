"""Seeded documentation repositories: pages of the usual size and make, no two alike."""

from __future__ import annotations

import random
from itertools import accumulate
from pathlib import Path

MEDIAN = 4096
"""Characters of Markdown on the median page."""
LAST = 500
"""Characters by which the last part of a page goes beyond what was wanted, usually."""
SPREAD = 0.5
"""Standard deviation of the logarithm of a page's size."""
IN_GROUP = 40
"""Pages of one group of the table of contents."""
IN_BRANCH = 6
"""Pages of a branch inside a group: one with five below it."""
VOCABULARY = 8000
_SYLLABLES = [a + b for a in "bcdfglmnprstvz" for b in ("a", "e", "i", "o", "u", "en", "or", "ist")]
_HINTS = ("info", "success", "warning", "danger")


class Author:
    """Writes pages; the same seed writes the same ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        words: dict[str, None] = {}
        while len(words) < VOCABULARY:
            words["".join(self._random.choices(_SYLLABLES, k=self._random.choice((1, 2, 2, 3, 3, 4))))] = None
        self._words = [*words]
        self._weights = [*accumulate(1 / (rank + 3) for rank in range(VOCABULARY))]

    def title(self) -> str:
        return " ".join(self._some(self._random.randint(2, 4))).capitalize()

    def page(self, title: str, others: list[str]) -> str:
        """A page of about the usual size that links to `others`."""
        wanted = MEDIAN * self._random.lognormvariate(0, SPREAD) - LAST
        parts = [f"---\ndescription: {self._sentence()}\n---", f"# {title}", self._paragraph(others)]
        size = sum(map(len, parts))
        makers = (self._section, self._section, self._code, self._hint, self._tabs, self._list, self._table)
        while size < wanted:
            part = self._random.choice(makers)(others)
            parts.append(part)
            size += len(part) + 2
        return "\n\n".join(parts) + "\n"

    def _some(self, count: int) -> list[str]:
        return self._random.choices(self._words, cum_weights=self._weights, k=count)

    def _sentence(self) -> str:
        return " ".join(self._some(self._random.randint(6, 18))).capitalize() + "."

    def _paragraph(self, others: list[str]) -> str:
        sentences = [self._sentence() for _ in range(self._random.randint(2, 5))]
        first, second = self._some(2)
        sentences.append(f"The **{first}** is set by `{second}`.")
        if others and self._random.random() < 0.4:
            sentences.append(f"See [{self.title()}]({self._random.choice(others)}).")
        return " ".join(sentences)

    def _section(self, others: list[str]) -> str:
        level = self._random.choice(("##", "##", "###"))
        return f"{level} {self.title()}\n\n{self._paragraph(others)}\n\n{self._paragraph(others)}"

    def _code(self, others: list[str]) -> str:
        name, argument, value, helper = self._some(4)
        number = self._random.randrange(1_000_000)
        made = {
            "python": f'def {name}({argument}: int = {number}) -> str:\n    """{self._sentence()}"""\n'
            f"    for {value} in range({argument}):\n        {helper}({value}, size=0x{number:x})\n"
            f'    return f"{{{argument}}} {value}"',
            "json": f'{{\n  "{name}": {number},\n  "{argument}": ["{value}", "{helper}", null, true]\n}}',
            "bash": f'export {name.upper()}="{number}"\ncurl -X POST "https://example.org/{argument}" \\\n'
            f"  -H 'Content-Type: application/json' | grep {value}",
            "yaml": f"{name}:\n  {argument}: {number}\n  {value}:\n    - {helper}  # {self._sentence()}\n    - on",
        }
        syntax = self._random.choice([*made])
        return f"```{syntax}\n{made[syntax]}\n```"

    def _hint(self, others: list[str]) -> str:
        return f'{{% hint style="{self._random.choice(_HINTS)}" %}}\n{self._paragraph(others)}\n{{% endhint %}}'

    def _tabs(self, others: list[str]) -> str:
        tabs = [
            f'{{% tab title="{self.title()}" %}}\n{self._paragraph(others)}\n\n{self._code(others)}\n{{% endtab %}}'
            for _ in range(2)
        ]
        return "\n\n".join(("{% tabs %}", *tabs, "{% endtabs %}"))

    def _list(self, others: list[str]) -> str:
        mark = self._random.choice(("*", "1.", "* [ ]"))
        return "\n".join(f"{mark} {self._sentence()}" for _ in range(self._random.randint(3, 6)))

    def _table(self, others: list[str]) -> str:
        rows = [" | ".join(self._some(3)) for _ in range(self._random.randint(3, 8))]
        head = " | ".join(word.capitalize() for word in self._some(3))
        return "\n".join(f"| {row} |" for row in (head, "--- | --- | ---", *rows))


def write_repository(folder: Path, pages: int, seed: int) -> list[str]:
    """Write a repository of that many pages with its table of contents; returns their paths below the site's."""
    author = Author(seed)
    files = ["README.md"]
    titles = [author.title() for _ in range(pages)]
    contents = ["# Table of contents", "", f"* [{titles[0]}](README.md)"]
    branch = ""
    for at in range(1, pages):
        group, place = divmod(at - 1, IN_GROUP)
        if place == 0:
            contents += ["", f"## Group {group}", ""]
        inside = place % IN_BRANCH
        if inside == 0:
            branch = f"group-{group}/topic-{at}"
            files.append(f"{branch}/README.md")
        else:
            files.append(f"{branch}/page-{at}.md")
        contents.append(f"{'  ' * (inside > 0)}* [{titles[at]}]({files[-1]})")
    for at, (name, title) in enumerate(zip(files, titles)):
        near = [files[other % pages] for other in (at + 1, at + 7, at + 31)]
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * name.count("/")
        target.write_text(author.page(title, [up + one for one in near]), "utf-8")
    (folder / "SUMMARY.md").write_text("\n".join(contents) + "\n", "utf-8")
    return [name.removesuffix(".md").removesuffix("README").rstrip("/") for name in files]
