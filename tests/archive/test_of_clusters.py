"""The audit of an archive on a cluster of three Ray nodes, on this machine; one is killed on the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.helpers.archives.judged import everything, filled, judge
from tests.helpers.archives.on_cluster import LOOPBACK
from tests.helpers.archives.records import samples


def test_a_lost_machine_costs_time_alone(tmp_path: Path) -> None:
    archive, clean = filled(tmp_path / "cluster", samples()), filled(tmp_path / "clean", samples())
    judge(clean)
    line = [sys.executable, "-m", "tests.helpers.archives.on_cluster", archive.place]
    quiet = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    ran = subprocess.run(line, check=False, capture_output=True, text=True, env=quiet, timeout=300)
    assert (ran.returncode, ran.stdout.split()[-2:]) == (0, [LOOPBACK, str(len(samples()))]), ran.stderr
    assert everything(archive) == everything(clean)
