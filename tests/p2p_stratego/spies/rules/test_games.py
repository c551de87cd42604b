"""Whole games of random players, with leavers and crooks: what must hold after every step.

`python -m tests.p2p_stratego.spies.rules.test_games FIRST LAST` plays many more.
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest

from p2p_stratego.core.game import Choose, Commit, Face, Move, Roll, Seat, Shuffle, Turn
from p2p_stratego.core.self_play import FalseClaim, PlayedGame, play
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules.act import Act
from p2p_stratego.spies.rules.allocation import OFFERED
from p2p_stratego.spies.rules.counters import ALL_CHITS, ALL_SECRETS, IN_ORDER, MEANS, SPY_FACES
from p2p_stratego.spies.rules.game import GAME, Spies
from p2p_stratego.spies.rules.options import LESSON, WORDS
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import CHITS, DROP, NOTHING, POLICE, SECRET_DECK, State
from p2p_stratego.spies.rules.tiles import TILES
from p2p_stratego.spies.rules.turn.actions import Choices
from p2p_stratego.spies.rules.turn.trade import Proposals
from tests.helpers.machine.examples import THOROUGH, runs


class Watched(Spies):
    """The rulebook, and what must hold of every state that it returns."""

    def __init__(self) -> None:
        self.rolls = self.shuffles = self.turns = 0
        self._before: set[Move] = set()
        """The choices of the turn's last action: the most like those of the next."""

    def turn(self, state: State) -> Turn[State]:
        self.turns += state.phase == "tile" or (
            state.phase == "turn" and state.bound(state.power) and state.ap == 12
        )
        return (yield from self._watched(GAME.turn(state)))

    def gone(self, state: State, seat: Seat) -> Turn[State]:
        return (yield from self._watched(GAME.gone(state, seat)))

    def _watched(self, turn: Turn[State]) -> Turn[State]:
        answer: Any = None
        try:
            while True:
                ask = turn.send(answer)
                self.rolls += isinstance(ask, Roll)
                self.shuffles += isinstance(ask, Shuffle)
                if isinstance(ask, Choose):
                    assert ask.options
                    if not isinstance(ask.options, Layings | Proposals):
                        assert all(1 <= len(option) <= 32 and option.isascii() for option in ask.options)
                        listed = set(ask.options)
                        assert len(listed) == len(ask.options)
                        if isinstance(ask.options, Choices):
                            assert listed == {move for move in self._before | listed if move in ask.options}
                            self._before = listed
                answer = yield ask
        except StopIteration as end:
            state: State = end.value
        held(state)
        return state


def held(state: State) -> None:
    """The invariants."""
    assert state.cup + sum(map(len, state.hands)) == len(ALL_CHITS)
    assert all(len(hand) <= 10 for hand in state.hands)
    assert 0 <= state.ap <= 12
    assert 1933 <= state.year <= 1939
    assert all(least >= 0 for least in state.least)
    if not state.secret:
        assert state.money == state.least
        assert all(pounds >= 0 for pounds in state.money)
    stood_on = [lying.on for lying in state.secrets if lying.on >= 0]
    assert len(set(stood_on)) == len(stood_on)
    for lying in state.secrets:
        assert (lying.by is None) == (lying.on == NOTHING) or lying.where == "cashed"
        if lying.where == "map" and lying.on >= 0:
            spy = state.spies[lying.on]
            assert (spy.where, spy.city, spy.power) == ("map", lying.city, lying.by)
        if lying.on == DROP:
            assert lying.owner != lying.by
        if lying.on == POLICE and lying.by is not None:
            assert state.territory[lying.city] == lying.by
        if lying.by is not None:
            assert (lying.lost == 0) == (lying.by == lying.owner)
    busy = Counter((lying.by, lying.city) for lying in state.secrets if lying.on == POLICE)
    for power, units in enumerate(state.police):
        assert len(units) in (0, len(MEANS[power].police))
        cities = Counter(unit.city for unit in units)
        assert all(count <= 2 for count in cities.values())
        assert all(state.territory[city] == power for city in cities)
        assert all(count >= busy[power, city] for city, count in cities.items())
    assert state.settling is None
    assert state.amounts == ()
    assert state.partner is None
    for spy in state.spies:
        if spy.captor is not None and not state.borrowed(spy.captor) and not state.borrowed(spy.power):
            assert not state.same_seat(spy.captor, spy.power)
    assert (state.phase == "over") == (state.ended is not None)
    assert state.next_police <= 4096 <= state.next_chit <= 32768 <= state.next_copy <= 49152
    assert state.next_purse <= 65536
    hash(state)


def conserved(played: PlayedGame[State]) -> None:
    """Every counter is where it must be, as a multiset."""
    state, faces = played.state, played.faces
    assert Counter(played.decks[0]) + Counter(
        faces[slot] for hand in state.hands for slot in hand
    ) == Counter(ALL_CHITS)
    assert Counter(faces[lying.slot] for lying in state.secrets) == Counter(ALL_SECRETS)
    assert not played.decks[SECRET_DECK]
    tiles = [played.tile for played in state.played] + [faces[slot] for left in state.tiles for slot in left]
    assert len(set(tiles)) == len(tiles)
    assert set(tiles) <= set(TILES)
    for power in range(5):
        spies = [faces[spy.slot] for spy in state.spies if spy.power == power]
        assert sorted(spies) == list(SPY_FACES)
        assert sorted(faces[unit.slot] for unit in state.police[power]) == sorted(MEANS[power].police)
    for spy in state.spies:
        assert spy.face in (None, faces[spy.slot])


class Reader(Recruit):
    """Can read each card of its own, whenever it decides."""

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        state = view.state
        for power, seat in enumerate(state.runs):
            if seat == view.seat:
                assert all(slot in view.known for slot in state.hands[power])
                assert all(slot in view.known for slot in state.tiles[power])
                assert all(unit.slot in view.known for unit in state.police[power])
                assert all(lying.slot in view.known for lying in state.secrets if lying.owner == power)
                placed = [spy.slot for spy in state.spies if spy.power == power and spy.where == "map"]
                assert all(slot in view.known for slot in placed)
        return super().decide(view)


def options(seats: int, chance: Random) -> dict[str, int | str]:
    """Any options that go together."""
    allocation = chance.choice([words for players, words in OFFERED if players == seats])
    return {
        "allocation": allocation,
        "handicap": chance.choice(WORDS["handicap"]),
        "purse": chance.choice(WORDS["purse"]),
    }


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(runs(1, 10)))
def test_a_random_game_keeps_every_counter_and_ends(seats: int, seed: int) -> None:
    chance, game = Random(f"{seats}/{seed}"), Watched()
    bots = [Reader(Random(f"{seed}/{seat}")) for seat in range(seats)]
    done = play(game, bots, options(seats, chance), chance)
    assert done.outcome.reason in ("points", "money", "draw")
    assert done.outcome.winners
    assert game.rolls <= GAME.most_rolls
    assert game.shuffles <= GAME.most_shuffles
    assert game.turns <= 35
    conserved(done)


def test_with_the_decks_of_a_lesson_a_whole_game_is_played_by_two_powers_and_all_is_dealt_alike() -> None:
    bots = [Reader(Random(f"lesson/{seat}")) for seat in range(2)]
    done = play(GAME, bots, {"allocation": LESSON, "talk": 0}, Random("lesson"))
    state, faces = done.state, done.faces
    assert done.outcome.reason in ("points", "money", "draw")
    assert Counter(faces[lying.slot] for lying in state.secrets) == Counter(ALL_SECRETS)
    assert {power for power, units in enumerate(state.police) if units} == {0, 3}
    assert all(spy.where == "lost" for spy in state.spies if spy.power not in (0, 3))
    assert tuple(faces[lying.slot] for lying in state.secrets[: len(IN_ORDER[0])]) == IN_ORDER[0]
    hands = [faces[slot] for slot in range(CHITS, CHITS + 2 * MEANS[0].chits)]
    assert tuple(hands) == IN_ORDER[1][: len(hands)]


@pytest.mark.parametrize(
    ("seats", "seed"), [*product((3, 4, 5), range(10))] if THOROUGH else [(3, 0), (4, 1), (5, 0)]
)
def test_a_random_game_with_leavers_goes_on_without_them(seats: int, seed: int) -> None:
    chance = Random(f"leave/{seats}/{seed}")
    when = {chance.randrange(2, 2500 if seed % 2 else 150): chance.randrange(seats) for _ in range(2)}
    bots = [Recruit(Random(f"{seed}/{seat}")) for seat in range(seats)]
    leaves = lambda number, _: [when[number]] if number in when else []  # noqa: E731
    done = play(Watched(), bots, options(seats, chance), chance, leaves)
    assert done.outcome.reason in ("points", "money", "draw", "deserted")
    assert not done.outcome.winners & set(done.state.gone)


class Crook(Recruit):
    """Says what it likes of all that is offered, now and then; lays what it likes into its purse."""

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        decision, often = view.asked, self._chance.random() < 0.05
        if isinstance(decision, Choose) and often and not isinstance(decision.options, Layings | Proposals):
            offers = list(decision.options)
            return offers[int(self._chance.random() * len(offers))]
        if isinstance(decision, Commit) and not decision.exactly and often:
            return tuple(int(self._chance.random() * 3) for _ in decision.slots)
        return super().decide(view)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(runs(2, 10)))
def test_a_crook_is_the_one_to_blame(seats: int, seed: int) -> None:
    """By the rules at an Opening, or by a claim that its faces disprove."""
    crook = seed % seats
    bots = [(Crook if seat == crook else Recruit)(Random(f"crook/{seed}/{seat}")) for seat in range(seats)]
    chance = Random(f"c/{seats}/{seed}")
    try:
        done = play(Watched(), bots, options(seats, chance), chance)
    except FalseClaim as false:
        assert false.claim.seat == crook  # noqa: PT017 - what was raised is the point
        return
    if done.outcome.breach is not None:
        assert done.outcome.breach.seat == crook
        assert done.outcome.winners == (frozenset({1 - crook}) if seats == 2 else frozenset())


def test_a_state_is_a_value() -> None:
    """The same answers lead to the same states, step by step."""

    def states(seed: int) -> list[State]:
        games = []

        class Kept(Spies):
            def turn(self, state: State) -> Turn[State]:
                games.append(state)
                return (yield from GAME.turn(state))

        play(Kept(), [Recruit(Random(seat)) for seat in range(3)], {}, Random(seed))
        return games

    once, again = states(1), states(1)
    assert once == again
    assert isinstance(Act(once[0]).state, State)


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        for players in (2, 3, 4, 5):
            test_a_random_game_keeps_every_counter_and_ends(players, number)
            test_a_crook_is_the_one_to_blame(players, number)
            if players > 2:
                test_a_random_game_with_leavers_goes_on_without_them(players, number)
