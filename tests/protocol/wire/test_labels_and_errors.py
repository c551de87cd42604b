"""Context strings are all different, and none is the beginning of another with what follows it."""

from __future__ import annotations

import ast
from inspect import signature
from itertools import chain
from pathlib import Path

import cli
from protocol import errors
from protocol.errors import Equivocation, Refusal, Violation
from protocol.wire import labels

PROTOCOL = Path(labels.__file__).parents[1]
CLI = Path(cli.__file__).parent
PREFIX = b"p2p-stratego/2 "
NAMING = ("Violation", "BrokenRule", "RecordedClaim", "ProofError")
"""The calls that name a rule."""


def test_every_label_is_listed_once_and_is_printable_ascii() -> None:
    named = [getattr(labels, name) for name in vars(labels) if name.isupper() and not name.startswith("_")]
    named = [value for value in named if isinstance(value, bytes)]
    assert sorted(named) == sorted(labels.ALL)
    assert len(set(labels.ALL)) == len(labels.ALL)
    assert all(label.startswith(PREFIX) and label.decode("ascii").isprintable() for label in labels.ALL)


def test_every_label_is_used_and_in_one_way_only() -> None:
    """A hash's label signs nothing; each is named in one module besides where it is listed."""
    used: dict[str, set[str]] = {}
    for path in chain(PROTOCOL.rglob("*.py"), CLI.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "labels." in text else ():
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "labels"
            ):
                used.setdefault(node.attr, set()).add(path.stem)
    names = {name for name, value in vars(labels).items() if value in labels.ALL and name.isupper()}
    hashes = {name for name in names if not name.startswith("SIGN_")}
    assert names <= set(used)
    assert {name: places for name, places in used.items() if name in hashes and len(places) > 1} == {}


def test_no_context_string_is_written_anywhere_else() -> None:
    for path in PROTOCOL.rglob("*.py"):
        if path.stem != "labels":
            assert PREFIX.decode() not in path.read_text(encoding="utf-8")


def test_a_violation_says_who_where_and_what_in_a_sentence() -> None:
    for rule, meaning in errors.RULES.items():
        violation = Violation(1, "entry", 7, rule)
        assert str(violation) == f"Seat 1 broke a rule of the protocol in entry 7: {meaning}."
        assert (violation.seat, violation.what, violation.number, violation.rule) == (1, "entry", 7, rule)
        assert violation.beside == ()


def test_an_equivocation_holds_both_versions() -> None:
    equivocation = Equivocation(0, "statement", 3, (b"a", b"b"))
    assert "two different versions of statement 3" in str(equivocation)
    assert equivocation.payloads == (b"a", b"b")


def test_only_two_refusals_name_a_culprit() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Refusal)]
    assert len(kinds) > 6
    own = {kind for kind in kinds if kind.__init__ is not Exception.__init__}
    culprits = {kind for kind in own if "seat" in signature(kind).parameters}
    assert culprits == {Violation, Equivocation}


def test_every_rule_that_the_protocol_can_name_is_explained_and_every_one_explained_can_be_named() -> None:
    named = set()
    for path in PROTOCOL.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if any(f"{call}(" in text for call in NAMING) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                texts = [
                    arg.value
                    for arg in node.args
                    if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                ]
                if node.func.id in NAMING:
                    named.update(texts)
    assert named - {"entry", "statement"} == set(errors.RULES)
