"""Spies & Lies at the table: its board, questions and words (see `cli.games.interface`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cli.games.interface import Decided, Page, Room, Sight
from cli.games.spies_and_lies import board, cards, description, manual, panels, questions
from cli.games.spies_and_lies.names import REASONS
from cli.games.spies_and_lies.snapshot import now
from cli.text.layout import Line, styled
from p2p_stratego.core.game import Options, OptionValue
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.formats import narration
from p2p_stratego.spies_and_lies.rules.soldiers import DAYS, TURNS
from p2p_stratego.spies_and_lies.rules.state import State


class SpiesAndLiesRoom:
    """Implements `cli.games.interface.Room`; the work is in the modules beside this one."""

    title = "Spies & Lies"
    pace = 1.0
    least = board.LEAST
    signs = board.SIGNS
    pointer = None
    drafting = None
    scribe = None

    say_board = staticmethod(description.board)
    say_hand = staticmethod(description.hand)
    say_notes = staticmethod(description.notes)
    question = staticmethod(questions.question)
    waiting = staticmethod(questions.waiting)
    choices = staticmethod(questions.choices)
    read = staticmethod(questions.read)
    warnings = staticmethod(questions.warnings)
    tell = staticmethod(narration.tell)
    breach = staticmethod(narration.tell_breach)
    ending = staticmethod(narration.tell_outcome)
    panels = staticmethod(panels.panels)

    def fitting(self, columns: int, rows: int) -> tuple[int, int]:
        return board.fitting(columns, rows)

    def banner(self, view: View[State]) -> str:
        state = view.state
        day = f"Day {state.day}/{DAYS}"
        if state.phase == "over":
            return f"{day} · the end"
        if state.phase == "mission":
            return f"{day} · guess {state.turn + 1}/{TURNS}"
        return f"{day} · {state.phase}"

    def board(self, sight: Sight, columns: int, rows: int) -> list[Line]:
        return board.board(sight, columns, rows)

    def say_asked(self, sight: Sight) -> list[str]:
        return description.asked(sight, questions.kind(sight.view))

    def tray(self, sight: Sight, columns: int) -> Line:
        moment = now(sight.view)
        laid = [rank for rank in moment.line if rank is not None]
        return cards.tray(moment.hand, laid or questions.drafted(sight.view, sight.typed), columns)

    def explain(self, sight: Sight) -> Line:
        return questions.explain(sight.view, sight.typed)

    def spoken(self, view: View[State], decided: Decided) -> str:
        del view
        return questions.spoken(decided)

    def reason(self, reason: str) -> str:
        return REASONS.get(reason, reason)

    def option(self, name: str, said: OptionValue, read: Callable[[str], str | None]) -> OptionValue:
        del name, read
        return said

    def options(self, options: Options) -> list[str]:
        starter = options["starter"]
        first = "chance decides who guesses first" if starter == "random" else f"{starter} guesses first"
        return [f"each wall stands {options['wall']} steps from the middle", first]

    def manual(self, topic: str | None, columns: int) -> Page:
        if topic is None:
            return Page("Rules in short", [styled(line) for line in manual.summary(columns)])
        found = manual.find(topic)
        return Page(f"{found.rank} {found.name}", [styled(line) for line in manual.about(found, columns)])


ROOM: Final[Room] = SpiesAndLiesRoom()
