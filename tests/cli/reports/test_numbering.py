"""Every report counts the steps of a record alike: also one that is unfinished, and an end by resignation."""

from __future__ import annotations

import json
from functools import cache

import pytest

from cli.lines import replay as lines
from cli.page import content
from cli.reports import history, match_json, match_text
from cli.reports.history import Story
from cli.screen.replay import film
from cli.screen.replay import replay as screen
from cli.studies.analysis import analysis_json
from cli.studies.analysis.analysing import Work
from cli.studies.playback import Replay
from cli.text.layout import words
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.audit.verdict import ProofPolicy, Replayed, accept_all, replay
from protocol.crypto.proofs.verification import keeping
from tests.helpers.games.facts import ALL
from tests.helpers.games.judged import never
from tests.helpers.games.players import honest
from tests.helpers.seats.pair import Table

IN_A_STEP = {game: of_game.in_a_step for game, of_game in ALL.items() if of_game.in_a_step is not None}
"""By game: after how many events its match is in the middle of a step, and how many play it."""
ENDS = ("unfinished", "resigned")


@cache
def recording(game: str, end: str) -> Replayed:
    events, seats = IN_A_STEP[game]
    with keeping():
        table = Table(14, game=GAMES[game], seats=seats, decide=honest).play(steps=events)
        if end == "resigned":
            for seat in table.seats[1:]:
                seat.session.resign()
            table.play()
        trusted = ProofPolicy(hold=accept_all)
        return replay(table.seats[0].transcript, GAMES, proving=trusted)


@cache
def story(game: str, end: str) -> Story:
    return history.of_match(recording(game, end))


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("game", IN_A_STEP)
def test_replay_film_cast_and_export_count_alike(game: str, end: str) -> None:
    whole = story(game, end)
    count = len(whole.steps)
    assert count == len(history.steps(recording(game, end).referee)) + 1
    last = Replay.of(whole).go("last")
    assert last.at == count
    assert f"step {count} of {count}" in words(screen.screen(last, 120, 40)[0])
    text = lines.here(last)
    sentence = "This step is unfinished." if end == "unfinished" else whole.steps[-1].sentences[-1]
    assert sentence in text
    assert last.events[-1] == count
    frames = film.frames(whole, film.last_steps(whole, count))
    assert len(frames) == count
    cast = film.cast(frames, "").splitlines()
    assert len(cast) == count + 2  # the head, and the cursor at the end
    exported = match_text.text(recording(game, end))
    numbers = [line[:4].strip() for line in exported if line[:4].strip().isdigit()]
    assert list(dict.fromkeys(map(int, numbers))) == list(range(1, count + 1))
    assert f"{count:>4}  {sentence}" in exported
    steps = json.loads(json.dumps(match_json.plain(recording(game, end))))["steps"]
    assert [step["step"] for step in steps] == list(range(1, count + 1))
    assert [step["complete"] for step in steps] == [True] * (count - 1) + [False]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("game", [name for name in IN_A_STEP if ENTRIES[name].analysis is not None])
def test_an_analysis_counts_as_a_replay_does(game: str, end: str) -> None:
    whole = story(game, end)
    work = Work(recording(game, end), whole)
    list(work.judge(never))
    done = work.done()
    assert len(done.chances) == len(whole.steps)
    assert max(judgement.made.step for judgement in done.judged) == len(whole.steps) - (not whole.since)
    plain = analysis_json.plain(done, [0, 1])
    assert [chance["step"] for chance in plain["chances"]] == list(range(1, len(whole.steps) + 1))
    assert [whole.steps[turn.at - 1].unfinished for turn in done.turns] == [False] * len(done.turns)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("game", content.GAMES)
def test_a_page_counts_as_a_replay_does(game: str, end: str) -> None:
    whole = story(game, end)
    shown = list(content.lines(recording(game, end), history.steps(recording(game, end).referee)))
    places = [line.at + 1 for line in shown if line.kind != "said"]
    assert places == list(range(1, len(whole.steps) + 1))
    assert shown[-1].kind == ("open" if end == "unfinished" else "end")
    assert [list(shown[-1].text)] == [list(whole.steps[-1].sentences)]
