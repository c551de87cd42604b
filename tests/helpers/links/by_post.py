"""Players who have nothing but posts: each step opens the match, takes, decides, writes, and closes it."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from p2p_stratego.core.game import Game, Seat
from protocol.lobby.handshake import Terms
from protocol.post import carrying, form, offer
from protocol.post.carrying import PostReport, WrittenPost
from protocol.record import genesis
from protocol.record.pace import Pace
from protocol.replication.replica import Replica
from protocol.storage.home import Owner
from protocol.storage.ledger import PostLedger
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, Frame
from tests.helpers.games.players import honest
from tests.helpers.links.founding import founded
from tests.helpers.machine.homes import KeptHome

NAMES = ("Ada", "Ben", "Cleo", "Dan")


class Correspondence:
    """A match by post; `sent` holds every post that was ever written, by its reader."""

    def __init__(self, path: Path, game: Game[Any], seats: int = 2, **options: int | str) -> None:
        """Two seats begin by an offer; more have met before, and their copies were compared then."""
        self.path, self.rng = path, random.Random(1)
        self.now = 1_000_000.0
        games = {game.name: game}
        self.owners = [self._owner(path / name.lower(), name, games) for name in NAMES[:seats]]
        self.sent: list[list[bytes]] = [[] for _ in self.owners]
        self.match = ""
        self.begun = 0.0
        if seats == offer.SEATS:
            self._begin(Terms(game, game.options(options), seats, pace=Pace.DAY))
            return
        stores = founded(game, game.options(options), self.owners, "")
        self.match = stores[0].name
        for store in stores:
            store.keep_ledger(PostLedger(here=store.mark))
            store.close()

    def _owner(self, path: Path, name: str, games: dict[str, Game[Any]]) -> Owner:
        home = KeptHome(path)
        return Owner(home, home.identity(), name, games, wall=lambda: self.now)

    def _begin(self, terms: Terms) -> None:
        ada, ben = self.owners
        self.offer = offer.make(ada, terms)
        proposed = offer.offer_in(form.read(self.offer), ada.games)
        assert proposed is not None
        store, new = offer.accept(ben, proposed)
        assert new
        self.match = store.name
        store.close()
        answer = self.write(1, 0)
        body = form.read(answer.data).genesis
        assert body is not None
        offer.begin_match(ada, genesis.parse(body, ada.games)).close()
        assert self.take(0, answer.data).trouble is None

    @contextmanager
    def opened(self, seat: Seat) -> Iterator[Replica]:
        """The copy of `seat`, in a process of its own."""
        replica = Replica(self.owners[seat], self.owners[seat].home.open(self.match), lambda: 0.0)
        try:
            yield replica
        finally:
            replica.close()

    def take(self, seat: Seat, data: bytes) -> PostReport:
        """`seat` takes a post."""
        with self.opened(seat) as replica:
            return carrying.take(replica, form.read(data))

    def write(self, seat: Seat, reader: Seat, *, whole: bool = False) -> WrittenPost:
        """`seat` writes a post to `reader`."""
        self.now += 1.0
        with self.opened(seat) as replica:
            post = carrying.write(replica, self.owners[seat], reader, self.now, whole=whole)
        self.sent[reader].append(post.data)
        return post

    def decide(self, seat: Seat) -> int:
        """`seat` sits down at the table, decides all that it is asked, and leaves; how often that was."""
        decided = 0
        with self.opened(seat) as replica:
            carrying.recall(replica)
            while (decision := replica.session.decision) is not None:
                replica.decide(honest(replica.session, decision, self.rng))
                decided += 1
        return decided

    def turn(self, seat: Seat, reader: Seat) -> PostReport:
        """`seat` decides and writes, and `reader` takes that."""
        self.decide(seat)
        return self.take(reader, self.write(seat, reader).data)

    def play(self, posts: int = 10_000) -> int:
        """Play with posts in turn until all records are complete, or so many went; how many did."""
        seats = range(len(self.owners))
        for number in range(posts):
            seat = number % len(seats)
            for reader in seats:
                if reader != seat:
                    assert self.turn(seat, reader).trouble is None
            if all(self.finished(end) for end in seats):
                return number + 1
        return posts

    def finished(self, seat: Seat) -> bool:
        """Whether the copy of `seat` is complete."""
        with self.opened(seat) as replica:
            return replica.finished

    def transcript(self, seat: Seat) -> bytes:
        """The record of `seat`."""
        return (self.owners[seat].home.path / "games" / self.match / "transcript.p2ps").read_bytes()

    def entries(self, seat: Seat) -> list[Frame]:
        """The entries in it."""
        return [frame for frame in transcript.read(self.transcript(seat)).frames if frame.kind == ENTRY]


# What hands and carriers do


def kept(match: Correspondence, seat: Seat, path: Path) -> Path:
    """The folder of `seat`, copied to `path`."""
    shutil.copytree(match.owners[seat].home.path / "games" / match.match, path)
    return path


def restored(match: Correspondence, seat: Seat, copy: Path) -> None:
    """The folder of `seat` is what it was when it was copied to `copy`."""
    games = match.owners[seat].home.path / "games"
    shutil.rmtree(games / match.match)
    shutil.copytree(copy, games / match.match)


def carried(two: Correspondence, seat: Seat) -> list[Frame]:
    """What the last post of `seat` holds, from its SYNC on."""
    return form.read(two.sent[1 - seat][-1]).carried


def rewritten(
    two: Correspondence, seat: Seat, frames: list[Frame], later: int = 1, **changes: object
) -> bytes:
    """The last post of `seat`, with these frames behind its mark and a serial `later` than its own, well
    stamped and signed.
    """
    mark = form.read(two.sent[1 - seat][-1]).mark
    assert mark is not None
    mark = replace(mark, **changes)  # type: ignore[arg-type]
    identity = two.owners[seat].identity
    stamp = form.stamp(identity, mark.match, mark.writer, mark.reader, mark.stamp.serial + later)
    return form.sealed_post(identity, [replace(mark, stamp=stamp).frame, *frames])
