"""Matches with cards whose players let other processes check and make proofs."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.audit.verdict import Proving, Verdict, audit
from protocol.crypto.proofs.shuffle import Shuffled, Shuffling
from protocol.record.asks.proofs.shuffled import Shuffled as Message
from protocol.seat.session import Session
from tests.helpers.cups import GAMES as CUPS
from tests.helpers.peers import until
from tests.helpers.tables import finished, room

(GAME,) = CUPS.values()


async def test_a_match_is_played_without_a_shuffle_made_or_checked_in_the_player_s_own_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Shuffled, "verify", pytest.fail)
    monkeypatch.setattr(Shuffling, "run", pytest.fail)
    async with room(tmp_path, 3, {0}, GAME, workers=1) as table:
        for seat in range(3):
            await table.sit(seat)
        await table.all(finished)
    monkeypatch.undo()
    for store in table.stores:
        report = audit(Path(store.path).read_bytes(), CUPS, proving=Proving(every=True))
        assert report.verdict is Verdict.COMPLETE


async def test_a_player_killed_in_the_middle_of_its_shuffle_makes_it_when_it_is_back(tmp_path: Path) -> None:
    def owes(session: Session) -> bool:
        owed = session.referee.owed
        return session.works.job is not None and owed is not None and owed.message is Message

    async with room(tmp_path, 3, {0}, GAME, workers=1) as table:
        killed = 0
        for seat in range(3):
            await table.sit(seat)
        for seat in (1, 2):
            peer = table.seats[seat].peer
            await until(peer, lambda peer=peer: owes(peer.replica.session) or finished(peer))  # type: ignore[misc]
            killed += owes(peer.replica.session)
            await table.kill(seat)
            await table.sit(seat)
        await table.all(finished)
        assert killed
    reports = [audit(Path(store.path).read_bytes(), CUPS, every_signature=True) for store in table.stores]
    assert [report.verdict for report in reports] == [Verdict.COMPLETE] * 3
