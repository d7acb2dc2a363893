"""How `up` ends: asked to, with its terminal, or killed; and that the next one starts at once, wherever it stopped."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.cli.test_up import CHILDREN, HOME, Up, all_gone, environ, free_port

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("up")]


def test_ctrl_c_stops_everything_in_order_and_the_data_stays(tmp_path: Path) -> None:
    up = Up(tmp_path / "var").start()
    everybody = up.everybody()
    secret = (up.data / "secret.key").read_text()
    assert up.end() == 0
    assert all_gone(everybody, 1)
    assert not (up.data / "postgres" / "postmaster.pid").exists(), up.said
    assert up.said.index("Warm shutdown") < up.said.index("received fast shutdown request")
    assert (up.data / "lock").read_text() == ""
    before = (up.data / "postgres" / "PG_VERSION").stat().st_mtime_ns
    migrated = (up.data / "migrated").read_text()
    (up.data / "migrated").write_text("when nobody knows")
    up.start()
    assert (up.data / "migrated").read_text() == migrated
    assert (up.data / "secret.key").read_text() == secret
    assert (up.data / "postgres" / "PG_VERSION").stat().st_mtime_ns == before
    assert up.end(signal.SIGTERM) == 0


def test_killing_it_leaves_nobody_behind_and_it_starts_again(tmp_path: Path) -> None:
    up = Up(tmp_path / "var").start()
    everybody = up.everybody()
    assert len(everybody) >= len(CHILDREN)
    up.end(signal.SIGKILL)
    up.start()  # at once, while the children may still be going
    assert all_gone(everybody)
    assert up.is_ready()
    assert up.end() == 0


def test_closing_the_terminal_stops_it_in_order(tmp_path: Path) -> None:
    here, there = pty.openpty()
    port = free_port()
    up = subprocess.Popen(
        [sys.executable, "-c", OWN_TERMINAL, "--port", str(port), "--data", str(tmp_path / "var")],
        cwd=HOME,
        env=environ(),
        stdin=there,
        stdout=there,
        stderr=there,
        start_new_session=True,
    )
    os.close(there)
    said = b""
    while b"Ctrl-C stops it" not in said:
        said += os.read(here, 4096)
    everybody = psutil.Process(up.pid).children(recursive=True)
    os.close(here)
    assert up.wait(60) == 0
    assert all_gone(everybody, 1)
    assert not (tmp_path / "var" / "postgres" / "postmaster.pid").exists()
    assert (tmp_path / "var" / "lock").read_text() == ""


OWN_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "manage.py", "up", *sys.argv[1:]])
"""


def test_a_first_start_that_was_killed_midway_is_begun_anew(tmp_path: Path) -> None:
    up = Up(tmp_path / "var").launch()
    up.wait_for(lambda: (up.data / "postgres.making" / "base").exists())
    processes = up.everybody()
    up.end(signal.SIGKILL)
    up.start()
    assert all_gone(processes)
    assert up.is_ready()
    assert not (up.data / "postgres.making").exists()
    assert up.end() == 0
