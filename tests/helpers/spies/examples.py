"""The worked examples of the scenario format: their set-up, two turns, and the lines that tell them."""

from __future__ import annotations

from typing import Final

START: Final = """
{"game": "spies", "options": {"players": 5},
 "deal": {"neutral": {"warsaw": "c3", "prague": "s5", "vienna": "s4", "madrid": "s2",
                      "stockholm": "s1", "bucharest": "s3", "brussels": "c2", "athens": "c4"},
          "tiles": {"germany": [36, 40, 47], "italy": [37, 41, 48], "russia": [38, 42, 49],
                    "france": [39, 43, 50], "britain": [44, 45, 46]},
          "chits": {"germany": ["discovery", "papers", "sanction", "drop", "escape"],
                    "italy": ["discovery", "papers", "cover", "double-cross", "intercept"],
                    "russia": ["discovery", "discovery", "papers", "escape", "recruit"],
                    "france": ["discovery", "cover", "papers", "double-cross", "sanction"],
                    "britain": ["discovery", "papers", "escape", "double-cross", "cover"]}},
 "setup": {"secrets": {"germany": {"berlin": "s1", "hamburg": "s2", "konigsberg": "s1",
                                   "cologne": "s3", "munich": "c4", "leipzig": "s2", "breslau": "s5"},
                       "italy": {"rome": "s1", "milan": "s2", "venice": "s3", "naples": "s4",
                                 "tripoli": "c2", "rhodes": "s1"},
                       "russia": {"moscow": "s2", "leningrad": "s3", "kiev": "s4", "odessa": "c3",
                                  "kharkov": "s1", "stalingrad": "s3"},
                       "france": {"paris": "s3", "lille": "s2", "lyons": "s1", "marseilles": "c6",
                                  "strasbourg": "s4", "algiers": "s2"},
                       "britain": {"london": "s4", "birmingham": "s1", "liverpool": "s2",
                                   "edinburgh": "s3", "gibraltar": "c5", "malta": "s5",
                                   "haifa": "s3"}},
           "police": {"germany": {"berlin": [4, 1], "hamburg": [3], "munich": [3], "cologne": [2],
                                  "breslau": [2]},
                      "italy": {"rome": [3, 3], "venice": [2], "naples": [2], "tripoli": [1]},
                      "russia": {"moscow": [4, 3], "leningrad": [3], "kiev": [2], "odessa": [2],
                                 "minsk": [1]},
                      "france": {"paris": [4, 2], "marseilles": [3], "strasbourg": [2],
                                 "algiers": [1]},
                      "britain": {"london": [4, 2], "gibraltar": [3], "liverpool": [2],
                                  "edinburgh": [1]}},
           "guard": {"germany": ["munich"], "italy": ["tripoli"], "russia": ["odessa"],
                     "france": ["marseilles"], "britain": ["gibraltar"]},
           "spies": {"germany": [["falke", "prague"], ["dorn", "paris"], ["kessel", "warsaw"],
                                 ["linde", "rome"], ["cousin", "berlin"]],
                     "italy": [["aquila", "vienna"], ["brio", "munich"], ["corvo", "athens"],
                               ["dama", "geneva"], ["cousin", "rome"]],
                     "russia": [["volk", "warsaw"], ["iskra", "berlin"], ["grom", "stockholm"],
                                ["sova", "bucharest"], ["cousin", "moscow"]],
                     "france": [["renard", "brussels"], ["brume", "prague"], ["cygne", "london"],
                                ["merle", "madrid"], ["cousin", "paris"]],
                     "britain": [["heron", "amsterdam"], ["flint", "vienna"], ["sable", "lisbon"],
                                 ["wren", "hamburg"], ["cousin", "london"]]}},
 "turns": []}
"""
"""Five players, before the first turn."""
GERMANY_1933: Final = """
{"power": "germany",
 "do": [{"tile": "play", "id": 2}, {"search": "hamburg", "spies": ["br4"]},
        {"search": "berlin", "spies": ["ru2"]}, {"by": "russia", "chit": "papers", "spy": "ru2"},
        {"chit": "discovery", "spy": "ge1", "secret": "prague"}, {"move": ["ge1", "leipzig"]},
        {"move": ["ge1", "berlin"]}, {"cash": "ge1"}],
 "draws": ["papers", "cover", "sanction", "papers", "escape", "papers", "discovery", "double-cross",
           "cover", "papers", "drop", "discovery", "papers", "recruit"]}
{"year": 1933, "power": "germany", "ap": 5,
 "log": ["plays tile 2", "russia draws 3 at berlin", "italy draws 2 at vienna",
         "britain draws 2 at vienna", "germany draws 2 at warsaw", "russia draws 2 at warsaw",
         "germany draws 1 at rome", "italy gains 3 at geneva", "britain gains 3 at amsterdam",
         "germany searches br4 in hamburg", "br4 wren captured by germany",
         "germany draws 1 for a capture", "germany searches ru2 in berlin", "russia plays papers",
         "germany plays discovery", "ge1 discovers prague", "ge1 controls prague", "ge1 to leipzig",
         "ge1 to berlin", "ge1 cashes prague", "germany draws 1 for a secret"],
 "money": {"germany": 39, "italy": 23, "russia": 19, "france": 20, "britain": 23},
 "chits": {"germany": 9, "italy": 7, "russia": 9, "france": 5, "britain": 7}}
"""
ITALY_1933: Final = """
{"power": "italy",
 "do": [{"tile": "discard", "id": 8}, {"chit": "discovery", "spy": "it2", "secret": "munich"},
        {"move": ["it2", "leipzig"]}, {"move": ["it2", "berlin"]},
        {"by": "germany", "search": true}, {"by": "italy", "chit": "papers", "spy": "it2"},
        {"by": "germany", "chit": "double-cross"}, {"by": "italy", "chit": "double-cross"}]}
{"year": 1933, "power": "italy", "ap": 6,
 "log": ["discards a tile", "italy plays discovery", "it2 discovers munich",
         "munich is counterspy 4", "it2 survives", "it2 to leipzig", "it2 to berlin",
         "germany searches it2 in berlin", "italy plays papers", "germany plays double-cross",
         "italy plays double-cross"],
 "money": {"germany": 36, "italy": 15, "russia": 19, "france": 20, "britain": 23},
 "chits": {"germany": 8, "italy": 4, "russia": 9, "france": 5, "britain": 7}}
"""
"""A turn, and its line."""
CHEATED: Final = """
{"winners": [0, 1, 3, 4], "reason": "cheated", "by": "russia", "rule": "false-discard",
 "points": null, "scores": null,
 "money": {"germany": 36, "italy": 15, "russia": 19, "france": 20, "britain": 23}, "year": 1933}
"""
QUIET: Final = """
{"winners": [4], "reason": "points",
 "points": {"germany": 32, "italy": 24, "russia": 29, "france": 30, "britain": 41},
 "scores": [32, 24, 29, 30, 41],
 "money": {"germany": 20, "italy": 20, "russia": 20, "france": 20, "britain": 20}, "year": 1939}
"""
"""The end of a game in which nothing happens."""
DISCARDS: Final = {
    "germany": (2, 3, 6, 4, 7, 1, 5),
    "italy": (8, 9, 10, 11, 12, 14, 13),
    "russia": (15, 17, 18, 20, 19, 16, 21),
    "france": (22, 24, 23, 25, 27, 26, 28),
    "britain": (29, 30, 32, 31, 33, 34, 35),
}
"""By power: a tile that fits each year."""
