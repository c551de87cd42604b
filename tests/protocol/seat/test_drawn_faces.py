"""A Commit that is not chosen: the program draws, asks nobody, and draws the same again after a crash."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from p2p_stratego.core import self_play
from p2p_stratego.core.game import (
    Commit,
    Decision,
    Game,
    Open,
    Options,
    Outcome,
    Roll,
    Seat,
    Sides,
    Together,
    Turn,
)
from p2p_stratego.core.sides import each_alone
from protocol.audit.verdict import Verdict, audit
from protocol.record.asks.base import Decided
from protocol.record.debts import DebtKind, debts
from protocol.seat.session import Session
from tests.helpers.seats.pair import Table

SIDES = 6
HAND = (1, 1, 2)


class Dice:
    """Implements `core.game.Game[Any]`: private rolls, and hands in a drawn order; all is opened."""

    name = "dice"
    version = 1
    seat_counts = (2, 3)
    most_rolls = 3
    most_shuffles = 0
    needs_proofs = False
    private_talk = False

    def options(self, wanted: Options) -> Options:
        return wanted

    def setup(self, seats: int, _options: Options) -> Turn[tuple[int, ...]]:
        yield from ()
        return (seats,)

    def turn(self, state: tuple[int, ...]) -> Turn[tuple[int, ...]]:
        (seats,) = state
        laid = (Commit(seat, (seat,), range(SIDES), chosen=False) for seat in range(seats))
        yield Together(tuple(laid))
        hands = (range(10 + 3 * seat, 13 + 3 * seat) for seat in range(seats))
        asks = [Commit(s, tuple(hand), HAND, exactly=True, chosen=False) for s, hand in enumerate(hands)]
        yield asks[0]
        yield Together(tuple(asks[1:]))
        added: tuple[int, ...] = ()
        for _ in range(seats):
            added += ((yield Roll(SIDES)),)
        shown: tuple[int, ...] = ()
        for slot in (*range(seats), *range(10, 13)):
            shown += ((yield Open(slot)),)
        dice = [(face + digit) % SIDES for face, digit in zip(shown, added, strict=False)]
        return (seats, *dice, *shown)

    def outcome(self, state: tuple[int, ...]) -> Outcome | None:
        return Outcome(frozenset({0}), "rolled") if len(state) > 1 else None

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return ("red", "blue", "green")[:seats]

    def sides(self, seats: int) -> Sides:
        return each_alone(seats)

    def gone(self, state: tuple[int, ...], _seat: Seat) -> Turn[tuple[int, ...]]:
        yield from ()
        return state

    def rematch(self, options: Options, _state: tuple[int, ...]) -> Options:
        return options


DICE: Game[Any] = Dice()


def nobody(_session: Session, decision: Decision, _rng: random.Random) -> Decided:
    raise AssertionError(f"a player is asked for {decision}")


def table(seed: int, *, seats: int = 2, proofs: bool = False) -> Table:
    return Table(seed, game=DICE, seats=seats, decide=nobody, proofs=proofs)


@pytest.mark.parametrize("proofs", [False, True])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_match_of_drawn_faces_asks_no_player_and_is_complete(seats: int, proofs: bool) -> None:
    played = table(5, seats=seats, proofs=proofs).play()
    for seat in played.seats:
        assert audit(seat.transcript, {DICE.name: DICE}).verdict is Verdict.COMPLETE
        assert seat.vault == []  # no decision was kept
    state = played.seats[0].session.referee.table.state
    assert sorted(state[-3:]) == sorted(HAND)
    for at, seat in enumerate(played.seats):
        assert seat.session.known[at] in range(SIDES)


@pytest.mark.parametrize("proofs", [False, True])
def test_row_30_a_restart_at_any_place_draws_the_same(proofs: bool) -> None:
    whole = table(5, proofs=proofs).play()
    shown = whole.seats[0].session.referee.table.state
    for steps in range(1, 12):
        stopped = table(5, proofs=proofs).play(steps=steps)
        for seat in stopped.seats:
            seat.restart()
            seat.session.agree()
            seat.session.go_live()
        stopped.play()
        known = [seat.session.known for seat in whole.seats]
        assert [seat.session.known for seat in stopped.seats] == known
        assert stopped.seats[0].session.referee.table.state == shown


def test_what_a_program_draws_is_its_debt_and_no_decision_against_a_draw() -> None:
    seen = set()
    match = table(5)
    while match.step():
        for seat in match.seats:
            seen |= {debt.duty for debt in debts(seat.session.referee).values()}
            assert seat.session.decision is None
            assert not any(seat.session.referee.decided_at)
    assert seen == {DebtKind.PROGRAM}


def test_the_faces_are_drawn_evenly_and_a_hand_in_every_order() -> None:
    dice, hands = Counter[int](), Counter[tuple[int, ...]]()
    for seed in range(300):
        match = table(seed)
        match.play(steps=12)
        for seat in match.seats:
            known = seat.session.known
            dice[known[seat.seat]] += 1
            hands[tuple(known[slot] for slot in range(10 + 3 * seat.seat, 13 + 3 * seat.seat))] += 1
    assert set(dice) == set(range(SIDES))
    assert min(dice.values()) > 60  # of 100 expected
    assert set(hands) == {(1, 1, 2), (1, 2, 1), (2, 1, 1)}
    assert min(hands.values()) > 140  # of 200


def test_self_play_draws_as_the_programs_would() -> None:
    class Silent:
        def decide(self, view: Any) -> Any:
            raise AssertionError(view)

    seen = Counter[int]()
    for seed in range(200):
        played = self_play.play(DICE, [Silent(), Silent()], {}, random.Random(seed))
        seen.update((played.faces[0], played.faces[1]))
        assert sorted(played.faces[slot] for slot in (10, 11, 12)) == sorted(HAND)
    assert set(seen) == set(range(SIDES))
