"""SPEC 8.2, the table of what is done with one entry: each row of the page against the referee."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

import pytest

from protocol.errors import Equivocation, Refusal, Violation
from protocol.record.asks.registry import CODEC
from protocol.record.referee import Referee
from protocol.record.silence.gone import Gone
from protocol.record.statements import Kind, parse_record
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, Frame, encode
from tests.helpers.cheats.away import Scene, scenes
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.crossing import owing, running
from tests.helpers.seats.mesh import Mesh
from tests.helpers.seats.pair import Table
from tests.helpers.seats.spec_match import SPEC

ELSEWHERE: Final = bytes(32)
"""A head that no chain has."""
MOVE: Final = (1, "x")
"""The form of a Choice, of no option."""


class Case(NamedTuple):
    """A copy, the entry that comes, and its signer or, if another seat is to blame, that one."""

    mesh: Table
    before: Sequence[Frame]
    entry: Frame
    culprit: int


def verdicts() -> dict[int, str]:
    """The last column of the table, by row."""
    page = SPEC.with_name("spec").joinpath("records.md").read_text(encoding="utf-8")
    table = page.partition("### 8.2 ")[2].partition("### 8.3 ")[0]
    rows = re.findall(r"^\| (\d+) \|(?:[^|]*\|){3} ([^|]*) \|$", table, re.MULTILINE)
    return {int(number): verdict for number, verdict in rows}


@cache
def four() -> Scene:
    """A place of a match of four, behind which the decider has built."""
    for seed in range(30):
        rng = random.Random(seed)
        mesh = Mesh(seed, game=TOY, seats=4, decide=honest, options={"rounds": 2}).run(rng, steps=90)
        mesh.carry(rng)
        for scene in scenes(mesh):
            if scene.follower == scene.decider:
                return scene
    raise AssertionError("no such place")


def signed(mesh: Table, seat: int, number: int, previous: bytes, message: object) -> Frame:
    body = encode((number, seat, previous, message))
    return Frame(ENTRY, body + mesh.seats[seat].identity.sign(labels.SIGN_ENTRY, mesh.begun.id + body))


def judge(case: Case) -> Refusal | None:
    """The refusal of the entry by a copy that has admitted all before, or None."""
    referee = Referee(case.mesh.begun, history=False)
    for frame in case.before:
        referee.admit(parse_record(frame))
    try:
        referee.admit(parse_record(case.entry))
    except Refusal as refusal:
        return refusal
    return None


def after(scene: Scene, *frames: Frame) -> Referee:
    """A copy with these records behind the place."""
    referee = Referee(scene.mesh.begun, history=False)
    for frame in (*scene.before, *frames):
        referee.admit(parse_record(frame))
    return referee


def right_gone(scene: Scene) -> Frame:
    return scene.gone(scene.decider, [scene.away(seat) for seat in scene.accusers])


def head(scene: Scene) -> bytes:
    return scene.mesh.seats[0].session.referee.heads[scene.number]


def of(scene: Scene, before: Sequence[Frame], entry: Frame, culprit: int) -> Case:
    return Case(scene.mesh, [*scene.before, *before], entry, culprit)


def by(scene: Scene, seat: int, number: int, previous: bytes) -> Frame:
    return signed(scene.mesh, seat, number, previous, MOVE)


def no_form() -> Case:
    scene = four()
    return of(scene, [], Frame(ENTRY, bytes(80)), scene.owner)


def repeated() -> Case:
    scene = four()
    return of(scene, scene.entries(), scene.entries()[0], scene.owner)


def forged() -> Case:
    scene = four()
    payload = scene.entries()[0].payload
    return of(scene, [], Frame(ENTRY, payload[:-1] + bytes([payload[-1] ^ 1])), scene.owner)


def another_version() -> Case:
    scene = four()
    return of(scene, scene.entries(), by(scene, scene.owner, scene.number, ELSEWHERE), scene.owner)


def of_another_chain() -> Case:
    scene = four()
    return of(scene, scene.entries(), by(scene, scene.follower, scene.number, ELSEWHERE), scene.follower)


def where_it_was_folded() -> Case:
    scene = four()
    return of(scene, [scene.says(scene.owner, Kind.RESIGN)], scene.entries()[0], scene.owner)


def too_late() -> Case:
    scene = four()
    return of(scene, [right_gone(scene)], scene.entries()[0], scene.owner)


def a_wrong_gone() -> Case:
    scene = four()
    liar = scene.accusers[0]
    return of(scene, scene.entries(1), scene.gone(liar, [scene.away(s) for s in scene.accusers]), liar)


def a_gone_behind_which_its_author_has_built() -> Case:
    scene = four()
    return of(scene, scene.entries(2), right_gone(scene), scene.decider)


def a_right_gone() -> Case:
    scene = four()
    return of(scene, scene.entries(1), right_gone(scene), scene.decider)


def of_a_seat_gone_before() -> Case:
    scene = four()
    owed = after(scene, right_gone(scene)).owed
    assert owed is not None
    leaves = [right_gone(scene), scene.says(owed.seat, Kind.RESIGN)]
    referee = after(scene, *leaves)
    assert referee.count == scene.number + 2
    there = scene.number + 1
    return of(scene, leaves, by(scene, scene.owner, there, referee.heads[there]), scene.owner)


def out_of_turn_below() -> Case:
    scene = four()
    return of(scene, scene.entries(), by(scene, scene.follower, scene.number, head(scene)), scene.follower)


def above() -> Case:
    scene = four()
    return of(scene, [], by(scene, scene.owner, scene.number + 5, head(scene)), scene.owner)


def not_at_the_head() -> Case:
    scene = four()
    return of(scene, [], by(scene, scene.owner, scene.number, ELSEWHERE), scene.owner)


def before_consent() -> Case:
    mesh = four().mesh
    entry = mesh.seats[0].session.referee.entries[0]
    return Case(mesh, [], entry.frame, entry.seat)


def behind_the_end() -> Case:
    mesh = Mesh(1, game=TOY, seats=4, decide=honest, options={"rounds": 2}).run(random.Random(1))
    referee = mesh.seats[0].session.referee
    assert referee.owed is None
    return Case(mesh, mesh.seats[0].log, signed(mesh, 0, referee.count, referee.head, MOVE), 0)


def behind_a_last_word() -> Case:
    mesh = running(2)
    seat = owing(mesh)
    before = list(mesh.seats[0].log)
    referee = mesh.seats[seat].session.referee
    entry = signed(mesh, seat, referee.count, referee.head, MOVE)
    mesh.seats[seat].session.resign()
    own = referee.statements[seat][-1]
    return Case(mesh, [*before, own.frame], entry, seat)


def owed() -> Case:
    scene = four()
    return of(scene, [], scene.entries()[0], scene.owner)


def a_gone_at_the_end() -> Case:
    scene = four()
    return of(scene, [], right_gone(scene), scene.decider)


def of_a_seat_that_is_gone() -> Case:
    scene = four()
    number = scene.number + 1
    entry = by(scene, scene.owner, number, after(scene, right_gone(scene)).head)
    return of(scene, [right_gone(scene)], entry, scene.owner)


def out_of_turn() -> Case:
    scene = four()
    return of(scene, [], by(scene, scene.follower, scene.number, head(scene)), scene.follower)


ROWS: Final[dict[int, Callable[[], Case]]] = {
    1: no_form,
    2: repeated,
    3: forged,
    4: another_version,
    5: of_another_chain,
    6: where_it_was_folded,
    7: too_late,
    8: a_wrong_gone,
    9: a_gone_behind_which_its_author_has_built,
    10: a_right_gone,
    11: of_a_seat_gone_before,
    12: out_of_turn_below,
    13: above,
    14: not_at_the_head,
    15: before_consent,
    16: behind_the_end,
    17: behind_a_last_word,
    18: owed,
    19: a_gone_at_the_end,
    20: of_a_seat_that_is_gone,
    21: out_of_turn,
}


def test_every_row_of_the_table_is_tried() -> None:
    assert [*verdicts()] == [*ROWS]


@pytest.mark.parametrize("row", ROWS)
def test_the_referee_does_with_an_entry_what_the_table_says(row: int) -> None:
    case = ROWS[row]()
    refusal, verdict = judge(case), verdicts()[row]
    if verdict.startswith(("admitted", "judged by")):
        assert refusal is None
    elif verdict.startswith("refused"):
        assert refusal is not None
        assert not isinstance(refusal, Violation | Equivocation)
    elif verdict == "`equivocated`":
        assert isinstance(refusal, Equivocation)
        assert refusal.seat == case.culprit
    else:
        assert isinstance(refusal, Violation)
        assert (f"`{refusal.rule}`", refusal.seat) == (verdict.partition(",")[0], case.culprit)


def test_what_is_judged_elsewhere_can_fail_there() -> None:
    """Rows 18 and 19: SPEC 8.3 and 10.11.2."""
    scene = four()
    for message, rule in ((99, "not-a-message"), (CODEC.value(Gone(scene.owner, (b"x",))), "wrong-message")):
        entry = signed(scene.mesh, scene.owner, scene.number, head(scene), message)
        refusal = judge(of(scene, [], entry, scene.owner))
        assert isinstance(refusal, Violation)
        assert (refusal.rule, refusal.seat) == (rule, scene.owner)
    liar = scene.accusers[0]
    refusal = judge(of(scene, [], scene.gone(liar, [scene.away(s) for s in scene.accusers]), liar))
    assert isinstance(refusal, Violation)
    assert (refusal.rule, refusal.seat) == ("false-gone", liar)
