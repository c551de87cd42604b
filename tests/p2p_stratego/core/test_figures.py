"""Figures in files beside the modules: read when they are asked for, once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from p2p_stratego.core.figures import figures

BOTS = "p2p_stratego.stratego.bots"


def test_a_file_is_read_once() -> None:
    values = figures(BOTS, "prospects.json")
    assert values["weights"].keys() == {"open", "own", "all"}
    assert figures(BOTS, "prospects.json") is values


def test_no_file_is_read_before_somebody_asks() -> None:
    script = (
        "from p2p_stratego.conquest.bots import analysis, prospects as conquest\n"
        "from p2p_stratego.stratego.bots import analysis, prospects as stratego\n"
        "from p2p_stratego.core.figures import figures\n"
        "before = figures.cache_info().currsize\n"
        "conquest.fitted(), stratego.fitted()\n"
        "print(before, figures.cache_info().currsize)"
    )
    process = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert process.stdout.split() == ["0", "2"]


def test_a_broken_installation_is_no_empty_table() -> None:
    with pytest.raises(FileNotFoundError):
        figures(BOTS, "no-such.json")
