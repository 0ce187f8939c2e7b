"""Texts of every kind of block and edits of them from plain numbers; each piece of text has a mark of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import strategies as st

MARK = re.compile(r"\b[bot]\d+x\b")
Next = Callable[[], str]

BLOCKS: dict[str, str] = {
    "paragraph": "Word {}. Word {}! See {}?",
    "lines": "line {}\nline {}\nline {}",
    "heading": "## Title {}",
    "list": "* item {}\n* item {}\n* item {}",
    "nested": "1. item {}\n   * below {}\n\n   more {}\n2. item {}",
    "tasks": "* [ ] task {}\n* [x] task {}",
    "table": "| {} | b |\n| --- | --- |\n| {} | {} |\n| c | {} |",
    "code": "```python\n{}\nreturn {}\n```",
    "indented": "    code {}\n    code {}",
    "hint": '{{% hint style="info" %}}\nWord {}.\n\nWord {}.\n{{% endhint %}}',
    "tabs": '{{% tabs %}}\n{{% tab title="One" %}}\nWord {}.\n{{% endtab %}}\n\n'
    '{{% tab title="Two" %}}\nWord {}.\n{{% endtab %}}\n{{% endtabs %}}',
    "details": "<details>\n\n<summary>Word {}</summary>\n\nWord {}.\n\n</details>",
    "quote": "> Word {}.\n> Word {}.",
    "formula": "$$\n{} + {}\n$$",
    "picture": '<figure><img src="a.png" alt="{}"><figcaption><p>{}</p></figcaption></figure>',
    "comment": "<!-- {} -->",
    "definition": "[{}]: https://example.org",
    "rule": "***",
}  # fmt: skip
KINDS = ("insert", "insert", "delete", "replace", "replace", "replace", "append", "swap", "front", "title")
Edit = tuple[str, int, int]
edits = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=5)
blocks = st.lists(st.sampled_from([*BLOCKS]), min_size=1, max_size=7)


@dataclass
class Text:
    """A page's text in blocks; `name` is in the marks that are made: b(ase), o(urs), t(heirs)."""

    name: str
    blocks: list[str] = field(default_factory=list)
    front: dict[str, str] = field(default_factory=dict)
    title: str = "Title"
    made: int = 0

    def mark(self) -> str:
        self.made += 1
        return f"{self.name}{self.made}x"

    def block(self, kind: str) -> str:
        template = BLOCKS[kind]
        return template.format(*(self.mark() for _ in range(template.count("{}"))))

    def __str__(self) -> str:
        front = "".join(f"{key}: {value}\n" for key, value in self.front.items())
        head = [f"---\n{front}---"] if front else []
        title = [f"# {self.title}"] if self.title else []
        return "\n\n".join([*head, *title, *self.blocks]) + "\n"

    @property
    def marks(self) -> set[str]:
        return set(MARK.findall("\n".join(self.blocks)))

    def edited(self, name: str, edits: list[Edit]) -> Text:
        made = Text(name, list(self.blocks), dict(self.front), self.title)
        for kind, a, b in edits:
            getattr(made, f"_{kind}")(a, b)
        return made

    def _insert(self, a: int, b: int) -> None:
        self.blocks.insert(a % (len(self.blocks) + 1), self.block([*BLOCKS][b % len(BLOCKS)]))

    def _delete(self, a: int, b: int) -> None:
        if self.blocks:
            del self.blocks[a % len(self.blocks)]

    def _replace(self, a: int, b: int) -> None:
        """Another word in a block."""
        if self.blocks:
            at = a % len(self.blocks)
            found = MARK.findall(self.blocks[at])
            if found:
                self.blocks[at] = self.blocks[at].replace(found[b % len(found)], self.mark())

    def _append(self, a: int, b: int) -> None:
        """A line more inside a block, where that is one still."""
        if self.blocks:
            at = a % len(self.blocks)
            lines = self.blocks[at].split("\n")
            found = [n for n, line in enumerate(lines) if MARK.search(line)]
            if found:
                line = lines[found[b % len(found)]]
                lines.insert(found[b % len(found)] + 1, MARK.sub(lambda _: self.mark(), line))
            self.blocks[at] = "\n".join(lines)

    def _swap(self, a: int, b: int) -> None:
        if self.blocks:
            block = self.blocks.pop(a % len(self.blocks))
            self.blocks.insert(b % (len(self.blocks) + 1), block)

    def _front(self, a: int, b: int) -> None:
        name = ("description", "icon", "vars")[a % 3]
        if b % 4 == 0:
            self.front.pop(name, None)
        else:
            self.front[name] = f"{{a: {b % 3}}}" if name == "vars" else f"value {b % 3}"

    def _title(self, a: int, b: int) -> None:
        self.title = ("Title", "Other", "Third", "")[a % 4]


def text(kinds: list[str], edits: list[Edit]) -> Text:
    """The common base: the blocks, and a head by the edits that are about it."""
    made = Text("b")
    made.blocks = [made.block(kind) for kind in kinds]
    return made.edited("b", [edit for edit in edits if edit[0] in ("front", "title")])
