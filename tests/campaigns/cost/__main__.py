"""`python -m tests.campaigns.cost --seed 1 --count 4`: prints each kind of frame that costs over a tenth of a
bound, and how many others there are; exits with 1 if one is over (threat 106).  `count`: how often each form
is sent.  Run it on a machine at rest: on a busy one all takes longer, as its first line shows.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path

from tests.campaigns.cost import hosts, senders
from tests.campaigns.cost.measured import LONGEST, MOST, verification
from tests.helpers.machine import homes


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=4)
    given = parser.parse_args()
    cheap, over = 0, 0
    print(f"load {os.getloadavg()[0]:.1f}; {1e6 * verification():.0f} µs to verify a signature")
    for sender in (*senders.ALL, *hosts.ALL):
        rng = random.Random(f"{sender.__name__} {given.seed}")
        with tempfile.TemporaryDirectory() as folder, homes.TEST:
            for cost in sender(Path(folder), rng, given.count):
                over += not cost.kept
                if cost.rate > MOST / 10 or cost.longest > LONGEST / 10:
                    print(cost, flush=True)
                else:
                    cheap += 1
    print(
        f"{cheap} kinds cost below a tenth of {MOST:.0f} s a MiB and {1000 * LONGEST:.0f} ms; {over} are over"
    )
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
