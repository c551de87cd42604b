"""`mistakes`: whose, of which records, and what it refuses."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

from cli.lines.prompt import Prompt
from cli.shell.exit_codes import Exit
from tests.helpers.program.commands import Call


def test_a_record_of_others_needs_a_seat_and_then_asks(
    call: Call, records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = records / "complete.p2ps"
    refused = call("mistakes", path)
    assert refused.code == Exit.USAGE
    assert "--seat NAME" in refused.err
    answers = cycle(["best", "nonsense", ""])
    monkeypatch.setattr(Prompt, "ask", lambda _self, _question, _usual="": next(answers))
    seats = [call("mistakes", path, "--seat", seat) for seat in ("red", "blue")]
    for run in seats:
        assert run.code == Exit.OK
        assert ("Question 1 of" in run.out) != ("Nothing here cost" in run.out)
    asked = "".join(run.out for run in seats if "Question 1 of" in run.out)
    assert "would have chosen" in asked
    assert "nonsense" in asked
    assert "The next game will be better" in asked


@pytest.mark.parametrize(("name", "code"), [("tampered", Exit.TAMPERED), ("nowhere", Exit.IO)])
def test_what_cannot_be_analysed_is_refused(call: Call, records: Path, name: str, code: int) -> None:
    run = call("mistakes", records / f"{name}.p2ps", "--seat", "red")
    assert run.code == code
    assert run.err.startswith("p2p-stratego: ")
    assert run.out == ""
