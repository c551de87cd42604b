"""`python -m tests.campaigns.explore --seed 1 --count 200`: see campaign.py for what it prints."""

from __future__ import annotations

import sys

from tests.campaigns.explore.campaign import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
