"""The return match: what was said before it belongs to the match that ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.channel.channel import REMATCH
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Malformed
from protocol.limits import MAX_WISHES
from protocol.record import genesis, statements
from protocol.record.pace import Pace
from protocol.record.statements import Kind, Statement
from protocol.record.time_control import TimeControl
from protocol.replication.rematch import Rematch
from protocol.replication.replica import Replica, Status
from protocol.wire import labels, transcript
from protocol.wire.encoding import STATEMENT, Frame, Value, decode, encode
from tests.helpers.games.cups import CUPS
from tests.helpers.games.toy import TOY
from tests.helpers.links.many import Many
from tests.helpers.links.wire import Wire, wish
from tests.helpers.machine.homes import kill
from tests.helpers.seats.pair import Table


def _chat(path: str) -> list[str]:
    """The lines of chat in a transcript on the disk."""
    frames = transcript.read(Path(path).read_bytes()).frames
    agreements = [statements.parse(frame.payload) for frame in frames if frame.kind == STATEMENT]
    return [statement.content[0] for statement in agreements if statement.kind is Kind.CHAT]


def test_records_that_arrive_with_the_agreement_to_a_rematch_are_written_and_shown(wire: Wire) -> None:
    ada, ben = wire.sides
    ada.resign()
    wire.settle()
    ada.offer_rematch()
    wire.settle()
    ended, path = ada.match.id, ada.store.path
    shown: list[Statement] = []

    def show() -> None:
        if ada.match.id == ended:
            shown.extend(s for s in ada.session.referee.statements[1] if s.kind is Kind.CHAT)

    ada.on_change = show
    ben.say("well played")
    ben.offer_rematch()
    wire.step()
    assert ada.match.id != ended
    assert _chat(path) == ["well played"]
    assert [statement.content for statement in shown] == [("well played",)]
    wire.settle()
    assert ada.status is ben.status is Status.CONNECTED
    assert ada.session.live
    assert ben.session.live
    wire.close()


@pytest.mark.parametrize(
    ("time", "pace", "clock"),
    [(int(Pace.DAY), Pace.DAY, None), ([900, 10], Pace.LIVE, TimeControl(900, 10))],
)
def test_a_return_match_keeps_profile_and_pace_or_clock_of_the_one_before(
    time: int | list[Value], pace: Pace, clock: TimeControl | None
) -> None:
    table = Table(game=CUPS, seats=3, escrow=2)
    fields = decode(table.begun.body)
    assert isinstance(fields, list)
    slow = genesis.parse(encode([*fields, time]), {CUPS.name: CUPS})
    sides = [Rematch(slow, seat.seat) for seat in table.seats]
    for side, seat in zip(sides, table.seats, strict=True):
        _, frame = side.ask(seat.identity, table.rng.randbytes)
        for other in sides:
            if other is not side:
                other.take(frame.payload)
    matches = [side.agreed(None) for side in sides]
    assert len({match.body for match in matches if match is not None}) == 1
    kept = [(match.proofs, match.escrow, match.pace, match.clock) for match in matches if match]
    assert kept == [(True, 2, pace, clock)] * 3


# Three seats


@pytest.fixture(name="many")
def _many(tmp_path: Path) -> Many:
    return Many(tmp_path, TOY, 3, {"rounds": 1})


def finished(many: Many) -> bool:
    return all(replica.finished for replica in many.replicas)


def in_one_match(many: Many, before: bytes) -> bool:
    """Whether all have agreed to one match other than the one `before`."""
    matches = {replica.match.id for replica in many.replicas}
    return (
        len(matches) == 1 and before not in matches and all(r.session.referee.agreed for r in many.replicas)
    )


def test_a_wish_may_come_before_the_last_end(many: Many) -> None:
    """A REMATCH is passed on at once, an END perhaps by another way; its carrier has done nothing wrong."""
    ada, ben, _ = many.replicas
    many.connect()
    match = ada.match
    wish = Rematch(match, 2).ask(many.owners[2].identity, many.homes[2].entropy)[1]
    assert not ada.finished
    ada.received([wish], 2)
    many.pump()
    for replica in (ada, ben):
        assert replica.rematch_wanted == (False, True)
    many.play_honestly(lambda: finished(many))
    assert {replica.match.id for replica in many.replicas} == {match.id}
    for replica in many.replicas[::-1]:
        replica.offer_rematch()
        many.pump()
    assert in_one_match(many, match.id)
    many.close()


def test_who_restarts_after_a_wish_asks_again_and_the_new_wish_counts(many: Many) -> None:
    many.connect()
    many.play_honestly(lambda: finished(many))
    match = many.replicas[0].match.id
    many.replicas[1].offer_rematch()
    many.pump()
    many.cut((0, 1), (1, 2))
    kill(many.replicas[1].store)
    home = many.homes[1]
    many.replicas[1] = Replica(many.owners[1], home.open(home.games()[0].id), many.clock)
    many.connect((0, 1), (1, 2))
    assert many.replicas[1].rematch_wanted == (True, False)  # others told it of its wish: it has said it anew
    for replica in many.replicas:
        replica.offer_rematch()
        many.pump()
    assert in_one_match(many, match)
    many.close()


@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("copied", ["nonce", "anchor"])
def test_row_05_who_mirrors_another_seat_s_wish_has_not_asked(many: Many, last: int, copied: str) -> None:
    """It ends no link of those who carry it, nor the program of the last one to ask; its next wish counts."""
    many.connect()
    many.play_honestly(lambda: finished(many))
    match, first = many.replicas[0].match, many.replicas[1 - last]
    first.offer_rematch()
    many.pump()
    liar = Rematch(match, 2)
    [nonce, anchor] = {wish(frame.payload) for frame in many.carried if frame.kind == REMATCH}.pop()
    mirrored = asked(many, liar, **{copied: nonce if copied == "nonce" else anchor})
    for replica in many.replicas[:2]:
        replica.received([mirrored], 2)
    many.replicas[last].offer_rematch()
    many.pump()
    assert {replica.match.id for replica in many.replicas[:2]} == {match.id}
    assert first.rematch_missing == (2,)
    assert many.replicas[last].rematch_missing == tuple(sorted((1 - last, 2)))
    again = asked(many, liar)
    for replica in many.replicas[:2]:
        replica.received([again], 2)
    assert len({match.id, *(replica.match.id for replica in many.replicas[:2])}) == 2
    many.close()


def asked(many: Many, seat: Rematch, **changed: bytes) -> Frame:
    """The next wish of a seat 2 of its own mind, with another nonce or anchor."""
    identity = many.owners[2].identity
    _, frame = seat.ask(identity, many.homes[2].entropy)
    match decode(frame.payload[:-SIGNATURE_BYTES]):
        case [bytes() as game, who, number, bytes() as nonce, bytes() as anchor]:
            part = changed.get("nonce", nonce), changed.get("anchor", anchor)
            body = encode([game, who, number, *part])
            return Frame(REMATCH, body + identity.sign(labels.SIGN_REMATCH, game + body))
    raise AssertionError(frame)


def test_row_56_two_wishes_for_two_halves_of_a_table_end_no_link_between_them(many: Many) -> None:
    """Also while play goes on.  Both are void, and the next one counts."""
    many.connect()
    ada, ben, _ = many.replicas
    match, liar = ada.match, Rematch(ada.match, 2)
    first = asked(many, liar)
    ada.received([first], 2)
    with pytest.raises(Malformed, match="not alike"):
        ada.received([asked(many, Rematch(match, 2))], 2)
    ben.received([asked(many, Rematch(match, 2))], 2)
    many.pump()
    many.play_honestly(lambda: finished(many))
    for replica in (ada, ben):
        assert replica.rematch_wanted == (False, False)
        replica.offer_rematch()
        replica.received([first], 2)
    many.pump()
    assert {ada.match.id, ben.match.id} == {match.id}
    again = asked(many, liar)
    for replica in (ada, ben):
        replica.received([again], 2)
    assert len({match.id, ada.match.id, ben.match.id}) == 2
    many.close()


def test_a_wish_stands_while_all_links_are_gone(wire: Wire) -> None:
    ada, ben = wire.sides
    ada.resign()
    wire.settle()
    match = ada.match.id
    ada.offer_rematch()
    wire.link()
    wire.settle()
    ben.offer_rematch()
    wire.settle()
    assert ada.match.id == ben.match.id != match
    assert ada.session.live
    wire.close()


def test_of_two_wishes_of_a_seat_the_newer_counts_in_any_order(wire: Wire) -> None:
    match, (ada, ben) = wire.sides[0].match, wire.owners
    rematch = Rematch(match, 1)
    old, new = (rematch.ask(ben.identity, ben.home.entropy)[1].payload for _ in range(2))
    for order in ((old, new), (new, old)):
        heard = Rematch(match, 0)
        heard.ask(ada.identity, ada.home.entropy)
        for payload in order:
            heard.take(payload)
        agreed = heard.agreed(None)
        assert agreed is not None
        assert agreed.players[0].nonce == wish(new)[0]
    wire.close()


def test_a_seat_asks_at_most_so_often(wire: Wire) -> None:
    match, ben = wire.sides[0].match, wire.owners[1]
    rematch, heard = Rematch(match, 1), Rematch(match, 0)
    for number in range(MAX_WISHES):
        frame: Frame = rematch.ask(ben.identity, ben.home.entropy)[1]
        assert frame.kind == REMATCH
        assert heard.take(frame.payload) == (1, number)
    with pytest.raises(Malformed):
        heard.take(rematch.ask(ben.identity, ben.home.entropy)[1].payload)
    wire.close()
