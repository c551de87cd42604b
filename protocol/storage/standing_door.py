"""Our standing door, where friends ask our player for a game: its secret and its port, in a file of the home.

Each friend gets a ticket of its own, derived from the secret and the friend's key.  So the contacts keep only
that the holder of a ticket is a friend.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from p2p_stratego.core import strict_json
from protocol.errors import Malformed
from protocol.storage.contacts import TICKET_BYTES
from protocol.wire import labels
from protocol.wire.addresses import TOKEN_BYTES

VERSION = 1
SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Doorstep:
    """`secret`: 32 bytes, never shown to anybody; `port`: where friends call, 1 to 65,535."""

    secret: bytes = field(repr=False)
    port: int

    def ticket(self, key: bytes) -> bytes:
        """The ticket (16 bytes) of the friend with this key (32 bytes)."""
        return self._derived(labels.KDF_FRIEND, key)[:TICKET_BYTES]

    def waiting(self, relay: bytes) -> bytes:
        """The secret (16 bytes) with which our standing door waits at `relay`, a packed address."""
        return self._derived(labels.KDF_FRIEND_RELAY, relay)[:TOKEN_BYTES]

    def _derived(self, label: bytes, place: bytes) -> bytes:
        info = label + b"\0" + place
        return HKDFExpand(algorithm=SHA256(), length=32, info=info).derive(self.secret)

    def to_json(self) -> bytes:
        """The bytes that `read` reads."""
        value = {"version": VERSION, "secret": self.secret.hex(), "port": self.port}
        return (json.dumps(value) + "\n").encode()


def read(data: bytes) -> Doorstep:
    """The Doorstep in a file's bytes.  Raises Malformed."""
    try:
        match strict_json.read(data):
            case {"version": 1, "secret": str(secret), "port": int(port)} if 0 < port < 2**16:
                if len(secret) == 2 * SECRET_BYTES:
                    return Doorstep(bytes.fromhex(secret), port)
    except ValueError:
        pass
    raise Malformed("The secret of the standing door cannot be read.")
