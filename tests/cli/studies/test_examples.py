"""The example games: real records, audited, with notes at steps that exist."""

from __future__ import annotations

import json

import pytest

from cli.lines.replay import answered, here, moves
from cli.reports.history import of_match
from cli.screen.replay.replay import screen
from cli.studies.annotated.games import EXAMPLES, Example, named
from cli.studies.playback import Replay
from cli.text.layout import words
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Verdict, replay
from tests.helpers.program.commands import Call

MOST = 500_000
"""Bytes of all records together."""


def replay_of(example: Example) -> Replay:
    match = replay(example.path.read_bytes(), GAMES)
    assert match.report.verdict is Verdict.COMPLETE
    story = of_match(match)
    assert match.report.genesis.game.name == example.game
    assert {*example.notes} <= {*range(1, len(story.steps) + 1)}
    noted = type(story)(story.game, story.names, story.steps, story.closing, notes=example.notes)
    return Replay.of(noted)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_audits_as_complete_and_shows_each_note_at_its_step(example: Example) -> None:
    place = replay_of(example)
    assert place.events == [*dict.fromkeys([*example.notes, len(place.story.steps)])]
    for at, note in example.notes.items():
        there = place.to(at)
        assert note in here(there)
        shown = " ".join(" ".join(map(words, screen(there, 80, 24))).split())
        assert note in shown
        assert there.pause(1.0) > place.pause(1.0)
    assert all(note.endswith((".", "?")) for note in example.notes.values())


def test_the_keys_of_events_lead_from_note_to_note() -> None:
    place = replay_of(EXAMPLES[0])
    first, second, *_rest = EXAMPLES[0].notes
    assert place.go("event").at == first
    assert answered(place.to(first), "e").place.at == second
    assert [int(line.split()[0]) for line in moves(place)] == place.events


def test_there_are_two_of_each_game_that_has_any_in_half_a_megabyte() -> None:
    assert sum(example.path.stat().st_size for example in EXAMPLES) <= MOST
    games = [example.game for example in EXAMPLES]
    assert {games.count(game) for game in games} == {2}
    assert len({example.name for example in EXAMPLES}) == len(EXAMPLES)
    assert named("KING").game == "conquest"


def test_the_command_lists_plays_and_tells_programs(call: Call) -> None:
    listed = call("replay", "--example").out
    assert all(example.name in listed for example in EXAMPLES)
    name = EXAMPLES[0].name
    assert EXAMPLES[0].notes[5] in call("replay", "--example", name).out
    steps = json.loads(call("replay", "--example", name, "--json").out)["steps"]
    assert {step["step"]: step["note"] for step in steps if step["note"]} == dict(EXAMPLES[0].notes)
    assert len(json.loads(call("replay", "--example", "--json").out)) == len(EXAMPLES)
    assert "no such example" in call("replay", "--example", "none").err
    assert call("replay").code == 64
