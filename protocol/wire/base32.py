"""Crockford's base32, without padding: no letters to misread (https://www.crockford.com/base32.html)."""

from __future__ import annotations

from typing import Final

DIGITS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUES: Final = {digit: value for value, digit in enumerate(DIGITS)}
_READ_AS: Final = str.maketrans("ILO", "110")


def to_base32(data: bytes) -> str:
    """Five bits a digit, most significant first, the last digit filled up with zero bits; upper case."""
    spare = -len(data) * 8 % 5
    number = int.from_bytes(data, "big") << spare
    digits = (len(data) * 8 + spare) // 5
    return "".join(DIGITS[number >> 5 * place & 31] for place in range(digits - 1, -1, -1))


def from_base32(text: str) -> bytes | None:
    """The bytes, or None if `to_base32` would not write `text`; I and L are read as 1, O as 0."""
    read = text.upper().translate(_READ_AS)
    if not (text.isascii() and all(digit in _VALUES for digit in read)):  # "ß" in capitals is "SS"
        return None
    number = 0
    for digit in read:
        number = number << 5 | _VALUES[digit]
    size, spare = divmod(len(text) * 5, 8)
    if spare >= 5 or number & (1 << spare) - 1:
        return None
    return (number >> spare).to_bytes(size, "big")
