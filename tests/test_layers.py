"""Who may import whom, and what may be said where: the house's floors as a test.

Read from the syntax trees, so that an import inside a function counts as much as one at the top.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from cli.shell.commands import COMMANDS
from cli.testing.checks import IMPURE_CALLS, PURE
from tests.helpers.machine.modules import ROOT, dotted, facts, imports, name, vague_in_script

FLOORS = ("p2p_stratego", "protocol", "cli")
MODULES = [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))]
RULES = [path for path in MODULES if path.is_relative_to(ROOT / "p2p_stratego")]
PROTOCOL = [path for path in MODULES if path.is_relative_to(ROOT / "protocol")]
TESTS = sorted((ROOT / "tests").rglob("*.py"))
BENCHMARKS = sorted((ROOT / "benchmarks").rglob("*.py"))
BESIDE = [
    path for part in ("conformance", "docs", "examples") for path in sorted((ROOT / part).rglob("*.py"))
]
SCRIPTS = [
    path
    for part in ("cli/page", "conformance/auditor/src", "conformance/player/src", "examples", "tests/page")
    for suffix in ("mjs", "ts")
    for path in sorted((ROOT / part).rglob(f"*.{suffix}"))
]
FOREIGN = {"tests/campaigns/simulate/chance.py": {"_ALLOW_DETERMINISTIC_SCHEDULING", "_r", "_run"}}
"""Private names of a library: trio's order of tasks, which it draws by chance, is had by no public name."""

LAZY = {ROOT / f"p2p_stratego/core/{module}.py" for module in ("entry", "figures")}
"""The modules that load by name, when it is asked for: parts of a game, and its figures."""
LONGEST = 700
"""Lines: a longer module is two."""
UPSTAIRS = frozenset({"cli", "prompt_toolkit", "argparse", "shtab", "segno"})
ORDER = (
    # of the packages and modules within a floor; each imports only from those before its own line
    ("protocol.errors",),
    ("protocol.failures",),
    ("protocol.trace",),
    ("protocol.limits",),
    ("protocol.wire",),
    ("protocol.crypto",),
    ("protocol.record",),
    ("protocol.seat",),
    ("protocol.audit", "protocol.storage"),
    ("protocol.channel",),
    ("protocol.rendezvous",),
    ("protocol.lobby",),
    ("protocol.replication",),
    ("protocol.post",),
    ("protocol.network",),
    ("cli.text",),
    ("cli.shell",),
    tuple(f"cli.archive.{module}" for module in ("schema", "store", "sql_questions", "record_lookup")),
    ("cli.games", "cli.reports"),
    ("cli.page",),
    ("cli.studies",),
    ("cli.archive",),
    ("cli.table.news",),
    ("cli.table.words",),
    ("cli.table.pages",),
    ("cli.table.seat",),
    ("cli.table.scene",),
    ("cli.table.orders",),
    ("cli.screen", "cli.lines"),
    ("cli.play",),
    ("cli.commands",),
    ("cli.menu",),
    ("cli.testing",),
    ("cli.research",),
    ("cli.__main__",),
)


def for_each(paths: Sequence[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """One test of all files: to report thousands takes longer than to read them."""

    def gathered(test: Callable[[Path], None]) -> Callable[[], None]:
        def whole() -> None:
            wrong = {}
            for path in paths:
                try:
                    test(path)
                except AssertionError as error:
                    wrong[name(path)] = str(error)
            assert paths
            assert not wrong

        whole.__name__, whole.__doc__ = test.__name__, test.__doc__
        return whole

    return gathered


def roots(path: Path) -> set[str]:
    return {module.partition(".")[0] for module in imports(path)}


@for_each(RULES)
def test_rules_import_only_the_pure_part_of_the_standard_library(path: Path) -> None:
    lazy = {"importlib"} if path in LAZY else set()
    assert roots(path) <= PURE | lazy | {"p2p_stratego"}


GAMES = tuple(sorted(path.parent.name for path in (ROOT / "p2p_stratego").glob("*/rules")))
FOLDERS = ("core", "rules", "formats", "bots", "lessons", "entry", "registry")
"""Of the games' floor; each imports only from those before it and from itself."""


@for_each(RULES)
def test_a_game_stands_on_the_core_alone_and_its_rules_on_neither_formats_nor_bots(path: Path) -> None:
    def place(module: str) -> tuple[str, int]:
        """The game (empty: of all games) and the folder of a module."""
        parts = module.split(".")[1:]
        game = parts.pop(0) if parts and parts[0] in GAMES else ""
        return game, FOLDERS.index(parts[0]) if parts else 0

    ours, floor = place(dotted(path))
    for module, _ in facts(path).clauses:
        if module.startswith("p2p_stratego."):
            game, below = place(module)
            assert below <= floor
            assert game in ("", ours) or path.name == "registry.py"


@for_each(RULES)
def test_row_46_rules_neither_read_nor_write_nor_depend_on_hash_order(path: Path) -> None:
    # `hash` and `id` differ from process to process (threat 46): a rule on them would split two honest peers.
    assert not IMPURE_CALLS & facts(path).calls


@for_each(PROTOCOL)
def test_the_protocol_knows_no_screen_and_no_command(path: Path) -> None:
    assert not UPSTAIRS & roots(path)


@for_each([*RULES, *PROTOCOL])
def test_nothing_below_speaks_of_commands_and_options(path: Path) -> None:
    """Errors are data there; what a player can do about them stands in `cli.shell.explain`."""
    advice = re.compile(r"`|(^|\s)--[a-z]|\b(Install|Ask for|Try again|Run|Move it away|Choose another)\b")
    assert [text for text in facts(path).texts if advice.search(text)] == []


@for_each(PROTOCOL)
def test_the_protocol_takes_of_the_games_only_vocabulary_and_views(path: Path) -> None:
    of_games = {module for module in imports(path) if module.split(".")[0] == "p2p_stratego"}
    allowed = re.compile(r"p2p_stratego(\.core(\.(game|sides|strict_json|values|view)(\.\w+)?)?)?")
    assert [module for module in of_games if not allowed.fullmatch(module)] == []


@for_each(PROTOCOL)
def test_the_protocol_never_says_a_games_name(path: Path) -> None:
    """Neither in code nor in a comment.  The program's own name, which labels hold, is not one."""
    games = sorted(p.name for p in (ROOT / "p2p_stratego").iterdir() if (p / "rules").is_dir())
    assert games
    words = [re.escape(game).replace("_", "[-_ ]?(and|&)?[-_ ]?") for game in games] + [
        "spies",
        "infiltration",
    ]
    text = re.sub(r"p2p[-_]stratego", "", path.read_text(encoding="utf-8"), flags=re.IGNORECASE)
    assert re.findall("|".join([*words, "stratego"]), text, flags=re.IGNORECASE) == []


NEVER: dict[str, tuple[str, ...]] = {
    # by importer: what it must not name, though it lies below
    "cli.games": ("cli.shell.explain", "cli.page"),
    "cli.table": ("cli.page", "cli.studies"),
    "cli.play": ("cli.page", "cli.studies", "cli.screen.match", "cli.screen.lobby", "cli.screen.replay"),
    "cli.reports": ("cli.page", "cli.studies"),
    "cli.page": ("cli.studies",),
}


@for_each(MODULES)
def test_no_module_reaches_past_its_neighbour(path: Path) -> None:
    """A game knows no command's words, a table no page in a browser, a match no study of finished records;
    the screen's applications are shown by its Stage.
    """
    barred = [under for over, names in NEVER.items() if within(dotted(path), over) for under in names]
    assert [name for name in imports(path) if any(within(name, under) for under in barred)] == []


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


@for_each(MODULES)
def test_the_arrays_of_researchers_stay_in_their_room(path: Path) -> None:
    """No match imports it, and nothing outside of it needs the extra `research`."""
    if not name(path).startswith("cli/research/"):
        assert not {"numpy", "gymnasium", "pettingzoo"} & roots(path)
        assert [module for module in imports(path) if within(module, "cli.research")] == []


@for_each(MODULES)
def test_the_engines_of_archives_stay_in_their_room(path: Path) -> None:
    """Nothing outside of it needs the extras `archive` and `cluster`."""
    if not name(path).startswith("cli/archive/"):
        assert not {"pyarrow", "duckdb", "deltalake", "ray"} & roots(path)


@for_each(PROTOCOL)
def test_nothing_of_the_protocol_outside_its_network_waits(path: Path) -> None:
    awaits = facts(path).awaits or bool({"trio", "asyncio", "anyio"} & roots(path))
    assert not awaits or name(path).startswith("protocol/network/")


def arrows() -> dict[str, set[str]]:
    """For each module of the house, which others of it it imports.

    `from package import module` is an arrow to the module, and not to the package that holds it.
    """
    graph: dict[str, set[str]] = {dotted(path): set() for path in MODULES}
    for path in MODULES:
        for base, names in facts(path).clauses:
            inner = {f"{base}.{name}" for name in names} & graph.keys()
            if base in graph and (not inner or len(inner) < len(names)):
                inner.add(base)
            graph[dotted(path)] |= inner - {dotted(path)}
    return graph


def storey(module: str) -> int | None:
    """The place in ORDER of the longest name there that holds `module`."""
    places = [
        (len(room), place)
        for place, rooms in enumerate(ORDER)
        for room in rooms
        if module == room or module.startswith(f"{room}.")
    ]
    return max(places)[1] if places else None


def room(module: str) -> str:
    """The package, within its floor, of `module`."""
    return ".".join(module.split(".")[:2])


def upward() -> set[tuple[str, str]]:
    """The imports within a floor that do not run downward."""
    pairs = set()
    for module, imported in arrows().items():
        for other in imported:
            within = {room(module).split(".")[0], room(other).split(".")[0]}
            if within not in ({"protocol"}, {"cli"}):
                continue
            ours, theirs = storey(module), storey(other)
            beside = theirs == ours and room(module) != room(other)
            if ours is None or theirs is None or theirs > ours or beside:
                pairs.add((module, other))
    return pairs


def circles() -> set[frozenset[str]]:
    """The sets of modules that import each other, directly or through others (Tarjan 1972)."""
    graph, index, low, sets = arrows(), dict[str, int](), dict[str, int](), set[frozenset[str]]()
    stack: list[str] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in graph[module]:
            if other not in index:
                visit(other)
            if other in stack:
                low[module] = min(low[module], low[other])
        if low[module] == index[module]:
            circle = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(circle) > 1:
                sets.add(frozenset(circle))

    for module in graph:
        if module not in index:
            visit(module)
    return sets


def test_within_a_floor_imports_run_downward_only() -> None:
    assert upward() == set(), "imports that run upward, or modules outside of the known packages"


def test_no_module_imports_itself_through_others() -> None:
    assert circles() == set()


@for_each(MODULES)
def test_every_module_says_what_it_is_and_stays_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert facts(path).documented
    assert text.count("\n") <= LONGEST


@for_each(TESTS)
def test_tests_stay_as_short(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") <= LONGEST


@for_each(TESTS)
def test_no_test_imports_another_test(path: Path) -> None:
    """What two tests need stands in tests/helpers/."""
    parts = (module.split(".") for module in imports(path) if module.startswith("tests."))
    assert [part for dotted in parts for part in dotted if part.startswith(("test_", "conftest"))] == []


def test_no_folder_lists_more_than_a_reader_takes_in() -> None:
    """But that of the commands, which has one module a command, and nothing else."""
    modules = [*MODULES, *(ROOT / "cli" / "page").rglob("*.mjs")]
    sizes = Counter(path.parent for path in modules if path.stem not in ("__init__", "__main__"))
    assert {str(folder) for folder, size in sizes.items() if size > 20} == {str(ROOT / "cli" / "commands")}
    names = {path.stem for path in (ROOT / "cli" / "commands").glob("*.py")} - {"__init__"}
    assert names == {command.name for command in COMMANDS}


@for_each(TESTS)
def test_tests_keep_to_public_names(path: Path) -> None:
    """A private name may change without a word; a test that needs one shows what has no public name yet."""
    assert facts(path).private == FOREIGN.get(path.relative_to(ROOT).as_posix(), set())


@for_each(TESTS)
def test_every_test_shows_what_it_asserts(path: Path) -> None:
    """By itself, or by a helper whose name says that it asserts."""
    tests = [function for function in facts(path).functions if function.name.startswith("test_")]
    assert [test.name for test in tests if not test.asserts] == []


@for_each([*MODULES, *TESTS, *BENCHMARKS])
def test_no_function_has_to_be_scrolled(path: Path) -> None:
    assert [
        (function.name, len(function.lines)) for function in facts(path).functions if len(function.lines) > 61
    ] == []


@for_each([*MODULES, *TESTS, *BENCHMARKS, *BESIDE])
def test_a_value_has_the_name_of_what_it_holds(path: Path) -> None:
    assert [f"{name(path)}:{vague}" for vague in facts(path).vague] == []


@for_each(SCRIPTS)
def test_a_value_in_javascript_has_such_a_name_too(path: Path) -> None:
    assert [f"{name(path)}:{vague}" for vague in vague_in_script(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("code", "vague"),
    [
        ("const found = verify(data);", ["1: found"]),
        ("f((one, other) => one - other);", ["1: one", "1: one"]),
        ("let [a, ...told] = `one ${each({said: 1})} one`; // said", ["1: told", "1: each", "1: said"]),
        ("/* one\n*/ const {each} = copy.found;", ["2: each"]),
        ("say('one', \"each\", `one`, text.replace(/[`'one]/g, ''), this.one);", []),
    ],
)
def test_a_bare_name_counts_and_a_word_in_a_text_does_not(code: str, vague: list[str]) -> None:
    assert vague_in_script(code) == vague


@for_each(MODULES)
def test_a_suppressed_warning_names_its_rule(path: Path) -> None:
    text, blanket = path.read_text(encoding="utf-8"), re.compile(r"noqa(?!: ?[A-Z])|type: ignore(?!\[)")
    if blanket.search(text):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            assert token.type != tokenize.COMMENT or not blanket.search(token.string)


@for_each([*RULES, *PROTOCOL])
def test_row_43_the_wall_clock_is_asked_for_the_life_of_an_invite_only(path: Path) -> None:
    """Everything else is measured by a monotonic clock, which nobody sets."""
    asked = [function.name for function in facts(path).functions if function.asks_the_time]
    assert asked == (["invite"] if name(path) == "protocol/network/host.py" else [])


@for_each(MODULES)
def test_row_48_randomness_comes_from_the_operating_system_only(path: Path) -> None:
    """Threat 48.  `random` is for bots of a game without secrets, and there it is passed in from outside."""
    allowed = {f"cli/play/{module}.py" for module in ("bots/bot_process", "bots/bot_match", "arena/contest")}
    if name(path) not in allowed and not name(path).startswith(("cli/testing/", "cli/research/")):
        assert not {"random", "uuid"} & roots(path)


@pytest.mark.parametrize("module", ["protocol.wire.encoding", "protocol.network.peer", "cli.shell.parser"])
def test_no_game_is_loaded_before_it_is_asked_for(module: str) -> None:
    script = f"import sys, {module}; print(*sys.modules)"
    process = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True
    )
    parts = re.compile(r"(p2p_stratego|cli\.games)\.(?!core\b)\w+\..*")
    loaded = [
        name
        for name in process.stdout.split()
        if parts.fullmatch(name) and not name.endswith((".entry", ".rules", ".rules.options"))
    ]
    assert loaded == []
    if module.startswith("protocol"):
        assert "p2p_stratego.registry" not in process.stdout.split()
