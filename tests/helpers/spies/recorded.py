"""A game of self-play written down as a scenario, and the log that the rules themselves tell of it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from p2p_stratego.core.game import Ask, Choose, Commit, Draw, Options, Outcome, Roll, Together, Turn
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import Bot
from p2p_stratego.spies.formats.scenario import log_text
from p2p_stratego.spies.rules.atlas import NAMES, NEUTRAL, POWERS, Power
from p2p_stratego.spies.rules.counters import CHIT_NAMES, LAST_YEAR, SECRET_NAME, SPIES, spy_names
from p2p_stratego.spies.rules.game import GAME, Spies
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.notation import END, NO_ANSWER
from p2p_stratego.spies.rules.purse import money, pounds
from p2p_stratego.spies.rules.state import CHITS, CUP, POLICE, State, spy_code
from p2p_stratego.spies.rules.underway import underway


class Recorder(Spies):
    """The rulebook, with every step kept: the state before it, its Asks with answers, the state after it."""

    def __init__(self, until: int = LAST_YEAR + 1) -> None:
        """`until`: the year in which the game is broken off, to no end."""
        self._until = until
        self.steps: list[tuple[State, list[tuple[Ask, Any]], State]] = []
        self.dealt: list[Ask] = []
        """The Asks of the set-up."""

    def setup(self, seats: int, options: Options) -> Turn[State]:
        turn, answer = GAME.setup(seats, options), None
        try:
            while True:
                ask = turn.send(answer)
                answer = yield ask
                self.dealt.append(ask)
        except StopIteration as end:
            dealt: State = end.value
        return dealt

    def outcome(self, state: State) -> Outcome | None:
        broken_off = Outcome(frozenset(), "broken off") if state.year >= self._until else None
        return GAME.outcome(state) or broken_off

    def turn(self, state: State) -> Turn[State]:
        turn, since, answer = GAME.turn(state), list[tuple[Ask, Any]](), None
        try:
            while True:
                ask = turn.send(answer)
                answer = yield ask
                since.append((ask, answer))
        except StopIteration as end:
            after: State = end.value
        self.steps.append((state, since, after))
        return after


def recorded(bots: Sequence[Bot[State]], options: Options, seed: int) -> tuple[dict[str, Any], list[Any]]:
    """A scenario, and the lines that it must give."""
    game = Recorder()
    done = play(game, bots, options, Random(seed))
    return Writer(game, done.faces, len(bots), options).written()


class Writer:
    """Writes the steps of one game down."""

    def __init__(self, game: Recorder, faces: dict[int, int], seats: int, options: Options) -> None:
        self.steps = game.steps
        self.faces = faces
        self.options = {
            "players": seats,
            **{name: value for name, value in options.items() if name != "alliances"},
            "alliances": options.get("alliances") == "yes",
        }
        self.turns: list[dict[str, Any]] = []
        self.lines: list[Any] = []
        self.log: list[str] = []
        self.setup: dict[str, Any] = {}
        self.amounts = (0, 0)
        self.wanted = 0

    def written(self) -> tuple[dict[str, Any], list[Any]]:
        """The scenario and its lines."""
        for before, since, after in self.steps:
            if before.phase == "bid":
                target = self.setup if before.year == 1933 else self._turn(before)
                self._bid(before, since, after, target)
            elif before.phase == "tile":
                self._step(before, since, after, self._turn(before))
            elif before.phase == "turn":
                if not self.turns or self.turns[-1].get("closed"):
                    self._turn(before)
                self._step(before, since, after, self.turns[-1])
        self.lines.append(self._outcome())
        for turn in self.turns:
            turn.pop("closed", None)
        placed = next(before for before, _, _ in self.steps if before.phase == "tile")
        return self._start(placed), self.lines

    def _start(self, state: State) -> dict[str, Any]:
        faces = self.faces

        def secrets(power: Power) -> dict[str, str]:
            own = [lying for lying in state.secrets if lying.owner == power]
            return {NAMES[lying.origin]: SECRET_NAME[faces[lying.slot]] for lying in own}

        police = {
            power: {
                NAMES[city]: [faces[unit.slot] for unit in units if unit.city == city]
                for city in {unit.city for unit in units}
            }
            for power, units in zip(POWERS, state.police, strict=True)
        }
        guard = {
            power: [
                NAMES[lying.origin] for lying in state.secrets if lying.by == number and lying.on == POLICE
            ]
            for number, power in enumerate(POWERS)
        }
        spies = {
            power: [
                [spy_names(number)[faces[spy.slot]], NAMES[spy.city]]
                for spy in state.spies[number * SPIES : number * SPIES + SPIES]
            ]
            for number, power in enumerate(POWERS)
        }
        neutral = {NAMES[city]: SECRET_NAME[faces[32 + place]] for place, city in enumerate(NEUTRAL)}
        chits = {
            power: [CHIT_NAMES[faces[CHITS + 5 * number + place]] for place in range(5)]
            for number, power in enumerate(POWERS)
        }
        tiles = {
            power: [faces[64 + 16 * number + k] for k in range(3)] for number, power in enumerate(POWERS)
        }
        return {
            "game": "spies",
            "options": self.options,
            "deal": {"neutral": neutral, "tiles": tiles, "chits": chits},
            "setup": {
                "secrets": {power: secrets(number) for number, power in enumerate(POWERS)},
                "police": police,
                "guard": guard,
                "spies": spies,
                **self.setup,
            },
            "turns": self.turns,
        }

    def _turn(self, state: State) -> dict[str, Any]:
        if self.turns and not self.turns[-1].get("closed"):
            return self.turns[-1]
        self.turns.append({"power": POWERS[state.power], "do": [], "draws": [], "dice": []})
        self.log = []
        return self.turns[-1]

    def _bid(self, before: State, since: list[tuple[Ask, Any]], after: State, target: dict[str, Any]) -> None:
        target["bids"] = []
        for ask, answer in since:
            if isinstance(ask, Together):
                bids = [int(bid.split()[1]) for bid in answer if bid != "no more"]
                if bids:
                    target["bids"].append(bids)
            elif isinstance(ask, Choose):
                parts = map(int, answer.split()[1:])
                own = {0: ("germany", "italy"), 1: ("france", "britain")}[ask.seat]
                target["pay"] = dict(zip(own, parts, strict=True))
        if before.year > 1933:
            self._tell(after)

    def _tell(self, after: State) -> None:
        texts = (log_text(after, self._open(event)) for event in after.report)
        self.log += [text for text in texts if text is not None]

    def _open(self, event: Any) -> Any:
        """Secret pounds of a trade as the two knew them."""
        if event.kind != "trade":
            return event
        own, theirs = self.amounts
        numbers = list(event.numbers)
        numbers[0] = own if numbers[0] < 0 else numbers[0]
        numbers[3] = theirs if numbers[3] < 0 else numbers[3]
        return event._replace(numbers=tuple(numbers))

    def _money(self, state: State) -> dict[str, int]:
        return {name: money(state, power, self.faces) for power, name in enumerate(POWERS)}

    def _outcome(self) -> dict[str, Any]:
        state = self.steps[-1][2]
        assert state.ended is not None
        return {
            "winners": sorted(state.ended.winners),
            "reason": state.ended.reason,
            "points": dict(zip(POWERS, state.points, strict=True)),
            "scores": list(state.scores),
            "money": self._money(state),
            "year": state.year,
        }

    # One step

    def _step(self, before: State, since: list[tuple[Ask, Any]], after: State, turn: dict[str, Any]) -> None:
        main = since[0][1]
        if main == END:
            turn["closed"] = True
            self.lines.append(
                {
                    "year": before.year,
                    "power": POWERS[before.power],
                    "ap": before.ap,
                    "log": self.log,
                    "money": self._money(before),
                    "chits": {name: len(hand) for name, hand in zip(POWERS, before.hands, strict=True)},
                }
            )
            return
        self.amounts = (0, 0)
        action, answers = self._action(before, main), list[dict[str, Any]]()
        for number, (ask, answer) in enumerate(since):
            if isinstance(ask, Draw) and ask.deck == CUP:
                turn["draws"] += [CHIT_NAMES[self.faces[slot]] for _, slots in ask.hands for slot in slots]
            elif isinstance(ask, Roll):
                turn["dice"].append(DIE[answer])
            elif isinstance(ask, Commit):
                self._amount(before, since, number, ask)
            elif isinstance(ask, Choose) and number:
                self._said(before, since[:number], ask, answer, action, answers)
        if "police" in action:
            self._laid(action, before, after)
        if "trade" in action:
            self._trade(action, self.amounts)
        turn["do"] += [action, *answers]
        self._tell(after)

    def _amount(self, before: State, since: list[tuple[Ask, Any]], number: int, ask: Commit) -> None:
        state = underway(before, tuple(since[:number]), ask)
        if state.settling is None and state.amounts:
            value = pounds(tuple(self.faces[slot] for slot in ask.slots))
            own, theirs = self.amounts
            self.amounts = (value, theirs) if state.amounts[0] == ask.slots else (own, value)

    def _action(self, state: State, line: str) -> dict[str, Any]:
        word, *parts = line.split()
        if word in ("tile", "discard"):
            how = "play" if word == "tile" else "discard"
            return {"tile": how, "id": self.faces[int(parts[0])]}
        if word == "no":
            return {"tile": "none"}
        if word == "police":
            return {"police": {}}
        if word == "search":
            return {"search": parts[0], "spies": []}
        if word in ("move", "sail", "take"):
            return {word: parts}
        if word in ("give", "leave", "cash"):
            return {word: parts[0]}
        if word == "diplomacy":
            return {"diplomacy": parts[0]}
        if word == "propose":
            return {"trade": parts[0], "offer": {}, "want": {}}
        keys = {
            "discovery": ("spy", "secret"),
            "sanction": ("spy", "victim"),
            "drop": ("spy",),
            "escape": ("spy", "haven"),
            "recruit": ("spy", "city"),
        }[word]
        return {"chit": word, **dict(zip(keys, parts[1:], strict=True))}

    def _said(  # noqa: PLR0912 - one branch for each question
        self,
        before: State,
        since: list[tuple[Ask, Any]],
        ask: Choose,
        line: str,
        action: dict[str, Any],
        answers: list[dict[str, Any]],
    ) -> None:
        state = underway(before, tuple(since), ask)
        word, *parts = line.split()
        first = next(iter(ask.options))
        if "trade" in action and not first.startswith(("hand", "return", "accept")):
            self._terms(state, action, word, parts)
        elif first.startswith("hand"):
            action["want"].setdefault("chits", []).append(CHIT_NAMES[self.faces[int(parts[0])]])
        elif first == "accept":
            answers.append({"by": action["trade"], "accept": word == "accept"})
        elif first.startswith("return"):
            slot = int(parts[0])
            power = next(power for power, hand in enumerate(state.hands) if slot in hand)
            name = CHIT_NAMES[self.faces[slot]]
            behind = since[-1][0]
            if isinstance(behind, Choose) and next(iter(behind.options)).startswith("return"):
                answers[-1]["return"].append(name)
            else:
                answers.append({"by": POWERS[power], "return": [name]})
        elif word in ("again", "land"):
            if word == "again":
                action["again"] = action.get("again", 0) + 1
            else:
                action["to"] = parts[0]
        elif word == "seize":
            action["seize"] = True
        elif first == "search":
            city = next(event.city for event in reversed(state.report) if event.kind == "moves")
            police = state.police_of(city)
            assert police is not None
            if word == "search":
                answers.append({"by": POWERS[police], "search": True})
        elif "search" in action and line in [spy_code(spy) for spy in range(25)]:
            action["spies"].append(line)
        elif NO_ANSWER in ask.options and word != NO_ANSWER:
            slot = int(parts[0])
            power = next(power for power, hand in enumerate(state.hands) if slot in hand)
            entry = {"by": POWERS[power], "chit": word}
            if word == "escape":
                entry["haven"] = parts[1]
            if word == "intercept":
                entry["with"] = parts[1]
            if word in ("papers", "escape") and state.report[-1].kind == "searches":
                entry["spy"] = spy_code(state.report[-1].spy)
            answers.append(entry)

    def _terms(self, state: State, action: dict[str, Any], word: str, parts: list[str]) -> None:
        if word == "propose" and len(parts) > 1:
            offered, places, wanted, _ = parts
            for key, text in (("offer", offered), ("want", wanted)):
                action[key]["money"] = 0 if text == "?" else int(text)
            if places != "-":
                hand = state.hands[state.power]
                action["offer"]["chits"] = [CHIT_NAMES[self.faces[hand[int(place)]]] for place in places]
            self.wanted = int(parts[3])
        elif word in ("give", "want"):
            key = "offer" if word == "give" else "want"
            action[key].setdefault("secrets", {})[parts[0]] = parts[1]

    def _trade(self, action: dict[str, Any], amounts: tuple[int, int]) -> None:
        for key, pounds_ in zip(("offer", "want"), amounts, strict=True):
            action[key]["money"] = action[key].get("money") or pounds_
        missing = self.wanted - len(action["want"].get("chits", []))
        if missing:  # declined: what would have been given is not known
            action["want"].setdefault("chits", []).extend(["papers"] * missing)

    def _laid(self, action: dict[str, Any], before: State, after: State) -> None:
        units = after.police[before.power]
        for unit in units:
            action["police"].setdefault(NAMES[unit.city], []).append(self.faces[unit.slot])
        action["guard"] = [
            NAMES[lying.origin] for lying in after.secrets if lying.by == before.power and lying.on == POLICE
        ]
