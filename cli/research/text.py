"""What a seat sees and has learnt, as text: for programs that read, and to compare what two seats know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cli.games.interface import GameTerminal, Players, ViewContext
from cli.research.asking import Word
from p2p_stratego.core.game import Commit, Game, Together
from p2p_stratego.core.view import AnsweredAsk, View
from p2p_stratego.registry import ENTRIES


def context(rules: Game[Any], seats: int, view: View[Any]) -> ViewContext:
    """A view as its player reads it; players bear the names of their seats."""
    return ViewContext(view, Players(rules.seat_names(seats), view.seat))


def board(rules: Game[Any], seats: int, view: View[Any], words: Sequence[Word]) -> str:
    """The board in sentences, and the question that is open."""
    terminal: GameTerminal = ENTRIES[rules.name].terminal.load()
    moment = context(rules, seats, view)
    lines = list(terminal.description.board(moment))
    if view.decision is not None:
        question = terminal.questions.question(view, moment.players)
        lines += [] if question is None else [question.text]
        lines += [f"You said: {', '.join(words)}."] if words else []
    return "\n".join(lines)


def information(view: View[Any], history: Iterable[AnsweredAsk], words: Sequence[Word]) -> str:
    """Every settled Ask with its public answer, the faces that the seat can read, and its decision."""
    lines = [f"seat {view.seat}"]
    lines += (f"{_ask(ask)} -> {answer}" for ask, answer in history)
    lines += (f"slot {slot} shows {face}" for slot, face in sorted(view.known.items()))
    if view.decision is not None:
        lines += (f"asked: {_ask(view.decision)}", *(f"said: {word}" for word in words))
    return "\n".join(lines)


def _ask(ask: Any) -> str:
    """An Ask without its options: there may be billions, and they follow from what is told."""
    if isinstance(ask, Together):
        return " and ".join(map(_ask, ask.asks))
    if isinstance(ask, Commit):
        return f"Commit seat {ask.seat} slots {ask.slots}"
    named = ((name, getattr(ask, name)) for name in type(ask).__dataclass_fields__ if name != "options")
    return " ".join((type(ask).__name__, *(f"{name} {_plain(value)}" for name, value in named)))


def _plain(value: Any) -> str:
    return str(sorted(value)) if isinstance(value, frozenset) else str(value)
