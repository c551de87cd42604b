"""The rules row by row, in scenarios: actions, answers, cheats, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.spies.examples import DISCARDS
from tests.helpers.spies.scenes import REFUSED, lines, log, start, turn

DISCARD = {"tile": "discard", "id": 2}
SEARCH_BR4 = {"search": "hamburg", "spies": ["br4"]}
FIND_PRAGUE = {"chit": "discovery", "spy": "ge1", "secret": "prague"}
KILL_FR2 = {"chit": "sanction", "spy": "ge1", "victim": "fr2"}
QUIET = turn("germany")


def cheat(log: list[dict[str, Any]]) -> tuple[str, str]:
    assert log[-1]["reason"] == "cheated", log[-1]
    seat = ["germany", "italy", "russia", "france", "britain"].index(log[-1]["by"])
    assert log[-1]["winners"] == [winner for winner in range(5) if winner != seat]
    return log[-1]["by"], log[-1]["rule"]


@pytest.mark.parametrize(
    ("do", "rule"),
    [
        ([{"tile": "play", "id": 1}], "wrong-year"),
        ([{"tile": "play", "id": 8}], "wrong-tile"),
        ([{"tile": "play", "id": 50}], "wrong-tile"),
        ([{"tile": "discard", "id": 1}], "false-discard"),
        ([{"tile": "discard", "id": 9}], "false-discard"),
        ([{"tile": "none"}], "false-none"),
        ([DISCARD, {"police": {"berlin": [4, 4], "hamburg": [3, 3], "munich": [2, 2]}}], "wrong-police"),
        ([DISCARD, {**SEARCH_BR4, "says": {"br4": "free"}}], "false-comparison"),
        ([DISCARD, {**FIND_PRAGUE, "says": "counterspy"}], "false-secret"),
        ([DISCARD, FIND_PRAGUE, {**FIND_PRAGUE, "spy": "ge3", "secret": "warsaw"}], "wrong-chit"),
        ([DISCARD, {"chit": "recruit", "spy": "ge1", "city": "berlin"}], None),
    ],
)  # fmt: skip
def test_what_germany_says_untruly(do: list[dict[str, Any]], rule: str | None) -> None:
    shown = lines(start(), {"power": "germany", "do": do})
    assert shown == [REFUSED] if rule is None else cheat(shown) == ("germany", rule)


def test_cheats_of_others_and_at_the_start() -> None:
    denied = turn(
        "germany", {"chit": "sanction", "spy": "ge4", "victim": "it5"}, {"by": "italy", "cousin": False}
    )
    assert cheat(lines(start(), denied)) == ("italy", "false-cousin")
    claimed = turn("germany", KILL_FR2, {"by": "france", "cousin": True})
    assert cheat(lines(start(), claimed)) == ("france", "false-cousin")
    survives = turn("italy", {"chit": "discovery", "spy": "it2", "secret": "munich", "survives": False})
    assert cheat(lines(start(), QUIET, survives)) == ("italy", "false-survival")
    no_papers = turn(
        "germany", {"search": "berlin", "spies": ["ru2"]}, {"by": "russia", "chit": "papers", "spy": "ru2"}
    )
    without = start(lambda s: s["deal"]["chits"]["russia"].__setitem__(2, "discovery"))
    assert cheat(lines(without, no_papers)) == ("russia", "wrong-chit")
    assert cheat(lines(start(lambda s: s["setup"]["police"]["italy"].update(rome=[3, 2])))) == (
        "italy",
        "wrong-police",
    )
    assert cheat(lines(start(lambda s: s["setup"]["spies"]["france"][0].__setitem__(0, "falke")))) == (
        "france",
        "wrong-spies",
    )


@pytest.mark.parametrize(
    "do",
    [
        [{"move": ["ge1", city]} for city in ("breslau", "prague", "breslau", "prague", "breslau", "prague")],
        [SEARCH_BR4, SEARCH_BR4],
        [{"move": ["ge1", "rome"]}],
        [{"move": ["it1", "rome"]}],
        [{"move": ["ge1", "leipzig"]}, {"move": ["ge2", "lille"]}, {"move": ["ge1", "berlin"]}],
        [{"police": {"berlin": [4, 3, 3], "hamburg": [2, 2], "munich": [1]}}],
        [{"police": {"berlin": [4, 3], "rome": [3, 2], "munich": [2, 1]}}],
        [{"move": ["ge1", "leipzig"]}, SEARCH_BR4],
        [{"move": ["ge1", "leipzig"]}, {"police": {"berlin": [4, 3], "hamburg": [3, 2], "munich": [2, 1]}}],
        [{"diplomacy": "germany"}],
        [{"trade": "france", "offer": {"money": 1}}],
        [{"diplomacy": "france"}, {"trade": "france"}],
        [{"diplomacy": "france"}, {"trade": "france", "offer": {"money": 21}}],
        [{"diplomacy": "france"}, {"trade": "italy", "offer": {"money": 1}}],
        [FIND_PRAGUE, {"by": "france", "chit": "cover"}],
        [{"cash": "ge5"}],
        [{"chit": "papers"}],
        [{"chit": "intercept", "spy": "ge1"}],
        [{"sail": ["ge1", "north"]}],
        [{"tile": "discard", "id": 3}],
        [{"search": "berlin", "spies": []}],
        [{"search": "cologne", "spies": ["br4"]}],
    ],
)
def test_what_the_rules_do_not_offer_is_refused(do: list[dict[str, Any]]) -> None:
    assert lines(start(), turn("germany", *do)) == [REFUSED]


def test_leftovers_are_refused() -> None:
    extras: list[dict[str, Any]] = [{"draws": ["papers"]}, {"dice": [3]}, {"bids": [[1]]}, {"pay": {}}]
    for extra in extras:
        assert lines(start(), turn("germany", **extra)) == [REFUSED]
    assert lines(start(), turn("italy")) == [REFUSED]
    assert lines(start(), turn("germany", tile=False)) == [REFUSED]
    assert lines(start(), QUIET, turn("germany"))[-1] == REFUSED


def test_a_sanction_and_its_answers() -> None:
    seize = [FIND_PRAGUE]
    assert log(start(), turn("germany", KILL_FR2)) == [
        "germany plays sanction", "ge1 sanctions fr2", "fr2 brume killed by germany",
    ]  # fmt: skip
    assert log(start(), turn("germany", *seize, KILL_FR2, {"by": "france", "chit": "cover"})) == [
        "germany plays discovery", "ge1 discovers prague", "ge1 controls prague",
        "germany plays sanction", "ge1 sanctions fr2", "france plays cover", "sanction fails",
    ]  # fmt: skip
    assert log(start(), turn("germany", KILL_FR2, {"by": "france", "chit": "double-cross"})) == [
        "germany plays sanction", "ge1 sanctions fr2", "france plays double-cross",
        "ge1 falke killed by france",
    ]  # fmt: skip
    with_escape = start(lambda s: s["deal"]["chits"]["france"].__setitem__(1, "escape"))
    away = {"by": "france", "chit": "escape", "haven": "tangiers"}
    assert log(with_escape, turn("germany", KILL_FR2, away)) == [
        "germany plays sanction", "ge1 sanctions fr2", "france plays escape", "fr2 escapes to tangiers",
    ]  # fmt: skip


def test_cousins_and_sanctions() -> None:
    entries = log(start(), turn("germany", {"chit": "sanction", "spy": "ge4", "victim": "it5"}))
    assert entries == [
        "germany plays sanction",
        "ge4 sanctions it5",
        "it5 is the cousin",
        "ge4 linde killed by italy",
    ]

    def cousin_abroad(scenario: dict[str, Any]) -> None:
        scenario["setup"]["spies"]["germany"] = [
            ["falke", "berlin"], ["dorn", "paris"], ["kessel", "warsaw"], ["cousin", "rome"],
            ["linde", "prague"],
        ]  # fmt: skip

    both = turn("germany", {"chit": "sanction", "spy": "ge4", "victim": "it5"})
    assert log(start(cousin_abroad), both) == [
        "germany plays sanction", "ge4 sanctions it5", "it5 is the cousin", "ge4 is the cousin",
        "it5 cousin killed by germany",
    ]  # fmt: skip

    def another_in_rome(scenario: dict[str, Any]) -> None:
        cousin_abroad(scenario)
        scenario["setup"]["spies"]["italy"][3] = ["dama", "rome"]

    turned = start(another_in_rome)
    spared = turn(
        "germany",
        {"chit": "sanction", "spy": "ge4", "victim": "it4"},
        {"by": "italy", "chit": "double-cross"},
    )
    assert log(turned, spared) == [
        "germany plays sanction", "ge4 sanctions it4", "italy plays double-cross", "ge4 is the cousin",
    ]  # fmt: skip


def test_the_victims_secret_is_seized() -> None:
    find = turn("france", {"chit": "discovery", "spy": "fr2", "secret": "prague"})
    others = [turn("germany"), turn("italy"), turn("russia"), find, turn("britain")]
    home = ({"move": ["ge1", "leipzig"]}, {"move": ["ge1", "berlin"]}, {"cash": "ge1"})
    seize = turn("germany", {**KILL_FR2, "seize": True}, *home, year=1934, draws=["papers"])
    assert log(start(), *others, seize) == [
        "germany plays sanction", "ge1 sanctions fr2", "fr2 brume killed by germany", "ge1 controls prague",
        "ge1 to leipzig", "ge1 to berlin", "ge1 cashes prague", "germany draws 1 for a secret",
    ]  # fmt: skip


def test_searches_escapes_and_coming_back() -> None:
    escape = turn("germany", {"search": "berlin", "spies": ["ru2"]},
                  {"by": "russia", "chit": "escape", "spy": "ru2", "haven": "geneva"})  # fmt: skip
    assert log(start(), escape) == [
        "germany searches ru2 in berlin",
        "russia plays escape",
        "ru2 escapes to geneva",
    ]
    crossed = start(lambda s: s["deal"]["chits"]["germany"].__setitem__(0, "double-cross"))
    stopped = {**escape, "do": [*escape["do"], {"by": "germany", "chit": "double-cross"}], "draws": ["drop"]}
    assert log(crossed, stopped) == [
        "germany searches ru2 in berlin", "russia plays escape", "germany plays double-cross",
        "ru2 iskra captured by germany", "germany draws 1 for a capture",
    ]  # fmt: skip
    caught = turn("germany", {"search": "berlin", "spies": ["ru2"]}, draws=["double-cross"])
    back = turn("russia", {"chit": "escape", "spy": "ru2", "haven": "istanbul"})
    assert log(start(), caught, turn("italy"), back) == [
        "russia plays escape", "ru2 tries to escape", "ru2 escapes to istanbul",
    ]  # fmt: skip
    held = {**back, "do": [*back["do"], {"by": "germany", "chit": "double-cross"}]}
    assert log(start(), caught, turn("italy"), held) == [
        "russia plays escape", "ru2 tries to escape", "germany plays double-cross", "escape fails",
    ]  # fmt: skip
    weak = turn("germany", {"search": "cologne", "spies": ["br1"]})
    at_cologne = start(lambda s: s["setup"]["spies"]["britain"].__setitem__(0, ["heron", "cologne"]))
    assert log(at_cologne, weak) == ["germany searches br1 in cologne", "br1 is too strong"]


def test_a_drop_and_its_intercept() -> None:
    drop = turn("germany", FIND_PRAGUE, {"chit": "drop", "spy": "ge1"}, {"take": ["ge1", "prague"]})
    assert log(start(), drop)[3:] == [
        "germany plays drop",
        "ge1 drops prague",
        "drop of prague stands",
        "ge1 takes prague",
    ]
    holds = start(lambda s: s["deal"]["chits"]["france"].__setitem__(2, "intercept"))
    taken = turn(
        "germany",
        FIND_PRAGUE,
        {"chit": "drop", "spy": "ge1"},
        {"by": "france", "chit": "intercept", "with": "fr2"},
    )
    assert log(holds, taken)[3:] == [
        "germany plays drop", "ge1 drops prague", "france plays intercept", "france intercepts prague",
    ]  # fmt: skip
    wrong = turn(
        "germany",
        FIND_PRAGUE,
        {"chit": "drop", "spy": "ge1"},
        {"by": "france", "chit": "intercept", "with": "fr1"},
    )
    assert lines(holds, wrong) == [REFUSED]


def test_a_voyage() -> None:
    at_port = start(lambda s: s["setup"]["spies"]["germany"].__setitem__(1, ["dorn", "copenhagen"]))
    sail = turn("germany", {"sail": ["ge2", "north"], "again": 1, "to": "oslo"}, dice=[3, 4])
    (line, _) = lines(at_port, sail)
    assert (line["ap"], line["log"][1:]) == (9, ["ge2 sails north 3 4", "ge2 to oslo"])
    (line, _) = lines(at_port, turn("germany", {"sail": ["ge2", "north"]}, dice=[2]))
    assert (line["ap"], line["log"][1:]) == (11, ["ge2 sails north 2", "ge2 stays"])
    short = turn("germany", {"sail": ["ge2", "north"], "to": "danzig"}, dice=[2])
    assert lines(at_port, short) == [REFUSED]
    (line, _) = lines(at_port, turn("germany", {"sail": ["ge2", "north"], "to": "danzig"}, dice=[3]))
    assert line["ap"] == 9
    often = turn("germany", {"sail": ["ge2", "north"], "again": 4, "to": "oslo"}, dice=[2, 2, 2, 2, 2])
    assert lines(at_port, often) == [REFUSED]


def test_diplomacy_and_trades() -> None:
    offer = {
        "trade": "france",
        "offer": {"money": 3, "chits": ["drop"]},
        "want": {"chits": ["papers", "cover"]},
    }
    done = turn("germany", {"diplomacy": "france"}, offer, {"by": "france", "accept": True})
    (line, _) = lines(start(), done)
    assert line["log"][1:] == ["diplomacy with france", "trade germany 3 1 0, france 0 2 0"]
    assert (line["ap"], line["money"]["germany"], line["money"]["france"]) == (11, 17, 23)
    assert (line["chits"]["germany"], line["chits"]["france"]) == (6, 4)
    assert log(start(), turn("germany", {"diplomacy": "france"}, offer))[1].endswith(" declined")
    lacks = {**offer, "want": {"chits": ["recruit"]}}
    assert log(start(), turn("germany", {"diplomacy": "france"}, lacks))[1].endswith(" declined")
    untrue = turn("germany", {"diplomacy": "france"}, lacks, {"by": "france", "accept": True})
    assert cheat(lines(start(), untrue)) == ("france", "wrong-chit")
    broken = turn("germany", {"diplomacy": "france"}, {"move": ["ge1", "leipzig"]}, offer)
    assert lines(start(), broken) == [REFUSED]
    hand = {"trade": "france", "offer": {}, "want": {"secrets": {"madrid": "ge1"}}}
    assert lines(start(), turn("germany", {"diplomacy": "france"}, hand)) == [REFUSED]
    secret = {"trade": "france", "offer": {"secrets": {"prague": "fr2"}}, "want": {"money": 20}}
    sold = turn("germany", FIND_PRAGUE, {"diplomacy": "france"}, secret, {"by": "france", "accept": True})
    assert log(start(), sold)[-1] == "trade germany 0 0 1, france 20 0 0"


def test_secret_purses_are_overdrawn_where_open_ones_refuse() -> None:
    rich = {"trade": "france", "offer": {"money": 30}, "want": {"chits": ["papers"]}}
    bought = turn("germany", {"diplomacy": "france"}, rich, {"by": "france", "accept": True})
    assert lines(start(), bought) == [REFUSED]
    assert cheat(lines(start(purse="secret"), bought)) == ("germany", "overdrawn")
    low = {**rich, "offer": {"money": 18}}
    fair = turn("germany", {"diplomacy": "france"}, low, {"by": "france", "accept": True}, FIND_PRAGUE)
    assert cheat(lines(start(purse="secret"), fair)) == ("germany", "overdrawn")
    (line, _) = lines(start(purse="secret"), {**fair, "do": fair["do"][:-1]})
    assert (line["money"]["germany"], line["money"]["france"]) == (2, 38)
    assert line["log"][-1] == "trade germany 18 0 0, france 0 1 0"


def quiet_until(year: int, **changed: Any) -> list[dict[str, Any]]:
    """Turns of one discard each, to the end of a year; `changed`: other turns, by power and year."""
    return [
        changed.get(f"{power}_{at}", turn(power, year=at))
        for at in range(1933, year + 1)
        for power in DISCARDS
    ]


def test_the_polish_crisis_ends_1938() -> None:
    crisis = {"power": "germany", "do": [{"tile": "play", "id": 5}], "draws": ["discovery"] * 10}
    shown = lines(start(), *quiet_until(1938, germany_1938=crisis))
    assert len(shown) == 31
    assert (shown[-1]["reason"], shown[-1]["year"]) == ("points", 1938)
    # In 1938 all multiples are 3, halves 1; the coloured tile counts 2.
    assert shown[-1]["points"]["germany"] == (1 + 2 + 1 + 3 + 2 + 5) * 3 + 4 + 2
    assert lines(start(), *quiet_until(1938, germany_1938=crisis), turn("germany", year=1939))[-1] == REFUSED


def test_talks_may_begin_again_with_the_same_power() -> None:
    talk, move = {"diplomacy": "france"}, {"move": ["ge1", "leipzig"]}
    (line, _) = lines(start(), turn("germany", talk, move, talk))
    assert line["ap"] == 9
    assert lines(start(), turn("germany", talk, talk)) == [REFUSED]  # they are open, and paid for


def test_an_answer_waits_for_the_search_of_its_own_spy() -> None:
    """Behind papers that are crossed stands an answer for another spy: no double cross."""

    def two_in_berlin(scenario: dict[str, Any]) -> None:
        scenario["setup"]["spies"]["russia"][0] = ["volk", "berlin"]
        scenario["deal"]["chits"]["germany"][0] = "double-cross"
        scenario["deal"]["chits"]["russia"] = ["papers", "papers", "escape", "escape", "recruit"]

    both = turn(
        "germany",
        {"search": "berlin", "spies": ["ru2", "ru1"]},
        {"by": "russia", "chit": "papers", "spy": "ru2"},
        {"by": "germany", "chit": "double-cross"},
        {"by": "russia", "chit": "escape", "spy": "ru1", "haven": "geneva"},
        draws=["drop"],
    )
    assert log(start(two_in_berlin), both) == [
        "germany searches ru2 in berlin", "russia plays papers", "germany plays double-cross",
        "ru2 iskra captured by germany", "germany draws 1 for a capture",
        "germany searches ru1 in berlin", "russia plays escape", "ru1 escapes to geneva",
    ]  # fmt: skip
