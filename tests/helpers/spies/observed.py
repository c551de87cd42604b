"""Games of SPIES! with what each seat has observed at each Ask, worked out from the Asks alone.

A second model of knowledge, apart from the session's and the dealer's: who laid, drew, was given or was shown
a slot can read it, and everybody reads what was opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

from p2p_stratego.core.game import Ask, Commit, Draw, Face, Give, Mix, Open, Seat, Show, Slot
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import AnsweredAsk, View
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules.state import State
from tests.helpers.spies.recorded import Recorder

UNTIL: Final = 1937
"""Two years have all kinds of Asks."""


class Observed(NamedTuple):
    """One Ask of a game, just answered: the state before its step, and what was asked in the step so far."""

    state: State
    since: tuple[AnsweredAsk, ...]
    known: tuple[dict[Slot, Face], ...]
    """By seat: all faces that it has observed."""
    faces: dict[Slot, Face]
    """All that there are in the game."""

    def view(self, seat: Seat) -> View[State]:
        """The moment as a seat sees it."""
        return View(seat, self.state, self.known[seat], None, self.since)

    def knowing(self, known: tuple[dict[Slot, Face], ...]) -> Observed:
        """The same moment, but seats have observed this."""
        return self._replace(known=known)

    def opened(self, state: State, **changes: Any) -> Observed:
        """This state, at rest, with all secrets open and other fields."""
        secrets = tuple(secret._replace(face=self.faces.get(secret.slot)) for secret in state.secrets)
        return self._replace(state=state._replace(secrets=secrets, **changes), since=())


def shows(ask: Ask, seats: int) -> Iterator[tuple[Seat, tuple[Slot, ...]]]:
    """The seats that can read slots from this Ask on."""
    if isinstance(ask, Commit):
        yield ask.seat, ask.slots
    elif isinstance(ask, Mix):
        yield ask.seat, ask.new
    elif isinstance(ask, Draw):
        yield from ask.hands
    elif isinstance(ask, Give):
        yield ask.seat, ask.slots
    elif isinstance(ask, Show):
        yield ask.seat, (*ask.slots, *ask.copies)
    elif isinstance(ask, Open):
        yield from ((seat, (ask.slot,)) for seat in range(seats))


@lru_cache(maxsize=4)
def recorded_game(
    seats: int, seed: int, options: tuple[tuple[str, Any], ...]
) -> tuple[Recorder, dict[Slot, Face]]:
    game = Recorder(UNTIL)
    bots = [Recruit(Random(f"{seed} {seat}")) for seat in range(seats)]
    done = play(game, bots, dict(options), Random(f"{seed} chance"))
    return game, done.faces


def observed(seats: int, seed: int = 1, **options: Any) -> Iterator[Observed]:
    """Every Ask after the set-up of a game between recruits, broken off in UNTIL."""
    game, faces = recorded_game(seats, seed, tuple(options.items()))
    known: tuple[dict[Slot, Face], ...] = tuple({} for _ in range(seats))
    for ask in game.dealt:
        _note(known, ask, faces, seats)
    for state, asked, _ in game.steps:
        for number, (ask, _) in enumerate(asked):
            _note(known, ask, faces, seats)
            yield Observed(state, tuple(asked[: number + 1]), known, faces)


def _note(known: tuple[dict[Slot, Face], ...], ask: Ask, faces: dict[Slot, Face], seats: int) -> None:
    for seat, slots in shows(ask, seats):
        known[seat].update((slot, faces[slot]) for slot in slots)
