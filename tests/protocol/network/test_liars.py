"""One seat of a table lies to the others over its links: it harms nobody but itself."""

from __future__ import annotations

import shutil
from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_stratego.core.game import Choose
from protocol.audit.verdict import Verdict, audit
from protocol.channel.channel import HAVE, RECEIPT, Sync, receipt_frame
from protocol.errors import Equivocation, Forged, Malformed, Stale
from protocol.limits import (
    CLAIM_WHEN_AWAY,
    CLAIM_WHEN_CONNECTED,
    FALSE_RECEIPT,
    MAX_AWAYS,
    PASS_ON_AFTER,
    PROGRESS_WITHIN,
    VAIN_FRAMES,
)
from protocol.record import receipts
from protocol.record.asks.choose import Choice
from protocol.record.asks.registry import CODEC
from protocol.record.entries import Folded
from protocol.record.statements import Kind, body, parse_record, statement_hash
from protocol.replication.holdings import Counts, Have
from protocol.replication.presence import Way
from protocol.replication.replica import Replica, Status
from protocol.storage.home import Owner
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from tests.helpers.games.toy import GAMES
from tests.helpers.links.gossiping import LOST, Gossiping, graphs
from tests.helpers.machine.homes import KeptHome


def chat(table: Gossiping, seat: int, text: str) -> Frame:
    """A line that `seat` has signed as its next statement, unknown to its own copy."""
    referee = table.seats[seat].session.referee
    head = referee.statement_heads[seat]
    signed = body(seat, (len(head) - 1, head[-1]), (referee.count, referee.head), Kind.CHAT, (text,))
    key = table.owners[seat].identity
    return Frame(STATEMENT, signed + key.sign(labels.SIGN_STATEMENT, referee.genesis.id + signed))


def begun(path: Path, seats: int, name: str, **options: int | str) -> Gossiping:
    """A match in the middle, all at rest and one seat to choose."""
    table = Gossiping(path, seats, graphs(seats)[name], options=options).mend_all().settle()
    while table.seats[0].session.referee.count < 4 * seats:
        assert table.step()
    return table.settle()


def assert_played_out(table: Gossiping, seats: list[int]) -> None:
    """The others finish the match, and nobody is blamed."""
    table.play()
    assert all(table.seats[seat].finished for seat in seats)
    assert table.equal(seats)
    assert not any(table.seats[seat].session.fault for seat in seats)
    table.close()


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("lie", ["more entries", "another chain", "more statements"])
def test_row_55_who_announces_what_it_does_not_send_holds_up_nobody_and_loses_its_link(
    tmp_path: Path, seats: int, lie: str
) -> None:
    table = begun(tmp_path, seats, "mesh")
    table.cut((0, 2))
    seat = table.seats[0]
    seat.linked(lambda _: None, 2)
    ours = seat.session.position()
    more = replace(ours.statements[1], count=ours.statements[1].count + 5)
    heads = {
        "more entries": replace(ours, count=ours.count + 50, head=b"h" * 32),
        "another chain": replace(ours, head=b"h" * 32),
        "more statements": replace(ours, statements=(ours.statements[0], more, *ours.statements[2:])),
    }[lie]
    seat.received([Sync(seat.match.id, heads).frame], 2)
    behind = seat.session.behind
    table.play()
    assert all(replica.finished for replica in table.seats), "the other link carries the match"
    table.clock.now += PROGRESS_WITHIN
    with pytest.raises(Malformed, match="not sent in time"):
        seat.received([], 2)
    seat.unlinked(Malformed(""), 2)
    assert (behind, seat.session.behind) == (True, False)
    assert_played_out(table, list(range(seats)))


@pytest.mark.parametrize("seats", [3, 4])
def test_row_55_a_forged_receipt_is_dropped_and_too_many_end_their_link(tmp_path: Path, seats: int) -> None:
    """Seat 1 brings receipts of the last seat: its own signature, one for another head, then the true one."""
    table = Gossiping(tmp_path, seats, graphs(seats)["star"]).mend_all()
    last = seats - 1
    table.until_owing(last)
    table.cut((0, last))
    end, match = table.seats[0], table.seats[0].match
    referee, count = end.session.referee, end.session.referee.count
    liar, true = (table.owners[seat].identity for seat in (1, last))
    mine = receipts.sign(liar, match, last, count, referee.head)
    other = receipts.sign(true, match, last, count, referee.heads[count - 1])
    good = receipts.sign(true, match, last, count, referee.head)
    end.exchange.gossip.receipts.pop(last, None)
    for wrong in (mine, other):
        end.received([receipt_frame(match.id, last, count, wrong)], 1)
        assert end.session.copy.receipt(last) in (None, b"", good)
    end.received([receipt_frame(match.id, last, count, good)], 1)
    assert end.exchange.gossip.receipts[last].signature == good
    end.exchange.gossip.receipts.pop(last)
    with pytest.raises(Malformed, match="floods this link"):
        end.received(
            [receipt_frame(match.id, last, count, mine)] * (VAIN_FRAMES // int(FALSE_RECEIPT) + 20), 1
        )
    table.cut((0, 1))
    table.mend_all()
    assert_played_out(table, list(range(seats)))


def test_row_55_who_passes_nothing_on_costs_the_others_a_moment(tmp_path: Path) -> None:
    """In a ring of four, seat 1 swallows what it should carry from seat 0 to seat 2 and back."""
    table = begun(tmp_path, 4, "ring", rounds=2)
    while not all(replica.finished for replica in table.seats):
        for edge in ((1, 2), (1, 0)):
            queue = table.links[edge]
            others = [frame for frame in queue if frame.kind not in (ENTRY, STATEMENT) or _seat(frame) == 1]
            queue.clear()
            queue.extend(others)
        began = table.clock.now
        assert table.step()
        assert table.clock.now <= began + PASS_ON_AFTER + 0.01
    assert_played_out(table, [0, 1, 2, 3])


@pytest.mark.parametrize("withheld", [False, True], ids=["with its receipt", "without"])
def test_row_55_who_says_that_it_reaches_a_silent_seat_puts_no_claim_off(
    tmp_path: Path, *, withheld: bool
) -> None:
    """Seat 1 is the only link of seat 0, and who owes is gone; only its receipt shows that it knew."""
    table = begun(tmp_path, 4, "line", rounds=2)
    seat = table.seats[0]

    def busy() -> list[tuple[int, int]]:
        if withheld:
            table.links[1, 0] = deque(frame for frame in table.links[1, 0] if frame.kind != RECEIPT)
        return [edge for edge, queue in table.links.items() if queue]

    def carry() -> None:
        for _ in range(2):
            while edges := busy():
                table.deliver(edges[0])
            table.clock.now += PASS_ON_AFTER
            for replica in table.seats:
                replica.tick()

    far = None
    while far not in (2, 3) or seat.session.referee.has_acknowledged(far):
        assert any(table.decide(replica) for replica in table.seats)
        carry()
        far = seat.session.claimable
    table.kill(far)
    here = seat.session.referee
    lie = Have(
        Counts(here.count, [len(of_seat) for of_seat in here.statements]), here.count, (1, 0, 1, 1), ()
    )
    seat.received([lie.frame], 1)
    assert seat.links[far - 1].way is Way.THROUGH
    patience = seat.claimable_in
    assert patience is not None
    assert (patience > CLAIM_WHEN_AWAY) is not withheld
    table.close()


def _seat(frame: Frame) -> int:
    return parse_record(frame).seat


def test_row_57_a_carrier_that_alters_a_record_loses_its_link(tmp_path: Path) -> None:
    table = begun(tmp_path, 3, "line")
    table.seats[0].say("hello")
    table.deliver((0, 1))
    [frame] = table.links[1, 2]
    table.links[1, 2][0] = Frame(frame.kind, frame.payload[:-1] + bytes([frame.payload[-1] ^ 1]))
    table.deliver((1, 2))
    [(who, whom, why)] = table.hung_up
    assert (who, whom) == (2, 1)
    assert isinstance(why, Forged)
    table.hung_up.clear()
    table.mend_all()
    assert_played_out(table, [0, 1, 2])


def test_row_56_two_versions_told_to_two_halves_of_a_table_meet_as_soon_as_one_link_joins_them(
    tmp_path: Path,
) -> None:
    """Seat 2 of five sits between two halves and chats differently with each."""
    table = begun(tmp_path, 5, "line")
    line, other = chat(table, 2, "yes"), chat(table, 2, "no")
    table.seats[1].received([line], 2)
    table.seats[3].received([other], 2)
    table.kill(2)
    table.settle()
    halves = [(0, 1), (3, 4)]
    for half in halves:
        assert table.equal(half)
    assert table.records(0) ^ table.records(4) == {line.payload, other.payload}
    table.edges = [(0, 1), (3, 4), (0, 4)]
    table.mend_all().settle()
    for seat in (0, 1, 3, 4):
        fault = table.seats[seat].session.fault
        assert isinstance(fault, Equivocation)
        assert fault.seat == 2
        assert set(fault.payloads) == {line.payload, other.payload}
    assert not table.hung_up, "who carries a proof is not to blame for it"
    assert all(table.seats[seat].connected for seat in (0, 1, 3, 4))
    for seat in (0, 1, 3, 4):
        recorded = Path(table.seats[seat].store.path).read_bytes()
        assert audit(recorded, GAMES).verdict is Verdict.EQUIVOCATED
    table.close()


def test_row_56_two_versions_of_an_entry_are_proven_to_all_and_to_who_comes_later(tmp_path: Path) -> None:
    table = begun(tmp_path, 4, "star")
    while (choice := _chooser(table)) is None:
        assert table.step()
    table.settle()
    seat, decision = choice
    others = [honest for honest in range(4) if honest != seat]
    away = next(honest for honest in reversed(others) if honest != 0)
    table.kill(away)
    referee = table.seats[others[0]].session.referee
    versions = []
    for move in list(decision.options)[:2]:
        signed = encode((referee.count, seat, referee.head, CODEC.value(Choice(move))))
        key = table.owners[seat].identity
        versions.append(Frame(ENTRY, signed + key.sign(labels.SIGN_ENTRY, referee.genesis.id + signed)))
    hub = 0 if seat else others[0]
    with pytest.raises(Equivocation):
        table.seats[hub].received(versions, seat)
    table.cut((hub, seat) if (hub, seat) in table.links else (seat, hub))
    table.edges = [edge for edge in graphs(4)["mesh"] if seat not in edge]
    table.restart(away)
    table.mend_all().settle()
    for number in others:
        assert isinstance(table.seats[number].session.fault, Equivocation)
        assert table.seats[number].finished
    table.close()


def _chooser(table: Gossiping) -> tuple[int, Choose] | None:
    for seat, end in enumerate(table.seats):
        owed = end.session.referee.owed
        if owed and owed.seat == seat and owed.message is Choice and isinstance(owed.part, Choose):
            return seat, owed.part
    return None


@pytest.mark.parametrize("seats", [3, 4])
def test_row_58_a_flood_of_known_records_is_the_end_of_its_link_only(tmp_path: Path, seats: int) -> None:
    table = begun(tmp_path, seats, "mesh")
    known = table.seats[0].session.referee.record[-1].frame
    most = VAIN_FRAMES + 2 * len(table.seats[0].session.referee.record)
    table.seats[1].received([known] * (most - 100), 0)
    with pytest.raises(Malformed, match="floods"):
        table.seats[1].received([known] * 200, 0)
    table.cut((0, 1))
    assert_played_out(table, list(range(seats)))


def test_row_58_known_entries_with_other_signatures_bring_nothing_back(tmp_path: Path) -> None:
    """Behind a Gone a link sends again what the other side may have otherwise; each of these few bytes would
    have had the whole rest of the match sent.
    """
    table = begun(tmp_path, 4, "mesh")
    owed = table.seats[0].session.referee.owed
    assert owed is not None
    gone, liar = owed.seat, 1 if owed.seat != 1 else 2
    table.kill(gone)
    while table.seats[liar].session.referee.table.gone.get(gone) is None:
        table.clock.now += CLAIM_WHEN_CONNECTED + 1
        for end in table.alive:
            if end.session.claimable is not None:
                end.claim_away()
        table.settle()
    table.play()
    end = next(seat for seat in table.seats if seat.seat not in (gone, liar))
    entries = [entry for entry in end.session.referee.entries if not isinstance(entry, Folded)]
    before = table.carried[end.seat, liar]
    for entry in reversed(entries):
        end.received([Frame(ENTRY, entry.body + bytes(64))], liar)
        table.clock.now += PASS_ON_AFTER
        end.tick()
    assert table.carried[end.seat, liar] - before < 1000
    table.close()


def test_row_57_a_spoilt_copy_of_a_record_that_is_held_back_goes_no_further(tmp_path: Path) -> None:
    """Who has said that its author is away passes the first on; a second would end its own links."""
    table = begun(tmp_path, 4, "mesh")
    while (chooser := _chooser(table)) is None:
        assert table.step()
        table.settle()
    owner = chooser[0]
    accuser, liar, *_ = (seat for seat in range(4) if seat != owner)
    host = table.seats[accuser]
    table.clock.now += CLAIM_WHEN_CONNECTED + 1
    host.claim_away()
    table.settle()
    for other in set(range(4)) - {owner, accuser}:
        table.cut((owner, other))
    assert table.decide(table.seats[owner])
    late = table.seats[owner].session.referee.entries[host.session.referee.count]
    host.received([late.frame], owner)
    assert host.session.referee.count == late.number  # it is held back
    spoilt = Frame(ENTRY, late.body + bytes(64))
    host.received([spoilt], liar)
    sent = [frame.payload for end, _, frame in table.sent if end == accuser]
    assert late.payload in sent
    assert spoilt.payload not in sent
    table.close()


@pytest.mark.parametrize("seats", [3, 4])
def test_row_58_the_65th_word_that_somebody_is_away_is_refused_and_blames_nobody(
    tmp_path: Path, seats: int
) -> None:
    """Each may cost the others a BACK: no two seats use up the statements of a third."""
    table = begun(tmp_path, seats, "mesh")
    referee, liar = table.seats[0].session.referee, 1
    key, count, head = table.owners[liar].identity, referee.count, referee.head
    assert referee.owed is not None
    accused = referee.owed.seat if referee.owed.seat != liar else None
    if accused is None:
        table.until_owing(2)
        count, head, accused = referee.count, referee.head, 2
    (index, previous), taken = (len(referee.statement_heads[liar]) - 1, referee.statement_heads[liar][-1]), 0
    for _ in range(MAX_AWAYS + 1):
        content = accused, 60, b""
        signed = body(liar, (index, previous), (count, head), Kind.AWAY, content)
        frame = Frame(STATEMENT, signed + key.sign(labels.SIGN_STATEMENT, referee.genesis.id + signed))
        table.seats[0].received([frame], liar)
        index, previous = index + 1, statement_hash(signed)
        taken = sum(statement.kind is Kind.AWAY for statement in referee.statements[liar])
    assert taken == MAX_AWAYS
    assert table.seats[0].session.fault is None
    table.close()


def test_row_58_false_distances_and_counts_cost_their_sender_only(tmp_path: Path) -> None:
    """Seat 1 says that it is near everybody, wants nothing, and has everything."""
    table = begun(tmp_path, 4, "mesh", rounds=2)
    lie = Have(Counts(10**6, [900] * 4), 10**6, (1, 0, 1, 1), ())
    for seat in (0, 2, 3):
        table.seats[seat].received([lie.frame], 1)
    table.play()
    assert all(table.seats[seat].finished for seat in (0, 2, 3)) == table.seats[1].finished
    assert table.equal([0, 2, 3])
    for edge in graphs(4)["mesh"]:
        table.cut(edge)
    table.mend_all()
    assert_played_out(table, [0, 1, 2, 3])


@pytest.mark.parametrize(
    "payload",
    [
        encode([1, [0, 0], 0, [0, 0, 0], []]),
        encode([1, [0, 0, 1001], 0, [0, 0, 0], []]),
        encode([1, [0, 0, 0], 0, [0, 0, 4], []]),
        encode([1, [0, 0, 0], 0, [0, 0, 0], [1, 1]]),
        encode([1, [0, 0, 0], 0, [0, 0, 0], [3]]),
        encode([1, [0, b"", 0], 0, [0, 0, 0], []]),
        encode([1]),
        b"noise",
    ],
)
def test_a_have_in_a_wrong_form_ends_its_link(tmp_path: Path, payload: bytes) -> None:
    table = begun(tmp_path, 3, "line")
    with pytest.raises(Malformed):
        table.seats[0].received([Frame(HAVE, payload)], 1)
    table.close()


# Old copies


@pytest.mark.parametrize(("seats", "name"), [(3, "line"), (4, "star"), (4, "ring")])
def test_row_31_an_own_record_that_this_copy_lacks_freezes_it_whoever_carries_it(
    tmp_path: Path, seats: int, name: str
) -> None:
    """Ada's clone is behind; not her opponent of the moment but a third seat shows what Ada has signed."""
    table = begun(tmp_path, seats, name)
    shutil.copytree(tmp_path / "Ada", tmp_path / "clone")
    table.seats[0].say("one")
    table.seats[0].say("two")
    table.settle()
    home = KeptHome(tmp_path / "clone")
    clone = Replica(
        Owner(home, home.identity(), "Ada", GAMES), home.open(table.seats[0].match.id.hex()[:32]), table.clock
    )
    last = table.seats[2].session.referee.statements[0][-1]
    clone.linked(lambda _: None, 2)
    clone.received([Sync(clone.match.id, clone.session.position()).frame], 2)
    with pytest.raises(Stale) as caught:
        clone.received([last.frame], 2)  # the one before it is missing
    clone.unlinked(caught.value, 2)
    assert clone.status is Status.STALE
    clone.close()
    for edge in list(table.edges):
        table.cut(edge, LOST)
    table.close()
