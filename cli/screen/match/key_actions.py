"""The effects of keys and the mouse at a table: they change the input line, open pages, or call the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import Completion, get_common_complete_suffix
from prompt_toolkit.document import Document
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from cli.screen.match.editing import LineEditor, Typing
from cli.screen.match.windows import Windows
from cli.screen.replay.projector import Film
from cli.table.orders import actions, sequel
from cli.table.scene import palette, preferences, presentation
from cli.table.scene.palette import PaletteItem
from cli.table.scene.preferences import PREFERENCES, Preference
from cli.table.scene.presentation import ListName
from cli.table.seat.controller import TableController
from cli.table.seat.setup import UNDO
from cli.table.words import commands
from cli.text.layout import CHOICE, MAX_LINE

if TYPE_CHECKING:
    from cli.games.interface import Clicks


STOOD: Final = 1.0
"""Seconds for which news have to stand: a key that comes sooner was meant for what stood there before."""


class NewsReading:
    """Whether the player has read the news of one screen, by the times of its keys."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock`: seconds, monotonic."""
        self._clock = clock
        self._news: Sequence[tuple[bool, str]] = ()
        self._since = 0.0
        self._read = self._before = False

    def shows(self, news: Sequence[tuple[bool, str]]) -> bool:
        """Whether the player has read these news, which the screen shows now."""
        if tuple(news) != self._news:
            self._news, self._since, self._read = tuple(news), self._clock(), False
        return self._read

    def key(self) -> bool:
        """A key comes: whether it makes the news read."""
        self._before, stood = self._read, self._clock() - self._since >= STOOD
        self._read = self._read or stood
        return self._read and not self._before

    @property
    def hasty(self) -> bool:
        """Whether the key at hand came before the news stood for a while."""
        return not self._read

    def no_key(self) -> None:
        """Undo the last key: it was a report of the terminal."""
        self._read = self._before


_WHEEL: Final = {MouseEventType.SCROLL_UP: -0.2, MouseEventType.SCROLL_DOWN: 0.2}
"""How many pages the mouse wheel scrolls."""
SETTINGS: Final = "settings"
"""The command whose page is a list on a screen."""
SKIP: Final = "skip"
"""The command that Esc stands for while a bot pauses."""


class KeyActions:
    """The actions of one player at one table; `windows` shows their effects at the next drawing."""

    def __init__(
        self,
        table: TableController,
        film: Film,
        changed: Callable[[], None],
        draw: Callable[[], None],
        leave: Callable[[], None],
    ) -> None:
        """`film`: the film on the screen; `changed`: takes in the news of the match; `draw`: draws anew,
        soon; `leave`: ends the screen.
        """
        self.table = table
        self.line = LineEditor(table, self.accept)
        self.windows = Windows(self.line.buffer, self.mouse, lambda: table.settings.ascii)
        self._changed, self._draw, self._end = changed, draw, leave
        self._film, self.reading = film, NewsReading(table.environment.clock)
        self._cut = self._folded = False
        """Whether the key at hand has just ended a film, or uncovered the board."""
        self._interrupted = False
        """Whether the player was typing an answer when the match ended."""

    def key_comes(self) -> None:
        """A key ends a film, or the news were read by now, whatever else it does."""
        self._cut = self._film.now() is not None
        self._film.skip()
        self._folded = not self._cut and self.reading.key() and self.windows.drawn.covered

    @property
    def only_skips(self) -> bool:
        """Whether the key at hand has ended a film, or uncovered the board: Enter, Esc and a space on an
        empty line then do nothing else, since they were pressed to go on; all other keys act as ever.
        """
        idle = self.line.empty and self.table.page is None and self.table.pending is None
        return self._cut or (self._folded and idle and not self.table.environment.pausing())

    def accept(self, buffer: Buffer) -> bool:
        """Say the line; whether it stays in the input."""
        if self.line.listed is not None:
            self._choose()
            return True
        # An Enter that was meant for the last answer leaves the end standing, which nobody has read then.
        if self.table.page is not None and not buffer.text.strip() and not self.table.shows_end:
            self._close_page()
            return True
        if self.line.points_anew():
            self._point(self.line.cursor.place)
            return True  # prompt_toolkit then leaves the line as it is
        self.line.leave_board()
        before, text = self.line.typing, self.line.typing.meant(buffer.text[:MAX_LINE], self.table)
        self.line.typing = Typing(chatting=before.chatting)
        buffer.complete_state = None
        if self.line.typing.chatting and self.table.pending is None:
            self.line.typing.chatting = False  # one message, and back to the game
            if text.strip():
                actions.say(self.table, text)
                if self.table.notice is not None:
                    self.line.typing.chatting = True
                    return self.line.select()  # it did not go out: it stays, to be shortened or said later
        else:
            waited = self.table.pending is not None
            if text.strip().lower() == SETTINGS and not waited:
                buffer.reset()  # the word is done: it does not come back when the list is closed
                self.list("settings")
                return True
            if text.strip() or waited or not (self.table.asked and self.reading.hasty):
                actions.enter(self.table, text)  # else Enter was to end a pause that has just ended
            self._turn_up()
            notice, answered = self.table.notice, waited and self.table.pending is None
            if text.strip() and not answered and notice is not None and notice[0] in ("warn", "bad"):
                self._changed()
                if (commands.whole(text) and not waited) or self.table.over:
                    return False  # nothing in it could be mended
                if before.pointed != text:
                    return self.line.select()  # it was refused: it stays, to be mended
                self.line.typing = before  # more can be pointed at
                return True
        self._changed()
        self._go_if_left()
        return self.line.give_back()  # if not, prompt_toolkit clears the line

    def arrow(self, direction: str) -> None:
        """Go through the open list, scroll the open page, move the cursor over the board, keep a line that
        came back, or else go through the choices.
        """
        if self.line.listed is not None:
            self._go_through(direction)
            return
        if self.table.page is not None:
            self.windows.top += {"up": -1, "down": 1}.get(direction, 0)
            return
        pointing = self.line.pointing()
        if self.line.returned_whole:
            self.line.keep()
        elif pointing is None or not self.line.cursor.step(*pointing, direction):
            self.line.pick(-1 if direction in ("up", "left") else 1)

    def press(self, key: str) -> None:
        """A printable key on an empty line, or where something was picked or pointed at: it points, is a
        whole input, or is typed.
        """
        if not key.isprintable():
            return
        pointing = self.line.pointing()
        stroke = pointing[0].stroke(pointing[1], key) if pointing else None
        if pointing and stroke is not None:
            self._say(stroke)
            if self.table.notice is None:
                self.line.cursor.to(pointing[0].onward(pointing[1]))
        elif key == " " and self.line.points_anew():
            self._point(self.line.cursor.place)
        else:
            self.line.write(key)

    def _point(self, place: str) -> None:
        """Point at a place of the board: pick the piece there, or send the line that this completes."""
        pointing = self.line.pointing()
        if pointing is None:
            return
        if "-" not in place:
            self.line.cursor.to(place)
        text, final = pointing[0].point(pointing[1], place)
        if final:
            self._say(text)
        else:
            self.line.buffer.document = Document(self.line.typing.point(text))

    def _say(self, text: str) -> None:
        """Send a pointed line; if it is refused, its piece stays picked, and can go elsewhere."""
        actions.enter(self.table, text)
        if self.table.notice is None:
            self.line.buffer.reset()
        self._changed()

    def _take(self, number: int) -> None:
        """Put an offered choice into the line; say it if it stands there already."""
        state = self.line.choices.state(self.line.buffer.text, self.line.buffer.complete_state)
        if self.line.typing.chatting or number >= len(state.completions):
            return
        if state.complete_index == number:
            self.line.buffer.validate_and_handle()
        else:
            self.line.put(state, number)

    def mouse(self, place: str | None, event: MouseEvent) -> None:
        """A mouse acts on a part of the screen that belongs to `place`."""
        if self.line.listed is not None:
            self._mouse_on_list(place, event)
        elif event.event_type in _WHEEL and self.table.page is not None:
            self.scroll(_WHEEL[event.event_type])
        elif event.event_type is MouseEventType.MOUSE_UP and self.table.page is not None:
            self._close_page()
        elif event.event_type is MouseEventType.MOUSE_UP and place is not None:
            if place.startswith(CHOICE):
                self._take(int(place.removeprefix(CHOICE)))
            elif self.table.terminal.clicks is not None:
                self._click(self.table.terminal.clicks, place)
            else:
                self._point(place)
        self._draw()

    def _mouse_on_list(self, place: str | None, event: MouseEvent) -> None:
        """A click on a row does it, a click elsewhere closes the list; the wheel goes through it."""
        if event.event_type in _WHEEL:
            self._go_through("up" if _WHEEL[event.event_type] < 0 else "down")
        elif event.event_type is MouseEventType.MOUSE_UP:
            if place is not None and place.startswith(CHOICE):
                self.line.row = int(place.removeprefix(CHOICE))
                self._choose()
            else:
                self.line.close_list()

    def _click(self, clicks: Clicks, place: str) -> None:
        """Put the answer that a click on `place` gives into the line, or say it."""
        context = self.table.context_with(self.line.buffer.text)
        if self.line.typing.chatting or self.table.pending is not None or context is None:
            return
        answer = clicks.point(context, place)
        if answer is None:
            return
        text, final = answer
        if final:
            self._say(text)
        else:
            self.line.put(CompletionState(Document(), [Completion(text)]), 0)

    def tab(self) -> None:
        """Put the selected command into the line; finish the line as far as only one choice fits; on an empty
        one, go to the chat and back.
        """
        if self.line.listed is not None:
            self._put_command()
        elif not self.line.buffer.text or (self.line.selected and not self.line.typing.chatting):
            self.line.buffer.reset()
            self.line.typing.chatting = not self.line.typing.chatting and self.table.pending is None
        elif not self.line.typing.chatting:
            completions = self.line.choices.state(self.line.buffer.text, None).completions
            more = get_common_complete_suffix(Document(self.line.buffer.text.lower()), completions)
            whole = completions[0].text if len(completions) == 1 else self.line.buffer.text + more
            self.line.buffer.document = Document(whole)

    def next_answer(self) -> None:
        """Put the next answer into the line, also where arrows move the cursor over the board."""
        if self.line.listed is None and self.table.page is None:
            self.line.pick(1)

    def escape(self) -> None:
        """Close the open list or page, or clear the line and its notice, then close a question of the table's
        own; if all are clear, end the chat.
        """
        table = self.table
        if self.line.listed is not None:
            self.line.close_list()
            return
        if table.page is not None:
            self._close_page()
            return
        if self.line.empty and table.pending is None and not table.asked and table.environment.pausing():
            actions.enter(table, SKIP)
            return
        if table.pending is not None and self.line.buffer.text:  # what was typed goes before the question
            self.line.buffer.reset()
            table.notice = None
            return
        if table.pending is None:
            if not self.line.buffer.text and table.notice is None:
                self.line.typing.chatting = False
                self.line.cursor.to("")
            self.line.buffer.reset()
        table.cancel()
        self.line.give_back()

    def list(self, listed: ListName) -> None:
        """Open a list over the board, or close it."""
        if self.line.listed == listed:
            self.line.close_list()
        else:
            self.line.open_list(listed)

    def _go_through(self, direction: str) -> None:
        """Select another row of the open list, or change the value in the selected one."""
        step = -1 if direction in ("up", "left") else 1
        if direction in ("up", "down"):
            rows = len(self._rows())
            self.line.row = (self.line.row + step) % max(rows, 1)
        elif self.line.listed == "settings":
            self._prefer(step)

    def _rows(self) -> Sequence[PaletteItem | Preference]:
        if self.line.listed == "settings":
            return PREFERENCES
        return palette.hits(palette.items(self.table), self.line.buffer.text)

    def _choose(self) -> None:
        """Do the selected command, or put it into the line if more has to follow; change a setting."""
        if self.line.listed == "settings":
            self._prefer(1)
            return
        rows = palette.hits(palette.items(self.table), self.line.buffer.text)
        if not rows:
            return
        item = rows[min(self.line.row, len(rows) - 1)]
        self.line.close_list()
        if item.needs_more:
            self.line.buffer.document = Document(f"{item.words[0]} ")
        elif item.words[0] == SETTINGS or item.setting is not None:
            self.list("settings")
            self.line.row = item.setting or 0
        elif self.table.pending is not None:
            self.open(item.words[0])
        else:
            actions.enter(self.table, item.words[0])
            self._turn_up()
            self._changed()
            self._go_if_left()

    def _put_command(self) -> None:
        """Put the selected command into the line."""
        rows = palette.hits(palette.items(self.table), self.line.buffer.text)
        if self.line.listed == "commands" and rows:
            word = rows[min(self.line.row, len(rows) - 1)].words[0]
            self.line.close_list()
            self.line.buffer.document = Document(f"{word} ")

    def press_in_settings(self, key: str) -> None:
        """A space changes the selected setting; other letters do nothing."""
        if key == " ":
            self._prefer(1)

    def _prefer(self, step: int) -> None:
        preference, settings = PREFERENCES[self.line.row % len(PREFERENCES)], self.table.settings
        if preference.field == "coach" and self.table.coach.teaches:
            return  # it stays, as the row says
        self.table.prefer(**{preference.field: preferences.stepped(preference, settings, step)})

    def undo(self) -> None:
        """Take the last step back that is not sent: a part of the line, a question, a change of a set-up."""
        if self.line.listed is not None or self.table.pending is not None:
            self.escape()
        elif self.line.buffer.text:
            self.line.shorten()
        else:
            actions.enter(self.table, UNDO)
            self._changed()

    def _close_page(self) -> None:
        """Close the open page; another one that waits to be read follows it."""
        if self._meant_before():
            return
        self.table.page = None
        self.table.turn_page()
        self._turn_up()
        if self.line.selected:  # now that no page is open, Esc does something else
            self.line.select()

    def scroll(self, pages: float) -> None:
        """Scroll the open page by so many screens; open the history if there is none."""
        if self.line.listed is not None:
            self._go_through("up" if pages < 0 else "down")
        elif self.table.page is None:
            actions.show(self.table, "history")
            self._turn_up()
        else:
            self.windows.top += int(self.windows.page_rows * pages)

    def _turn_up(self) -> None:
        """Show the opened page from the line where reading begins."""
        page = self.table.page
        self.windows.top = len(page.lines) if page and page.newest_last else 0

    def open(self, command: str) -> None:
        """Show the page of a command; the same key closes it."""
        if self.line.listed is not None:
            self.line.close_list()
        before = self.table.page
        actions.show(self.table, command)
        self._turn_up()
        if before and self.table.page and before.title == self.table.page.title:
            self.table.page = None

    def offered(self, digit: str) -> bool:
        """Whether a digit does something at once: after the end, on an empty line."""
        table = self.table
        free = self.line.empty and self.line.listed is None and not self.line.typing.chatting
        return free and table.pending is None and sequel.meant(table, digit) != digit

    def match_ended(self) -> None:
        """Give the screen to the page of the end."""
        self._interrupted = self.line.drop_answer()

    def _meant_before(self) -> bool:
        """Whether the key at hand was meant for the line that was begun before the match ended."""
        return self._interrupted and self.table.shows_end and self.reading.hasty

    def press_digit(self, digit: str) -> None:
        """Do what a digit stands for after the end."""
        if self._meant_before():
            return
        actions.enter(self.table, digit)
        self._turn_up()
        self._changed()
        self._go_if_left()

    def next_side(self) -> None:
        """Another panel first."""
        sides = presentation.panels(self.table)
        if sides:
            at = sides.index(self.table.side) if self.table.side in sides else 0
            self.table.side = sides[(at + 1) % len(sides)]

    def toggle_notes(self) -> None:
        """Notes beside the board, or no longer."""
        actions.show(self.table, "notes off" if self.table.settings.notes else "notes on")

    def leave(self) -> None:
        """Leave, after a question if the match goes on."""
        if self.line.listed is not None:
            self.line.close_list()
        self.line.typing.chatting = False
        actions.leave(self.table)
        self._go_if_left()

    def _go_if_left(self) -> None:
        if self.table.left or self.table.wish is not None:
            self._end()
