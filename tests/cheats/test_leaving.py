"""Lies about who is away, among four: each has its verdict and a proof; nobody else is blamed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import count

import pytest

from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict
from protocol.errors import Violation
from protocol.record.entries import parse_entry
from protocol.record.evidence import read_record
from protocol.record.judgement import NoProof
from protocol.record.statements import Kind
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.wire import labels, transcript
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from tests.helpers.cheats.away import Scene, scenes
from tests.helpers.cheats.bout import compare, judge
from tests.helpers.games.players import honest
from tests.helpers.games.toy import GAMES, TOY
from tests.helpers.seats.mesh import Mesh
from tests.vectors.records.players import REAL, WALL, player


def assert_blamed(table: Scene, frames: Sequence[Frame], seat: int, rule: str) -> None:
    """The copy that holds `frames` proves that `seat` broke `rule`, to anybody."""
    report = judge(transcript.write(table.mesh.begun.body, [*table.before, *frames]), every_signature=True)
    assert report.verdict is Verdict.CHEATED
    assert report.fault is not None
    assert (report.fault.seat, report.fault.rule) == (seat, rule)
    assert report.proof is not None
    assert proof.check(report.proof, GAMES) == report.fault
    assert report.outcome is not None
    assert report.outcome.winners == frozenset()


def assert_nobody_blamed(table: Scene, frames: Sequence[Frame]) -> None:
    """The copy that holds `frames` blames nobody."""
    report = judge(transcript.write(table.mesh.begun.body, [*table.before, *frames]))
    assert (report.fault, report.problem) == (None, None)


def scene(fits: Callable[[Scene], bool]) -> Scene:
    """The first place of a match that fits."""
    for seed in range(30):
        mesh = Mesh(seed, game=TOY, seats=4, decide=honest, options={"rounds": 2}).run(
            random.Random(seed), steps=90
        )
        mesh.carry(random.Random(seed))
        for moment in scenes(mesh):
            if fits(moment):
                return moment
    raise AssertionError("no such place")


def before_decider() -> Scene:
    return scene(lambda s: s.follower == s.decider)


def before_accuser() -> Scene:
    return scene(lambda s: s.follower in s.accusers)


def test_row_65_a_gone_needs_the_word_of_every_other_seat() -> None:
    table = before_decider()
    aways = [table.away(seat) for seat in table.accusers]
    assert_nobody_blamed(table, [table.gone(table.decider, aways)])
    forged = Frame(STATEMENT, aways[0].payload[:-1] + bytes([aways[0].payload[-1] ^ 1]))
    for wrong in (aways[:1], aways[::-1], [aways[0], aways[0]], [forged, aways[1]]):
        assert_blamed(table, [table.gone(table.decider, wrong)], table.decider, "false-gone")


def test_row_65_only_the_decider_says_that_a_seat_is_gone() -> None:
    table = before_decider()
    aways = [table.away(seat) for seat in table.accusers]
    for seat in table.accusers:
        assert_blamed(table, [*aways, table.gone(seat, aways)], seat, "false-gone")


def test_row_64_the_decider_does_not_remove_a_seat_on_whose_entry_it_has_built() -> None:
    table = before_decider()
    gone = table.gone(table.decider, [table.away(seat) for seat in table.accusers])
    assert_blamed(table, [*table.entries(), gone], table.decider, "both-ways")


def test_row_64_the_decider_does_not_remove_a_seat_to_which_it_has_said_back() -> None:
    table = before_accuser()
    aways = [table.away(seat) for seat in table.accusers]
    back = table.says(table.decider, Kind.BACK, table.number, over=1)
    gone = table.gone(table.decider, aways)
    assert_blamed(table, [table.entries()[0], back, gone], table.decider, "both-ways")


@pytest.mark.parametrize("first", ["away", "entry"])
def test_row_64_an_accuser_does_not_go_on_without_a_back(first: str) -> None:
    table = before_accuser()
    late, following = table.entries()
    away = table.away(table.follower)
    frames = [away, late, following] if first == "away" else [late, following, away]
    assert_blamed(table, frames, table.follower, "both-ways")


@pytest.mark.parametrize("first", ["away", "back"])
def test_row_64_nobody_says_both_away_and_back(first: str) -> None:
    table = before_accuser()
    late = table.entries()[0]
    liar = next(seat for seat in table.accusers if seat != table.follower)
    away = table.away(liar)
    back = table.says(liar, Kind.BACK, table.number, over=1, after=[away])
    assert_blamed(table, [away, late, back], liar, "both-ways")
    assert_nobody_blamed(table, [away, late])


def test_row_95_the_decider_does_not_remove_a_seat_over_whose_entry_it_has_said_anything() -> None:
    table = before_accuser()
    chat = table.says(table.decider, Kind.CHAT, "well", over=1)
    gone = table.gone(table.decider, [table.away(seat) for seat in table.accusers])
    assert_blamed(table, [table.entries()[0], chat, gone], table.decider, "both-ways")


@pytest.mark.parametrize("first", ["away", "gone"])
def test_row_95_an_accuser_says_nothing_over_the_entry_before_it_says_what_released_it(first: str) -> None:
    table = before_accuser()
    late, liar = table.entries()[0], table.accusers[0]
    away = table.away(liar)
    chat = table.says(liar, Kind.CHAT, "well", over=1, after=[away] if first == "away" else [])
    gone = table.gone(table.decider, [table.away(seat) for seat in table.accusers])
    frames = [away, late, chat] if first == "away" else [late, chat, gone]
    assert_blamed(table, frames, liar, "both-ways")


@pytest.mark.parametrize("by", ["the decider", "an accuser"])
def test_row_95_an_accuser_that_was_released_is_not_to_blame(by: str) -> None:
    """Whoever released it is, if there is a Gone: by the bytes of the accuser alone, whatever is withheld."""
    table = before_accuser()
    late, accuser, other = table.entries()[0], *table.accusers
    who = table.decider if by == "the decider" else other
    away = table.away(accuser)
    back = table.says(who, Kind.BACK, table.number, over=1)
    released = table.says(accuser, Kind.BACK, table.number, back.payload, over=1, after=[away])
    chat = table.says(accuser, Kind.CHAT, "well", over=1, after=[away, released])
    assert_nobody_blamed(table, [away, late, back, released, chat])
    assert_nobody_blamed(table, [away, late, released, chat])
    gone = table.gone(table.decider, [table.away(seat) for seat in table.accusers])
    assert_blamed(table, [away, late, released, chat, gone], who, "both-ways")


def _two_of_one_owner(seed: int) -> Scene | None:
    """Two entries of one seat in a row, and behind them one of the decider."""
    decide = [player(f"two in a row {seed}-{seat}") for seat in range(4)]
    mesh = Mesh(seed, game=REAL, seats=4, decide=decide, options=WALL).run(random.Random(seed), steps=160)
    mesh.carry(random.Random(seed))
    referee = mesh.seats[0].session.referee
    if any(len(known) > 1 for known in referee.statements):
        return None
    owners = [entry.seat for entry in referee.entries]
    rows = zip(count(), owners, owners[1:], owners[2:], strict=False)
    places = (Scene(mesh, at, first, third) for at, first, second, third in rows if first == second)
    return next((place for place in places if place.follower == place.decider), None)


@pytest.mark.parametrize("order", [1, -1])
def test_row_95_an_entry_that_shows_two_liars_blames_the_one_of_the_lower_place(order: int) -> None:
    """Two entries of one owner stand there: the AWAYs over them may come in either order."""
    table = next(filter(None, map(_two_of_one_owner, count())))
    first, other = table.accusers
    aways = [table.away(first), table.says(other, Kind.AWAY, table.owner, 60, b"", over=1)]
    backs = [
        table.says(seat, Kind.BACK, table.number + place, over=2, after=[away]).payload
        for place, (seat, away) in enumerate(zip((first, other), aways, strict=True))
    ]
    *late, following = table.entries(3)
    entry = parse_entry(following.payload)
    body = encode((entry.number, entry.seat, entry.previous, entry.message, backs))
    built = Frame(ENTRY, body + table.sign(entry.seat, labels.SIGN_ENTRY, body))
    copy = transcript.write(table.mesh.begun.body, [*table.before, *late, *aways[::order], built])
    assert judge(copy).fault == Fault(first, "entry", entry.number, "both-ways")


def test_row_95_a_release_is_the_word_of_another_seat_that_was_there() -> None:
    table = before_accuser()
    late, accuser, other = table.entries()[0], *table.accusers
    away = table.away(accuser)
    own = table.says(accuser, Kind.BACK, table.number, over=1, after=[away])
    owner = table.says(table.owner, Kind.BACK, table.number, over=1)
    elsewhere = table.says(other, Kind.BACK, table.number, over=2)
    chat = table.says(other, Kind.CHAT, "BACK", over=1)
    for wrong in (own.payload, owner.payload, elsewhere.payload, chat.payload, bytes(152), away.payload):
        back = table.says(accuser, Kind.BACK, table.number, wrong, over=1, after=[away])
        assert_blamed(table, [away, late, back], accuser, "false-back")


def test_who_was_removed_before_its_late_entry_came_is_not_to_blame() -> None:
    """The entry comes after the Gone in one copy, and before it in another one: nobody is blamed."""
    table = before_accuser()
    gone = table.gone(table.decider, [table.away(seat) for seat in table.accusers])
    late = table.entries()[0]
    assert_nobody_blamed(table, [late, gone])
    copies = [
        judge(transcript.write(table.mesh.begun.body, [*table.before, *frames]))
        for frames in ([late], [gone], [late, gone])
    ]
    assert copies[1].referee.head == copies[2].referee.head
    for order in (copies, copies[::-1]):
        assert compare(order).fault is None


def test_a_gone_over_a_late_entry_proves_nothing() -> None:
    """A proof holds no consents, and a Gone in it takes the place of an entry as in a copy."""
    table = scene(lambda s: s.follower in s.accusers and s.number > 1)
    gone = table.gone(table.decider, [table.away(seat) for seat in table.accusers])
    chain = [frame for frame in table.before if frame.kind == ENTRY]
    for behind in ([gone], [gone, gone]):
        made = proof.prove(table.mesh.begun.body, [*chain, table.entries()[0], *behind])
        with pytest.raises(NoProof):
            proof.check(made, GAMES)


def test_two_copies_show_together_that_the_decider_had_it_both_ways() -> None:
    table = before_decider()
    gone = table.gone(table.decider, [table.away(seat) for seat in table.accusers])
    copies = [
        judge(transcript.write(table.mesh.begun.body, [*table.before, *frames]))
        for frames in (table.entries(), [gone])
    ]
    assert [copy.fault for copy in copies] == [None, None]
    for order in (copies, copies[::-1]):
        comparison = compare(order)
        assert comparison.fault == Fault(table.decider, "entry", table.number, "both-ways") or (
            comparison.fault is not None and comparison.fault.rule == "equivocation"
        )
        assert comparison.proof is not None
        assert proof.check(comparison.proof, GAMES) == comparison.fault


def test_nobody_says_back_where_nobody_is_late() -> None:
    table = before_accuser()
    liar = table.decider
    assert_blamed(table, [table.says(liar, Kind.BACK, table.number)], liar, "false-back")
    own = table.says(table.owner, Kind.BACK, table.number, over=1)
    assert_blamed(table, [table.entries()[0], own], table.owner, "false-back")


def test_nobody_is_said_to_be_away_who_owes_nothing() -> None:
    table = before_accuser()
    liar, other = table.accusers
    assert_blamed(table, [table.says(liar, Kind.AWAY, other, 60, b"")], liar, "false-away")
    assert_nobody_blamed(table, [table.says(liar, Kind.AWAY, table.decider, 60, b"")])


@pytest.mark.parametrize("first", ["the word", "the entry"])
def test_row_66_who_has_resigned_does_not_go_on(first: str) -> None:
    table = before_accuser()
    word, entry = table.says(table.owner, Kind.RESIGN), table.entries()[0]
    assert_nobody_blamed(table, [word])
    assert_blamed(table, [word, entry] if first == "the word" else [entry, word], table.owner, "went-on")


@pytest.mark.parametrize("order", [0, 1, 2])
def test_row_95_who_holds_a_record_back_swallows_no_proof(order: int) -> None:
    """The decider says something over the late entry, and its Gone comes while an accuser holds that back."""
    table = before_accuser()
    accuser = table.mesh.seats[table.accusers[0]]
    holder = Session(
        table.mesh.begun, accuser.seat, accuser.identity, MatchSecrets(accuser.master), table.before
    )
    holder.go_live()
    holder.claim_away(600)
    aways = [statement_of(holder, accuser.seat), table.away(table.accusers[1])]
    chat = table.says(table.decider, Kind.CHAT, "well", over=1)
    gone = table.gone(table.decider, aways)
    frames = [table.entries()[0], chat, gone]
    frames.insert(order, aways[1])
    for frame in frames[:-1]:
        holder.receive(read_record(frame))
    assert holder.referee.count == table.number, "the late entry is held back"
    with pytest.raises(Violation) as caught:
        holder.receive(read_record(frames[-1]))
    assert (caught.value.seat, caught.value.rule) == (table.decider, "both-ways")
    assert holder.fault is caught.value


def statement_of(session: Session, seat: int) -> Frame:
    """Its newest statement."""
    return session.referee.statements[seat][-1].frame
