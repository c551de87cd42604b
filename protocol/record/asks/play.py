"""The whole game as one script: the rules ask, and the scripts of the Asks answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
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
from protocol.record.asks.base import Answered, Moment, Reached, Script, SeatLeft, Table
from protocol.record.asks.proofs.keys import KeyLost, recovered
from protocol.record.asks.registry import HASHES, PROOFS, asks_player


def play(table: Table, moment: Moment | None = None) -> Script[Outcome]:
    """The whole game, from the set-up to the outcome of the rules, or until only one side is left.

    `moment`: play goes on from there, since everything behind it was taken back.
    """
    genesis, answers = table.genesis, list[Any]()
    game, asks = genesis.game, PROOFS if genesis.proofs else HASHES
    begin: Callable[[], Turn[Any]] = partial(game.setup, len(genesis.players), genesis.options)
    informed = 0
    if moment is not None:
        begin, informed, answers = moment.begin, moment.informed, [*moment.answers[: moment.answered]]
    turn, reply = _after(begin, answers)
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
            begin, informed, answers = _next_turn(table, informed), min(informed + 1, len(table.gone)), []
            turn, reply = begin(), None
            continue
        if genesis.takebacks and asks_player(ask):
            table.moment = table.at_moment(begin, answers, informed)
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
        answers.append(reply)
        if table.keeps_history:
            table.history.append(Answered(ask, reply, table.number, table.serial))
        table.serial += 1


def _next_turn(table: Table, informed: int) -> Callable[[], Turn[Any]]:
    """The function that begins the next turn of the rules, which know of `informed` leavers."""
    game = table.genesis.game
    if informed < len(table.gone):
        return partial(game.gone, table.state, list(table.gone)[informed])
    return partial(game.turn, table.state)


def _after(begin: Callable[[], Turn[Any]], answers: Sequence[Any]) -> tuple[Turn[Any], Any]:
    """A turn of the rules that has got all `answers` but the last, and the last answer, still to be sent."""
    turn, reply = begin(), None
    for answer in answers:
        turn.send(reply)
        reply = answer
    return turn, reply


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
        return viewed or table.lacks(ask.slot) or table.hidden[ask.slot].seat in gone
    if ask.seat in gone and isinstance(ask, Commit | Mix):
        table.leave_out(*(ask.slots if isinstance(ask, Commit) else ask.new))
    return ask.seat in gone
