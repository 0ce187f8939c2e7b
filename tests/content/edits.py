"""Pages of Markdown and edits of them by two people, from a seed: what merging meets, repeated lines above all."""

from __future__ import annotations

import random
from collections.abc import Callable

_TEXT = """the a page site space editor content block table section change request open close merge settings token
visitors publish domain search theme link image file team member role access review comment variable snippet"""
WORDS = _TEXT.split()

Edit = Callable[[random.Random, list[str], int], None]


def lines(text: str) -> list[str]:
    return [line + "\n" for line in text.split("\n")[:-1]] + [last for last in [text.split("\n")[-1]] if last]


def sentence(rng: random.Random, least: int = 4, most: int = 12) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(least, most))).capitalize() + "."


def _items(rng: random.Random) -> list[str]:
    return ["* " + rng.choice(["Yes", "No", sentence(rng, 3, 3)]) for _ in range(rng.randint(2, 6))]


def _code(rng: random.Random) -> list[str]:
    return ["```json", "{", *(f'  "{rng.choice(WORDS)}": true,' for _ in range(rng.randint(1, 4))), "}", "```"]


def _table(rng: random.Random) -> list[str]:
    rows = (f"| {rng.choice(WORDS)} | {rng.choice(['yes', 'no'])} |" for _ in range(rng.randint(2, 5)))
    return ["| Name | Value |", "| --- | --- |", *rows]


def paragraph(rng: random.Random) -> list[str]:
    """Lines of one block, with their ends."""
    kinds: list[Callable[[], list[str]]] = [
        *[lambda: [sentence(rng) + " " + sentence(rng)]] * 9,
        *[lambda: [sentence(rng) for _ in range(rng.randint(2, 5))]] * 3,
        *[lambda: ["## " + rng.choice(["Overview", "Example", "Notes", "Usage", sentence(rng, 3, 3)])]] * 2,
        *[lambda: _items(rng)] * 2,
        *[lambda: _code(rng)] * 2,
        lambda: _table(rng),
        lambda: ['{% hint style="info" %}', sentence(rng), "{% endhint %}"],
    ]
    return [line + "\n" for line in rng.choice(kinds)()]


def page(rng: random.Random) -> list[str]:
    made = ["---\n", f"description: {sentence(rng)}\n", "---\n", "\n"] if rng.random() < 0.5 else []
    made += [f"# {sentence(rng, 3, 3)}\n", "\n"]
    for _ in range(rng.randint(2, 14)):
        made += [*paragraph(rng), *["\n"] * rng.choice([1] * 19 + [2])]
        if rng.random() < 0.03:
            made.append("  \n")
    return made


def _word(rng: random.Random, text: list[str], at: int) -> None:
    for line in text[at : at + 1]:
        words = line.rstrip("\n").split(" ")
        words[rng.randrange(len(words))] = rng.choice(WORDS)
        text[at] = " ".join(words) + "\n"


def _space(rng: random.Random, text: list[str], at: int) -> None:
    text[at : at + 1] = [rng.choice(["\n", line.rstrip("\n") + "  \n", line.lstrip()]) for line in text[at : at + 1]]


def _insert(rng: random.Random, text: list[str], at: int) -> None:
    text[at:at] = [*paragraph(rng), "\n"]


def _insert_line(rng: random.Random, text: list[str], at: int) -> None:
    text.insert(at, rng.choice(["\n", "  \n", "* Yes\n", "```\n", sentence(rng) + "\n"]))


def _delete(rng: random.Random, text: list[str], at: int) -> None:
    del text[at : at + rng.randint(1, 6)]


def _replace(rng: random.Random, text: list[str], at: int) -> None:
    text[at : at + rng.randint(1, 5)] = paragraph(rng)


def _move(rng: random.Random, text: list[str], at: int) -> None:
    moved = text[at : at + rng.randint(1, 5)]
    del text[at : at + len(moved)]
    to = rng.randint(0, len(text))
    text[to:to] = moved


def _double(rng: random.Random, text: list[str], at: int) -> None:
    doubled = text[at : at + rng.randint(1, 5)]
    to = rng.choice([at, rng.randint(0, len(text))])
    text[to:to] = doubled


def _cut_end(rng: random.Random, text: list[str], at: int) -> None:
    text[-1:] = [line.rstrip("\n") for line in text[-1:]]


EDITS: list[Edit] = [
    *[_word] * 6, *[_insert] * 3, *[_delete] * 2, *[_insert_line] * 2, *[_move] * 2, _double, *[_replace] * 2, _space,
    _cut_end,
]  # fmt: skip


def edited(rng: random.Random, text: list[str], places: list[int]) -> list[str]:
    """What somebody made of a page: an edit at or beside some of the places, or anywhere."""
    made = list(text)
    for place in places:
        if rng.random() < 0.75:
            at = place if rng.random() < 0.35 else rng.randint(0, len(text))
            rng.choice(EDITS)(rng, made, min(max(0, at + rng.choice([0, 0, 0, -2, -1, 1, 2])), len(made)))
    return made


def sides(rng: random.Random, base: list[str]) -> tuple[str, str, str]:
    """Base, ours and theirs; the two meet often, and sometimes do the same thing."""
    places = [rng.randint(0, len(base)) for _ in range(rng.randint(1, 4))]
    three = [base, edited(rng, base, places), edited(rng, base, places)]
    if rng.random() < 0.2:
        at, same = rng.randint(0, min(map(len, three))), paragraph(rng)
        three[1:] = [[*side[:at], *same, *side[at:]] for side in three[1:]]
    end = rng.choice(["\n"] * 19 + ["\r\n"])
    first, second, third = ("".join(_closed(side)).replace("\n", end) for side in three)
    return first, second, third


def _closed(text: list[str]) -> list[str]:
    """Only the last line may be without an end."""
    return [line if line.endswith("\n") else line + "\n" for line in text[:-1]] + text[-1:]


def case(seed: int) -> tuple[str, str, str]:
    rng = random.Random(seed)
    return sides(rng, page(rng))
