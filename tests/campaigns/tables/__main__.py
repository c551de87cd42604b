"""`python -m tests.campaigns.tables --seed 1 --matches 200`: see chaos/campaign.py for what it prints."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.campaigns.chaos.campaign import Result, campaign
from tests.campaigns.tables.match import Match
from tests.campaigns.tables.plan import plan


async def _match(seed: int, folder: Path) -> Result:
    return await Match(plan(seed), folder).run()


if __name__ == "__main__":
    sys.exit(campaign("tests.campaigns.tables", _match, sys.argv[1:]))
