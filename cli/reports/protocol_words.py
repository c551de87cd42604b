"""The words of the protocol, for translators: it has no catalogue of its own, and they are translated where
they are shown."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.language import mark, mark_c

OWED: Final = (
    mark("a card under another key"),
    mark("a choice"),
    mark("a hidden choice"),
    mark("its key for a private look"),
    mark("its key for cards"),
    mark("its key for cards, in shares"),
    mark("its part in turning cards up"),
    mark("its share of a roll"),
    mark("its share of the key of a seat that is gone"),
    mark("its shuffle of cards"),
    mark("the opening of a hidden card"),
    mark("the opening of a hidden choice"),
    mark("the proof of a claim"),
    mark("the proved opening of a hidden card"),
    mark("the sealed opening of a hidden card"),
    mark("what it lays again, mixed"),
    mark("what it lays face down"),
    mark("what it lays face down, with proofs"),
    mark("word that a silent seat is gone"),
)
"""What a seat can owe: `protocol.record.asks.registry.KINDS`."""
RULES: Final = (
    mark("it was not this seat's turn to say anything"),
    mark("the rules had already ended the game"),
    mark("the bytes are no message of this protocol"),
    mark("another kind of message was owed"),
    mark("the rules do not offer this choice here"),
    mark("there must be one commitment, or opening, for each slot"),
    mark("this commitment was used before in the match"),
    mark("the opening does not fit the commitment"),
    mark("the game has no such face to lay there"),
    mark("the laid faces are not exactly the faces owed"),
    mark("everybody could open what is sealed with this key"),
    mark("the seat complained of no look of its own, too late, or of one that was in order"),
    mark("the key for cards is proved wrongly, is another seat's, or is not the one released"),
    mark("the shuffled cards are not proved to be the ones before in another order"),
    mark("the tokens are not those of the seat's key for these cards"),
    mark("the card under another key is not proved to be the same one"),
    mark("the share of a key for cards does not fit what its dealer committed to"),
    mark("the share is not the one committed to in the genesis"),
    mark("the seat had declared the match over for itself, over fewer entries than these"),
    mark("a seat's first statement, and only that, is its consent to the genesis"),
    mark("the seat said to be away owed nothing, or its receipt is not its own"),
    mark("it lacks the word of another seat, or its author may not say it, or nothing is owed there"),
    mark("there is no entry there that its own seat has made, or its author was not present"),
    mark("the seat had said that another one is away, and went on as if it had not, or the reverse"),
    mark("the END names another outcome than the rules"),
)
"""The meanings of `protocol.errors.RULES`."""
CHECKS: Final = (
    mark("file"),
    mark("genesis"),
    mark("consent"),
    mark("chain"),
    mark("signatures"),
    mark("turns"),
    mark("choices"),
    mark("commitments"),
    mark("cards"),
    mark("chance"),
    mark("end"),
    mark("looks"),
    mark("claims"),
    mark("proofs"),
    mark("shuffles"),
    mark("pace"),
    mark("clock"),
    mark("match"),
    mark("game"),
)
"""The heads of a roster of checks and of the terms of a match."""
WAYS: Final = (
    mark_c("a way", "nearby"),
    mark_c("a way", "direct"),
    mark_c("a way", "relay"),
    mark_c("a way", "proxy"),
)
"""The values of `protocol.rendezvous.via.Via`, behind "by" or in brackets behind an address."""
VERDICTS: Final = (
    mark("complete"),
    mark("incomplete"),
    mark("cheated"),
    mark("equivocated"),
    mark("unresponsive"),
    mark("tampered"),
)
"""The verdicts of `protocol.audit.verdict.Verdict`."""
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
