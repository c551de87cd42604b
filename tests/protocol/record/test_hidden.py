"""What stays hidden: nothing of a closed card is in a record, in its length, in the work, or in an answer."""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from types import FrameType
from typing import Any, Final

import pytest

from p2p_stratego.core.game import Choose, Commit, Decision, Game
from p2p_stratego.core.self_play import allowed
from protocol.crypto.proofs.verification import keeping
from protocol.errors import Misplaced, Refusal, Violation
from protocol.record.asks.base import Decided
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC
from protocol.record.asks.roll import Share
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.record.evidence import read_record
from protocol.seat import replies
from protocol.seat.effects import Duty
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, decode
from protocol.wire.messages import Message
from tests.campaigns.canaries import derived
from tests.helpers.cheats.bout import Bout, Until
from tests.helpers.cheats.lies import JUNK
from tests.helpers.crypto.computed_once import computed_anew
from tests.helpers.games.facts import GAMES
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.machine.examples import every
from tests.helpers.seats.pair import Seat, Table

TOYS: Final[dict[str, Any]] = {"game": TOY, "options": {"rounds": 1}, "decide": honest}


@pytest.mark.parametrize("match", ["toy", "real"])
def test_row_37_no_secret_and_no_salt_of_a_closed_card_is_in_any_transcript(match: str) -> None:
    """Stopped anywhere or played to the end; both copies."""
    settings = TOYS if match == "toy" else {"decide": honest}
    closed = 0
    for seed in range(4):
        for steps in (10, 20, 35, 10_000):
            table = Table(seed, **settings).play(steps=steps)
            for seat in table.seats:
                referee = seat.session.referee
                secrets = derived(seat.master, seat.seat, referee)
                assert [
                    secret for secret in secrets for copy in table.seats if secret in copy.transcript
                ] == []
                closed += len(referee.table.hidden) - len(referee.table.faces)
    assert closed > 20


def test_row_37_a_transcript_opens_what_the_rules_asked_for_and_not_one_card_more() -> None:
    """Also the loser's cards stay closed, and what a view knows of them is not in the other's copy."""
    ends = set()
    for seed in (2, 1, 51, 47, 25):
        table = Table(seed, options={"wall": 2}, decide=honest).play()
        referee = table.seats[0].session.referee
        openings = [
            CODEC.parse(e.message) for e in referee.entries if isinstance(CODEC.parse(e.message), Opening)
        ]
        assert len(openings) == len(referee.table.faces)
        end = referee.outcome
        assert end is not None
        ends.add(end.reason)
        for seat in table.seats:
            own = {slot for slot, hidden in referee.table.hidden.items() if hidden.seat == seat.seat}
            unopened = own - set(referee.table.faces)
            assert unopened <= set(seat.session.known)
            assert not unopened & set(table.seats[1 - seat.seat].session.known)
            if end.reason == "flag" and seat.seat not in end.winners:
                assert unopened
    assert "flag" in ends


def laying(line: tuple[int, ...]) -> Callable[[Session, Decision, random.Random], Decided]:
    """Lay these faces whenever such cards are laid, any others in order, and else take the first option."""

    def decide(_: Session, decision: Decision, __: random.Random) -> Decided:
        if isinstance(decision, Choose):
            return next(iter(decision.options))
        return line if allowed(decision, line) else lines(len(decision.slots), list(decision.faces))[0]

    return decide


def lines(count: int, faces: Sequence[int]) -> list[tuple[int, ...]]:
    """Hands in which every face stands in every place."""
    return [tuple(faces[(start + step) % len(faces)] for step in range(count)) for start in range(len(faces))]


def hands(game: Game[Any]) -> list[tuple[int, ...]]:
    """What seat 0 could lay first in this game, whatever is decided aloud before that."""
    return _hands(game.name)


@cache
def _hands(name: str) -> list[tuple[int, ...]]:
    table = Table(7, game=NAMED[name], decide=laying(()))
    while not isinstance(decision := table.hold().seats[0].session.decision, Commit):
        assert table.step()
    return lines(len(decision.slots), list(decision.faces))


ALL_GAMES: Final = [TOY, *GAMES.values()]
NAMED: Final = {game.name: game for game in ALL_GAMES}
MOST_STEPS: Final = 60


def game_name(game: Game[Any]) -> str:
    return game.name


@pytest.fixture
def kept() -> Iterator[None]:
    """The matches of a test begin alike: their proofs about cards are checked once."""
    with keeping():
        yield


def up_to_the_first_opening(game: Game[Any], line: tuple[int, ...]) -> Iterator[tuple[Table, Seat]]:
    """The same public course for every line that seat 0 lays; it, before each step of the match."""
    table = Table(7, game=game, decide=[laying(line), laying(hands(game)[0])])
    for _ in range(MOST_STEPS):
        if table.seats[0].session.referee.table.faces:
            return
        yield table, table.seats[0]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("game", ALL_GAMES, ids=game_name)
def test_row_39_every_record_up_to_an_opening_and_the_opening_are_equally_long_for_all_faces(
    game: Game[Any],
) -> None:
    lengths = set()
    for line in hands(game):
        for table, _ in up_to_the_first_opening(game, line):
            table.step()
        seat = table.seats[0]
        opened = [at for at, frame in enumerate(seat.log) if _is(frame, Opening)]
        until = seat.log[: opened[0] + 1] if opened else seat.log
        lengths.add(tuple((frame.kind, len(frame)) for frame in until))
    assert len(lengths) == 1


def _is(frame: Frame, kind: type[Message]) -> bool:
    if frame.kind != ENTRY:
        return False
    value = decode(frame.payload[:-64])
    assert isinstance(value, list)
    return isinstance(CODEC.parse(value[3]), kind)


def traced(work: Callable[[], Any]) -> list[tuple[str, str]]:
    """Every call and return, of Python's and of C's functions, that `work` makes, in order."""
    seen: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        name = argument.__qualname__ if event.startswith("c_") else frame.f_code.co_qualname
        seen.append((event, name))

    gc.disable()  # a collection can start anywhere, and calls whoever wants to know of it
    try:
        with computed_anew():
            sys.setprofile(note)
            work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return seen


@pytest.mark.parametrize("game", ALL_GAMES, ids=game_name)
def test_row_40_no_step_of_work_depends_on_a_hidden_face(game: Game[Any]) -> None:
    """Deciding, committing, and answering everything up to the first opening: the very same calls for every
    face in every place, so that the time until a reply can tell nothing.
    """
    courses = []
    for line in hands(game):
        course: list[list[tuple[str, str]]] = []
        for table, seat in up_to_the_first_opening(game, line):
            for end, queue in zip(table.seats, table.under_way, strict=True):
                table.deliver(end)
                work: Callable[[], Any] | None = None
                if queue:
                    frame = queue.popleft()
                    work = partial(end.session.receive, read_record(frame))
                elif decision := end.session.decision:
                    decided = table.decide[end.seat](end.session, decision, table.rng)
                    work = partial(end.session.decide, decided)
                if work is not None and end is seat:
                    course.append(traced(work))
                elif work is not None:
                    work()
        courses.append(course[:-1])  # the last one opens the first card
    assert len(courses[0]) > 5
    assert sum(map(len, courses[0])) > 500
    for course in courses[1:]:
        assert course == courses[0]


def test_row_40_hiding_a_choice_takes_the_same_steps_for_every_choice() -> None:
    """Marks in the real game: all sixteen."""
    line = laying((1, 2, 3, 4))

    def until_marks(session: Session, decision: Decision, rng: random.Random) -> Decided:
        if isinstance(decision, Choose):
            raise Reached
        return line(session, decision, rng)

    table = Table(7, decide=[until_marks, line])
    with pytest.raises(Reached):
        table.play()
    seat, courses = table.seats[0], set()
    referee, owed = seat.session.referee, seat.session.referee.owed
    assert owed is not None
    assert owed.message is HiddenChoice
    assert isinstance(owed.part, Choose)
    moves = list(owed.part.options)
    for move in moves:
        secrets = MatchSecrets(seat.master)
        secrets.decided[referee.table.serial] = move
        courses.add(tuple(traced(partial(replies.reply, secrets, referee, owed, {}))))
    assert len(moves) == 16
    assert len(courses) == 1


class Reached(Exception):
    """The moment that a test waits for."""


def _guessing(bout: Bout) -> bool:
    owed = bout.liar.referee.owed
    return owed is not None and owed.message is Choice and owed.seat == bout.liar.seat


MOMENTS: Final[dict[str, Until]] = {
    "while both lay": lambda bout: bool(bout.liar.referee.table.hidden),
    "before an opening": _guessing,
}
PROBES: Final[dict[str, Callable[[Bout], Frame]]] = {
    "a guess ahead of its time": lambda b: b.liar.entry(Choice("guess 1"), number=b.liar.referee.count + 1),
    "a guess that does not exist": lambda b: b.liar.entry(Choice("guess 99")),
    "an opening of its own": lambda b: b.liar.entry(Opening(1, JUNK)),
    "an opening of the owner's card": lambda b: b.liar.entry(Opening(1, JUNK), seat=1 - b.liar.seat),
    "commitments out of time": lambda b: b.liar.entry(Commitments((JUNK,) * 4)),
    "a share out of time": lambda b: b.liar.entry(Share(JUNK)),
    "a choice that nobody hid": lambda b: b.liar.entry(ShownChoice("mark none", JUNK)),
    "a claim of absence": lambda b: b.liar.statement(5, (1 - b.liar.seat, 9)),
    "an end": lambda b: b.liar.statement(6, ((0,), "flag")),
    "a reveal": lambda b: b.liar.statement(7, ((Opening(1, JUNK),),)),
}


@cache
def coming_to(moment: str, name: str) -> int:
    """The seed of a match of this game in which this moment comes."""
    game = NAMED[name]
    crook = laying(hands(game)[0])
    bouts = (Bout(seed, game=game, decide=crook, crook=crook, liar=0) for seed in range(50))
    return next(seed for seed, bout in enumerate(bouts) if bout.run(MOMENTS[moment]))


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("probe", PROBES.values(), ids=PROBES)
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("game", ALL_GAMES, ids=game_name)
def test_row_41_an_illegal_probe_is_answered_the_same_whatever_is_hidden(
    game: Game[Any], probe: Callable[[Bout], Frame], moment: str
) -> None:
    """Public state is checked first, so refusal, text, work and everything given out tell nothing."""
    answers = set()
    laid = hands(game)
    crook = laying(laid[0])
    for line in every(laid, 3, [*PROBES.values()].index(probe)):  # three probes together meet all
        bout = Bout(coming_to(moment, game.name), game=game, decide=laying(line), crook=crook, liar=0)
        seat = bout.honest[0]
        assert bout.run(MOMENTS[moment])
        frame, leaks = probe(bout), list[str]()
        work = tuple(traced(partial(_answer, seat, frame, leaks)))
        given = tuple((output.duty, len(output.data)) for output in seat.session.outputs())
        answers.add((tuple(leaks), given, work))
        assert leaks
    assert len(answers) == 1


def _answer(seat: Seat, frame: Frame, leaks: list[str]) -> None:
    try:
        seat.session.receive(read_record(frame))
    except Refusal as refusal:
        leaks.append(f"{type(refusal).__name__}: {refusal}")


def test_row_41_a_probe_opens_no_card() -> None:
    """Not even a well-signed one for a card that is not asked for: the match ends, the card stays closed."""
    bout = Bout(7, liar=0)
    bout.run(lambda b: bool(b.liar.referee.table.hidden))
    seat = bout.honest[0]
    with pytest.raises((Violation, Misplaced)):
        seat.session.receive(read_record(bout.liar.entry(Opening(1, JUNK))))
    assert seat.session.referee.table.faces == {}
    assert [output.duty for output in seat.session.outputs()] == [Duty.RECORD]
    assert STATEMENT not in [frame.kind for frame in seat.log[2:]]
