"""What a bot remembers: the records in its home, of the same game with the same players on the other side."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from cli.play.bots import memory
from cli.play.bots.bot_front import BotFront, steadily
from cli.play.bots.bot_match import link_up
from cli.play.bots.memory import past_matches
from p2p_stratego.core.view import PastMatches
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from protocol.network.peer import Peer
from protocol.record import genesis
from protocol.record.asks.base import Reached
from protocol.storage.home import Home, Owner
from protocol.storage.match_store import Store
from protocol.wire.transcript import Records
from tests.helpers.links.founding import founded
from tests.helpers.seats.pair import Table
from tests.helpers.seats.takebacks import takers


@pytest.fixture
def owners(tmp_path: Path) -> Iterator[tuple[Owner, ...]]:
    homes = [Home(tmp_path / name) for name in ("Anna", "Boris", "Clara", "Dora")]
    yield tuple(Owner(home, home.identity(), home.path.name, GAMES) for home in homes)
    for home in homes:
        home.close()


def begun(owners: Sequence[Owner], game: str = "spies-and-lies") -> Store:
    """A match that has just begun, as the first of its players keeps it."""
    stores = founded(
        GAMES[game], GAMES[game].options({"starter": "red"} if game != "spies" else {}), owners, ""
    )
    for store in stores:
        store.close()
    return stores[0]


def folder_of(store: Store, at: int) -> Path:
    os.utime(store.path, (at, at))
    return Path(store.path).parent


def test_only_matches_of_the_game_with_the_same_opponents_are_remembered(
    owners: tuple[Owner, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def replayed(data: bytes, games: Any) -> Any:
        history = [Reached(genesis.parse(Records(data).genesis, games).id, 0)]
        return SimpleNamespace(referee=SimpleNamespace(table=SimpleNamespace(history=history, taken_back=0)))

    monkeypatch.setattr(memory, "replay", replayed)  # nothing happened in these matches
    anna, boris, clara, dora = owners
    now = begun((anna, boris))
    folder = folder_of(now, 100)
    match = genesis.parse(now.genesis, GAMES)
    assert list(past_matches(match, 0, folder)) == []
    folder_of(begun((anna, clara)), 1)
    folder_of(begun((anna, boris), "spies"), 2)
    folder_of(begun((anna, clara, boris)), 3)  # Boris plays beside Anna
    newer = folder_of(begun((anna, boris)), 5)
    newest = folder_of(begun((anna, boris, dora)), 6)  # Dora does
    damaged = folder_of(begun((anna, boris)), 7) / Path(now.path).name
    damaged.write_bytes(damaged.read_bytes()[:40])
    stores = founded(match.game, match.options, (boris, anna), "")  # Anna on the other seat
    for store in stores:
        store.close()
    older = folder_of(stores[1], 4)
    past = list(past_matches(match, 0, folder))
    assert [earlier.seat for earlier in past] == [0, 0, 1]
    assert [earlier.states[0].hex()[:32] for earlier in past] == [newest.name, newer.name, older.name]


def test_few_records_are_replayed_and_none_twice(
    owners: tuple[Owner, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed: list[bytes] = []

    def replay(data: bytes, _: Any) -> Any:
        replayed.append(data)
        return SimpleNamespace(referee=SimpleNamespace(table=SimpleNamespace(history=[Reached(1, 0)])))

    monkeypatch.setattr(memory, "replay", replay)
    monkeypatch.setattr(memory, "REPLAYED", 3)
    now, *before = (begun(owners[:2]) for _ in range(6))
    folder, match = folder_of(now, 100), genesis.parse(now.genesis, GAMES)
    for at, store in enumerate(before):
        place = folder_of(store, 99 - at) / Path(store.path).name
        if at == 0:
            place.write_bytes(b"")
        if at == 1:
            place.write_bytes(place.read_bytes() + bytes(memory.LARGEST))
    assert [len(list(past_matches(match, 0, folder))) for _ in range(3)] == [2] * 3
    assert len(replayed) == 2


def test_practice_is_no_match(tmp_path: Path) -> None:
    game, bot = GAMES["spies-and-lies"], Recruit(Random(1))
    for name, takes in (("whole", False), ("taken back", True), ("hint", False)):
        table = Table(3, game=game, decide=lambda session, *_: bot.decide(session.view), takebacks=True)
        for seat in takers(table):
            if takes:
                seat.session.take_back()
                table.hold()
            break
        seat = table.seats[0]
        folder = tmp_path / name
        folder.mkdir()
        (folder / "transcript.p2ps").write_bytes(seat.transcript)
    (tmp_path / "hint" / "practice").touch()
    past = list(past_matches(table.begun, 0, tmp_path / "now"))
    assert [(earlier.seat, len(earlier.states) > 0) for earlier in past] == [(0, True)]


class Learner(Recruit):
    """Notes the matches that it could learn from."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance)
        self.met: list[list[Any]] = []

    def meet(self, past: PastMatches[Any]) -> None:
        self.met.append([list(match.states) for match in past()])


async def test_a_return_match_is_met_with_the_match_before(owners: tuple[Owner, ...]) -> None:
    game = GAMES["spies-and-lies"]
    stores = founded(game, game.options({"starter": "red"}), owners[:2], "agent")
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            peers = [Peer(nursery, owner, store) for owner, store in zip(owners, stores, strict=False)]
            link_up(nursery, *peers)
            learner = Learner(Random(1))
            fronts = [
                BotFront(peers[0], Recruit(Random(2)), steadily(0.0)),
                BotFront(peers[1], learner, steadily(0.0)),
            ]
            for front in fronts:
                nursery.start_soon(front.serve)
            first = peers[0].replica.session
            while not peers[0].replica.finished:
                await trio.testing.wait_all_tasks_blocked()
                await trio.sleep(0)
            peers[0].replica.offer_rematch()
            while len(learner.met) < 2:
                await trio.testing.wait_all_tasks_blocked()
                await trio.sleep(0)
            nursery.cancel_scope.cancel()
    states = [step.state for step in first.referee.table.history if isinstance(step, Reached)]
    assert learner.met == [[], [states]]
    assert len(states) > 1
