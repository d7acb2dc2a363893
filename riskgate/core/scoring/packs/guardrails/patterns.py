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


ROOT = (
    rb"(?:/+|/+\*|/(?:etc|usr|bin|sbin|lib|lib64|boot|dev|proc|sys|root|var|home|opt|srv|mnt|data|Users"
    rb"|System)/?\*?"
    rb"|~/?\*?|\$\{?HOME\}?/?\*?)"
)
"""A whole tree of a machine, or a home."""

SYSTEM_FILE = (
    rb"(?:/etc/(?:passwd|shadow|gshadow|group|sudoers|fstab|crontab|ld\.so\.preload)|/etc/(?:sudoers\.d"
    rb"|pam\.d|cron[^ |/]*|ssh"
    rb"|kubernetes)/[^ |<>]+|/var/spool/cron/[^ |<>]+|/boot/[^ |<>]+|[^ |<>]*\.ssh/authorized_keys2?"
    rb"|/var/lib/(?:postgresql|mysql|docker|etcd)(?:/[^ |<>]*)?|/proc/sys(?:rq-trigger|/kernel/sysrq))"
)
"""A file that decides who may enter a machine, what it runs by itself, or whether it starts."""
