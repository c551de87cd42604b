"""A follower needs no seat and no key: it admits, compares, and gives what another copy lacks."""

from __future__ import annotations

import json

import pytest

from protocol.crypto.proofs import keys, move, shuffle, tokens
from protocol.errors import Malformed, Misplaced, Violation
from protocol.record import genesis
from protocol.record.evidence import read_record
from protocol.seat.follower import Follower, reread
from protocol.wire import transcript
from protocol.wire.encoding import Frame
from tests.helpers.cheats.bout import Bout
from tests.helpers.games.cups import CUPS
from tests.helpers.games.players import honest
from tests.helpers.machine.modules import VECTORS
from tests.helpers.seats.pair import Table

_DECKS = VECTORS / "decks"
_CHEATED = {
    name: expected["fault"]["rule"]
    for name, expected in json.loads((_DECKS / "expected.json").read_bytes()).items()
    if name.startswith("cheated-") and name.endswith(".p2ps")
}


def _on_disk(name: str) -> tuple[Follower, tuple[Frame, ...]]:
    contents = transcript.read((_DECKS / name).read_bytes())
    return Follower(genesis.parse(contents.genesis, {CUPS.name: CUPS})), contents.frames


def _whole(seed: int = 1) -> tuple[Table, list[Frame]]:
    table = Table(seed, decide=honest).play()
    return table, [record.frame for record in table.seats[0].session.referee.record]


def test_a_follower_comes_to_the_same_end_as_the_players_and_can_give_all_of_it_on() -> None:
    table, frames = _whole()
    first, second = Follower(table.begun), Follower(table.begun)
    for frame in frames:
        first.admit(read_record(frame))
    for frame in first.missing(second.position()):
        second.admit(read_record(frame))
    assert first.outcome == second.outcome == table.seats[0].session.outcome
    assert second.missing(first.position()) == first.missing(second.position()) == []


def test_what_was_announced_is_waited_for_once_for_each_link() -> None:
    table, frames = _whole()
    follower, whole = Follower(table.begun), table.seats[0].session.position()
    follower.announced(1, whole)
    waited = follower.behind
    follower.give_up(1)
    follower.announced(1, whole)
    again = follower.behind
    follower.announced(0, whole)
    other = follower.behind
    assert (waited, again, other) == (True, False, True), "it failed once, and another link has not lied yet"
    for frame in frames:
        follower.admit(read_record(frame))
    assert follower.catch_up()
    assert not follower.behind
    assert follower.remotes[0].live
    assert not follower.remotes[1].live


def test_a_fault_ends_what_a_follower_takes() -> None:
    bout = Bout(1)
    bout.run(lambda b: b.liar.owes is not None)
    follower = Follower(bout.begun)
    for record in bout.honest[0].session.referee.record:
        follower.admit(read_record(record.frame))
    lie = bout.liar.entry([9, 9])
    with pytest.raises(Violation):
        follower.admit(read_record(lie))
    assert follower.outcome is not None
    assert follower.outcome.winners == {bout.honest[0].seat}
    with pytest.raises(Misplaced, match="proven fault"):
        follower.admit(read_record(bout.liar.entry(bout.liar.truth())))


def test_a_frame_that_is_no_record_is_refused() -> None:
    table, _ = _whole()
    with pytest.raises(Malformed, match="kind 22"):
        Follower(table.begun).admit(read_record(Frame(22, b"")))


@pytest.mark.parametrize("name", _CHEATED)
def test_the_fault_that_ended_a_match_is_found_again_on_the_disk(name: str) -> None:
    follower, frames = _on_disk(name)
    reread(frames, follower.admit)
    assert follower.outcome is not None
    assert follower.outcome.breach is not None
    assert follower.outcome.breach.rule == _CHEATED[name]


def test_a_match_with_cards_is_read_again_without_its_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    follower, frames = _on_disk("complete-three-escrow.p2ps")
    checked: list[object] = []

    def verify(statement: object) -> None:
        checked.append(statement)

    for proof in (shuffle.ShuffleProof, tokens.TokenProof, move.MoveProof, keys.PossessionProof):
        monkeypatch.setattr(proof, "verify", verify)
    reread(frames, follower.admit)
    assert follower.referee.count == 54
    assert len(checked) <= 1  # that of the last entry, if it has one
