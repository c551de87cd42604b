"""Draws among three and more when some have resigned and not owed anything since."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.game import Outcome
from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import Report, Verdict
from protocol.errors import Misplaced, Violation
from protocol.failures import NotNow
from protocol.record import statements
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import is_decision
from protocol.record.evidence import read_record
from protocol.record.judgement import NoProof
from protocol.record.referee import Referee
from protocol.record.statements import Kind, parse_record
from protocol.seat import replies
from protocol.seat.secrets import MatchSecrets
from protocol.wire import labels, transcript
from protocol.wire.encoding import STATEMENT, Frame
from tests.helpers.cheats.away import Scene
from tests.helpers.cheats.bout import Bout, Liar, compare, judge, judge_all, owing
from tests.helpers.cheats.tables import ALL_GAMES
from tests.helpers.games.toy import TOY
from tests.helpers.machine.examples import examples
from tests.helpers.seats.crossing import owing as owes
from tests.helpers.seats.crossing import running
from tests.helpers.seats.mesh import Mesh
from tests.helpers.seats.pair import Seat

DRAW = Outcome(frozenset(), "agreed-draw")


def agree(mesh: Mesh, order: random.Random, offerer: int, left: set[int]) -> None:
    """`offerer` offers a draw, and all accept it that have not `left`; the seat that owes does so last.  If
    it made the offer and nobody has left, its program does that by itself.
    """
    last = owes(mesh)
    mesh.seats[offerer].session.offer_draw()
    mesh.carry(order)
    for seat in mesh.seats:
        if seat.seat not in {*left, offerer, last}:
            seat.session.accept_draw()
    mesh.carry(order)
    if last != offerer or left:
        mesh.seats[last].session.accept_draw()
    mesh.carry(order)


@pytest.mark.parametrize("claims", [False, True])
@given(order=st.randoms(use_true_random=False), seats=st.sampled_from([3, 4, 5]), data=st.data())
@examples(10, 80)
def test_who_has_resigned_and_gone_home_is_asked_for_no_draw(
    claims: bool, order: random.Random, seats: int, data: st.DataObject
) -> None:
    mesh = running(seats, claims=claims)
    others = [seat for seat in range(seats) if seat != owes(mesh)]
    left = set(data.draw(st.lists(st.sampled_from(others), min_size=1, max_size=seats - 2, unique=True)))
    offerer = data.draw(st.sampled_from([seat for seat in range(seats) if seat not in left]))
    for end in left:
        mesh.seats[end].session.resign()
    if data.draw(st.booleans()):
        mesh.carry(order)  # else the resignations cross everything that follows
        agree(mesh, order, offerer, left)
    else:
        agree_in_any_order(mesh, order, offerer, left)
    staying = [seat for seat in mesh.seats if seat.seat not in left]
    reports = judge_all(mesh.seats, every_signature=True)
    for seat in staying:
        assert seat.session.outcome == DRAW
        assert seat.session.copy.complete
        assert set(seat.session.referee.signers) == {end.seat for end in staying}
    assert {(report.verdict, report.outcome) for report in reports} == {(Verdict.COMPLETE, DRAW)}
    together = compare(reports)
    assert together.agree
    assert together.fault is None
    for end in left:
        with pytest.raises(NotNow):
            mesh.seats[end].session.say("and I?")


def agree_in_any_order(mesh: Mesh, order: random.Random, offerer: int, left: set[int]) -> None:
    """As `agree`, each as soon as it can, with records under way on all links."""
    mesh.seats[offerer].session.offer_draw()
    for seat in mesh.seats:
        mesh.deliver(seat)
    while True:
        able = [seat for seat in mesh.seats if seat.seat not in left and seat.session.draw_offer is not None]
        busy = [link for link, queue in sorted(mesh.links.items()) if queue]
        if not able and not busy:
            return
        if able and (not busy or order.randrange(3) == 0):
            order.choice(able).session.accept_draw()
        else:
            mesh.arrive(*order.choice(busy))
        for seat in mesh.seats:
            mesh.deliver(seat)


def test_who_is_left_alone_with_its_offer_makes_no_draw_of_it() -> None:
    """All others have resigned: it wins, whatever it offered before."""
    order = random.Random(1)
    mesh = running(3)
    alone = owes(mesh)
    mesh.seats[alone].session.offer_draw()
    for seat in mesh.seats:
        if seat.seat != alone:
            seat.session.resign()
    mesh.carry(order)
    assert mesh.seats[alone].session.draw_offer is None
    mesh.run(order)
    assert {seat.session.outcome for seat in mesh.seats} == {Outcome(frozenset({alone}), "deserted")}


def test_the_author_that_owes_the_move_can_accept_its_own_offer_too() -> None:
    """It does so by itself once it may sign; a player that says it first may do so."""
    order = random.Random(1)
    mesh = running(3)
    author = mesh.seats[owes(mesh)]
    author.session.offer_draw()
    mesh.carry(order)
    author.session.proven = False  # nothing is signed by itself before a comparison
    for seat in mesh.seats:
        if seat is not author:
            seat.session.accept_draw()
    mesh.carry(order)
    offer = author.session.draw_offer
    assert offer is not None
    assert offer.seat == author.seat
    author.session.accept_draw()
    author.session.proven = True
    mesh.carry(order)
    assert {seat.session.outcome for seat in mesh.seats} == {DRAW}


def claimed_draw(seats: int) -> tuple[Bout, Frame]:
    """The liar owes a choice; the first honest seat has offered a draw, nobody has accepted it: the liar's
    acceptance, as if it were the last one.
    """
    for seed in range(20):
        bout = Bout(seed, game=TOY, seats=seats, options={"rounds": 2}, liar=1)
        if bout.run(owing(Choice)):
            break
    bout.honest[0].session.offer_draw()
    bout.spread()
    index = len(bout.liar.referee.statements[0]) - 1
    return bout, bout.liar.statement(Kind.ACCEPT_DRAW, (0, index))


@pytest.mark.parametrize("seats", [3, 4])
def test_who_claims_a_draw_before_all_agree_gets_none_and_may_not_move_then(seats: int) -> None:
    bout, word = claimed_draw(seats)
    entry = bout.liar.entry(bout.liar.truth())
    for taken in bout.lie([word]):
        assert isinstance(taken, Misplaced)
    log = [*bout.honest[0].log, word]
    assert judge(transcript.write(bout.begun.body, log)).verdict is Verdict.TAMPERED
    # One resigns, all others accept it: now the liar has agreed to the draw, and may not go on.
    bout.honest[-1].session.resign()
    for seat in bout.honest[1:-1]:
        seat.session.accept_draw()
    bout.spread()
    bout.tell(word)
    for seat in bout.honest:
        assert seat.session.outcome == DRAW
    for taken in bout.lie([entry]):
        assert isinstance(taken, Violation)
    fault = Fault(1, "entry", bout.liar.referee.count - 1, "went-on")
    for report in bout.reports(every_signature=True):
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
        assert report.proof is not None
        assert proof.check(report.proof, ALL_GAMES) == fault


def test_the_proof_of_such_a_draw_needs_the_resignation() -> None:
    """A proof without it shows no draw, so blames nobody."""
    bout, word = claimed_draw(4)
    entry = bout.liar.entry(bout.liar.truth())
    bout.honest[-1].session.resign()
    bout.honest[1].session.accept_draw()
    bout.spread()
    bout.tell(word)
    bout.lie([entry])
    report = bout.reports()[0]
    assert report.proof is not None
    resigned = next(s for s in bout.liar.referee.statements[3] if s.kind is Kind.RESIGN)
    assert bytes(resigned.frame) in report.proof
    with pytest.raises(NoProof):
        proof.check(report.proof.replace(bytes(resigned.frame), b""), ALL_GAMES)


def test_who_has_left_shows_nothing_afterwards() -> None:
    """Copies with and without its REVEAL would differ, and its claims are never settled."""
    order = random.Random(3)
    mesh = running(3, claims=True)
    leaver = (owes(mesh) + 1) % 3
    before = mesh.seats[leaver].session.referee.count
    mesh.seats[leaver].session.resign()
    mesh.run(order)
    seat = mesh.seats[leaver]
    referee = seat.session.referee
    assert leaver in referee.table.gone
    own = referee.statements[leaver]
    scene = Scene(mesh, before, leaver, leaver)
    late = scene.says(leaver, Kind.REVEAL, 0, ((1, bytes(32)),))
    assert own[-1].count == before
    for end in mesh.seats:
        if end is not seat:
            with pytest.raises(Misplaced):
                end.session.receive(read_record(late))
            assert end.session.fault is None


def test_who_says_that_a_resigned_seat_hides_its_cards_may_lack_the_resignation() -> None:
    """No head tells of it, so such an AWAY blames nobody, and ends nothing."""
    order = random.Random(1)
    mesh = running(4, claims=True)
    last = owes(mesh)
    left, offerer, other = (seat for seat in range(4) if seat != last)
    mesh.seats[left].session.resign()
    agree(mesh, order, offerer, {left})
    referee = mesh.seats[other].session.referee
    assert referee.never_settled == (left,)
    away = Scene(mesh, referee.count, last, last).says(other, Kind.AWAY, left, 60, b"")
    mesh.seats[last].session.receive(read_record(away))
    assert mesh.seats[last].session.outcome == DRAW


def test_row_99_what_is_proved_behind_a_draw_holds_the_draw_though_its_last_seat_accepted_it_twice() -> None:
    """Once before it owed anything, which has no effect, and once in the place of what it owed."""
    order = random.Random(1)
    for seed in range(1, 50):
        mesh = running(4, seed=seed)
        owner = owes(mesh)
        number = mesh.seats[0].session.referee.count
        if mesh.seats[0].session.referee.entries[-1].seat != owner:
            break
    first, *others = (seat for seat in range(4) if seat != owner)
    mesh.seats[first].session.offer_draw()
    mesh.carry(order)
    for seat in others:
        mesh.seats[seat].session.accept_draw()
    mesh.carry(order)
    scene = Scene(mesh, number, owner, first)
    offered = first, len(mesh.seats[first].session.referee.statements[first]) - 1
    early = scene.says(owner, Kind.ACCEPT_DRAW, *offered, over=-1)
    last = scene.says(owner, Kind.ACCEPT_DRAW, *offered, after=[early])
    frames = [*mesh.seats[first].log, early, last]
    watching = Referee(mesh.begun)
    for frame in frames:
        watching.admit(parse_record(frame))
    assert watching.ended_by_rules == DRAW
    support = [*watching.support(watching.entries[-1])]
    kinds = [statements.parse(frame.payload).kind for frame in support]
    assert kinds == [Kind.OFFER_DRAW, *[Kind.ACCEPT_DRAW] * 3]
    after = len(watching.statements[owner]), watching.statement_heads[owner][-1]
    over = watching.count, watching.head
    body = statements.body(owner, after, over, Kind.END, ((first,), "points"))
    lie = Frame(STATEMENT, body + scene.sign(owner, labels.SIGN_STATEMENT, body))
    report = judge(transcript.write(mesh.begun.body, [*frames, lie]), every_signature=True)
    assert report.fault == Fault(owner, "statement", number + 1, "false-end")
    assert report.proof is not None
    assert proof.check(report.proof, ALL_GAMES) == report.fault


def proven_behind(mesh: Mesh, liar: int, offered: tuple[int, int], *, again: bool) -> Report:
    """The report, with its proof, on an END of the `liar` that tells of a win behind an agreed draw.

    `again`: whether the liar accepts the draw once more before that.
    """
    ends = {frame.payload for seat in mesh.seats for frame in seat.log if is_end(frame)}
    frames = [frame for frame in mesh.seats[offered[0]].log if frame.payload not in ends]
    watching = Referee(mesh.begun)
    for frame in frames:
        watching.admit(parse_record(frame))
    scene = Scene(mesh, watching.count - 1, liar, liar)

    def say(kind: Kind, content: statements.Content) -> None:
        after = len(watching.statements[liar]), watching.statement_heads[liar][-1]
        body = statements.body(liar, after, (watching.count, watching.head), kind, content)
        frames.append(Frame(STATEMENT, body + scene.sign(liar, labels.SIGN_STATEMENT, body)))

    if again:
        say(Kind.ACCEPT_DRAW, offered)
        watching.admit(parse_record(frames[-1]))
    say(Kind.END, ((offered[0],), "points"))
    report = judge(transcript.write(mesh.begun.body, frames), every_signature=True)
    assert report.fault == Fault(liar, "statement", watching.count, "false-end")
    return report


def is_end(frame: Frame) -> bool:
    return frame.kind == STATEMENT and statements.parse(frame.payload).kind is Kind.END


def test_row_99_a_proof_behind_a_draw_rests_on_no_word_said_behind_it() -> None:
    """Who has accepted may say so again once play is over: else no proof of its next lie would hold."""
    order = random.Random(1)
    mesh = running(4)
    first, liar, _other = (seat for seat in range(4) if seat != owes(mesh))
    agree(mesh, order, first, set())
    offer = next(s for s in mesh.seats[first].session.referee.statements[first] if s.kind is Kind.OFFER_DRAW)
    report = proven_behind(mesh, liar, (first, offer.index), again=True)
    assert report.proof is not None
    assert proof.check(report.proof, ALL_GAMES) == report.fault


def test_row_99_a_proof_behind_a_draw_tells_who_went_home_though_it_had_accepted() -> None:
    """It shows no cards any more: without its RESIGN the proof would wait for them, and blame nobody."""
    order = random.Random(1)
    mesh = running(4, claims=True)
    first, home, liar = (seat for seat in range(4) if seat != owes(mesh))
    mesh.seats[first].session.offer_draw()
    mesh.carry(order)
    mesh.seats[home].session.accept_draw()
    mesh.seats[home].session.resign()
    mesh.carry(order)
    for seat in (liar, owes(mesh)):
        mesh.seats[seat].session.accept_draw()
        mesh.carry(order)
    assert mesh.seats[first].session.referee.never_settled == (home,)
    offer = next(s for s in mesh.seats[first].session.referee.statements[first] if s.kind is Kind.OFFER_DRAW)
    report = proven_behind(mesh, liar, (first, offer.index), again=False)
    assert report.proof is not None
    assert proof.check(report.proof, ALL_GAMES) == report.fault


@pytest.mark.parametrize("first", ["draw", "gone"])
def test_a_draw_that_its_last_seat_agreed_to_too_late_yields_to_a_gone(first: str) -> None:
    """The others had taken the seat out; its word comes late, or came first to a copy that only watched."""
    order = random.Random(1)
    mesh = running(4)
    owner = owes(mesh)
    *accusers, decider = (seat for seat in range(4) if seat != owner)
    mesh.seats[decider].session.offer_draw()
    mesh.carry(order)
    for seat in accusers:
        mesh.seats[seat].session.accept_draw()
    mesh.carry(order)
    before = list(mesh.seats[0].log)
    mesh.seats[owner].session.accept_draw()
    word = mesh.seats[owner].persist()
    number = mesh.seats[decider].session.referee.count
    gone: list[Frame] = []
    for seat in (*accusers, decider):  # the decider comes last: it signs the Gone with its own claim
        mesh.seats[seat].session.claim_away(60)
        for frame in mesh.seats[seat].persist():
            gone.append(frame)
            for other in mesh.seats:
                if other.seat not in (seat, owner):
                    other.session.receive(read_record(frame))
    referees = [mesh.seats[seat].session.referee for seat in (*accusers, decider)]
    assert all(referee.table.gone == {owner: number} for referee in referees)
    aways = [frame for frame in gone if frame.kind == STATEMENT]
    rest = [frame for frame in gone if frame.kind != STATEMENT]
    frames = [*aways, *word, *rest] if first == "draw" else [*gone]
    watching = Referee(mesh.begun)
    for frame in [*before, *frames]:
        watching.admit(parse_record(frame))
    assert watching.head == referees[0].heads[number + 1]
    assert watching.ended_by_rules is None
    report = judge(transcript.write(mesh.begun.body, [*before, *frames]), every_signature=True)
    assert report.fault is None
    assert report.verdict is Verdict.INCOMPLETE


def test_a_word_dated_back_below_a_gone_leaves_a_copy_whole() -> None:
    """A crooked accuser shows its cards, over fewer entries, once the late word of the owner ended play in
    one copy.  Then the Gone comes: what rests on that end is forgotten, and the copy goes on.
    """
    order = random.Random(1)
    mesh = running(4, claims=True)
    owner = owes(mesh)
    *accusers, decider = (seat for seat in range(4) if seat != owner)
    number = mesh.seats[0].session.referee.count
    mesh.seats[decider].session.offer_draw()
    mesh.carry(order)
    for seat in accusers:
        mesh.seats[seat].session.accept_draw()
    mesh.carry(order)
    scene = Scene(mesh, number, owner, accusers[0])
    before = list(mesh.seats[decider].log)
    aways = [scene.away(seat) for seat in accusers]
    gone = scene.gone(decider, aways)
    mesh.seats[owner].session.accept_draw()
    word = mesh.seats[owner].persist()[0]
    crook = mesh.seats[accusers[0]]
    watching = Referee(mesh.begun)
    for frame in [*before, *aways, word]:
        watching.admit(parse_record(frame))
    assert crook.seat in watching.unsettled
    shown = replies.openings(MatchSecrets(crook.master), watching, crook.seat, crook.session.known)
    late = scene.says(crook.seat, Kind.REVEAL, 0, shown, after=aways[:1])
    for frame in (late, gone):
        watching.admit(parse_record(frame))
    assert watching.ended_by_rules is None
    assert watching.table.gone == {owner: number}
    assert {owner, crook.seat} <= watching.forgotten
    report = judge(transcript.write(mesh.begun.body, [*before, *aways, word, late, gone]))
    assert (report.fault, report.problem) == (None, None)


def gamble(author: int, closer: int) -> tuple[Bout, Frame]:
    """The liar `author` owes a choice and offers a draw, all honest seats accept; then it decides instead.

    With the match, which stands where `closer` owes cards, the acceptance of that one, as the last.
    """
    for seed in range(50):
        friend = None if author == closer else closer
        bout = Bout(seed, game=TOY, seats=4, options={"rounds": 2}, liar=author, friend=friend)
        if not bout.run(owing(Choice)):
            continue
        bout.tell(bout.liar.statement(Kind.OFFER_DRAW))
        for seat in bout.honest:
            seat.session.accept_draw()
        bout.spread()
        bout.tell(bout.liar.entry(bout.liar.truth()))
        last = bout.liars[-1]
        if bout.run(lambda bout: (owed := bout.liars[-1].owes) is not None and owed.message is Commitments):
            index = len(bout.liar.referee.statements[author]) - 1
            return bout, last.statement(Kind.ACCEPT_DRAW, (author, index))
    raise AssertionError("no match fits")


@pytest.mark.parametrize(("author", "closer"), [(0, 0), (2, 0)], ids=["itself", "its friend"])
def test_row_129_who_plays_on_with_a_draw_in_hand_has_it_no_more(author: int, closer: int) -> None:
    """Its author has seen what its decision brings, and wants the draw now; the others accepted it before."""
    bout, word = gamble(author, closer)
    for taken in bout.lie([word]):
        assert isinstance(taken, Misplaced)
    assert all(seat.session.outcome is None for seat in bout.honest)
    log = [*bout.honest[0].log, word]
    assert judge(transcript.write(bout.begun.body, log)).verdict is Verdict.TAMPERED
    for seat in bout.honest:
        assert seat.session.draw_offer is not None
        seat.session.accept_draw()
        assert seat.session.draw_offer is None
    bout.spread()
    bout.tell(word)
    assert {seat.session.outcome for seat in bout.honest} == {DRAW}
    for report in bout.reports(every_signature=True):
        assert report.fault is None
        assert report.outcome == DRAW


def test_row_129_a_friend_that_waits_for_cards_of_others_has_no_draw_in_hand() -> None:
    """Nobody decides: the friend holds its opening back until all others accept, and sees theirs then."""
    author, friend = 0, 1
    bout = Bout(1, game=TOY, seats=4, options={"rounds": 2}, liar=author, friend=friend)
    partner = bout.liars[-1]
    assert bout.run(lambda _bout: (owed := partner.owes) is not None and owed.message is Opening)
    bout.tell(bout.liar.statement(Kind.OFFER_DRAW))
    offered = author, len(bout.liar.referee.statements[author]) - 1
    for seat in bout.honest:
        seat.session.accept_draw()
    assert bout.run(lambda bout: bout.liar.owes is not None)
    bout.tell(partner.statement(Kind.ACCEPT_DRAW, offered))
    word = bout.liar.statement(Kind.ACCEPT_DRAW, offered)
    for taken in bout.lie([word]):
        assert isinstance(taken, Misplaced)
    assert {seat.session.outcome for seat in bout.honest} == {None}
    assert bout.run(lambda bout: decides(bout) is not None)
    all_accept(bout, offered)
    for report in bout.reports(every_signature=True):
        assert report.fault is None
        assert report.outcome == DRAW


def decides(bout: Bout) -> int | None:
    """The seat that owes a decision."""
    owed = bout.liar.referee.owed
    return owed.seat if owed is not None and is_decision(owed) else None


def all_accept(bout: Bout, offered: tuple[int, int]) -> None:
    """All but the author accept an offer, who owes a decision last; then also if it is the author."""
    owner = decides(bout)
    assert owner is not None
    ends: list[Seat | Liar] = [*bout.honest, *bout.liars]
    for end in sorted(ends, key=lambda end: end.seat == owner):
        if end.seat == offered[0] != owner:
            continue
        if isinstance(end, Liar):
            bout.tell(end.statement(Kind.ACCEPT_DRAW, offered))
        elif not end.session.over:  # an honest author that owes has accepted by itself
            end.session.accept_draw()
        bout.spread()


@pytest.mark.parametrize("proofs", [False, True])
def test_row_130_who_holds_back_what_its_program_owes_has_no_draw_in_hand(proofs: bool) -> None:
    """All but the liar have opened their cards, so that it alone knows how the round ends."""
    bout = Bout(1, game=TOY, seats=4, options={"rounds": 2}, liar=3, proofs=proofs)
    assert bout.run(
        lambda bout: bout.liar.owes is not None and decides(bout) is None and bout.liar.referee.count > 8
    )
    author = bout.honest[0]
    author.session.offer_draw()
    bout.spread()
    offered = author.seat, len(bout.liar.referee.statements[author.seat]) - 1
    for seat in bout.honest[1:]:
        seat.session.accept_draw()
    bout.spread()
    word = bout.liar.statement(Kind.ACCEPT_DRAW, offered)
    for taken in bout.lie([word]):
        assert isinstance(taken, Misplaced)
    log = [*bout.honest[0].log, word]
    assert judge(transcript.write(bout.begun.body, log)).verdict is Verdict.TAMPERED
    # It opens them: then all can accept anew.
    bout.tell(bout.liar.entry(bout.liar.truth()))
    assert bout.run(lambda bout: decides(bout) is not None)
    assert {seat.session.outcome for seat in bout.honest} == {None}
    all_accept(bout, offered)
    assert {seat.session.outcome for seat in bout.honest} == {DRAW}


def test_row_131_who_offered_a_draw_and_played_on_is_asked_before_it_stands() -> None:
    """The others accept once its turn goes well: its program says nothing for it, which has seen more."""
    order = random.Random(1)
    for seed in range(1, 50):
        mesh = running(3, seed=seed)
        author = owes(mesh)
        mesh.seats[author].session.offer_draw()
        mesh.let_decide(mesh.seats[author])
        mesh.carry(order)
        if owes(mesh) == author and mesh.seats[author].session.decision is not None:
            break
    others = [seat for seat in mesh.seats if seat.seat != author]
    for seat in others:
        seat.session.accept_draw()
    mesh.carry(order)
    session = mesh.seats[author].session
    assert session.outcome is None
    assert session.draw_offer is not None
    assert session.draw_offer.seat == author
    session.accept_draw()
    mesh.carry(order)
    assert {seat.session.outcome for seat in mesh.seats} == {DRAW}


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("accepted", [False, True])
def test_row_131_who_offered_a_draw_is_asked_again_once_somebody_has_gone_home(
    seats: int, accepted: bool
) -> None:
    """Whoever was its reason for a draw may be out of the match now, and may have shown its cards."""
    order = random.Random(1)
    mesh = running(seats)
    author = owes(mesh)
    home, *others = (seat for seat in range(seats) if seat != author)
    session = mesh.seats[author].session
    session.offer_draw()
    mesh.carry(order)
    if accepted:
        mesh.seats[home].session.accept_draw()
    mesh.seats[home].session.resign()
    mesh.carry(order)
    for seat in others:
        mesh.seats[seat].session.accept_draw()
    mesh.carry(order)
    assert session.outcome is None
    assert session.draw_offer is not None
    assert session.draw_offer.seat == author
    assert session.decision is not None
    session.accept_draw()
    mesh.carry(order)
    assert {mesh.seats[seat].session.outcome for seat in (author, *others)} == {DRAW}


def test_row_131_who_offered_a_draw_and_then_decided_has_decided() -> None:
    """Its entry cannot go out yet, while the others accept; once it can, it does."""
    order = random.Random(1)
    mesh = running(3)
    author = owes(mesh)
    session = mesh.seats[author].session
    session.offer_draw()
    mesh.carry(order)
    session.proven = False  # nothing is signed by itself before a comparison
    mesh.let_decide(mesh.seats[author])
    assert session.kept is not None
    for seat in mesh.seats:
        if seat.seat != author:
            seat.session.accept_draw()
    mesh.carry(order)
    session.proven = True
    number = session.referee.count
    mesh.seats[(author + 1) % 3].session.say("well?")
    mesh.carry(order)
    assert session.referee.entries[number].seat == author
    assert {seat.session.outcome for seat in mesh.seats} == {None}
