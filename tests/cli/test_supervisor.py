"""The supervisor: real children that say something, die, hang, and leave children of their own."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from riskgate.cli.embedded import process, supervisor
from riskgate.cli.embedded.supervisor import Child, Interrupted, Service, Supervisor
from tests.cli.test_postgres import gone

SLEEPER = "import os, time; print('here', os.getpid(), flush=True); time.sleep(60)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPER}"
PARENT = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SLEEPER!r}]).wait()"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Supervisor]:
    made = Supervisor(os.environ, tmp_path)
    with made.listening():
        yield made


def service(name: str, code: str, patience: float = 10) -> Service:
    return Service(name, lambda: process.command([sys.executable, "-c", code]), patience=patience)


def told(capsys: pytest.CaptureFixture[str], house: Supervisor, *words: str, so_far: str = "") -> str:
    """Everything said until each of the words was among it."""
    said = [so_far]

    def enough() -> bool:
        said.append(capsys.readouterr().out)
        return all(word in "".join(said) for word in words)

    assert house.wait(enough, 20), "".join(said)
    return "".join(said)


def pid_of(child: Child) -> int:
    assert child.process is not None
    return child.process.pid


def test_what_a_child_says_is_told_under_its_name(
    house: Supervisor, capsys: pytest.CaptureFixture[str]
) -> None:
    house.start(service("greeter", "import time; print('good\\nmorning', flush=True); time.sleep(60)"))
    assert "greeter  │ good\ngreeter  │ morning\n" in told(capsys, house, "morning")


def test_a_killed_child_is_started_again(house: Supervisor, capsys: pytest.CaptureFixture[str]) -> None:
    child = house.start(service("web", SLEEPER))
    told(capsys, house, "here")
    before = pid_of(child)
    os.kill(before, signal.SIGKILL)
    told(capsys, house, "signal SIGKILL", "starting again", "here")
    assert pid_of(child) != before


def test_a_child_that_dies_at_once_is_started_later_and_later(
    house: Supervisor, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "SHORTEST_PAUSE", 0.01)
    house.start(service("web", "raise SystemExit(3)"))
    told(capsys, house, "code 3", "again in 0.01 s", "again in 0.02 s", "again in 0.04 s")


def test_what_a_killed_child_left_behind_is_ended_with_it(
    house: Supervisor, capsys: pytest.CaptureFixture[str]
) -> None:
    child = house.start(service("web", PARENT))
    left = int(told(capsys, house, "here").split("here ")[1].split()[0])
    os.kill(pid_of(child), signal.SIGKILL)
    told(capsys, house, "starting again")
    assert gone(left)


def test_stopping_ends_a_child_in_order(house: Supervisor, capsys: pytest.CaptureFixture[str]) -> None:
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(print('goodbye', flush=True)))\n"
        "print('here', flush=True); time.sleep(60)"
    )
    child = house.start(service("web", code))
    told(capsys, house, "here")
    house.stop(child)
    assert "goodbye" in capsys.readouterr().out
    assert not child.running


def test_who_overstays_its_patience_is_killed(house: Supervisor, capsys: pytest.CaptureFixture[str]) -> None:
    child = house.start(service("web", STUBBORN, patience=0.2))
    told(capsys, house, "here")
    pid = pid_of(child)
    house.stop(child)
    assert gone(pid, 1)


def test_a_second_request_to_end_does_not_wait(house: Supervisor, capsys: pytest.CaptureFixture[str]) -> None:
    child = house.start(service("web", STUBBORN, patience=60))
    told(capsys, house, "here")
    os.kill(os.getpid(), signal.SIGINT)
    house.keep()
    os.kill(os.getpid(), signal.SIGTERM)
    began = time.monotonic()
    house.stop(child)
    assert time.monotonic() - began < 5


def test_a_command_is_run_to_its_end(house: Supervisor, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        house.run("migrate", process.command([sys.executable, "-c", "print('done'); raise SystemExit(4)"]))
        == 4
    )
    assert "migrate  │ done" in capsys.readouterr().out


def test_a_command_that_is_not_there_says_so(house: Supervisor, capsys: pytest.CaptureFixture[str]) -> None:
    assert house.run("broker", process.command(["/nowhere/at/all"])) == 126
    assert "cannot start /nowhere/at/all" in capsys.readouterr().out


def test_asking_for_the_end_ends_a_command(house: Supervisor) -> None:
    code = "import os, signal, time; os.kill(os.getppid(), signal.SIGINT); time.sleep(60)"
    with pytest.raises(Interrupted):
        house.run("migrate", process.command([sys.executable, "-c", code]))


def test_nobody_is_left_when_something_went_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pids = []

    def go_wrong() -> None:
        house = Supervisor(os.environ, tmp_path)
        with house.listening():
            for name in ("web", "worker"):
                pids.append(pid_of(house.start(service(name, STUBBORN))))
            told(capsys, house, "web      │ here", "worker   │ here")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        go_wrong()
    assert len(pids) == 2
    assert all(gone(pid, 1) for pid in pids)
