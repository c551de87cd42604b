"""What a guest signed, and its host calls void, is kept: if it begins, the guest can take its seat."""

from __future__ import annotations

from collections import deque
from functools import partial
from pathlib import Path

import pytest

from protocol.channel import tls
from protocol.errors import Forged
from protocol.failures import Code, NoSuchMatch, Refused
from protocol.lobby.guest_lobby import Visit
from protocol.lobby.handshake import JoinerSide, Person, seat_part
from protocol.lobby.introductions import Desk
from protocol.lobby.listing import ListedSeat, Listing, found_frame
from protocol.record import genesis
from protocol.record.genesis import Genesis, Player
from protocol.replication.replica import Replica
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session
from protocol.storage.home import MOST_VOID, Owner
from protocol.storage.route import Route
from protocol.wire.encoding import STATEMENT, Deframer, Frame, decode
from tests.helpers.games.toy import TOY
from tests.helpers.links.lobbies import founded, toy_owner

BINDING = bytes(64)


class Void:
    """A host has the AGREEs of Ben and Cleo, tells Ben that the match is void, and begins it with Cleo."""

    def __init__(self, path: Path) -> None:
        self.owners = [toy_owner(path / name, name) for name in ("Ada", "Ben", "Cleo")]
        people = [Person(owner.identity.key, owner.name) for owner in self.owners]
        places = tuple(ListedSeat(person, "", False) for person in people)
        queues = [deque[Frame](), deque[Frame](), deque[Frame]()]
        self.visits = [
            Visit(owner, people[0], queue.append, lambda _: Route(), lambda: 0.0)
            for owner, queue in zip(self.owners, queues, strict=True)
        ]
        parts = []
        for seat in (1, 2):
            self.visits[seat].received(Listing(1, TOY, TOY.options({}), places).frame)
            self.visits[seat].agree(1)
            match decode(queues[seat].popleft().payload):
                case [int(), bytes() as nonce, bytes() as anchor]:
                    parts.append(Player(people[seat].key, people[seat].name, nonce, anchor))
        secrets = MatchSecrets(b"h" * 32)
        own = seat_part(people[0], TOY, 0, secrets)
        self.match: Genesis = genesis.make(TOY, TOY.options({}), (own, *parts))
        for seat in (1, 2):
            self.visits[seat].received(found_frame(1, self.match))
        agrees = [next(frame for frame in queue if frame.kind == STATEMENT) for queue in queues[1:]]
        self.visits[1].received(Listing(2, TOY, TOY.options({}), places).frame)
        session = Session(self.match, 0, self.owners[0].identity, secrets)
        session.agree()
        for frame in (Frame(STATEMENT, session.referee.record[0].payload), agrees[0]):
            self.visits[2].received(frame)
        assert self.visits[2].begun

    @property
    def ben(self) -> Owner:
        return self.owners[1]

    @property
    def name(self) -> str:
        return self.match.id.hex()[:8]


@pytest.fixture(name="void")
def _void(tmp_path: Path) -> Void:
    return Void(tmp_path)


def talked(replica: Replica, other: Replica) -> None:
    """Link two copies, and give each all that the other says."""
    ways: list[tuple[Replica, int, bytearray]] = []
    for here, there in ((replica, other), (other, replica)):
        heard = bytearray()
        here.linked(heard.extend, there.seat)
        ways.append((there, here.seat, heard))
    while any(heard for _, _, heard in ways):
        for reader, end, heard in ways:
            frames = list(Deframer().feed(bytes(heard)))
            heard.clear()
            if frames:
                reader.received(frames, end)


def agreed(copy: Replica) -> bool:
    return copy.session.referee.agreed


def test_row_104_a_guest_takes_its_seat_in_a_match_that_the_host_called_void(void: Void) -> None:
    ben, cleo = void.owners[1:]
    assert ben.home.games() == [], "nobody is shown a game that never was"
    name = ben.home.take_up(void.name)
    [cleos] = cleo.home.games()
    assert cleos.id == name
    store = void.visits[2].store
    assert store is not None
    mine, others = Replica(ben, ben.home.open(name), lambda: 0.0), Replica(cleo, store, lambda: 0.0)
    assert not agreed(mine)
    talked(mine, others)
    assert agreed(mine)
    assert mine.session.proven
    assert mine.session.answerable, "it has its secrets"
    for frames in (mine, others):
        frames.close()


def test_row_104_a_killed_process_loses_nothing_of_it(void: Void) -> None:
    """The match is moved by one rename: it is in the one place or in the other."""
    ben = void.ben
    for _ in range(2):
        store = ben.home.open(ben.home.take_up(void.name))
        assert [game.id for game in ben.home.games()] == [void.match.id.hex()[:32]]
        ben.home.set_aside(store)
        assert ben.home.games() == []
        assert ben.home.void(void.match.id) == void.match.body
    with pytest.raises(NoSuchMatch):
        ben.home.take_up("0" * 32)


def test_row_104_a_home_keeps_a_bounded_number_of_them(tmp_path: Path) -> None:
    owner = toy_owner(tmp_path / "ben", "Ben")
    ada = Person(toy_owner(tmp_path / "ada", "Ada").identity.key, "Ada")
    ids = []
    for number in range(MOST_VOID + 2):
        secrets = MatchSecrets(bytes([number]) * 32)
        part = seat_part(Person(owner.identity.key, "Ben"), TOY, 0, secrets)
        other = seat_part(ada, TOY, 1, MatchSecrets(b"o" * 32))
        match = genesis.make(TOY, TOY.options({}), (part, other))
        owner.home.set_aside(owner.home.create(match, bytes([number]) * 32, Route()))
        ids.append(match.id)
    kept = [match for match in ids if owner.home.void(match) is not None]
    assert len(kept) == MOST_VOID
    assert ids[-1] in kept


def resumed(desk: Desk, owner: Owner, seat: int, match: Genesis) -> None:
    """The player of `seat` calls the guest with this desk, which sits on seat 1.  Raises its refusal."""
    frames: list[Frame] = []
    talk = desk.greeting(frames.append, BINDING, None, lambda: 0.0)
    next(talk)
    side = JoinerSide(BINDING, frames[0])
    talk.send(side.resume(owner.identity, match, seat, 1, bytes(32)))


@pytest.mark.parametrize("caller", [2, 0])
def test_row_104_who_calls_in_such_a_match_is_to_call_again_and_our_person_hears_of_it(
    void: Void, caller: int
) -> None:
    desk = Desk(void.ben, tls.make(), 1)
    heard: list[tuple[bytes, int]] = []
    desk.on_void = lambda match, seat: heard.append((match.id, seat))
    called = partial(resumed, desk)
    with pytest.raises(Refused) as refused:
        called(void.owners[caller], caller, void.match)
    assert refused.value.code == Code.LEFT
    assert heard == [(void.match.id, caller)]
    with pytest.raises(Forged):
        called(void.owners[caller], 2 - caller, void.match)
    with pytest.raises(Refused) as stranger:
        called(void.ben, 1, void.match)
    assert stranger.value.code == Code.UNKNOWN_MATCH
    assert len(heard) == 1


def test_row_127_who_calls_a_guest_that_has_not_heard_of_the_beginning_is_to_call_again(
    tmp_path: Path,
) -> None:
    sitting, ben, cleo = founded(tmp_path)
    sitting.tell_all(ben)
    match = ben.visit.signed
    assert match is not None
    assert not ben.visit.begun
    desk = Desk(ben.owner, tls.make(), 1)
    with pytest.raises(Refused) as unknown:
        resumed(desk, sitting.host, 0, match)
    assert unknown.value.final, "the guest knew nothing of it"
    desk.signed = lambda: ben.visit.signed
    with pytest.raises(Refused) as refused:
        resumed(desk, sitting.host, 0, match)
    assert refused.value.code == Code.LEFT
    assert not refused.value.final
    with pytest.raises(Forged):
        resumed(desk, cleo.owner, 0, match)
    ben.visit.set_aside()
    assert desk.signed() is None
