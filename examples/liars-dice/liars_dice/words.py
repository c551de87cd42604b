"""The game in words; this module is a `core.narration.Narration`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from liars_dice.rules import Bid, Shown, State, counted
from p2p_stratego.core import narration
from p2p_stratego.core.game import Options, Outcome
from p2p_stratego.core.language import _, mark, n_

_REASONS: Final[Mapping[str, str]] = {"last": mark("{W} wins: nobody else has dice left.")}
_SHORT: Final[Mapping[str, str]] = {"last": mark("the last with dice")}


def of_bid(bid: Bid) -> str:
    """A bid: "3 × 5"."""
    return f"{bid.least} × {bid.face}"


def of_dice(dice: Sequence[int]) -> str:
    """Dice in a row, ascending: "[1] [5] [5]"."""
    return " ".join(f"[{die}]" for die in sorted(dice))


def step(before: State | None, after: State, names: Sequence[str]) -> Sequence[str]:
    """The events of one step."""
    if before is None:
        return (_("{name} begins.", name=names[after.next]),)
    sentences = []
    if after.round > before.round:
        sentences.append(
            _("Round {round}: all have rolled, {dice} dice in all.", round=after.round, dice=after.total)
        )
    elif after.bid is not None and after.bid != before.bid:
        sentences.append(_("{name} bids {bid}.", name=names[after.bidder], bid=of_bid(after.bid)))
    elif after.shown is not None and after.shown is not before.shown:
        sentences += _challenge(after.shown, before.wild, names)
    if after.shown is None or after.shown.loser is None or after.shown is before.shown:
        left = [name for name, had, has in zip(names, before.dice, after.dice, strict=True) if had > has]
        sentences += [_("{name} has left, and the dice with it.", name=name) for name in left]
    return (*sentences, *([ending(after.ended, names)] if after.ended else []))


def _challenge(shown: Shown, wild: bool, names: Sequence[str]) -> list[str]:
    sentences = [_("{name} calls it a lie.", name=names[shown.doubter])]
    sentences += [
        _("{name} had {dice}.", name=name, dice=of_dice(dice))
        for name, dice in zip(names, shown.dice, strict=True)
        if dice
    ]
    if shown.loser is None:
        return [*sentences, _("Some dice stay closed, so nobody loses one.")]
    there = counted(shown.bid, [die for dice in shown.dice for die in dice], wild)
    count = n_("There is {count} for {bid}.", "There are {count} for {bid}.", there, bid=of_bid(shown.bid))
    return [*sentences, count, _("{name} loses a die.", name=names[shown.loser])]


def ending(outcome: Outcome, names: Sequence[str]) -> str:
    """How the game ended."""
    broken = breach(outcome.breach.rule) if outcome.breach else ""
    return narration.ending(outcome, names, _REASONS, broken)


def reason(reason: str) -> str:
    """A reason in a few words."""
    return _(_SHORT[reason]) if reason in _SHORT else reason


def breach(rule: str) -> str:
    """The offence; this game has no rule of its own that can be broken."""
    return _("broke a rule: {rule}", rule=rule)


def options(options: Options, _seats: int) -> list[str]:
    """The agreed variant."""
    ones = _("ones are wild") if options["ones"] == "wild" else _("ones are plain")
    return [n_("{count} die each", "{count} dice each", int(options["dice"])), ones]


def moment(before: State | None, after: State) -> str:
    """The steps that a replay jumps to."""
    return _("challenge") if before is not None and after.shown is not before.shown else ""
