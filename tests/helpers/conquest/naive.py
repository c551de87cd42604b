"""A second referee of Conquest Stratego, written from the rule page alone and as plainly as it goes.

It shares nothing with the rules: it has the map as a table of its own, boards are dictionaries of names, and
each rule is spelt out where the page has it.  Slow, and only for comparison.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

COLOURS = ["red", "blue", "green", "yellow"]
ARMY = Counter(
    dict.fromkeys(["flag", "king", "queen", "prince", "duke", "count", "knight", "baron", "spy"], 1)
    | {"sorceress": 3, "scout": 4, "cursed": 2}
)
RANK = {
    "king": 10,
    "queen": 9,
    "prince": 8,
    "duke": 7,
    "count": 6,
    "knight": 5,
    "baron": 4,
    "sorceress": 3,
    "scout": 2,
    "spy": 1,
}
FACE = RANK | {"flag": 11, "cursed": 0}
CARDS = Counter(
    {"blitz": 13, "regroup": 11, "reinforce": 6, "secret": 5, "surprise": 4, "new-spy": 2, "traitor": 1}
)
_TERRITORIES = """\
A a4 a5 a6, B b6 c6 d6, C e5 e6 f6, D g6 h5 h6, E i6 j6 k6, F l4 l5 l6, G b4 b5 c5, H c4 d4 d5, I e4 f4 f5,
J g4 g5 h4, K i4 i5 j4, L j5 k4 k5, M a1 a2 a3, N b2 b3 c2, O c3 d2 d3, P e3 f2 f3, Q g2 g3 h3, R i2 i3 j3,
S j2 k2 k3, T l1 l2 l3, U e1 e2 f1, V g1 h1 h2, W b1 c1 d1, X i1 j1 k1"""
TERRITORIES = {line.split()[0]: line.split()[1:] for line in _TERRITORIES.split(",")}
CITIES = "BEIJPQWX"
_MOUNTAINS = "c1|c2 c3|c4 c5|c6 d2|e2 d3|d4 d5|e5 f1|g1 f2|g2 f5|g5 f6|g6 h2|i2 h5|i5 i3|i4 j1|j2 j3|j4 j5|j6"
MOUNTAINS = {frozenset(pair.split("|")) for pair in _MOUNTAINS.split()}
ZONES = [column + row for column in "abcdefghijkl" for row in "123456"]


def side_by_side(text: str, other: str) -> bool:
    return abs(ord(text[0]) - ord(other[0])) + abs(int(text[1]) - int(other[1])) == 1


def neighbours(zone: str) -> list[str]:
    return [z for z in ZONES if side_by_side(zone, z) and frozenset((zone, z)) not in MOUNTAINS]


NEAR = {zone: neighbours(zone) for zone in ZONES}


class Bad(Exception):
    """Exit code 65."""


class Broken(Exception):
    """Against the rules."""

    def __init__(self, rule: str, player: str) -> None:
        super().__init__(rule)
        self.rule, self.player = rule, player


class Over(Exception):
    """The game has ended."""

    def __init__(self, winners: list[str], reason: str) -> None:
        super().__init__(reason)
        self.winners, self.reason = winners, reason


def need(good: bool) -> None:
    if not good:
        raise Bad


def keys(value: Any, must: list[str], can: list[str]) -> None:
    need(isinstance(value, dict) and set(must) <= set(value) <= {*must, *can})


def is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_zone(value: Any) -> bool:
    return isinstance(value, str) and value in ZONES


def is_name(value: Any) -> bool:
    return isinstance(value, str) and value in ARMY


class Naive:
    """One scenario; `lines` grows as it is played."""

    def __init__(self, start: dict[str, Any]) -> None:
        self.lines: list[dict[str, Any]] = []
        self.begun = 0
        self.start(start)

    # The start

    def start(self, s: dict[str, Any]) -> None:
        strict = s.get("strict", False)
        need(isinstance(strict, bool))
        must, can = ["game", "players", "setup", "turns"], ["options", "strict"]
        if strict:
            keys(s, [*must, "draws", "draft"], [*can, "tie"])
        else:
            keys(s, must, [*can, "first", "bag"])
        need(is_int(s["players"]) and 2 <= s["players"] <= 4)
        need(isinstance(s["turns"], list))
        self.players = COLOURS[: s["players"]]
        self.options(s.get("options", {}))
        self.first = self.drawn(s) if strict else s.get("first", "red")
        need(self.first in self.players)
        if strict:
            need(isinstance(s["draft"], list | str) and len(s["draft"]) == 24)
            need(all(isinstance(x, str) and x in TERRITORIES for x in s["draft"]))
        keys(s["setup"], self.players, [])
        bag = s.get("bag", {})
        keys(bag, [], self.players)
        self.board: dict[str, tuple[str, str]] = {}
        self.bag: dict[str, list[str]] = {}
        for c in self.players:
            need(isinstance(s["setup"][c], dict) and isinstance(bag.get(c, []), list))
            need(all(is_zone(z) and is_name(p) for z, p in s["setup"][c].items()))
            need(all(is_name(p) for p in bag.get(c, [])))
            self.bag[c] = list(bag.get(c, []))
        if strict:
            self.check_draft(s)
        else:
            self.check_position(s["setup"])
        for c in self.players:
            self.board.update({z: (c, p) for z, p in s["setup"][c].items()})
        self.flag = dict.fromkeys(self.players, "board")
        self.still_in = list(self.players)
        self.left: list[str] = []
        self.pile, self.traitor_last = Counter(CARDS), True
        self.turn_of, self.round = self.first, 1
        self.count()
        self.lines.append({"turn": 0, "first": self.first, **self.counted()})

    def options(self, o: Any) -> None:
        keys(o, [], ["garrison", "scout", "rounds"])
        self.garrison = o.get("garrison", "free")
        self.scout = o.get("scout", "run")
        self.rounds = o.get("rounds", 100)
        need(self.garrison in ("free", "all") and self.scout in ("run", "charge"))
        need(is_int(self.rounds) and 1 <= self.rounds <= 250)

    def drawn(self, s: dict[str, Any]) -> str:
        keys(s["draws"], self.players, [])
        need(all(is_name(p) for p in s["draws"].values()))
        best = max(FACE[p] for p in s["draws"].values())
        highest = [c for c in self.players if FACE[s["draws"][c]] == best]
        need(("tie" in s) == (len(highest) > 1))
        need(s.get("tie", highest[0]) in highest)
        return str(s.get("tie", highest[0]))

    def order(self) -> list[str]:
        at = self.players.index(self.first)
        clockwise = self.players[at:] + self.players[:at]
        order: list[str] = []
        while len(order) < 24:
            order += clockwise + clockwise[::-1]
        return order[:24]

    def check_draft(self, s: dict[str, Any]) -> None:
        owner: dict[str, str] = {}
        for letter, who in zip(s["draft"], self.order(), strict=True):
            if letter in owner:
                raise Broken("taken", who)
            owner[letter] = who
        for c in self.players:
            army = s["setup"][c]
            if Counter(army.values()) != ARMY:
                raise Broken("wrong-army", c)
            own = [letter for letter in owner if owner[letter] == c]
            if any(not any(z in TERRITORIES[letter] for letter in own) for z in army):
                raise Broken("foreign-territory", c)
            if self.garrison == "all" and any(not set(TERRITORIES[letter]) & set(army) for letter in own):
                raise Broken("empty-territory", c)

    def check_position(self, setup: dict[str, dict[str, str]]) -> None:
        places = [z for c in self.players for z in setup[c]]
        need(len(places) == len(set(places)))
        for c in self.players:
            need("flag" in setup[c].values() and "flag" not in self.bag[c])
            have = Counter([*setup[c].values(), *self.bag[c]])
            need(all(have[p] <= ARMY[p] for p in have))

    # What the board shows

    def count(self) -> None:
        self.owner: dict[str, str] = {}
        for letter, zones in TERRITORIES.items():
            there = {self.board[z][0] for z in zones if z in self.board}
            if len(there) == 1:
                self.owner[letter] = there.pop()

    def owned(self, c: str) -> list[str]:
        return [letter for letter in self.owner if self.owner[letter] == c]

    def counted(self) -> dict[str, Any]:
        return {
            "territories": {c: len(self.owned(c)) for c in self.players},
            "cities": {c: sum(letter in CITIES for letter in self.owned(c)) for c in self.players},
        }

    def on_board(self, c: str) -> list[str]:
        return [z for z in ZONES if z in self.board and self.board[z][0] == c]

    def due(self) -> int:
        return len(self.owned(self.turn_of)) // 2 if self.flag[self.turn_of] == "board" else 0

    def budget(self) -> int:
        return 1 + sum(letter in CITIES for letter in self.owned(self.turn_of))

    def can_step(self, zone: str) -> bool:
        c, p = self.board[zone]
        return p in RANK and any(z not in self.board or self.board[z][0] != c for z in NEAR[zone])

    def reached(self, zone: str) -> set[str]:
        """The free zones that a walk over free zones comes to."""
        zones: set[str] = set()
        todo = [zone]
        while todo:
            for z in NEAR[todo.pop()]:
                if z not in self.board and z not in zones:
                    zones.add(z)
                    todo.append(z)
        return zones
