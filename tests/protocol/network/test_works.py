"""Matches with cards whose players let other processes check and make proofs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from protocol.audit.verdict import Proving, Verdict, audit
from protocol.crypto.proofs.shuffle import Prepared, Preparing, Shuffled, Shuffling
from protocol.crypto.workers import Job, Pool
from tests.helpers.cups import GAMES as CUPS
from tests.helpers.tables import finished, room

(GAME,) = CUPS.values()


async def test_a_match_is_played_without_a_shuffle_made_or_checked_in_the_player_s_own_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Shuffled, "verify", pytest.fail)
    monkeypatch.setattr(Shuffling, "run", pytest.fail)
    monkeypatch.setattr(Preparing, "run", pytest.fail)
    given: list[Prepared] = []
    run = Pool.run

    def noted(pool: Pool, job: Job[Any]) -> Any:
        if isinstance(job, Shuffling) and job.prepared is not None:
            given.append(job.prepared)
        return run(pool, job)

    monkeypatch.setattr(Pool, "run", noted)
    async with room(tmp_path, 3, {0}, GAME, workers=1) as table:
        for seat in range(3):
            await table.sit(seat)
        await table.all(finished)
    monkeypatch.undo()
    assert given
    assert len({one.ends for one in given}) == len(given)  # a second shuffle would tell how both go
    for store in table.stores:
        report = audit(Path(store.path).read_bytes(), CUPS, proving=Proving(every=True))
        assert report.verdict is Verdict.COMPLETE
