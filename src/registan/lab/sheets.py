"""Results and decisions as tables on disk, CSV or Parquet by the name of the file."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from registan.core.errors import BadInput
from registan.lab.simulate import Results


class Sheet(Protocol):
    """A table that is written row by row and is complete whenever it is closed."""

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows."""
        ...

    def __enter__(self) -> Sheet: ...

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None) -> None: ...


def open_sheet(path: Path, columns: dict[str, type]) -> Sheet:
    """Begin a table with these columns (int or str) in a file that ends in .csv or .parquet."""
    kinds: dict[str, Callable[[Path, dict[str, type]], Sheet]] = {".csv": CsvSheet, ".parquet": ParquetSheet}
    if path.suffix not in kinds:
        raise BadInput("lab.no_sheet", file=path)
    try:
        return kinds[path.suffix](path, columns)
    except OSError as error:
        raise BadInput("cli.cannot_write", file=path, why=error.strerror or str(error)) from None


class CsvSheet:
    """A table as comma-separated values."""

    def __init__(self, path: Path, columns: dict[str, type]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(columns)

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows."""
        self._writer.writerows(rows)

    def __enter__(self) -> CsvSheet:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


class ParquetSheet:
    """A table as Parquet; what is added at once is one row group, unless it is little."""

    LITTLE = 50_000

    def __init__(self, path: Path, columns: dict[str, type]) -> None:
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ModuleNotFoundError:
            raise BadInput("lab.needs", what=str(path), extra="lab") from None
        self._pa = pa
        self._schema = pa.schema([(name, pa.int64() if kind is int else pa.string()) for name, kind in columns.items()])
        self._writer = pq.ParquetWriter(str(path), self._schema, compression="zstd")
        self._rows: list[Sequence[Any]] = []

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows."""
        self._rows.extend(rows)
        if len(self._rows) >= self.LITTLE:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            arrays = [self._pa.array(list(c), type=f.type) for c, f in zip(zip(*self._rows), self._schema)]
            self._writer.write_table(self._pa.Table.from_arrays(arrays, schema=self._schema))
            self._rows = []

    def __enter__(self) -> ParquetSheet:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._writer.close()


def result_columns(parts: Sequence[str], players: int) -> dict[str, type]:
    """Return the columns of a game's result: seed, number, bots, points by seat and part, winners, ending, length."""
    points: dict[str, type] = {f"{part}_{seat}": int for seat in range(players) for part in parts}
    return {"seed": int, "number": int, "bots": str, **points, "winners": str, "ending": int, "decisions": int}


def result_rows(results: Results, seed: int, first: int, bots: Sequence[str]) -> Iterable[Sequence[Any]]:
    """Yield a row for each game; winners are seats with spaces between them."""
    names = ",".join(bots)
    seats = range(results.scores.shape[1])
    for i in range(len(results)):
        who = int(results.winners[i])
        winners = " ".join(str(seat) for seat in seats if who >> seat & 1)
        points = results.parts[i].ravel().tolist()
        yield (seed, first + i, names, *points, winners, int(results.over[i]), int(results.decisions[i]))
