"""The model of Silence, spec/silence.pml, checked by Spin for three and four seats; and with weaker rules,
each of which it must find.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

MODEL: Final = Path(__file__).parents[2] / "spec" / "silence.pml"
WEAKER: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "10.10.2": ("&& called[i] == ACCUSERS ->", "->"),
        "10.10.3": (
            "i == decider && copy[i] == 0 && !had[i]",
            "i == decider && copy[i] != 2",
        ),
        "10.10.5": ("&& !SURE(i) && !first[i])", "&& false)"),
        "10.10.7": ("(called[i] & ACCUSERS) && !first[i] && !(back & B(i)) ->", "false ->"),
        "10.10.8": ("copy[i] == 0 && !((away | back) & B(i)) ->", "!(away & B(i)) ->"),
        "10.10.9": ("(held & B(i)) || first[i]))", "true))"),
        "10.10.10": ("shown = ((away & ACCUSERS & B(i)) -> SURE(i) : 0)", "shown = 0"),
        "10.12.1": ("((away & back & ACCUSERS) ", "(0 "),
        "10.12.4": ("((gone && (", "((false && ("),
    }
)
"""By rule: its text in the model, and a text without it."""


class Checked(NamedTuple):
    """What Spin says: the errors that it found (it stops at the first), states, and seconds."""

    errors: int
    states: int
    seconds: float


def check(model: str, seats: int) -> Checked:
    """Check a model for so many seats.  Needs `spin` and `cc`."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "silence.pml").write_text(model, encoding="utf-8")
        for command in (
            ["spin", f"-DN={seats}", "-a", "silence.pml"],
            ["cc", "-w", "-O2", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=4000", "-o", "pan", "pan.c"],
        ):
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        # -E: a choice of the beginning that does not fit is no deadlock
        done = subprocess.run(
            ["./pan", "-E", "-m200000"], cwd=folder, capture_output=True, text=True, check=False
        )
    return _read(done.stdout)


def _read(text: str) -> Checked:
    errors, states = re.search(r"errors: (\d+)", text), re.search(r"(\d+) states, stored", text)
    seconds = re.search(r"elapsed time ([\d.]+) seconds", text)
    if (
        errors is None
        or states is None
        or ("Search not completed" in text.replace("errors: 1", "") and errors[1] == "0")
    ):
        raise RuntimeError(f"Spin did not come to an end: {text[-400:]}")
    return Checked(int(errors[1]), int(states[1]), float(seconds[1]) if seconds else 0.0)


def weaker(rule: str) -> str:
    """The model without a rule."""
    model = MODEL.read_text(encoding="utf-8")
    text, without = WEAKER[rule]
    if model.count(text) != 1:
        raise ValueError(f"rule {rule} does not stand once in the model")
    return model.replace(text, without)


def main() -> int:
    """Check; 1 if a property falls, or a weaker rule is not found."""
    if not (shutil.which("spin") and shutil.which("cc")):
        print("There is no spin here, or no cc, so the model is not checked (Debian: apt install spin gcc).")
        return 0
    failed = False
    for seats in (3, 4):
        verdict = check(MODEL.read_text(encoding="utf-8"), seats)
        failed = failed or verdict.errors > 0
        print(
            f"{seats} seats: {verdict.states} states, {verdict.seconds} s, {verdict.errors} errors",
            flush=True,
        )
    for rule in WEAKER:
        verdict = check(weaker(rule), 3)
        failed = failed or not verdict.errors
        result = "found" if verdict.errors else "NOT FOUND"
        print(f"without {rule}: {result}, after {verdict.states} states", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
