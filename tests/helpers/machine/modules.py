"""The house's modules as their syntax trees tell: what each imports, calls and says."""

from __future__ import annotations

import ast
import gc
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
VECTORS = ROOT / "conformance" / "vectors"
"""Bytes of the protocol, for every implementation."""
WALL_CLOCKS = frozenset({"time.time", "time.time_ns", "datetime.now", "datetime.today", "datetime.utcnow"})
PUBLIC = frozenset({"_replace", "_asdict", "_fields", "_make", "_", "_c"})
"""Of named tuples, whose methods begin thus lest they be taken for fields, and the marks of sentences."""
SILENT = frozenset(
    {ast.Load, ast.Store, ast.arguments, ast.arg, ast.keyword, ast.Tuple, ast.List, ast.Return, ast.Assign}
    | {ast.Subscript, ast.BinOp, ast.BitOr, ast.Compare, ast.AnnAssign, ast.JoinedStr, ast.FormattedValue}
)
"""Half of all nodes: only what is in them is asked about."""
VAGUE = frozenset({"found", "said", "told", "one", "each"})
"""No names for values: a value is called by the noun of what it holds."""
SCRIPTED = re.compile(rf"(?:(?<=\.\.\.)|(?<![.\w$#]))(?:{'|'.join(sorted(VAGUE))})\b")
"""The same in JavaScript and TypeScript: a bare name, or one behind the dots of a rest."""
TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\""
    r"|(?:(?<=\()|(?<== ))/(?![/*])(?:\[(?:\\.|[^\]\\\n])*\]|\\.|[^/\[\\\n])+/|[`{}]",
    re.DOTALL,
)
"""Where JavaScript is no code: a comment, a text, a regular expression; and where a template may begin."""
TEMPLATE = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(`|\$\{)", re.DOTALL)
"""The text of a template, to its end or to code within it."""
AWAITING = (ast.Await, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith)


class Function(NamedTuple):
    """A function or method, at whatever depth."""

    name: str
    lines: range
    asserts: bool
    """By itself, or by a helper whose name says that it asserts."""
    asks_the_time: bool


class Facts(NamedTuple):
    """What the syntax tree of a module tells; the trees of all modules would be a million objects."""

    documented: bool
    clauses: list[tuple[str, list[str]]]
    """Each import: a module, and the names taken from it."""
    calls: set[str]
    """The names that are called."""
    texts: list[str]
    """All but docstrings, of values too."""
    awaits: bool
    functions: list[Function]
    private: set[str]
    """The private names of others: taken of a value other than self, imported, or named for a patch."""
    vague: list[str]
    """What bears a name of VAGUE, with its line."""


@cache
def facts(path: Path) -> Facts:
    collects = gc.isenabled()
    gc.disable()  # it would look in vain for rubbish while the tree grows, and take longer than the parser
    try:
        return _facts(path, ast.parse(path.read_text(encoding="utf-8")))
    finally:
        if collects:
            gc.enable()


def _facts(path: Path, tree: ast.Module) -> Facts:
    module = Facts(bool(ast.get_docstring(tree)), [], set(), [], False, [], set(), [])
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    docstrings, asserting, asking, awaits = set[int](), set[int](), set[int](), False
    whole = list(ast.walk(tree))
    module.vague.extend(f"{line}: {bound}" for bound, line in map(_bound, whole) if bound in VAGUE)
    nodes = [node for node in whole if type(node) not in SILENT]
    asserting.update(node.lineno for node in nodes if isinstance(node, ast.Name) and _asserts(node.id))
    for node in (node for node in nodes if not isinstance(node, ast.Name)):
        awaits = awaits or isinstance(node, AWAITING)
        module.private.update(filter(_is_private, _foreign(node)))
        match node:
            case ast.Import():
                module.clauses.extend((alias.name, []) for alias in node.names)
            case ast.ImportFrom():
                above = package[: len(package) - node.level + 1] if node.level else ()
                base = ".".join((*above, *([node.module] if node.module else [])))
                module.clauses.append((base, [alias.name for alias in node.names]))
            case ast.Call(func=ast.Name(name)):
                module.calls.add(name)
            case ast.Expr():
                docstrings.add(id(node.value))
            case ast.Constant(str(text)) if id(node) not in docstrings:  # a tree is walked from above
                module.texts.append(text)
            case ast.Assert():
                asserting.add(node.lineno)
            case ast.Attribute(attr=name) if _asserts(name):
                asserting.add(node.lineno)
            case ast.Attribute(ast.Name(of), name) if f"{of}.{name}" in WALL_CLOCKS:
                asking.add(node.lineno)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                functions.append(node)
    for function in functions:
        assert function.end_lineno is not None
        lines = range(function.lineno, function.end_lineno + 1)
        module.functions.append(
            Function(
                function.name, lines, any(n in asserting for n in lines), any(n in asking for n in lines)
            )
        )
    return module._replace(awaits=awaits)


def _asserts(name: str) -> bool:
    return name == "raises" or name.startswith("assert_")


def _foreign(node: ast.AST) -> Iterator[str]:
    """The names of others that `node` names."""
    match node:
        case ast.Attribute(ast.Name("self" | "cls")):
            return
        case ast.Attribute(attr=name):
            yield name
        case ast.ImportFrom():
            yield from (alias.name for alias in node.names)
        case ast.Call():  # setattr, getattr, patch.object, monkeypatch.setattr
            texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            yield from (text.rpartition(".")[2] for text in texts if isinstance(text, str))


def _bound(node: ast.AST) -> tuple[str, int]:
    """The name that `node` gives to a value, a function or an import, and its line; "" if it gives none."""
    match node:
        case ast.Name(bound, ast.Store()) | ast.Attribute(_, bound, ast.Store()) | ast.arg(bound):
            return bound, node.lineno
        case ast.FunctionDef(bound) | ast.AsyncFunctionDef(bound) | ast.MatchAs(name=str(bound)):
            return bound, node.lineno
        case ast.MatchStar(str(bound)) | ast.ExceptHandler(name=str(bound)) | ast.alias(_, str(bound)):
            return bound, node.lineno
    return "", 0


def _is_private(name: str) -> bool:
    return name[:1] == "_" and name[:2] != "__" and name not in PUBLIC and name.isidentifier()


def imports(path: Path) -> Iterator[str]:
    """Dotted names of all modules that `path` imports."""
    for base, names in facts(path).clauses:
        yield base
        yield from (f"{base}.{name}" for name in names)


def dotted(path: Path) -> str:
    """The name by which `path` is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def vague_in_script(text: str) -> list[str]:
    """What bears a name of VAGUE in JavaScript or TypeScript, with its line."""
    lines = enumerate(_code(text).split("\n"), 1)
    return [f"{number}: {bare}" for number, line in lines for bare in SCRIPTED.findall(line)]


def _code(text: str) -> str:
    """`text`, in JavaScript, with blanks for all that is no code; the lines stay."""
    parts, at, braces = list[str](), 0, list[bool]()
    while (token := TOKEN.search(text, at)) is not None:
        parts.append(text[at : token.start()])
        sign, at = token[0], token.end()
        if sign == "{":
            braces.append(False)
        elif sign == "`" or (sign == "}" and braces.pop()):
            template = TEMPLATE.match(text, at)
            assert template is not None, "a template has no end"
            at = template.end()
            if template[1] == "${":
                braces.append(True)
        whole = text[token.start() : at]
        parts.append(whole if whole in ("{", "}") else re.sub(r"[^\n]", " ", whole))
    assert braces == [], "braces that are open at the end: what was taken for code is none"
    return "".join([*parts, text[at:]])
