"""The clock: what happens because time passes. `schedule` says when, the other modules what."""
