"""A million salts, no two the same (threat 2): `python -m tests.campaigns.salts`."""

from __future__ import annotations

import sys
from typing import Final

from protocol.seat.secrets import MatchSecrets

GAMES: Final = 4
SEATS: Final = 5
SLOTS: Final = 50_000


def main() -> int:
    secrets = MatchSecrets(bytes(range(32)))
    places = ((game, seat, slot) for game in range(GAMES) for seat in range(SEATS) for slot in range(SLOTS))
    seen = {secrets.salt(bytes([game]) * 32, seat, slot) for game, seat, slot in places}
    wanted = GAMES * SEATS * SLOTS
    print(f"{len(seen):,} different salts for {wanted:,} slots")
    return 0 if len(seen) == wanted else 1


if __name__ == "__main__":
    sys.exit(main())
