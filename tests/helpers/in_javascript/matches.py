"""Random whole matches of the games that a page can check, as sources of transcripts."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from random import Random
from types import ModuleType
from typing import Any, Final

from p2p_stratego.core.game import Choose, Decision, Options
from p2p_stratego.registry import GAMES
from protocol.failures import NotNow
from protocol.record.asks.base import Decided
from protocol.record.time_control import TimeControl
from protocol.seat.session import Session
from tests.helpers.games.players import honest
from tests.helpers.in_javascript import conquest, spies_and_lies, stratego
from tests.helpers.seats.leavers import MOODS, left
from tests.helpers.seats.mesh import Mesh
from tests.helpers.seats.pair import Decide, Table
from tests.helpers.seats.receipts import give_receipts
from tests.helpers.seats.takebacks import with_takebacks

MODULES: Final[Mapping[str, ModuleType]] = {
    module.TONGUE.game.name: module for module in (conquest, spies_and_lies, stratego)
}
PROVED: Final = 0.15
"""How many of the matches prove each step."""
_QUICK: Final = ("spies-and-lies", "stratego")
"""The games of which the strongest bot decides in no time."""
_CLOCKS: Final = (None, TimeControl(300, 5), TimeControl(60))
_ENDS: Final = ("rules", "rules", "rules", "cut", "resign", "both resign", "draw", "away", "away twice")


def random_match(seed: str) -> Table | Mesh:
    """A match with any options, of honest players or crooked ones, to some end: by the rules or another."""
    random = Random(seed)
    name = random.choice(sorted(MODULES))
    end = random.choice(_ENDS)
    seats = random.choice(GAMES[name].seat_counts)
    proofs = Random(f"{seed} proofs").random() < PROVED
    if seats > 2 and Random(f"{seed} leaves").random() < 0.5:
        return _left(name, seats, random, proofs=proofs)
    player = random_player(name, random, lies=not proofs)
    table = Table(
        random.getrandbits(32),
        seats=seats,
        game=GAMES[name],
        options=options_of(name, random),
        decide=random.choice([player, honest if name in _QUICK else player]),
        clock=random.choice(_CLOCKS),
        proofs=proofs,
        takebacks=(often := Random(f"{seed} back").choice([0, 0, 5, 30])) > 0,
    )
    if often:
        return with_takebacks(table, often)
    table.play(steps=1_000_000 if end == "rules" else random.choice([2, random.randint(1, 150)]))
    if not table.seats[0].session.over:
        with suppress(NotNow):  # it has not begun, or ends meanwhile
            _finish(table, end)
    return table


def _left(name: str, seats: int, random: Random, *, proofs: bool) -> Mesh:
    """A match of three or more in which one seat resigns, falls silent or answers late."""
    after = random.choice([0, random.randint(1, 60), random.randint(60, 600)])
    player, options = random_player(name, random, lies=not proofs), options_of(name, random)
    seed, mood = random.getrandbits(32), random.choice(MOODS)
    match = left(seed, seats, mood, after, GAMES[name], decide=player, options=options, proofs=proofs)
    return match.mesh


def options_of(name: str, random: Random) -> Options:
    """Any options of this game; short matches are met more often."""
    wanted = dict(MODULES[name].random_options(random))
    if "rounds" in wanted:
        wanted["rounds"] = random.choice([1, 2, 6])
    if "quiet" in wanted:
        wanted["quiet"] = random.choice([1, 5, 20, 40])
    return wanted


def random_player(name: str, random: Random, *, lies: bool = True) -> Decide:
    """One player for all seats.  `lies`: not where each step is proved, as nobody can prove a lie."""
    player: Any = MODULES[name].RandomPlayer(random)
    if not lies:
        player.bluff = player.swapped = 0

    def decide(session: Session, decision: Decision, _random: Random) -> Decided:
        if isinstance(decision, Choose):
            return str(player.choose(session.view.state, decision, session.known))
        return tuple(player.lay(session.view.state, decision))

    return decide


def _finish(table: Table, end: str) -> None:
    """Bring a match under way to this end, as far as it can be."""
    if end in ("resign", "both resign"):
        for seat in table.seats[: 1 + (end == "both resign")]:
            seat.session.resign()
        table.play()
    elif end == "draw":
        for seat in table.seats:
            table.hold()
            with suppress(NotNow):
                seat.session.accept_draw() if seat.seat else seat.session.offer_draw()
        table.play()
    elif end.startswith("away"):
        table.hold()
        _claim(table, twice=end == "away twice")


def _claim(table: Table, *, twice: bool) -> None:
    """A seat that waits signs an AWAY; `twice`: the other goes on, or has the last word all the same."""
    for seat in table.seats:
        owed = seat.session.referee.owed
        if owed is not None and owed.seat != seat.seat and seat.session.outcome is None:
            give_receipts(seat.session, {other.seat: other.identity for other in table.seats})
            seat.session.claim_away(600, of_time=table.begun.clock is not None)
            table.deliver(seat)
            break
    if twice:
        table.play(steps=3)
    for seat in table.seats:
        table.deliver(seat)
