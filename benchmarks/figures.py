"""Every figure that somebody would act on, with the most that it may be: the one list of them."""

from __future__ import annotations

from functools import partial
from typing import Final

from benchmarks import cards, matches, page, program, records, relay, research, rules
from benchmarks.report import Figure, Target, duration, size

limit = partial(Target, alone=True)
THE_GAMES: Final = (
    Figure("rules: an answer taken, slowest game", duration, Target(1.5), rules.answer),
    Figure("bots: a decision of an agent, 99th of 100, slowest game", duration, limit(0.05), rules.decision),
    Figure("research: a step of the environment, slowest game", duration, Target(8), research.step),
)
RECORDS: Final = (
    Figure("record: an entry admitted", duration, Target(1.25), lambda: records.admission("spies-and-lies")),
    Figure(
        "record: an entry admitted, slowest game with a board",
        duration,
        Target(2.5),
        lambda: records.admission("stratego", "conquest"),
    ),
    Figure("record: a move of Stratego in the file", size, Target(1.3), records.move),
    Figure("audit: complete matches", duration, Target(1 / 4), records.shortcut),
    Figure("audit: 200 copies compared, a junk signature each", duration, Target(1.5), records.comparison),
    Figure("audit: the longest chain, processor time", duration, Target(3), records.chain),
    Figure("audit: the longest chain, memory", size, limit(200e6), records.chain_memory),
)
MATCHES: Final = (
    Figure("match: a guess until the card is open", duration, Target(2.5), matches.guess),
    Figure("match: a record, 4 bots in processes", duration, limit(0.01), matches.record),
    Figure("match: the memory of one of these bots", size, Target(1.5), matches.memory),
    Figure("match: bytes of a record, 5 seats, 10 links", size, Target(1.2), matches.gossip),
    Figure("joining: first byte to first move", duration, limit(0.15), lambda: matches.joined()[0]),
    Figure("joining: the same over a relay", duration, Target(2), lambda: matches.joined()[1]),
    Figure("joining: the same by short code", duration, Target(2), lambda: matches.joined()[2]),
    Figure("relay: a word through it and back", duration, Target(1.3), relay.word),
    Figure("relay: memory of an idle pair", size, limit(64e3), relay.idle),
)
CARDS: Final = (
    Figure("cards: shuffle of 52, with proof", duration, Target(cards.MOST_PROVING), cards.proved),
    Figure("cards: check of it", duration, Target(cards.MOST_CHECKING), cards.checked),
    Figure("cards: reshuffle of 80 by 5 seats", duration, Target(3), cards.reshuffled),
)
PROGRAM: Final = (
    Figure("program: --help", duration, limit(0.25), program.answer),
    Figure("program: start menu, 2,000 games saved", duration, limit(0.5), program.menu),
    Figure("program: first frame of a match", duration, limit(1), program.first_frame),
    Figure("program: key to screen, 99th of 100, slowest game", duration, limit(0.03), program.key),
    Figure("page: its bytes, a match of Stratego", size, limit(500e3), page.length),
    Figure("page: opened and checked in Chromium", duration, limit(1), page.opening),
)
FIGURES: Final = (*THE_GAMES, *RECORDS, *MATCHES, *CARDS, *PROGRAM)
