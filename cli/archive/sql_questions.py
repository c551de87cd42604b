"""Questions to an archive in SQL, answered by DuckDB, which reads the tables and nothing else.

A question can write to no table, reach no file, no network and no variable of this program, and load no
extension: DuckDB's settings are closed before the first question (DuckDB's manual, "Securing DuckDB").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import duckdb

from cli.archive import schema
from cli.archive.store import Archive
from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.core.language import _, number

CLOSED = (
    ("temp_directory", "''"),  # the one place that is written to although access to files is closed
    ("memory_limit", "'4GB'"),
    ("enable_external_access", "false"),
    ("python_enable_replacements", "false"),
    ("autoinstall_known_extensions", "false"),
    ("autoload_known_extensions", "false"),
    ("lock_configuration", "true"),
)
"""Settings and their values, in the order in which they are set: the last one keeps all others."""


MOST: Final = 1_000_000
"""Rows of an answer to a person: all of them are in memory at once."""
_FETCHED: Final = 4096
"""Rows that are in memory at once where they are taken one by one."""


class Answer(NamedTuple):
    """The columns of an answer, and its rows."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]


class Questions:
    """The tables of an archive as views of their names."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def ask(self, sql: str, values: Mapping[str, object] | None = None) -> Answer:
        """The answer to statements of our own: that of the last; `values`: by the name of a parameter.

        Raises OSError, as does `one_by_one`, where the files of a table cannot be read.
        """
        with _reading():
            asked = self._connection.execute(sql, dict(values or {}))
            return Answer(_columns(asked), asked.fetchall())

    def one_by_one(self, sql: str, values: Mapping[str, object]) -> Iterator[tuple[Any, ...]]:
        """The rows of a statement of our own, of which any number can come; no other is asked meanwhile."""
        with _reading():
            asked = self._connection.execute(sql, dict(values))
            while rows := asked.fetchmany(_FETCHED):
                yield from rows

    def ask_for_a_person(self, sql: str) -> Answer:
        """The answer to statements that a person wrote; an empty one to a remark alone.

        Raises Sorry where DuckDB refuses them, and for more than MOST rows.
        """
        try:
            asked = self._connection.execute(sql)
            if asked is None:
                return Answer((), ())
            rows = asked.fetchmany(MOST + 1)
        except duckdb.Error as error:
            why = str(error).strip()
            raise Sorry(_("The archive cannot answer that: {why}", why=why), Exit.DATA) from error
        if len(rows) > MOST:
            raise Sorry(
                _("The answer has more than {most} rows. Ask for sums, or for fewer.", most=number(MOST)),
                Exit.DATA,
            )
        return Answer(_columns(asked), rows)


@contextmanager
def _reading() -> Iterator[None]:
    """Raise OSError for what DuckDB meets in the files: a statement of our own is not to blame."""
    try:
        yield
    except (duckdb.InvalidInputException, duckdb.OperationalError) as error:
        raise OSError(str(error).partition(". Detail: ")[0].strip()) from error


def _columns(asked: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    return tuple(column[0] for column in asked.description or ())


@contextmanager
def asking(archive: Archive) -> Iterator[Questions]:
    """Questions to an archive as it stands now."""
    sources = {table.name: archive.table(table).to_pyarrow_dataset() for table in schema.TABLES}
    with over(sources) as questions:
        yield questions


@contextmanager
def over(sources: Mapping[str, Any]) -> Iterator[Questions]:
    """Questions to tables or datasets of Arrow, by name; a name is one of the schema's."""
    with duckdb.connect() as connection:
        for name, source in sources.items():
            connection.register(f"arrow_{name}", source)
            connection.execute(f"CREATE VIEW {name} AS SELECT * FROM arrow_{name}")
        for setting, value in CLOSED:
            connection.execute(f"SET {setting} = {value}")
        yield Questions(connection)
