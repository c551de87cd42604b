"""Bots that talk: lines that fit the moment, none twice, and none that follows from what lies closed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from cli.play.bots.bot_front import BotFront, steadily
from cli.play.bots.bot_match import Bots, link_up
from cli.play.bots.small_talk import LINES, SmallTalk
from p2p_stratego.core.game import Commit, Game, Outcome
from p2p_stratego.core.self_play import FalseClaim, IllegalDecision, play
from p2p_stratego.registry import ENTRIES, GAMES, make_bot
from protocol.crypto.keys import Identity
from protocol.network.peer import Peer
from protocol.record.genesis import Genesis, Player, make
from protocol.record.statements import Kind
from protocol.storage.home import Home, Owner
from tests.helpers.links.founding import founded


class Recorded:
    """A bot that keeps the states that everybody sees, and its own decisions."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot
        self.states: Sequence[Any] = ()
        self.decided: list[tuple[Any, Any]] = []

    def decide(self, view: Any) -> Any:
        self.states = [*view.past, view.state]
        decision = self._bot.decide(view)
        self.decided.append((view.decision, decision))
        return decision


class Script:
    """A bot that decides as it is told."""

    def __init__(self, decisions: Sequence[Any]) -> None:
        self._left = iter(decisions)

    def decide(self, _view: Any) -> Any:
        return next(self._left)


def played(game: Game[Any], options: dict[str, Any], bots: Sequence[Any]) -> tuple[list[Any], Outcome, Any]:
    """The states of a game, its outcome, and the bots that recorded it."""
    recorded = [Recorded(bot) for bot in bots]
    ended = play(game, recorded, options, random.Random(8))
    states = max((bot.states for bot in recorded), key=len)
    return [*states, ended.state], ended.outcome, recorded


def match(game: Game[Any]) -> Genesis:
    players = [
        Player(Identity(bytes([at]) * 32).key, name, bytes([at]) * 32, bytes([at]) * 32)
        for at, name in enumerate(("Ann", "Bot"))
    ]
    return make(game, game.options({}), tuple(players))


def talk(of: Genesis, level: str, states: Sequence[Any], outcome: Outcome) -> list[str]:
    """All that a bot on seat 1 says in a match, one state after the other."""
    small, lines = SmallTalk(of, 1, level), list[str]()
    for at in range(len(states)):
        for _ in range(2):  # a change of the match need not be a step
            lines += filter(None, [small.line(states[: at + 1], None, lines)])
    for _ in range(3):
        lines += filter(None, [small.line(states, outcome, lines)])
    return lines


@pytest.mark.parametrize("name", list(GAMES))
def test_a_bot_greets_says_little_and_never_the_same_twice(name: str) -> None:
    game = GAMES[name]
    bots = [make_bot(name, "recruit", random.Random(seat)) for seat in (0, 1)]
    options = {"army": "barrage"} if name == "stratego" else {}
    states, outcome, _bots = played(game, options, bots)
    for level in ENTRIES[name].bots:
        spoken = talk(match(game), level, states, outcome)
        known = LINES[level]
        assert len(spoken) == len({*spoken})
        assert spoken[0] in known["begins"]
        assert {*spoken} <= {line for lines in known.values() for line in lines}
        assert not outcome.winners or spoken[-1] in known["won" if 1 in outcome.winners else "lost"]
        assert len(spoken) <= 6


def test_what_lies_closed_changes_no_line() -> None:
    """Two games that differ only in two pieces that never showed what they are."""
    game, options = GAMES["stratego"], {"army": "barrage"}
    bots = [make_bot("stratego", "agent", random.Random(seat)) for seat in (4, 5)]
    states, outcome, recorded = played(game, options, bots)
    decisions = [[decided for _ask, decided in bot.decided] for bot in recorded]
    at, faces = next(
        (at, list(d)) for at, (ask, d) in enumerate(recorded[1].decided) if isinstance(ask, Commit)
    )
    lines = set()
    for place in range(len(faces)):
        for other in range(place):
            swapped = list(faces)
            swapped[place], swapped[other] = faces[other], faces[place]
            script = [*decisions[1][:at], tuple(swapped), *decisions[1][at + 1 :]]
            try:
                again, ended, _bots = played(game, options, [Script(decisions[0]), Script(script)])
            except (
                IllegalDecision,
                FalseClaim,
                StopIteration,
            ):  # the other piece cannot do what this one did
                continue
            if swapped != faces and (again, ended) == (states, outcome):
                lines.add(tuple(talk(match(game), "gambler", again, ended)))
    assert lines == {tuple(talk(match(game), "gambler", states, outcome))}


def test_every_bot_of_every_game_has_lines_of_its_own() -> None:
    levels = {level for entry in ENTRIES.values() for level in entry.bots}
    assert levels == LINES.keys()
    lines = [line for known in LINES.values() for several in known.values() for line in several]
    assert len(lines) == len({*lines})
    assert all(0 < len(line) <= 70 for line in lines)
    assert all(known.keys() == {"begins", "gains", "loses", "won", "lost"} for known in LINES.values())


@pytest.mark.parametrize("wished", [True, False])
async def test_a_bot_talks_to_a_player_who_wishes_it(tmp_path: Path, *, wished: bool) -> None:
    """Through the protocol, as anybody's chat; the record audits as before."""
    names, game = ("Anna", "Recruit bot"), GAMES["spies-and-lies"]
    homes = [Home(tmp_path / name) for name in names]
    owners = [Owner(home, home.identity(), name, GAMES) for home, name in zip(homes, names, strict=True)]
    stores = founded(game, game.options({}), owners, "talk")
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            ours, its = (Peer(nursery, owner, store) for owner, store in zip(owners, stores, strict=True))
            link_up(nursery, ours, its)
            fronts = [
                BotFront(peer, make_bot(game.name, "recruit", random.Random(seat)), steadily(0.0))
                for seat, peer in enumerate((ours, its))
            ]
            fronts[1].small_talk = lambda: SmallTalk(its.replica.match, 1, "recruit")
            fronts[1].talks = lambda: wished
            for front in fronts:
                nursery.start_soon(front.serve)
            while not all(front.replica.finished for front in fronts):
                await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
    lines = [s.content[0] for s in ours.replica.session.referee.statements[1] if s.kind is Kind.CHAT]
    assert bool(lines) == wished
    assert len(lines) == len({*lines})
    for home in homes:
        home.close()


async def test_a_bot_beside_several_people_is_silent(tmp_path: Path) -> None:
    """Its words would stand in the record of somebody who never asked for them."""
    game = GAMES["spies-and-lies"]
    homes = [Home(tmp_path / name) for name in "ab"]
    owners = [Owner(home, home.identity(), home.path.name, GAMES) for home in homes]
    stores = founded(game, game.options({}), owners, "quiet")
    with ExitStack() as closing:
        async with trio.open_nursery() as nursery:
            bots = Bots(nursery, homes[0], closing, steadily(0.0))
            bots.serve(
                Peer(nursery, owners[0], stores[0]), "agent"
            )  # both seats are people, as far as it knows
            assert bots.fronts[0].small_talk() is None
            nursery.cancel_scope.cancel()
    stores[1].close()
    for home in homes:
        home.close()
