"""`manage.py up`, from the command to the first answer."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks import house
from tests.benchmarks.table import Row


def rows(quick: bool) -> Iterator[Row]:
    folder = Path(tempfile.mkdtemp(prefix="riskgate-bench-"))
    try:
        for name in ("up, in an empty folder, until it is ready", "up, again, until it is ready"):
            process, seconds = house.start(folder / "var", house.free_port())
            house.end(process)
            yield Row(name, seconds, "s")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
