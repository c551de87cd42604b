"""The whole game as one script: the rules ask, the Asks' scripts answer."""

from __future__ import annotations

from typing import Any

from p2p_stratego.core.game import (
    Ask,
    Commit,
    DeckAsk,
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


def play(table: Table) -> Script[Outcome]:
    """The whole game, from set-up to the outcome that the rules give, or until one side alone is left."""
    genesis, told = table.genesis, 0
    game = genesis.game
    turn: Turn[Any] = game.setup(len(genesis.players), genesis.options)
    reply: Any = None
    while True:
        try:
            ask = turn.send(reply)
        except StopIteration as stop:
            table.state = stop.value
            if table.keeps_history:
                table.history.append(Reached(table.state, table.number))
            if (outcome := _ended(table)) is not None:
                return outcome
            reply = None
            if told < len(table.gone):
                turn = game.gone(table.state, list(table.gone)[told])
                told += 1
            else:
                turn = game.turn(table.state)
            continue
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


def _ended(table: Table) -> Outcome | None:
    """How the game ended between two turns, if it did."""
    outcome: Outcome | None = table.genesis.game.outcome(table.state)
    if outcome is None and table.gone:
        winners = last_side(table.genesis.sides, table.gone)
        return None if winners is None else Outcome(winners, "deserted")
    return outcome


def _absent(table: Table, ask: Ask) -> bool:
    """Whether a seat that is gone would have to answer or see it; a Roll and a Together go on without it."""
    gone = table.gone
    if isinstance(ask, Roll | Together | DeckAsk):
        return False
    if isinstance(ask, Open | OpenTo):
        viewed = isinstance(ask, OpenTo) and ask.seat in gone
        return viewed or ask.slot in table.never_laid or table.hidden[ask.slot].seat in gone
    if ask.seat in gone and isinstance(ask, Commit | Mix):
        table.never_laid.update(ask.slots if isinstance(ask, Commit) else ask.new)
    return ask.seat in gone
