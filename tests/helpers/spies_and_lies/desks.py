"""Two desks of Spies & Lies that tests play at, and what is typed at them."""

from __future__ import annotations

import random

from cli.table.controller import Desk
from cli.text.layout import words
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from tests.helpers.ends import Ends


def bots() -> list[Recruit]:
    return [Recruit(random.Random(seed)) for seed in (1, 2)]


def type_in(ends: Ends, desk: Desk, *lines: str) -> None:
    for line in lines:
        desk.enter(line)
        ends.pump()


def hand(desk: Desk) -> list[int]:
    state = desk.replica.session.view.state
    return [rank for rank in range(1, 11) if rank not in state.exhausted[desk.replica.seat]]


def honest_line(desk: Desk) -> str:
    """Four rising soldiers that are in hand, none of them the Sergeant."""
    return " ".join(map(str, [rank for rank in hand(desk) if rank != 4][:4]))


def deployed(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    for desk in desks:
        type_in(ends, desk, honest_line(desk))


def marked(ends: Ends, desks: tuple[Desk, Desk]) -> None:
    deployed(ends, desks)
    for desk in desks:
        type_in(ends, desk, desk.choices("")[0].word)


def gone(desk: Desk) -> bool:
    return desk.left


def notice(desk: Desk) -> str:
    return desk.notice[1] if desk.notice else ""


def page(desk: Desk) -> str:
    assert desk.page is not None
    return "\n".join([desk.page.title, *map(words, desk.page.lines)])
