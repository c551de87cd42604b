"""The seats' keys for cards, each with a proof that its owner knows the secret.

Without the proof the last seat could choose as its key a key of its own minus the keys of all others, and
would read every card under the joint key (Ristenpart and Yilek, "The power of proofs-of-possession", 2007).
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from protocol.crypto.group.backend import IDENTITY, group, total
from protocol.crypto.group.hashing import Context, to_scalar
from protocol.crypto.group.nonces import Nonces
from protocol.crypto.group.received import ProofError, points, scalars, written
from protocol.crypto.proofs.sigma import base_commitment, respond
from protocol.crypto.proofs.verification import settle
from protocol.wire import labels

PROOF_BYTES: Final = 64

challenge = to_scalar(labels.PROOF_KEY)


class PossessionProof(NamedTuple):
    """A key, 32 bytes, and the proof that the seat of the context knows its secret, 64 bytes."""

    ctx: Context
    key: bytes
    proof: bytes

    def verify(self) -> None:
        """Raise ProofError unless the proof holds."""
        points(self.key, 1)
        c, z = scalars(self.proof, 2)
        if c != challenge((self.ctx, self.key, base_commitment(z, c, self.key))):
            raise ProofError("wrong-key")


def prove(ctx: Context, x: int, nonces: Nonces) -> tuple[bytes, bytes]:
    """The key x·G (32 bytes) and the proof of possession (64 bytes)."""
    key = group().base(x)
    w = nonces.serve(labels.PROOF_KEY, (ctx, key)).scalar()
    c = challenge((ctx, key, group().base(w)))
    return key, written(c, respond(w, c, x))


def check(ctx: Context, key: bytes, proof: bytes, earlier: Sequence[bytes] = ()) -> None:
    """Raise ProofError unless the prover knows the secret of `key` (32 bytes) and no `earlier` key is equal.

    `proof`: 64 bytes; `earlier`: the other seats' keys that are known already.
    """
    if not settle(PossessionProof(ctx, key, proof)):
        points(key, 1)
    if key in earlier:
        raise ProofError("wrong-key")


def joint(keys: Iterable[bytes]) -> bytes:
    """The sum of all seats' keys.  Raises ProofError, the last seat's fault, if it is the identity."""
    key = total(list(keys))
    if key == IDENTITY:
        raise ProofError("wrong-key")
    return key


def read_secret(secret: bytes, key: bytes) -> int:
    """The secret of `key` in 32 received bytes.  Raises ProofError unless the bytes are that secret."""
    (x,) = scalars(secret, 1)
    if not hmac.compare_digest(group().base(x), key):
        raise ProofError("wrong-key")
    return x
