"""Moments of a game of Spies & Lies in one seat's view, for tests of screens."""

from __future__ import annotations

from typing import Any

from cli.games.interface import Players, ViewContext, terminal
from p2p_stratego.core.game import Choose, Commit, Seat
from p2p_stratego.core.values import replace
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.rules.asks import (
    GUESS_ASKS,
    INTEL_ASKS,
    OPEN_ASKS,
    TOKEN_ASKS,
    first_deploy_ask,
    mark_ask,
)
from p2p_stratego.spies_and_lies.rules.components import BLUE, MISSIONS, RED
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.seating import Seating
from p2p_stratego.spies_and_lies.rules.state import NONE_CLOSED, Effect, Report, Shown, State, slot
from tests.helpers.spies_and_lies.table import BASE

TWO = Seating(2)
TERMINAL = terminal(GAME.name)
PLAYERS = Players(("Anna", "Boris"), RED)
LINE = (1, 4, 8, 10)
FACES = {slot(1, RED, mission): rank for mission, rank in zip(MISSIONS, LINE, strict=True)}

DEPLOY = replace(BASE, phase="deploy", intel=((1, 4),))
INTEL = replace(DEPLOY, phase="intel")
MARKED = replace(BASE, intel=((1, 4), (7, 10)), marks=(frozenset((3, 4)), frozenset((2, 4))), points=(0, 0))
REPORT = Report(
    day=1,
    turn=4,
    guesser=BLUE,
    mission=2,
    guess=7,
    token=True,
    soldier=4,
    result="activated",
    marked=False,
    effects=(Effect("points", RED, 4), Effect("points", RED, 4), Effect("infiltrated", RED, 0)),
    points=(0, 6),
    agent=1,
    tokens=(0, 2),
    guessing=BLUE,
    owning=RED,
)
MIDDLE = replace(
    MARKED,
    turn=4,
    points=(0, 6),
    agent=1,
    tokens=(0, 2),
    cards=(
        (Shown(1, "identified"), Shown(4, "activated"), None, None),
        (Shown(3, "retreated"), Shown(7, "identified"), None, None),
    ),
    active=(frozenset((2,)), frozenset((1, 2, 3))),
    blast=(False, True),
    moved=(1, 0),
    report=REPORT,
)
OVER = replace(MIDDLE, phase="over", agent=5, ended=None)


def ask(part: Choose | Commit, seat: Seat) -> Choose | Commit:
    """`part` as it is, checked to be that seat's."""
    assert part.seat == seat
    return part


def view(
    state: State, decision: Choose | Commit | None = None, *, since: tuple[Any, ...] = (), seat: Seat = RED
) -> View[State]:
    """The view of `seat` in `state`: its own cards, and the opened ones."""
    known = FACES if seat == RED and state.phase != "deploy" else {}
    return View(seat, state, known, decision, since)


def deploying() -> View[State]:
    """Red is asked for four soldiers."""
    return view(DEPLOY, ask(first_deploy_ask(1, TWO).asks[RED], RED))


def marking(sides: int = 5, number: int = 4) -> View[State]:
    """Red is asked for its marks; intel 7 to 10 was turned up in this very step."""
    return view(INTEL, ask(mark_ask(TWO, NONE_CLOSED).asks[RED], RED), since=((INTEL_ASKS[sides], number),))


def guessing(state: State = MIDDLE, *, token: bool = False) -> View[State]:
    """Red is asked for a guess at blue's next card, perhaps with a token on it."""
    answer = "token" if token else "no token"
    return view(state, ask(GUESS_ASKS[RED], RED), since=((TOKEN_ASKS[BLUE], answer),))


def laying(state: State = MIDDLE) -> View[State]:
    """Red is asked whether to lay a token on its own next card."""
    state = replace(state, turn=5, tokens=(1, 2))
    return view(state, ask(TOKEN_ASKS[RED], RED))


def activated(rank: int, mission: int, state: State, options: tuple[str, ...], guess: int = 8) -> View[State]:
    """Blue has missed Red's card, which is of `rank`, and Red chooses its effect."""
    own = slot(1, RED, mission)
    known = FACES | {own: rank}
    marked = frozenset(number for number in MISSIONS if known[slot(1, RED, number)] >= 7)
    state = replace(
        state,
        turn=2 * mission - 1,
        blast=(False, False),
        active=(frozenset((2,)), frozenset()),
        marks=(marked, state.marks[BLUE]),
    )
    since = ((GUESS_ASKS[BLUE], f"guess {guess}"), (OPEN_ASKS[own], rank))
    return View(RED, state, known, Choose(RED, options), since)


def captain(exhausted: tuple[int, ...] = (2,), state: State = MIDDLE) -> View[State]:
    """Red's Captain is activated."""
    options = ("captain points", *(f"captain {rank}" for rank in exhausted))
    return activated(6, 3, replace(state, exhausted=(exhausted, (2,))), options)


def marshal(state: State = MIDDLE) -> View[State]:
    """Red's Marshal is activated."""
    return activated(10, 4, state, ("marshal ten", "marshal five"))


MOMENTS = {
    "deploying": deploying(),
    "marking": marking(),
    "guessing": guessing(),
    "guessing-token": guessing(token=True),
    "laying": laying(),
    "captain": captain((7, 9)),
    "marshal": marshal(),
    "waiting": view(replace(MIDDLE, turn=5)),
    "over": view(OVER),
}


def context(of: View[State], typed: str = "", *, notes: bool = True) -> ViewContext:
    """`of` as Anna sees it, playing Boris."""
    return ViewContext(of, PLAYERS, typed, notes)
