"""Players of a game with decks resign and vanish: what all are told before they decide, and at the end."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.reports import describe, summary
from cli.reports.match_text import text
from cli.reports.own_games import listed
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.table.seat.watching import WatchedMatch
from cli.text.layout import words
from p2p_stratego.registry import GAMES
from p2p_stratego.spies.bots.recruit import Recruit
from protocol.audit.verdict import ProofPolicy, accept_all, audit, replay
from protocol.crypto.proofs.verification import keeping
from protocol.limits import CLAIM_WHEN_AWAY
from protocol.record.evidence import read_record
from protocol.replication.onlooker import Onlooker
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.many import Many

Make = Callable[[int, int, int], tuple[Many, list[TableController]]]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """A table of so many at SPIES!, with such an escrow, at which that seat is asked next."""
    made: list[Many] = []

    def begin(seats: int, escrow: int, turn: int) -> tuple[Many, list[TableController]]:
        many = Many(tmp_path, GAMES["spies"], seats, escrow=escrow)
        made.append(many)
        tables = [many.table(seat) for seat in many.seats]
        many.connect()
        play_on(many, turn)
        return many, tables

    with keeping():
        yield begin
    for many in made:
        many.close()


def play_on(many: Many, turn: int) -> None:
    """Bots decide until the cards are dealt and that seat is asked."""
    cards = many.replicas[0].session.referee.table.cards
    bots = [Recruit(random.Random(seat)) for seat in many.seats]
    many.play_on(bots, lambda: bool(cards.decks) and asked(many) == turn)


def asked(many: Many) -> int | None:
    """The only seat that is asked something."""
    seats = [seat for seat in many.seats if many.replicas[seat].session.decision is not None]
    return seats[0] if len(seats) == 1 else None


def escrow(table: TableController) -> str:
    """What the page of those who play says of it."""
    actions.enter(table, "who")
    sentence = " ".join(shown(table).split())
    table.page = None
    return sentence[sentence.index("escrow") :].partition(" A name")[0]


def shown(table: TableController) -> str:
    assert table.page is not None
    return "\n".join(map(words, table.page.lines))


def in_list(many: Many, seat: int) -> str:
    """The words of a player's list of games, once no window has the match open."""
    path = Path(many.replicas[seat].store.path)
    return str(summary.of(path, many.homes[seat].key)["status"])


def vanish(many: Many, seat: int) -> None:
    """A player loses all links, for longer than others need wait."""
    many.cut(*((seat, other) for other in many.seats if other != seat))
    many.clock.now += CLAIM_WHEN_AWAY
    many.pump()


def test_an_escrow_that_serves_no_more_is_told_and_a_claim_then_ends_the_match_for_good(
    make: Make, chronicle: Chronicle
) -> None:
    many, (anna, boris, chen, dana) = make(4, 3, 1)
    chronicle.watch(anna, boris, chen, dana, pump=many.pump)
    chronicle.show("who plays", escrow(anna))
    chronicle.type(dana, "resign", "yes")
    chronicle.show("who plays", escrow(anna))
    vanish(many, 1)
    chronicle.happen("Boris loses all links, for long")
    for table in (anna, chen):
        chronicle.type(table, "claim", "yes")
    many.replicas[1].close()
    boris = many.resume(1)
    chronicle.watch(anna, boris, chen, dana)
    many.connect((0, 1), (1, 2))
    chronicle.happen("Boris comes back")
    assert len({(*presentation.question(table), shown(table)) for table in (anna, boris, chen, dana)}) == 1
    for table, home in zip((anna, boris, chen, dana), many.homes, strict=True):
        [row] = listed(home.path)
        chronicle.show(f"the list of games of {table.players.names[table.replica.seat]}", str(row["status"]))
    data = Path(anna.replica.store.path).read_bytes()
    chronicle.show("an audit", describe.verdict(audit(data, GAMES, proving=ProofPolicy(hold=accept_all))))
    onlooker = Onlooker(many.homes[0].watch(anna.replica.match), GAMES, many.clock)
    for record in anna.session.referee.record:
        onlooker.copy.admit(read_record(record.frame))
    watched = WatchedMatch(onlooker)
    chronicle.show("a spectator reads at last", *watched.read()[-4:], watched.ending)
    assert watched.settled
    exported = text(replay(data, GAMES, proving=ProofPolicy(hold=accept_all)))
    chronicle.show("the end of an export", *exported[-6:])
    onlooker.close()
    assert_as_kept(chronicle)


def test_of_two_that_are_left_one_is_claimed_away_and_answers_after_a_resume(
    make: Make, chronicle: Chronicle
) -> None:
    many, (anna, boris, chen) = make(3, 0, 2)
    chronicle.show("who plays", escrow(anna))
    chronicle.watch(anna, boris, chen, pump=many.pump)
    chronicle.type(chen, "resign", "yes")
    play_on(many, 1)
    vanish(many, 1)
    chronicle.happen("the police of Germany and Italy are laid, and Boris loses all links, for long")
    chronicle.watch(anna, chen)
    chronicle.type(anna, "claim", "yes")
    chronicle.show("Chen's list of games", in_list(many, 2))
    boris = many.resume(1)
    chronicle.watch(anna, boris, chen)
    many.connect((0, 1), (1, 2))
    chronicle.happen("Boris comes back")
    assert boris.asked
    assert not boris.over
    chronicle.show("Boris's list of games", in_list(many, 1))
    boris.replica.decide(Recruit(random.Random(1)).decide(boris.session.view))
    many.pump()
    chronicle.happen("Boris answers")
    for table in (anna, boris):
        assert not table.over
        assert table.session.outcome is None
    chronicle.type(anna, "resign")
    assert_as_kept(chronicle)
