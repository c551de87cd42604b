"""Players of a game with decks resign and vanish: what all are told before they decide, and at the end."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.commands.export import text
from cli.commands.games import listed
from cli.reports import describe
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.table.seat.watching import WatchedMatch
from cli.text.layout import words
from p2p_stratego.registry import GAMES
from p2p_stratego.spies.bots.recruit import Recruit
from protocol.audit.verdict import ProofPolicy, accept_all, audit, replay
from protocol.channel.limits import CLAIM_WHEN_AWAY
from protocol.crypto.proofs.verification import keeping
from protocol.record.evidence import read_record
from protocol.replication.onlooker import Onlooker
from tests.helpers.links.many import Many

Make = Callable[[int, int, int], tuple[Many, list[TableController]]]
SERVES_NO_MORE = "The escrow serves no more: if another player vanishes, the game ends there."
OUT = "Boris is out of the game: all others have said that Boris does not answer."
NO_KEY = "nobody won (a key is missing; "


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
    found = [seat for seat in many.seats if many.replicas[seat].session.decision is not None]
    return found[0] if len(found) == 1 else None


def does(many: Many, table: TableController, order: str) -> str:
    """Give an order and confirm it; the warnings before that."""
    actions.enter(table, order)
    assert table.pending is not None, table.notice
    told = " ".join(table.pending.warnings)
    actions.enter(table, "yes")
    many.pump()
    return told


def who(table: TableController) -> str:
    actions.enter(table, "who")
    assert table.page is not None
    found, table.page = " ".join(" ".join(map(words, table.page.lines)).split()), None
    return found


def vanish(many: Many, seat: int) -> None:
    """A player loses all links, for longer than others need wait."""
    many.cut(*((seat, other) for other in many.seats if other != seat))
    many.clock.now += CLAIM_WHEN_AWAY
    many.pump()


def ended(table: TableController) -> str:
    """All that the screen says at the end."""
    table.refresh()
    page = "" if table.page is None else " ".join(map(words, table.page.lines))
    return " | ".join((*presentation.question(table), " ".join(page.split())))


def test_an_escrow_that_serves_no_more_is_told_and_a_claim_then_ends_the_match_for_good(make: Make) -> None:
    many, (anna, boris, chen, dana) = make(4, 3, 1)
    assert "escrow serves for one more player who vanishes" in who(anna)
    assert does(many, dana, "resign") == SERVES_NO_MORE
    for table in (anna, boris, chen):
        assert table.log.history[-2:] == ["Dana resigns.", SERVES_NO_MORE]
        assert "escrow serves no more: if another player vanishes" in who(table)
    vanish(many, 1)
    told = does(many, anna, "claim")
    assert "the game ends for good: without Boris's key no card can be drawn, and the escrow needs 3" in told
    assert "No late answer undoes that." in told
    told = "Still to say so: you. The program of Dana, who has resigned, decides whether the game ends here"
    assert told in status_of(chen)
    assert "the game ends for good" in does(many, chen, "claim")
    end = (
        "Nobody wins: without the key of Boris no card can be drawn. "
        "Dana had resigned and Boris had left without a word."
    )
    for table in (anna, chen):
        assert ended(table).startswith(f"{end} | leave | Audit: complete")
        assert (
            "Boris is out of the game: all others have said that Boris does not answer." in table.log.history
        )
    dana.refresh()
    assert ended(dana).startswith(f"{end} | leave | Audit: complete")
    many.replicas[1].close()
    boris = many.resume(1)
    many.connect((0, 1), (1, 2))
    assert ended(boris).startswith(f"{end} | leave | Audit: complete")
    statuses = [listed(home.path)[0]["status"] for home in many.homes]
    assert statuses[0] == f"{NO_KEY}Dana had resigned and Boris had left without a word)"
    assert statuses[1] == f"{NO_KEY}Dana had resigned and you had left without a word)"
    assert statuses[3] == f"{NO_KEY}you had resigned and Boris had left without a word)"
    data = Path(anna.replica.store.path).read_bytes()
    verdict = describe.verdict(audit(data, GAMES, proving=ProofPolicy(hold=accept_all)))
    assert verdict.startswith("unresponsive: nobody has won: without the key of")
    exported = text(replay(data, GAMES, proving=ProofPolicy(hold=accept_all)))
    assert any(OUT in line for line in exported)
    onlooker = Onlooker(many.homes[0].watch(anna.replica.match), GAMES, many.clock)
    for record in anna.session.referee.record:
        onlooker.copy.admit(read_record(record.frame))
    watched = WatchedMatch(onlooker)
    assert OUT in watched.read()
    assert watched.settled
    assert watched.ending.endswith(" had left without a word.")
    onlooker.close()


def status_of(table: TableController) -> str:
    found = presentation.alert(table)
    return "" if found is None else found[1]


def test_of_two_that_are_left_one_is_claimed_away_and_answers_after_a_resume(make: Make) -> None:
    many, (anna, boris, chen) = make(3, 0, 2)
    assert "escrow none: if a player vanishes, the game ends there" in who(anna)
    assert does(many, chen, "resign") == ""
    play_on(many, 1)
    vanish(many, 1)
    assert does(many, anna, "claim").endswith("your word alone, and a late answer undoes it.")
    told = ended(anna)
    assert told.startswith(
        "Anna claims the game: Boris did not answer. Chen had resigned. | leave, or wait: "
    )
    assert "should Boris answer after all, the game goes on | You claim the game." in told
    chen.refresh()
    assert ended(chen).split(" | ")[1] == "leave, or wait: should Boris answer after all, the game goes on"
    assert ended(chen).split(" | ")[2].startswith("You had resigned.")
    assert listed(many.homes[2].path)[0]["status"] == "you had left; claimed, may still be answered"
    boris = many.resume(1)
    many.connect((0, 1), (1, 2))
    assert status_of(boris) == "Anna claims the game: answer now, and it goes on."
    assert boris.asked
    assert not boris.over
    assert listed(many.homes[1].path)[0]["status"] == "claimed by the other side, your turn"
    assert "goes on" in presentation.question(boris)[1] or presentation.choices(boris, "")
    boris.replica.decide(Recruit(random.Random(1)).decide(boris.session.view))
    many.pump()
    for table in (anna, boris):
        table.refresh()
        assert not table.over
        assert table.session.outcome is None
    actions.enter(anna, "resign")
    assert anna.pending is not None
    assert anna.pending.question == "Resign? Only Boris is left then, and wins."
