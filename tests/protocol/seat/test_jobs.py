"""What a session has other processes prepare."""

from __future__ import annotations

from p2p_stratego.core.game import Choose, NewDeck, Shuffle
from protocol.crypto.proofs.shuffle import PreparationJob
from protocol.seat.jobs import Jobs
from protocol.seat.secrets import MatchSecrets
from tests.helpers.games.scripted import Scripted
from tests.helpers.seats.pair import Table


def begun(seed: int) -> Table:
    """A match of two with a deck, in front of its only choice."""
    game = Scripted((), (NewDeck(0, (1, 2, 3)), Shuffle(0)), (Choose(0, ("on",)),), needs_proofs=True)
    return Table(seed, game=game).hold()


def test_what_was_prepared_in_the_match_before_does_not_count_as_ready() -> None:
    """Its process may be done only when the return match has begun."""
    jobs, secrets = Jobs(), MatchSecrets(bytes(32))
    jobs.elsewhere = True
    made = list[PreparationJob]()
    for seed in (1, 2):
        referee = begun(seed).seats[0].session.referee
        jobs.prepare(secrets, referee, 0)
        job = jobs.job
        assert isinstance(job, PreparationJob)
        made.append(job)
        jobs.finish(job, job.run())
        jobs.prepare(secrets, referee, 0)
        assert jobs.job is None  # one is ready
    assert made[0].key != made[1].key


def test_row_74_one_shuffle_is_prepared_behind_a_head_whatever_others_say_meanwhile() -> None:
    """Two would have the same random scalars if the system's generator fails; and every word of another seat
    would cost a new one.
    """
    jobs, secrets = Jobs(), MatchSecrets(bytes(32))
    jobs.elsewhere = True
    referee = begun(1).seats[0].session.referee
    assert referee.owed is not None
    jobs.prepare(secrets, referee, 0)
    assert isinstance(jobs.job, PreparationJob)
    first: PreparationJob = jobs.job
    for _ in range(2):  # a session looks after each record that comes, also while its player thinks
        assert jobs.reply(secrets, referee, referee.owed, {}) is None
        jobs.prepare(secrets, referee, 0)
        same = jobs.job is first
        assert same
    jobs.finish(first, first.run())
    assert jobs.reply(secrets, referee, referee.owed, {}) is None
    jobs.prepare(secrets, referee, 0)
    assert jobs.job is None
