"""Matches with cards whose players let other processes check and make proofs."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from protocol.audit.comparison import Copies
from protocol.audit.verdict import ProofPolicy, Verdict, audit
from protocol.crypto.proofs.shuffle import Preparation, PreparationJob, ShuffleJob, ShuffleProof
from protocol.crypto.workers import Job, Pool
from tests.helpers.games.cups import GAMES as CUPS
from tests.helpers.links.peers import until
from tests.helpers.links.tables import finished, room

(GAME,) = CUPS.values()


async def test_a_match_is_played_without_a_shuffle_made_or_checked_in_the_player_s_own_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ShuffleProof, "verify", pytest.fail)
    monkeypatch.setattr(ShuffleJob, "run", pytest.fail)
    monkeypatch.setattr(PreparationJob, "run", pytest.fail)
    given: list[Preparation] = []
    run = Pool.run

    def noted(pool: Pool, job: Job[Any]) -> Any:
        if isinstance(job, ShuffleJob) and job.prepared is not None:
            given.append(job.prepared)
        return run(pool, job)

    monkeypatch.setattr(Pool, "run", noted)
    async with room(tmp_path, 3, {0}, GAME, workers=1) as table:
        for seat in range(3):
            await table.sit(seat)
        await table.all(finished)
    monkeypatch.undo()
    assert given
    assert len({job.ends for job in given}) == len(given)  # a second shuffle would tell how both go
    for store in table.stores:
        report = audit(Path(store.path).read_bytes(), CUPS, proving=ProofPolicy(every=True))
        assert report.verdict is Verdict.COMPLETE


def holding(monkeypatch: pytest.MonkeyPatch, *seats: int) -> dict[int, Event]:
    """The first shuffle of each of these seats takes until its event is set."""
    gates, run = {seat: Event() for seat in seats}, Pool.run
    left = dict(gates)

    def held(pool: Pool, job: Job[Any]) -> Any:
        gate = left.pop(job.ctx.seat, None) if isinstance(job, ShuffleJob) else None
        if gate is not None:
            gate.wait()
        return run(pool, job)

    monkeypatch.setattr(Pool, "run", held)
    return gates


async def test_row_76_a_player_killed_in_the_middle_of_its_shuffle_makes_it_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is back at once, while the thread that waited for the shuffle is still there."""
    gates = holding(monkeypatch, 1, 2)
    async with room(tmp_path, 3, {0}, GAME, workers=1) as table:
        for seat in range(3):
            await table.sit(seat)
        for seat, gate in gates.items():
            peer = table.seats[seat].peer
            await until(peer, lambda peer=peer: isinstance(peer.replica.session.jobs.job, ShuffleJob))  # type: ignore[misc]
            await table.kill(seat)
            await table.sit(seat)
            gate.set()
        await table.all(finished)
    copies = Copies(CUPS)
    for store in table.stores:
        data = Path(store.path).read_bytes()
        assert audit(data, CUPS, every_signature=True).verdict is Verdict.COMPLETE
        copies.add(data)
    assert copies.compare().agree
