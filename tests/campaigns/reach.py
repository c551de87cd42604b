"""`make reach`: matches between homes behind routers, in namespaces made for them, by every way there is.

Needs unshare, ip and nft, and says so where they are missing.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import monotonic

from cli.play.router import BEING_ASKED
from tests.helpers.network import netspace

EXPECTED = {
    "by-code": "nearby",
    "nearby": "nearby",
    "between-routers": ["relay", "relay"],
    "crossing": ["direct", "direct"],
    "hostile-upnp": [[BEING_ASKED]] * 2,
    "let-in-by-upnp": "direct",
    "let-in-by-pcp": "direct",
    "let-in-by-nat-pmp": "direct",
    "taking-over": [["relay", "relay"], ["direct", "direct"], ["relay", "relay"]],
}


def main() -> int:
    """Run all scenarios; 1 if one went otherwise than it should."""
    if why := netspace.missing():
        print(f"No networks can be made here: {why}.")
        return 1
    wrong = 0
    for name in netspace.SCENARIOS:
        began = monotonic()
        with tempfile.TemporaryDirectory() as folder:
            outcome = netspace.run(name, Path(folder))
        good = outcome["ways"] == EXPECTED[name] and len(set(outcome["ends"])) == 1
        wrong += not good
        print(f"{name}: {'as it should' if good else outcome}, {monotonic() - began:.1f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
