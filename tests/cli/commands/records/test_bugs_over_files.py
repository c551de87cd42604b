"""A bug over one of several files: it is told as one, and the others are judged."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cli.shell.exit_codes import Exit
from protocol.audit import comparison as audit_comparison
from protocol.audit.verdict import Report
from tests.golden.dialogues import assert_told
from tests.helpers.program.commands import Call


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def failing(monkeypatch: pytest.MonkeyPatch, bad: Path) -> None:
    """Let the audit of one file fail by a bug."""
    add, data_of_it = audit_comparison.Copies.add, bad.read_bytes()

    def broken(copies: audit_comparison.Copies, data: bytes) -> Report:
        if data == data_of_it:
            raise ZeroDivisionError
        return add(copies, data)

    monkeypatch.setattr(audit_comparison.Copies, "add", broken)


def test_row_108_a_bug_over_one_file_is_told_as_one_and_the_others_are_audited(
    call: Call, records: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, records / "incomplete.p2ps")
    run = call("audit", records / "incomplete.p2ps", records / "complete.p2ps", "--json")
    first, second, summary = lines(run.out)
    assert run.code == Exit.BUG
    assert first == {
        "type": "transcript",
        "file": str(records / "incomplete.p2ps"),
        "exit_code": Exit.BUG,
        "verdict": "failed",
    }
    assert (second["verdict"], summary["verdicts"]) == ("complete", {"failed": 1, "complete": 1})
    assert_told("bugs", "over one of two files", run.err, PATH=records / "incomplete.p2ps", HOME=home)
    assert "ZeroDivisionError" in (home / "crash.log").read_text()
    plain = call("audit", records / "incomplete.p2ps", records / "complete.p2ps")
    assert plain.code == Exit.BUG
    assert "complete.p2ps: complete" in plain.out
    assert "1 failed" in plain.out


def test_row_108_a_bug_over_one_copy_leaves_the_other_copies_of_its_match_judged(
    call: Call, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("complete", "complete-too", "torn"):
        shutil.copy(records / f"{name}.p2ps", tmp_path)
    failing(monkeypatch, records / "torn.p2ps")
    run = call("audit", tmp_path, "--json")
    assert run.code == Exit.BUG
    verdicts = {line.get("file", line["type"]): line.get("verdict") for line in lines(run.out)}
    assert verdicts == {
        str(tmp_path / "complete.p2ps"): "complete",
        str(tmp_path / "complete-too.p2ps"): "complete",
        str(tmp_path / "torn.p2ps"): "failed",
        "comparison": "agree",
        "summary": None,
    }


def test_row_108_a_bug_over_one_file_hides_no_proven_fault(
    call: Call, records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, records / "complete.p2ps")
    assert call("audit", records / "complete.p2ps", records / "cheated.p2ps").code == Exit.CHEATED


def test_row_108_a_bug_in_a_comparison_leaves_the_verdicts_on_the_copies(
    call: Call, records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: audit_comparison.Copies) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(audit_comparison.Copies, "compare", broken)
    run = call("audit", records / "complete.p2ps", records / "complete-too.p2ps", "--json")
    assert run.code == Exit.BUG
    assert [line.get("verdict") for line in lines(run.out)][:3] == ["complete", "complete", "failed"]
