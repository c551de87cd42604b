"""How a secret could be spelt where it must not stand."""

from __future__ import annotations

import base64


def spellings(secret: bytes) -> set[str]:
    """As it stands, in hexadecimal, and in base64 at each of the three offsets."""
    shown = {secret.hex(), secret.hex().upper()}
    if len(secret) > 4:
        shown |= {
            base64.b64encode(bytes(skip) + secret).decode()[4 * (skip > 0) + 1 : -5] for skip in range(3)
        }
    if secret.isascii() and secret.decode("ascii").isprintable():
        shown.add(secret.decode("ascii"))
    return {text for text in shown if len(text) > 2}
