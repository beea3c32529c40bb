"""Writes the results and errors of the commands."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from errno import EACCES
from pathlib import Path
from tempfile import NamedTemporaryFile

from .inputs import told

FAILED = 2
"""The exit status of a failed command."""


def fail(file: str, error: Exception) -> int:
    """Prints an error to standard error, and returns the exit status."""
    print(told(file, error), file=sys.stderr)
    return FAILED


def write(content: bytes, out: str | None) -> int:
    """Writes to a file or to standard output, and returns the exit status."""
    if out is None:
        write_stdout(content)
        return 0
    try:
        write_file(out, content)
    except OSError as error:
        return fail(out, error)
    return 0


def write_stdout(content: bytes) -> None:
    """Writes bytes unchanged to standard output, whatever the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def write_file(file: str, content: bytes) -> None:
    """Replaces a file atomically. Links, owners and permissions are preserved.

    Other hard links keep the old content.
    """
    if os.path.exists(file) and not os.path.isfile(file):  # such as /dev/stdout
        Path(file).write_bytes(content)
        return
    target = Path(os.path.realpath(file))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES), file)
    with NamedTemporaryFile(dir=target.parent, prefix=f'.{target.name}.', delete=False) as new:
        try:
            new.write(content)
            new.flush()
            _keep_owner(new.name, target)
            os.chmod(new.name, _mode(target))
            os.replace(new.name, target)
        except BaseException:
            os.unlink(new.name)
            raise


def _keep_owner(new: str, old: Path) -> None:
    """Gives the new file the owner of the old file, if permitted.

    Otherwise, files of users would belong to root after a command in a container.
    """
    if old.exists():
        with suppress(PermissionError):
            os.chown(new, old.stat().st_uid, old.stat().st_gid)


def _mode(path: Path) -> int:
    """Returns the permissions of a file, or the default permissions if it does not exist."""
    if path.exists():
        return path.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
