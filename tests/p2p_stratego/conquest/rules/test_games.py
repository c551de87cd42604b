"""Whole games of random players, with leavers and crooks: what must hold after every act."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.conquest.rules.game import GAME, Conquest
from p2p_stratego.conquest.rules.pieces import ARMY, FACES, FLAG
from p2p_stratego.conquest.rules.state import LOST, ON_BOARD, State, owners
from p2p_stratego.conquest.rules.turns import not_begun
from p2p_stratego.core.game import (
    Ask,
    Choose,
    Claim,
    Commit,
    Face,
    Mix,
    Move,
    Open,
    Roll,
    Seat,
    Together,
    Turn,
)
from p2p_stratego.core.self_play import FalseClaim, play
from p2p_stratego.core.view import View


class Watched(Conquest):
    """The rulebook, and what must hold of every state that it returns."""

    def __init__(self) -> None:
        self.rolls = Counter[int]()
        """By the number of the turn."""

    def turn(self, state: State) -> Turn[State]:
        return (yield from self._watched(GAME.turn(state), state.turn))

    def gone(self, state: State, seat: Seat) -> Turn[State]:
        return (yield from self._watched(GAME.gone(state, seat), state.turn))

    def _watched(self, turn: Turn[State], number: int) -> Turn[State]:
        answer: Any = None
        left = False
        try:
            while True:
                ask: Ask = turn.send(answer)
                self.rolls[number] += isinstance(ask, Roll)
                answer = yield ask
                left |= answer is None and isinstance(ask, Choose | Open)
                left |= isinstance(ask, Together) and isinstance(ask.asks[0], Choose)
        except StopIteration as end:
            state: State = end.value
        if not left:  # who has left in this act is taken away behind it
            held(state)
        return state


def held(state: State) -> None:
    """The invariants."""
    placed = state.phase not in ("draft", "army", "zones")
    for seat, status in enumerate(state.status):
        pieces = list(state.live(seat))
        captured = state.flags[seat] >= 0
        if status == "gone" or not placed:
            assert pieces == []
            continue
        if state.ended is None:
            assert len(pieces) + captured == 18, f"seat {seat} has {len(pieces)} pieces"
        assert len({piece.slot for piece in pieces}) == len(pieces)
        assert state.flags[seat] != LOST
        if status == "out":
            assert captured
        assert captured == (state.flag_slots[seat] is not None)
        for piece in pieces:
            assert piece.could
            assert piece.face is None or piece.could == 1 << piece.face
            assert piece.slot < state.next_slot
    for captor in filter(lambda where: where >= 0, state.flags):
        if state.ended is None and state.status[captor] != "gone":
            assert state.flags[captor] == ON_BOARD
    if placed and state.ended is None:
        assert state.flags_left >= 2
        assert state.status[state.seat] == "in"
        assert 1 <= state.round <= state.rounds
        assert state.made < state.moves or state.phase != "move"
        assert state.hand is None
        if not_begun(state):
            assert state.territories == owners(state.board)
    assert (state.phase == "over") == (state.ended is not None)
    assert 0 <= state.pile.size + len(state.drawn) <= 42 + len(state.drawn)


def options(rng: Random) -> dict[str, int | str]:
    return {
        "garrison": rng.choice(["free", "all"]),
        "scout": rng.choice(["run", "charge"]),
        "rounds": rng.choice([3, 10, 40, 100]),
    }


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_a_random_game_keeps_every_piece_and_ends(seats: int, seed: int) -> None:
    rng, game = Random(f"{seats}/{seed}"), Watched()
    bots = [Recruit(Random(f"{seed}/{seat}")) for seat in range(seats)]
    chosen = options(rng)
    played = play(game, bots, chosen, rng)
    assert played.outcome.reason in ("flag", "rounds", "draw")
    assert played.state.turn <= seats * int(chosen["rounds"])
    assert max(game.rolls.values()) <= 3
    assert game.rolls.total() <= 1.5 * played.state.turn  # half of the bound, most_rolls, for so many turns
    assert played.state.next_slot <= 17_072
    assert played.state.next_slot <= 17_072
    for seat in range(seats):
        live = Counter(played.faces[piece.slot] for piece in played.state.live(seat))
        slot = played.state.flag_slots[seat]
        assert live + Counter([] if slot is None else [FLAG]) == Counter(ARMY)
        for piece in played.state.live(seat):
            assert piece.could >> played.faces[piece.slot] & 1  # what can be, by what all saw, is


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", range(12))
def test_a_random_game_with_leavers_goes_on_without_them(seats: int, seed: int) -> None:
    rng, game = Random(f"leave/{seats}/{seed}"), Watched()
    when = {rng.randrange(10, 900 if seed % 2 else 80): rng.randrange(seats) for _ in range(seats - 1)}
    bots = [Recruit(Random(f"{seed}/{seat}")) for seat in range(seats)]
    played = play(game, bots, options(rng), rng, lambda number, _: [when[number]] if number in when else [])
    assert played.outcome.reason in ("flag", "rounds", "draw", "deserted")
    assert played.outcome.winners or played.outcome.reason == "draw"


class Crook(Recruit):
    """Moves what cannot, runs with what is no scout, denies a right guess: any option that is offered."""

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        decision = view.asked
        if isinstance(decision, Choose) and view.state.phase in ("move", "play"):
            offers = list(decision.options)
            return offers[int(self._chance.random() * len(offers))]
        return super().decide(view)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(10))
def test_a_crook_is_the_one_to_blame(seats: int, seed: int) -> None:
    """By the rules at an Opening, or by a claim that its faces disprove."""
    crook = seed % seats
    bots = [(Crook if seat == crook else Recruit)(Random(f"crook/{seed}/{seat}")) for seat in range(seats)]
    false: FalseClaim | None = None
    try:
        played = play(Watched(), bots, options(Random(seed)), Random(f"c/{seed}"))
    except FalseClaim as error:
        false = error
    if false is not None:
        assert false.claim.seat == crook
    elif played.outcome.breach is not None:
        assert played.outcome.breach.seat == crook
        expected = frozenset({1 - crook}) if seats == 2 else frozenset()
        assert played.outcome.winners == expected


def test_the_asks_of_a_game_are_of_the_vocabulary_and_slots_are_used_once() -> None:
    laid: set[int] = set()

    class Slots(Watched):
        def _watched(self, turn: Turn[State], number: int) -> Turn[State]:
            answer: Any = None
            try:
                while True:
                    ask: Ask = turn.send(answer)
                    for part in getattr(ask, "asks", (ask,)):
                        new = (
                            part.new
                            if isinstance(part, Mix)
                            else part.slots
                            if isinstance(part, Commit)
                            else ()
                        )
                        assert not laid & set(new)
                        laid.update(new)
                        if isinstance(part, Open):
                            assert part.slot in laid
                        if isinstance(part, Claim):
                            assert part.slots
                            assert part.faces < frozenset(FACES)
                    answer = yield ask
            except StopIteration as end:
                state: State = end.value
            return state

    play(Slots(), [Recruit(Random(seat)) for seat in range(4)], {"rounds": 60}, Random(2))
    assert len(laid) > 72
