"""The two secrets of an installation: made once, kept in files that only their owner can read."""

import json
import os
import secrets
from pathlib import Path

from joserfc.jwk import OKPKey


def write_private(path: Path, text: str) -> None:
    """Write a file whole or not at all, with mode 0600 from its first byte."""
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.rename(path)


def signing_key(path: Path) -> Path:
    """The file with the private Ed25519 JWK that signs grants; its `kid` is the key's own thumbprint (RFC
    7638).
    """
    if not path.exists():
        key = OKPKey.generate_key("Ed25519", {"use": "sig", "alg": "Ed25519"}, private=True, auto_kid=True)
        write_private(path, json.dumps(key.as_dict(private=True), indent=1) + "\n")
    return path


def secret_key(path: Path) -> str:
    """The text that signs cookies and links."""
    if not path.exists():
        write_private(path, secrets.token_urlsafe(48) + "\n")
    return path.read_text().strip()
