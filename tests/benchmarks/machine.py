"""The machine's name, as far as numbers depend on it."""

import os
import platform
import re
from pathlib import Path

from riskgate.cli.embedded.binaries import find_binaries


def described() -> str:
    """Two lines: what it is, and how busy it was before anything was measured."""
    try:
        told = Path("/proc/cpuinfo").read_text()
    except OSError:
        told = ""
    model = re.search(r"^model name\s*:\s*(.+)$", told, re.MULTILINE)
    name = model[1] if model else platform.processor() or platform.machine()
    load = ", ".join(f"{each:.2f}" for each in os.getloadavg())
    return (
        f"{platform.node()}: {name}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, PostgreSQL {find_binaries().major}\n"
        f"load average at the start: {load}"
    )
