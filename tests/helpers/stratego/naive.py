"""A second, plain implementation of Stratego, to compare the fast rules with.

Written from the rule pages alone; it must not import anything of the rules it checks.  Squares are pairs of
numbers, the board is a dict, every past board is kept whole, and nothing is worked out in advance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

Square = tuple[int, int]

STRENGTH = {
    name: strength
    for strength, name in enumerate(
        ["spy", "scout", "miner", "sergeant", "lieutenant", "captain", "major", "colonel", "general"], 1
    )
} | {"marshal": 10}
CRATERS = {(x, y) for x in (3, 4, 7, 8) for y in (5, 6)}
OTHER = {"red": "blue", "blue": "red"}


@dataclass(frozen=True)
class Piece:
    """Two are equal only if they are the same piece."""

    side: str
    name: str
    number: int


@dataclass
class Naive:
    """A position and all of its past."""

    board: dict[Square, Piece]
    mover: str = "red"
    tournament: bool = False
    opened: set[Piece] = field(default_factory=set)
    """Pieces that everybody knows; others are told apart one by one."""
    boards: list[dict[Square, Piece]] = field(default_factory=list)
    moves: dict[str, list[tuple[Square, Square]]] = field(default_factory=lambda: {"red": [], "blue": []})
    counter: dict[str, int] = field(default_factory=lambda: {"red": 0, "blue": 0})

    # Legal moves

    def judged(self) -> dict[str, str | None]:
        """Every move that is legal but for a repetition, and the rule against repetition that forbids it."""
        return {
            move_of(source, target): self.repetition(source, target)
            for source, piece in self.board.items()
            if piece.side == self.mover and piece.name not in ("bomb", "flag")
            for target in self.targets(source, piece)
        }

    def legal(self) -> set[str]:
        """Every legal move."""
        return {move for move, rule in self.judged().items() if rule is None}

    def targets(self, source: Square, piece: Piece) -> Iterator[Square]:
        furthest = 9 if piece.name == "scout" else 1
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            x, y = source
            for _ in range(furthest):
                x, y = x + dx, y + dy
                if not (1 <= x <= 10 and 1 <= y <= 10) or (x, y) in CRATERS:
                    break
                there = self.board.get((x, y))
                if there is None or there.side != piece.side:
                    yield x, y
                if there is not None:
                    break

    def rule(self, move: str) -> str | None:
        """The first rule that a move breaks, in the order of the page on scenarios."""
        source, target = squares(move)
        piece = self.board.get(source)
        if piece is None or piece.side != self.mover:
            return "not-yours"
        if piece.name in ("bomb", "flag"):
            return "bomb-or-flag"
        if target in CRATERS:
            return "crater"
        dx, dy = target[0] - source[0], target[1] - source[1]
        distance = abs(dx) + abs(dy)
        if (dx and dy) or (distance > 1 and piece.name != "scout"):
            return "too-far"
        for step in range(1, distance):
            passed = (source[0] + dx // distance * step, source[1] + dy // distance * step)
            if passed in CRATERS:
                return "crater"
            if passed in self.board:
                return "blocked"
        if target in self.board and self.board[target].side == self.mover:
            return "blocked"
        return self.repetition(source, target)

    def repetition(self, source: Square, target: Square) -> str | None:
        if self.is_back_and_forth(source, target):
            return "two-squares"
        if self.tournament and self.stretches_the_line(source, target):
            return "scout-line"
        if self.is_pursuit(source, target):
            return "pursuit"
        return None

    def is_back_and_forth(self, source: Square, target: Square) -> bool:
        own = self.moves[self.mover][-3:]
        return own == [(target, source), (source, target), (target, source)]

    def stretches_the_line(self, source: Square, target: Square) -> bool:
        own = self.moves[self.mover][-3:]
        if len(own) < 3 or own[0][1] != own[1][0] or own[1][1] != own[2][0] or own[2][1] != source:
            return False
        path = [own[0][0], own[1][0], own[2][0], source, target]
        for across, along in ((0, 1), (1, 0)):
            if len({square[across] for square in path}) == 1:
                d, c, b, a, n = (square[along] for square in path)
                if d < c and c > b and b < a and d < a and n < min(a, c):
                    return True
                if d > c and c < b and b > a and d > a and n > max(a, c):
                    return True
        return False

    def is_pursuit(self, source: Square, target: Square) -> bool:
        count = self.counter[self.mover]
        if count < 2 or target in self.board or not self.threatens(self.board, target):
            return False
        if self.moves[self.mover][-1] == (target, source):
            return False
        after = dict(self.board)
        after[target] = after.pop(source)
        return any(self.alike(after, self.boards[-k]) for k in range(1, count))

    def threatens(self, board: dict[Square, Piece], square: Square) -> bool:
        return any(near in board and board[near].side != self.mover for near in around(square))

    def alike(self, first: dict[Square, Piece], second: dict[Square, Piece]) -> bool:
        if first.keys() != second.keys():
            return False
        return all(self.look(first[square]) == self.look(second[square]) for square in first)

    def look(self, piece: Piece) -> object:
        return (piece.side, piece.name) if piece in self.opened else piece

    # Playing

    def play(self, move: str) -> str:
        """Make a legal move; return its result."""
        source, target = squares(move)
        foe = self.board.get(target)
        other = OTHER[self.mover]
        last = [end for _, end in self.moves[other][-1:]]
        self.boards.append(dict(self.board))
        self.moves[self.mover].append((source, target))
        piece = self.board.pop(source)
        if foe is not None:
            self.opened |= {piece, foe}
        elif source[0] - target[0] + source[1] - target[1] not in (1, -1):
            self.opened.add(piece)
        result = "moved" if foe is None else fight(piece.name, foe.name)
        if result != "lost":
            self.board[target] = piece
        if result == "both":
            del self.board[target]
        if foe is not None:
            self.counter = {"red": 0, "blue": 0}
        elif last and last[0] in around(source):
            self.counter[other] += 1
        else:
            self.counter[other] = 0
        near = self.threatens(self.board, target)
        self.counter[self.mover] = self.counter[self.mover] + 1 if near else 0
        self.mover = other
        return result


def fight(attacker: str, defender: str) -> str:
    if defender == "flag":
        return "flag"
    if defender == "bomb":
        return "won" if attacker == "miner" else "lost"
    if attacker == "spy" and defender == "marshal":
        return "won"
    if attacker == defender:
        return "both"
    return "won" if STRENGTH[attacker] > STRENGTH[defender] else "lost"


@cache
def around(square: Square) -> tuple[Square, ...]:
    x, y = square
    return (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)


@cache
def squares(move: str) -> tuple[Square, Square]:
    hit = re.fullmatch(r"([a-j])(\d+)([a-j])(\d+)", move)
    assert hit
    return (
        ("abcdefghij".index(hit[1]) + 1, int(hit[2])),
        ("abcdefghij".index(hit[3]) + 1, int(hit[4])),
    )


@cache
def move_of(source: Square, target: Square) -> str:
    return "".join("abcdefghij"[x - 1] + str(y) for x, y in (source, target))


def position(setup: dict[str, dict[str, str]], *, tournament: bool = False) -> Naive:
    """The open position of a scenario's set-up."""
    pieces = [
        (square, Piece(side, name, number))
        for side in ("red", "blue")
        for number, (square, name) in enumerate(setup[side].items())
    ]
    board = {squares(square * 2)[0]: piece for square, piece in pieces}
    return Naive(board, tournament=tournament, opened=set(board.values()))


def referee(scenario: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines of a scenario that is right in its format."""
    shuttle = scenario.get("options", {}).get("shuttle")
    game = position(scenario["setup"], tournament=shuttle == "tournament")
    lines: list[dict[str, Any]] = []

    def outcome(winner: str | None, reason: str, **more: str) -> list[dict[str, Any]]:
        return [*lines, {"winner": winner, "reason": reason, **more, "plies": len(lines)}]

    for move in scenario["moves"]:
        mover = game.mover
        if move == "none":
            if game.legal():
                return outcome(None, "illegal", rule="false-claim")
            game.mover = OTHER[mover]
            return outcome(OTHER[mover], "no-moves") if game.legal() else outcome(None, "draw")
        rule = game.rule(move)
        if rule is not None:
            return outcome(None, "illegal", rule=rule)
        source, target = squares(move)
        attacker, defender = game.board[source].name, game.board.get(target)
        result = game.play(move)
        fought = (attacker, defender.name) if defender else (None, None)
        line = {"ply": len(lines) + 1, "player": mover, "move": move, "result": result}
        lines.append({**line, "attacker": fought[0], "defender": fought[1]})
        if result == "flag":
            return outcome(mover, "flag")
        if not game.legal():
            game.mover = mover
            return outcome(mover, "no-moves") if game.legal() else outcome(None, "draw")
    return outcome(None, "unfinished")
