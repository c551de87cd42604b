"""An engine for P2P Stratego, in fifty lines and without imports from it: plays any game, by chance.

    p2p-stratego play stratego --engine "python3 examples/engines/random_player.py"

docs/engines.md has the lines.  Each is one object of JSON.
"""

import json
import random
import sys
from typing import Any


def say(**message: Any) -> None:
    print(json.dumps(message), flush=True)


def answer(question: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """One of the options by chance; for cards to lay, the example."""
    number = question["number"]
    if "lay" in question:
        return {"type": "lay", "number": number, "faces": question["example"]}
    listed = question["choose"]
    if listed["complete"]:
        return {"type": "choose", "number": number, "option": chance.randrange(len(listed["options"]))}
    # Of billions of set-ups only the first are listed.
    return {"type": "choose", "number": number, "option": question["example"]}


def main() -> None:
    chance = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="hello", protocol=1, name="Random Player")
        elif message["type"] == "options":
            say(type="ready")
        elif message["type"] == "game":
            chance = random.Random(message["seed"])
        elif message["type"] == "decide":
            say(**answer(message, chance))
        elif message["type"] == "error":
            say(type="error", text=message["text"])
        elif message["type"] == "quit":
            return


if __name__ == "__main__":
    main()
