"""Soldiers out of what a player types: single ones, and the line of a deployment, whole or begun.

A line that breaks the order can be laid; a soldier that is not in hand is refused, since at a table nobody
could lay it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from typing import Final

from cli.games.interface import Ambiguous, Choice, NotPossible, Unknown
from cli.games.spies_and_lies.names import called, name_begins, soldier
from cli.games.spies_and_lies.snapshot import Snapshot, snapshot
from p2p_stratego.core.game import Commit
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import either
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, possible
from p2p_stratego.spies_and_lies.rules.components import MISSIONS, RANKS, SOLDIERS, Rank, title
from p2p_stratego.spies_and_lies.rules.state import State

_NEEDED: Final = {
    4: mark("Name four soldiers, one for each mission; you have named {count}.{more}"),
    2: mark("Name two soldiers, one for each mission; you have named {count}.{more}"),
}


def words_of(typed: str, verb: str) -> list[str]:
    """The typed words, without the verb in front; "1 Spy", as it is printed, is one word."""
    words = typed.lower().replace(",", " ").split()
    words = words[1:] if words and words[0] == verb else words
    return [word for place, word in enumerate(words) if not place or not _same(words[place - 1], word)]


def _same(rank: str, name: str) -> bool:
    """Whether these are the rank and the name of one soldier."""
    return any(rank == str(other) and called(name, other) for other in RANKS)


def named(word: str, among: Collection[Rank] = RANKS) -> Rank:
    """The soldier that a rank, a printed name or its beginning names.  Raises Misunderstood."""
    if word.isascii() and word.isdigit():
        if int(word[:3]) in RANKS:
            return int(word[:3])
        raise Unknown(_("There is no soldier of rank {word}: ranks go from 1 to 10.", word=word[:12]))
    ranks = [rank for rank in RANKS if called(word, rank)]
    ranks = ranks or [rank for rank in among if name_begins(word, rank)]
    ranks = ranks or [rank for rank in RANKS if name_begins(word, rank)]
    if not ranks:
        raise Unknown(_("“{word}” is no soldier. Type a rank from 1 to 10, or a name.", word=word[:24]))
    if len(ranks) > 1:
        raise Ambiguous(
            _("“{word}” could be {name}.", word=word[:24], name=either([title(rank) for rank in ranks]))
        )
    return ranks[0]


def read_line(moment: Snapshot, typed: str) -> tuple[Rank, ...]:
    """The soldiers for the missions that are asked for, in their order.  Raises Misunderstood."""
    words = words_of(typed, "deploy")
    line = [named(word, moment.hand) for word in words]
    for number, rank in enumerate(line):
        if rank in moment.state.exhausted[moment.side]:
            raise NotPossible(
                _("Your {soldier} is exhausted today and cannot be laid.", soldier=soldier(rank))
            )
        if rank in line[:number]:
            raise NotPossible(_("You have one {name} only, and named it twice.", name=title(rank)))
        if rank in moment.before:
            mission = moment.before.index(rank) + 1
            raise NotPossible(
                _(
                    "Your side's {soldier} lies under mission {mission} already.",
                    soldier=soldier(rank),
                    mission=mission,
                )
            )
    if len(line) != len(moment.asked):
        needed = _NEEDED[len(moment.asked)]
        more = _(" Add a space, then the next one.") * (len(line) < len(moment.asked))
        raise NotPossible(_(needed, count=len(line), more=more))
    return tuple(line)


def drafted(view: View[State], typed: str) -> tuple[Rank, ...]:
    """The soldiers of a deployment that is still being typed, as far as they are clear.

    In the order of the missions that are asked for.
    """
    if not isinstance(view.decision, Commit):
        return ()
    line: list[Rank] = []
    moment = snapshot(view)
    for word in words_of(typed, "deploy")[: len(moment.asked)]:
        try:
            rank = named(word, moment.hand)
        except (Unknown, Ambiguous):
            break
        if rank not in moment.hand or rank in line or rank in moment.before:
            break  # it cannot be laid, which shows before Enter
        line.append(rank)
    return tuple(line)


def next_soldiers(moment: Snapshot, typed: str) -> tuple[Choice, ...]:
    """The soldiers left in hand as the next word of a deployment; any, where no order can rise."""
    words = words_of(typed, "deploy")
    last = words.pop() if words and not typed.endswith((" ", ",")) else ""
    taken: set[Rank] = {rank for rank in moment.before if rank is not None}
    for word in words:
        try:
            taken.add(named(word, moment.hand))
        except (Unknown, Ambiguous):
            return ()
    if len(words) >= len(moment.asked):
        return ()
    front = "".join(f"{word} " for word in words)
    to_come = len(MISSIONS) - moment.asked[len(words)]
    rising = can_rise(moment)
    return tuple(
        Choice(f"{front}{rank}", soldier(rank))
        for rank in moment.hand
        if rank not in taken
        and (not rising or (_rises(taken, rank) and _can_follow(moment.hand, taken | {rank}) >= to_come))
        and (str(rank).startswith(last) or name_begins(last, rank))
    )


def example(moment: Snapshot) -> str:
    """Four soldiers that can be laid today."""
    hand = sorted(moment.hand)
    if not set(_USUAL) <= set(hand) and len(hand) >= len(_USUAL):
        return " ".join(str(hand[place * (len(hand) - 1) // 3]) for place in range(4))
    return " ".join(map(str, _USUAL))


_USUAL: Final = (1, 4, 8, 10)


def can_rise(moment: Snapshot) -> bool:
    """Whether some soldiers of the hand keep the order that the side's other cards have begun."""
    return possible(Evidence(moment.state.exhausted[moment.side], moment.before)) != 0


def _rises(taken: Set[Rank], rank: Rank) -> bool:
    """Whether `rank` is in order behind the soldiers `taken`."""
    return SOLDIERS[rank].free or rank > _highest(taken)


def _can_follow(hand: Iterable[Rank], taken: Set[Rank]) -> int:
    """How many soldiers can still be laid in order behind those `taken`."""
    return sum(rank not in taken and _rises(taken, rank) for rank in hand)


def _highest(taken: Set[Rank]) -> Rank:
    return max((rank for rank in taken if not SOLDIERS[rank].free), default=0)
