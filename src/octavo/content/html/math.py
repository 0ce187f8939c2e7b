"""LaTeX formulas as MathML."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from octavo.content.html.escape import escape

if TYPE_CHECKING:
    from math_core import LatexToMathML

LENGTH = 4000
"""Characters of the longest formula that is set."""

# The converter recurses on the machine's stack, so what nests too deeply has to be kept from it.
_NESTING = 60
_COMMANDS = 400


@cache
def _converter() -> LatexToMathML:
    from math_core import LatexToMathML  # with the first formula: no start needs it

    return LatexToMathML(fancy_error=False, max_expansions=1)


@lru_cache(maxsize=2048)
def mathml(formula: str, display: bool) -> str:
    """A `<math>` element; a formula that cannot be set is its escaped source with the reason as title."""
    if len(formula) > LENGTH or formula.count("\\") > _COMMANDS or _nesting(formula) > _NESTING:
        return _source(formula, "too large")
    from math_core import LatexError

    try:
        return _converter().convert_with_local_state(formula, displaystyle=display)
    except (LatexError, UnicodeEncodeError) as error:
        return _source(formula, str(error))


def _nesting(formula: str) -> int:
    depth = deepest = 0
    for character in formula:
        if character == "{":
            depth += 1
            deepest = max(deepest, depth)
        elif character == "}":
            depth -= 1
    return deepest


def _source(formula: str, reason: str) -> str:
    return f'<code class="math-error" title="{escape(reason)}">{escape(formula)}</code>'
