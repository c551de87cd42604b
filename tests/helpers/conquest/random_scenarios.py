"""Random scenarios of Conquest Stratego: mostly legal, with every kind of mistake now and then."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

from tests.helpers.conquest.naive import (
    ARMY,
    CARDS,
    COLOURS,
    FACE,
    NEAR,
    TERRITORIES,
    ZONES,
    Bad,
    Broken,
    Over,
    side_by_side,
)
from tests.helpers.conquest.naive_turns import Referee

SOLDIERS = list(ARMY.elements())
JUNK: list[Any] = [
    None,
    0,
    -1,
    3,
    1.0,
    True,
    "",
    "a1",
    "z9",
    "flag",
    "red",
    "A",
    [],
    {},
    ["a1"],
    {"a1": "spy"},
]


def scenario(rng: Random, *, slips: float = 0.02, longest: int = 30) -> dict[str, Any]:
    """A scenario; `slips`: how likely each part is to be against the rules or the format."""
    start = _strict(rng, slips) if rng.random() < 0.25 else _position(rng, slips)
    start["options"] = _options(rng)
    start["turns"] = []
    calm = rng.random() < 0.3  # few fights and many turns: the pile is played through
    try:
        game = Referee(deepcopy(start))
    except (Bad, Broken):
        return start
    try:
        for _ in range(rng.randint(0, 3 * longest if calm else longest)):
            left = rng.random() < (0.003 if calm else 0.03)
            item = _leave(rng, game, slips) if left else _turn(rng, deepcopy(game), slips, calm=calm)
            start["turns"].append(item)
            game.item(deepcopy(item))
    except Over:
        if rng.random() < 0.2:
            start["turns"].append(rng.choice(JUNK))
    except (Bad, Broken):
        pass
    if rng.random() < slips:
        start = _spoiled(rng, start)
    return start


def _options(rng: Random) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if rng.random() < 0.5:
        options["scout"] = rng.choice(["run", "charge"])
    if rng.random() < 0.5:
        options["garrison"] = rng.choice(["free", "all"])
    if rng.random() < 0.5:
        options["rounds"] = rng.choice([1, 2, 3, 5, 8])
    return options


def _start(rng: Random) -> tuple[dict[str, Any], list[str]]:
    players = rng.randint(2, 4)
    return {"game": "conquest", "players": players}, COLOURS[:players]


def _position(rng: Random, slips: float) -> dict[str, Any]:
    start, colours = _start(rng)
    zones = rng.sample(ZONES, rng.randint(len(colours) * 3, 72))
    rng.shuffle(zones)
    share = len(zones) // len(colours)
    start |= {"setup": {}, "bag": {}}
    for colour in colours:
        others = [piece for piece in SOLDIERS if piece != "flag"]
        rng.shuffle(others)
        pieces = ["flag", *others[: min(share - 1, rng.randint(1, 17))]]
        left = others[len(pieces) - 1 :]
        start["setup"][colour] = {zones.pop(): piece for piece in pieces}
        if left and rng.random() < 0.7:
            start["bag"][colour] = left[: rng.randint(0, len(left))]
        if rng.random() < slips:
            start["setup"][colour][rng.choice(ZONES)] = rng.choice(SOLDIERS)
    if rng.random() < 0.5:
        start["first"] = rng.choice(colours)
    if rng.random() < 0.2:
        start["strict"] = False
    return start


def _strict(rng: Random, slips: float) -> dict[str, Any]:
    start, colours = _start(rng)
    draws = {colour: rng.choice(SOLDIERS) for colour in colours}
    best = max(FACE[piece] for piece in draws.values())
    highest = [colour for colour in colours if FACE[draws[colour]] == best]
    start |= {"strict": True, "draws": draws}
    if len(highest) > 1:
        start["tie"] = rng.choice(highest)
    letters = rng.sample(sorted(TERRITORIES), 24)
    if rng.random() < slips:
        letters[rng.randrange(24)] = rng.choice(letters)
    start["draft"] = letters if rng.random() < 0.5 else "".join(letters)
    at = colours.index(start.get("tie", highest[0]))
    ring = colours[at:] + colours[:at]
    order = [(ring + ring[::-1])[number % (2 * len(ring))] for number in range(24)]
    start["setup"] = {}
    for colour in colours:
        own = [letter for letter, who in zip(letters, order, strict=True) if who == colour]
        zones = [zone for letter in own for zone in TERRITORIES[letter]]
        must = [rng.choice(TERRITORIES[letter]) for letter in own] if rng.random() < 0.7 else []
        others = [zone for zone in zones if zone not in must]
        filled = [*dict.fromkeys(must), *rng.sample(others, len(others))][:18]
        pieces = rng.sample(SOLDIERS, 18)
        if rng.random() < slips:
            pieces[0] = rng.choice(SOLDIERS)
        if rng.random() < slips:
            filled[0] = rng.choice(ZONES)
        start["setup"][colour] = dict(zip(filled, pieces, strict=False))
    return start


def _leave(rng: Random, game: Referee, slips: float) -> dict[str, Any]:
    who = rng.choice(game.still_in)
    item: dict[str, Any] = {"leave": who}
    free = [zone for zone in ZONES if zone not in game.board or game.board[zone][0] == who]
    back = [c for c in game.players if game.flag[c] == who and c in game.still_in]
    if back or rng.random() < 0.2:
        item["flags"] = {c: rng.choice(ZONES if rng.random() < 10 * slips else free) for c in back}
    if rng.random() < slips:
        item["leave"] = rng.choice(COLOURS)
    return item


def _turn(rng: Random, game: Referee, slips: float, *, calm: bool) -> dict[str, Any]:
    """A turn, worked out on a copy of the game."""
    item: dict[str, Any] = {}
    game.begun += 1
    game.head = {}
    game.moves_left = game.budget()
    game.flag_open, game.flag_said = True, "a1"
    cards = _cards(rng, game)
    if rng.random() < slips / 2:
        cards = [*cards, rng.choice(sorted(CARDS))] if rng.random() < 0.5 else cards[1:]
    if cards or rng.random() < 0.1:
        item["cards"] = cards
    try:
        drawn = game.draw(list(cards))
        playable = any(_may(game, card) for card in drawn)
        if (playable and rng.random() < 0.8) or rng.random() < slips:
            can = [card for card in drawn if _may(game, card)] or ["traitor"]
            card = rng.choice(can) if rng.random() > slips else rng.choice(sorted(CARDS))
            item["play"] = _play(rng, game, card, slips)
            _aim_flag(rng, game, item, slips)
            game.play(deepcopy(item["play"]), drawn)
        elif rng.random() < 0.2:
            item["play"] = None
        game.discard(drawn)
        _moves(rng, game, item, slips, calm=calm)
    except (Bad, Broken, Over):
        pass
    if game.flag_open and "flag" in item and rng.random() > slips:
        del item["flag"]
    return item


def _aim_flag(rng: Random, game: Referee, item: dict[str, Any], slips: float) -> None:
    """Where the own flag would go if the next card or move won it back."""
    if game.flag_open:
        free = [zone for zone in ZONES if zone not in game.board]
        zone = rng.choice(ZONES if rng.random() < 5 * slips or not free else free)
        item["flag"] = game.flag_said = zone


def _cards(rng: Random, game: Referee) -> list[str]:
    pile, last = Counter(game.pile), game.traitor_last
    cards: list[str] = []
    for _ in range(game.due()):
        if not sum(pile.values()):
            pile, last = CARDS - Counter(cards), False
        can = [c for c in pile.elements() if not (last and c == "traitor" and sum(pile.values()) > 1)]
        cards.append("traitor" if "traitor" in can and rng.random() < 0.3 else rng.choice(can))
        pile[cards[-1]] -= 1
    return cards


def _may(game: Referee, card: str) -> bool:
    """Whether what the card needs is there, but for neighbours."""
    me = game.turn_of
    return {
        "regroup": len(game.on_board(me)) > 2,
        "reinforce": bool(game.bag[me]),
        "surprise": bool(game.bag[me]),
        "secret": (me, "spy") in game.board.values(),
        "new-spy": "spy" in game.bag[me],
    }.get(card, True)


def _play(rng: Random, game: Referee, card: str, slips: float) -> dict[str, Any]:
    me = game.turn_of
    own, free = game.on_board(me), [zone for zone in ZONES if zone not in game.board]
    enemies = [zone for zone in game.board if zone not in own]
    wild = rng.random() < 3 * slips
    play: dict[str, Any] = {"card": card}
    if card in ("reinforce", "surprise"):
        near = [zone for zone in free if card == "surprise" or any(z in own for z in NEAR[zone])]
        play["piece"] = rng.choice(SOLDIERS if wild or not game.bag[me] else game.bag[me])
        play["zone"] = rng.choice(ZONES if wild or not near else near)
    if card == "regroup":
        zones = rng.sample(own if len(own) > 2 and not wild else ZONES, 3)
        play |= {"zones": zones, "to": rng.sample(zones, 3)}
    if card == "secret":
        pairs = [[a, b] for a in game.board for b in NEAR[a] if b in game.board and {a, b} - set(own)]
        play["zones"] = rng.sample(ZONES, 2) if wild or not pairs else rng.choice(pairs)
    if card == "new-spy":
        play["zone"] = rng.choice(ZONES if wild or not free else free)
    if card == "traitor":
        play["zone"] = rng.choice(ZONES if wild else enemies)
        face = game.board.get(play["zone"], ("", "king"))[1]
        play["guess"] = face if rng.random() < 0.6 else rng.choice(SOLDIERS)
    return play


def _moves(rng: Random, game: Referee, item: dict[str, Any], slips: float, *, calm: bool) -> None:
    moves: list[Any] = []
    for number in range(game.moves_left + 1):
        can = _steps(game)
        if rng.random() < slips:
            moves.append(_slip(rng, game))
        elif not can or not game.moves_left or (number and rng.random() < (0.7 if calm else 0.1)):
            break
        elif calm and rng.random() < 0.9:
            moves.append(rng.choice([move for move in can if move[2:] not in game.board] or can))
        else:
            fights = [move for move in can if move[2:] in game.board]
            flags = [move for move in fights if game.board[move[2:]][1] == "flag"]
            some = flags if flags and rng.random() < 0.5 else fights if fights and rng.random() < 0.6 else can
            moves.append(rng.choice(some))
        _aim_flag(rng, game, item, slips)
        item["moves"] = moves
        game.move(moves[-1])


def _slip(rng: Random, game: Referee) -> str:
    """A move that is likely against a rule, from an own piece or from anywhere."""
    source = rng.choice(game.on_board(game.turn_of) or ZONES) if rng.random() < 0.8 else rng.choice(ZONES)
    beside = [zone for zone in ZONES if side_by_side(source, zone)]
    return source + rng.choice(beside if rng.random() < 0.5 else ZONES)


def _steps(game: Referee) -> list[str]:
    """Moves of pieces that are not fixed; those of scouts lead anywhere, so some are too far."""
    me, steps = game.turn_of, []
    for zone in game.on_board(me):
        name = game.board[zone][1]
        if name not in ("flag", "cursed"):
            targets = set(NEAR[zone])
            if name == "scout":
                walk = game.reached(zone)
                targets |= walk
                if game.scout == "charge":
                    targets |= {z for w in walk for z in NEAR[w]} - {zone}
            steps += [
                zone + target
                for target in sorted(targets)
                if target not in game.board or game.board[target][0] != me
            ]
    return steps


def _spoiled(rng: Random, value: Any) -> Any:
    """The value with junk in one place, or one place missing."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.1:
        return rng.choice(JUNK)
    copy = deepcopy(value)
    key: Any = rng.choice(sorted(copy)) if isinstance(copy, dict) else rng.randrange(len(copy))
    if rng.random() < 0.2:
        del copy[key]
    elif isinstance(copy, dict) and rng.random() < 0.1:
        copy[str(rng.choice(JUNK))] = rng.choice(JUNK)
    else:
        copy[key] = _spoiled(rng, copy[key])
    return copy
