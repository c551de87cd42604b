"""Stratego at the table: its room, that is, its board, questions and words (see `cli.games.interface`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cli.games.interface import Decided, Page, Room, Sight
from cli.games.stratego import (
    board,
    description,
    manual,
    panels,
    questions,
    setup_editor,
)
from cli.games.stratego import (
    options as game_options,
)
from cli.games.stratego.names import REASONS
from cli.games.stratego.pointer import BoardPointer
from cli.games.stratego.record import Scribe
from cli.games.stratego.snapshot import is_setting_up
from cli.text.layout import Line, styled
from p2p_stratego.core.game import OptionValue
from p2p_stratego.core.view import View
from p2p_stratego.stratego.formats import narration
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.state import State


class StrategoRoom:
    """Implements `cli.games.interface.Room`; the work is in the modules beside this one."""

    title = "Stratego"
    pace = 0.4
    least = board.LEAST
    signs = board.SIGNS
    pointer = BoardPointer()
    drafting = setup_editor.SetUp()
    scribe = Scribe()

    fitting = staticmethod(board.fitting)
    say_board = staticmethod(description.board)
    say_asked = staticmethod(description.asked)
    say_hand = staticmethod(description.hand)
    say_notes = staticmethod(description.notes)
    question = staticmethod(questions.question)
    waiting = staticmethod(questions.waiting)
    choices = staticmethod(questions.choices)
    read = staticmethod(questions.read)
    tell = staticmethod(narration.tell)
    ending = staticmethod(narration.tell_outcome)
    breach = staticmethod(narration.tell_breach)
    options = staticmethod(game_options.told)
    tray = staticmethod(panels.tray)
    explain = staticmethod(panels.explain)
    panels = staticmethod(panels.panels)

    def banner(self, view: View[State]) -> str:
        state = view.state
        army = state.army.text if state.army.text in ARMIES else f"{state.army.size} pieces"
        if is_setting_up(state):
            return f"{army} · setting up"
        if state.phase == "over":
            return f"{army} · the end, {state.plies} moves"
        return f"{army} · move {state.plies + 1}"

    def board(self, sight: Sight, columns: int, rows: int) -> list[Line]:
        return board.board(sight, columns, rows)

    def warnings(self, view: View[State], decided: Decided) -> list[str]:
        return [] if isinstance(decided, tuple) else questions.warnings(view, decided)

    def spoken(self, view: View[State], decided: Decided) -> str:
        return "set up like this" if isinstance(decided, tuple) else questions.spoken(view, decided)

    def reason(self, reason: str) -> str:
        return REASONS.get(reason, reason)

    def option(self, name: str, said: OptionValue, read: Callable[[str], str | None]) -> OptionValue:
        return game_options.army_option(str(said), read) if name == "army" else said

    def manual(self, topic: str | None, columns: int) -> Page:
        if topic is None:
            return Page("Rules in short", [styled(line) for line in manual.summary(columns)])
        face = manual.find(topic)
        return Page(narration.piece(face), [styled(line) for line in manual.about(face, columns)])


ROOM: Final[Room] = StrategoRoom()
