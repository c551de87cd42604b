"""One target, fed until its time is over: `python -m tests.campaigns.fuzz.process NAME FOLDER SECONDS SEED`.

The program's modules are imported under atheris, which notes the branches that they take.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["cli", "p2p_stratego", "protocol"]):
    from tests.campaigns.fuzz.targets import TARGETS


def main(name: str, folder: Path, seconds: str, seed: str) -> None:
    """Never returns: the fuzzer ends the process."""
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(TARGETS[name].seeds()):
        (corpus / f"seed-{number}").write_bytes(data)
    options = {
        "artifact_prefix": f"{folder}/",
        "max_total_time": seconds,
        "seed": seed,
        "timeout": 10,
        "rss_limit_mb": 1024,
        "max_len": 65536,
        "print_final_stats": 1,
    }
    atheris.Setup(
        [name, str(corpus), *(f"-{key}={value}" for key, value in options.items())], TARGETS[name].holds
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4])
