"""Reading what LZ-String packed for an address: one JSON value in few characters, as clients send it in a query."""

from __future__ import annotations

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"
_VALUES = {letter: value for value, letter in enumerate(_ALPHABET)} | {"-": 63, "/": 63, "$": 64, "=": 64}
_BITS = 6


def unpacked(packed: str, most: int) -> str:
    """The text. Raises ValueError for what was packed otherwise, and for more than `most` characters.

    >>> unpacked("N4IghiBcCMC+Q", 100)
    '{"a":1}'
    """
    bits = _Bits(packed.replace(" ", "+"))
    words: list[str] = []
    first = _literal(bits, bits.take(2))
    if not first:
        return ""
    words.append(first)
    known = {3: first}
    made, size, before, left, width = first, 1, first, 4, 3
    result = [made]
    while True:
        code = bits.take(width)
        if code < 2:
            known[len(known) + 3] = _literal(bits, code)
            code, left = len(known) + 2, left - 1
        elif code == 2:
            # It packs halves of surrogate pairs apart.
            return "".join(result).encode("utf-16", "surrogatepass").decode("utf-16")
        if left == 0:
            left, width = 1 << width, width + 1
        word = known.get(code) or (before + before[0] if code == len(known) + 3 else None)
        if word is None:
            raise ValueError("it is not packed by LZ-String")
        size += len(word)
        if size > most:
            raise ValueError(f"it is more than {most} characters")
        result.append(word)
        known[len(known) + 3] = before + word[0]
        before, left = word, left - 1
        if left == 0:
            left, width = 1 << width, width + 1


def _literal(bits: _Bits, code: int) -> str:
    """A character that has not been met; nothing for the end."""
    if code == 2:
        return ""
    if code > 2:
        raise ValueError("it is not packed by LZ-String")
    return chr(bits.take(16 if code else 8))


class _Bits:
    """The bits of the letters, numbers with their lowest bit first."""

    def __init__(self, packed: str) -> None:
        self._packed, self._at = packed, 0

    def take(self, count: int) -> int:
        made = 0
        for power in range(count):
            place, offset = divmod(self._at, _BITS)
            value = _VALUES.get(self._packed[place]) if place < len(self._packed) else None
            if value is None:
                raise ValueError("it is not packed by LZ-String, or it is cut off")
            made |= (value >> (_BITS - 1 - offset) & 1) << power
            self._at += 1
        return made
