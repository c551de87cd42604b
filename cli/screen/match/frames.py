"""Frames of the events at a table: a pure function from an event and a time of it to a box of lines.

A time runs from 0.0, nothing has happened, to 1.0, all is over and can be read.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from typing import Final, TypeVar, cast

from cli.games.drama import Capture, CardTurn, DiceRoll, DramaEvent, Duel, Figure, PointsChange, Walk
from cli.text.layout import EMPTY, Line, beside, block, boxed, centred, fit, styled, wrapped

COLUMNS: Final = 46
"""Columns of the box; it fits on every screen that shows a board."""
_INNER: Final = COLUMNS - 4
_CARD: Final = 13
"""Columns of a card."""
_WIDTHS: Final = (13, 9, 5, 1, 5, 9, 13)
"""Of a card while it turns: its back becomes narrow, its face wide."""
_CAPTION: Final = 2
"""Rows for the sentence below."""
_COLOURS: Final = 5
"""Seats that have a colour of their own."""
E = TypeVar("E", bound=DramaEvent)


def frame(event: DramaEvent, time: float) -> list[Line]:
    """The box at a time of an event."""
    draw = cast("Callable[[DramaEvent, float], list[Line]]", _DRAW[type(event)])
    return boxed(event.title, block(draw(event, min(max(time, 0.0), 1.0)), _INNER, _ROWS), COLUMNS, "told")


_ROWS: Final = 7
ROWS: Final = _ROWS + 2
"""Rows of the box."""


def _part(time: float, start: float, end: float) -> float:
    """How much of the part from `start` to `end` is over, from 0.0 to 1.0."""
    return min(max((time - start) / (end - start), 0.0), 1.0)


def _seat(figure_seat: int) -> str:
    return str(figure_seat % _COLOURS)


def _caption(text: str, style: str, *, shown: bool) -> list[Line]:
    lines = wrapped(styled(text, style), _INNER)[:_CAPTION] if shown else []
    return [centred(line, _INNER) for line in lines]


def _card(figure: Figure, turned: float, *, fallen: bool = False, wins: bool = False) -> list[Line]:
    """A card in four rows of _CARD cells, turned so far; a fallen card is crossed out."""
    step = min(floor(turned * len(_WIDTHS)), len(_WIDTHS) - 1)
    wide, face = _WIDTHS[step], step > len(_WIDTHS) // 2
    seat = _seat(figure.seat)
    if wide == 1:
        return [centred(styled("│", f"seat{seat}"), _CARD)] * 4
    style = "dim" if fallen else "chosen" if wins else f"tile{seat}"
    sign = figure.sign if face else "░░░"
    name = figure.name if face else ""
    middle = [f"✗ {sign} ✗" if fallen else f"★ {sign} ★" if wins else sign, name]
    edge = f"seat{seat}"

    def inside(text: str) -> Line:
        return (*styled("│", edge), *centred(styled(text, style), wide - 2), *styled("│", edge))

    rows = [
        styled(f"╭{'─' * (wide - 2)}╮", edge),
        *map(inside, middle),
        styled(f"╰{'─' * (wide - 2)}╯", edge),
    ]
    return [centred(row, _CARD) for row in rows]


def _duel(event: Duel, time: float) -> list[Line]:
    turned, over = _part(time, 0.1, 0.5), time >= 0.65
    left = _card(
        event.left, turned, fallen=over and event.stands != "left", wins=over and event.stands == "left"
    )
    right = _card(
        event.right, turned, fallen=over and event.stands != "right", wins=over and event.stands == "right"
    )
    gap = _INNER - 2 * _CARD
    clash = styled("× × ×" if 0.5 <= time < 0.65 else "×" if not over else _ARROWS[event.stands], "strong")
    between = [EMPTY, centred(clash, gap), EMPTY, EMPTY]
    middle = beside(left, beside(between, right, gap), _CARD)
    names = beside(
        [centred(styled(event.left.owner, f"seat{_seat(event.left.seat)}"), _CARD)],
        [(*fit(EMPTY, gap), *centred(styled(event.right.owner, f"seat{_seat(event.right.seat)}"), _CARD))],
        _CARD,
    )
    return [*names, *middle, *_caption(event.why, "strong", shown=over)]


_ARROWS: Final = {"left": "▶", "right": "◀", "neither": "✗"}
"""Who goes on."""


def _turned(event: CardTurn, time: float) -> list[Line]:
    over = time >= 0.6
    owner = centred(styled(event.card.owner, f"seat{_seat(event.card.seat)}"), _INNER)
    card = [centred(row, _INNER) for row in _card(event.card, _part(time, 0.0, 0.6))]
    return [owner, *card, *_caption(event.sentence, "good" if event.good else "bad", shown=over)]


def _counted(event: PointsChange, time: float) -> list[Line]:
    now = event.start + round((event.end - event.start) * _part(time, 0.1, 0.8))
    wide = 20
    filled = round(min(max(now, 0), event.most) / event.most * wide)
    seat = f"seat{_seat(event.seat)}"
    track = (*styled("█" * filled, seat), *styled("░" * (wide - filled), "dim"))
    line = (*track, *styled(f" {now:>3}", "strong"), *styled(f" /{event.most}", "dim"))
    return [
        EMPTY,
        centred(styled(event.name, seat), _INNER),
        EMPTY,
        centred(line, _INNER),
        EMPTY,
        *_caption(event.sentence, "strong", shown=time >= 0.8),
    ]


def _walked(event: Walk, time: float) -> list[Line]:
    now = event.start + round((event.end - event.start) * _part(time, 0.1, 0.8))
    steps = range(event.low, event.high + 1)
    wide = max(min(3, _INNER // len(steps)), 1)
    agents, track = "", EMPTY
    for step in steps:
        agents += ("▼" if step == now else " ").center(wide)
        sign = "⚑" if step in (event.low, event.high) else "·" if step else "○"
        seat = event.seats[0] if step == event.low else event.seats[1]
        style = f"seat{_seat(seat)}" if step in (event.low, event.high) else "rule"
        track = (*track, *styled(sign.center(wide), "target" if step == now else style))
    return [
        EMPTY,
        EMPTY,
        centred(styled(agents, "agent"), _INNER),
        centred(track, _INNER),
        EMPTY,
        *_caption(event.sentence, "strong", shown=time >= 0.8),
    ]


def _rolled(event: DiceRoll, time: float) -> list[Line]:
    """Each die tumbles, then lies; the order of its sides while it tumbles means nothing."""
    shown = EMPTY
    for at, roll in enumerate(event.rolls):
        lies = time >= 0.25 + 0.5 * (at + 1) / len(event.rolls)
        side = roll if lies else (floor(time * 20) * 5 + at * 3 + 1) % 6 + 1
        shown = (*shown, *styled(f" ▐{side}▌ ", "strong" if lies else "dim"))
    caption = _caption(event.sentence, "strong", shown=time >= 0.75)
    return [EMPTY, EMPTY, centred(shown, _INNER), EMPTY, EMPTY, *caption]


def _taken(event: Capture, time: float) -> list[Line]:
    """A flag goes up its pole."""
    high = 4 - floor(_part(time, 0.0, 0.6) * 4)
    sign = styled(event.sign * 3, f"seat{_seat(event.seat)}")
    pole = styled("▐", "rule")
    rows = [centred((*pole, *fit(sign if row == high else EMPTY, 3)), _INNER) for row in range(5)]
    return [*rows, *_caption(event.sentence, "strong", shown=time >= 0.5)]


_DRAW: Final = {
    Duel: _duel,
    CardTurn: _turned,
    PointsChange: _counted,
    Walk: _walked,
    DiceRoll: _rolled,
    Capture: _taken,
}
