"""The data folder of `up`: private, locked while it is used, marked with the version that used it last."""

import fcntl
import hashlib
import os
import re
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from riskgate import __version__

LONGEST_SOCKET = 103  # bytes; macOS allows one less than 104, Linux a few more
ROOM_FOR_NAME = len("/.s.PGSQL.5432")
PLAIN = re.compile(r"[A-Za-z0-9/._-]+")  # what needs no quoting in a URL or in PostgreSQL's list of folders


class FolderError(Exception):
    """One sentence for the person at the terminal."""


@dataclass
class DataFolder:
    path: Path
    left_in_a_hurry: bool = False  # the last user of the folder did not live to say goodbye
    _lock: int = field(default=-1, repr=False)
    _elsewhere: Path | None = field(default=None, repr=False)

    def enter(self) -> None:
        """Make the folder where it is not there, and keep everybody else out of it. Raises FolderError."""
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._refuse_foreign()
            self._lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                self._claim(self._lock)
            except BaseException:
                os.close(self._lock)
                raise
        except OSError as error:
            raise FolderError(
                f"{self.path} cannot be used ({error.strerror}): name another folder with --data."
            ) from error

    def _claim(self, lock: int) -> None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FolderError(
                f"riskgate is already running on {self.path}: "
                "stop it first, or name another folder with --data."
            ) from error
        self._refuse_newer()
        self.path.chmod(0o700)
        self.left_in_a_hurry = os.pread(lock, 1, 0) != b""
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)

    def leave(self) -> None:
        """Let others in again. Everything that was started on the folder has ended."""
        if self._elsewhere is not None:
            with suppress(OSError):  # something of a killed server may lie there still
                self._elsewhere.rmdir()
        os.ftruncate(self._lock, 0)
        os.close(self._lock)

    def _refuse_foreign(self) -> None:
        if not (self.path / "lock").exists() and any(self.path.iterdir()):
            raise FolderError(
                f"{self.path} holds something that is not riskgate's: name a new or empty folder with --data."
            )

    def _refuse_newer(self) -> None:
        note = self.path / "VERSION"
        last = note.read_text().strip() if note.exists() else __version__
        if _ordered(last) > _ordered(__version__):
            raise FolderError(
                f"{self.path} was last used by riskgate {last}, newer than this one ({__version__}): "
                "run that version, or name another folder with --data."
            )
        note.write_text(__version__ + "\n")

    def sockets(self) -> Path:
        """A private folder whose path is short and plain enough for unix sockets: inside, or else among the
        run-time folders of the system, under a name that is always the same for this data folder. Raises
        FolderError.
        """
        inside = self.path / "run"
        if len(os.fsencode(inside)) + ROOM_FOR_NAME <= LONGEST_SOCKET and PLAIN.fullmatch(str(inside)):
            inside.mkdir(mode=0o700, exist_ok=True)
            return inside
        digest = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        base = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
        elsewhere = base / f"riskgate-{os.getuid()}-{digest}"
        elsewhere.mkdir(mode=0o700, exist_ok=True)
        found = elsewhere.lstat()
        private = elsewhere.is_dir() and not elsewhere.is_symlink() and found.st_mode & 0o077 == 0
        # root may enter anybody's folder, and its database server may run as nobody
        if not private or (os.getuid() != 0 and found.st_uid != os.getuid()):
            raise FolderError(
                f"{elsewhere} belongs to somebody else: remove it, or name a shorter folder with --data."
            )
        self._elsewhere = elsewhere
        return elsewhere


def _ordered(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))
