"""All context strings.  A label separates one use of a hash, a signature or a key from all other uses.

Two uses must never share a label (threats 4 and 27: bytes from one place replayed in another).
"""

from __future__ import annotations

from typing import Final

PROTOCOL_VERSION: Final = 2
_PREFIX: Final = b"p2p-stratego/2 "

# Hashes (BIP-340 tagged).
GENESIS: Final = _PREFIX + b"genesis"
ENTRY: Final = _PREFIX + b"entry"
STATEMENT: Final = _PREFIX + b"statement"
COMMITMENT: Final = _PREFIX + b"commitment"
HIDDEN_CHOICE: Final = _PREFIX + b"hidden choice"
CHANCE_LINK: Final = _PREFIX + b"chance link"
CHANCE_ROLL: Final = _PREFIX + b"chance roll"
MIX_DRAW: Final = _PREFIX + b"mix draw"
FINGERPRINT: Final = _PREFIX + b"fingerprint"
RULES: Final = _PREFIX + b"rules"
INVITE_CHECKSUM: Final = _PREFIX + b"invite checksum"
HANDSHAKE: Final = _PREFIX + b"handshake"
POST: Final = _PREFIX + b"post"
STAMP: Final = _PREFIX + b"stamp"

# Signatures (the label, a zero byte, then the signed data).
SIGN_ENTRY: Final = _PREFIX + b"sign entry"
SIGN_STATEMENT: Final = _PREFIX + b"sign statement"
SIGN_RECEIPT: Final = _PREFIX + b"sign receipt"
SIGN_CARD: Final = _PREFIX + b"sign address card"
SIGN_AUDIENCE: Final = _PREFIX + b"sign audience"
SIGN_REMATCH: Final = _PREFIX + b"sign return match"
SIGN_JOINER: Final = _PREFIX + b"sign handshake as joiner"
SIGN_HOST: Final = _PREFIX + b"sign handshake as host"
SIGN_POST: Final = _PREFIX + b"sign post"
SIGN_STAMP: Final = _PREFIX + b"sign stamp"

# Keys derived from a match's master secret (HKDF-Expand, RFC 5869: the label opens the info string).
KDF_SALT: Final = _PREFIX + b"kdf salt"
KDF_CHOICE_SALT: Final = _PREFIX + b"kdf choice salt"
KDF_CHANCE: Final = _PREFIX + b"kdf chance"
KDF_NONCE: Final = _PREFIX + b"kdf nonce"
KDF_LOOK: Final = _PREFIX + b"kdf look"
KDF_SEAL: Final = _PREFIX + b"kdf seal"
KDF_MIX: Final = _PREFIX + b"kdf mix"
KDF_FACES: Final = _PREFIX + b"kdf faces"
KDF_TALK: Final = _PREFIX + b"kdf talk"

KDF_DECK_KEY: Final = _PREFIX + b"kdf deck key"
KDF_DECK_NONCE: Final = _PREFIX + b"kdf deck nonce"
KDF_SHARE_KEY: Final = _PREFIX + b"kdf share key"

# Proofs about cards (tagged SHA-512 to scalars, to points, and to bytes).
PROOF_KEY: Final = _PREFIX + b"proof key"
PROOF_SHUFFLE: Final = _PREFIX + b"proof shuffle"
SHUFFLE_GENERATOR: Final = _PREFIX + b"shuffle generator"
SHUFFLE_SEED: Final = _PREFIX + b"shuffle seed"
SHUFFLE_CHALLENGE: Final = _PREFIX + b"shuffle challenge"
SHUFFLE_PREPARATION: Final = _PREFIX + b"shuffle preparation"
PROOF_TOKENS: Final = _PREFIX + b"proof tokens"
TOKEN_WEIGHTS: Final = _PREFIX + b"token weights"
TOKEN_WEIGHT: Final = _PREFIX + b"token weight"
PROOF_OPENING: Final = _PREFIX + b"proof opening"
PROOF_MOVE: Final = _PREFIX + b"proof move"
PROOF_MEMBER: Final = _PREFIX + b"proof member"
PROOF_ESCROW: Final = _PREFIX + b"proof escrow"
ESCROW_PAD: Final = _PREFIX + b"escrow pad"

# A place at a relay: the waiter's secret (HKDF), and its token for callers (a tagged hash).
KDF_RELAY: Final = _PREFIX + b"kdf relay"
RELAY_TOKEN: Final = _PREFIX + b"relay token"

# The standing door: a friend's ticket, and the secret with which it waits at a relay (HKDF-Expand).
KDF_FRIEND: Final = _PREFIX + b"kdf friend"
KDF_FRIEND_RELAY: Final = _PREFIX + b"kdf friend relay"

# A short code: the salt of its words (scrypt), both ends of SPAKE2 (RFC 9382), and the secret in the place
# of an invite's (HKDF).
CODE_WORDS: Final = _PREFIX + b"code words"
CODE_CALLER: Final = _PREFIX + b"code caller"
CODE_HOST: Final = _PREFIX + b"code host"
KDF_CODE: Final = _PREFIX + b"kdf code"

# A meeting without an invite: the commitment, and the digits (tagged hashes).
SAS_COMMITMENT: Final = _PREFIX + b"sas commitment"
SAS: Final = _PREFIX + b"sas"

# Encryption to one seat (HKDF, RFC 5869, and HPKE, RFC 9180: the label opens the info string).
SEALED_OPENING: Final = _PREFIX + b"sealed opening"
SEALED_TALK: Final = _PREFIX + b"sealed talk"

# Message authentication with an invite's secret (HMAC-SHA-256).
MAC_INVITE: Final = _PREFIX + b"mac invite"

# Message authentication with a friend's ticket (HMAC-SHA-256).
MAC_FRIEND: Final = _PREFIX + b"mac friend"

ALL: Final = tuple(
    label for name, label in list(globals().items()) if isinstance(label, bytes) and not name.startswith("_")
)
