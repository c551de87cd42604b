"""A script in interpreters of their own, each with other hashes and another locale."""

from __future__ import annotations

import subprocess
import sys


def printed_words(script: str) -> set[bytes]:
    """The outputs of `script` in differently started interpreters: one value if the start does not matter."""
    return {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": number, "LC_ALL": locale},
            capture_output=True,
            check=True,
        ).stdout
        for number, locale in (("1", "C"), ("2", "C.UTF-8"), ("3", "tr_TR.UTF-8"))
    }
