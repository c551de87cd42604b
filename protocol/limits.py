"""All limits of the protocol: sizes of what is signed, and what one end of a connection allows the other.

Every wait and every buffer that the other side can cause has its bound here.  Times are in seconds.
SPEC 14.17 lists the numbers of connections.
"""

from __future__ import annotations

from typing import Final

# What is signed: a rule for every auditor, so a change is another version of the protocol.
MAX_TRANSCRIPT: Final = 16 * 1024 * 1024
"""Bytes of a match in which salted hashes hide: a thousand times an ordinary one (threat 47)."""
MAX_WITH_PROOFS: Final = 64 * 1024 * 1024
"""Bytes of a match under the profile of proofs, and the most that an auditor reads (threat 47)."""
MAX_NAME: Final = 32
"""Characters of a player's name."""
MAX_OPTIONS: Final = 32
"""Options of a game that a genesis names."""
MAX_PACKAGE: Final = 64
"""Characters of the name of the package that a game comes from."""
MAX_ENTRY: Final = 16 * 1024
"""Bytes of an entry: 256 commitments and their frame fit in 9 KiB."""
MAX_SHUFFLE: Final = 32 * 1024 + 256
"""Bytes of an entry with a shuffle, of 168 cards at most."""
MAX_RELEASE: Final = 8
"""BACKs in the release of one entry."""
MAX_BACK: Final = 152
"""Bytes of a BACK with all its integers at their longest: no release swells a match past its limit."""
MAX_CHAT: Final = 500
"""Characters of a message at the table."""
MAX_STATEMENTS: Final = 1000
"""A seat's statements in one match: bounds the cost of chat for the other side's disk."""
MAX_AWAYS: Final = 64
"""AWAYs of a seat among three or more: each may cost every other seat a BACK."""
MAX_REASON: Final = 32
"""Characters of the rule that a COMPLAINT names."""
MAX_TAKEBACKS: Final = 250
"""Decisions that all seats together can take back in one match: each makes a verifier restore a table."""
TAKEN_BACK_WITHIN: Final = 100
"""How many of the last decisions of all seats can be taken back: a verifier keeps a moment for each."""

# What one end of a connection, a lobby or a match allows the other.
SPEAK_WITHIN: Final = 2.0
"""For a caller to send its first byte (threat 20)."""
AUTHENTICATE_WITHIN: Final = 10.0
"""For a caller to prove who it is (threat 20)."""
SPEAK_AFAR_WITHIN: Final = 10.0
"""SPEAK_WITHIN if the caller comes through a relay, or the host hides behind a proxy: Tor takes seconds there
and back.
"""
AUTHENTICATE_AFAR_WITHIN: Final = 40.0
"""AUTHENTICATE_WITHIN in these two cases."""
MAX_STRANGERS: Final = 64
"""Callers without a proof at one time; one more pushes out another (threat 21)."""
MAX_STRANGERS_OF_NETWORK: Final = 8
"""MAX_STRANGERS for one network: an IPv4 address or an IPv6 /64."""
STRANGERS_BYTES_EVERY: Final = 0.02
"""Between two chunks read from strangers: a step of TLS takes some milliseconds of the player's thread, so
strangers get at most a fifth of it, and each waits for at most 64 turns.
"""
ACCEPT_EVERY: Final = 0.02
"""Between two turns of accepting: all that wait are compared by network at once (threat 107)."""
ACCEPTED_AT_ONCE: Final = 256
"""Connections accepted in one turn: to end a connection takes some microseconds."""
LET_IN_AT_ONCE: Final = 16
"""Accepted connections that are let in; the others are ended at once."""
LET_IN_OF_NETWORK: Final = MAX_STRANGERS_OF_NETWORK
"""LET_IN_AT_ONCE, of one network."""
COME_BACK_EVERY: Final = 0.005
"""Between two callers whom a relay joins with us."""
STRANGERS_LIMIT: Final = 3 * 1024
"""Bytes of a payload before the other side is authenticated: more than the longest ASKER."""
STRANGERS_BACKLOG: Final = 4 * 1024
"""Bytes queued for a stranger: more than a CHALLENGE and a CLOSE (threat 22)."""
CONNECT_WITHIN: Final = 15.0
"""For a host to answer at any of its addresses."""
RELAY_AFTER: Final = 0.5
"""Before a place is called through a relay too, unless all its other addresses have failed already."""
RELAY_SILENT_AFTER: Final = 75.0
"""Without a word of a relay at which we wait: it could have said twice that we wait."""
RELAY_WORDS: Final = 8
"""Times that a relay may say that we wait, and once more every RELAY_WORD_EVERY seconds."""
RELAY_WORD_EVERY: Final = 10.0
CONNECT_AFAR_WITHIN: Final = 60.0
"""CONNECT_WITHIN through a proxy: Tor may have to find a way first."""
CHUNK: Final = 16 * 1024
"""Bytes read, or sent, at a time: a TLS record holds no more (RFC 8446, 5.1)."""
MAX_INBOX: Final = 256
"""Frames read ahead; then reading stops until they are taken."""
MAX_INBOX_BYTES: Final = 256 * 1024
"""MAX_INBOX in bytes."""
MAX_BACKLOG: Final = MAX_WITH_PROOFS + 2**20
"""Bytes queued to be sent: the longest match, for a player who lost it, and a little more (threat 22)."""
TAKE_WITHIN: Final = 20.0
"""For the other side to read one CHUNK (threat 22)."""
COMPLETE_WITHIN: Final = 120.0
"""For the other side to send the records that it announced; until then we sign no entry."""
PROGRESS_WITHIN: Final = 20.0
"""For the other side to send its SYNC, and each next new record."""
PING_EVERY: Final = 5.0
"""Between an answered ping and the next one."""
SILENT_AFTER: Final = 20.0
"""Without a byte, and so with a ping unanswered for at least 10 seconds: the other side is away."""
LINGER: Final = 2.0
"""For the other side to read our last words: closing at once could reset them away (RFC 1122, 4.2.2.13)."""
LONGEST_WAIT: Final = 30.0
"""At most between two calls to a silent host: the first is immediate, then 1, 2, 4, 8 and 16."""
SETTLED: Final = 30.0
"""The age at which a link counts as good: the next call is immediate then."""
CLAIM_WHEN_AWAY: Final = 180.0
"""Without a connection, before a player may put on record that the other does not answer."""
CLAIM_WHEN_CONNECTED: Final = 1800.0
"""CLAIM_WHEN_AWAY while the other player is connected and owes a record."""
CLAIM_AFTER_TIME: Final = 2.0
"""After the end of another player's time, by the clock agreed on: records under way arrive before that."""
ANSWER_WITHIN: Final = 600.0
"""For the guests of a lobby to say yes after their host did; guests without a yes are then sent away."""
AGREE_WITHIN: Final = 30.0
"""For a guest's program to write a match to its disk and sign its AGREE; no person is asked meanwhile."""
BEGIN_WITHIN: Final = 2 * AGREE_WITHIN
"""For the host to begin a match, or a new listing, after a guest has agreed."""
MAX_FRAMES_OF_LISTING: Final = 32
"""Frames of one guest about one listing: a yes, and a yes taken back, cost the others a LOBBY each."""
MAX_COST: Final = 96
"""LOBBY frames that one key may cost the others before it is sent away; a first yes is free."""
LATE_COST: Final = 32
"""The cost of keeping the others waiting: the third time a key is sent away (threat 105)."""
MAX_TALK: Final = 8
"""Lines of talk that a host passes on for one guest at once; it drops those beyond, unheard by all."""
TALK_EVERY: Final = 2.0
"""Between two further ones."""
MAX_TALKS: Final = 10_000
"""TALK frames that a guest takes from its host on one connection, and the host from a guest."""
MAX_OUT: Final = 16
"""The last players sent away for their cost, whom a LOBBY names."""
MAX_LISTINGS: Final = 10_000
"""LOBBY frames that a guest takes from one host."""
EARLY_RECORDS: Final = 64
"""Records of one link kept until the records before them arrive: a seat is hardly ever far ahead."""
EARLY_BYTES: Final = 256 * 1024
"""Bytes of the same."""
PASS_ON_AFTER: Final = 1.5
"""Before a record goes to a seat that expects it from another neighbour, and seems to lack it still."""
HAVE_AFTER: Final = 0.5
"""Before a seat tells a neighbour its position: the next record mostly shows it earlier."""
HAVE_EVERY: Final = 0.25
"""Between two HAVE on one link."""
VAIN_FRAMES: Final = 4096
"""Frames of one link that bring nothing new, besides two for each record of the match: more lose the link."""
FALSE_RECEIPT: Final = 16.0
"""The number of useless frames that a false receipt counts for: its check takes time, and few are honest."""
VAIN_FRAMES_A_SECOND: Final = 50
"""Useless frames that are forgiven each second."""
CROSSED_WITHIN: Final = 5.0
"""The lower seat's link stays if two links between two seats are made within this time."""
STRAIGHT_AFTER: Final = 5.0
"""Between the first two tries to call a seat straight that is linked through a relay; then twice as long."""
LONGEST_STRAIGHT: Final = 300.0
"""At most between two such tries."""
LOOK_WITHIN: Final = 10.0
"""For a relay to say where it sees our port."""
LOOK_FOR: Final = 60.0
"""The life of that connection to the relay: as long, the router keeps our port the same."""
CROSSING_SPEAKS_WITHIN: Final = 1.0
"""For the other end to speak first, if two calls have crossed; else its host waits for us, SPEAK_WITHIN."""
MAX_SEEN: Final = 16
"""Places that relays may report for our port; further reports are told to nobody."""
HIGHER_CALLS_AFTER: Final = 10.0
"""Before a seat that has some link calls a lower seat: the lower seat calls first."""
MAX_PROOFS: Final = 4
"""PROOFs over one link: one for each chain that the other side may have, and another whenever the two chains
turn out to part at a lower place."""
MAX_CARDS: Final = 100
"""Address cards that a process takes from one seat for one match."""
RECORD_BACKLOG: Final = 256 * 1024
"""Bytes queued on one link, beyond which no record follows; the rest of the match waits until some are read
(threat 114)."""
MAX_WATCHED: Final = 16
"""Matches, one after the other, that one host may show a spectator: each takes room on its disk."""
RECORDS_EVERY: Final = 0.1
"""Between two looks at the bytes queued on such a link."""
ASK_AGAIN_AFTER: Final = 300.0
"""Before a friend can ask again after a no, or no answer, of our player: until then it is refused unseen."""
ASK_AGAIN_SOON: Final = 15.0
"""ASK_AGAIN_AFTER for a friend that went before our player answered."""
MAX_DOORS: Final = 16
"""Standing doors of one seat that a process keeps for one match; each is a write of all contacts."""
MAX_CODE_PLACES: Final = 4
"""Places at which a guest looks for the host of one code: a stranger at such a place has one guess at the
words (threat 85).
"""
MAX_WISHES: Final = 100
"""REMATCH frames of one seat, and the bound of their number: a player who restarts asks again."""
AUDIENCE_EVERY: Final = 5.0
"""Between two words of one seat about its number of spectators."""
MAX_AUDIENCES: Final = 1000
"""Such words that a process takes from one seat for one match."""
MAX_POST: Final = MAX_WITH_PROOFS + 2**20
"""Bytes of a post: the longest match, for a player who lost it, and a little more (threat 87)."""
MAX_POST_TEXT: Final = 2 * MAX_POST
"""Bytes of a text with posts in it, such as a mail."""
POST_AS_TEXT: Final = 64 * 1024
"""Bytes of a post that is still offered as text: mail programs cut, and people scroll."""
MAX_WATCHERS: Final = 16
"""Spectators at one time; another pushes out the first comer."""
MEET_WITHIN: Final = 120.0
"""For both persons of a meeting to compare the digits: one of them may have to come to the screen first."""
FAILED_MEETINGS: Final = 3
"""Meetings that may fail within FAILED_MEETINGS_WITHIN; then a host takes none until its player allows more:
each is one chance in a million for somebody in between (threat 84).
"""
FAILED_MEETINGS_WITHIN: Final = 600.0
MAX_NEARBY: Final = 64
"""Games nearby that are listed at one time (threat 83)."""
MAX_NEARBY_OF_ADDRESS: Final = 8
"""MAX_NEARBY for one address."""
MAX_NEARBY_TEXT: Final = 1024
"""Bytes of the text of one game nearby."""
MAX_NEARBY_NAMES: Final = 1024
"""Names of games nearby that are looked at, the first to come; the library keeps 10,000 records."""
KEEP_NEARBY: Final = 150.0
"""Seconds that a silent game nearby stays in the list: records of hosts live for 120."""
ASKED_NEARBY: Final = 8
"""Services whose missing records are asked for at one time."""
ASK_NEARBY_EVERY: Final = 10.0
"""Between two questions about one service."""
ANSWER_NEARBY_WITHIN: Final = 1.0
NEARBY_EVERY: Final = 0.5
"""Seconds between two looks at the answers."""
CODE_LIFETIME: Final = 600.0
"""Seconds for which a code is good."""
CODE_TRIES: Final = 3
"""Exchanges with wrong words, or broken off, for which a code is good."""
INVITE_LIFETIME: Final = 3600.0
"""Seconds that an invite is valid unless the host says otherwise."""
LONGEST_INVITE_LIFETIME: Final = 7 * 24 * 3600.0
