// Generated from the tables of the rules by `python -m cli.page.generate`: do not edit.

export const SPIES_AND_LIES_DATA = {
  "name": "spies-and-lies",
  "version": 2,
  "seatCounts": [2, 3, 4],
  "mostRolls": 16,
  "seatNames": ["red", "blue"],
  "options": {"wall": 4, "starter": "random"},
  "starters": ["random", "red", "blue"],
  "fewestWall": 2,
  "mostWall": 8,
  "days": 3,
  "missions": [1, 2, 3, 4],
  "turns": 8,
  "forward": [1, -1],
  "infiltration": 10,
  "identification": 2,
  "identificationWithScout": 4,
  "deception": 4,
  "raid": 5,
  "tokens": 4,
  "tokensAtStart": 1,
  "tokensHeldAtMost": 2,
  "intelDeck": [[1, 4], [1, 4], [4, 7], [4, 7], [7, 10], [7, 10]],
  "scout": 2,
  "captain": 6,
  "marshal": 10,
  "exhaustedRule": "exhausted-card",
  "twiceRule": "card-laid-twice",
  "soldiers": [{"rank": 1, "name": "Spy", "ability": "1 point and a deception token; today enemy Marshals retreat", "points": 1, "keepsExcess": false, "steps": 0, "winsToken": true, "lasts": true, "blast": false, "yieldsTo": null, "chooses": false, "free": false}, {"rank": 2, "name": "Scout", "ability": "2 points; today each identification pays 4", "points": 2, "keepsExcess": false, "steps": 0, "winsToken": false, "lasts": true, "blast": false, "yieldsTo": null, "chooses": false, "free": false}, {"rank": 3, "name": "Miner", "ability": "3 points; today enemy Bombs retreat", "points": 3, "keepsExcess": false, "steps": 0, "winsToken": false, "lasts": true, "blast": false, "yieldsTo": null, "chooses": false, "free": false}, {"rank": 4, "name": "Sergeant", "ability": "4 points; may stand anywhere, and be marked or not", "points": 4, "keepsExcess": false, "steps": 0, "winsToken": false, "lasts": false, "blast": false, "yieldsTo": null, "chooses": false, "free": true}, {"rank": 5, "name": "Lieutenant", "ability": "the agent moves 1 step", "points": 0, "keepsExcess": false, "steps": 1, "winsToken": false, "lasts": false, "blast": false, "yieldsTo": null, "chooses": false, "free": false}, {"rank": 6, "name": "Captain", "ability": "6 points, or the ability of one of your exhausted soldiers", "points": 6, "keepsExcess": false, "steps": 0, "winsToken": false, "lasts": false, "blast": false, "yieldsTo": null, "chooses": true, "free": false}, {"rank": 7, "name": "Bomb", "ability": "your next guess today blasts: the card retreats or, identified, costs two soldiers", "points": 0, "keepsExcess": false, "steps": 0, "winsToken": false, "lasts": false, "blast": true, "yieldsTo": 3, "chooses": false, "free": false}, {"rank": 8, "name": "Colonel", "ability": "8 points; what is beyond 10 is kept", "points": 8, "keepsExcess": true, "steps": 0, "winsToken": false, "lasts": false, "blast": false, "yieldsTo": null, "chooses": false, "free": false}, {"rank": 9, "name": "General", "ability": "the agent moves 2 steps", "points": 0, "keepsExcess": false, "steps": 2, "winsToken": false, "lasts": false, "blast": false, "yieldsTo": null, "chooses": false, "free": false}, {"rank": 10, "name": "Marshal", "ability": "10 points, or 5 points while the enemy loses 5", "points": 10, "keepsExcess": false, "steps": 0, "winsToken": false, "lasts": false, "blast": false, "yieldsTo": 1, "chooses": true, "free": false}]
};

export const STRATEGO_DATA = {
  "name": "stratego",
  "version": 2,
  "seatCounts": [2],
  "mostRolls": 1,
  "seatNames": ["red", "blue"],
  "options": {"army": "quickplay", "first": "red", "quiet": 200},
  "mostQuiet": 1000,
  "longest": 100000,
  "pieces": [{"name": "flag", "letter": "F", "reach": 0}, {"name": "spy", "letter": "S", "reach": 1}, {"name": "scout", "letter": "2", "reach": 2}, {"name": "miner", "letter": "3", "reach": 1}, {"name": "sergeant", "letter": "4", "reach": 1}, {"name": "lieutenant", "letter": "5", "reach": 1}, {"name": "captain", "letter": "6", "reach": 1}, {"name": "major", "letter": "7", "reach": 1}, {"name": "colonel", "letter": "8", "reach": 1}, {"name": "general", "letter": "9", "reach": 1}, {"name": "marshal", "letter": "M", "reach": 1}, {"name": "bomb", "letter": "B", "reach": 0}],
  "flag": 0,
  "spy": 1,
  "scout": 2,
  "miner": 3,
  "marshal": 10,
  "bomb": 11,
  "order": [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 11, 0],
  "armies": {"quickplay": [1, 1, 4, 2, 2, 2, 2, 1, 1, 1, 1, 2], "classic": [1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6], "barrage": [1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1], "duel": [1, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2]},
  "fewestPieces": 2,
  "mostPieces": 40,
  "slots": 40,
  "side": 10,
  "columns": "abcdefghij",
  "homeRows": 4,
  "craters": [42, 43, 46, 47, 52, 53, 56, 57],
  "walkedRule": "bomb-or-flag-moved",
  "ranRule": "ran-but-no-scout",
  "falseNoneRule": "false-no-move",
  "wrongArmyRule": "wrong-faces"
};

export const THEME_COLOURS = {
  "dark": {"text": {"ink": "#d8d8d8"}, "strong": {"ink": "#ffffff"}, "dim": {"ink": "#949da8"}, "rule": {"ink": "#4b5563"}, "fog": {"ink": "#3b434d"}, "seat0": {"ink": "#ff7b72"}, "seat1": {"ink": "#79b8ff"}, "tile0": {"ink": "#ffffff", "ground": "#a02c2c"}, "tile1": {"ink": "#ffffff", "ground": "#1f62a8"}, "back0": {"ink": "#a02c2c"}, "back1": {"ink": "#1f62a8"}, "fresh0": {"ink": "#ffffff", "ground": "#d14343"}, "fresh1": {"ink": "#ffffff", "ground": "#2a78c4"}, "target": {"ink": "#ffd479"}, "chosen": {"ink": "#101010", "ground": "#ffd479"}, "good": {"ink": "#8ddb8c"}, "bad": {"ink": "#ff9b8e"}, "warn": {"ink": "#ffcc66"}, "token": {"ink": "#d2a8ff"}, "mark": {"ink": "#7ee0d0"}, "key": {"ink": "#a5d6ff"}},
  "light": {"text": {"ink": "#24292f"}, "strong": {"ink": "#000000"}, "dim": {"ink": "#5f6871"}, "rule": {"ink": "#8c959f"}, "fog": {"ink": "#b4bcc5"}, "seat0": {"ink": "#b3261e"}, "seat1": {"ink": "#0b57a4"}, "tile0": {"ink": "#ffffff", "ground": "#b3261e"}, "tile1": {"ink": "#ffffff", "ground": "#0b57a4"}, "back0": {"ink": "#b3261e"}, "back1": {"ink": "#0b57a4"}, "fresh0": {"ink": "#ffffff", "ground": "#cf433a"}, "fresh1": {"ink": "#ffffff", "ground": "#2a74c0"}, "target": {"ink": "#8a5a00"}, "chosen": {"ink": "#ffffff", "ground": "#8a5a00"}, "good": {"ink": "#1a6b2c"}, "bad": {"ink": "#b3261e"}, "warn": {"ink": "#8a5a00"}, "token": {"ink": "#7a3fb0"}, "mark": {"ink": "#00706a"}, "key": {"ink": "#0b57a4"}},
  "contrast": {"text": {"ink": "#ffffff", "ground": "#000000"}, "strong": {"ink": "#ffffff"}, "dim": {"ink": "#ffffff"}, "rule": {"ink": "#ffffff"}, "fog": {"ink": "#ffffff"}, "seat0": {"ink": "#ff6060"}, "seat1": {"ink": "#60c0ff"}, "tile0": {"ink": "#ffffff", "ground": "#c00000"}, "tile1": {"ink": "#ffffff", "ground": "#0040d0"}, "back0": {"ink": "#ff6060"}, "back1": {"ink": "#60c0ff"}, "fresh0": {"ink": "#000000", "ground": "#ff9090"}, "fresh1": {"ink": "#000000", "ground": "#90c8ff"}, "target": {"ink": "#ffff00"}, "chosen": {"ink": "#000000", "ground": "#ffffff"}, "good": {"ink": "#60ff60"}, "bad": {"ink": "#ff6060"}, "warn": {"ink": "#000000", "ground": "#ffff00"}, "token": {"ink": "#ff80ff"}, "mark": {"ink": "#00ffff"}, "key": {"ink": "#ffffff"}}
};
