"""The second referee's turns: cards, moves, flags, leaves; see `naive`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.helpers.conquest.naive import (
    CARDS,
    COLOURS,
    NEAR,
    RANK,
    Bad,
    Broken,
    Naive,
    Over,
    is_name,
    is_zone,
    keys,
    need,
    side_by_side,
)

__all__ = ["Bad", "Referee", "lines_of"]
CARD_KEYS = {
    "blitz": [],
    "regroup": ["zones", "to"],
    "reinforce": ["piece", "zone"],
    "secret": ["zones"],
    "surprise": ["piece", "zone"],
    "new-spy": ["zone"],
    "traitor": ["zone", "guess"],
}


class Referee(Naive):
    """Plays turns and leaves, one after the other."""

    def item(self, item: Any) -> None:
        if isinstance(item, dict) and "leave" in item:
            self.leave(item)
        else:
            self.turn(item)

    def turn(self, t: Any) -> None:
        self.begun += 1
        keys(t, [], ["cards", "play", "moves", "flag"])
        me = self.turn_of
        self.head = {"turn": self.begun, "player": me}
        self.moves_left = self.budget()
        self.flag_said = t.get("flag")
        self.flag_open = "flag" in t
        drawn = self.draw(t.get("cards", []))
        if t.get("play") is not None:
            self.play(t["play"], drawn)
        self.discard(drawn)
        moves = t.get("moves", [])
        need(isinstance(moves, list))
        for move in moves:
            self.move(move)
        if not moves and any(self.can_step(z) for z in self.on_board(me)):
            raise Broken("must-move", me)
        need(not self.flag_open)
        self.end()

    # Cards

    def draw(self, cards: Any) -> list[str]:
        need(isinstance(cards, list) and all(isinstance(c, str) and c in CARDS for c in cards))
        need(len(cards) == self.due())
        for i, card in enumerate(cards):
            if not sum(self.pile.values()):
                self.pile, self.traitor_last = CARDS - Counter(cards[:i]), False
            left = sum(self.pile.values())
            need(self.pile[card] > 0)
            need(not (self.traitor_last and card == "traitor" and left > 1))
            self.pile[card] -= 1
        return list(cards)

    def discard(self, drawn: list[str]) -> None:
        if "traitor" in drawn:
            self.pile, self.traitor_last = Counter(CARDS), False

    def play(self, p: Any, drawn: list[str]) -> None:
        need(isinstance(p, dict) and isinstance(p.get("card"), str) and p["card"] in CARDS)
        card = p["card"]
        keys(p, ["card", *CARD_KEYS[card]], [])
        if "zone" in p:
            need(is_zone(p["zone"]))
        if "zones" in p:
            number = 2 if card == "secret" else 3
            need(isinstance(p["zones"], list) and len(p["zones"]) == number)
            need(all(is_zone(z) for z in p["zones"]))
        if "to" in p:
            need(isinstance(p["to"], list) and len(p["to"]) == 3 and all(is_zone(z) for z in p["to"]))
            need(len(set(p["zones"])) == 3 and set(p["to"]) == set(p["zones"]))
        if "guess" in p:
            need(is_name(p["guess"]))
        if card not in drawn:
            raise Broken("not-drawn", self.turn_of)
        getattr(self, card.replace("-", "_"))(p)

    def card_line(self, card: str, result: str, *pieces: str) -> None:
        self.lines.append({**self.head, "card": card, "result": result, "pieces": list(pieces)})

    def blitz(self, p: dict[str, Any]) -> None:
        self.moves_left += 2
        self.card_line("blitz", "two-moves")

    def from_bag(self, p: dict[str, Any]) -> None:
        me, zone = self.turn_of, p["zone"]
        if not self.bag[me]:
            raise Broken("bag-empty", me)
        need(isinstance(p["piece"], str) and p["piece"] in self.bag[me])
        if zone in self.board:
            raise Broken("occupied", me)
        near_own = any(z in self.board and self.board[z][0] == me for z in NEAR[zone])
        if p["card"] == "reinforce" and not near_own:
            raise Broken("not-adjacent", me)
        self.bag[me].remove(p["piece"])
        self.board[zone] = (me, p["piece"])
        self.card_line(p["card"], "placed", p["piece"])

    reinforce = surprise = from_bag

    def regroup(self, p: dict[str, Any]) -> None:
        me = self.turn_of
        if any(z not in self.board or self.board[z][0] != me for z in p["zones"]):
            raise Broken("not-yours", me)
        was = {z: self.board[z] for z in p["zones"]}
        for z, to in zip(p["zones"], p["to"], strict=True):
            self.board[to] = was[z]
        self.card_line("regroup", "regrouped", *(self.board[z][1] for z in p["zones"]))

    def secret(self, p: dict[str, Any]) -> None:
        me, (a, b) = self.turn_of, p["zones"]
        if not any(self.board[z] == (me, "spy") for z in self.board):
            raise Broken("no-spy", me)
        if a not in self.board or b not in self.board:
            raise Broken("no-piece", me)
        if b not in NEAR[a]:
            raise Broken("not-adjacent", me)
        if self.board[a][0] == self.board[b][0] == me:
            raise Broken("own-piece", me)
        self.card_line("secret", "looked", self.board[a][1], self.board[b][1])

    def new_spy(self, p: dict[str, Any]) -> None:
        me = self.turn_of
        if "spy" not in self.bag[me]:
            raise Broken("no-spy", me)
        if p["zone"] in self.board:
            raise Broken("occupied", me)
        self.bag[me].remove("spy")
        self.board[p["zone"]] = (me, "spy")
        self.card_line("new-spy", "placed", "spy")

    def traitor(self, p: dict[str, Any]) -> None:
        me, zone = self.turn_of, p["zone"]
        if zone not in self.board:
            raise Broken("no-piece", me)
        owner, name = self.board[zone]
        if owner == me:
            raise Broken("own-piece", me)
        if name != p["guess"]:
            self.card_line("traitor", "missed", name)
            return
        del self.board[zone]
        if name == "flag":
            self.card_line("traitor", "flag", name)
            self.capture(owner)
        else:
            self.card_line("traitor", "hit", name)
            self.bag[owner].append(name)

    # Moves

    def move(self, move: Any) -> None:
        need(isinstance(move, str) and len(move) == 4 and is_zone(move[:2]) and is_zone(move[2:]))
        me, a, b = self.turn_of, move[:2], move[2:]
        self.check_move(me, a, b)
        self.moves_left -= 1
        name = self.board[a][1]
        line = {**self.head, "move": move}
        if b not in self.board:
            self.board[b] = self.board.pop(a)
            result = "moved" if b in NEAR[a] else "ran"
            self.lines.append({**line, "result": result, "attacker": None, "defender": None})
            return
        owner, other = self.board[b]
        result = self.fight(name, other)
        self.lines.append({**line, "result": result, "attacker": name, "defender": other})
        if result in ("won", "both"):
            self.bag[owner].append(other)
            del self.board[b]
        if result in ("won", "flag"):
            self.board[b] = self.board.pop(a)
        else:
            self.bag[me].append(name)
            del self.board[a]
        if result == "flag":
            self.capture(owner)

    def check_move(self, me: str, a: str, b: str) -> None:
        if self.moves_left == 0:
            raise Broken("too-many", me)
        if a not in self.board or self.board[a][0] != me:
            raise Broken("not-yours", me)
        name = self.board[a][1]
        if name not in RANK:
            raise Broken("fixed", me)
        if b in self.board and self.board[b][0] == me:
            raise Broken("own-piece", me)
        if b in NEAR[a]:
            return
        if name != "scout":
            raise Broken("mountain" if side_by_side(a, b) else "too-far", me)
        if b in self.board and self.scout == "run":
            raise Broken("too-far", me)
        walk = self.reached(a)
        if not (b in walk or (b in self.board and any(z in walk for z in NEAR[b]))):
            raise Broken("blocked", me)

    def fight(self, attacker: str, defender: str) -> str:
        if defender == "flag":
            return "flag"
        if defender == "cursed":
            return "won" if attacker == "sorceress" else "lost"
        if (attacker, defender) == ("spy", "king"):
            return "won"
        if attacker == defender:
            return "both"
        return "won" if RANK[attacker] > RANK[defender] else "lost"

    # Flags

    def standing(self) -> list[str]:
        return [c for c in self.players if self.flag[c] == "board"]

    def capture(self, victim: str) -> None:
        """The player whose turn it is has captured the flag of `victim`."""
        me = self.turn_of
        spoils = [victim, *(c for c in self.players if self.flag[c] == victim and c != me)]
        back = self.flag[me] == victim
        to = me if back or self.flag[me] == "board" else self.flag[me]
        for c in spoils:
            self.flag[c] = to
        standing = [*self.standing(), *([me] if back else [])]
        if len(standing) == 1:
            raise Over(standing, "flag")
        if back:
            need(self.flag_open and is_zone(self.flag_said))
            self.flag_open = False
            self.put_flag(me, self.flag_said)

    def put_flag(self, c: str, zone: Any) -> None:
        if zone in self.board:
            raise Broken("occupied", c)
        self.board[zone] = (c, "flag")
        self.flag[c] = "board"

    # Ends

    def end(self) -> None:
        self.count()
        self.still_in = [c for c in self.still_in if self.flag[c] == "board" or self.on_board(c)]
        self.lines.append(
            {
                **self.head,
                "pile": sum(self.pile.values()),
                **self.counted(),
                "board": {c: len(self.on_board(c)) for c in self.players},
                "bag": {c: len(self.bag[c]) for c in self.players},
                "flags": dict(self.flag),
            }
        )
        self.pass_on()

    def pass_on(self) -> None:
        at = self.players.index(self.first)
        ring = self.players[at:] + self.players[:at]
        place = ring.index(self.turn_of)
        later = [c for c in ring[place + 1 :] if c in self.still_in]
        if later:
            self.turn_of = later[0]
            return
        if self.round == self.rounds:
            self.rank()
        self.round += 1
        self.turn_of = next(c for c in ring if c in self.still_in)

    def rank(self) -> None:
        def rank(c: str) -> list[int]:
            captured = sum(self.flag[other] == c for other in self.players)
            return [captured, len(self.owned(c)), len(self.on_board(c))]

        best = max(rank(c) for c in self.standing())
        winners = [c for c in self.standing() if rank(c) == best]
        if winners == self.players:
            raise Over([], "draw")
        raise Over(winners, "rounds")

    def leave(self, t: Any) -> None:
        keys(t, ["leave"], ["flags"])
        c = t["leave"]
        need(isinstance(c, str) and c in self.still_in)
        flags = t.get("flags", {})
        captives = [o for o in self.players if self.flag[o] == c]
        back = [o for o in captives if o in self.still_in]
        keys(flags, back, [])
        need(all(is_zone(z) for z in flags.values()))
        self.board = {z: there for z, there in self.board.items() if there[0] != c}
        self.bag[c] = []
        if self.flag[c] == "board":
            self.flag[c] = "gone"
        self.still_in.remove(c)
        self.left.append(c)
        for o in captives:
            if o in back:
                self.put_flag(o, flags[o])
            else:
                self.flag[o] = "gone"
        self.count()
        self.lines.append({"turn": self.begun, "player": c, "left": True, "flags": dict(self.flag)})
        others = [o for o in self.players if o not in self.left]
        if len(others) == 1:
            raise Over(others, "resigned" if len(self.players) == 2 else "deserted")
        if len(self.standing()) == 1:
            raise Over(self.standing(), "flag")
        if self.turn_of == c:
            self.pass_on()


def lines_of(scenario: dict[str, Any]) -> tuple[list[dict[str, Any]], bool]:
    """The lines of a scenario, and whether it was refused at the end of them (exit code 65)."""
    lines: list[dict[str, Any]] = []
    begun = 0
    try:
        referee = Referee.__new__(Referee)
        referee.lines, referee.begun = lines, 0
        referee.start(scenario)
        for item in scenario["turns"]:
            referee.item(item)
            begun = referee.begun
    except Bad:
        return lines, True
    except Broken as broken:
        end = {"winner": None, "reason": "illegal", "rule": broken.rule, "player": broken.player}
        return [*lines, {**end, "turns": referee.begun}], False
    except Over as over:
        winner = "+".join(c for c in COLOURS if c in over.winners) or None
        return [*lines, {"winner": winner, "reason": over.reason, "turns": referee.begun}], False
    return [*lines, {"winner": None, "reason": "unfinished", "turns": begun}], False
