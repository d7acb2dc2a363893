from dataclasses import dataclass

KIB, MIB = 1 << 10, 1 << 20


@dataclass(frozen=True)
class Limits:
    """What one process takes on. Sizes are bytes, times are seconds."""

    body: int = 5 * MIB
    """The largest body of a request; whatever reads it may allow less."""
    bodies: int = 256 * MIB
    """All bodies together that are held at one time."""
    body_seconds: float = 60
    """For a body to come in, from its first byte to its last."""

    queued: int = 1_000
    """Requests that wait for a thread."""
    held: int = 2_000
    """Agents that wait; half of them for one call."""
    streams: int = 2_000
    """Open consoles; half of them of one team."""

    run_ahead: int = MIB
    """How far the thread of a streamed response may be ahead of its reader without waiting for it."""
    run_ahead_when_many: int = 64 * KIB
    """The same, while more than `many` responses are being streamed."""
    many: int = 128
    send_seconds: float = 30
    """For a reader to take what was sent to it."""

    recheck_seconds: float = 2
    """How often a waiting agent's request is looked at while notifications cannot be heard."""
    ping_seconds: float = 20
    permission_seconds: float = 60
    """How often an open console must show again that it may listen."""
    stream_backlog: int = 64
    """Calls that changed and that a slow console has not taken yet; beyond that it is told to load afresh."""
