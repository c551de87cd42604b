"""Replicas whose players call each other away at any moment, over links that break: all copies end equal.

Nobody cheats here, but everybody is impatient: late records meet Gones, copies are superseded, and every copy
that was left behind gets the rest over whatever links there are.
"""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest

from protocol.audit.comparison import compare
from protocol.audit.verdict import Verdict, audit
from protocol.failures import LinkLost, NotNow
from protocol.replication.replica import Replica
from tests.helpers.games.toy import GAMES
from tests.helpers.links.gossiping import Gossiping, graphs

OPTIONS = {"rounds": (1, 1, 2), "claims": ("yes", "no"), "looks": ("yes", "no")}


def call_away(replica: Replica) -> None:
    """Its player says that a seat is away without any patience, while that takes more than one word."""
    session, referee = replica.session, replica.session.referee
    if session.claimable is not None and len(referee.absences.present(referee.count)) > 2:
        with suppress(NotNow):
            replica.perform(lambda: session.claim_away(5))


def muddle(table: Gossiping, rng: random.Random, *, shuffled: bool) -> None:
    """Many events in which links break, processes die, and players are impatient or want to stop."""
    impatience, wishes = rng.choice((0.02, 0.1, 0.3)), rng.choice((0, 0, 0.01, 0.03))
    troubles = rng.choice((0.0, 0.05, 0.15))
    for _ in range(rng.choice((150, 400, 800))):
        if rng.random() < troubles:
            table.trouble(shuffled)
        if rng.random() < impatience and table.alive:
            call_away(rng.choice(table.alive))
        if rng.random() < wishes and table.alive:
            seat = rng.choice(table.alive)
            with suppress(NotNow):
                rng.choice((seat.resign, seat.offer_draw, seat.accept_draw))()
        table.step()


@pytest.mark.parametrize("seed", [1, 3, 8, 14, 539])
def test_copies_end_equal_however_impatient_the_players_are(tmp_path: Path, seed: int) -> None:
    """539: who is gone had signed two entries in a row, and only one place counted as unlike ours."""
    rng = random.Random(seed)
    seats = rng.choice((3, 3, 4, 4, 5))
    graph = rng.choice(sorted(graphs(seats)))
    options = {name: rng.choice(values) for name, values in OPTIONS.items()}
    table = Gossiping(tmp_path, seats, graphs(seats)[graph], seed=seed, options=options).mend_all()
    muddle(table, rng, shuffled=seed % 2 == 0)
    table.heal().play()
    copies = [Path(seat.store.path).read_bytes() for seat in table.seats]
    assert {audit(copy, GAMES, every_signature=True).verdict for copy in copies} == {Verdict.COMPLETE}
    assert table.equal()
    assert all(seat.finished for seat in table.seats)
    assert compare(copies, GAMES).agree
    assert all(isinstance(why, LinkLost) for _, _, why in table.hung_up), table.hung_up
    table.close()
