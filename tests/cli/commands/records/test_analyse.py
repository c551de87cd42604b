"""`analyse`: what it says, of which records, and what it leaves alone."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from cli.reports import history, sources
from cli.shell.exit_codes import Exit
from cli.studies.analysis import analysis_json, analysis_text
from cli.studies.analysis.analysing import Work, decisions, within
from cli.studies.statistics import facts
from cli.text import language as spoken
from cli.text.sanitize import cells
from p2p_stratego.core.analysis import COSTLY
from p2p_stratego.core.game import Choose, Open
from p2p_stratego.registry import ENTRIES
from protocol.record.asks.base import Answered
from tests.golden import analysis as golden
from tests.golden.dialogues import assert_told
from tests.helpers.games.judged import never
from tests.helpers.links.many import first_day
from tests.helpers.program.commands import Call
from tests.helpers.program.json_keys import documented, keys

DATA = golden.RECORD.parent


def test_the_golden_analysis_comes_out_again() -> None:
    assert golden.analysis() == golden.WRITTEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_heads_of_the_table_stand_apart_within_the_screen(records: Path, language: str) -> None:
    name = str(records / "complete.p2ps")
    replay = sources.replayed(name, sources.read(name))
    work = Work(replay, history.of_match(replay))
    list(work.judge(never))
    try:
        spoken.install(language)
        head, *rows = analysis_text.table(work.done(), [0, 1], 80)[0]
        assert head.split()[-5:] == list(analysis_text.measures_heads())
    finally:
        spoken.install("en")
    assert max(map(cells, [head, *rows])) <= 80


@pytest.mark.parametrize("name", ["complete", "incomplete", "cheated"])
def test_it_says_the_same_twice_and_documents_its_keys(call: Call, records: Path, name: str) -> None:
    path = records / f"{name}.p2ps"
    run = call("analyse", path, "--json")
    assert run == call("analyse", path, "--json")
    assert run.code == call("audit", path).code
    document = json.loads(run.out)
    assert keys(document) - {"red", "blue"} <= documented("analyse") | documented("audit")
    assert [chance["step"] for chance in document["chances"]] == list(range(1, len(document["chances"]) + 1))
    assert all(
        sum(chance["chance"].values()) == pytest.approx(1.0, abs=2e-4) for chance in document["chances"]
    )
    for seat in document["seats"]:
        own = [decision for decision in document["decisions"] if decision["seat"] == seat["seat"]]
        assert seat["decided"] == len(own)
        assert seat["unknown"] == sum(decision["unknown"] for decision in own)
    assert sum(seat["luck"] for seat in document["seats"]) == pytest.approx(0.0, abs=2e-4)


def test_people_read_sentences_a_picture_and_a_table(call: Call, records: Path) -> None:
    output = call("analyse", records / "complete.p2ps").out
    assert_told("analyse", "a complete game", output, "Ada named", "All luck", "Turning points")
    assert "100 % ┤" in output
    plain = call("analyse", records / "complete.p2ps", "--ascii", "--seat", "ada").out
    assert plain.isascii()
    assert "luck of Ben" not in plain
    assert call("analyse", records / "complete.p2ps", "--seat", "red", "--ascii").out == plain


def test_a_game_without_decisions_has_a_sentence_in_place_of_a_table(records: Path) -> None:
    name = str(records / "complete.p2ps")
    replay = sources.replayed(name, sources.read(name))
    nothing = replace(Work(replay, history.of_match(replay)).done(), judged=())
    text = analysis_text.text(nothing, [0, 1], 80)
    assert_told("analyse", "nobody decided anything", "\n".join(text), "Nobody")
    assert not any(line.startswith(("step player", "odds:", "Ada made")) for line in text)


@pytest.mark.parametrize("name", ["complete-resigned", "unresponsive", "complete-agreed-draw"])
def test_an_end_that_the_rules_did_not_bring_about_is_named_and_no_turning_point(
    call: Call, name: str
) -> None:
    path = DATA / f"{name}.p2ps"
    text = _without_luck(call("analyse", path).out)
    (end,) = (line for line in text.splitlines() if NO_TURNING in line)
    assert_told("analyse", f"an end of {name}", end)
    document = json.loads(call("analyse", path, "--json").out)
    last = document["chances"][-1]["step"]
    assert f"Step {last} {NO_TURNING}" in end
    assert all(turn["step"] < last for turn in document["turning_points"])


def test_an_end_by_the_rules_is_a_step_like_others(call: Call) -> None:
    assert NO_TURNING not in _without_luck(call("analyse", DATA / "complete-flag.p2ps").out)


NO_TURNING = "is no turning point:"


def _without_luck(text: str) -> str:
    return text.replace("The greatest luck is no turning point:", "")


def test_a_lesson_blames_nobody(records: Path) -> None:
    """A script led it: no choice has a cost, neither in words nor in the machine's output."""
    name = str(records / "complete.p2ps")
    replay = sources.replayed(name, sources.read(name))
    analyses = []
    for lesson in (False, True):
        work = Work(replay, history.of_match(replay), lesson=lesson)
        list(work.judge(never))
        analyses.append((work.done(), " ".join(analysis_text.text(work.done(), [0, 1], None))))
    (usual, blamed), (taught, spared) = analyses
    assert "the costliest" in blamed
    assert "a lesson" not in blamed
    assert "the costliest" not in spared
    assert "be compared" not in spared
    lines = "\n".join(analysis_text.text(taught, [0, 1], None))
    assert_told("analyse", "a lesson", lines, "lesson:", "not listed")
    heads = [analysis_text.table(analysis, [0, 1], 80)[0][0].split() for analysis in (usual, taught)]
    assert [head for head in heads[0] if head not in heads[1]] == ["best", "lost"]
    assert any(judgement.lost for judgement in usual.judged)
    assert all(
        judgement.lost is judgement.best_odds is None and not judgement.best for judgement in taught.judged
    )
    assert analysis_json.plain(taught, [0])["lesson"] is True
    assert [judgement.odds for judgement in taught.judged] == [judgement.odds for judgement in usual.judged]


def test_the_rows_and_what_is_not_listed_make_up_the_sums(records: Path) -> None:
    """Each loss as it is shown: those of the table, and together those of what it leaves out."""
    name = str(records / "complete.p2ps")
    replay = sources.replayed(name, sources.read(name))
    work = Work(replay, history.of_match(replay))
    small = [0.0046, 0.0004, 0.0123, 0.004]
    judged = [
        replace(judgement, lost=small[at % 4], odds=None, given=None)
        for at, judgement in enumerate(work.judge(never))
    ]
    done = replace(work.done(), judged=tuple(judged))
    for seat in (0, 1):
        rows, (sentence,) = analysis_text.table(done, [seat], 120)
        listed = [
            judgement
            for judgement in done.of(seat)
            if (judgement.lost or 0.0) >= COSTLY or judgement.kind == "lie"
        ]
        shown = sum(float(analysis_text.measures(judgement)[1]) for judgement in listed)
        assert len(rows) == 1 + len(listed)
        together = re.search(
            rf"less than 0.5 points each \(together: {done.names[seat]} ([\d.]+)\)", sentence
        )
        assert together is not None
        assert shown + float(together[1]) == pytest.approx(round(100 * done.sums(seat).lost, 1))
        about = " ".join(analysis_text.about(done, seat))
        cheap = sum((judgement.lost or 0.0) < COSTLY for judgement in done.of(seat))
        assert f" and {cheap} of these" in about
    last = done.judged[1]
    assert (last.lost, last.best != last.chosen) == (0.0004, True)
    assert "=" in analysis_text.table(replace(done, judged=(replace(last, odds=0.5),)), [0, 1], 120)[0][1]
    texts = [text for judgement in done.judged[:4] for _look, text in analysis_text.decision(done, judgement)]
    assert sum("cost 0.5 points" in text for text in texts) == 1
    assert sum("good as the" in text for text in texts) == 1


def test_among_three_the_greatest_luck_is_told_of_the_player_who_had_it() -> None:
    """Each other's is an even part of the opposite."""
    path = DATA / "complete-three-unrevealed.p2ps"
    replay = sources.replayed(str(path), path.read_bytes())
    work = Work(replay, history.of_match(replay))
    judgement = next(
        judgement
        for judgement in work.judge(never)
        if judgement.made.seat == 2 and judgement.made.after is not None
    )
    for luck, points in ((-0.3, "-30.0"), (0.3, "+30.0")):
        done = replace(work.done(), judged=(replace(judgement, luck=luck),))
        assert f" brought {done.names[2]} {points} points" in analysis_text.luckiest(done, 0)


def test_the_analysis_says_how_its_steps_are_counted(call: Call) -> None:
    """Of a game whose set-up has several, which a table that counts moves leaves out."""
    output = call("analyse", DATA / "complete-conquest.p2ps").out
    assert_told("analyse", "steps of a set-up", output, "the set-up")
    assert "are the set-up" not in call("analyse", golden.RECORD).out


@pytest.mark.parametrize("name", ["complete-points", "complete-critical-flaw"])
def test_an_analysis_and_statistics_expect_and_count_the_same(name: str) -> None:
    """Of the likeliest soldier each time, and of false marks, as far as the cards were turned up."""
    replay = sources.replayed(name, (DATA / f"{name}.p2ps").read_bytes())
    work = Work(replay, history.of_match(replay))
    list(work.judge(never))
    counts = facts.of(replay).counts
    for seat in (0, 1):
        own = work.done().of(seat)
        guesses = [judgement for judgement in own if judgement.kind == "guess" and judgement.came is not None]
        text = " ".join(work.done().game.summary("Ann", own))
        assert counts[seat]["guesses"] == len(guesses)
        assert counts[seat]["likeliest"] == pytest.approx(sum(guess.knew[0].odds for guess in guesses))
        assert f"and {counts[seat]['likeliest']:.1f} of" in text
        marks = re.search(r"Ann set (\d+) false mark", text)
        assert int(marks[1] if marks else 0) >= counts[seat]["false_marks"]


def test_what_was_chosen_is_in_the_words_of_the_language(records: Path) -> None:
    name = str(records / "complete.p2ps")
    replay = sources.replayed(name, sources.read(name))
    try:
        spoken.install("de")
        work = Work(replay, history.of_match(replay))
        marks = [
            judgement.chosen
            for judgement in work.judge(never)
            if str(judgement.made.answer).startswith("mark")
        ]
    finally:
        spoken.install("en")
    assert marks
    assert all(mark == "nichts" or "Mission" in mark for mark in marks)


def test_people_read_of_possibilities_instead_of_bits(call: Call, records: Path) -> None:
    output = call("analyse", records / "complete.p2ps").out
    assert "bits" not in output
    assert "halve" in output
    assert analysis_text.ruled_out(1.0) == "50 %"
    assert analysis_text.ruled_out(2.0) == "75 %"
    assert analysis_text.ruled_out(0.0) == analysis_text.ruled_out(None) == ""


def test_a_seat_that_is_not_there_is_told(call: Call, records: Path) -> None:
    run = call("analyse", records / "complete.p2ps", "--seat", "green")
    assert_told("analyse", "a seat that is not there", run)


def test_games_without_an_analysis_and_changed_records_are_refused(
    call: Call, records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        without = {**ENTRIES, "spies": replace(ENTRIES["spies"], analysis=None)}
        patched.setattr("cli.studies.analysis.analysing.ENTRIES", without)
        spies = call("analyse", DATA / "incomplete-talk.p2ps")
    assert_told("analyse", "a game without an analysis", spies)
    assert call("analyse", DATA / "incomplete-talk.p2ps").code == Exit.INCOMPLETE
    tampered = call("analyse", records / "tampered.p2ps")
    assert tampered.code == Exit.TAMPERED
    assert "audit FILE" in tampered.err
    assert call("analyse", records / "future.p2ps").code == Exit.UNSUPPORTED


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e9", "soon"])
def test_a_senseless_time_is_refused(call: Call, records: Path, seconds: str) -> None:
    assert call("analyse", records / "complete.p2ps", "--time", seconds).code == Exit.USAGE


def test_the_time_of_a_decision_is_over_when_its_seconds_have_passed() -> None:
    assert within(0.0)()()
    assert not within(600.0)()()


def test_every_decision_of_the_record_is_there_with_the_view_of_its_seat(records: Path) -> None:
    """The options of each are the rules'; no view holds a card of the other side that was closed then."""
    referee = sources.replayed("it", (records / "complete.p2ps").read_bytes()).referee
    made = [*decisions(referee, {})]
    assert [decision.number for decision in made] == sorted(decision.number for decision in made)
    answered = (item for item in referee.table.history if isinstance(item, Answered))
    opened_at = {item.ask.slot: item.number for item in answered if isinstance(item.ask, Open)}
    for decision in made:
        if isinstance(decision.view.decision, Choose):
            assert decision.answer in decision.view.decision.options
        for slot in decision.view.known:
            own = referee.table.hidden[slot].seat == decision.seat
            assert own or opened_at[slot] < decision.number


def test_row_37_own_secrets_judge_more_and_leave_no_machine_output(tmp_path: Path, call: Call) -> None:
    """Of a game of one's own that is not over, the secrets tell more; `--json` is the record's alone."""
    first_day(tmp_path)
    home = tmp_path / "seat0"
    (path,) = home.rglob("transcript.p2ps")
    replay = sources.replayed(str(path), path.read_bytes())
    own = sources.own(home, replay.referee)
    assert own is not None

    def unknown(secrets: dict[int, int]) -> int:
        work = Work(replay, replace(history.of_match(replay), secrets=secrets))
        assert len(list(work.judge(never))) == work.total
        return sum(decision.unknown for decision in work.done().of(0))

    assert unknown(own[1]) < unknown({})
    run = call("--home", str(home), "analyse", path, "--json")
    assert json.loads(run.out)["seats"][0]["unknown"] == unknown({})


@pytest.mark.parametrize(
    "name",
    [
        "complete-four",
        "complete-four-gone",
        "complete-three-deserted",
        "complete-resigned",
        "complete-conquest",
        "complete-three-unrevealed",
        "cheated-changed-pieces",
        "complete-critical-flaw",
        "unresponsive-four",
        "incomplete-torn",
        "cheated-impossible-face",
        "cheated-wrong-opening",
        "equivocated-entry",
    ],
)
def test_records_of_every_kind_are_judged_as_far_as_they_go(call: Call, name: str) -> None:
    """Players of these lay and mark what they like, leave, and cheat."""
    path = DATA / f"{name}.p2ps"
    run = call("analyse", path, "--json")
    assert (run.code, run.err) == (call("audit", path).code, "")
    assert all(0 <= (decision["lost"] or 0) <= 1 for decision in json.loads(run.out)["decisions"])


@pytest.mark.parametrize("columns", [80, 100, 200])
@pytest.mark.parametrize("name", ["complete-points", "complete-four"])
def test_no_line_is_wider_than_the_terminal(name: str, columns: int) -> None:
    path = DATA / f"{name}.p2ps"
    replay = sources.replayed(str(path), path.read_bytes())
    work = Work(replay, history.of_match(replay))
    assert list(work.judge(never))
    lines = analysis_text.text(work.done(), range(len(replay.report.genesis.players)), columns)
    assert max(map(cells, lines)) <= columns
