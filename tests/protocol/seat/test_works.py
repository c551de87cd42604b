"""What a session has other processes prepare."""

from __future__ import annotations

from p2p_stratego.core.game import Choose, NewDeck, Shuffle
from protocol.crypto.proofs.shuffle import Preparing
from protocol.seat.secrets import MatchSecrets
from protocol.seat.works import Works
from tests.helpers.pair import Table
from tests.helpers.scripted import Scripted


def begun(seed: int) -> Table:
    """A match of two with a deck, in front of its only choice."""
    game = Scripted((), (NewDeck(0, (1, 2, 3)), Shuffle(0)), (Choose(0, ("on",)),), needs_proofs=True)
    return Table(seed, game=game).hold()


def test_what_was_prepared_in_the_match_before_does_not_count_as_ready() -> None:
    """Its process may be done only when the return match has begun."""
    works, secrets = Works(), MatchSecrets(bytes(32))
    works.elsewhere = True
    made = list[Preparing]()
    for seed in (1, 2):
        referee = begun(seed).seats[0].session.referee
        works.prepare(secrets, referee, 0)
        job = works.job
        assert isinstance(job, Preparing)
        made.append(job)
        works.made(job, job.run())
        works.prepare(secrets, referee, 0)
        assert works.job is None  # one is ready
    assert made[0].key != made[1].key
