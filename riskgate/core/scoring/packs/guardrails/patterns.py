"""Pieces of patterns over the plain form of a command, see `structure/commands.py`."""

ANY = rb"(?: [^ |<>]+)*"
"""Any words of the same command."""

TARGET = rb"[^ |<>\x1a-][^ |<>]*"
"""A word that is no option and no path below a folder for temporary files."""


def command(text: bytes) -> bytes:
    """A pattern from the start of a command, without case: ` ... ` is any words, TARGET is one."""
    return rb"^((?i:%s))" % text.replace(b" ... ", ANY + b" ").replace(b" ...", ANY).replace(
        b"TARGET", TARGET
    )
