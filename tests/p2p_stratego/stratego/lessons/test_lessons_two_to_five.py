"""Lessons two to five: who does as the coach says meets the goal, whatever chance laid."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.lesson import Lesson
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.registry import lesson
from p2p_stratego.stratego.formats.setups import answers, read
from p2p_stratego.stratego.lessons.lessons_two_to_five import BLUFF, HUNT, READING, SCOUTING
from p2p_stratego.stratego.lessons.positions import away, enemies, toward, where
from p2p_stratego.stratego.rules.armies import army
from p2p_stratego.stratego.rules.board import NAMES, Square, apart
from p2p_stratego.stratego.rules.board import SQUARE_NAMED as AT
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.notation import move
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import CAPTAIN, GENERAL, MARSHAL, MINER, SPY
from p2p_stratego.stratego.rules.state import State
from tests.helpers.program.coaching import rows

Wish = Callable[[View[State]], Iterator[Move]]


class Over(Exception):
    """The tutor gives up, or the game is over."""


def taught(lesson: Lesson, wish: Wish, seed: int, most: int = 60) -> tuple[bool | None, list[str]]:
    """Whether a learner who makes the first legal one of its wishes meets the goal, None if neither that nor
    a miss comes to pass in time; and all that the coach said."""
    sentences, met, last = list[str](), list[bool](), list[View[State]]()

    def look(view: View[State]) -> None:
        last[:] = [view]
        if lesson.over(view):
            met.append(lesson.met(view))
            sentences.append(lesson.coach(view))
            raise Over

    class Learner:
        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            if not isinstance(view.asked, Commit):
                look(view)
            sentences.append(lesson.coach(view))
            if len(sentences) > most:
                raise Over
            faces, squares = answers(read(lesson.setup, army(lesson.options["army"]))[0])
            if isinstance(view.asked, Commit):
                return faces
            if view.state.phase == "squares":
                return squares
            moves = own_moves(view)
            return next((move for move in wish(view) if move in moves), moves[-1])

    class Tutor:
        def __init__(self) -> None:
            self._tutor = lesson.tutor(random.Random(seed))

        def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
            if not isinstance(view.asked, Commit):
                look(view)
            return self._tutor.decide(view)

    try:
        played = play(GAME, [Learner(), Tutor()], lesson.options, random.Random(seed))
    except Over:
        return (met[-1] if met else None), sentences
    end = View(0, played.state, {}, past=(*last[0].past, last[0].state))
    sentences.append(lesson.coach(end))
    return lesson.met(end), sentences


def steps(*moves: str) -> Wish:
    """These moves, one after the other."""
    left = list(moves)

    def wish(_view: View[State]) -> Iterator[Move]:
        if left:
            yield left.pop(0)

    return wish


def test_a_scout_that_walks_is_believed_and_one_that_runs_is_not() -> None:
    met, sentences = taught(BLUFF, steps("e4e5", "e5e6", "e6e7", "e7e8", "e8e9", "e9e10"), 0)
    assert met is True
    assert any("It believed you" in sentence for sentence in sentences)
    met, sentences = taught(BLUFF, steps("e4e8", "e8e9"), 0)
    assert met is False
    assert "fight" in sentences[-1]


def test_who_moves_the_piece_before_the_flag_loses_the_bluff() -> None:
    met, _ = taught(BLUFF, steps("j1i1", "i1h1", "h1g1", "a2a3", "a3b3"), 0)
    assert met is False


def scouting(view: View[State]) -> Iterator[Move]:
    """Scouts first, then the Marshal."""
    seen = {square: piece.face for square, piece in enemies(view).items() if NAMES[square] in FRONT}
    closed = [square for square, face in seen.items() if face is None]
    general = [square for square, face in seen.items() if face == GENERAL]
    marshal = where(view, MARSHAL)
    if marshal is not None and (general or len(closed) == 1):
        yield from toward(view, marshal, (general or closed)[0])
    yield from ("b4b7", "i4i7", "f4f7")


FRONT = ("b7", "e7", "f7", "i7")


@pytest.mark.parametrize("seed", range(6))
def test_who_scouts_first_takes_the_general(seed: int) -> None:
    met, sentences = taught(SCOUTING, scouting, seed)
    assert met is True, sentences


def test_who_does_not_scout_loses_the_marshal_sooner_or_later() -> None:
    straight = ("e4e5", "e5e6", "e6e7", "e7f7")
    ends = [taught(SCOUTING, steps(*straight), seed)[0] for seed in range(6)]
    assert False in ends


def nearest(view: View[State]) -> tuple[Square, int] | None:
    """Of blue's pieces that moved and are closed, the nearest to the General, and how near."""
    general = where(view, GENERAL)
    coming = [square for square, piece in enemies(view).items() if piece.moved and piece.face is None]
    if general is None or not coming:
        return None
    return min(((square, apart(square, general)) for square in coming), key=lambda pair: pair[1])


def reading(view: View[State]) -> Iterator[Move]:
    """The General steps back from what comes near, and the Spy takes what keeps coming."""
    spy, general, near = where(view, SPY), where(view, GENERAL), nearest(view)
    if near is not None and spy is not None and general is not None:
        hunter, far = near
        if view.state.plies > LONG:
            yield from [move(spy, hunter)] * (apart(spy, hunter) == 1)
        if far <= 2:
            yield from away(view, general)
        if view.state.plies > LONG and apart(spy, hunter) > 2:
            yield from toward(view, spy, hunter)
    yield from ("h1i1", "i1i2", "i2i1", "e4e3", "h1g1")


LONG = 16
"""Moves after which one has seen who comes and who keeps away."""


@pytest.mark.parametrize("seed", range(4))
def test_who_watches_takes_the_marshal_with_the_spy(seed: int) -> None:
    met, sentences = taught(READING, reading, seed)
    assert met is True, sentences


@pytest.mark.parametrize("seed", range(4))
def test_what_the_coach_says_of_the_hunter_is_true(seed: int) -> None:
    """Both came in turn, the coach asked the same eight times, and sent the Spy where it stood."""
    views = list[View[State]]()
    walk = steps("e4e5", "e5e4", "e4f4", "f4e4", "e4e3", "d2d3", "d3d4", "e3e2", "e2e3", "h1h2")

    def walking(view: View[State]) -> Iterator[Move]:
        views.append(view)
        yield from walk(view)

    taught(READING, walking, seed)
    sentences = [READING.coach(view) for view in views[1:]]
    assert max(Counter(sentences).values()) <= 2, "the hunter may stand still, once"
    last = views[-1]
    known = enemies(last)
    general, spy = where(last, GENERAL), where(last, SPY)
    assert general is not None
    assert spy is not None
    square = re.search(r"piece on (\w+) keeps coming", READING.coach(last))
    assert square is not None
    hunter = AT[square[1]]
    assert hunter == min(
        (place for place, piece in known.items() if piece.moved), key=lambda place: apart(place, general)
    )
    assert ("attack!" in READING.coach(last)) == (apart(spy, hunter) == 1)


def test_a_general_that_waits_is_taken_by_the_marshal() -> None:
    met, sentences = taught(READING, steps("h1g1", "g1g2", "g2h2", "h2h1", "h1g1", "g1g2", "g2h2", "h2h1"), 0)
    assert met is False
    assert "General" in sentences[-1]


class Hunter:
    """Goes up one side with the Captain, watches the guard, and digs where it ran."""

    def __init__(self) -> None:
        self.side = ""

    def __call__(self, view: View[State]) -> Iterator[Move]:
        captain, miner = where(view, CAPTAIN), where(view, MINER)
        guard = next(
            (s for s, p in enemies(view).items() if p.moved and NAMES[s] not in ("e10", "f10", "f9", "e9")),
            None,
        )
        if view.state.plies >= 8 and not self.side:
            self.side = "a" if guard is not None and NAMES[guard][0] in "abcd" else "j"
        if captain is not None and (not self.side or guard is not None):
            yield from toward(view, captain, AT["a8"] if not self.side or guard is None else guard)
        bomb = AT[f"{self.side or 'a'}9"]
        if miner is not None and self.side:
            standing = view.state.at(bomb)
            target = AT[f"{self.side}10"] if standing is None or standing.seat == 0 else bomb
            yield from toward(view, miner, target)


@pytest.mark.parametrize("seed", range(4))
def test_who_watches_the_guard_digs_in_the_right_corner(seed: int) -> None:
    met, sentences = taught(HUNT, Hunter(), seed)
    assert met is True, sentences


def test_the_wrong_corner_costs_the_miner() -> None:
    def blindly(view: View[State]) -> Iterator[Move]:
        miner = where(view, MINER)
        if miner is not None:
            yield from toward(view, miner, AT["a9"])

    ends = [taught(HUNT, blindly, seed)[0] for seed in range(4)]
    assert False in ends


@pytest.mark.parametrize("number", range(2, 6))
@pytest.mark.parametrize("seed", range(3))
def test_the_coach_has_something_short_to_say_whatever_the_learner_does(number: int, seed: int) -> None:
    chance = random.Random(seed)

    def anything(view: View[State]) -> Iterator[Move]:
        yield chance.choice(own_moves(view))

    known = lesson("stratego", number)
    assert known is not None
    _, sentences = taught(known, anything, seed, most=40)
    assert max(map(rows, sentences)) <= 12
    assert min(map(len, sentences)) > 10
    assert "{" not in "".join(sentences)
