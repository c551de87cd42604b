"""What a program says of a silent seat without its player: with real replicas over fake links."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_stratego.core.game import Options
from p2p_stratego.registry import GAMES, make_bot
from protocol.failures import NotNow
from protocol.limits import CLAIM_AFTER_TIME
from protocol.record.statements import Kind, is_of_time
from protocol.record.time_control import TimeControl
from protocol.replication.timekeeping import TimeKeeper
from tests.helpers.links.many import Many

TABLES: dict[str, tuple[str, int, Options, int]] = {
    "Conquest": ("conquest", 3, {"rounds": 1}, 40),
    "a pair against one": ("spies-and-lies", 3, {}, 12),
}


class Thinking(Many):
    """A match under way in which one seat, `owner`, has a decision to make; the others are `accuser`, which
    resigns, and `decider`, or the other way round.
    """

    def __init__(
        self, folder: Path, table: str, *, resigned: str = "accuser", control: TimeControl | None = None
    ) -> None:
        name, seats, options, decisions = TABLES[table]
        super().__init__(folder, GAMES[name], seats, options, control=control)
        self.connect()
        bots = [make_bot(name, "recruit", random.Random(seat)) for seat in self.seats]
        self.play_on(bots, lambda: self._thinks(decisions))
        self.pump()
        owed = self.replicas[0].session.referee.owed
        assert owed is not None
        self.owner = owed.seat
        self.accuser, self.decider = sorted({*self.seats} - {self.owner})
        self.left = self.accuser if resigned == "accuser" else self.decider
        self.cheat = self.decider if resigned == "accuser" else self.accuser
        self.replicas[self.left].resign()
        self.pump()

    def _thinks(self, decisions: int) -> bool:
        referee = self.replicas[0].session.referee
        if referee.owed is None or sum(map(len, referee.decided_at)) < decisions:
            return False
        return self.replicas[referee.owed.seat].session.decision is not None

    @property
    def gone(self) -> set[int]:
        return set().union(*(replica.session.referee.table.gone for replica in self.replicas))

    def calls(self, seat: int) -> None:
        """A player says that the owner is away, whatever its own program measures."""
        session = self.replicas[seat].session
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(self.replicas[seat]), "claimable_in", 0.0)
            assert session.claimable == self.owner
            self.replicas[seat].claim_away()
        self.pump()

    def wait(self, seconds: float) -> None:
        """Time goes by, a second at a time, and all that is under way arrives."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.clock.now += 10.0
            self.pump()


@pytest.fixture(params=TABLES)
def table(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(params=["accuser", "decider"])
def many(request: pytest.FixtureRequest, table: str, tmp_path: Path) -> Iterator[Thinking]:
    made = Thinking(tmp_path, table, resigned=request.param)
    yield made
    made.close()


def test_row_96_no_program_follows_another_seats_word_against_one_that_is_there(many: Thinking) -> None:
    """Not at once, and not after hours: its link says that a person thinks there."""
    many.calls(many.cheat)
    assert many.gone == set()
    many.wait(4000.0)
    assert many.gone == set()
    assert len(many.replicas[many.left].session.referee.statements[many.left]) == 2, "AGREE and RESIGN"


@pytest.mark.parametrize("resigned", ["accuser", "decider"])
def test_row_91_who_has_resigned_says_of_time_what_its_own_clock_measures(
    table: str, resigned: str, tmp_path: Path
) -> None:
    """Not at another seat's word, too early; then without its person, though the owner is connected."""
    many = Thinking(tmp_path, table, resigned=resigned, control=TimeControl(600, 0))
    program, owner = many.replicas[many.left], many.owner
    clocks = program.clocks
    assert clocks is not None
    left = clocks.claimable_in(owner, many.clock.now)
    assert CLAIM_AFTER_TIME < left < 600
    many.calls(many.cheat)
    many.wait(left - 20)
    own = program.session.referee.statements[many.left]
    assert [statement.kind for statement in own] == [Kind.AGREE, Kind.RESIGN]
    assert many.gone == set()
    many.wait(30)
    away = next(statement for statement in own if statement.kind is Kind.AWAY)
    assert away.content[0] == owner
    assert is_of_time(away)
    assert owner in many.gone
    many.close()


def test_a_wait_below_the_precision_of_the_clock_is_over(
    many: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A timer set for it would be due at once again and again, and the program would do nothing else."""
    program = many.replicas[many.left]
    monkeypatch.setattr(TimeKeeper, "voice_in", lambda *_, **__: many.clock.now * 1e-20)
    many.calls(many.cheat)
    assert program.due > many.clock.now
    assert Kind.AWAY in [statement.kind for statement in program.session.referee.statements[many.left]]


def test_row_96_a_word_of_the_silent_seat_begins_the_wait_anew(many: Thinking) -> None:
    """The cheat carries what the owner says; it can keep that back, and then the time runs in full."""
    many.cut((many.left, many.owner))
    many.wait(100.0)
    many.replicas[many.owner].say("I am thinking")
    many.pump()
    many.calls(many.cheat)
    many.wait(160.0)
    assert many.gone == set()


def test_who_has_vanished_for_the_full_time_is_out_though_another_seat_has_resigned(many: Thinking) -> None:
    many.cut((many.left, many.owner), (many.cheat, many.owner))
    many.wait(150.0)
    with pytest.raises(NotNow):
        many.replicas[many.cheat].claim_away()
    many.wait(40.0)
    assert many.gone == set(), "nobody has said so yet"
    many.replicas[many.cheat].claim_away()
    many.pump()
    assert many.owner in many.gone
    assert many.replicas[many.cheat].session.outcome is not None or many.replicas[many.cheat].waited_for == ()


def test_who_vanished_lately_is_not_out_before_its_time(many: Thinking) -> None:
    many.cut((many.left, many.owner), (many.cheat, many.owner))
    many.wait(20.0)
    many.calls(many.cheat)
    assert many.gone == set()
    many.wait(120.0)
    assert many.gone == set()
    many.wait(60.0)
    assert many.owner in many.gone


@pytest.mark.parametrize("back", [True, False])
def test_row_97_the_decider_is_asked_again_if_the_silent_seat_was_heard(back: bool, tmp_path: Path) -> None:
    """Its own word is old when that of the last accuser comes."""
    many = Thinking(tmp_path, "Conquest", resigned="accuser")
    owner, accuser, decider = many.owner, many.accuser, many.decider
    many.cut((accuser, owner), (decider, owner), (accuser, decider))
    many.wait(190.0)
    many.replicas[decider].claim_away()
    if back:
        many.connect((owner, decider))
        many.cut((owner, decider))
    many.replicas[accuser].session.claim_away(190)
    many.replicas[accuser].exchange.flush()
    many.connect((accuser, decider))
    assert (owner in many.gone) is not back
    if back:
        assert many.replicas[decider].session.claimable == owner
        assert many.replicas[decider].claimable_in is not None
        many.wait(200.0)
        assert many.gone == set()
        many.replicas[decider].claim_away()
        many.pump()
        assert owner in many.gone
    many.close()
