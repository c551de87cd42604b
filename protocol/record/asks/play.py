"""The whole game as one script: the rules ask, the Asks' scripts answer."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from p2p_stratego.core.game import Outcome, Turn
from protocol.record.asks.base import Answered, Reached, Script, Table
from protocol.record.asks.registry import ASKS

T = TypeVar("T")


def answer(table: Table, turn: Turn[T]) -> Script[T]:
    """Run one turn of the rules, answering its Asks."""
    reply: Any = None
    while True:
        try:
            ask = turn.send(reply)
        except StopIteration as stop:
            state = cast("T", stop.value)
            table.state = state
            if table.keeps_history:
                table.history.append(Reached(state, table.number))
            return state
        reply = yield from ASKS[type(ask)].script(table, ask)
        table.serial += 1
        if table.keeps_history:
            table.history.append(Answered(ask, reply, table.number))


def play(table: Table) -> Script[Outcome]:
    """The whole game, from set-up to the outcome that the rules give."""
    genesis = table.genesis
    game = genesis.game
    state = yield from answer(table, game.setup(len(genesis.players), genesis.options))
    while (outcome := game.outcome(state)) is None:
        state = yield from answer(table, game.turn(state))
    return outcome
