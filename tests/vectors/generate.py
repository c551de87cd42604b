"""Write the test vectors, or say which of them this program would write otherwise.

`python -m tests.vectors.generate` writes `conformance/vectors`; with `--check` it changes nothing, prints
what differs, and exits with 1 if anything does.  The same on every machine: no clock, no randomness.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from tests.helpers.crypto.computed_once import computed_once
from tests.helpers.machine.modules import VECTORS
from tests.vectors import cards, links, primitives, tables
from tests.vectors.arrival import addresses, codes, friends, introductions, meetings, posts, relaying
from tests.vectors.records import copies, decks, looks, matches, talking


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def files() -> Iterator[tuple[str, bytes]]:
    """Every file by its path below the folder."""
    for name, make in primitives.FILES.items():
        yield name, _json(make())
    yield "ristretto.json", _json(cards.ristretto())
    yield "cards.json", _json(cards.cards())
    yield "sealed.json", _json(looks.sealed())
    yield "talk.json", _json(talking.talk())
    yield "orders.json", _json(looks.orders())
    yield "genesis.json", _json(matches.geneses())
    yield "records.json", _json(matches.records())
    yield "addresses.json", _json(addresses.addresses())
    yield "relay.json", _json(relaying.relays())
    yield "code.json", _json(codes.codes())
    yield "sas.json", _json(meetings.sas())
    yield "invites.json", _json(introductions.invites())
    yield "introductions.json", _json(introductions.introductions())
    yield "friends.json", _json(friends.friends())
    yield "post.json", _json(posts.posts())
    yield "links.json", _json(links.links("incomplete.p2ps", matches.under_way()))
    verdicts = {}
    for name, data in matches.transcripts():
        yield f"transcripts/{name}.p2ps", data
        verdicts[f"{name}.p2ps"] = matches.case(data)
    yield "transcripts/expected.json", _json(verdicts)
    proven = {}
    for name, data, answer in matches.proofs():
        yield f"proofs/{name}.proof", data
        proven[f"{name}.proof"] = answer
    yield "proofs/expected.json", _json(proven)
    for name, data in copies.files():
        yield f"copies/{name}", data
    yield "copies/expected.json", _json(copies.answers())
    for name, data in decks.files():
        yield f"decks/{name}", data
    yield "decks/expected.json", _json(decks.verdicts())
    for name, table in tables.FILES.items():
        yield f"tables/{name}", tables.written(table())


def differences() -> list[str]:
    """What stands in the folder and should not, or should and does not, in sentences."""
    wanted = dict(files())
    there = {str(path.relative_to(VECTORS)): path for path in VECTORS.rglob("*") if path.is_file()}
    texts = [f"{name} is missing" for name in sorted(wanted.keys() - there.keys())]
    texts += [f"{name} is not among the vectors" for name in sorted(there.keys() - wanted.keys())]
    common = sorted(wanted.keys() & there.keys())
    texts += [
        f"{name} would be written otherwise" for name in common if there[name].read_bytes() != wanted[name]
    ]
    return texts


def write() -> int:
    """Write all files and remove those that are none of them; how many there are."""
    wanted = dict(files())
    for path in VECTORS.rglob("*"):
        if path.is_file() and str(path.relative_to(VECTORS)) not in wanted:
            path.unlink()
    for name, data in wanted.items():
        path = VECTORS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return len(wanted)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.vectors.generate")
    parser.add_argument("--check", action="store_true", help="compare only")
    check = parser.parse_args(arguments).check
    with computed_once():  # matches begin from a few seeds: half of all signatures and products are the same
        if not check:
            print(f"{write()} files in {VECTORS}")
            return 0
        problems = differences()
    print("\n".join(problems) or "all vectors are as this program writes them")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
