"""A few schedules of the explorer, and that it would notice what it is there to notice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocol.audit.comparison import Comparison
from protocol.record.statements import Kind
from protocol.seat.session import Session
from protocol.wire.encoding import Frame
from tests.campaigns.explore import invariants
from tests.campaigns.explore.forger import Forger, parsed
from tests.campaigns.explore.plan import ARENAS, plan
from tests.campaigns.explore.running import run
from tests.campaigns.explore.shrinking import ranges, read_ranges, shrunk
from tests.campaigns.explore.world import Broken, Moment, World
from tests.helpers.machine.examples import runs

SEEDS = tuple(range(1, runs(8, 40) + 1))


@pytest.mark.parametrize("seed", SEEDS)
def test_no_schedule_breaks_an_invariant(seed: int) -> None:
    world = run(seed)
    assert world.broken == "", world.text


@pytest.mark.parametrize(
    ("seed", "steps"),
    [
        (70279, "185"),  # a seat dies when all come to rest, and has its links again
        (74853, "125,128,149-151,169,191,202,206,229"),  # the decider whose BACK is waited for is silent
        (
            205362,
            "22,35,54,57,75",
        ),  # a Gone takes the place of a folded draw
        (79484, "22,26,63,66,68,71,393,397,457,459,461,763,766-767,771-772"),  # one alone has signed the end
    ],
)
def test_no_invariant_asks_for_more_than_the_rules_give(seed: int, steps: str) -> None:
    world = run(seed, "toy", read_ranges(steps))
    assert world.broken == "", world.text
    assert world.taken


def test_row_98_what_was_announced_before_a_gone_is_no_entry_of_ours() -> None:
    """The other side had more entries on the chain that it left than our copy has with its Gone."""
    steps = read_ranges("11,13,166,170,173-174,177-178,235,237,292,297")
    assert run(211292, "toy", steps).ends[-1] == "ended: deserted"


def test_every_game_profile_and_way_is_played() -> None:
    assert {plan(seed).arena for seed in range(200)} == {*ARENAS}


def test_a_schedule_is_the_same_each_time() -> None:
    first: list[str] = []
    second: list[str] = []
    former, latter = (run(3, "toy", range(120), notes) for notes in (first, second))
    assert (former.digest, former.ends, first) == (latter.digest, latter.ends, second)
    assert len(first) > 120


def test_a_shrunken_schedule_keeps_what_it_needs() -> None:
    needed = {3, 40, 41, 97}
    assert shrunk(range(200), lambda steps: needed <= {*steps}) == sorted(needed)
    assert shrunk(range(200), lambda _: True) == []


def test_row_98_an_entry_that_comes_before_the_late_one_under_it_releases_that_all_the_same() -> None:
    """The one waited as early, the other one was held back, and neither tried the other again."""
    world = run(5200, "toy", [31, 52, 55, 56, 57, 59, 64])
    assert not world.broken, world.text


def test_steps_are_written_and_read() -> None:
    for steps in ([], [0], [1, 2, 3, 9], [4, 6, 7, 8, 30]):
        assert read_ranges(ranges(steps)) == steps
    assert ranges([1, 2, 3, 9]) == "1-3,9"


# What it notices


@pytest.fixture
def table(tmp_path: Path) -> Iterator[World]:
    """A table of the toy game at its beginning."""
    made = World(tmp_path, plan(5, "toy"))
    yield made
    made.close()


def breaks(action: Callable[[], object]) -> str:
    with pytest.raises(Broken) as raised:
        action()
    return raised.value.invariant


def signed(table: World, seat: int, text: str) -> Frame:
    """A line of chat in the first place of a seat that has agreed."""
    return table.signer(seat).statement(table.referee(seat), Kind.CHAT, (text,))


def test_it_notices_a_second_signature_for_one_place(table: World) -> None:
    seat = table.plan.honest[0]
    table.publish(signed(table, seat, "one"))
    table.publish(signed(table, seat, "one"))
    assert breaks(lambda: table.publish(signed(table, seat, "two"))) == "no seat signs twice for one place"


def test_it_notices_an_away_that_no_person_wanted(table: World) -> None:
    seat, other = table.plan.honest[0], table.plan.forging[0]
    session = table.seats[seat].session
    statement = table.signer(seat).statement(session.referee, Kind.AWAY, (other, 5, b""))
    assert breaks(lambda: table.publish(statement)).startswith("no program calls a seat away")


def test_it_notices_a_program_that_fails(table: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError(7)

    monkeypatch.setattr(Session, "go_live", fails)
    assert (
        breaks(lambda: table.join(table.plan.honest[0], table.plan.forging[0])) == "an honest program fails"
    )


def test_it_notices_a_match_that_does_not_reopen(table: World) -> None:
    seat = table.plan.honest[0]
    path = Path(table.seats[seat].store.path).with_name("secrets")
    table.kill(seat)
    path.write_bytes(path.read_bytes()[:-20])
    assert breaks(lambda: table.restart(seat)) == "an honest match does not reopen"


def test_it_notices_a_comparison_that_forgets_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def proves(seed: int) -> bool:
        return any(end.startswith("proven") for end in run(seed, "toy", range(200)).ends)

    seed = next(seed for seed in range(100, 200) if proves(seed))
    monkeypatch.setattr(invariants, "compare", lambda *_: Comparison(agree=True))
    assert run(seed, "toy", range(200)).broken == "a comparison forgets no fault"


@pytest.mark.parametrize("moment", Moment)
def test_a_process_dies_of_its_signature(table: World, moment: Moment) -> None:
    """What it has signed either stands in its copy when it comes back, or has not left it."""
    Forger(table)
    table.exchange_all()
    seat = table.plan.honest[0]
    before = len(table.referee(seat).statements[seat])
    table.doom(seat, moment)
    table.person(seat, lambda: table.seats[seat].session.say("hi"))
    assert seat in table.dead
    table.restart(seat)
    assert len(table.referee(seat).statements[seat]) == before + (moment is Moment.SYNCED)


def test_a_forging_seat_signs_nothing_without_form(table: World) -> None:
    hand = Forger(table).hands[table.plan.forging[0]]
    assert hand.statement(table.referee(table.plan.honest[0]), Kind.CHAT, (7,), 0) is None
    assert all(parsed(frame) for frame in hand.pool)
