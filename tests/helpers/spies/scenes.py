"""Short scenarios out of the worked examples' set-up."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from p2p_stratego.core.scenario import ScenarioError
from p2p_stratego.spies.formats.scenario import play
from tests.helpers.spies.examples import DISCARDS, START

Line = dict[str, Any]
REFUSED: Line = {"refused": True}
"""Stands for an error behind the lines that were right."""


def start(change: Callable[[dict[str, Any]], object] | None = None, **options: Any) -> dict[str, Any]:
    """The set-up of the examples, changed in place by `change`, with more options."""
    scenario: dict[str, Any] = copy.deepcopy(json.loads(START))
    scenario["options"].update(options)
    if change is not None:
        change(scenario)
    return scenario


def turn(power: str, *do: dict[str, Any], year: int = 1933, tile: bool = True, **more: Any) -> dict[str, Any]:
    """A turn that discards a tile first."""
    first = [{"tile": "discard", "id": DISCARDS[power][year - 1933]}] if tile else []
    return {"power": power, "do": [*first, *do], **more}


def lines(scenario: dict[str, Any], *turns: dict[str, Any]) -> list[Line]:
    """What the referee tells; REFUSED at the end for an error."""
    shown: list[Line] = []
    try:
        shown.extend(play({**scenario, "turns": list(turns)}))
    except ScenarioError:
        shown.append(REFUSED)
    return shown


def log(scenario: dict[str, Any], *turns: dict[str, Any]) -> list[str]:
    """The log of the last turn, without its tile."""
    shown = lines(scenario, *turns)
    assert shown[-1].get("reason") == "unfinished", shown[-1]
    entries: list[str] = shown[-2]["log"]
    return entries[1:]
