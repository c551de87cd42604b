"""`python -m tests.campaigns.worlds --budget 60`: see campaign.py for what it prints."""

from __future__ import annotations

import sys

from tests.campaigns.worlds.campaign import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
