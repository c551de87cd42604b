"""The newest events, the alert and the question, between the board and the input line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cli.table.scene.scene import Scene
from cli.table.words.commands import Order
from cli.table.words.keymap import key_of
from cli.text.layout import EMPTY, Line, block, both_ends, indented, styled, width, wrapped
from p2p_stratego.core.game import Choose, Commit
from p2p_stratego.core.language import _

FRAME: Final = 4
"""Rows for the title, the input line, the choices and the footer."""


@dataclass(frozen=True, slots=True)
class NewsRows:
    """The rows above the input line."""

    lines: list[Line]
    covers: bool = False
    """Whether they take rows of the board that come back once the news are read."""


def news_rows(scene: Scene, columns: int, rows: int) -> NewsRows:
    """The recent events, an alert or hint, and the question, on a screen of so many rows.

    The board stays whole but for the rows that its game can spare.  Then the rows go, in this order, to the
    whole question; the newest event; the beginning of an alert, or the explanation of the laid piece; all
    events since the player's own decision, unless an answer is begun; the proofs;
    the ways to answer.
    For a player who points at a place, or has one answer only, and on a tall screen, the ways to answer come
    before the older events; they stand below an alert, too.  News that were read give the spared rows back:
    the newest event then gets the rows that the others leave, and the history has all of it.
    """
    question = [
        *_counsel(scene, columns),
        *_whole_or_cut(indented(styled(scene.question, "question"), columns - 1), _QUESTION),
    ]
    events = [sentence(checked, text, columns) for checked, text in scene.news]
    notices = attention(scene, columns - 3)
    proved = sentence(False, scene.proved, columns) if scene.proved else []
    newest = len(events[-1]) if events else 0
    news = sum(map(len, events)) if scene.own else newest
    kept = newest if scene.typed else news
    due = min(len(notices), _ALERT) if scene.alert or scene.typed else 0
    pressing = due if scene.alert else min(len(notices), _due(scene, rows))
    most = rows - FRAME - _board_rows(scene, columns, rows)
    spare = scene.terminal.result_rows if lays(scene) else scene.terminal.spare_rows
    folded = max(
        (2 if rows < 28 else 3 if rows < 36 else 4) + 2,
        min(len(question) + news + max(due, pressing), most - bool(scene.terminal.result_rows)),
        min(len(question) + pressing, most + spare),
    )
    height = max(
        folded,
        min(len(question) + news + max(due, pressing), most),
        min(len(question) + kept + pressing, most + spare),
        min(len(question) + kept + (scene.alert is not None), most + scene.terminal.result_rows),
    )
    if scene.read:
        left = folded - len(question)
        newest = min(newest, max(left - pressing, 1))
        kept = kept if kept + pressing <= left else newest
    left = (folded if scene.read else height) - len(question)
    if proved and sum(map(len, events)) + len(proved) + pressing <= left:
        events.append(proved)
        kept += len(proved)
    shown = max(left - kept, min(pressing, left - newest), int(scene.alert is not None))
    notices = _whole_or_cut(notices, shown)
    if scene.alert is not None and scene.how and scene.mode == "move":
        how = wrapped(_how(scene), columns - 3, 3)
        notices += how if len(notices) + len(how) + kept <= left else []
    left -= len(notices)
    lines = [
        *_events(events, columns, left, own=scene.own),
        *block([*notices, *question], columns, len(notices) + len(question)),
    ]
    return NewsRows(lines, covers=height > folded and not scene.read)


def _counsel(scene: Scene, columns: int) -> list[Line]:
    """The coach's sentence, if it stands above the question."""
    if not scene.counsel:
        return []
    counsel = (
        *styled(_(" Coach ({key}): ", key=key_of(Order.COACH)), "panel"),
        *styled(scene.counsel, "told"),
    )
    return _whole_or_cut(wrapped(counsel, columns - 1, 3), _QUESTION)


def _board_rows(scene: Scene, columns: int, rows: int) -> int:
    """The rows that news leave to the board, and to the tray where it has to stay."""
    board = scene.terminal.board
    least, lowest = board.LEAST
    if scene.terminal.board_first:
        high = board.fitting(max(least, columns - 38), max(rows - FRAME - _SAID - 1, lowest))[1]
        if high > lowest:
            return high + 1
    return lowest + int(scene.terminal.tray_stays or (lays(scene) and not scene.terminal.result_rows))


_SAID: Final = 5
"""Rows for news and question beside which a larger board is worth its rows."""


def lays(scene: Scene) -> bool:
    """Whether the player lays pieces: out of the tray, and on the lower side of the board."""
    return scene.context is not None and isinstance(scene.context.view.decision, Commit)


def _points(scene: Scene) -> bool:
    """Whether the player points at a place, and has typed nothing."""
    return scene.context is not None and bool(scene.context.cursor) and not scene.typed


def _due(scene: Scene, rows: int) -> int:
    """Rows of the ways to answer, or of the laid piece, that go before all news but the newest.

    If one answer is possible, as in talks, the offered words do not tell the others that can be typed.
    A tall screen has room for many news, and never so many that nobody reads how to answer.
    """
    decision = None if scene.context is None else scene.context.view.decision
    if isinstance(decision, Choose) and len(decision.options) == 1:
        return _HOW
    return int(rows >= _TALL or lays(scene) or _points(scene))


_TALL: Final = 36
"""From so many rows on a screen is tall."""


_HOW: Final = 2
"""Rows that how to answer may take before older news."""


_ALERT: Final = 4
"""Rows that an alert may ask for."""


_QUESTION: Final = 2
"""Rows that a question may take."""


def _whole_or_cut(lines: list[Line], most: int) -> list[Line]:
    """At most so many lines, with a sign where some are left out."""
    if len(lines) <= most:
        return lines
    if not most:
        return []
    return [*lines[: most - 1], (*lines[most - 1], ("class:dim", " …"))]


def _events(events: list[list[Line]], columns: int, rows: int, *, own: bool) -> list[Line]:
    """The recent events, the newest last: as many sentences as fit, each whole.

    The result of the player's `own` decision goes before all others but the newest.
    """
    if not rows:
        return []
    first: list[Line] = []
    if own and len(events) > 1 and len(events[0]) + len(events[-1]) <= rows:
        first, *events = events
    shown, left_out = _newest(events, rows - len(first))
    lines = [*first, *shown]
    more = styled(_(" … {left_out} more: {key} ", left_out=left_out, key=key_of(Order.HISTORY)), "dim")
    if left_out and first and width(first[-1]) + width(more) <= columns:
        lines[len(first) - 1] = both_ends(first[-1], more, columns)
    return block(lines, columns, rows)


def sentence(checked: bool, text: str, columns: int) -> list[Line]:
    return indented((*_sign(checked), *styled(text, "told")), columns - 2)


def _sign(checked: bool) -> Line:
    return styled("✓ ", "good") if checked else styled("▶ ", "told")


def _newest(events: Sequence[list[Line]], rows: int) -> tuple[list[Line], int]:
    """As many of the last sentences as fit into `rows`, or the beginning of the last one; and how many are
    left out before them.
    """
    shown: list[Line] = []
    for at, lines in enumerate(reversed(events)):
        if len(lines) + len(shown) > rows:
            return (shown, len(events) - at) if shown else (_whole_or_cut(lines, rows), len(events) - 1)
        shown = lines + shown
    return shown, 0


def attention(scene: Scene, columns: int) -> list[Line]:
    """An alert; else the ways to answer, and an explanation of the typed text or the pointed place."""
    if scene.alert is not None:
        tone, text = scene.alert
        sign = styled(" ⚠ " if tone in ("warn", "bad") else " ", tone)
        return wrapped((*sign, *styled(text, tone)), columns, 3)
    explained = scene.terminal.panels.explain(scene.context) if scene.context else EMPTY
    how = wrapped(_how(scene), columns, 3) if scene.how else []
    if not explained or scene.mode != "move":
        return how
    return [*(how if _points(scene) else []), *wrapped((("", " "), *explained), columns, 3)]


def _how(scene: Scene) -> Line:
    return styled(_(" Type {how}.", how=scene.how), "dim") if scene.how else EMPTY
