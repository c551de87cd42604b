"""Moments of a game of Stratego in one seat's view, for tests of screens."""

from __future__ import annotations

from typing import Any

from cli.games.interface import Players, ViewContext, terminal
from cli.games.stratego.setup_editor import Draft
from p2p_stratego.core.game import Choose, Commit, Face, Seat, Slot
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.view import View
from p2p_stratego.stratego.formats.diagram import Setup
from p2p_stratego.stratego.formats.record import Replay
from p2p_stratego.stratego.formats.setups import answers, read, templates
from p2p_stratego.stratego.rules.armies import ARMIES, army
from p2p_stratego.stratego.rules.game import GAME, Fillings, Moves
from p2p_stratego.stratego.rules.pieces import BLUE, RED
from p2p_stratego.stratego.rules.state import State, slot

TERMINAL = terminal(GAME.name)
PLAYERS = Players(("Anna", "Boris"), RED)
TEMPLATES = templates(ARMIES["quickplay"])
CORNER, CRATERS = TEMPLATES["corner"], TEMPLATES["craters"]
OPENING = (
    "b4b7",  # a scout runs into the marshal
    "i7i6",
    "e4e5",
    "f7f5",  # a scout that everybody sees now
    "e5f5",  # and loses to the colonel
    "b7b6",
    "j4j5",
    "i6i5",
    "i4i5",  # the general beats a captain
    "e7e6",
)
"""Ten moves of Anna, red, with CORNER against Boris with CRATERS."""


def faces(*setups: Setup) -> dict[Slot, Face]:
    """The faces under the slots of these sides, red's first."""
    return {
        slot(seat, k): face for seat, setup in enumerate(setups) for k, face in enumerate(answers(setup)[0])
    }


KNOWN = faces(CORNER, CRATERS)


def played(*moves: str, quiet: int = 200) -> State:
    """The state after these moves."""
    replay = Replay({"army": "quickplay", "quiet": quiet}, (CORNER, CRATERS))
    for move in moves:
        replay.make(move)
    return replay.state


def changed(state: State, **changes: Any) -> State:
    """The same state but for these fields."""
    return state._replace(**changes)


def view(state: State, seat: Seat = RED, since: tuple[Any, ...] = ()) -> View[State]:
    """The view of `seat`, asked for a move if it is its turn."""
    known = {slot: face for slot, face in KNOWN.items() if slot // 40 == seat}
    asked = Choose(seat, Moves(state)) if state.seat == seat and state.ended is None and not since else None
    return View(seat, state, known, asked, since)


def context(of: View[State], typed: str = "", *, notes: bool = True) -> ViewContext:
    """`of` as Anna sees it, playing Boris."""
    return ViewContext(of, PLAYERS, typed, notes)


def setting_up(called: str = "quickplay", seat: Seat = RED) -> View[State]:
    """Nothing is laid yet; the seat is asked for its army."""
    state = drive(GAME.setup(2, GAME.options({"army": called})), lambda _: None)
    slots = tuple(slot(seat, k) for k in range(state.army.size))
    return View(seat, state, {}, Commit(seat, slots, state.army.faces, exactly=True))


def laid(seat: Seat = RED, *, asked: bool) -> View[State]:
    """The seat has laid CORNER; if `asked`, so has the other, and the squares are chosen now."""
    state = setting_up(seat=seat).state
    known = {slot(seat, k): face for k, face in enumerate(answers(CORNER)[0])}
    if not asked:
        return View(seat, state, known)
    return View(seat, state._replace(phase="squares"), known, Choose(seat, Fillings(state.army.size)))


def of_three(mover: str, rows: str) -> View[State]:
    """Red has a bomb, a flag and one piece that moves, its army by `mover`, on its two rows at the back."""
    setup = read(f"4 ..........\n3 ..........\n{rows}", army(mover))[0]
    state = Replay({"army": mover}, (setup, setup)).state
    return View(RED, state, faces(setup), Choose(RED, Moves(state)))


CORNERED = of_three("0-0-0-0-0-0-0-0-0-1-1-1", "2 F.........\n1 SB........")
"""Red's spy is shut in by its own bomb and flag, which might be what moves as far as others can tell."""
ALONE = of_three("0-0-0-0-0-0-0-0-1-0-1-1", "2 2.........\n1 FB........")
"""Red's scout can move, its flag is shut in: as far as others can tell, it might be the other way round."""
MIDDLE = played(*OPENING)
BEGUN = played()
DRAFT = Draft(CORNER)
MOMENTS: dict[str, ViewContext] = {
    "setting-up": ViewContext(setting_up(), PLAYERS, draft=DRAFT),
    "setting-up-empty": ViewContext(setting_up(), PLAYERS, draft=Draft((None,) * 40)),
    "set-up": ViewContext(laid(asked=False), PLAYERS, draft=DRAFT),
    "begun": ViewContext(view(BEGUN), PLAYERS),
    "middle": ViewContext(view(MIDDLE), PLAYERS),
    "waiting": ViewContext(view(changed(MIDDLE, seat=BLUE)), PLAYERS),
    "other-side": ViewContext(view(MIDDLE, BLUE), Players(PLAYERS.names, BLUE)),
    "over": ViewContext(view(changed(MIDDLE, phase="over")), PLAYERS),
    "replayed": ViewContext(View(RED, MIDDLE, {}), Players(PLAYERS.names)),
}
