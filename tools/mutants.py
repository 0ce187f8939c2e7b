"""Sample mutants of what decides most, and ask the tests that concern each: `python tools/mutants.py [target…]`.

A mutant is one comparison, boolean operator, constant or `not` changed. Cosmic Ray makes them and runs the tests, in copies
of the tree; this file chooses which, by lot. The lot of a mutant is drawn from a fixed seed and the line that it changes:
what is written elsewhere alters nothing about whether it is looked at, and what is written anew takes its chance. It fails
when less than 95 % of those that can be told apart die.

What only the type checker reads is left as it is, and so are numbers that a module names: how long or how many was chosen,
not concluded, and a test could but say the number again. `AT_ONCE=1` leaves the machine to others, `SEED=21` looks elsewhere.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from compileall import compile_dir
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import SimpleQueue

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_and_test, mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.testing import run_tests
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkResult

ROOT = Path(__file__).parents[1]
SAMPLE, LEAST = 90, 0.95
SEED = int(os.environ.get("SEED", "20"))
AT_ONCE = int(os.environ.get("AT_ONCE", "2"))
_COMPARISONS = ("Eq_NotEq", "NotEq_Eq", "Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Is_IsNot", "IsNot_Is")
OPERATORS = [
    *(f"core/ReplaceComparisonOperator_{name}" for name in _COMPARISONS),
    "core/ReplaceAndWithOr", "core/ReplaceOrWithAnd", "core/ReplaceTrueWithFalse", "core/ReplaceFalseWithTrue",
    "core/NumberReplacer", "core/ReplaceUnaryOperator_Delete_Not", "core/AddNot",
]  # fmt: skip
_TYPED = re.compile(r"class |@dataclass\(|if TYPE_CHECKING:")
_NAMED = re.compile(r"_?[A-Z][A-Z_]* = ")


@dataclass(frozen=True)
class Target:
    """Modules below `src/octavo`, and the tests below `tests` that concern them."""

    modules: tuple[str, ...]
    tests: str


TARGETS = {
    "signing": Target(("access/signing.py",), "access/test_signing.py"),
    "roles": Target(("access/standing.py", "access/policy.py", "access/caller.py"), "access contract/test_standing.py"),
    "locate": Target(
        ("access/locate.py",),
        "contract/test_foreign_ids.py resources/people/test_notifications.py contract/test_matrix.py"
        " resources/library/test_spaces_life.py",
    ),
    "login": Target(
        ("access/people/login.py", "access/people/sessions.py"),
        "access/test_proving.py console sso/test_signing_in.py resources/people/test_audit.py",
    ),
    "joining": Target(
        ("access/people/joining.py",),
        "resources/people/test_invites.py resources/people/test_email_invites.py console/test_invites.py"
        " resources/people/test_organizations_life.py sso/test_signing_in.py",
    ),
    "rules": Target(
        ("access/review",),
        "access/test_merge_rules.py access/test_comments.py resources/review/test_change_requests_merge.py",
    ),
    "merge": Target(
        ("content/merge",),
        # The laws come last: what an example sees need not be searched for.
        "content/merging/test_merge_fields.py content/merging/test_merge_places.py content/merging/test_merge_texts.py"
        " content/merging/test_merge_laws.py",
    ),
    "trie": Target(("content/trie.py",), "content/test_trie.py content/test_comparison.py"),
    "heads": Target(
        ("history/joining.py",),
        "resources/review/test_change_requests_merging.py resources/review/test_merging_ahead.py"
        " resources/review/test_change_requests_merge.py",
    ),
    "worker": Target(("jobs/worker.py",), "jobs/test_worker.py jobs/test_worker_keys.py store/test_jobs_waiting.py"),
}

EQUIVALENT = {
    "made: str = self._saml.dumps([provider, browser, now, secrets.token_urlsafe( 8)])": "a byte less is as rarely the same",
    "age = max( -1, (session.expires_at - now) // SECOND)": "less than no second is none to a browser",
    "made.append(spread( 2, before, after)[0])": "the first of two places between is between as well",
    "return otherwise if parts.scheme and parts.netloc else word": "the pattern above lets nothing through that has either",
    'key = hashlib.blake2b(self._secret.encode(), digest_size= 31, person=b"octavo exchange").digest()': (
        "a byte less of a key that nobody keeps is as hard to guess"
    ),
    'return hashlib.blake2b(self._secret.encode(), digest_size= 31, person=b"octavo visit").digest()': (
        "a byte less of a key is as hard to guess, and a visit is short"
    ),
    "return SeenMember(found[ -1])": "who asks for one id finds one or none",
    'old = base or File(id=ours.id, name="", content_type="", size= -1, blob="")': (
        "what bytes are like goes with them: old ones are told apart by `blob` alone"
    ),
    "value = secrets.token_urlsafe( 33)": "a byte more is as hard to guess",
}
"""A changed line, as it reads then -> why nobody can tell."""


@dataclass(frozen=True)
class Mutant:
    """One change; `line` counts from 1."""

    module: str
    line: int
    operator: str
    occurrence: int
    start: tuple[int, int]
    end: tuple[int, int]
    lot: bytes
    """By which it is chosen, or not."""


def mutants(target: Target) -> Iterator[Mutant]:
    """Everything that could be changed."""
    for name in target.modules:
        found = ROOT / "src/octavo" / name
        for path in sorted(found.rglob("*.py")) if found.is_dir() else (found,):
            nodes, lines = list(ast_nodes(get_ast_from_path(path))), path.read_text().splitlines()
            for operator in OPERATORS:
                made = get_operator(operator)()
                places = (place for node in nodes for place in made.mutation_positions(node))
                for occurrence, (start, end) in enumerate(places):
                    line = lines[start[0] - 1]
                    if _decides(line, operator):
                        module = str(path.relative_to(ROOT))
                        lot = _lot(module, line, lines[: start[0]].count(line), start[1], operator)
                        yield Mutant(module, start[0], operator, occurrence, start, end, lot)


def _decides(line: str, operator: str) -> bool:
    return not _TYPED.match(line.lstrip()) and not (operator.endswith("NumberReplacer") and _NAMED.match(line))


def _lot(*what: str | int) -> bytes:
    return blake2b(f"{SEED} {what}".encode()).digest()


def sample(names: list[str], count: int) -> list[tuple[str, Mutant]]:
    """So many in all, from each target by its share, places ahead of ways to change one place."""
    found = {name: list(mutants(TARGETS[name])) for name in names}
    total = sum(map(len, found.values()))
    chosen: list[tuple[str, Mutant]] = []
    for name, every in found.items():
        every.sort(key=lambda one: one.lot, reverse=True)
        # Of the ways to change one place the last is kept, in the order in which the places came first.
        places = filter(_compiles, {(one.module, one.start): one for one in every}.values())
        chosen += [(name, one) for one in islice(places, max(3, round(count * len(every) / total)))]
    return chosen


def _compiles(mutant: Mutant) -> bool:
    """Whether it is Python: what is none dies of that, and says nothing of any test."""
    try:
        made = mutate_code((ROOT / mutant.module).read_text(), get_operator(mutant.operator)(), mutant.occurrence)
        compile(made, mutant.module, "exec")
    except SyntaxError:
        return False
    return True


def command(target: Target) -> str:
    tests = " ".join(f"tests/{one}" for one in target.tests.split())
    return f"{sys.executable} -m pytest -x -n 0 -p no:cacheprovider {tests}"


class Trees:
    """Copies of the tree, one for each that works at the same time: mutants are written into them."""

    def __init__(self, folder: Path) -> None:
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        self._free: SimpleQueue[Path] = SimpleQueue()
        for number in range(AT_ONCE):
            tree = folder / str(number)
            for name in listed.splitlines():
                if (ROOT / name).is_file():
                    (tree / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(ROOT / name, tree / name)
            # Compiled once, and compiled anew by what a file holds: a mutant may be as long and as old as what it was.
            compile_dir(tree / "src", quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
            self._free.put(tree)

    def plain(self, target: Target) -> float:
        """Seconds that the tests take of what was not changed; ends the program where they fail."""
        tree, begun = self._free.get(), time.monotonic()
        outcome, output = run_tests(_within(tree, target), 1800)
        self._free.put(tree)
        if outcome != TestOutcome.SURVIVED:
            raise SystemExit(f"{target.tests} fail without a mutant:\n{output}")
        return time.monotonic() - begun

    def judged(self, target: Target, mutant: Mutant, seconds: float) -> WorkResult:
        tree = self._free.get()
        spec = MutationSpec(tree / mutant.module, mutant.operator, mutant.occurrence, mutant.start, mutant.end)
        result = mutate_and_test([spec], _within(tree, target), seconds)
        self._free.put(tree)
        return result


def _within(tree: Path, target: Target) -> str:
    return (
        f"env -u PYTHONDONTWRITEBYTECODE -C {tree} PYTHONPATH={tree / 'src'} OCTAVO_TEST_ENGINES=sqlite"
        f" OCTAVO_TEST_PROFILE=mutants {command(target)}"
    )


def _changed(result: WorkResult) -> str:
    """The line as the mutant has it."""
    lines = (result.diff or "").splitlines()
    return next((one[1:].strip() for one in lines if one.startswith("+") and not one.startswith("+++")), "?")


def main() -> None:
    names = sys.argv[1:] or list(TARGETS)
    chosen = sample(names, SAMPLE if len(names) == len(TARGETS) else SAMPLE * len(names) // len(TARGETS))
    survived: list[str] = []
    equivalent = 0
    with tempfile.TemporaryDirectory(prefix="octavo-mutants-") as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        trees = Trees(Path(folder))
        took = dict(zip(names, pool.map(lambda name: trees.plain(TARGETS[name]), names)))
        results = pool.map(lambda one: trees.judged(TARGETS[one[0]], one[1], 20 + 5 * took[one[0]]), chosen)
        for (name, mutant), result in zip(chosen, results):
            line = _changed(result)
            if result.test_outcome == TestOutcome.INCOMPETENT:
                raise SystemExit(f"no test was run of {line!r}:\n{result.output}")
            if result.is_killed:
                word = "killed by the time it took" if result.output == "timeout" else "killed"
            elif line in EQUIVALENT:
                word, equivalent = f"equivalent: {EQUIVALENT[line]}", equivalent + 1
            else:
                word = "SURVIVED"
                survived.append(f"{mutant.module}:{mutant.line}: {line}")
            print(
                f"{name:8} {mutant.module}:{mutant.line} {mutant.operator.partition('/')[2]} {line!r}: {word}",
                flush=True,
            )
    told = len(chosen) - equivalent
    killed = told - len(survived)
    print(f"{len(chosen)} mutants, {equivalent} equivalent; {killed} of {told} killed", *survived, sep="\n")
    if killed < LEAST * told:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
