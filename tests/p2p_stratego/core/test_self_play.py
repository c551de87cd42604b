"""The arena shows each seat what a real match would, and stops a bot that breaks the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from p2p_stratego.core.game import Choose, Claim, Commit, Decision, Mix, Open, OpenTo, Outcome, Roll, Together
from p2p_stratego.core.sampling import any_of, shuffled, weighted
from p2p_stratego.core.self_play import FalseClaim, IllegalDecision, allowed, play
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES, NoSuchBot, make_bot
from tests.helpers.games.scripted import Scripted
from tests.helpers.games.toy import TOY, State

THREE = 3


class Cautious:
    """Plays the toy game; notes every view it was given."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.views: list[View[State]] = []

    def decide(self, view: View[State]) -> Any:
        self.views.append(view)
        decision = view.asked
        if isinstance(decision, Choose):
            return self.random.choice(list(decision.options))
        faces = list(decision.faces) if decision.exactly else self.clean(view)
        return tuple(self.random.sample(faces, len(decision.slots)))

    def clean(self, view: View[State]) -> list[int]:
        return [face for face in range(1, 7) if face != view.state.taboo]


class Careless(Cautious):
    """Lays the taboo face under both cards."""

    def clean(self, view: View[State]) -> list[int]:
        return [view.state.taboo, view.state.taboo]


def seated(make: Callable[[Random], Cautious] = Cautious) -> list[Cautious]:
    return [make(Random(seat)) for seat in range(THREE)]


def test_a_game_of_three_with_every_kind_of_ask_is_played_to_its_end() -> None:
    bots = seated()
    played = play(TOY, bots, {"rounds": 3, "claims": "yes"}, Random(1))
    assert played.outcome == played.state.ended
    assert played.outcome.reason in ("points", "draw")
    assert len(played.faces) == THREE * (3 + 3 * 2)


def test_the_same_seeds_play_the_same_game() -> None:
    first, second = (play(TOY, seated(), {"rounds": 3}, Random(5)) for _ in range(2))
    assert first == second


def test_no_seat_sees_a_closed_face_of_another() -> None:
    for seed in range(20):
        bots = seated()
        played = play(TOY, bots, {"rounds": 3, "claims": "yes"}, Random(seed))
        for seat, bot in enumerate(bots):
            own = {slot for view in bot.views if isinstance(view.asked, Commit) for slot in view.asked.slots}
            for view in bot.views:
                assert view.seat == seat
            called = {view.state.round for view in bot.views}
            foreign = bot.views[-1].known.keys() - own
            # Of each finished round one card of each other seat was opened, and never the other one.
            assert len(foreign) <= (THREE - 1) * len(called)
            assert all(played.faces[slot] == face for slot, face in bot.views[-1].known.items())


def test_what_others_decide_at_the_same_time_is_not_seen() -> None:
    bots = seated()
    play(TOY, bots, {"rounds": 2}, Random(3))
    together = [view for bot in bots for view in bot.views if view.state.phase in ("lay", "bid")]
    assert together
    assert all(not any(isinstance(ask, Together) for ask, _ in view.since) for view in together)


def test_the_states_before_are_seen_oldest_first() -> None:
    seen: list[tuple[Any, list[Any]]] = []

    class Looking(Cautious):
        def decide(self, view: View[State]) -> Any:
            seen.append((view.state, list(view.past)))
            return super().decide(view)

    play(TOY, seated(Looking), {}, Random(1))
    states = list(dict.fromkeys(str(state) for state, _ in seen))
    assert len(states) > 1
    for state, past in seen:
        assert [str(earlier) for earlier in past if str(earlier) in states] == states[
            : states.index(str(state))
        ]


def test_an_earlier_answer_of_the_same_turn_is_seen() -> None:
    bots = seated()
    play(TOY, bots, {}, Random(3))
    called = [view for bot in bots for view in bot.views if view.state.phase == "show"]
    assert [[answer for _, answer in view.since] for view in called] == [[called[0].seat]]


def test_a_false_claim_stops_the_arena() -> None:
    with pytest.raises(FalseClaim) as raised:
        play(TOY, seated(Careless), {"claims": "yes"}, Random(1))
    assert raised.value.claim.rule == "called a taboo card clean"


@pytest.mark.parametrize(
    ("decision", "answer", "fits"),
    [
        (Choose(0, ("a", "b")), "b", True),
        (Choose(0, ("a", "b")), "c", False),
        (Commit(0, (1, 2), (1, 2, 3)), (3, 3), True),
        (Commit(0, (1, 2), (1, 2, 3)), (3, 4), False),
        (Commit(0, (1, 2), (1, 2, 3)), (3,), False),
        (Commit(0, (1, 2), (1, 2, 3)), "33", False),
        (Commit(0, (1, 2), (1, 2), exactly=True), (2, 1), True),
        (Commit(0, (1, 2), (1, 2), exactly=True), (2, 2), False),
        (Mix(0, (1, 2), (3, 4), "changed", chosen=True).decision({1: 6, 2: 7}), (7, 6), True),
        (Mix(0, (1, 2), (3, 4), "changed", chosen=True).decision({1: 6, 2: 7}), (7, 7), False),
    ],
)
def test_an_answer_fits_its_decision_or_not(decision: Decision, answer: object, fits: bool) -> None:
    assert allowed(decision, answer) is fits


def test_a_shuffle_takes_every_order_as_often() -> None:
    chance, orders = Random(1), Counter[tuple[int, ...]]()
    for _ in range(6000):
        orders[tuple(shuffled((1, 2, 3), chance))] += 1
    assert len(orders) == 6
    assert all(850 < often < 1150 for often in orders.values())


# Private looks, mixing, and leaving


class Watching:
    """Notes all that it could read at every decision."""

    def __init__(self) -> None:
        self.read: list[dict[int, int]] = []

    def decide(self, view: View[Any]) -> Any:
        self.read.append(dict(view.known))
        return tuple(reversed(list(view.asked.faces))) if isinstance(view.asked, Commit) else "on"


def scripted(*asks: Any, leaves: Any = None) -> tuple[Any, list[Watching]]:
    watching = [Watching(), Watching(), Watching()]
    extra = {} if leaves is None else {"leaves": leaves}
    return play(
        Scripted(asks, [Choose(0, ("on",)), Choose(1, ("on",))]), watching, {}, Random(1), **extra
    ), watching


def test_a_private_look_shows_the_face_to_one_seat() -> None:
    _, (owner, viewer, third) = scripted(Commit(0, (1,), (6,)), OpenTo(1, 1), Choose(2, ("on",)))
    assert (owner.read[-1], viewer.read[-1], third.read[-1]) == ({1: 6}, {1: 6}, {})


def test_a_mix_lays_the_same_faces_under_new_slots_that_others_cannot_read() -> None:
    lay = Commit(0, (1, 2), (6, 7), exactly=True)
    played, (owner, other, _) = scripted(lay, Mix(0, (1, 2), (3, 4), "changed"), Open(3))
    assert sorted((played.faces[3], played.faces[4])) == [6, 7]
    assert owner.read[-1] == played.faces
    assert other.read[-1] == {3: played.faces[3]}
    chosen, _ = scripted(lay, Mix(0, (1, 2), (3, 4), "changed", chosen=True))
    assert (chosen.faces[3], chosen.faces[4]) == (7, 6)


def test_asks_to_a_seat_that_left_are_answered_none() -> None:
    asks = (
        Commit(0, (1,), (6,)),
        Commit(1, (2,), (6,)),
        Open(1),
        OpenTo(1, 1),
        OpenTo(2, 0),
        Claim(0, "rule", (1,), frozenset()),
        Mix(0, (1,), (3,), "changed"),
        Together((Choose(0, ("on",)), Choose(1, ("on",)))),
        Roll(1),
    )
    played, _ = scripted(*asks, leaves=lambda number, _: (0,) if number == 2 else ())
    assert played.state[0] == [None, None, None, None, None, None, None, (None, "on"), 0]
    assert 3 not in played.faces


def test_what_another_seat_lays_in_the_place_of_one_that_left_is_opened() -> None:
    asks = Commit(0, (1,), (6,)), Commit(1, (1,), (7,)), Open(1), OpenTo(1, 2)
    played, (_, _, viewer) = scripted(*asks, leaves=lambda number, _: (0,) if number == 0 else ())
    assert played.state[0] == [None, None, 7, None]
    assert viewer.read == []


def test_the_last_side_left_wins() -> None:
    played, _ = scripted(Commit(0, (1,), (6,)), leaves=lambda number, _: (0, 2) if number == 0 else ())
    assert played.outcome == Outcome(frozenset({1}), "deserted")
    played, _ = scripted(Commit(0, (1,), (6,)), leaves=lambda *_: (0, 1, 2))
    assert played.outcome == Outcome(frozenset({2}), "deserted")


def test_a_bot_that_answers_what_was_not_asked_is_named() -> None:
    class Babbler(Cautious):
        def decide(self, view: View[State]) -> Any:
            return f"babble of {view.seat}"

    with pytest.raises(IllegalDecision, match=r"seat 0 .* 'babble of 0'") as raised:
        play(TOY, seated(Babbler), {}, Random(1))
    assert raised.value.seat == 0


def test_a_view_without_a_decision_asks_nothing() -> None:
    with pytest.raises(RuntimeError, match="seat 1 has nothing to decide"):
        _ = View(1, None, {}).asked


@pytest.mark.parametrize("game", sorted(ENTRIES))
def test_every_game_has_bots_and_the_strongest_is_the_agent(game: str) -> None:
    assert next(iter(ENTRIES[game].bots)) == "agent"  # the default of the command line
    for level in ENTRIES[game].bots:
        assert make_bot(game, level, Random(1))
    with pytest.raises(NoSuchBot, match="its bots are: agent"):
        make_bot(game, "general", Random(1))


def test_bots_of_a_game_that_is_not_here_are_no_bots_of_it() -> None:
    with pytest.raises(NoSuchBot, match="there is no game"):
        make_bot("chess", "agent", Random(1))


def test_lots_fall_as_their_weights_say() -> None:
    random = Random(1)
    drawn = [weighted({"a": 3.0, "b": 0.0, "c": 1.0}, random) for _ in range(4000)]
    assert "b" not in drawn
    assert 2850 < drawn.count("a") < 3150
    drawn = [any_of("xyz", random) for _ in range(3000)]
    assert all(900 < drawn.count(letter) < 1100 for letter in "xyz")


def test_a_lot_that_rounding_has_left_over_falls_to_the_last_that_can_be() -> None:
    class Edge:
        def random(self) -> float:
            return 1.0

    assert weighted({"a": 0.1, "b": 0.2, "c": 0.0}, Edge()) == "b"
