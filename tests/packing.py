"""Packing JSON as LZ-String does, without its dictionary of words: whoever unpacks it reads the same."""

from __future__ import annotations

import msgspec

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"


def packed(value: object) -> str:
    """A value in ASCII as it stands in an address."""
    bits: list[int] = []

    def put(number: int, count: int) -> None:
        bits.extend(number >> power & 1 for power in range(count))

    first, *rest = msgspec.json.encode(value).decode("ascii")
    codes, following, left, width = {first: 3}, 4, 4, 3
    put(0, 2)
    put(ord(first), 8)
    for letter in rest:
        if letter in codes:
            put(codes[letter], width)
            words = 1
        else:
            put(0, width)
            put(ord(letter), 8)
            codes[letter] = following
            words = 2
        for _ in range(words):
            following, left = following + 1, left - 1
            if left == 0:
                left, width = 1 << width, width + 1
    put(2, width)
    bits += [0] * (-len(bits) % 6)
    return "".join(_ALPHABET[int("".join(map(str, bits[at : at + 6])), 2)] for at in range(0, len(bits), 6))
