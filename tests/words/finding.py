"""Find every sentence for people in the sources, and the mistakes that would spoil its translation."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Final, NamedTuple

from p2p_stratego.core.language import mark_each
from protocol.audit.verdict import Verdict
from protocol.errors import RULES
from protocol.record.asks.registry import KINDS

ROOT: Final = Path(__file__).parents[2]
FLOORS: Final = ("p2p_stratego", "cli")
"""The protocol marks no sentences for people: what is shown of it stands in `PROTOCOL`."""
PROTOCOL: Final = {
    "protocol/audit/verdict.py": [verdict.value for verdict in Verdict],
    "protocol/errors.py": [*RULES.values()],
    "protocol/record/asks/registry.py": [kind.words for kind in KINDS.values()],
}
"""By module, words of the protocol that are translated where they are shown."""
TRANSLATED, COUNTED, MARKED = "_", "n_", "mark"
TRANSLATED_IN, MARKED_IN = "_c", "mark_c"
"""Those whose first argument is a context."""
TABLES: Final = {"mark_each": MARKED, "mark_each_c": MARKED_IN}
"""By the function that marks many messages in one text: the one that marks a single message."""

CALLED: Final = (TRANSLATED, COUNTED, MARKED, TRANSLATED_IN, MARKED_IN, *TABLES)


class Sentence(NamedTuple):
    """A sentence as it stands in a module; `many` is its plural, if it counts; `context`: its sense, if the
    same words have another elsewhere."""

    singular: str
    many: str | None
    path: str
    line: int
    context: str | None = None


class Mistake(NamedTuple):
    """A call that no catalogue can serve."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


def fields(message: str) -> frozenset[str]:
    """The names in braces.  Raises ValueError if the braces make no sense."""
    return frozenset(name for _, name, _, _ in Formatter().parse(message) if name is not None)


@cache
def findings() -> tuple[tuple[Sentence, ...], tuple[Mistake, ...]]:
    """All sentences by module and place, and all mistakes."""
    sentences: list[Sentence] = []
    mistakes: list[Mistake] = []
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            for reading in read(path.read_text(encoding="utf-8"), name):
                if isinstance(reading, Sentence):
                    sentences.append(reading)
                else:
                    mistakes.append(reading)
    sentences += [Sentence(text, None, path, 0) for path, texts in PROTOCOL.items() for text in texts]
    return tuple(sentences), tuple(mistakes)


def read(source: str, path: str) -> Iterator[Sentence | Mistake]:
    """The sentences and mistakes of one module, in the order of its lines."""
    if not any(f"{name}(" in source for name in CALLED):
        return
    tree = ast.parse(source)
    nodes = [*ast.walk(tree)]
    calls = [
        node
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLED
    ]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        yield from _of(call, path)
    yield from _covered(nodes, path)


def _of(call: ast.Call, path: str) -> Iterator[Sentence | Mistake]:
    """The sentences of one call."""
    assert isinstance(call.func, ast.Name)
    given = {word.arg for word in call.keywords}
    if call.func.id in TABLES:
        yield from _of_each(call, path)
        return
    if call.func.id == COUNTED:
        forms = [list(_constants(form)) for form in call.args[:2]]
        if len(call.args) != 3 or not all(len(form) == 1 and isinstance(form[0], str) for form in forms):
            yield Mistake(path, call.lineno, "n_ takes two sentences and a number")
            return
        ((singular,), (many,)) = forms
        yield Sentence(str(singular), str(many), path, call.lineno)
        yield from _unfilled(str(many), given | {"count"}, call, path, spare={"count"})
        return
    if call.func.id in (TRANSLATED_IN, MARKED_IN):
        yield from _in_context(call, given, path)
        return
    if len(call.args) != 1:
        yield Mistake(path, call.lineno, f"{call.func.id} takes one sentence")
        return
    yield from _messages(call.args[0], None, call, given, path)


def _of_each(call: ast.Call, path: str) -> Iterator[Sentence | Mistake]:
    """The sentences of a call that marks many in one text."""
    assert isinstance(call.func, ast.Name)
    match call.args:
        case [*context, ast.Constant(str(texts))]:
            single = ast.Name(TABLES[call.func.id])
            for text in mark_each(texts):
                yield from _of(
                    ast.copy_location(ast.Call(single, [*context, ast.Constant(text)], []), call), path
                )
        case _:
            yield Mistake(
                path, call.lineno, f"{call.func.id} takes sentences in one text, with commas between"
            )


def _in_context(call: ast.Call, given: set[str | None], path: str) -> Iterator[Sentence | Mistake]:
    """The sentences of one call whose first argument is their context."""
    match call.args:
        case [ast.Constant(str(context)), message] if context:
            yield from _messages(message, context, call, given, path)
        case _:
            yield Mistake(path, call.lineno, "_c and mark_c take a context, written out, and one sentence")


def _messages(
    node: ast.expr, context: str | None, call: ast.Call, given: set[str | None], path: str
) -> Iterator[Sentence | Mistake]:
    """The sentences that `node` may be, and what is wrong with them in `call`."""
    assert isinstance(call.func, ast.Name)
    for message in _constants(node):
        if message is None:
            yield Mistake(path, call.lineno, "a sentence is written whole, with its fields in braces")
        elif message:
            yield Sentence(message, None, path, call.lineno, context)
            if call.func.id in (TRANSLATED, TRANSLATED_IN) and given:
                yield from _unfilled(message, given, call, path, spare=set())


def _constants(node: ast.expr) -> Iterator[str | None]:
    """The texts that `node` may be; None for one put together.  A variable holds what was marked."""
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp():
            yield from _constants(node.body)
            yield from _constants(node.orelse)
        case ast.JoinedStr() | ast.BinOp():
            yield None


def _unfilled(
    message: str, given: set[str | None], call: ast.Call, path: str, *, spare: set[str]
) -> Iterator[Mistake]:
    """The difference between the fields of a sentence and those that its call gives."""
    if None not in given and fields(message) | spare != given | spare:
        yield Mistake(
            path, call.lineno, f"the fields {sorted(fields(message))} are given {sorted(map(str, given))}"
        )


def _covered(nodes: Sequence[ast.AST], path: str) -> Iterator[Mistake]:
    """Functions in which another `_` hides the one that translates."""
    hides = any(
        (isinstance(n, ast.Name) and n.id == "_" and isinstance(n.ctx, ast.Store))
        or (isinstance(n, ast.arg) and n.arg == "_")
        for n in nodes
    )
    if not hides:
        return
    for node in nodes:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        inner = list(ast.walk(node))
        binds = any(isinstance(n, ast.Name) and n.id == "_" and isinstance(n.ctx, ast.Store) for n in inner)
        takes = any(isinstance(n, ast.arg) and n.arg == "_" for n in inner)
        calls = any(
            isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "_" for n in inner
        )
        if calls and (binds or takes):
            yield Mistake(path, node.lineno, "another `_` hides the one that translates")
