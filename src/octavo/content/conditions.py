"""Conditions of visitors: the language of `if` blocks, page conditions and inline expressions.

A condition is one JavaScript expression over `visitor.claims`, `visitor.claims.unsigned`, `space.vars` and `page.vars`.
It is read by an own parser and evaluated in bounded steps, depth and sizes; nothing is called out to.

Deviations from JavaScript, all on the side of caution: access below a missing claim (`visitor.claims.a.b` without `a`)
has no value, so that the whole condition does not hold; `in` also asks arrays and strings what they contain; regular
expressions, assignment, spread and `?.` are refused; there are no globals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from octavo.content import condition_syntax as syntax
from octavo.content.condition_syntax import Syntax, SyntaxFault
from octavo.content.condition_values import (
    DEEPEST_CALL,
    UNDEFINED,
    Budget,
    ConditionError,
    Function,
    Purse,
    contains,
    equal,
    kind,
    member,
    method,
    number,
    primitive,
    same,
    string,
    truthy,
)

__all__ = [
    "UNDEFINED",
    "ConditionError",
    "Expression",
    "Purse",
    "check",
    "compile",
    "names",
    "printed",
]

Names = Mapping[str, Any]
Step = Callable[[Budget, Names], Any]


class Expression:
    """A condition that was read once and can be asked for many visitors. Make it by `compile`."""

    __slots__ = ("_step", "error", "names")

    def __init__(self, source: str) -> None:
        self.error: str | None = None
        self.names: frozenset[str] = frozenset()
        self._step: Step | None = None
        try:
            tree = syntax.parse(source)
            self._step = _build(tree)
            self.names = frozenset(_used(tree, frozenset()))
        except SyntaxFault as fault:
            self.error = str(fault)

    def value(self, scope: Names, purse: Purse | None = None) -> Any:
        """The value for the names in `scope`: JSON, or UNDEFINED. `purse` is shared by the conditions of one page.

        Raises ConditionError where the syntax is wrong, a name below a missing one is asked for, an operand does not
        fit, or the work is more than the bounds allow.
        """
        if self._step is None:
            raise ConditionError(self.error)
        budget = Budget(purse)
        try:
            return self._step(budget, scope)
        except RecursionError as error:
            raise ConditionError("The condition is nested too deeply.") from error
        except (ArithmeticError, MemoryError) as error:
            raise ConditionError("The condition makes a value that is too large.") from error
        finally:
            budget.settle()

    def holds(self, scope: Names, purse: Purse | None = None) -> bool:
        """Whether the value is true in JavaScript's sense. Blank text holds; anything that goes wrong does not."""
        try:
            return truthy(self.value(scope, purse))
        except ConditionError:
            return False


@lru_cache(maxsize=4096)
def compile(source: str) -> Expression:
    """The expression of a text; never raises: wrong syntax is in `.error`, and such a condition does not hold."""
    return Expression(source)


def names(source: str) -> frozenset[str]:
    """What of the scope decides the value, as names of up to three parts: `visitor.claims.plan`, `page.vars.x`.

    A shorter name stands for everything below it, so that the values of these names make a cache key.
    """
    return compile(source).names


def check(source: str) -> str | None:
    """A sentence about the first thing wrong with the syntax, or None."""
    return compile(source).error


def printed(source: str, scope: Names, purse: Purse | None = None) -> str:
    """The value as text: of strings, numbers and booleans; null, undefined, lists, objects and errors leave nothing."""
    try:
        value = compile(source).value(scope, purse) if source.strip() else UNDEFINED
    except ConditionError:
        return ""
    return string(value) if isinstance(value, (str, bool, int, float)) else ""


def _used(tree: Syntax, hidden: frozenset[str]) -> Iterator[str]:
    """Names of the scope below a tree; `hidden` are parameters of the arrow functions around it."""
    if isinstance(tree, syntax.Arrow):
        yield from _used(tree.body, hidden.union(tree.parameters))
        return
    if path := _path(tree):
        if path[0] not in hidden:
            yield ".".join(path[:3])
        return
    parts = syntax.parts(tree)
    if isinstance(tree, syntax.Call) and isinstance(tree.callee, syntax.Member):
        # The last part is a method: `visitor.claims.plan.startsWith("x")` hangs on the plan.
        parts = [tree.callee.of, tree.callee.key, *tree.arguments]
    for part in parts:
        yield from _used(part, hidden)


def _path(tree: Syntax) -> list[str] | None:
    """The parts of `a.b["c"]`, or None for everything else."""
    backwards: list[str] = []
    while isinstance(tree, syntax.Member):
        if not isinstance(tree.key, syntax.Literal) or not isinstance(tree.key.value, str):
            return None
        backwards.append(tree.key.value)
        tree = tree.of
    return [tree.name, *reversed(backwards)] if isinstance(tree, syntax.Name) else None


def _build(tree: Syntax) -> Step:
    """The tree as nested functions: twice as fast as walking it again for every visitor."""
    match tree:
        case syntax.Literal(value):
            return lambda budget, names: value
        case syntax.Name(name):
            return _name(name)
        case syntax.Member():
            return _member(tree)
        case syntax.Call():
            return _call(tree)
        case syntax.Arrow():
            return _arrow(tree)
        case syntax.Unary():
            return _unary(tree)
        case syntax.Binary():
            return _binary(tree)
        case syntax.Logical():
            return _logical(tree)
        case syntax.Choice():
            return _choice(tree)
        case syntax.Sequence():
            return _sequence(tree)
        case syntax.Array(items):
            steps = [_build(item) for item in items]
            return lambda budget, names: budget.items([step(budget, names) for step in steps])
        case syntax.Object(members):
            named = [(name, _build(item)) for name, item in members]
            return lambda budget, names: {name: step(budget, names) for name, step in named}
        case syntax.Template():
            return _template(tree)


def _name(name: str) -> Step:
    def step(budget: Budget, names: Names) -> Any:
        budget.spend()
        return names.get(name, UNDEFINED)

    return step


def _member(tree: syntax.Member) -> Step:
    of, key = _build(tree.of), _build(tree.key)

    def step(budget: Budget, names: Names) -> Any:
        budget.spend()
        value, name = of(budget, names), key(budget, names)
        if isinstance(name, list):
            budget.converted(name)
        return member(value, name)

    return step


def _call(tree: syntax.Call) -> Step:
    arguments = [_build(argument) for argument in tree.arguments]
    if isinstance(tree.callee, syntax.Member):
        return _method(tree.callee, arguments)
    callee = _build(tree.callee)

    def step(budget: Budget, names: Names) -> Any:
        function = callee(budget, names)
        if not isinstance(function, Function):
            raise ConditionError("Only arrow functions and methods can be called.")
        return function.call(budget, [argument(budget, names) for argument in arguments])

    return step


def _method(callee: syntax.Member, arguments: list[Step]) -> Step:
    of, key = _build(callee.of), _build(callee.key)

    def step(budget: Budget, names: Names) -> Any:
        budget.spend()
        value, name = of(budget, names), key(budget, names)
        budget.converted(name)
        return method(budget, value, string(name), [argument(budget, names) for argument in arguments])

    return step


def _arrow(tree: syntax.Arrow) -> Step:
    body, parameters = _build(tree.body), tree.parameters

    def step(budget: Budget, names: Names) -> Any:
        def call(budget: Budget, given: list[Any]) -> Any:
            budget.spend(32 * len(names))
            if budget.calls >= DEEPEST_CALL:
                raise ConditionError("Arrow functions call each other too deeply.")
            budget.calls += 1
            missing = [UNDEFINED] * max(0, len(parameters) - len(given))
            result = body(budget, {**names, **dict(zip(parameters, [*given, *missing]))})
            budget.calls -= 1
            return result

        return Function(call)

    return step


def _unary(tree: syntax.Unary) -> Step:
    operand = _build(tree.operand)
    apply: Callable[[Any], Any] = {
        "!": lambda value: not truthy(value),
        "-": lambda value: -number(value),
        "+": number,
        "~": lambda value: float(~_whole(value)),
        "typeof": kind,
        "void": lambda value: UNDEFINED,
    }[tree.operator]

    def step(budget: Budget, names: Names) -> Any:
        value = operand(budget, names)
        budget.converted(value)
        return apply(value)

    return step


def _binary(tree: syntax.Binary) -> Step:
    left, right = _build(tree.left), _build(tree.right)
    apply = _OPERATORS[tree.operator]

    def step(budget: Budget, names: Names) -> Any:
        one, other = left(budget, names), right(budget, names)
        # Comparing and searching cost what the operands weigh.
        budget.converted(one, other)
        made = apply(one, other)
        return budget.string(made) if isinstance(made, str) else made

    return step


def _logical(tree: syntax.Logical) -> Step:
    first = [_build(operand) for operand in tree.operands[:-1]]
    last = _build(tree.operands[-1])
    settled: Callable[[Any], bool] = {
        "&&": lambda value: not truthy(value),
        "||": truthy,
        "??": lambda value: value is not None and value is not UNDEFINED,
    }[tree.operator]

    def step(budget: Budget, names: Names) -> Any:
        for operand in first:
            value = operand(budget, names)
            if settled(value):
                return value
        return last(budget, names)

    return step


def _choice(tree: syntax.Choice) -> Step:
    test, then, otherwise = _build(tree.test), _build(tree.then), _build(tree.otherwise)
    return lambda budget, names: (then if truthy(test(budget, names)) else otherwise)(budget, names)


def _sequence(tree: syntax.Sequence) -> Step:
    steps = [_build(item) for item in tree.items]

    def step(budget: Budget, names: Names) -> Any:
        value: Any = UNDEFINED
        for item in steps:
            value = item(budget, names)
        return value

    return step


def _template(tree: syntax.Template) -> Step:
    parts = [part if isinstance(part, str) else _build(part) for part in tree.parts]

    def step(budget: Budget, names: Names) -> Any:
        made = ""
        for part in parts:
            value = part if isinstance(part, str) else part(budget, names)
            budget.converted(value)
            made = budget.string(made + string(value))
        return made

    return step


def _add(left: Any, right: Any) -> Any:
    left, right = primitive(left), primitive(right)
    if isinstance(left, str) or isinstance(right, str):
        return string(left) + string(right)
    return number(left) + number(right)


def _divide(left: Any, right: Any) -> float:
    top, below = number(left), number(right)
    if below:
        return top / below
    if top != top or not top:
        return math.nan
    return math.copysign(math.inf, top) * math.copysign(1.0, below)


def _remainder(left: Any, right: Any) -> float:
    top, below = number(left), number(right)
    return math.nan if not below or math.isinf(top) or top != top else math.fmod(top, below)


def _power(left: Any, right: Any) -> float:
    base, exponent = number(left), number(right)
    if exponent != exponent or (abs(base) == 1 and math.isinf(exponent)):
        return math.nan
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 == 1 else math.inf
    except ValueError:
        return math.inf if base == 0 else math.nan


def _whole(value: Any) -> int:
    """What bitwise operators make of a value: an integer of 32 bits, with its sign."""
    double = number(value)
    if not math.isfinite(double):
        return 0
    return (int(double) + 2**31) % 2**32 - 2**31


def _bitwise(apply: Callable[[int, int], int]) -> Callable[[Any, Any], float]:
    return lambda left, right: float(_whole(apply(_whole(left), _whole(right))))


def _ordered(test: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def compare(left: Any, right: Any) -> bool:
        left, right = primitive(left), primitive(right)
        if isinstance(left, str) and isinstance(right, str):
            return test(left, right)
        return test(number(left), number(right))

    return compare


_OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "==": equal,
    "!=": lambda left, right: not equal(left, right),
    "===": same,
    "!==": lambda left, right: not same(left, right),
    "<": _ordered(lambda left, right: left < right),
    "<=": _ordered(lambda left, right: left <= right),
    ">": _ordered(lambda left, right: left > right),
    ">=": _ordered(lambda left, right: left >= right),
    "in": contains,
    "+": _add,
    "-": lambda left, right: number(left) - number(right),
    "*": lambda left, right: number(left) * number(right),
    "/": _divide,
    "%": _remainder,
    "**": _power,
    "&": _bitwise(lambda left, right: left & right),
    "|": _bitwise(lambda left, right: left | right),
    "^": _bitwise(lambda left, right: left ^ right),
    "<<": _bitwise(lambda left, right: left << (right & 31)),
    ">>": _bitwise(lambda left, right: left >> (right & 31)),
    ">>>": lambda left, right: float((_whole(left) % 2**32) >> (_whole(right) & 31)),
}
