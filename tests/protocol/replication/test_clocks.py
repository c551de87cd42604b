"""The clocks of a match as each end measures them, over a fake link and with a clock that the test sets."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Verdict, audit
from protocol.channel.channel import RECEIPT
from protocol.failures import NotNow, Why
from protocol.limits import CLAIM_AFTER_TIME, CLAIM_WHEN_AWAY, CLAIM_WHEN_CONNECTED
from protocol.record.debts import DebtKind, debts
from protocol.record.statements import Kind, is_of_time
from protocol.record.time_control import TimeControl
from protocol.replication.clocks import (
    FOLLOWS_WITHIN,
    FREE_FOR_PROGRAMS,
    FREE_FOR_SHUFFLES,
    KEEP_EVERY,
    LAG,
    RESUMED_WITHIN,
    SET_UP,
    SYNC_EVERY,
    Clocks,
    SavedClocks,
    clocks_json,
    read_clocks,
)
from protocol.replication.gossip import Receipt
from protocol.wire.encoding import Deframer
from tests.helpers.games.cups import CUPS
from tests.helpers.games.toy import GAMES as TOYS
from tests.helpers.links.timed import FISCHER, Timed, the_other

EACH: Final = TimeControl(60)
STRATEGO: Final = GAMES["stratego"]


# The two ends measure the same


@pytest.mark.parametrize("thought", [0.0, 3.5, 100.0])
def test_both_ends_measure_what_a_decision_took(tmp_path: Path, thought: float) -> None:
    table = Timed(tmp_path, options={"rounds": 3})
    seat = table.to_a_choice()
    before = table.left(seat)
    table.think(thought)
    assert table.left(seat) == [pytest.approx(left - thought, abs=0.01) for left in before]
    assert table.left(the_other(seat)) == pytest.approx([table.left(the_other(seat))[0]] * 2)
    table.does(seat)
    expected = [pytest.approx(left - thought + 10, abs=0.01) for left in before]
    assert table.left(seat) == expected


def test_the_first_decision_of_a_clock_for_each_has_ten_times_as_long(tmp_path: Path) -> None:
    table = Timed(tmp_path, EACH, game=STRATEGO)
    assert table.left(0) == table.left(1) == pytest.approx([SET_UP * 60] * 2)
    while any(end.session.view.state is None for end in table.seats):
        table.all_decide()
    seat = table.to_a_choice()
    table.think(15.0)
    assert table.left(seat) == pytest.approx([45.0] * 2, abs=0.01)
    assert table.left(the_other(seat)) == pytest.approx([60.0] * 2)
    table.does(seat)
    assert table.left(seat) == pytest.approx([60.0] * 2)


def test_what_programs_answer_by_themselves_costs_nothing(tmp_path: Path) -> None:
    table = Timed(tmp_path, TimeControl(900, 0), options={"rounds": 3, "claims": "yes", "looks": "yes"})
    while any(seat.session.outcome is None for seat in table.seats):
        deciding = [seat for seat in table.seats if seat.session.decision is not None]
        if not deciding and not any(table.links.values()):
            break
        for end in deciding:
            table.decide(end)
        while any(table.links.values()):  # each frame takes a third of a second
            table.clock.now += 0.3
            for edge, queue in list(table.links.items()):
                if queue:
                    table.deliver(edge)
    assert all(seat.finished for seat in table.seats)
    # What is left over is the way of decisions beyond LAG, which is none here.
    assert all(left > 900 - 15 for seat in (0, 1) for left in table.left(seat))


@pytest.mark.parametrize(("way", "counted"), [(0.05, 0.0), (0.5, 0.0), (2.0, 4.0 - LAG)])
def test_the_way_there_and_back_counts_for_nobody_up_to_a_second(
    tmp_path: Path, way: float, counted: float
) -> None:
    """Each frame is under way for `way` seconds; the player answers at once."""
    table = Timed(tmp_path, TimeControl(900, 0), game=STRATEGO)
    first = table.to_a_choice()
    other = the_other(first)
    before = table.left(other)
    assert table.decide(table.seats[first])
    table.clock.now += way
    table.deliver((first, other), 10)
    assert table.decide(table.seats[other])
    table.clock.now += way
    table.deliver((other, first), 10)
    assert table.seats[first].session.decision is not None, "it was a quiet move"
    after = table.left(other)
    assert before[first] - after[first] == pytest.approx(counted, abs=0.01)
    assert before[other] - after[other] == pytest.approx(0.0, abs=0.01)


class Withholding(Timed):
    """A table whose seats send no receipt."""

    def send(self, end: int, other: int, data: bytes) -> None:
        frames = [frame for frame in Deframer().feed(data) if frame.kind != RECEIPT]
        super().send(end, other, b"".join(map(bytes, frames)))


def test_a_receipt_that_is_withheld_gains_a_second_and_no_more(tmp_path: Path) -> None:
    table = Withholding(tmp_path, TimeControl(900, 0))
    seat = table.to_a_choice()
    claimant = table.seats[the_other(seat)]
    clocks = claimant.clocks
    assert clocks is not None
    table.clock.now += 100.0
    assert clocks.left(seat, table.clock.now) == pytest.approx(900 - 100 + LAG, abs=0.01)


# Decisions at the same time


def test_each_that_decides_at_the_same_time_pays_for_its_own_time(tmp_path: Path) -> None:
    """The entry of seat 1 has to wait for that of seat 0; the receipt tells that it has decided."""
    table = Timed(tmp_path, TimeControl(900, 0))
    table.to_a_together()
    before = table.left(0)[0], table.left(1)[0]
    table.think(10.0)
    assert table.decide(table.seats[1])
    table.settle()
    table.think(30.0)
    assert table.left(1) == pytest.approx([before[1] - 10] * 2, abs=LAG + 0.01)
    assert table.left(0) == pytest.approx([before[0] - 40] * 2, abs=LAG + 0.01)
    assert [clocks.runs(1) for seat in table.seats if (clocks := seat.clocks)] == [False, False]
    table.does(0)
    assert table.left(1) == pytest.approx([before[1] - 10] * 2, abs=LAG + 0.01)


def test_one_that_decides_last_pays_from_the_beginning(tmp_path: Path) -> None:
    table = Timed(tmp_path, TimeControl(900, 0))
    table.to_a_together()
    before = table.left(0)[0], table.left(1)[0]
    table.does(0, 10.0)
    table.does(1, 25.0)
    assert table.left(0) == pytest.approx([before[0] - 10] * 2, abs=LAG + 0.01)
    assert table.left(1) == pytest.approx([before[1] - 35] * 2, abs=LAG + 0.01)


def test_row_91_who_says_too_early_that_it_has_decided_gains_the_time_of_the_others_alone(
    tmp_path: Path,
) -> None:
    table = Timed(tmp_path, TimeControl(900, 0))
    table.to_a_together()
    honest, liar = table.seats
    before = table.left(1)[0]
    count = honest.session.referee.count
    signed = table.signer(liar.seat).receipt(liar.session.referee)
    honest.exchange.gossip.acknowledged(1, Receipt(1, count, signed))
    honest.tick()
    table.does(0, 40.0)
    table.think(100.0)
    assert table.left(1)[0] == pytest.approx(before - (100 - FOLLOWS_WITHIN), abs=2 * LAG)


def test_the_word_that_one_has_decided_can_accuse_nobody(tmp_path: Path) -> None:
    """It is a receipt over a count at which its seat does not owe the entry."""
    table = Timed(tmp_path, TimeControl(60, 0))
    table.to_a_together()
    assert table.decide(table.seats[1])
    table.settle()
    table.think(10_000.0)
    assert table.seats[0].claimable_in is None, "it is its own turn"
    assert table.seats[1].claimable_in == 0.0
    assert table.seats[1].time_is_over == 0


# Claims


def test_who_has_used_up_its_time_can_be_claimed_against_two_seconds_later(tmp_path: Path) -> None:
    table = Timed(tmp_path)
    seat = table.to_a_choice()
    claimant, accused = table.seats[the_other(seat)], table.seats[seat]
    table.think(table.left(seat)[0])
    assert claimant.claimable_in == pytest.approx(CLAIM_AFTER_TIME, abs=0.01)
    with pytest.raises(NotNow, match=Why.STILL_TIME.value):
        claimant.claim_away()
    before = claimant.time_is_over
    table.think(CLAIM_AFTER_TIME)
    assert claimant.claimable_in == 0.0
    assert (before, claimant.time_is_over) == (None, seat)
    assert not claimant.session.referee.endings.accuses, "the program claims nothing by itself"
    claimant.claim_away()
    table.settle()
    statement = claimant.session.referee.statements[claimant.seat][-1]
    assert is_of_time(statement)
    assert statement.content[1] >= 900
    for end in (claimant, accused):
        assert end.session.outcome is not None
        report = audit(Path(end.store.path).read_bytes(), TOYS)
        assert (report.verdict, report.out_of_time) == (Verdict.UNRESPONSIVE, (seat,))
    assert claimant.session.over
    assert not accused.session.over, "it may still answer, or resign"


def test_a_late_answer_voids_the_claim_and_the_clock_goes_on_from_nothing(tmp_path: Path) -> None:
    table = Timed(tmp_path, options={"rounds": 3})
    seat = table.to_a_choice()
    table.think(1000.0)
    table.seats[the_other(seat)].claim_away()
    table.settle()
    table.does(seat)
    assert all(end.session.outcome is None for end in table.seats)
    assert table.left(seat) == pytest.approx([10.0] * 2)


def test_who_agrees_that_its_time_is_over_resigns_and_the_match_is_complete(tmp_path: Path) -> None:
    table = Timed(tmp_path)
    seat = table.to_a_choice()
    table.think(1000.0)
    table.seats[the_other(seat)].claim_away()
    table.settle()
    table.seats[seat].resign()
    table.settle()
    for end in table.seats:
        assert end.finished
        report = audit(Path(end.store.path).read_bytes(), TOYS)
        assert (report.verdict, report.out_of_time) == (Verdict.COMPLETE, ())


def test_while_a_clock_runs_a_player_that_is_there_is_not_called_silent(tmp_path: Path) -> None:
    table = Timed(tmp_path, TimeControl(36_000, 0))
    seat = table.to_a_choice()
    claimant = table.seats[the_other(seat)]
    table.think(CLAIM_WHEN_CONNECTED + 1)
    assert claimant.claimable_in == pytest.approx(36_000 - CLAIM_WHEN_CONNECTED + 1, abs=5.0)
    table.cut((0, 1))
    assert claimant.claimable_in == pytest.approx(CLAIM_WHEN_AWAY)
    table.think(CLAIM_WHEN_AWAY)
    claimant.claim_away()
    statement = claimant.session.referee.statements[claimant.seat][-1]
    assert statement.kind is Kind.AWAY
    assert not is_of_time(statement), "its clock has not run out"


def test_a_copy_that_is_behind_claims_nothing(tmp_path: Path) -> None:
    table = Timed(tmp_path)
    seat = table.to_a_choice()
    claimant = table.seats[the_other(seat)]
    table.think(10_000.0)
    assert claimant.claimable_in == 0.0
    remote = claimant.session.copy.remote(seat)
    remote.goal = claimant.session.position()  # as if it had announced more
    assert claimant.time_is_over is None
    table.clock.now -= 9_000.0
    assert claimant.claimable_in == pytest.approx(CLAIM_WHEN_CONNECTED - 1000, abs=5.0)


# Being away


def test_who_owes_and_is_away_pays_for_it(tmp_path: Path) -> None:
    table = Timed(tmp_path)
    seat = table.to_a_choice()
    other = the_other(seat)
    before = table.left(seat)[0]
    table.cut((0, 1))
    table.think(100.0)
    assert table.left(seat) == pytest.approx([before - 100] * 2)
    assert table.decide(table.seats[seat])  # it cannot go out: so the clock of its own end goes on, too
    table.think(20.0)
    assert table.left(seat) == pytest.approx([before - 120] * 2)
    assert table.left(other)[seat] == pytest.approx(table.left(other)[other]), (
        "the other one owes nothing yet"
    )
    table.mend((0, 1))
    table.settle()
    assert table.left(seat) == pytest.approx([before - 120 + 10] * 2, abs=LAG)
    assert table.left(other) == pytest.approx([table.left(other)[0]] * 2, abs=LAG)


def test_a_killed_player_pays_for_its_own_turn_and_no_other_one_does(tmp_path: Path) -> None:
    table = Timed(tmp_path)
    seat = table.to_a_choice()
    other = the_other(seat)
    before = table.left(seat)[0]
    table.think(KEEP_EVERY)
    table.kill(seat)
    table.think(300.0)
    table.restart(seat).tick()
    assert table.left(seat) == pytest.approx([before - 300 - KEEP_EVERY] * 2, abs=2.0)
    table.mend((0, 1))
    table.settle()
    # The one that waits dies: the time in which it is away is its own.
    table.think(KEEP_EVERY)
    known = table.left(seat)[other]
    table.kill(other)
    table.think(300.0)
    again = table.restart(other)
    again.tick()
    assert again.clocks is not None
    assert again.clocks.left(seat, table.clock.now) == pytest.approx(known, abs=1.0)
    table.think(10.0)
    assert again.clocks.left(seat, table.clock.now) == pytest.approx(known, abs=1.0), "it cannot find us yet"
    table.think(RESUMED_WITHIN)
    table.think(60.0)
    assert again.clocks.left(seat, table.clock.now) < known - 59
    table.mend((0, 1))
    table.settle()
    table.does(seat)
    assert again.clocks.left(seat, table.clock.now) > 0


def test_at_most_a_second_of_the_other_ones_time_is_lost_with_a_killed_process(tmp_path: Path) -> None:
    table = Timed(tmp_path)
    seat = table.to_a_choice()
    other = the_other(seat)
    for seconds in (5.0, 1.5, 1.5, 0.9):
        table.think(seconds)
    known = table.left(seat)[other]
    table.kill(other)
    table.restart(other).tick()
    assert 0 <= table.left(seat)[other] - known <= 1.0
    table.mend((0, 1))
    table.settle()
    table.does(seat)
    table.kill(other)
    table.restart(other).tick()
    assert table.left(seat)[other] == pytest.approx(table.left(seat)[seat], abs=1.0), "its decision is kept"


@pytest.mark.parametrize(
    "left", [b"", b'{"left": [90', b"\0" * 100, "older"], ids=["nothing", "half", "zeros", "older"]
)
def test_after_a_power_cut_the_clocks_go_on_from_what_was_synced(tmp_path: Path, left: bytes | str) -> None:
    """The newer file was never synced: its name may have nothing behind it, or older bytes."""
    table = Timed(tmp_path)
    seat = table.to_a_choice()
    other = the_other(seat)
    table.think(KEEP_EVERY)
    recent = Path(table.seats[other].store.path).parent / "clocks-recent.json"
    older = recent.read_bytes()
    table.think(2 * SYNC_EVERY)
    known = table.left(seat)[other]
    table.kill(other)
    recent.write_bytes(older if isinstance(left, str) else left)
    table.restart(other).tick()
    assert table.left(seat)[other] == pytest.approx(known, abs=0.1)


def test_a_match_goes_on_with_its_clocks_between_processes_as_they_stood(tmp_path: Path) -> None:
    table = Timed(tmp_path, options={"rounds": 3})
    for _ in range(2):
        table.does(table.to_a_choice(), 40.0)
    before = [table.left(seat)[0] for seat in (0, 1)]
    for seat in (0, 1):
        table.seats[seat].close()
        table.dead.add(seat)
    table.cut((0, 1))
    table.heal()
    table.settle()
    for end in table.seats:
        end.tick()
    assert [table.left(seat)[0] for seat in (0, 1)] == pytest.approx(before, abs=1.0)


def test_a_damaged_file_of_clocks_begins_them_anew() -> None:
    sound = b'{"left": [1], "made": [0], "running": {"0": ["entry", 5, 2]}, "saved": 3, "serial": 4}'
    assert read_clocks(sound) is not None
    wrong = [
        sound.replace(number, value) for number in (b"1", b"2", b"3", b"4") for value in (b"9" * 400, b"-9")
    ]
    for junk in (b"", b"{}", b"[]", sound.replace(b"1", b'"x"'), b"\xff", b"[" * 9999, *wrong):
        assert read_clocks(junk) is None
    kept = SavedClocks((1000, 2000), (3, 4), {1: (("entry", 5), 600)}, 7, 8)
    assert read_clocks(clocks_json(kept)) == kept
    other = Clocks(FISCHER, 3, 0)
    other.resume(kept, 8.0)
    assert other.left(0, 0.0) == 900.0, "a file of another match"


# Three seats


def test_three_say_that_a_seat_is_out_of_time_and_go_on_without_it(tmp_path: Path) -> None:
    table = Timed(tmp_path, EACH, seats=3)
    seat = table.to_a_choice()
    others = [end for end in table.seats if end.seat != seat]
    table.think(SET_UP * 60 + CLAIM_AFTER_TIME)
    for end in others:
        assert end.time_is_over == seat
        end.claim_away()
        table.settle()
    for end in table.seats:
        assert end.session.referee.taken_out == (seat,)
        report = audit(Path(end.store.path).read_bytes(), TOYS)
        assert report.out_of_time == (seat,)


def test_one_of_three_that_answers_late_stays(tmp_path: Path) -> None:
    table = Timed(tmp_path, EACH, seats=3)
    seat = table.to_a_choice()
    first = next(end for end in table.seats if end.seat != seat)
    table.think(SET_UP * 60 + CLAIM_AFTER_TIME)
    first.claim_away()
    table.does(seat)
    assert all(not end.session.referee.taken_out for end in table.seats)
    assert table.equal()


# Which debts there are


def test_the_duties_of_a_game_are_told_apart(tmp_path: Path) -> None:
    table = Timed(tmp_path, options={"rounds": 2, "claims": "yes", "looks": "yes"})
    seen: set[tuple[DebtKind, int]] = set()
    while table.step():
        owed = debts(table.seats[0].session.referee)
        seen |= {(debt.duty, len(owed)) for debt in owed.values()}
        assert sum(debt.next for debt in owed.values()) == bool(owed)
        if all(seat.finished for seat in table.seats):
            break
    assert seen == {(DebtKind.PROGRAM, 1), (DebtKind.DECISION, 1), (DebtKind.DECISION, 2)}


def test_a_match_without_a_clock_measures_none(tmp_path: Path) -> None:
    table = Timed(tmp_path, None)
    table.to_a_choice()
    for seat in table.seats:
        assert (seat.clocks, seat.time_is_over, seat.store.clocks) == (None, None, [])


def test_programs_have_their_allowance_once(tmp_path: Path) -> None:
    """A program that dawdles with what it answers by itself pays for what is beyond that."""
    table = Timed(tmp_path, TimeControl(900, 0))
    seat = table.to_a_choice()
    other = the_other(seat)
    assert table.decide(table.seats[seat])
    before = table.left(other)[seat]
    table.think(FREE_FOR_PROGRAMS + LAG + 50.0)  # the frame lies on the link, and the answer with it
    if debts(table.seats[seat].session.referee)[other].duty is DebtKind.PROGRAM:
        assert table.left(other)[seat] == pytest.approx(before - 50.0, abs=0.01)


def test_shuffles_and_proofs_of_a_game_with_decks_cost_nothing(tmp_path: Path) -> None:
    """A shuffle with its proof may take a slow machine a minute."""
    table = Timed(tmp_path, TimeControl(900, 0), seats=3, game=CUPS)
    clocks, referee = table.seats[0].clocks, table.seats[0].session.referee
    assert clocks is not None
    seen = set()
    while True:
        now = table.clock.now = table.clock.now + 0.01
        for end in table.alive:
            end.tick()
        for seat, debt in debts(referee).items():
            seen.add(debt.duty)
            if debt.duty is DebtKind.SHUFFLE and seat != 0:
                before = clocks.left(seat, now)
                assert clocks.left(seat, now + FREE_FOR_SHUFFLES - 1.0) == before
                assert clocks.left(seat, now + FREE_FOR_SHUFFLES + LAG + 9.0) < before - 8.0
        busy = [edge for edge, queue in table.links.items() if queue]
        if busy:
            table.deliver(busy[0])
        elif not sum(map(table.decide, table.seats)):
            break
    assert seen == set(DebtKind)
    assert all(left > 900 - 5 for seat in range(3) for left in table.left(seat))
