"""The screen on which costly decisions are tried again: the board of then, the question, and an input line.

`cli.studies.analysis.mistakes` has what a line comes to; a pure function draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, VSplit, Window

from cli.screen.look import ThemedApplication
from cli.screen.widgets import Rows, input_line
from cli.studies.analysis.mistakes import BEST, HELP, LEAVE, NEXT, Retries
from cli.text.layout import EMPTY, MAX_LINE, Line, ascii_line, block, centred, fit, indented, styled
from p2p_stratego.core.language import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prompt_toolkit.input import Input
    from prompt_toolkit.key_binding import KeyPressEvent
    from prompt_toolkit.output import Output

    from cli.shell.settings import Settings

_PROMPT: Final = " > "
_LEAST_TEXT: Final = 6
"""Rows for words, below the board."""
_FACTS: Final = 3
"""Rows of them for what the question rests on; more where the screen is high."""


def screen(retries: Retries, typed: str, columns: int, rows: int) -> list[Line]:
    """All rows but the input line and the keys below it."""
    board, spare = retries.game.board, retries.game.spare_rows
    question = indented(styled(retries.asked, "question"), columns - 1)
    answer = [line for text in retries.sentences for line in indented(styled(text, "strong"), columns - 1)]
    heading = indented(styled(retries.heading, "told"), columns - 1)
    facts = [line for text in retries.facts for line in indented(styled(text), columns - 1)]
    room = rows - board.LEAST[1] + spare - len(question)
    if columns >= board.LEAST[0] and room > 1 and not retries.in_words:  # the board goes before all else
        heading = heading[: max(room - len(answer), 1)]
        answer = answer[: room - len(heading)]
        facts = facts[: max(room - len(heading) - len(answer), 0)]
    heading = [*heading, *answer[: max(rows - len(heading) - len(question), 0)]]
    shown = facts[: max(_FACTS, rows - len(heading) - len(question) - board.LEAST[1])]
    words = [*heading, *shown, *question]
    left = max(rows - max(len(words), _LEAST_TEXT), 0)
    if columns < board.LEAST[0] or left < board.LEAST[1] - spare:
        drawn, words = facts, [*heading, *question]
    else:
        wide, high = board.fitting(columns, max(left, board.LEAST[1]))
        drawn = [centred(line, columns) for line in board.draw(retries.context(typed), wide, high)]
    left = max(rows - len(words), 0)
    return [*block(drawn[:left], columns, left), *(fit(line, columns) for line in words[:rows])]


def keys(columns: int, *, typed: bool = False) -> Line:
    """The keys at the foot; `typed`: something stands in the line."""
    hints = (
        ("Enter", _("try it")),
        ("F2", _("what the bot does")),
        ("Esc", _("clear") if typed else _("next question")),
        ("F1", _("help")),
        ("^Q", _("leave")),
    )
    parts: Line = EMPTY
    for key, does in hints:
        parts += (*styled(f" {key}", "footer", "footer.key"), *styled(f" {does} ", "footer"))
    return fit(parts, columns)


class MistakesScreen:
    """The application for one player's costly decisions; it ends behind the last one."""

    def __init__(
        self, retries: Retries, looks: Settings, streams: tuple[Input, Output] | None = None
    ) -> None:
        """`streams`: where to read and draw, if not standard input and output."""
        self._retries, self._ascii = retries, looks.ascii
        self.buffer = Buffer(multiline=False, accept_handler=self._accept)
        prompt = Window(FormattedTextControl([("class:question", _PROMPT)]), width=len(_PROMPT), height=1)
        line = input_line(self.buffer)
        foot = Rows(lambda: [keys(self._size[0], typed=bool(self.buffer.text))], lambda _place, _event: None)
        entry, output = streams or (None, None)
        self.app: ThemedApplication[None] = ThemedApplication(
            lambda: looks.theme,
            layout=Layout(
                HSplit([Rows(self._lines, lambda _place, _event: None), VSplit([prompt, line]), foot]),
                focused_element=line,
            ),
            key_bindings=self._keys(),
            full_screen=True,
            input=entry,
            output=output,
        )

    @property
    def _size(self) -> tuple[int, int]:
        size = self.app.output.get_size()
        return size.columns, size.rows

    def _lines(self) -> Sequence[Line]:
        columns, rows = self._size
        if self._retries.over:
            return block([], columns, rows - 2)
        lines = screen(self._retries, self.buffer.text, columns, max(rows - 2, 1))
        return [ascii_line(line) for line in lines] if self._ascii else lines

    def _accept(self, buffer: Buffer) -> bool:
        """Take the line; an empty one is no answer, and goes nowhere."""
        if buffer.text.strip():
            self._enter(buffer.text[:MAX_LINE])
        return False

    def _enter(self, typed: str) -> None:
        self._retries.enter(typed)
        if self._retries.over and self.app.is_running:
            self.app.exit()

    def _keys(self) -> KeyBindings:
        bindings = KeyBindings()
        for key, word in (
            ("f1", HELP[0]),
            ("f2", BEST[0]),
            ("c-q", LEAVE),
            ("c-c", LEAVE),
            ("c-d", LEAVE),
        ):

            @bindings.add(key)
            def _(_event: KeyPressEvent, word: str = word) -> None:
                self._enter(word)

        empty = Condition(lambda: not self.buffer.text)

        @bindings.add("escape", eager=True, filter=empty)
        def _next(_event: KeyPressEvent) -> None:
            self._enter(NEXT[0])

        @bindings.add("escape", eager=True, filter=~empty)
        def _clear(_event: KeyPressEvent) -> None:
            self.buffer.reset()

        return bindings
