"""The prime-order group ristretto255 (RFC 9496): points of 32 bytes, scalars as integers below the order."""
