"""Words of the protocol, for translators: it has no catalogue of its own, and they are translated where they
are shown.  Those of its tables (what is owed, rules, verdicts) get into the catalogues by themselves.
"""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.language import mark, mark_each, mark_each_c

CHECKS: Final = mark_each("""
    file, genesis, consent, chain, signatures, turns, choices, commitments, cards, chance, end, looks, claims,
    proofs, shuffles, pace, clock, match, game, takebacks
""")
"""The heads of a roster of checks and of the terms of a match."""
WAYS: Final = mark_each_c("a way", "nearby, direct, relay, proxy")
"""The values of `protocol.rendezvous.via.Via`, behind "by" or in brackets behind an address."""
REFUSALS: Final = (
    mark("The bytes are no post."),
    mark("There is no post in the text."),
    mark("The post was not written by the player whom it names, or was changed since."),
    mark("The file is not a transcript of a match."),
    mark("The file is far too long to be the transcript of a match."),
    mark("The transcript ends within its first record."),
    mark("A record is of a kind that cannot stand at its place."),
    mark("A record's length is damaged."),
    mark("A record's content is damaged."),
    mark("The bytes are not an encoded message."),
    mark("The bytes are not the canonical encoding of their value."),
    mark("An integer is outside 0 to 2^53 - 1."),
    mark("A text is not in Unicode normal form C, or has too many marks in a row."),
    mark("The file is not a proof of this version."),
    mark("The proof holds no genesis and no record."),
    mark("The proof holds what is neither an entry nor a statement."),
    mark("The proof ends within a record."),
    mark("The proof goes on after the record that breaks a rule."),
    mark("The last record breaks no rule."),
    mark("A signature in the proof does not verify."),
    mark("The records of the proof do not form a chain of their own."),
    mark("A copy belongs to another match."),
    mark("The match is of a game that this program does not know."),
    mark("The other side's record of this match is not the same as ours."),
    mark("The other side does not hold the player key that it named."),
    mark("The joiner does not hold the player key that it named."),
    mark("The host does not hold the player key that it named."),
    mark("Another player than the friend that we called answers."),
)
"""What the protocol says of files and callers that a player meets; other refusals are for developers."""
