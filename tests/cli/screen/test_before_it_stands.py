"""What happens is seen before it stands there: no words, points or pieces of an event under its own film."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from cli.games.drama import DramaEvent
from cli.screen.match import renderer
from cli.shell.settings import Settings
from cli.text.layout import words
from p2p_stratego.registry import ENTRIES, GAMES, make_bot
from tests.helpers.games.any_game import parts
from tests.helpers.links.ends import Ends
from tests.helpers.program.terminal import Player, at_screen

FILMS = 3
"""Films of one game that are looked at."""
QUIET = {"spies": 78}
"""Decisions of the players before the first film."""
MOST = 100


def shown(player: Player) -> str:
    """All rows but those of keys and input, without what is played over them."""
    screen = renderer.draw(player.front.scene(), 120, 40)
    return "\n".join(words(line) for line in [*screen.title, *screen.table, *screen.news])


@pytest.mark.parametrize("game", [game for game in ENTRIES if parts(game).events is not None])
def test_nothing_of_an_event_is_on_the_screen_until_its_film_is_over(game: str, tmp_path: Path) -> None:
    ends = Ends(tmp_path, f"films {game}", game=GAMES[game])
    table = ends.table(0, Settings(summary=False))
    bots = [make_bot(game, next(iter(ENTRIES[game].bots)), Random(seat)) for seat in (0, 1)]
    seen: list[DramaEvent] = []

    async def play(player: Player) -> None:
        player.front.film.clock = lambda: 100.0
        ends.connect()
        await player.look()
        count = iter(range(QUIET.get(game, 0)))
        ends.play_on(bots, lambda: next(count, None) is None)
        for _ in range(MOST):
            before, events = shown(player), list(table.log.history)
            for seat, replica in enumerate(ends.replicas):
                if replica.session.decision is not None:
                    (replica.decide if seat else table.decide)(bots[seat].decide(replica.session.view))
                    ends.pump()
                    break
            playing = player.front.film.now()
            if playing is None:
                continue
            seen.append(playing[0])
            assert shown(player) == before
            fresh = " ".join(table.log.history[len(events) :])
            assert fresh
            if game == "spies":  # of which an open step is told, too: in the words of the film
                assert seen[-1].sentence.rstrip(".") in fresh  # type: ignore[union-attr]
            player.front.film.skip()
            assert shown(player) != before
            if len(seen) == FILMS:
                break

    at_screen(ends, table, play)
    ends.close()
    assert len(seen) == FILMS
