"""The runner: it calls a right answer right, any other wrong, and never waits for one that does not come."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from conformance.run import FILE, BadCases, NoAnswer, Steady, cases_in, chosen, differences, main, objects_in
from protocol.audit.verdict import EXIT_CODES
from tests.helpers.machine.modules import ROOT, VECTORS, imports

CHEATED = {
    "match": {"game": "stratego", "seats": 2, "proofs": False},
    "verdict": "cheated",
    "exit_code": 20,
    "winners": [1],
    "reason": "cheated",
    "fault": {"seat": 0, "what": "entry", "number": 7, "rule": "out-of-turn"},
    "owed": {"seat": 1, "message": "Choice"},
}
PLAYERS = [{"seat": "red"}, {"seat": "blue"}]


def auditor(*answers: Any) -> list[str]:
    """A program that prints this, whatever it is given."""
    return ["sh", "-c", 'printf %s "$1"', "sh", "\n".join(map(json.dumps, answers))]


@pytest.fixture(name="cases")
def _cases(tmp_path: Path) -> Path:
    folder = tmp_path / "few"
    folder.mkdir()
    (folder / "one.p2ps").write_bytes(b"")
    (folder / "other.p2ps").write_bytes(b"")
    (folder / FILE).write_text(json.dumps({"one.p2ps": CHEATED}))
    return folder


def test_it_needs_the_standard_library_alone() -> None:
    """So it runs where nothing of this program is installed."""
    modules = {module.partition(".")[0] for module in imports(ROOT / "conformance" / "run.py")}
    assert not modules & {"p2p_stratego", "protocol", "cli", "tests", "conformance"}


def test_all_cases_of_the_kit_are_read_and_have_a_verdict_with_its_exit_code() -> None:
    cases = cases_in([VECTORS])
    codes = {verdict.value: code for verdict, code in EXIT_CODES.items()}
    assert len(cases) > 250
    for case in cases:
        expected = case.expected
        assert differences(expected, expected) == []
        assert expected["exit_code"] == codes.get(expected["verdict"], expected["exit_code"])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("verdict", "complete"),
        ("exit_code", 21),
        ("winners", []),
        ("winners", [True]),
        ("reason", None),
        ("fault", None),
        ("fault", {**CHEATED["fault"], "number": 8}),  # type: ignore[dict-item]
        ("fault", {"seat": 0}),
    ],
)
def test_any_other_answer_differs_and_so_does_none(key: str, value: Any) -> None:
    assert differences(CHEATED, {**CHEATED, key: value})
    assert differences(CHEATED, {name: known for name, known in CHEATED.items() if name != key})


def test_more_than_what_is_right_may_be_answered_and_what_is_left_open_otherwise() -> None:
    more = {**CHEATED, "owed": None, "why": "…", "fault": {**CHEATED["fault"], "why": "…"}}  # type: ignore[dict-item]
    assert differences(CHEATED, more) == []
    assert differences(CHEATED, {"verdict": "cheated"}, ["verdict"]) == []


def test_names_of_seats_are_numbers_where_the_players_are_listed() -> None:
    answer = {"winners": ["blue"], "fault": {"seat": "red"}, "reason": "red", "players": PLAYERS}
    assert chosen([answer], several=False) == {**answer, "winners": [1], "fault": {"seat": 0}}
    comparison = {"type": "comparison", "winners": ["blue"]}
    assert chosen([answer, comparison, {"type": "summary"}], several=True)["winners"] == [1]


@pytest.mark.parametrize("players", [[{"name": "Ada"}], ["red"], [{"seat": ["red"]}], {"seat": "red"}, None])
def test_an_auditor_may_list_players_without_names_of_seats(players: Any) -> None:
    answer = {"winners": [1], "fault": {"seat": 0}, "players": players}
    assert chosen([answer], several=False) == answer


@pytest.mark.parametrize("text", ["nothing", "[1]", '{"a": 1} and more', '{"a": 1'])
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        list(objects_in(text))


def test_right_answers_give_0(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", str(cases), "--", *auditor({**CHEATED, "more": 1})]) == 0
    assert capsys.readouterr().out == "agrees: 1, differs: 0, no answer: 0, not-checked: 0\n"


def test_a_difference_is_printed_and_gives_1(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", str(cases), "--", *auditor({**CHEATED, "winners": [0]})]) == 1
    assert capsys.readouterr().out.splitlines()[:2] == [
        "few/one.p2ps",
        "  winners: [1] is right, and not [0]",
    ]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["sh", "-c", "sleep 60; true"], "no answer within 0.05 seconds"),
        (["sh", "-c", "echo broken >&2; exit 3"], "it printed nothing, and ended with 3: broken"),
        (["echo", "hello"], "what it printed is no JSON: "),
        (["echo", "[" * 100_000], "what it printed is nested too deeply"),
        (
            ["sh", "-c", "echo $0", f'{{"winners": {"[" * 800}{"]" * 800}}}'],
            "what it printed is nested too deeply",
        ),
    ],
)
def test_an_auditor_that_gives_no_answer_fails(
    cases: Path, capsys: pytest.CaptureFixture[str], command: list[str], why: str
) -> None:
    limit = "0.05" if "0.05" in why else "60"
    assert main(["--cases", str(cases), "--limit", limit, "--", *command]) == 1
    output = capsys.readouterr().out
    assert why in output
    assert output.endswith("agrees: 0, differs: 0, no answer: 1, not-checked: 0\n")


def steady(loop: str, *answers: Any) -> list[str]:
    """A program that keeps running; `loop`: what it does with each line, $1 being these answers."""
    return ["sh", "-c", f"while read -r line; do {loop}; done", "sh", "\n".join(map(json.dumps, answers))]


def test_an_auditor_that_keeps_running_is_started_once(
    cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (cases / FILE).write_text(json.dumps(dict.fromkeys(("one.p2ps", "other.p2ps"), CHEATED)))
    asked = tmp_path / "asked"
    command = steady(f'echo "$$ $line" >> {asked}; printf "%s\\n" "$1"', CHEATED)
    assert main(["--steady", "--jobs", "1", "--cases", str(cases), "--", *command]) == 0
    assert capsys.readouterr().out == "agrees: 2, differs: 0, no answer: 0, not-checked: 0\n"
    processes, lines = zip(*(line.split(" ", 1) for line in asked.read_text().splitlines()), strict=True)
    assert len({*processes}) == 1
    assert [*map(json.loads, lines)] == [[str(cases / "one.p2ps")], [str(cases / "other.p2ps")]]


@pytest.mark.parametrize("loop", ["exit 3", "echo hello", "echo '[1]'", "echo"])
def test_one_that_keeps_running_and_gives_no_answer_is_started_again(
    cases: Path, capsys: pytest.CaptureFixture[str], loop: str
) -> None:
    (cases / FILE).write_text(json.dumps(dict.fromkeys(("one.p2ps", "other.p2ps"), CHEATED)))
    command = steady(f'case "$line" in *one.p2ps*) {loop};; esac; printf "%s\\n" "$1"', CHEATED)
    assert main(["--steady", "--jobs", "1", "--cases", str(cases), "--", *command]) == 1
    assert capsys.readouterr().out.endswith("agrees: 1, differs: 0, no answer: 1, not-checked: 0\n")


@pytest.mark.parametrize("loop", ["echo null", f"echo '{'[' * 100_000}'"])
def test_one_that_keeps_running_is_ended_once_it_gives_no_answer(tmp_path: Path, loop: str) -> None:
    """Else a process would be left for each case."""
    asked, numbers = Steady(steady(f"echo $$ >> {tmp_path}/numbers; {loop}"), 60), tmp_path / "numbers"
    for count in (1, 2):
        with pytest.raises((NoAnswer, RecursionError)):
            asked.answer([tmp_path])
        *_, number = read = [int(line) for line in numbers.read_text().splitlines()]
        assert len({*read}) == count
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


def test_one_that_keeps_running_is_not_waited_for(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--steady", "--limit", "0.05", "--cases", str(cases), "--", *steady("sleep 60")]) == 1
    assert "no line of JSON within 0.05 seconds" in capsys.readouterr().out


def test_an_auditor_that_checks_nothing_conforms_to_nothing(
    cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--cases", str(cases), "--", *auditor({"verdict": "not-checked"})]) == 1
    assert "not-checked: 1" in capsys.readouterr().out


def test_a_game_that_only_the_kit_has_may_be_unknown_and_no_other(
    cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = {"one.p2ps": {**CHEATED, "match": {"game": "cups"}}, "other.p2ps": CHEATED}
    (cases / FILE).write_text(json.dumps(answers))
    assert main(["--cases", str(cases), "--", *auditor({"verdict": "unsupported", "exit_code": 50})]) == 1
    assert capsys.readouterr().out.endswith("agrees: 0, differs: 1, no answer: 0, not-checked: 1\n")


def test_cases_are_chosen_by_name_and_by_game(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = {"one.p2ps": CHEATED, "other.p2ps": {**CHEATED, "match": {"game": "cups"}}}
    (cases / FILE).write_text(json.dumps(answers))
    for choice in (["--only", "*/oth*"], ["--game", "cups"]):
        assert main(["--cases", str(cases), "--list", *choice]) == 0
        assert capsys.readouterr().out == "few/other.p2ps\n"


def test_a_finding_of_those_who_check_every_proof_is_right_too(cases: Path) -> None:
    thorough = {"verdict": "complete", "exit_code": 0}
    (cases / FILE).write_text(json.dumps({"one.p2ps": {**CHEATED, "every_proof": thorough}}))
    for answer in (CHEATED, thorough):
        assert main(["--cases", str(cases), "--", *auditor(answer)]) == 0
    assert main(["--cases", str(cases), "--", *auditor({"verdict": "complete"})]) == 1


def test_copies_of_a_match_are_given_together(cases: Path) -> None:
    agree = {"files": ["one.p2ps", "other.p2ps"], "verdict": "agree", "exit_code": 0}
    (cases / FILE).write_text(json.dumps({"two copies": agree}))
    (case,) = cases_in([cases])
    assert case.files == (cases / "one.p2ps", cases / "other.p2ps")
    single, both = {"verdict": "complete"}, {"type": "comparison", "verdict": "agree", "exit_code": 0}
    assert main(["--cases", str(cases), "--", *auditor(single, single, both)]) == 0


def test_what_cannot_be_read_or_started_gives_74(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", str(cases), "--", str(cases / "no-auditor")]) == 74
    (cases / "one.p2ps").unlink()
    assert main(["--cases", str(cases), "--", "true"]) == 74
    assert "one.p2ps: named in" in capsys.readouterr().err
    (cases / FILE).write_text("{")
    with pytest.raises(BadCases):
        cases_in([cases])


@pytest.mark.parametrize("line", [[], ["--"], ["--limit", "long", "--", "true"], ["--what"]])
def test_a_line_that_is_not_understood_gives_64(line: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 64
