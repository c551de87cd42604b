"""The whole game as one script: the rules ask, the Asks' scripts answer."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from p2p_stratego.core.game import (
    Ask,
    Commit,
    Mix,
    Open,
    OpenTo,
    Outcome,
    Roll,
    Together,
    Turn,
)
from p2p_stratego.core.sides import last_side
from protocol.record.asks.base import Answered, Left, Reached, Script, Table
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
        if table.gone and _absent(table, ask):
            reply = None
        else:
            try:
                reply = yield from ASKS[type(ask)].script(table, ask)
            except Left:
                reply = None
        table.serial += 1
        if table.keeps_history:
            table.history.append(Answered(ask, reply, table.number))


def _absent(table: Table, ask: Ask) -> bool:
    """Whether a seat that is gone would have to answer or see it; a Roll and a Together go on without it."""
    gone = table.gone
    if isinstance(ask, Roll | Together):
        return False
    if isinstance(ask, Open | OpenTo):
        viewed = isinstance(ask, OpenTo) and ask.seat in gone
        return viewed or ask.slot in table.never_laid or table.hidden[ask.slot].seat in gone
    if ask.seat in gone and isinstance(ask, Commit | Mix):
        table.never_laid.update(ask.slots if isinstance(ask, Commit) else ask.new)
    return ask.seat in gone


def play(table: Table) -> Script[Outcome]:
    """The whole game, from set-up to the outcome that the rules give, or until one side alone is left."""
    genesis = table.genesis
    game, sides, told = genesis.game, genesis.sides, 0
    state = yield from answer(table, game.setup(len(genesis.players), genesis.options))
    while (outcome := game.outcome(state)) is None:
        winners = last_side(sides, table.gone) if table.gone else None
        if winners is not None:
            return Outcome(winners, "deserted")
        if told < len(table.gone):
            leaver = list(table.gone)[told]
            told += 1
            state = yield from answer(table, game.gone(state, leaver))
        else:
            state = yield from answer(table, game.turn(state))
    return outcome
