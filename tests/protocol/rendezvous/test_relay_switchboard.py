"""The state machine of a relay: whom it joins, what it refuses, and when it lets go (threats 79 and 80)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.failures import RelayStatus as Status
from protocol.rendezvous.code_numbers import Bounds, Numbers
from protocol.rendezvous.relay_switchboard import (
    HELLO_BYTES,
    Drop,
    Effect,
    Limits,
    Role,
    Say,
    Switchboard,
    hello,
    hello_to,
    token_of,
)
from tests.helpers.machine.examples import examples

SECRET, OTHER = b"s" * 16, b"o" * 16
TOKEN = token_of(SECRET)
HERE, THERE = "192.0.2.1", "192.0.2.2"


class Desk:
    """A switchboard with a clock, and what it said on each stream; a dropped stream is in `gone`."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.board = Switchboard(limits or Limits())
        self.now = 100.0
        self.answers: dict[int, list[Status]] = {}
        self.gone: set[int] = set()
        self.addresses: dict[int, str] = {}
        """By stream: from where it came."""
        self.numbers: dict[int, int] = {}
        """By stream, at which it was told that it waits."""

    def do(self, effects: list[Effect]) -> None:
        for effect in effects:
            assert effect.stream not in self.gone, "nothing is done to a stream that is gone"
            if isinstance(effect, Say):
                if effect.status is Status.NUMBER:
                    self.numbers[effect.stream] = int.from_bytes(effect.more, "big")
                self.answers.setdefault(effect.stream, []).append(effect.status)
            else:
                assert isinstance(effect, Drop)
                self.gone.add(effect.stream)

    def came(self, words: bytes = b"", address: str = HERE) -> int:
        stream, effects = self.board.came(address, self.now)
        self.addresses[stream] = address
        self.do(effects)
        if words:
            self.do(self.board.heard(stream, words, self.now))
        return stream

    def wait(self, secret: bytes = SECRET, address: str = HERE) -> int:
        return self.came(hello(Role.WAIT, secret), address)

    def call(self, token: bytes = TOKEN, address: str = THERE) -> int:
        return self.came(hello(Role.CALL, token), address)

    def wait_at_number(self, secret: bytes = SECRET, address: str = HERE) -> int:
        return self.came(hello(Role.WAIT_AT_NUMBER, secret), address)

    def call_number(self, number: int, address: str = THERE) -> int:
        return self.came(hello_to(number), address)

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.do(self.board.tick(self.now))

    def carry(self, stream: int, size: int) -> float:
        pause, effects = self.board.carried(stream, size, self.now)
        self.do(effects)
        return pause

    def end(self, stream: int) -> None:
        self.do(self.board.ended(stream, self.now))


def test_a_caller_is_joined_with_the_one_who_waits_under_its_token() -> None:
    desk = Desk()
    waiter, stranger = desk.wait(), desk.wait(OTHER)
    caller = desk.call()
    assert desk.board.partner(caller) == waiter
    assert desk.board.partner(waiter) == caller
    assert desk.board.partner(stranger) is None
    assert desk.answers == {
        waiter: [Status.WAITING, Status.JOINED],
        stranger: [Status.WAITING],
        caller: [Status.JOINED],
    }
    assert not desk.gone


def test_a_hello_may_come_byte_by_byte() -> None:
    desk = Desk()
    waiter = desk.came()
    for at, byte in enumerate(hello(Role.WAIT, SECRET)):
        assert desk.board.wanted(waiter) == HELLO_BYTES - at
        desk.do(desk.board.heard(waiter, bytes((byte,)), desk.now))
    assert desk.answers[waiter] == [Status.WAITING]


@given(st.binary(min_size=16, max_size=16))
@example(b"\r\nFLUSHALL\r\nxxxx")
def test_row_78_a_token_is_no_command_for_what_else_listens_where_a_card_says(token: bytes) -> None:
    greeting = hello(Role.CALL, token)
    assert greeting[-32:].decode() == token.hex()
    assert not set(greeting) & set(b"\r\n\0 ")


def test_row_80_who_was_given_a_token_can_call_but_not_wait_in_its_owners_place() -> None:
    desk = Desk()
    impostor = desk.wait(TOKEN)  # the token for a secret
    caller = desk.call()
    assert desk.board.partner(caller) is None
    waiter = desk.wait()
    assert desk.board.partner(caller) == waiter
    assert desk.board.partner(impostor) is None


def test_a_caller_waits_a_moment_for_one_that_comes_anew() -> None:
    desk = Desk()
    caller = desk.call()
    desk.pass_time(4.9)
    assert caller not in desk.answers
    waiter = desk.wait()
    assert desk.board.partner(waiter) == caller
    late = desk.call()
    desk.pass_time(5.0)
    assert desk.answers[late] == [Status.NOBODY]
    assert late in desk.gone


def test_the_newest_of_several_that_wait_is_joined() -> None:
    """The oldest may be a machine that was switched off."""
    desk = Desk()
    waiters = [desk.wait() for _ in range(4)]
    assert [desk.board.partner(desk.call()) for _ in waiters] == waiters[::-1]
    assert desk.board.partner(desk.call()) is None


def test_row_80_more_that_wait_under_one_token_push_out_the_oldest() -> None:
    desk = Desk()
    waiters = [desk.wait() for _ in range(6)]
    assert desk.gone == set(waiters[:2])
    assert desk.board.partner(desk.call()) == waiters[-1]


def test_row_80_only_so_many_callers_are_held_for_one_token() -> None:
    desk = Desk()
    callers = [desk.call() for _ in range(9)]
    assert desk.answers[callers[8]] == [Status.NOBODY]
    assert desk.gone == {callers[8]}
    waiter = desk.wait()
    assert desk.board.partner(waiter) == callers[0], "the one that has waited longest"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (b"GET / HTTP/1.1", Status.MALFORMED),
        (b"\x16\x03\x01", Status.MALFORMED),
        (b"P2PS", Status.MALFORMED),
        (b"P2PR\x02", Status.VERSION),
        (b"P2PR\x01\x09" + SECRET.hex().encode(), Status.MALFORMED),
        (b"P2PR\x01\x00" + SECRET * 2, Status.MALFORMED),
        (b"P2PR\x01\x01" + b"AB" * 16, Status.MALFORMED),
        (b"P2PR\x01\x01" + b"ab " * 10 + b"ab", Status.MALFORMED),
        (hello(Role.CALL, TOKEN) + b"x", Status.MALFORMED),
    ],
)
def test_row_80_what_is_no_hello_is_refused_with_a_word(words: bytes, status: Status) -> None:
    desk = Desk()
    stream = desk.came(words)
    assert desk.answers[stream] == [status]
    assert desk.gone == {stream}
    assert desk.board.counts.refused == {status: 1}


def test_row_80_nothing_may_be_said_before_two_are_joined() -> None:
    desk = Desk()
    for stream in (desk.wait(), desk.call(OTHER)):
        desk.do(desk.board.heard(stream, b"x", desk.now))
        assert desk.answers[stream][-1] is Status.MALFORMED
        assert stream in desk.gone


def test_row_80_a_slow_or_silent_caller_is_dropped() -> None:
    desk = Desk()
    silent, slow = desk.came(), desk.came(b"P2P")
    desk.pass_time(4.9)
    assert not desk.gone
    desk.do(desk.board.heard(slow, b"R", desk.now))
    desk.pass_time(0.2)
    assert desk.gone == {silent, slow}


def test_row_80_a_relay_takes_so_many_streams_and_fewer_of_one_network() -> None:
    desk = Desk(Limits(streams=10, of_network=4))
    mine = [desk.came(address="2001:db8::1") for _ in range(4)]
    neighbour = desk.came(address="2001:db8::2")
    assert desk.answers[neighbour] == [Status.CROWD], "one household has a whole /64"
    others = [desk.came(address=f"192.0.2.{last}") for last in range(6)]
    late = desk.came(address="192.0.2.77")
    assert desk.answers[late] == [Status.FULL]
    assert desk.gone == {neighbour, late}
    desk.do(desk.board.broke(mine[0]))
    assert desk.came(address="2001:db8::2") not in desk.gone
    assert desk.board.counts.streams == 4 + len(others)


def test_who_waits_hears_so_now_and_then_and_has_to_come_anew_after_an_hour() -> None:
    desk = Desk()
    waiter = desk.wait()
    for _ in range(4):
        desk.pass_time(30.0)
    assert desk.answers[waiter] == [Status.WAITING] * 5
    desk.pass_time(3600.0)
    assert waiter in desk.gone


def test_row_80_whoever_has_thousands_of_networks_keeps_nobody_else_from_calling_a_number() -> None:
    numbers = Numbers(Bounds(calls=2), lambda _: 0)
    for number in range(10_000):
        assert numbers.may_call(f"2001:db8:0:{number:x}::/64", 0.0)
        if not number % 1000:
            numbers.may_call("192.0.2.1", 0.0)
    assert len(numbers.allowances) == 4096
    assert not numbers.may_call("192.0.2.1", 0.0), "it called often, and not long ago"
    assert numbers.may_call("192.0.2.2", 0.0)


def joined(desk: Desk) -> tuple[int, int]:
    return desk.wait(), desk.call()


def test_one_of_two_may_end_first_and_the_other_goes_on_for_a_moment() -> None:
    desk = Desk()
    waiter, caller = joined(desk)
    desk.end(caller)
    desk.end(caller)
    assert not desk.gone
    assert desk.carry(waiter, 10) == 0
    desk.end(waiter)
    assert desk.gone == {waiter, caller}
    waiter, caller = joined(desk)
    desk.end(waiter)
    desk.pass_time(29.0)
    assert caller not in desk.gone
    desk.carry(caller, 1)
    desk.pass_time(1.0)
    assert {waiter, caller} <= desk.gone


def test_one_that_breaks_takes_the_other_with_it() -> None:
    desk = Desk()
    waiter, caller = joined(desk)
    desk.do(desk.board.broke(waiter))
    assert desk.gone == {waiter, caller}
    desk.do(desk.board.broke(caller))
    assert desk.board.counts.streams == 0


def test_row_80_a_pair_ends_when_it_is_idle_too_old_or_too_large() -> None:
    desk = Desk(Limits(size=1000))
    idle, old, large = joined(desk), joined(desk), joined(desk)
    for _ in range(1000):
        desk.now += 100.0
        desk.carry(old[0], 1)
        desk.carry(large[0], 1)
        desk.pass_time(0.0)
        if desk.now == 200.0:
            assert not desk.gone
    assert set(idle) | set(old) | set(large) <= desk.gone
    assert desk.carry(large[0], 1) == 0
    big = joined(desk)
    desk.carry(big[0], 900)
    desk.carry(big[1], 101)
    assert set(big) <= desk.gone, "both directions count"


def test_row_80_a_pair_is_slowed_down_over_its_rate() -> None:
    desk = Desk(Limits(rate=1000.0, burst=500.0))
    waiter, caller = joined(desk)
    assert desk.carry(waiter, 500) == 0
    assert desk.carry(caller, 1000) == 1.0
    desk.pass_time(1.0)
    assert desk.carry(waiter, 0) == 0
    desk.pass_time(10.0)
    assert desk.carry(waiter, 600) == pytest.approx(0.1), "what was not used is not saved up"


# Numbers


def test_who_waits_is_given_a_number_at_which_others_call() -> None:
    desk = Desk()
    waiter, other = desk.wait_at_number(), desk.wait_at_number(OTHER)
    assert desk.answers[waiter] == [Status.NUMBER, Status.WAITING]
    assert 0 < desk.numbers[waiter] != desk.numbers[other] > 0
    caller = desk.call_number(desk.numbers[waiter])
    assert desk.board.partner(caller) == waiter
    assert desk.answers[caller] == [Status.JOINED]
    nobody = next(number for number in (1, 2, 3) if number not in desk.numbers.values())
    assert desk.answers[desk.call_number(nobody)] == [Status.NOBODY]


def test_a_number_stays_with_the_one_who_comes_anew_and_for_a_while_after() -> None:
    desk = Desk()
    waiter = desk.wait_at_number()
    number = desk.numbers[waiter]
    for _ in range(10):  # it waits on, longer than a number is kept
        desk.pass_time(30.0)
    caller = desk.call_number(number)
    late = desk.call_number(number)
    again = desk.wait_at_number()
    assert desk.numbers[again] == number
    assert desk.answers[again] == [Status.NUMBER, Status.JOINED]
    assert [desk.board.partner(stream) for stream in (caller, late)] == [waiter, again]
    desk.pass_time(119.0)
    assert desk.call_number(number) not in desk.answers, "it is held a moment, for one that comes anew"
    desk.pass_time(2.0)
    assert len(desk.board.numbers) == 0
    assert desk.answers[desk.call_number(number)] == [Status.NOBODY]


def test_row_80_nobody_can_choose_a_number_take_anothers_or_hold_many() -> None:
    desk = Desk(Limits(of_network=100))
    mine = desk.wait_at_number()
    impostors = [desk.wait_at_number(bytes((n,)) * 16, THERE) for n in range(10)]
    assert desk.numbers[mine] not in [desk.numbers.get(impostor) for impostor in impostors]
    assert [desk.answers[impostor] for impostor in impostors[8:]] == [[Status.FULL]] * 2
    guess = desk.came(hello(Role.WAIT_AT_NUMBER, token_of(SECRET)), THERE)
    assert desk.answers[guess] == [Status.FULL], "the token is not the secret"
    assert desk.board.partner(desk.call_number(desk.numbers[mine])) == mine


def test_row_80_numbers_are_drawn_and_short_ones_while_there_are_enough() -> None:
    numbers = Numbers(Bounds(of_network=1000), lambda n: n - 1)
    given = [numbers.give(n.to_bytes(16, "big"), HERE, 0.0) for n in range(999)]
    assert sorted(filter(None, given)) == list(range(1, 1000))
    assert all(number is not None and number < 100 for number in given[:50])
    assert numbers.give(b"x" * 16, HERE, 0.0) is None
    assert numbers.give((7).to_bytes(16, "big"), HERE, 0.0) == given[7]
    numbers.tick(1000.0)
    assert len(numbers) == 0
    assert not numbers.networks


def test_row_85_who_calls_number_after_number_has_to_be_patient() -> None:
    desk = Desk()
    calls = [desk.call_number(number) for number in range(1, 26)]
    assert [desk.answers[call] for call in calls[:20]] == [[Status.NOBODY]] * 20
    assert [desk.answers[call] for call in calls[20:]] == [[Status.CROWD]] * 5
    assert desk.answers[desk.call_number(1, HERE)] == [Status.NOBODY], "another network is not refused for it"
    desk.pass_time(6.0)
    assert desk.answers[desk.call_number(1)] == [Status.NOBODY]
    assert desk.answers[desk.call_number(1)] == [Status.CROWD]
    desk.pass_time(120.0)
    assert not desk.board.numbers.allowances


@pytest.mark.parametrize("number", [0, 1000, 65535])
def test_row_80_a_number_that_is_none_has_nobody(number: int) -> None:
    desk = Desk()
    assert desk.answers[desk.call_number(number)] == [Status.NOBODY]
    odd = desk.came(hello(Role.CALL_NUMBER, b"\0\1" + b"x" * 14))
    assert desk.answers[odd] == [Status.MALFORMED]


def test_what_a_relay_counts_names_nobody() -> None:
    desk = Desk()
    joined(desk)
    desk.wait(OTHER)
    counts = desk.board.counts
    assert (counts.streams, counts.waiting, counts.pairs, counts.joined) == (3, 1, 1, 1)
    assert "192.0.2" not in repr(counts)
    assert SECRET.hex() not in repr(counts)


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["wait", "call", "came", "number", "dial", "heard", "end", "break", "carry", "time"]),
        st.integers(0, 5),
        st.integers(0, 12),
    ),
    max_size=60,
)


@examples(80, 800)
@given(ACTS)
def test_row_80_whatever_happens_pairs_stay_pairs_and_no_stream_is_forgotten(
    acts: list[tuple[str, int, int]],
) -> None:
    desk = Desk(Limits(streams=12, of_network=5, waiters=2, callers=2, size=5000))
    streams = [0]
    for act, what, which in acts:
        stream = streams[which % len(streams)]
        token = bytes((what % 2,)) * 16
        address = f"192.0.2.{what}"
        match act:
            case "wait":
                streams.append(desk.wait(token, address))
            case "call":
                streams.append(desk.call(token_of(token), address))
            case "came":
                streams.append(desk.came(address=address))
            case "number":
                streams.append(desk.wait_at_number(token, address))
            case "dial":
                streams.append(desk.call_number(which, address))
            case "heard":
                desk.do(desk.board.heard(stream, b"P2PR\x01"[: what + 1], desk.now))
            case "end":
                desk.end(stream)
            case "break":
                desk.do(desk.board.broke(stream))
            case "carry":
                desk.carry(stream, what * 100)
            case _:
                desk.pass_time(what * 10.0)
        here = set(streams[1:]) - desk.gone
        partners = {stream: desk.board.partner(stream) for stream in here}
        paired = {stream: other for stream, other in partners.items() if other is not None}
        assert all(paired.get(other) == stream for stream, other in paired.items())
        assert desk.board.counts.streams == len(here) <= 12
        assert desk.board.networks == Counter(map(desk.addresses.__getitem__, here)), "no place is lost"
        known = {
            stream
            for lists in (desk.board.waiters, desk.board.held)
            for streams in lists.values()
            for stream in streams
        }
        assert known <= here - paired.keys()
    desk.pass_time(1e6)
    assert desk.board.counts.streams == 0
    assert not desk.board.waiters
    assert not desk.board.held
    assert not desk.board.networks
    assert len(desk.board.numbers) == 0
