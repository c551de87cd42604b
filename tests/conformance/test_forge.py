"""The forger of matches: what it expects comes from its plans, and our own auditor answers so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from cli.reports.file_report import examine
from conformance.draws import kind_of, scene
from conformance.forge import PLANS, cases, forged, main, write
from conformance.plans import Forged, NotThisTime, dealt, departed, lied, resigned
from conformance.run import FILE, Case, cases_in, chosen, differences
from tests.helpers.machine.examples import every, runs
from tests.helpers.machine.modules import ROOT, imports

Plan = Callable[[Random], Forged]


def ours(case: Case) -> dict[str, object]:
    """What our auditor answers to these files."""
    reports = examine(tuple(map(str, case.files)), every=False, prove=False)
    return chosen([json.loads(json.dumps(report.plain)) for report in reports], several=len(reports) > 1)


def made(plan: Plan, number: int) -> Forged:
    """A case of this plan."""
    for attempt in range(100):
        try:
            return plan(Random(f"{plan.__name__} {number} {attempt}"))
        except NotThisTime:
            continue
    raise AssertionError("no match comes to the place that the plan needs")


@pytest.mark.parametrize(
    "plan", every([plan for plan in PLANS if plan is not dealt], 3, 1), ids=lambda plan: plan.__name__
)
def test_our_auditor_answers_what_the_forger_knows(plan: Plan, tmp_path: Path) -> None:
    """A third of the plans; `make auditor` and `make conform` forge by all, matches of SPIES! included."""
    for number in range(runs(1, 40)):
        case = made(plan, number)
        paths = []
        for end, data in case.files.items():
            paths.append(tmp_path / f"{number}{end}")
            paths[-1].write_bytes(data)
        gaps = differences(case.expected, ours(Case(case.plan, tuple(paths), case.expected)))
        assert gaps == [], f"{plan.__name__} {number}"


@pytest.mark.parametrize(
    ("plan", "label"),
    [(lied, "1796015838/158 1"), (resigned, "1796031676/139 1"), (departed, "1796100000/434 0")],
    ids=["lied", "resigned", "departed"],
)
def test_no_end_is_forged_where_another_one_goes_before(plan: Plan, label: str, tmp_path: Path) -> None:
    """A lie behind an earlier breach; a RESIGN that a decision crosses; a REVEAL that never comes."""
    random = Random(label)
    random.random()  # by which the plan was chosen then
    case = plan(random)
    paths = [tmp_path / f"case{end}" for end in case.files]
    for path, data in zip(paths, case.files.values(), strict=True):
        path.write_bytes(data)
    assert differences(case.expected, ours(Case(case.plan, tuple(paths), case.expected))) == []


def test_the_same_label_gives_the_same_bytes() -> None:
    assert forged("7/1") == forged("7/1")
    assert forged("7/1") != forged("7/2")


def test_no_audit_tells_the_forger_what_to_expect() -> None:
    """It takes names of verdicts and the form of a proof file, and nothing that judges."""
    for module in ("plans", "draws", "withheld", "pen", "rules_alone", "forge"):
        taken = {name for name in imports(ROOT / "conformance" / f"{module}.py") if "audit" in name}
        assert taken <= {
            "protocol.audit.proof",
            "protocol.audit.proof.prove",
            "protocol.audit.verdict",
            "protocol.audit.verdict.EXIT_CODES",
            "protocol.audit.verdict.Verdict",
        }


def test_every_case_says_whence_its_answer_is_known(tmp_path: Path) -> None:
    folder = tmp_path / "forged"
    counted = write(folder, cases("3", 3))
    listed = cases_in([folder])
    assert len(listed) == sum(counted.values()) == 3
    assert {case.expected["source"] for case in listed} <= {"plan", "rules", "players"}
    files = {path.name for path in folder.iterdir()} - {FILE}
    assert files == {path.name for case in listed for path in case.files}


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(SystemExit):
        main(["--count", "1", "--jobs", "1", str(tmp_path)])
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("number", "kind", "decision"),
    [(42, "Mixed", True), (26, "Shuffled", True), (20, "Shuffled", False)],
    ids=["a chosen Mix", "chosen cards under keys", "a deck"],
)
def test_the_rules_tell_the_forger_whose_decision_a_mix_is(number: int, kind: str, *, decision: bool) -> None:
    """The same message is a player's in one Ask, and a program's in another (SPEC 10.1.7)."""
    made = scene(Random(f"rare {number}"), decision=decision)
    assert kind_of(made.entry) == kind
    assert (made.place in made.decisions) is decision
