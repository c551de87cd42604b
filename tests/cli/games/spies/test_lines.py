"""A year of SPIES! in lines, typed by a script against a bot: every kind of answer as words, no screen."""

from __future__ import annotations

import io
import random
from collections import Counter
from pathlib import Path

import pytest
import trio
import trio.testing

from cli.games.interface import Players, ViewContext
from cli.games.spies import questions
from cli.lines.console import Console
from cli.lines.line_mode import LineFront
from cli.play.bots.bot_front import BotFront, steadily
from cli.play.bots.bot_match import link_up
from cli.shell.settings import Settings
from cli.table.seat.controller import Environment, TableController
from p2p_stratego.registry import GAMES
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules import turns
from p2p_stratego.spies.rules.counters import FIRST_YEAR, spy_names
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.underway import now
from protocol.audit import verdict
from protocol.network.peer import Peer
from protocol.storage.home import Home, Owner
from tests.helpers.links.ends import bytes_from
from tests.helpers.links.founding import founded

PATIENCE = 240.0
NAMES = ("Anna", "Boris")


class Script:
    """Standard input of a script that answers each question in words, as a bot would decide."""

    def __init__(self, peer: Peer) -> None:
        self._peer, self._bot = peer, Recruit(random.Random(5))
        self.counts: Counter[str] = Counter()
        self.next: list[str] = []
        """What is said before anything else."""

    async def read(self) -> str | None:
        await trio.testing.wait_all_tasks_blocked()
        session = self._peer.replica.session
        if session.decision is None:
            return "leave" if session.over else ""
        if self.next:
            return self.next.pop(0)
        view = session.view
        what = questions.kind(view)
        self.counts[what] += 1
        if what == "police":
            if self.counts[what] == 1:
                self.next = ["no", "two by two", "yes"]  # a name is asked about before it is laid
                return "two by two"
            offered = questions.choices(ViewContext(view, Players(NAMES)))
            return next(option.word for option in offered if option.shown == "one a city")
        if what == "propose":
            return "1 pound for 1 chit" if self.counts[what] == 1 else "1 pound"
        decided = self._bot.decide(view)
        if what == "spies":
            assert isinstance(decided, tuple)
            return " ".join(spy_names(now(view).power)[int(face)] for face in decided)
        return questions.spoken(view, decided)


async def test_a_script_plays_a_whole_year_in_lines_and_the_record_is_audited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "LAST_YEAR", FIRST_YEAR)  # seven years would take seven times as long
    homes = [Home(tmp_path / name, bytes_from(f"lines {name}")) for name in NAMES]
    owners = [Owner(home, home.identity(), name, GAMES) for home, name in zip(homes, NAMES, strict=True)]
    stores = founded(GAME, GAME.options({}), owners, "recruit")
    out = io.StringIO()
    async with trio.open_nursery() as nursery:
        ours, theirs = (Peer(nursery, owner, store) for owner, store in zip(owners, stores, strict=True))
        link_up(nursery, ours, theirs)
        script = Script(ours)
        table = TableController(ours.replica, Settings(), Environment(trio.current_time, keys=False))
        front = LineFront(table, Console(script, out), interactive=False)  # type: ignore[arg-type]
        ours.replica.on_change = front.changed
        bot = BotFront(theirs, Recruit(random.Random(6)), steadily(0.0))
        with trio.fail_after(PATIENCE):
            nursery.start_soon(ours.run)
            nursery.start_soon(bot.serve)
            await front.run()
        nursery.cancel_scope.cancel()
    output = out.getvalue()
    for home in homes:
        home.close()
    for kind in ("secret", "police", "spies", "place", "tile", "turn"):
        assert script.counts[kind], kind
    assert script.counts["lay"] == 0  # one line laid them
    assert not script.next
    assert output.count("Really berlin") == 2
    for text in (
        "Goal (hide: goal off): Bring foreign secrets home",
        "Germany posts its police, 4 3 3 2 2 1: where, and on which secrets?",
        "Really berlin 4 3 hamburg 3 2 konigsberg 2 1 on ",
        "For you alone: Germany draws",
        "1933. Germany's turn (Anna).",
        "THE END",
        "Points: Germany",
    ):
        assert text in output, text
    assert script.counts["stand"] == 0  # the line had said that
    assert output.index("Germany has laid") < output.index("Italy posts its police")
    assert "Nothing is typed" not in output
    assert "not possible" not in output
    audited = verdict.audit(Path(str(ours.replica.store.path)).read_bytes(), GAMES)
    assert audited.verdict.value == "complete"
