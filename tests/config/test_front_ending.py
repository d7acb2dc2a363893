"""The process that is told to end does end, however busy it is at that moment."""

import subprocess
import sys
from pathlib import Path

# What a server does: it asks its loop for the signal, and waits until it has come. Here it comes while the loop is
# busy and so many threads have called it that the pipe between them is full, which is where asyncio loses it.
SERVER = """
import asyncio, os, signal
from riskgate.config.front.ending import Ending

async def main():
    loop, told, begun = asyncio.get_running_loop(), asyncio.Event(), []
    loop.add_signal_handler(signal.SIGTERM, told.set)
    ending = Ending(lambda: begun.append("begun"))
    ending.watch()
    for _ in range(CALLS):
        loop.call_soon_threadsafe(int)
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(told.wait(), 15)
    await asyncio.sleep(0)
    ending.unwatch()
    print(begun)

asyncio.run(main())
"""


def run(calls: int) -> subprocess.CompletedProcess[str]:
    source = SERVER.replace("CALLS", str(calls))
    return subprocess.run(
        [sys.executable, "-c", source],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        timeout=30,
    )


def test_a_signal_ends_the_server_and_what_it_holds() -> None:
    ended = run(0)
    assert (ended.stdout, ended.stderr) == ("['begun']\n", "")


def test_a_signal_that_is_lost_is_raised_again() -> None:
    ended = run(100_000)
    assert ended.stdout == "['begun']\n", ended.stderr
    assert "signal wakeup fd" in ended.stderr  # it was lost the first time
