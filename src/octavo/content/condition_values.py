"""JavaScript values as conditions see them: truth, equality, conversion, and the methods of strings and arrays.

Values are what JSON gives, plus `UNDEFINED` and `Function`. Numbers are doubles; strings count and order
characters, not UTF-16 units. Nothing here calls out, and every size is bounded by `Budget`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

LONGEST_STRING: Final = 20_000
LONGEST_LIST: Final = 2_000
MOST_STEPS: Final = 20_000
PAGE_STEPS: Final = 200_000
"""What all conditions and expressions of one page may take together."""
DEEPEST_CALL: Final = 20


class ConditionError(ValueError):
    """Why a condition has no value: its syntax, a missing claim, a wrong operand, or too much work."""


class _Undefined:
    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "undefined"


UNDEFINED: Final = _Undefined()


class Purse:
    """What the evaluations of one page may still spend together."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps = PAGE_STEPS


class Budget:
    """What one evaluation may still spend, in steps."""

    __slots__ = ("_given", "_purse", "calls", "steps")

    def __init__(self, purse: Purse | None = None) -> None:
        self._purse = purse
        self._given = self.steps = MOST_STEPS if purse is None else min(MOST_STEPS, purse.steps)
        self.calls = 0

    def settle(self) -> None:
        """Take what was spent from the purse; once, at the end."""
        if self._purse is not None:
            self._purse.steps = max(0, self._purse.steps - (self._given - self.steps) - 1)

    def converted(self, *values: Any) -> None:
        """Take the steps of values that are compared or become text: a list costs all that is in it."""
        self.spend(sum(_weight(value) for value in values if isinstance(value, (str, list))))

    def spend(self, size: int = 0) -> None:
        """Take one step, and more for a large value; raises ConditionError when nothing is left."""
        self.steps -= 1 + size // 32
        if self.steps < 0:
            raise ConditionError("The condition takes too many steps.")

    def string(self, value: str) -> str:
        self.length(len(value))
        return value

    def length(self, size: float) -> None:
        if size > LONGEST_STRING:
            raise ConditionError("The condition makes a string that is too long.")
        self.spend(int(size))

    def items(self, value: list[Any]) -> list[Any]:
        if len(value) > LONGEST_LIST:
            raise ConditionError("The condition makes a list that is too long.")
        self.spend(len(value))
        return value


def _weight(value: str | list[Any], depth: int = 0) -> int:
    if isinstance(value, str):
        return len(value)
    if depth > DEEPEST_CALL:
        return 0  # such a list has no text
    return 32 * len(value) + sum(_weight(each, depth + 1) for each in value if isinstance(each, list))


class Function:
    """An arrow function together with the names around it."""

    __slots__ = ("call",)

    def __init__(self, call: Callable[[Budget, list[Any]], Any]) -> None:
        self.call = call


def truthy(value: Any) -> bool:
    """JavaScript's idea of truth: empty lists and objects are true."""
    if isinstance(value, (list, Mapping, Function)):
        return True
    return bool(value) and value == value


def kind(value: Any) -> str:
    """What `typeof` says."""
    if value is UNDEFINED:
        return "undefined"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "function" if isinstance(value, Function) else "object"


def same(left: Any, right: Any) -> bool:
    """`===`"""
    of = kind(left)
    if of != kind(right):
        return False
    if of in {"object", "function"}:
        return left is right
    return bool(left == right)


def equal(left: Any, right: Any) -> bool:
    """`==`"""
    if left is None or left is UNDEFINED:
        return right is None or right is UNDEFINED
    if right is None or right is UNDEFINED:
        return False
    of, other = kind(left), kind(right)
    if of == other:
        return same(left, right)
    if of in {"object", "function"} and other in {"object", "function"}:
        return False
    left, right = primitive(left), primitive(right)
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    return number(left) == number(right)


def number(value: Any) -> float:
    """The double of a value; NaN where there is none."""
    if isinstance(value, (bool, int, float)):
        return _double(value)
    if value is None:
        return 0.0
    if isinstance(value, str):
        return numeral(value.strip())
    return numeral(string(value).strip()) if isinstance(value, list) else math.nan


def _double(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_RADIX = re.compile(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+")
_INFINITE = {"Infinity": math.inf, "+Infinity": math.inf, "-Infinity": -math.inf}


def numeral(text: str) -> float:
    """The double that a numeral stands for: Infinity where it is beyond all of them, NaN where it is none."""
    if not text:
        return 0.0
    if _DECIMAL.fullmatch(text):
        return float(text)
    if _RADIX.fullmatch(text):
        return _double(int(text, 0))
    return _INFINITE.get(text, math.nan)


def primitive(value: Any) -> Any:
    """A string for lists and objects, everything else as it is."""
    return string(value) if isinstance(value, (list, Mapping, Function)) else value


def string(value: Any, depth: int = 0) -> str:
    """What JavaScript prints for a value."""
    if isinstance(value, str):
        return value
    if value is None or value is UNDEFINED:
        return "null" if value is None else "undefined"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return _digits(_double(value))
    if not isinstance(value, list):
        return "function" if isinstance(value, Function) else "[object Object]"
    if depth > DEEPEST_CALL or len(value) > LONGEST_LIST:
        raise ConditionError("A list is too large to be text.")
    joined = ""
    for place, item in enumerate(value):
        joined += ("," if place else "") + ("" if item is None or item is UNDEFINED else string(item, depth + 1))
        if len(joined) > LONGEST_STRING:
            raise ConditionError("A list is too large to be text.")
    return joined


def _digits(value: float) -> str:
    if value != value:
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    mantissa, _, exponent = repr(value + 0.0).partition("e")
    if not exponent:
        return mantissa.removesuffix(".0")
    power = int(exponent)
    if not -7 < power < 21:
        return f"{mantissa}e{power:+d}"
    sign, digits = ("-", mantissa[1:]) if mantissa[0] == "-" else ("", mantissa)
    digits = digits.replace(".", "")
    return sign + (digits.ljust(power + 1, "0") if power > 0 else f"0.{'0' * (-power - 1)}{digits}")


def contains(item: Any, holder: Any) -> bool:
    """`in`: an element of an array, a part of a string, a key of an object."""
    if isinstance(holder, list):
        return any(same(item, each) for each in holder)
    if isinstance(holder, str):
        return string(item) in holder
    if isinstance(holder, Mapping):
        return string(item) in holder
    raise ConditionError("The right side of in is neither a list, a string nor an object.")


_HIDDEN = frozenset({"constructor", "prototype", "__proto__", "__defineGetter__"})


def member(value: Any, key: Any) -> Any:
    """`value[key]`; raises ConditionError below null and undefined, so that a missing claim never opens a door."""
    if value is None or value is UNDEFINED:
        raise ConditionError(f"{string(value)} has no {string(key)[:80]}.")
    name = key if isinstance(key, str) else string(key)
    if name in _HIDDEN:
        return UNDEFINED
    if isinstance(value, Mapping):
        return value.get(name, UNDEFINED)
    if isinstance(value, (str, list)):
        if name == "length":
            return float(len(value))
        if name.isascii() and name.isdigit() and len(name) < 10 and int(name) < len(value):
            return value[int(name)]
    return UNDEFINED


def method(budget: Budget, value: Any, name: str, given: list[Any]) -> Any:
    """`value.name(…given)`; raises ConditionError where there is no such method."""
    budget.converted(*given)
    table = _OF_STRINGS if isinstance(value, str) else _OF_LISTS if isinstance(value, list) else {}
    found = table.get(name)
    if found is not None:
        return found(budget, value, given)
    if name == "toString" and isinstance(value, (bool, int, float)) and not given:
        return string(value)
    raise ConditionError(f"{string(value)[:40]} has no method {name}.")


def _argument(given: list[Any], place: int = 0) -> Any:
    return given[place] if place < len(given) else UNDEFINED


def _whole(value: Any, default: int, size: int) -> int:
    """An argument that counts characters or items, kept within twice the size so that no huge number is made."""
    if value is UNDEFINED:
        return default
    found = number(value)
    return 0 if found != found else int(max(-size - 1.0, min(size + 1.0, found)))


def _at(budget: Budget, value: Any, given: list[Any]) -> Any:
    place = _whole(_argument(given), 0, len(value))
    return value[place] if -len(value) <= place < len(value) else UNDEFINED


def _slice(budget: Budget, value: Any, given: list[Any]) -> Any:
    size = len(value)
    start, end = _whole(_argument(given), 0, size), _whole(_argument(given, 1), size, size)
    start, end = (max(0, size + place) if place < 0 else place for place in (start, end))
    budget.spend(size)
    return value[start:end]


def _repeat(budget: Budget, value: str, given: list[Any]) -> str:
    times = number(_argument(given))
    times = 0.0 if times != times else times
    if times < 0 or math.isinf(times):
        raise ConditionError("A string cannot be repeated that often.")
    budget.length(len(value) * float(int(times)))
    return value * int(times) if value else ""


def _split(budget: Budget, value: str, given: list[Any]) -> list[str]:
    budget.spend(len(value))
    separator = _argument(given)
    if separator is UNDEFINED:
        return [value]
    by = string(separator)
    limit = _whole(_argument(given, 1), LONGEST_LIST + 1, LONGEST_LIST)
    if by:
        return budget.items(value.split(by)[: max(0, limit)])
    return budget.items(list(value[: max(0, limit)]))


def _match(budget: Budget, value: str, given: list[Any]) -> list[str] | None:
    """Without regular expressions a pattern is plain text; one with special characters is refused."""
    wanted = string(_argument(given)) if given else ""
    if re.search(r"[\\^$.*+?()\[\]{}|]", wanted):
        raise ConditionError("Regular expressions cannot be used in a condition.")
    budget.spend(len(value))
    return [wanted] if wanted in value else None


def _find_text(test: Callable[[str, str, int], Any]) -> Callable[[Budget, Any, list[Any]], Any]:
    def find(budget: Budget, value: str, given: list[Any]) -> Any:
        budget.spend(len(value))
        start = max(0, _whole(_argument(given, 1), 0, len(value)))
        return test(value, string(_argument(given)), start)

    return find


def _ends_with(budget: Budget, value: str, given: list[Any]) -> bool:
    end = max(0, _whole(_argument(given, 1), len(value), len(value)))
    return value[:end].endswith(string(_argument(given)))


def _plain(change: Callable[[str], str]) -> Callable[[Budget, Any, list[Any]], Any]:
    return lambda budget, value, given: budget.string(change(value))


def _concat_text(budget: Budget, value: str, given: list[Any]) -> str:
    for each in given:
        value = budget.string(value + string(each))
    return value


def _concat(budget: Budget, value: list[Any], given: list[Any]) -> list[Any]:
    joined = list(budget.items(value))
    for each in given:
        joined += each if isinstance(each, list) else [each]
        budget.items(joined)
    return joined


def _includes(budget: Budget, value: list[Any], given: list[Any]) -> bool:
    budget.spend(32 * len(value))
    wanted = _argument(given)
    return any(same(wanted, each) or (each != each and wanted != wanted) for each in value)


def _index_of(budget: Budget, value: list[Any], given: list[Any]) -> float:
    budget.spend(32 * len(value))
    return float(next((place for place, each in enumerate(value) if same(_argument(given), each)), -1))


def _join(budget: Budget, value: list[Any], given: list[Any]) -> str:
    by = "," if _argument(given) is UNDEFINED else string(given[0])
    budget.length(len(by) * max(0, len(value) - 1))
    joined = ""
    for place, each in enumerate(value):
        joined += (by if place else "") + ("" if each is None or each is UNDEFINED else string(each))
        budget.length(len(joined))
    return joined


def _answers(budget: Budget, value: list[Any], given: list[Any]) -> Any:
    """(item, what the callback says of it) for every item in turn."""
    callback = _argument(given)
    if not isinstance(callback, Function):
        raise ConditionError("An arrow function is missing.")
    return ((each, callback.call(budget, [each, float(place), value])) for place, each in enumerate(value))


def _some(budget: Budget, value: list[Any], given: list[Any]) -> bool:
    return any(truthy(answer) for _, answer in _answers(budget, value, given))


def _every(budget: Budget, value: list[Any], given: list[Any]) -> bool:
    return all(truthy(answer) for _, answer in _answers(budget, value, given))


def _map(budget: Budget, value: list[Any], given: list[Any]) -> list[Any]:
    return [answer for _, answer in _answers(budget, budget.items(value), given)]


def _filter(budget: Budget, value: list[Any], given: list[Any]) -> list[Any]:
    return [each for each, answer in _answers(budget, budget.items(value), given) if truthy(answer)]


def _find(budget: Budget, value: list[Any], given: list[Any]) -> Any:
    return next((each for each, answer in _answers(budget, value, given) if truthy(answer)), UNDEFINED)


_Method = Callable[[Budget, Any, list[Any]], Any]
_OF_STRINGS: Final[dict[str, _Method]] = {
    "at": _at,
    "concat": _concat_text,
    "endsWith": _ends_with,
    "includes": _find_text(lambda value, wanted, start: value.find(wanted, start) >= 0),
    "indexOf": _find_text(lambda value, wanted, start: float(value.find(wanted, start))),
    "match": _match,
    "repeat": _repeat,
    "slice": _slice,
    "split": _split,
    "startsWith": _find_text(lambda value, wanted, start: value.startswith(wanted, start)),
    "toLowerCase": _plain(str.lower),
    "toString": _plain(str),
    "toUpperCase": _plain(str.upper),
    "trim": _plain(str.strip),
    "trimEnd": _plain(str.rstrip),
    "trimStart": _plain(str.lstrip),
}
_OF_LISTS: Final[dict[str, _Method]] = {
    "at": _at,
    "concat": _concat,
    "every": _every,
    "filter": _filter,
    "find": _find,
    "includes": _includes,
    "indexOf": _index_of,
    "join": _join,
    "map": _map,
    "slice": _slice,
    "some": _some,
    "toString": lambda budget, value, given: budget.string(string(value)),
}
