"""A recorded or watched game as a screen: board, moves, what happened, a line of time, and the keys of now.

A pure function from a place in the game to lines.  Keys and steps are marked as places, for the mouse
(`cli.text.layout`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from cli.games.interface import THE_END, Players, ViewContext, terminal
from cli.studies.analysis.analysing import Analysed
from cli.studies.analysis.analysis_text import decision, picture, sides, title
from cli.studies.playback import SPEEDS, Replay
from cli.text.layout import (
    EMPTY,
    Line,
    beside,
    block,
    both_ends,
    fit,
    longest,
    marked,
    overlaid,
    styled,
    width,
    wrapped,
)
from p2p_stratego.core.analysis import Judgement
from p2p_stratego.core.game import Face, Slot
from p2p_stratego.core.language import _, _c, mark
from p2p_stratego.core.view import View

_LEAST_PICTURE = 5
"""Rows of the smallest picture of the chance to win."""
_MOST_PICTURE = 11


def judgement(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The panel: the chance to win, each decision of the step, and a picture where rows are left for it."""
    analysis = replay.analysed
    if analysis is None:
        return [EMPTY, *_indented(_("The game is being analysed ..."), "dim", columns)]
    lines = [part for sentence in sides(analysis, replay.at) for part in _indented(sentence, "", columns)]
    decided = analysis.at(replay.at)
    lines += [part for judged in decided for part in (EMPTY, *_decision(analysis, judged, columns))]
    if not decided:
        lines += [EMPTY, *_indented(_nothing(replay, analysis), "dim", columns)]
    left = rows - len(lines) - 2
    if left >= _LEAST_PICTURE and analysis.chances:
        lines += [EMPTY, *_indented(title(analysis, replay.seat), "dim", columns)[:1]]
        high = min(left - (left % 2 == 0), _MOST_PICTURE)
        lines += picture(analysis, replay.seat, columns - 1, high, replay.at - 1)
    return lines


def _nothing(replay: Replay, analysis: Analysed) -> str:
    """Why there is no decision to show."""
    last = analysis.judged[-1].made.step if analysis.judged else 0
    if last < replay.at and replay.judging:
        return _("This step is being analysed ...")
    return _("Nobody decided anything in this step.")


def _indented(text: str, style: str, columns: int, hang: int = 1) -> list[Line]:
    return wrapped((("", " "), *(styled(text, style) if style else styled(text))), columns, hang + 1)


def _decision(analysis: Analysed, judged: Judgement, columns: int) -> list[Line]:
    """One decision, its heading first and the rest moved in."""
    (style, heading), *rest = decision(analysis, judged)
    lines = _indented(heading, style, columns)
    return lines + [part for style, text in rest for part in _indented(f"  {text}", style, columns, 2)]


KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "next": ("right", "down", "l", "j"),
    "enter": ("enter",),
    "back": ("left", "up", "backspace", "p", "h", "k"),
    "forth": ("pagedown",),
    "far back": ("pageup",),
    "first": ("home", "g"),
    "last": ("end", "G"),
    "play": ("space",),
    "faster": ("+", "="),
    "slower": ("-",),
    "event": ("e", "tab"),
    "event back": ("E", "s-tab"),
    "moves": ("m",),
    "search": ("/",),
    "found": ("n",),
    "found back": ("N",),
    "view": ("v",),
    "turn": ("t",),
    "open": ("o",),
    "analysis": ("a",),
    "keys": ("?", "f1"),
    "close": ("escape",),
    "quit": ("q", "c-c", "c-d"),
}
"""By command (`Replay.go`), the keys for it.  Esc leaves where there is nothing to close."""
ABOUT: Final[tuple[tuple[str, str], ...]] = (
    ("→ ↓ l j", mark("the next step; Enter and n go there too")),
    ("← ↑ h k p", mark("the step before")),
    (mark("PgDn PgUp"), mark("ten steps on, ten steps back")),
    (mark("Home End"), mark("the first step, the last one; so do g and G")),
    (mark("Space"), mark("play by itself, and stop")),
    ("+ -", mark("faster, slower")),
    ("e E", mark("the next event, the one before; so do Tab and Shift-Tab")),
    ("m", mark("the moves: step through them, Enter stays there, Esc goes back")),
    ("/", mark("search in what is told; then n and N: the next place, the one before")),
    ("v", mark("through whose eyes: each player's in turn, then everybody's")),
    ("o", mark("open all that is known at the end, and close it again")),
    ("t", mark("turn the board")),
    ("a", mark("what the strong bot says of this step's decisions; it knows all cards")),
    ("q", mark("leave; Esc does where nothing is to be closed")),
    (mark("mouse"), mark("click on a move, the line of time, a key below; the wheel steps")),
)
STEP: Final = "step-"
"""The prefix of places that are steps; a number follows."""
KEY: Final = "key-"
"""The prefix of places that are keys; a command follows, with a hyphen for its blank."""
_TEXT: Final = 5
"""Rows for the sentences of a step, if the board leaves no more."""
_MOST_TEXT: Final = 12
_FRAME: Final = 3
"""Rows for the title, the line of time and the keys."""
_SIDE: Final = 34
"""Columns that the moves beside the board need at least."""
_ASKED_SIDE: Final = 46
"""Columns that they get, at the cost of the board, if they were asked for."""
_JUDGED_SIDE: Final = 28
"""Columns that an analysis beside the board needs at least."""
_MOST_SIDE: Final = 90


def screen(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The whole screen: exactly `rows` lines of `columns` cells."""
    if not replay.story.steps:
        return _before_the_first_step(replay, columns, rows)
    table, sentences = _middle(replay, columns, rows)
    lines = [
        _title(replay, columns),
        *table.lines,
        *sentences,
        timeline(replay, columns),
        _footer(replay, columns, rows),
    ]
    return lines if rows >= _FRAME else lines[-rows:]


def cut(replay: Replay, columns: int, rows: int) -> bool:
    """Whether the analysis beside the board has no room for all of its text."""
    return bool(replay.story.steps) and _middle(replay, columns, rows).table.cut


class _Table(NamedTuple):
    lines: list[Line]
    """The board, and the pane beside it or in its place."""
    cut: bool = False
    """Whether text of the pane is left out, so that the board stays."""


class _Rows(NamedTuple):
    table: _Table
    text: list[Line]


def _middle(replay: Replay, columns: int, rows: int) -> _Rows:
    """All between the title and the line of time."""
    left = max(rows - _FRAME, 0)
    board = terminal(replay.story.game).board
    texts = [
        *[styled(text) for text in _sentences(replay)],
        *[styled(replay.note, "good")] * bool(replay.note),
    ]
    lines = [line for text in texts for line in wrapped((("", " "), *text), columns, 2)]
    most = min(max(len(lines), _TEXT), _MOST_TEXT)
    text_rows = min(max(_TEXT, min(most, left - board.LEAST[1])), left)
    high = left - text_rows
    if replay.pane == "keys":
        text_rows = 0
    elif replay.pane in ("analysis", "whole"):
        text_rows = min(text_rows, len(lines))
    sentences = block(lines[-text_rows:] if text_rows else [], columns, text_rows)
    return _Rows(_table(replay, columns, high, left - text_rows), sentences)


def _table(replay: Replay, columns: int, high: int, rows: int) -> _Table:
    """The board; the wanted pane beside it, or in its place; and the moves if room is left for them.

    `high`: rows for the board, of `rows` in all.
    """
    board = terminal(replay.story.game).board
    if columns < board.LEAST[0] or high < board.LEAST[1]:
        if replay.pane != "board":
            return _Table(_alone(replay, columns, rows))
        small = styled(" " + _("The window is too small for the board."), "warn")
        return _Table(block([EMPTY, small], columns, rows))
    wide = board.fitting(columns, high)[0]
    if replay.pane != "board":
        wide = min(wide, max(columns - _ASKED_SIDE, board.LEAST[0]))
        narrow = columns - wide < (_JUDGED_SIDE if replay.pane == "analysis" else _SIDE)
        if narrow or replay.pane == "whole":
            return _Table(_alone(replay, columns, rows))
    elif columns - wide < _SIDE:
        return _Table(_board(replay, replay.known, columns, rows))
    wide, high = board.fitting(max(wide, columns - _MOST_SIDE), high)
    side = _side(replay, columns - wide - 2, rows)
    long = len(side) > rows
    if long and replay.pane != "analysis":
        return _Table(_alone(replay, columns, rows))
    if long:
        side[rows - 1 :] = [styled(" " + _("… a shows the rest"), "dim")]
    drawn = block(_board(replay, replay.known, wide, high), wide, rows)
    side = block(side, columns - wide - 2, rows)
    return _Table([fit(line, columns) for line in beside(drawn, side, wide, styled(" │", "rule"))], long)


def _view(replay: Replay, known: Mapping[Slot, Face]) -> View[Any]:
    """The view of this step with the `known` faces open; the last step has the open step behind it."""
    since = replay.story.since if replay.last else ()
    return View(replay.seat, replay.story.steps[replay.at - 1].state, dict(known), since=since)


def _board(replay: Replay, known: Mapping[Slot, Face], columns: int, rows: int) -> list[Line]:
    """The board of this step with the `known` faces open."""
    context = ViewContext(_view(replay, known), Players(replay.story.names), notes=False)
    return block(terminal(replay.story.game).board.draw(context, columns, rows), columns, rows)


def _before_the_first_step(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The players of a match whose board is not set up yet."""
    story = replay.story
    title = both_ends(
        styled(f" {terminal(story.game).title}", "title.name"), styled(f"{replay.live} ", "title"), columns
    )
    lines = [_("The game is being set up."), "", *(f"  {name}" for name in story.names), "", story.closing]
    footer = fit(styled(" q " + _("quit"), "footer"), columns)
    return [title, *block([(("", " "), *styled(text)) for text in lines], columns, rows - 2), footer]


def _sentences(replay: Replay) -> list[str]:
    """The sentences of this step; after the last one, also those for the end."""
    steps = replay.story.steps
    sentences = list(steps[replay.at - 1].sentences)
    if replay.at < len(steps):
        return sentences
    return [*sentences, *(text for text in replay.heard if text not in sentences), replay.story.closing]


# Title, line of time, keys


def _title(replay: Replay, columns: int) -> Line:
    """The game and its state; the speed, the player whose view it is, and the step."""
    here, step = terminal(replay.story.game), replay.story.steps[replay.at - 1]
    banner = here.description.banner(_view(replay, replay.known)) + _(THE_END) * step.ends
    left = styled(f" {here.title} · {banner}", "title.name")
    place = _("step {step} of {steps}", step=replay.at, steps=len(replay.story.steps)) + " "
    parts = [replay.live, _playing(replay), eyes(replay)]
    while True:
        right = styled(" · ".join([*filter(None, parts), place]), "title")
        if width(left) + width(right) < columns or not any(parts):
            break
        parts.remove(next(filter(None, parts)))
    return _on(both_ends(left, right, columns), "title")


def _on(line: Line, bar: str) -> Line:
    """A whole row on a bar; the classes that it has already count more."""
    return tuple((f"class:{bar} {own}".strip(), text) for own, text in line)


def _playing(replay: Replay) -> str:
    speed = SPEEDS[replay.speed]
    shown = f"{speed:g}×"
    if replay.playing:
        return f"▶ {shown}"
    return shown if speed != 1 else ""


def eyes(replay: Replay) -> str:
    """The player whose view it is, in a few words; "" if there is one view only."""
    if replay.open:
        return _("all open")
    if len(replay.views) < 2:
        return ""
    if replay.eyes is None:
        return _("as all saw it")
    if replay.eyes == replay.story.own:
        return _("your view")
    return _("{player}'s view", player=replay.story.names[replay.eyes])


def timeline(replay: Replay, columns: int) -> Line:
    """All steps on a line: those behind, this one, the events; each cell is the place of its first step."""
    steps, cells = len(replay.story.steps), columns - 2
    if cells < 1:
        return fit(EMPTY, columns)
    step_of = [1 + (steps - 1) * cell // max(cells - 1, 1) for cell in range(cells)]
    cell_of = {at: round((at - 1) * (cells - 1) / max(steps - 1, 1)) for at in (*replay.events, replay.at)}
    events = {cell_of[at]: at for at in reversed(replay.events)}
    hits = {round((at - 1) * (cells - 1) / max(steps - 1, 1)): at for at in replay.hits}
    here = cell_of[replay.at]
    line: list[tuple[str, str]] = [("", " ")]
    for cell in range(cells):
        at = hits.get(cell, events.get(cell, step_of[cell]))
        sign, look = ("━", "strong") if cell < here else ("─", "rule")
        if cell in events:
            sign, look = "·", "dim" if cell > here else "strong"
        if cell in hits:
            sign, look = "◆", "target"
        if cell == here:
            sign, look = "●", "key"
        line.append((f"class:{look} class:{marked(f'{STEP}{at}')}", sign))
    return fit(tuple(line), columns)


def _footer(replay: Replay, columns: int, rows: int) -> Line:
    """The keys of now: as many as fit; the most needed ones are left out last."""
    if replay.typing is not None:
        typed = styled(f" / {replay.typing}", "footer", "footer.key") + styled("▌", "footer")
        ways = styled(_("Enter finds it · Esc gives up") + " ", "footer")
        return _on(both_ends(typed, ways, columns), "footer")
    hints = _hints(replay, columns, rows)
    notice = styled(f" {replay.notice} " if replay.notice else "", "footer", "warn")
    for command in _BARE:
        if width(_row(hints)) + width(notice) <= columns:
            break
        hints = [hint._replace(text=_GAP) if hint.command == command else hint for hint in hints]
    while len(hints) > 1 and width(_row(hints)) + width(notice) > columns:
        hints.remove(max(hints, key=lambda hint: hint.rank))
    return _on(both_ends(_row(hints), notice, columns), "footer")


_BARE: Final = ("keys", "quit", "analysis", "open", "next", "moves", "event")
"""Hints that stand without their words where these have no room, the first one first: `?` says them all."""
_GAP: Final = " "
"""In place of words: the next key stands apart."""


class _Hint(NamedTuple):
    command: str
    key: str
    text: str
    rank: int
    """The greater, the earlier it is left out."""


def _row(hints: Iterable[_Hint]) -> Line:
    parts: list[tuple[str, str]] = [("", " ")]
    for hint in hints:
        place = f"class:{marked(KEY + hint.command.replace(' ', '-'))}"
        parts += [(f"class:footer.key {place}", hint.key)]
        if hint.text == _GAP:
            parts.append(("", "  "))
        elif hint.text:
            parts += [(place, f" {hint.text}"), ("", "  ")]
    return tuple(parts[:-1])


def _hints(replay: Replay, columns: int, rows: int) -> list[_Hint]:
    """The keys that have an effect now."""
    story, hints = replay.story, []
    first, last = replay.at == 1, replay.last
    if not first:
        hints.append(_Hint("back", "←", _("back") if last else "", 2))
    if not last:
        hints.append(_Hint("next", "→", _("next") if first else _("step"), 1))
    if not replay.live and len(story.steps) > 1:
        word = _("stop") if replay.playing else _("again") if replay.last else _c("of a recording", "play")
        hints.append(_Hint("play", _("Space"), word, 3))
        if replay.playing:
            hints.append(_Hint("faster", "+", _("faster"), 4))
            hints.append(_Hint("slower", "-", _("slower"), 4))
    if any(at > replay.at for at in replay.events):
        hints.append(_Hint("event", "e", _("event"), 7))
    if replay.pane == "moves":
        hints.append(_Hint("enter", "Enter", _("stay"), 5))
        hints.append(_Hint("close", "Esc", _("go back"), 5))
    else:
        hints.append(_Hint("moves", "m", _("moves"), 8))
    hints.append(_Hint("search", "/", _("find"), 9))
    if replay.hits:
        hints.append(_Hint("found", "n", _numbered(replay), 6))
    if len(replay.views) > 1:
        hints.append(_Hint("view", "v", _("view"), 10))
    opening = _opening(replay, columns, rows)
    if opening:
        hints.append(_Hint("open", "o", opening, 6))
    if replay.judges:
        hints.append(_Hint("analysis", "a", _("analysis"), 9))
    hints.append(_Hint("keys", "?", _("keys"), 5))
    hints.append(_Hint("quit", "q", _("quit"), 4))
    return hints


def _numbered(replay: Replay) -> str:
    """The number of this step among the hits of the search."""
    hits = replay.hits
    if replay.at in hits:
        return _("{place} of {count} found", place=hits.index(replay.at) + 1, count=len(hits))
    return _("{count} found", count=len(hits))


def _opening(replay: Replay, columns: int, rows: int) -> str:
    """The effect of the key that opens all, on a board of this screen; "" for none."""
    closed, everything = replay.seen_by(replay.eyes), replay.everything
    if closed == everything:
        return ""
    board = terminal(replay.story.game).board
    room = max(columns, board.LEAST[0]), max(rows - _FRAME - _TEXT, board.LEAST[1])
    sizes = (board.LEAST, board.fitting(*room))  # a larger board shows what a small one does, if not more
    if all(_board(replay, closed, *size) == _board(replay, everything, *size) for size in sizes):
        return ""
    return _("close") if replay.open else _("open")


# Beside the board


def _side(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The keys, the analysis, or the moves around this one: more than `rows` lines if it needs more."""
    if replay.pane == "keys":
        return _keys(columns)
    if replay.pane in ("analysis", "whole"):
        return [_heading(_("Analysis"), columns), *judgement(replay, columns, rows - 1)]
    return _moves(replay, columns, rows)


def _alone(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The pane in the place of the board; a line says if even so it has no room for all."""
    lines = _side(replay, columns, rows)
    if len(lines) > rows:
        lines[max(rows - 1, 0) :] = [styled(" " + _("A larger window shows the rest."), "warn")]
    return block(lines, columns, rows)


def _keys(columns: int) -> list[Line]:
    wide = max(width(styled(_(row[0]))) for row in ABOUT) + 2
    lines: list[Line] = [_heading(_("Keys (? closes)"), columns)]
    for keys, about in ABOUT:
        first, *more = wrapped(styled(_(about)), max(columns - wide - 1, 8)) or [EMPTY]
        lines.append((("", " "), *fit(styled(_(keys), "key"), wide), *first))
        lines += [(("", " " * (wide + 1)), *line) for line in more]
    return lines


def _heading(title: str, columns: int) -> Line:
    shown = (*styled("─ ", "rule"), *styled(title, "panel"), *styled(" ", "rule"))
    return (*shown, *styled("─" * max(columns - width(shown), 0), "rule"))


def _moves(replay: Replay, columns: int, rows: int) -> list[Line]:
    """The moves with this one in the middle, one a row."""
    steps, room = replay.story.steps, max(rows - 1, 0)
    top = min(max(replay.at - 1 - room // 2, 0), max(len(steps) - room, 0))
    hits = frozenset(replay.hits)
    digits = len(str(len(steps)))
    moves = _("Moves")
    title = _("Moves (Enter stays, Esc goes back)") if replay.pane == "moves" else moves
    lines: list[Line] = [_heading(longest((title, moves), columns - 4), columns)]
    for at, step in enumerate(steps[top : top + room], start=top + 1):
        sign = "▶" if at == replay.at else "◆" if at in hits else " "
        label = styled(f"{step.moment}: ", "likely") if step.moment else EMPTY
        sentence = step.sentences[0] if step.sentences else ""
        row = (*styled(f"{sign}{at:>{digits}} ", "key" if sign != " " else "dim"), *label, *styled(sentence))
        row = fit(row, columns)
        lines.append(overlaid(overlaid(row, "chosen") if at == replay.at else row, marked(f"{STEP}{at}")))
    return lines


def place(name: str) -> tuple[str, int]:
    """The command that a click on this place stands for, and the step if it is "step"; ("", 0) for none."""
    if name.startswith(STEP):
        return "step", int(name.removeprefix(STEP))
    if name.startswith(KEY):
        command = name.removeprefix(KEY).replace("-", " ")
        return (command, 0) if command in KEYS else ("", 0)
    return "", 0
