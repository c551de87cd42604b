"""A player of SPIES! leaves for good, with and without an escrow: who plays on, what all copies tell."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from p2p_stratego.core.game import Game
from p2p_stratego.spies.rules.game import GAME
from protocol.audit.comparison import Copies
from protocol.audit.verdict import ProofPolicy, Report, Verdict, audit
from protocol.crypto.proofs import verification
from protocol.crypto.proofs.verification import keeping
from protocol.seat.secrets import MatchSecrets
from tests.helpers.cheats.spies import GAMES, Script
from tests.helpers.crypto.proved import hold
from tests.helpers.games.players import honest
from tests.helpers.seats.leavers import Leaving
from tests.helpers.seats.mesh import Mesh
from tests.helpers.spies.dealt import THREE

LEAVER = 1


@pytest.fixture(autouse=True)
def checked_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(verification, "REMEMBERED", 100_000)
    with keeping():
        yield


def left(game: Game[Any], after: int, escrow: int) -> Leaving:
    """A match of three whose second player is gone once so many entries are there.

    Its copy hears of what follows, like that of somebody who watches.
    """
    decide = Script(THREE, "") if game is THREE else honest
    mesh = Mesh(1, game=game, seats=3, decide=decide, escrow=escrow)
    rng = random.Random(after)
    referee = mesh.seats[LEAVER].session.referee
    while referee.count < after:
        mesh.run(rng, steps=1)
    return Leaving(mesh, LEAVER, "dead", rng)


def reports(match: Leaving) -> list[Report]:
    """What auditors make of the copies of all seats, which contradict each other in nothing."""
    copies = Copies(GAMES, proving=ProofPolicy(hold=hold))
    for seat in match.mesh.seats:
        copies.add(seat.transcript)
    assert copies.compare().fault is None
    return [
        audit(seat.transcript, GAMES, every_signature=True, proving=ProofPolicy(hold=hold))
        for seat in match.mesh.seats
    ]


@pytest.mark.parametrize(("game", "after"), [(THREE, 10), (THREE, 41), (THREE, 55), (GAME, 4)])
def test_row_101_without_an_escrow_the_match_of_three_ends_and_nobody_wins(
    game: Game[Any], after: int
) -> None:
    match = left(game, after, 0).run()
    for seat in match.living:
        outcome = seat.session.outcome
        assert outcome is not None
        assert (outcome.reason, outcome.winners) == ("unresponsive", frozenset())
    for report in reports(match):
        assert (report.verdict, report.fault) == (Verdict.UNRESPONSIVE, None)
        assert report.outcome is not None
        assert report.outcome.winners == frozenset()


@pytest.mark.parametrize(("game", "after"), [(THREE, 58), (THREE, 70), (GAME, 28)])
def test_with_an_escrow_the_others_play_on_over_its_open_cards(game: Game[Any], after: int) -> None:
    match = left(game, after, 2)
    end, other = match.living
    referee = end.session.referee
    match.run(lambda: referee.agreed and LEAVER in getattr(referee.table.state, "gone", ()))
    leaver = match.mesh.seats[LEAVER]
    secret = MatchSecrets(leaver.master).deck_key(leaver.begun.id, LEAVER)
    assert referee.table.cards.released == {LEAVER: secret}
    assert referee.table.gone.keys() == {LEAVER}
    if game is THREE:
        assert all(spy.face is not None for spy in referee.table.state.spies if spy.power == 2)
    other.session.resign()
    match.run()
    for seat in match.living:
        outcome = seat.session.outcome
        assert outcome is not None
        assert outcome.winners == {end.seat}
    verdicts = [(report.verdict, report.fault) for report in reports(match)]
    assert verdicts == [(Verdict.COMPLETE, None)] * 3
