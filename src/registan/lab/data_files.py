"""Results and decisions as files for other tools: CSV or Parquet, by the ending of the file name."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from registan.core.errors import BadInput
from registan.lab.simulate import Results


class DataFile(Protocol):
    """A file that is written row by row; it is complete whenever it is closed."""

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows."""
        ...

    def __enter__(self) -> DataFile: ...

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None) -> None: ...


def open_data_file(path: Path, columns: dict[str, type]) -> DataFile:
    """Open a new .csv or .parquet file with these columns, each int or str."""
    kinds: dict[str, Callable[[Path, dict[str, type]], DataFile]] = {".csv": CsvFile, ".parquet": ParquetFile}
    if path.suffix not in kinds:
        raise BadInput("lab.no_sheet", file=path)
    try:
        return kinds[path.suffix](path, columns)
    except OSError as error:
        raise BadInput("cli.cannot_write", file=path, why=error.strerror or str(error)) from None


class CsvFile:
    """A file of comma-separated values."""

    def __init__(self, path: Path, columns: dict[str, type]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(columns)

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows."""
        self._writer.writerows(rows)

    def __enter__(self) -> CsvFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


class ParquetFile:
    """A Parquet file, with at least `GROUP` rows in a row group."""

    GROUP = 50_000

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
        if len(self._rows) >= self.GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            arrays = [self._pa.array(list(c), type=f.type) for c, f in zip(zip(*self._rows), self._schema)]
            self._writer.write_table(self._pa.Table.from_arrays(arrays, schema=self._schema))
            self._rows = []

    def __enter__(self) -> ParquetFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._writer.close()


def result_columns(parts: Sequence[str], players: int) -> dict[str, type]:
    """Return the columns of a result: seed, number, bots, points by seat and score part, winners, ending, length."""
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
