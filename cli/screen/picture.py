"""The picture of the first screen: two forts, closed and open cards, and the double agent between them.

It is put together from small drawings, as wide as the window allows.  Every sign has an ASCII sign that
stands for it (`cli.text.layout.ascii_line`), and every colour a class of the themes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.text.layout import EMPTY, Line, centred, styled, width

_LETTERS: Final = {
    "P": ("████ ", "█  █ ", "████ ", "█    ", "█    "),
    "2": ("████ ", "   █ ", "████ ", "█    ", "████ "),
    "S": ("████ ", "█    ", "████ ", "   █ ", "████ "),
    "T": ("█████", "  █  ", "  █  ", "  █  ", "  █  "),
    "R": ("████ ", "█  █ ", "███  ", "█  █ ", "█  █ "),
    "A": ("████ ", "█  █ ", "████ ", "█  █ ", "█  █ "),
    "E": ("████ ", "█    ", "███  ", "█    ", "████ "),
    "G": ("████ ", "█    ", "█ ██ ", "█  █ ", "████ "),
    "O": ("████ ", "█  █ ", "█  █ ", "█  █ ", "████ "),
}
_NAME: Final = (("P2P", "target"), ("STRA", "seat0"), ("TEGO", "seat1"))
"""The name in three parts, each in a class of its own."""
_FORT: Final = ("   ⚑   ", "   │   ", "█ █ █ █", "███████", "███░███")
_AGENT: Final = ("   ╭─╮   ", "  ─┴─┴─  ", "   ◉ ◉   ", "   ╰▼╯   ")
_TRACK: Final = "· · "
_CARDS: Final = ("27?5", "?9?3")
"""The faces of red's cards, from its fort on, and of blue's, from the middle on."""
_CARD: Final = 6
"""Cells of a card, with the gap beside it."""
_WIDE: Final = 140
"""Columns from which the name is drawn twice as large."""


def draw(columns: int, rows: int) -> list[Line]:
    """The highest picture that fits into so many cells; no lines if none fits."""
    name, scene = _name(1), list(_scene(columns))
    large = [*_name(2), EMPTY, EMPTY, *scene] if columns >= _WIDE else []
    pictures: Sequence[list[Line]] = (large, [*name, EMPTY, EMPTY, *scene], scene)
    fitting = (art for art in pictures if art and len(art) <= rows and max(map(width, art)) <= columns)
    return [centred(line, columns) for line in next(fitting, [])]


def _name(scale: int) -> list[Line]:
    """The name in large letters, each part of a letter `scale` times as large."""
    lines: list[Line] = []
    for row in range(5):
        line: Line = EMPTY
        for number, (text, style) in enumerate(_NAME):
            cells = " ".join(_LETTERS[letter][row] for letter in text)
            line += styled(" " * scale * 2 * (number == 1) + "".join(c * scale for c in f"{cells} "), style)
        lines += [line] * scale
    return lines


def _scene(columns: int) -> Iterator[Line]:
    """Fort, cards, the agent on its track, cards, fort: in five rows."""
    cards = 3 if columns < 100 else 4
    gap = "" if columns < 100 else " " * min((columns - 94) // 4, 12)
    steps = max((columns - 2 * (len(_FORT[0]) + 2 + len(gap) * 2 + cards * _CARD) - 12) // 8, 0)
    steps = min(steps, 4)
    middle = len(_AGENT[0]) + 2 * steps * len(_TRACK)
    for row in range(5):
        yield (
            *_fort(row, 0),
            *styled(f"  {gap}"),
            *_row_of_cards(row, 0, cards),
            *styled(gap),
            *_middle(row, middle, steps),
            *styled(f" {gap}"),
            *_row_of_cards(row, 1, cards),
            *styled(f" {gap}"),
            *_fort(row, 1),
        )


def _fort(row: int, seat: int) -> Line:
    return styled(_FORT[row], "target" if row == 0 else f"seat{seat}")


def _middle(row: int, columns: int, steps: int) -> Line:
    """The double agent, and below it the track from wall to wall."""
    if row < len(_AGENT):
        return centred(styled(_AGENT[row], "target"), columns)
    track = styled(_TRACK * steps, "dim")
    return (*track, *styled("    ◆ ", "target"), *styled("   ", "dim"), *track)


def _row_of_cards(row: int, seat: int, count: int) -> Iterator[tuple[str, str]]:
    """One row of a side's cards: the rank of an open one, a question mark on a closed one."""
    faces = _CARDS[seat][:count] if seat == 0 else _CARDS[seat][-count:]
    for face in faces:
        closed = face == "?"
        inner = {0: None, 1: "╭───╮", 2: f"│ {face} │", 3: "│░░░│" if closed else "│   │", 4: "╰───╯"}[row]
        look = "" if inner is None else f"back{seat}" if closed else f"face{seat}"
        yield from styled(inner or " " * (_CARD - 1), look)
        yield from styled(" ")
