"""The first screen, and the lists that it opens: a picture, choices, and a word about the one in reach.

The picture is two forts, closed and open cards, and the double agent between them, as wide as the window
allows.  Every sign of it has an ASCII sign that stands for it (`cli.text.layout.ascii_line`), and every
colour a class of the themes.  Drawing is pure; the application around it only turns keys and the mouse into
a choice.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from prompt_toolkit import PromptSession
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import create_output
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.screen.look import ESCAPE_AFTER, ThemedApplication
from cli.screen.widgets import Rows, of_rows
from cli.text.layout import (
    CHOICE,
    EMPTY,
    Line,
    ascii_line,
    block,
    centred,
    fit,
    marked,
    overlaid,
    shortened,
    styled,
    width,
    wrapped,
)
from p2p_stratego.core.language import _, mark

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output


def ask(question: str, terminal: tuple[Input, Output] | None = None) -> str | None:
    """Ask for a line, with the arrow keys at work in it; None after Esc, which goes back.

    `terminal`: where to read and draw, if not standard input and output.  Raises EOFError after Ctrl-D, and
    KeyboardInterrupt after Ctrl-C.
    """
    keys = KeyBindings()

    @keys.add("escape", eager=True)
    def _back(event: KeyPressEvent) -> None:
        event.app.exit()

    entry, output = terminal or (None, create_output())
    if isinstance(output, Vt100_Output):
        output.enable_cpr = False  # else the toolkit complains of a terminal that never reports its cursor
    session: PromptSession[str | None] = PromptSession(key_bindings=keys, input=entry, output=output)
    session.app.ttimeoutlen = ESCAPE_AFTER
    return session.prompt(question)


TITLE: Final = mark("P2P STRATEGO: bluffing games for friends, with no server and no cheating")
_HELP: Final = mark(
    "Choose with ↑ ↓ and Enter, or at once with a letter, a digit or a click.  Esc goes back, q ends the "
    "program.  In a game F1 tells what can be typed.  All this can be typed as commands, too: "
    "p2p-stratego --help lists them."
)
_WIDEST: Final = 100
"""Columns for the choices, however wide the window is."""
_ABOUT: Final = 3
"""Rows for the words about the choice in reach."""
_USUAL: Final = 8
"""Choices for which every picture leaves room: it stays the same from list to list."""
_BESIDE: Final = 20
"""Cells beside a choice in which the beginning of its words is of use."""
_BEFORE: Final = 5
"""Cells before the title of a choice: the mark of the one in reach, and its key."""
_CLAUSE: Final = "; "
"""Between the clauses of the words about a choice."""
_DIGITS: Final = 9
"""Choices with a digit."""
QUIT, BACK = -1, -2
"""Ends without a choice: the player ends the program, or goes back."""


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One choice: its title, a sentence about it, and the letter that chooses it, if it has one."""

    title: str
    about: str = ""
    letter: str = ""
    picture: Sequence[str] = ()
    """Lines of equal width, shown while the choice is in reach."""


def choice_row(text: str, lines: Sequence[str] = ()) -> ChoiceRow:
    """The choice of a text, in which two blanks stand before the words about it; `lines`: its picture."""
    title, _blanks, about = text.partition("  ")
    return ChoiceRow(title.strip(), about.strip(), picture=lines)


@dataclass(frozen=True, slots=True)
class ChoiceList:
    """A list to choose from.  Every text in it is our own or escaped."""

    title: str
    rows: Sequence[ChoiceRow]
    at: int = 0
    """The choice in reach."""
    sentences: Sequence[str] = ()
    """Sentences above the choices."""
    nested: bool = False
    """Whether there is a screen to go back to."""
    helped: bool = False
    """Whether the help stands above the choices."""

    def go(self, step: int) -> ChoiceList:
        """The list with another choice in reach; after the last comes the first."""
        return replace(self, at=(self.at + step) % max(len(self.rows), 1))

    def choice(self, key: str) -> int | None:
        """The choice that a digit or a letter names."""
        if key.isascii() and key.isdigit() and 0 < int(key) <= min(len(self.rows), _DIGITS):
            return int(key) - 1
        return next((n for n, row in enumerate(self.rows) if row.letter and row.letter == key.lower()), None)


def draw(listing: ChoiceList, columns: int, rows: int, *, ascii_only: bool = False) -> list[Line]:
    """The whole screen: exactly `rows` lines of `columns` cells."""
    inner = min(columns - 4, _WIDEST)
    sentences = [*[_(_HELP)] * listing.helped, *listing.sentences]
    notes = [line for text in sentences for line in wrapped(styled(text, "warn"), inner)]
    title = wrapped(styled(listing.title, "strong"), inner)
    least = len(title) + 1 + len(notes) + bool(notes) + max(len(listing.rows), _USUAL) + 2
    for reserved in (_ABOUT, _longest_about(listing, inner)):  # the picture goes before empty rows
        room = rows - least - reserved - 2
        if art := _portrait(listing, columns, room) or picture(columns, room):
            break
    about = _about(listing, inner, reserved)
    least += reserved
    gap = [EMPTY] * bool(art)
    above = max((rows - least - len(art) - 2 * len(gap)) // 3, 0) if art else 0
    top = [*[EMPTY] * above, *gap, *art, *gap]
    left = max((columns - inner) // 2, 0)
    body = [*title, EMPTY, *notes, *[EMPTY] * bool(notes)]
    kept = max(rows - 1 - len(top) - len(body) - 1 - len(about), 1)
    body += [*_choices(listing, inner, kept), EMPTY, *about]
    lines = [*top, *((("", " " * left), *line) for line in body)]
    screen = [*block(lines, columns, rows - 1), _footer(listing, columns)] if rows > 1 else []
    screen = screen or block([_footer(listing, columns)], columns, rows)
    return [ascii_line(line) for line in screen] if ascii_only else screen


def _portrait(listing: ChoiceList, columns: int, rows: int) -> list[Line]:
    """The picture of the choice in reach; none if it has none, or there is no room."""
    lines = listing.rows[listing.at].picture if listing.rows else ()
    return [centred(styled(line, "strong"), columns) for line in lines] if len(lines) <= rows else []


def _choices(listing: ChoiceList, columns: int, rows: int) -> list[Line]:
    """As many choices as fit, the one in reach among them."""
    start = max(min(listing.at - rows // 2, len(listing.rows) - rows), 0)
    wide = max((width(styled(row.title)) for row in listing.rows), default=0) + 7
    shown = []
    for number, row in list(enumerate(listing.rows))[start : start + rows]:
        key = row.letter or (str(number + 1) if number < _DIGITS else " ")
        there = number == listing.at
        name = (
            *styled("❯ " if there else "  ", "target"),
            *styled(key, "key"),
            *styled("  "),
            *styled(shortened(row.title, max(columns - _BEFORE, 2)), "strong" if there else "text"),
        )
        beside = columns - wide
        line = name
        if row.about and beside >= min(width(styled(row.about)), _BESIDE):
            line = (*fit(name, wide), *styled(_clauses(row.about, beside), "dim"))
        line = fit(line, columns)
        line = overlaid(line, "chosen") if there else line
        shown.append(overlaid(line, marked(f"{CHOICE}{number}")))
    return shown


def _clauses(about: str, columns: int) -> str:
    """The first clauses of the words about a choice, as many as fit: `_about` shows all of them."""
    clauses = about.split(_CLAUSE)
    for count in range(len(clauses), 0, -1):
        if width(styled(text := _CLAUSE.join(clauses[:count]))) <= columns:
            return text
    return shortened(about, columns)


def _about(listing: ChoiceList, columns: int, rows: int) -> list[Line]:
    """The sentence about the choice in reach, or its title, unless its row shows that as a whole."""
    wide = max((width(styled(row.title)) for row in listing.rows), default=0)
    if wide <= columns - _BEFORE and not any(row.about for row in listing.rows):
        return []
    return block(_below(listing.rows[listing.at], wide, columns), columns, rows)


def _longest_about(listing: ChoiceList, columns: int) -> int:
    """The rows of the longest sentence about a choice that its row does not show as a whole."""
    wide = max((width(styled(row.title)) for row in listing.rows), default=0)
    return min(max((len(_below(row, wide, columns)) for row in listing.rows), default=0), _ABOUT)


def _below(row: ChoiceRow, wide: int, columns: int) -> list[Line]:
    """The sentence about a choice for below the list; `wide`: the cells of the longest title."""
    text, before = (row.about, wide + 7) if row.about else (row.title, _BEFORE)
    whole = columns - before >= width(styled(text))
    return [] if whole else wrapped(styled(text, "told"), columns)


def _footer(listing: ChoiceList, columns: int) -> Line:
    away = _("back") if listing.nested else _("quit")
    keys = [("↑ ↓", _("choose")), ("Enter", _("go"))]
    keys += [("Esc", _("close"))] if listing.helped else [("Esc", away)]  # open help is closed first
    keys += [("q", _("quit"))] * (listing.nested or listing.helped)
    keys += [("F1", _("help"))] * (not listing.helped)
    line: Line = styled(" ", "footer")
    for key, does in keys:
        line += styled(f" {key}", "footer", "footer.key") + styled(f" {does}  ", "footer")
    more = styled(f" {_('a letter, a digit or a click chooses at once')}", "footer")
    line = (*line, *more) if width(line) + width(more) <= columns else line
    return (*fit(line, min(width(line), columns)), *styled(" " * (columns - width(line)), "footer"))


class Chooser:
    """The application for one list; `run` gives the choice."""

    def __init__(
        self,
        listing: ChoiceList,
        theme: str,
        *,
        ascii_only: bool,
        mouse: bool = True,
        terminal: tuple[Input, Output] | None = None,
    ) -> None:
        """`terminal`: where to read and draw, if not standard input and output."""
        self.listing = listing
        self._ascii = ascii_only
        self.app: ThemedApplication[int] = of_rows(
            lambda: theme,
            Rows(self._lines, self._mouse),
            self._keys(),
            mouse=mouse,
            streams=terminal,
        )

    def run(self, begin: Callable[[], None] = lambda: None) -> int:
        """The number of the chosen row, or QUIT or BACK.  `begin`: is called when the application runs.

        Raises KeyboardInterrupt after a signal, or if the terminal is gone.
        """
        try:
            return asyncio.run(self._running(begin))
        except (EOFError, OSError) as error:
            if not self._gone():
                raise
            raise KeyboardInterrupt from error

    async def _running(self, begin: Callable[[], None]) -> int:
        with _signals(self._interrupt):
            begin()
            return await self.app.run_async(handle_sigint=False)

    def _gone(self) -> bool:
        """Whether the terminal is closed: a disk that fails has the same error number."""
        with suppress(OSError):
            return not (os.isatty(self.app.input.fileno()) and os.isatty(self.app.output.fileno()))
        return True

    def _interrupt(self) -> None:
        if self.app.is_running and self.app.future is not None and not self.app.future.done():
            self.app.exit(exception=KeyboardInterrupt())

    def show(self, listing: ChoiceList) -> None:
        """Another list in the place of this one.  Called from the application's loop."""
        self.listing = listing
        self.app.invalidate()

    def _lines(self) -> list[Line]:
        size = self.app.output.get_size()
        return draw(self.listing, size.columns, size.rows, ascii_only=self._ascii)

    def _end(self, number: int) -> None:
        if self.app.is_running and self.app.future is not None and not self.app.future.done():
            self.app.exit(result=number)

    def _mouse(self, place: str | None, event: MouseEvent) -> None:
        if event.event_type is MouseEventType.SCROLL_UP:
            self.show(self.listing.go(-1))
        elif event.event_type is MouseEventType.SCROLL_DOWN:
            self.show(self.listing.go(1))
        elif place is not None and place.startswith(CHOICE):
            number = int(place.removeprefix(CHOICE))
            if event.event_type is MouseEventType.MOUSE_UP:
                self._end(number)
            else:
                self.show(replace(self.listing, at=number))

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        def on(names: Sequence[str], do: Callable[[], object]) -> None:
            for name in names:
                keys.add(name, eager=True)(lambda _event: do())

        back = BACK if self.listing.nested else QUIT

        def turn_help() -> None:
            self.show(replace(self.listing, helped=not self.listing.helped))

        def leave() -> None:
            if self.listing.helped:
                turn_help()
            else:
                self._end(back)

        on(("up", "s-tab"), lambda: self.show(self.listing.go(-1)))
        on(("down", "tab"), lambda: self.show(self.listing.go(1)))
        on(("home", "pageup"), lambda: self.show(replace(self.listing, at=0)))
        on(("end", "pagedown"), lambda: self.show(replace(self.listing, at=len(self.listing.rows) - 1)))
        on(("enter", "right", "space"), lambda: self._end(self.listing.at if self.listing.rows else back))
        on(("escape", "left", "backspace"), leave)
        on(("f1", "?"), turn_help)
        on(("c-c", "c-d"), lambda: self._end(QUIT))
        keys.add("c-z")(lambda event: event.app.suspend_to_background())

        @keys.add("<any>")
        def _any(event: KeyPressEvent) -> None:
            number = self.listing.choice(event.data)
            if number is not None:
                self._end(number)
            elif event.data.lower() == "q":
                self._end(QUIT)

        return keys


@contextmanager
def _signals(end: Callable[[], None]) -> Iterator[None]:
    """Let `end` be called by the signals that end a program, so that the terminal is restored first."""
    loop, numbers = asyncio.get_running_loop(), (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    for number in numbers:
        loop.add_signal_handler(number, end)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


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


def picture(columns: int, rows: int) -> list[Line]:
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
