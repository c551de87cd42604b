"""A second implementation of Spies & Lies, one plain loop over a scenario, to compare the rules with.

Written from the tables alone, with plain dicts and numbers, and sharing nothing with `p2p_stratego`.  It
expects a valid scenario.
"""

from __future__ import annotations

from typing import Any

SIDES = ("red", "blue")
GAINS = {1: 1, 2: 2, 3: 3, 4: 4, 6: 6, 8: 8, 10: 10}
STEPS = {5: 1, 9: 2}


class Naive:
    """One game; `lines`: the expected output of the referee."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        self.scenario = scenario
        self.wall = scenario["options"]["wall"]
        self.points = {"red": 0, "blue": 0}
        self.tokens = {"red": 1, "blue": 1}
        self.spare = 2
        self.agent = 0
        self.flag: str | None = None
        self.lines: list[dict[str, Any]] = []
        self.end: tuple[str | None, str] | None = None

    def play(self) -> list[dict[str, Any]]:
        first = self.scenario["starter"]
        complete = False
        for number, day in enumerate(self.scenario["days"], 1):
            self.day = number
            self.written = day
            self.shown: dict[str, list[int]] = {"red": [], "blue": []}
            self.active: dict[str, set[int]] = {"red": set(), "blue": set()}
            self.blast = {"red": False, "blue": False}
            self.caught = {"red": False, "blue": False}
            self.moved = {"red": 0, "blue": 0}
            starter = first if number % 2 else other(first)
            for index, turn in enumerate(day["turns"]):
                guesser = starter if index % 2 == 0 else other(starter)
                self.turn(index, guesser, turn)
                if self.end:
                    return self.finish(*self.end)
            complete = number == 3 and len(day["turns"]) == 8
        if not complete:
            return self.finish(None, "unfinished")
        if self.agent:
            return self.finish("red" if self.agent > 0 else "blue", "territory")
        if self.points["red"] != self.points["blue"]:
            return self.finish("red" if self.points["red"] > self.points["blue"] else "blue", "points")
        return self.finish(None, "draw")

    def finish(self, winner: str | None, reason: str) -> list[dict[str, Any]]:
        last = {"winner": winner, "reason": reason, "agent": self.agent, "points": dict(self.points)}
        return [*self.lines, last]

    def turn(self, index: int, guesser: str, turn: dict[str, Any]) -> None:
        owner = other(guesser)
        mission = index // 2 + 1
        card = self.written["deploy"][owner][mission - 1]
        self.began_at = self.agent
        token = turn.get("deception", False)
        if token:
            self.tokens[owner] -= 1
        if card in self.written["exhausted"][owner] or card in self.shown[owner]:
            self.end = (guesser, "cheated")
            return
        result = self.judge(guesser, owner, mission, card, turn.get("guess"))
        self.blast[guesser] = False
        if result in ("counted", "incorrect-order", "incorrect-intel", "identified"):
            if result == "incorrect-order":
                self.caught[owner] = True
                back = self.agent - self.moved[owner] * sign(owner)
                self.agent = max(-self.wall, min(self.wall, back))
                self.moved[owner] = 0
                self.points[owner] = 0
            self.score(guesser, 4 if 2 in self.active[guesser] else 2)
        else:
            if result == "activated":
                self.ability(owner, guesser, card, turn)
            if token:
                self.score(owner, 4)
        self.shown[owner].append(card)
        self.lines.append(
            {
                "day": self.day,
                "turn": index + 1,
                "guesser": guesser,
                "mission": mission,
                "soldier": card,
                "result": result,
                "points": dict(self.points),
                "agent": self.agent,
                "deception": dict(self.tokens),
            }
        )
        if self.flag:
            self.end = self.claim(self.flag)

    def judge(self, guesser: str, owner: str, mission: int, card: int, guess: int | None) -> str:
        low, high = self.written["intel"]
        highest = max((rank for rank in self.shown[owner] if rank != 4), default=0)
        if self.caught[owner]:
            return "counted"
        if card != 4 and card < highest:
            return "incorrect-order"
        if card != 4 and (low <= card <= high) != (mission in self.written["tokens"][owner]):
            return "incorrect-intel"
        if guess == card:
            return "identified"
        is_immune = (card == 10 and 1 in self.active[guesser]) or (card == 7 and 3 in self.active[guesser])
        return "retreated" if self.blast[guesser] or is_immune else "activated"

    def ability(self, owner: str, guesser: str, card: int, turn: dict[str, Any]) -> None:
        if card == 6 and turn.get("captain", "points") != "points":
            card = turn["captain"]
            if (card == 10 and 1 in self.active[guesser]) or (card == 7 and 3 in self.active[guesser]):
                return
        if card == 10 and turn.get("marshal", "ten") == "five":
            self.score(owner, 5)
            self.points[guesser] = max(0, self.points[guesser] - 5)
            return
        if card in GAINS:
            self.score(owner, GAINS[card], keep=card == 8)
        if card == 1 and self.spare > 0 and self.tokens[owner] < 2:
            self.spare -= 1
            self.tokens[owner] += 1
        if card in (1, 2, 3):
            self.active[owner].add(card)
        if card == 7:
            self.blast[owner] = True
        for _ in range(STEPS.get(card, 0)):
            self.step(owner)

    def score(self, side: str, points: int, keep: bool = False) -> None:
        self.points[side] += points
        if self.points[side] >= 10:
            self.points[side] = self.points[side] - 10 if keep else 0
            for _ in range(self.day):
                self.step(side)

    def step(self, side: str) -> None:
        at_wall = self.agent == sign(side) * self.wall
        if self.flag or (at_wall and self.began_at != self.agent):
            return
        if at_wall:
            self.flag = side
        self.agent += sign(side)
        self.moved[side] += 1

    def claim(self, winner: str) -> tuple[str, str]:
        line = self.written["deploy"][winner]
        if len(set(line)) < 4 or set(line) & set(self.written["exhausted"][winner]):
            return other(winner), "cheated"
        low, high = self.written["intel"]
        ordered = [rank for rank in line if rank != 4]
        marks = self.written["tokens"][winner]
        closed = list(enumerate(line, 1))[len(self.shown[winner]) :]
        honest = all(r == 4 or (low <= r <= high) == (m in marks) for m, r in closed)
        return (winner, "flag") if ordered == sorted(ordered) and honest else (other(winner), "critical-flaw")


def other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def sign(side: str) -> int:
    return 1 if side == "red" else -1
