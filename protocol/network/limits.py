"""How much, and how long: what one end of a connection grants the other.  SPEC.md lists the same numbers.

Every wait and every buffer that the other side can cause has its bound here.  Times are in seconds.
"""

from __future__ import annotations

from typing import Final

from protocol.wire.transcript import MAX_TRANSCRIPT

SPEAK_WITHIN: Final = 2.0
"""For a caller to send its first byte (threat 20)."""
AUTHENTICATE_WITHIN: Final = 10.0
"""For a caller to prove who it is (threat 20)."""
MAX_STRANGERS: Final = 64
"""Callers that may be at that at a time; one more pushes out another (threat 21)."""
MAX_STRANGERS_OF_NETWORK: Final = 8
"""The same for one network: an IPv4 address or an IPv6 /64."""
STRANGERS_BYTES_EVERY: Final = 0.02
"""Between two pieces of bytes that are taken from strangers: a step of TLS takes the player's thread some
milliseconds, so strangers get at most a fifth of it, and none of them waits for longer than 64 turns.
"""
ACCEPT_EVERY: Final = 0.005
"""Between two connections that are accepted."""
STRANGERS_LIMIT: Final = 1024
"""Bytes of a payload before the other side is authenticated: three times the longest JOIN."""
STRANGERS_BACKLOG: Final = 4 * 1024
"""Bytes queued for whoever is not authenticated: more than a CHALLENGE and a CLOSE (threat 22)."""
CONNECT_WITHIN: Final = 15.0
"""For a host to answer at any of its addresses."""
CHUNK: Final = 16 * 1024
"""Bytes read, or sent, at a time: a TLS record holds no more (RFC 8446, 5.1)."""
MAX_INBOX: Final = 256
"""Frames read ahead of whoever takes them; then nothing more is read until they are taken."""
MAX_BACKLOG: Final = MAX_TRANSCRIPT + 2**20
"""Bytes queued to be sent: all of the longest match to one who lost it, and a little more (threat 22)."""
TAKE_WITHIN: Final = 20.0
"""For the other side to read one CHUNK of what it is sent (threat 22)."""
COMPLETE_WITHIN: Final = 120.0
"""For the other side to send what it says that it has and we lack; until it has, we sign nothing."""
PING_EVERY: Final = 5.0
"""Between an answered ping and the next one."""
SILENT_AFTER: Final = 20.0
"""Without a byte, and so with a ping unanswered for at least ten: the other side is away."""
LINGER: Final = 2.0
"""For the other side to read our last words: closing at once could reset them away (RFC 1122, 4.2.2.13)."""
LONGEST_WAIT: Final = 30.0
"""Between two calls to a host that does not answer; before that at once, then 1, 2, 4, 8 and 16."""
SETTLED: Final = 30.0
"""After which a link counts as having worked, so that the next call is made at once."""
CLAIM_WHEN_AWAY: Final = 180.0
"""Without a connection, before a player may put on record that the other does not answer."""
CLAIM_WHEN_CONNECTED: Final = 1800.0
"""The same while the other is connected and owes something, but does not say it."""
