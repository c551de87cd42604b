"""Stratego at the table: its room, that is, its board, questions and words (see `cli.room`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cli.room import Choice, Decided, Page, Panel, Question, Room, Sight, Voices
from cli.stratego import asking, board, drafting, manual, panels, saying, variants
from cli.stratego.now import is_setting_up
from cli.stratego.pointer import BoardPointer
from cli.stratego.scribe import Scribe
from cli.stratego.words import REASONS
from cli.text import Line, styled
from p2p_stratego.stratego.armies import ARMIES
from p2p_stratego.stratego.state import State
from p2p_stratego.stratego.telling import piece, tell, tell_breach, tell_outcome
from p2p_stratego.table import Ask, Options, OptionValue, Outcome
from p2p_stratego.view import View


class StrategoRoom:
    """Implements `cli.room.Room`; the work is in the modules beside this one."""

    title = "Stratego"
    pace = 0.4
    least = board.LEAST
    signs = board.SIGNS
    pointer = BoardPointer()
    drafting = drafting.SetUp()
    scribe = Scribe()

    def fitting(self, columns: int, rows: int) -> tuple[int, int]:
        return board.fitting(columns, rows)

    def breach(self, rule: str) -> str:
        return tell_breach(rule)

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

    def say_board(self, sight: Sight) -> list[str]:
        return saying.board(sight)

    def say_asked(self, sight: Sight) -> list[str]:
        return saying.asked(sight)

    def say_hand(self, sight: Sight) -> list[str]:
        return saying.hand(sight)

    def say_notes(self, sight: Sight) -> list[str]:
        return saying.notes(sight)

    def tray(self, sight: Sight, columns: int) -> Line:
        return panels.tray(sight, columns)

    def panels(self, sight: Sight, columns: int) -> list[Panel]:
        return panels.panels(sight, columns)

    def question(self, view: View[State], voices: Voices) -> Question | None:
        return asking.question(view, voices)

    def waiting(self, view: View[State], voices: Voices, ask: Ask) -> str:
        return asking.waiting(view, voices, ask)

    def choices(self, view: View[State], typed: str) -> tuple[Choice, ...]:
        return asking.choices(view, typed)

    def explain(self, sight: Sight) -> Line:
        return panels.explain(sight)

    def read(self, view: View[State], typed: str) -> Decided:
        return asking.read(view, typed)

    def warnings(self, view: View[State], decided: Decided) -> list[str]:
        return [] if isinstance(decided, tuple) else asking.warnings(view, decided)

    def spoken(self, view: View[State], decided: Decided) -> str:
        return "set up like this" if isinstance(decided, tuple) else asking.spoken(view, decided)

    def tell(self, before: State | None, after: State, names: Sequence[str]) -> Sequence[str]:
        return tell(before, after, names)

    def ending(self, outcome: Outcome, names: Sequence[str]) -> str:
        return tell_outcome(outcome, names)

    def reason(self, reason: str) -> str:
        return REASONS.get(reason, reason)

    def option(self, name: str, said: OptionValue, read: Callable[[str], str | None]) -> OptionValue:
        return variants.army_option(str(said), read) if name == "army" else said

    def options(self, options: Options) -> list[str]:
        return variants.told(options)

    def manual(self, topic: str | None, columns: int) -> Page:
        if topic is None:
            return Page("Rules in short", [styled(line) for line in manual.summary(columns)])
        face = manual.find(topic)
        return Page(piece(face), [styled(line) for line in manual.about(face, columns)])


ROOM: Final[Room] = StrategoRoom()
