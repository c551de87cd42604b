"""What a session has other processes prepare."""

from __future__ import annotations

from p2p_stratego.core.game import Choose, NewDeck, Shuffle
from protocol.crypto.proofs.shuffle import PreparationJob
from protocol.seat.secrets import MatchSecrets
from protocol.seat.works import Works
from tests.helpers.games.scripted import Scripted
from tests.helpers.seats.pair import Table


def begun(seed: int) -> Table:
    """A match of two with a deck, in front of its only choice."""
    game = Scripted((), (NewDeck(0, (1, 2, 3)), Shuffle(0)), (Choose(0, ("on",)),), needs_proofs=True)
    return Table(seed, game=game).hold()


def test_what_was_prepared_in_the_match_before_does_not_count_as_ready() -> None:
    """Its process may be done only when the return match has begun."""
    works, secrets = Works(), MatchSecrets(bytes(32))
    works.elsewhere = True
    made = list[PreparationJob]()
    for seed in (1, 2):
        referee = begun(seed).seats[0].session.referee
        works.prepare(secrets, referee, 0)
        job = works.job
        assert isinstance(job, PreparationJob)
        made.append(job)
        works.made(job, job.run())
        works.prepare(secrets, referee, 0)
        assert works.job is None  # one is ready
    assert made[0].key != made[1].key


def test_row_74_one_shuffle_is_prepared_behind_a_head_whatever_others_say_meanwhile() -> None:
    """Two would have the same random scalars if the system's generator fails; and every word of another seat
    would cost a new one.
    """
    works, secrets = Works(), MatchSecrets(bytes(32))
    works.elsewhere = True
    referee = begun(1).seats[0].session.referee
    assert referee.owed is not None
    works.prepare(secrets, referee, 0)
    assert isinstance(works.job, PreparationJob)
    first: PreparationJob = works.job
    for _ in range(2):  # a session looks after each record that comes, also while its player thinks
        assert works.reply(secrets, referee, referee.owed, {}) is None
        works.prepare(secrets, referee, 0)
        same = works.job is first
        assert same
    works.made(first, first.run())
    assert works.reply(secrets, referee, referee.owed, {}) is None
    works.prepare(secrets, referee, 0)
    assert works.job is None
