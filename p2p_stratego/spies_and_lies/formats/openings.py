"""The openings of Spies & Lies: each side's first line, and what each player says and guesses on day 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from p2p_stratego.core.analysis import MadeDecision
from p2p_stratego.core.game import Commit, Face, Seat, Slot
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.opening import DEPTH, Opening, OpeningKind, Openings, own_line, played_by
from p2p_stratego.spies_and_lies.formats import narration
from p2p_stratego.spies_and_lies.rules.components import MISSIONS, SIDES, SOLDIERS
from p2p_stratego.spies_and_lies.rules.notation import GUESSES, KEEP, LAY, MARKS
from p2p_stratego.spies_and_lies.rules.state import slot

_AT: Final = "at"


def openings(made: Iterator[MadeDecision], seats: int) -> Iterable[Opening]:
    """See `core.opening.Openings.of`."""
    faces: dict[Slot, Face] = {}
    layers: dict[Slot, Seat] = {}
    choices: dict[Seat, list[str]] = {seat: [] for seat in range(seats)}
    for decision in made:
        if decision.view.state.day != 1 or all(len(words) >= DEPTH for words in choices.values()):
            break
        if isinstance(decision.view.decision, Commit):
            layers.update(dict.fromkeys(decision.view.decision.slots, decision.seat))
            if isinstance(decision.answer, tuple):
                faces.update(zip(decision.view.decision.slots, decision.answer, strict=True))
        elif decision.answer in MARKS or decision.answer in GUESSES or decision.answer in (LAY, KEEP):
            choices[decision.seat].append(str(decision.answer))
    variant = played_by(seats)
    for side in SIDES:
        cards = [slot(1, side, mission) for mission in MISSIONS]
        if all(card in faces for card in cards):
            words = [f"{_AT} {mission} {faces[card]}" for mission, card in zip(MISSIONS, cards, strict=True)]
            yield from own_line("lines", variant, layers[cards[0]], words)
    for seat, words in choices.items():
        yield from own_line("guesses", variant, seat, words)


def shown(word: str) -> str:
    """See `core.opening.Openings.shown`."""
    if word in MARKS:
        return _("marks {missions}", missions=narration.missions(sorted(MARKS[word])))
    if word in GUESSES:
        return _("guesses the {soldier}", soldier=narration.card(GUESSES[word]))
    if word in (LAY, KEEP):
        return _("lays a token") if word == LAY else _("lays no token")
    at, mission, rank = word.split(" ")
    if at != _AT or int(mission) not in MISSIONS or int(rank) not in SOLDIERS:
        raise ValueError("no card of a line")
    return _("mission {mission}: {soldier}", mission=mission, soldier=narration.card(int(rank)))


OPENINGS: Final = Openings(
    openings,
    (
        OpeningKind("lines", mark("The first line that a side lays")),
        OpeningKind("guesses", mark("Marks, tokens and guesses of a player on day 1")),
    ),
    shown,
)
