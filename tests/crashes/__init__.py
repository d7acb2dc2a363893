"""Crash rounds: a whole `up` under load, of which parts are killed, and whose books must agree afterwards.

`python -m tests.crashes --rounds 1000` runs them until the first disagreement; tests/cli/test_crashes.py runs a few.
A killed process is not a power cut: the operating system keeps what was written.
"""
