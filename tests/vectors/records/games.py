"""Vectors of whole matches of every game that hashes can hide, under both profiles, and of a lost key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, Final

from p2p_stratego.core.game import Choose, Claim, Decision
from p2p_stratego.registry import GAMES
from protocol.crypto.proofs.verification import keeping
from protocol.record.asks.proofs.opened import Opened
from tests.helpers.cheats.bout import Bout, owing
from tests.helpers.games.players import honest
from tests.helpers.in_javascript.matches import MODULES
from tests.helpers.seats.leavers import left
from tests.helpers.seats.pair import Decide, Table

SMALL: Final = "1-0-0-0-0-0-0-1-1-1-1-1"
"""An army of Stratego: marshal, miner, scout, spy, bomb, flag."""
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "stratego": {"army": SMALL, "quiet": 40},
    "conquest": {"rounds": 1},
    "spies-and-lies": {"wall": 2},
}
SECOND_TURN: Final = 60
"""Events of a match of SPIES! after which cards are in hands and in decks."""


def transcripts() -> Iterator[tuple[str, bytes]]:
    """By the name of the file."""
    yield "complete-stratego", _ended("stratego", 2, "flag")
    yield "complete-stratego-quiet", _ended("stratego", 2, "quiet-draw")
    yield "complete-conquest-of-four", _ended("conquest", 4, "rounds")
    yield "cheated-claim-stratego", _ended("stratego", 2, "cheated", bluff=0.2)
    yield "cheated-claim-conquest-of-four", _ended("conquest", 4, "cheated", bluff=0.2)
    for game, seats in (("stratego", 2), ("conquest", 3), ("spies-and-lies", 2), ("spies-and-lies", 4)):
        name = f"complete-proofs-{game}-of-{seats}"
        yield name, _match(game, seats, name, proofs=True).play().seats[0].transcript
    for mood in ("dead", "resigns and stays"):
        yield f"complete-proofs-three-{mood.split()[0]}", _left(mood)
    yield "complete-proofs-four-mates-gone", _mates_gone()
    yield "incomplete-proofs-zones", _zones()
    yield "cheated-proofs-wrong-opening", _false_opening()
    yield "unresponsive-lost-key", _lost_key()


def decides(game: str, name: str, bluff: float = 0) -> Decide:
    """A player of this name; `bluff`: how often it claims what may not be so."""
    player: Any = MODULES[game].RandomPlayer(Random(f"vector {name}"))
    player.bluff, player.swapped, player.impossible, player.lies = bluff, 0, 0, 0
    player.charge = 0.9
    return _as(player)


def _as(player: Any) -> Decide:
    """To decide as this player does."""

    def decide(session: Any, decision: Any, _: Random) -> Any:
        if hasattr(decision, "options"):
            return str(player.choose(session.view.state, decision, session.known))
        return tuple(player.lay(session.view.state, decision))

    return decide


def _match(game: str, seats: int, name: str, *, bluff: float = 0, proofs: bool = False) -> Table:
    decide = decides(game, name, bluff)
    return Table(7, game=GAMES[game], seats=seats, options=OPTIONS[game], decide=decide, proofs=proofs)


def _ended(game: str, seats: int, reason: str, *, bluff: float = 0) -> bytes:
    """The first match that ends for this reason."""
    for number in range(100):
        made = _match(game, seats, f"{game} {seats} {reason} {number}", bluff=bluff).play()
        outcome = made.seats[0].session.outcome
        if outcome is not None and outcome.reason == reason:
            return made.seats[0].transcript
    raise AssertionError(f"no match of {game} ends by {reason}")


def _left(mood: str) -> bytes:
    """Of three, under proofs, one goes in the middle, with its key or without."""
    decide = decides("conquest", f"proofs left {mood}")
    made = left(3, 3, mood, 40, GAMES["conquest"], decide=decide, options=OPTIONS["conquest"], proofs=True)
    assert made.living[0].session.referee.table.gone
    return made.living[0].transcript


def _mates_gone() -> bytes:
    """Under proofs red's A goes at the start, and its mate owing a guess; then the card is opened.

    The rules know that A is gone, so nobody is asked for another guess: the proof of the Opening is made
    under the serial behind that of the first guess.
    """
    game = "spies-and-lies"
    made = _match(game, 4, "mates gone", proofs=True).hold()
    first, mate = (made.seats[seat].session for seat in (0, 2))
    first.resign()

    def guesses(decision: Decision | None) -> bool:
        return isinstance(decision, Choose) and "guess 1" in decision.options

    while not guesses(mate.decision):
        assert made.step()
    made.hold()
    mate.resign()
    referee = made.play().seats[1].session.referee
    assert referee.table.gone[2] == referee.count - 2  # the Opening stands behind its fold
    return made.seats[1].transcript


def _zones() -> bytes:
    """Under proofs three pieces of Conquest are claimed to be fixed, and the second one has the highest slot.

    The proofs come in the order of zones, which is that of slots unless pieces were mixed.
    """
    rule, random = "false-no-move", Random("1796039595/92 0")  # so rare a moment that only the forger met it
    for _ in range(30):
        random.getrandbits(32)
    player: Any = MODULES["conquest"].RandomPlayer(Random(0))
    player.random, player.charge, player.knows = random, 0.6, 0.5
    player.bluff = player.swapped = 0
    made = Bout(
        random.getrandbits(32),
        game=GAMES["conquest"],
        seats=4,
        options={"garrison": "all", "scout": "charge", "rounds": 6},
        liar=random.randrange(4),
        decide=_as(player),
        proofs=True,
    )

    def is_claimed(bout: Bout) -> bool:
        asked = [getattr(step, "ask", None) for step in bout.liar.referee.table.history[-12:]]
        return any(isinstance(ask, Claim) and ask.rule == rule for ask in asked)

    with keeping():
        assert made.run(is_claimed)
    return made.honest[0].transcript


def _false_opening() -> bytes:
    """Under proofs one shows another face than it laid, with the proof of the true one."""
    game = "spies-and-lies"
    decide = decides(game, "false opening")
    made = Bout(7, game=GAMES[game], options=OPTIONS[game], decide=decide, proofs=True)
    assert made.run(owing(Opened))
    truth = made.liar.truth()
    assert isinstance(truth, Opened)
    other = bytes((truth.faces[0] % 10 + 1,))
    made.lie([made.liar.entry(replace(truth, faces=other))])
    return made.honest[0].transcript


def _lost_key() -> bytes:
    """Of three at SPIES! one vanishes without its key, and no card can be drawn any more."""
    with keeping():  # all seats live in this process: what one has checked holds for all
        made = left(3, 3, "dead", SECOND_TURN, GAMES["spies"], decide=honest, proofs=True)
        return made.living[0].transcript
