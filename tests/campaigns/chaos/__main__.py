"""`python -m tests.campaigns.chaos --seed 1 --matches 100`: see campaign.py for what it prints and leaves."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.campaigns.chaos.campaign import Result, campaign
from tests.campaigns.chaos.match import Match
from tests.campaigns.chaos.plan import plan


async def _match(seed: int, folder: Path) -> Result:
    return await Match(plan(seed), folder).run()


if __name__ == "__main__":
    sys.exit(campaign("tests.campaigns.chaos", _match, sys.argv[1:]))
