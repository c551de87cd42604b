"""Keys in shares: enough seats release one, fewer learn nothing, and who cheats is named."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import pytest

from protocol.crypto.group.backend import ORDER, group
from protocol.crypto.group.received import ProofError, written
from protocol.crypto.proofs import escrow, keys
from protocol.crypto.proofs.escrow import Deal
from tests.helpers.crypto.deck import Seats


def dealt(seats: Seats, dealer: int, threshold: int) -> Deal:
    fields = escrow.deal(seats.prover(0, dealer), seats.share_keys, threshold)
    assert [len(field) for field in fields] == [32 * (threshold - 1), 96, 32 * (len(seats.keys) - 1)]
    return escrow.check_deal(seats.party(0, dealer), len(seats.keys), threshold, fields)


@pytest.mark.parametrize(("count", "threshold"), [(3, 2), (4, 2), (4, 3), (5, 2), (5, 4)])
def test_any_seats_of_the_threshold_release_the_key_and_fewer_do_not(count: int, threshold: int) -> None:
    seats = Seats(count)
    for dealer in range(count):
        deal = dealt(seats, dealer, threshold)
        shares = {}
        for seat in set(range(count)) - {dealer}:
            share = escrow.share(deal, seat, seats.share_secrets[seat])
            assert share is not None
            shares[seat] = escrow.read_share(deal, seat, written(share))
        for size in range(1, count):
            for some in combinations(shares, size):
                x = escrow.combine({seat: shares[seat] for seat in some})
                assert (x == seats.secrets[dealer]) == (size >= threshold)
                if size >= threshold:
                    assert keys.read_secret(written(x), seats.keys[dealer]) == x


def test_row_75_a_dealer_of_a_false_share_is_named_by_a_complaint() -> None:
    seats = Seats(3)
    committed, ephemeral, pads = escrow.deal(seats.prover(0, 0), seats.share_keys, 2)
    spoilt = bytes((pads[0] ^ 1,)) + pads[1:]
    deal = escrow.check_deal(seats.party(0, 0), 3, 2, (committed, ephemeral, spoilt))
    assert escrow.share(deal, 1, seats.share_secrets[1]) is None
    assert escrow.share(deal, 2, seats.share_secrets[2]) is not None
    complaint = escrow.complain(seats.receiver(0, 1), deal)
    assert escrow.judge(seats.receiver(0, 1).party, deal, *complaint) is True


def test_row_75_a_false_complaint_names_its_author() -> None:
    seats = Seats(3)
    deal = dealt(seats, 0, 2)
    point, proof = escrow.complain(seats.receiver(0, 1), deal)
    assert escrow.judge(seats.receiver(0, 1).party, deal, point, proof) is False
    assert escrow.judge(seats.receiver(0, 1).party, deal, group().base(5), proof) is False


def test_row_75_a_dealer_is_not_blamed_by_a_false_proof() -> None:
    seats = Seats(3)
    committed, ephemeral, _ = escrow.deal(seats.prover(0, 0), seats.share_keys, 2)
    deal = escrow.check_deal(seats.party(0, 0), 3, 2, (committed, ephemeral, bytes(64)))
    point, proof = escrow.complain(seats.receiver(0, 1), deal)
    judge = partial(escrow.judge, seats.receiver(0, 1).party, deal)
    assert judge(point, proof) is True
    assert [judge(group().base(5), proof), judge(bytes(32), proof), judge(point, bytes(64))] == [False] * 3


def test_row_75_a_false_share_is_refused_when_it_is_released() -> None:
    seats = Seats(3)
    first, second = dealt(seats, 0, 2), dealt(seats, 1, 2)
    share = escrow.share(first, 2, seats.share_secrets[2])
    assert share is not None
    for deal, seat, number in ((first, 1, share), (second, 2, share), (first, 2, (share + 1) % ORDER)):
        with pytest.raises(ProofError, match="wrong-share"):
            escrow.read_share(deal, seat, written(number))
    with pytest.raises(ProofError, match="not-a-message"):
        escrow.read_share(first, 2, (share + ORDER).to_bytes(32, "little"))


def test_row_75_the_point_of_a_deal_is_the_dealer_s_own() -> None:
    """Were it the first point of somebody's card, a complaint would read that card."""
    seats = Seats(3)
    committed, ephemeral, pads = escrow.deal(seats.prover(0, 0), seats.share_keys, 2)
    theirs = seats.own(1, 9).a
    with pytest.raises(ProofError, match="wrong-share"):
        escrow.check_deal(seats.party(0, 0), 3, 2, (committed, theirs + ephemeral[32:], pads))


def test_shares_hide_what_they_are_from_all_but_their_receiver() -> None:
    seats = Seats(4)
    deal = dealt(seats, 0, 2)
    assert len({*deal.pads.values()}) == 3
    for seat in (1, 2, 3):
        for other in {1, 2, 3} - {seat}:
            assert escrow.share(deal, seat, seats.share_secrets[other]) is None


def test_who_gives_its_key_away_opens_no_share_of_another_key() -> None:
    """Otherwise one seat fewer than agreed could read a hand as soon as another seat has left."""
    seats = Seats(3)
    assert escrow.share(dealt(seats, 0, 2), 1, seats.secrets[1]) is None
    assert not set(seats.secrets) & set(seats.share_secrets)
