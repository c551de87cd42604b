"""The whole game as one script: the rules ask, and the scripts of the Asks answer."""

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
    Seat,
    Together,
    Turn,
)
from p2p_stratego.core.sides import last_side, without
from protocol.record.asks.base import Answered, Reached, Script, SeatLeft, Table
from protocol.record.asks.proofs.keys import KeyLost, recovered
from protocol.record.asks.registry import HASHES, PROOFS


def play(table: Table) -> Script[Outcome]:
    """The whole game, from the set-up to the outcome of the rules, or until only one side is left."""
    genesis, leavers = table.genesis, 0
    game, asks = genesis.game, PROOFS if genesis.proofs else HASHES
    turn: Turn[Any] = game.setup(len(genesis.players), genesis.options)
    reply: Any = None
    while True:
        try:
            ask = turn.send(reply)
        except StopIteration as stop:
            table.state = stop.value
            if table.keeps_history:
                table.history.append(Reached(table.state, table.number))
            outcome: Outcome | None = game.outcome(table.state)
            if outcome is None and table.gone:
                outcome = _deserted(table)
            if outcome is not None:
                return outcome
            reply = None
            if leavers < len(table.gone):
                turn = game.gone(table.state, list(table.gone)[leavers])
                leavers += 1
            else:
                turn = game.turn(table.state)
            continue
        if table.gone and _absent(table, ask):
            reply = None
        else:
            try:
                script = asks[type(ask)].script(table, ask)
                reply = yield from (_keyed(table, script) if genesis.proofs else script)
            except SeatLeft:
                reply = None
            except KeyLost as lost:
                return _without_key(table, lost.seat)
        table.serial += 1
        if table.keeps_history:
            table.history.append(Answered(ask, reply, table.number))


def _keyed(table: Table, script: Script[Any]) -> Script[Any]:
    """The answer that `script` gives.  If a seat leaves meanwhile, the others recover its key first."""
    try:
        owed = next(script)
        while True:
            try:
                message = yield owed
            except SeatLeft:
                yield from recovered(table, owed)
                owed = script.throw(SeatLeft())
            else:
                owed = script.send(message)
    except StopIteration as stop:
        return stop.value


def _without_key(table: Table, seat: Seat) -> Outcome:
    """How the game ends if the key of `seat` cannot be recovered.

    Among more than two sides nobody wins: else a seat could fall silent to give a losing friend the win.
    """
    table.cards.missing = seat
    return _deserted(table) or Outcome(without(table.genesis.sides, seat), "unresponsive")


def _deserted(table: Table) -> Outcome | None:
    """How the game ended if only one side is left; None if more are."""
    winners = last_side(table.genesis.sides, table.gone)
    return None if winners is None else Outcome(winners, "deserted")


def _absent(table: Table, ask: Ask) -> bool:
    """Whether `ask` needs a seat that is gone to answer or to see; a Roll and a Together go on without it.

    Under the profile of proofs the scripts themselves act for a seat that is gone.
    """
    gone = table.gone
    if isinstance(ask, Roll | Together | DeckAsk):
        return False
    if table.genesis.proofs and isinstance(ask, Open | Mix | OpenTo):
        return isinstance(ask, OpenTo) and ask.seat in gone
    if isinstance(ask, Open | OpenTo):
        viewed = isinstance(ask, OpenTo) and ask.seat in gone
        return viewed or ask.slot in table.never_laid or table.hidden[ask.slot].seat in gone
    if ask.seat in gone and isinstance(ask, Commit | Mix):
        table.never_laid.update(ask.slots if isinstance(ask, Commit) else ask.new)
    return ask.seat in gone
