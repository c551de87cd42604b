"""Commands that only read: `export`, `replay`, `rules`, `completion`; which game they read."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.layout import walk
from prompt_toolkit.output import DummyOutput

from cli.games.spies_and_lies import manual
from cli.reports import describe, history, match_json, sources, summary
from cli.screen.replay import replay
from cli.screen.replay.replay_screen import ReplayScreen
from cli.screen.widgets import Rows
from cli.shell.arguments import SHELLS
from cli.shell.commands import COMMANDS
from cli.shell.exit_codes import Exit
from cli.shell.settings import Settings
from cli.studies.playback import Replay
from cli.text.layout import ascii_line, width, words
from p2p_stratego.core.game import Outcome
from p2p_stratego.core.narration import OUTSIDE_THE_RULES
from p2p_stratego.registry import ENTRIES, GAMES, OWN
from p2p_stratego.spies_and_lies.rules.components import SOLDIERS, Soldier
from protocol.audit import verdict as audit_verdict
from protocol.record import statements
from protocol.record.asks.registry import CODEC, KINDS
from protocol.record.evidence import read_record
from protocol.record.silence.gone import Gone
from protocol.record.standing import Standing
from protocol.seat.secrets import MatchSecrets
from tests.golden.dialogues import assert_said, assert_told
from tests.helpers.games.facts import facts
from tests.helpers.games.players import honest as mates
from tests.helpers.program.commands import Call, honest
from tests.helpers.seats.mesh import Mesh
from tests.helpers.seats.pair import Table

DOCUMENTED = (Path(__file__).parents[4] / "docs" / "json.md").read_text(encoding="utf-8")
PLAIN = Settings(ascii=True)
NAMES = ("complete", "incomplete", "torn", "cheated", "unresponsive", "tampered", "fork")


# export


@pytest.mark.parametrize("name", NAMES)
def test_export_tells_every_entry_and_the_verdict(call: Call, records: Path, name: str) -> None:
    path = records / f"{name}.p2ps"
    verdict = json.loads(call("audit", path, "--json").out)
    run = call("export", path, "--json")
    document = json.loads(run.out)
    assert run.code == verdict["exit_code"]
    assert {key: document[key] for key in verdict if key in document} == {
        key: value for key, value in verdict.items() if key not in ("type", "file", "exit_code", "checks")
    } | {"checks": document["checks"]}
    assert [entry["entry"] for entry in document["record"]] == list(range(document["entries"]))
    assert document["checks"]["statements"] == len(document["statements"])


@pytest.mark.parametrize("name", NAMES)
def test_export_as_text_names_both_players_and_ends_with_the_verdict(
    call: Call, records: Path, name: str
) -> None:
    run = call("export", records / f"{name}.p2ps")
    assert "Ada [" in run.out
    assert "Ben [" in run.out
    last = run.out.splitlines()[-1]
    assert re.match(r"complete|incomplete|cheated|unresponsive|tampered", last)


def test_row_37_every_field_of_every_message_was_decided_upon() -> None:
    """A new message, or a new field of one, is not exported before it stands on the list."""
    for kind, message in KINDS.items():
        assert set(message.public) <= set(kind.__slots__)
    assert set(match_json.STATEMENT_KEYS) == set(statements.Kind)


def test_a_match_that_somebody_left_is_exported_with_the_statement_in_the_entrys_place(
    call: Call, tmp_path: Path
) -> None:
    mesh = Mesh(0, game=GAMES["spies-and-lies"], seats=4, decide=mates)
    rng = random.Random(0)
    for _ in range(150):
        rng.choice(mesh.events())()
    mesh.seats[2].session.resign()
    mesh.run(rng)
    path = tmp_path / "left.p2ps"
    path.write_bytes(mesh.seats[0].transcript)
    document = json.loads(call("export", path, "--json").out)
    [left] = [entry for entry in document["record"] if entry["message"] == "RESIGN"]
    assert left["seat"] == "red-b"
    messages = [statement for statement in document["statements"] if statement["seat"] == "red-b"]
    assert messages[left["statement"]]["kind"] == "RESIGN"
    assert "resigns." in call("export", path).out


def test_an_entry_that_takes_a_silent_seat_out_says_which(records: Path) -> None:
    replayed = audit_verdict.replay((records / "complete.p2ps").read_bytes(), GAMES)
    message: Any = [*CODEC.value(Gone(1, ()))[:2], [b"away"]]
    entry = replace(replayed.referee.entries[0], message=message)
    assert match_json.plain_entry(replayed.report, entry) == {
        "entry": 0,
        "seat": "red",
        "message": "Gone",
        "gone": "blue",
    }


def test_row_37_no_secret_of_either_seat_is_exported(tmp_path: Path, call: Call) -> None:
    """Neither the master secrets, nor the salt or the face of any card that stayed closed."""
    table = Table(11, decide=honest).play(steps=60)
    path = tmp_path / "match.p2ps"
    path.write_bytes(table.seats[0].transcript)
    exports = call("export", path, "--json").out + call("export", path).out
    opened = table.seats[0].session.referee.table.faces
    hidden = table.seats[0].session.referee.table.hidden
    assert set(hidden) - set(opened)
    for seat in table.seats:
        assert seat.master.hex() not in exports
        for slot, laid in hidden.items():
            if laid.seat == seat.seat and slot not in opened:
                salt = MatchSecrets(seat.master).salt(table.begun.id, seat.seat, slot)
                assert salt.hex() not in exports


def test_row_23_chat_of_the_other_side_is_escaped_in_text_and_quoted_in_json(
    call: Call, tmp_path: Path
) -> None:
    table = Table(12, decide=honest).play(steps=30)
    evil = "hi \x1b]52;c;aGk=\x07 \u202e there"
    table.seats[0].session.say(evil)
    table.seats[0].persist()
    path = tmp_path / "chat.p2ps"
    path.write_bytes(table.seats[0].transcript)
    text, plain = call("export", path).out, call("export", path, "--json").out
    assert "Ada: hi " in text
    assert not set(text + plain) & {"\x1b", "\x07", "\u202e"}
    (chat,) = [statement for statement in json.loads(plain)["statements"] if statement["kind"] == "CHAT"]
    assert chat["text"] == evil


def test_everything_that_can_be_said_is_told(call: Call, tmp_path: Path) -> None:
    table = Table(13, decide=honest).play(steps=30)
    first, second = (seat.session for seat in table.seats)
    first.offer_draw()
    table.deliver(table.seats[0])
    while table.under_way[1]:
        second.receive(read_record(table.under_way[1].popleft()))
    second.accept_draw()
    table.play()
    path = tmp_path / "draw.p2ps"
    path.write_bytes(table.seats[0].transcript)
    run = call("export", path)
    assert run.code == 0
    assert_told("export", "a draw is offered and accepted", run.out, "draw")


# replay


def test_a_resignation_is_the_last_step_and_ends_play_in_the_title(tmp_path: Path) -> None:
    table = Table(14, decide=honest).play(steps=30)
    table.seats[1].session.resign()
    table.play()
    path = tmp_path / "resigned.p2ps"
    path.write_bytes(table.seats[0].transcript)
    replayed = audit_verdict.replay(sources.read(str(path)), GAMES)
    story = history.of_match(replayed).steps
    last = Replay(history.of_match(replayed), len(story))
    assert_told("export", "the last step is a resignation", "\n".join(story[-1].sentences))
    assert len(story) == len(history.steps(replayed.referee)) + 1
    assert "the end" in words(replay.screen(last, 100, 40)[0])
    assert "the end" not in words(replay.screen(last.go("back"), 100, 40)[0])


def replayed(records: Path, name: str = "complete") -> Replay:
    replayed = audit_verdict.replay(sources.read(str(records / f"{name}.p2ps")), GAMES)
    return Replay(history.of_match(replayed))


def test_replay_without_a_terminal_prints_the_game(call: Call, records: Path) -> None:
    assert call("replay", records / "complete.p2ps") == call("export", records / "complete.p2ps")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60), (40, 12), (30, 9)], ids=str)
def test_every_step_fills_the_screen_exactly(records: Path, size: tuple[int, int]) -> None:
    columns, rows = size
    place = replayed(records)
    for at in range(1, len(place.story.steps) + 1):
        for opened in (False, True):
            lines = replay.screen(Replay(place.story, at, open=opened), columns, rows)
            assert len(lines) == rows
            assert {width(line) for line in lines} == {columns}


def test_with_all_open_a_replay_shows_both_sides_of_what_is_known_at_the_end(records: Path) -> None:
    place = replayed(records)
    at = next(n for n, step in enumerate(place.story.steps, start=1) if step.state.phase == "mission")

    def closed(of: Replay) -> int:
        return sum(words(line).count("░░░") for line in replay.screen(of, 100, 40))

    here = Replay(place.story, at)
    opened = here.go("open")
    known = place.story.steps[-1].faces
    both = {slot // 4 % 2 for slot in known if slot < 8}
    assert both == {0, 1}
    assert closed(opened) < closed(here)
    assert closed(opened) == closed(opened.go("turn"))


def test_a_replay_goes_forth_and_back_and_no_further(records: Path) -> None:
    place = replayed(records)
    assert place.at == place.go("back").at == 1
    assert place.go("next").at == 2
    last = place.go("last")
    assert last.go("next") == last
    assert last.go("first") == place
    assert place.go("turn").seat == 1
    assert place.go("turn").go("turn") == place


def test_row_42_a_replay_shows_no_card_before_it_was_opened(records: Path) -> None:
    replayed = audit_verdict.replay(sources.read(str(records / "complete.p2ps")), GAMES)
    steps = history.of_match(replayed).steps
    for step in steps:
        assert set(step.faces) <= set(replayed.referee.table.faces)
    sizes = [len(step.faces) for step in steps]
    assert sizes[0] == 0
    assert sizes == sorted(sizes)


def test_the_last_step_says_what_the_audit_says(records: Path) -> None:
    place = replayed(records).go("last")
    text = " ".join(words(line) for line in replay.screen(place, 100, 40))
    assert "complete: " in text


@pytest.mark.parametrize(
    ("typed", "step", "below", "cards"),
    [
        ("", 1, 0, False),
        ("\r", 2, 0, False),
        ("lnj", 4, 0, False),
        ("lnjh", 3, 0, False),
        ("lnjhp", 2, 0, False),
        ("G", -1, 0, False),
        ("Gh", -2, 0, False),
        ("Gg", 1, 0, False),
        ("h", 1, 0, False),
        ("Gl", -1, 0, False),
        ("lt", 2, 1, False),
        ("ltt", 2, 0, False),
        ("lo", 2, 0, True),
        ("loo", 2, 0, False),
    ],
)
def test_keys_move_through_the_game_and_leave_it(
    records: Path, typed: str, step: int, below: int, cards: bool
) -> None:
    """`below`: the seat at the bottom of the board; `cards`: whether all that is known is shown."""
    shown = replayed(records)
    with create_pipe_input() as keys:
        application = ReplayScreen(shown, PLAIN, streams=(keys, DummyOutput())).app
        keys.send_text(f"{typed}q")
        application.run()
    size = application.output.get_size()
    last = len(shown.story.steps)
    at = step if step > 0 else last + 1 + step
    there = replace(shown, at=at, seat=below, open=cards)
    expected = [ascii_line(line) for line in replay.screen(there, size.columns, size.rows)]
    drawn = drawn_by(application)
    assert drawn == ["".join(text for _, text, *_ in line) for line in expected]
    assert f"step {at} of {last}" in drawn[0]


def drawn_by(application: Application[None]) -> list[str]:
    """The lines that the application would draw now."""
    shown = next(node for node in walk(application.layout.container) if isinstance(node, Rows))
    with set_app(application):
        return [words(line) for line in shown.lines()]


# names of games


def test_a_game_can_be_named_by_the_start_of_its_id(call: Call, home: Path, records: Path) -> None:
    for name in ("abcd" + "0" * 28, "abce" + "0" * 28):
        (home / "games" / name).mkdir(parents=True)
        shutil.copy(records / "complete.p2ps", home / "games" / name / "transcript.p2ps")
    for command in ("audit", "export", "replay"):
        run = call(command, "abcd0")
        assert (run.code, run.err) == (0, "")
        assert "complete: " in run.out
    assert call("export", "ABCE").code == 0
    assert call("export", "abcf").code == Exit.IO
    (home / "games" / ("abcd1" + "0" * 27)).mkdir()
    shutil.copy(records / "complete.p2ps", home / "games" / ("abcd1" + "0" * 27) / "transcript.p2ps")
    assert call("export", "abcd").code == Exit.USAGE


def test_a_file_goes_before_a_game_of_that_name(
    call: Call, home: Path, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "games" / ("abcd" + "0" * 28)).mkdir(parents=True)
    shutil.copy(records / "complete.p2ps", home / "games" / ("abcd" + "0" * 28) / "transcript.p2ps")
    monkeypatch.chdir(tmp_path)
    shutil.copy(records / "incomplete.p2ps", "abcd")
    assert call("audit", "abcd").code == Exit.INCOMPLETE


# rules


def test_the_rules_name_every_soldier_and_fit_the_width(call: Call) -> None:
    for columns in (40, 80, 96):
        lines = manual.summary(columns)
        assert max(map(len, lines)) <= columns
        for soldier in SOLDIERS.values():
            assert any(line.startswith(f"{soldier.rank:>2} {soldier.name}") for line in lines)
    assert call("rules").code == 0


def test_of_no_topic_the_rules_list_those_that_there_are(call: Call) -> None:
    assert_said("rules", call)


@pytest.mark.parametrize("soldier", SOLDIERS.values(), ids=lambda soldier: soldier.name)
def test_a_soldier_is_found_by_rank_name_or_beginning(call: Call, soldier: Soldier) -> None:
    by_rank = call("rules", str(soldier.rank))
    assert by_rank.code == 0
    assert soldier.name.upper() in by_rank.out
    assert by_rank == call("rules", soldier.name) == call("rules", soldier.name.lower()[:4])


def test_rules_in_ascii(call: Call) -> None:
    assert call("rules", "--ascii").out.isascii()


# completion


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_every_command(call: Call, shell: str) -> None:
    run = call("completion", shell)
    assert (run.code, run.err) == (0, "")
    for entry in COMMANDS:
        assert entry.name in run.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_a_command_and_an_option(call: Call, tmp_path: Path) -> None:
    script = tmp_path / "completion.bash"
    script.write_text(call("completion", "bash").out)
    ask = (
        f"source {script}; COMP_WORDS=(p2p-stratego {{}}); COMP_CWORD={{}}; _shtab_p2p_stratego;"
        ' echo "${{COMPREPLY[@]}}"'
    )

    def complete(line: str) -> list[str]:
        command = ["bash", "-c", ask.format(line, len(line.split()))]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    assert complete("dem") == ["demo"]
    assert "--every-signature" in complete("audit --every")


def test_an_agreed_draw_is_listed_in_words(records: Path) -> None:
    report = audit_verdict.audit((records / "complete.p2ps").read_bytes(), GAMES)
    report = replace(report, outcome=Outcome(frozenset(), "agreed-draw"))
    assert summary.status(report, 0) == "a draw (agreed)"


AUDITED = {
    "resigned": "{one}, has won by resignation",
    "deserted": "{one}, has won because all others left",
    "agreed-draw": "a draw, as both agreed",
    "unresponsive": "{one}, claims the win: {other}, did not answer. Only Ada says so",
    "unrevealed": "{one}, has won, as some did not show what they had claimed",
    "cheated": "{one}, has won because the other side cheated",
}


def test_a_match_that_waits_for_our_own_bot_waits_for_nobody(records: Path) -> None:
    report = audit_verdict.audit((records / "incomplete.p2ps").read_bytes(), GAMES)
    (late,) = report.waited_for
    name = report.genesis.players[late].name
    assert_told("games", "the other one is to move", summary.status(report, 1 - late), LATE=name)
    assert_told("games", "our bot is to move", summary.status(report, 1 - late, {late}), LATE=name)
    assert_told("games", "our turn", summary.status(report, late, {1 - late}), LATE=name)


@pytest.mark.parametrize("reason", OUTSIDE_THE_RULES)
def test_an_end_from_outside_the_rules_is_told_in_the_same_words_everywhere(
    records: Path, reason: str
) -> None:
    genesis = audit_verdict.audit((records / "complete.p2ps").read_bytes(), GAMES).genesis
    words, drawn = OUTSIDE_THE_RULES[reason], reason == "agreed-draw"
    outcome = Outcome(frozenset() if drawn else frozenset({0}), reason)
    assert describe.reason(genesis, outcome) == words.short
    ended = describe.ended(genesis, outcome, Standing(genesis))
    assert ended == AUDITED[reason].format(
        one=describe.seat_and_player(genesis, 0), other=describe.seat_and_player(genesis, 1)
    )
    sentence = words.sentence.format(W="Ann", L="Ben", C="Ben", breach="", all="both")
    for entry in ENTRIES.values():
        assert entry.narration.load().ending(outcome, ("Ann", "Ben")) == sentence


@pytest.mark.parametrize("game", sorted(OWN))
def test_every_reason_of_a_game_is_told_in_words(game: str) -> None:
    """docs/json.md lists the reasons; sentences for people are worded otherwise."""
    here = ENTRIES[game].narration.load()
    part = DOCUMENTED.split(f"of {ENTRIES[game].title}: ")[1].split(";")[0]
    reasons = re.findall(r"`([a-z-]+)`", part)
    assert len(reasons) >= facts(game).reasons
    for reason in reasons:
        words = here.reason(reason)
        assert " " in words
        assert words not in ("a draw", *reasons)
    assert here.reason("resigned") == "resigned"


def test_the_list_and_the_verdict_say_why_in_the_same_words(records: Path) -> None:
    report = audit_verdict.audit((records / "incomplete.p2ps").read_bytes(), GAMES)
    report = replace(report, outcome=Outcome(frozenset(), "draw"))
    why = describe.narration(report.genesis).reason("draw")
    assert summary.status(report, 0) == f"a draw ({why})"
    assert describe.verdict(report).endswith(f"a draw ({why}).")
