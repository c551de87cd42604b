"""`python -m tests.campaigns.simulate --seed 1 --seeds 200`: see campaign.py for what it prints."""

from __future__ import annotations

import sys

from tests.campaigns.simulate.campaign import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
