"""A script in interpreters of their own, each with other hashes and another locale."""

from __future__ import annotations

import subprocess
import sys


def told(script: str) -> set[bytes]:
    """What `script` prints, however the interpreter was started: one value if that makes no difference."""
    return {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": number, "LC_ALL": locale},
            capture_output=True,
            check=True,
        ).stdout
        for number, locale in (("1", "C"), ("2", "C.UTF-8"), ("3", "tr_TR.UTF-8"))
    }
