"""What the commands write."""

from __future__ import annotations

import argparse
import os
import sys
from errno import EACCES
from pathlib import Path
from tempfile import NamedTemporaryFile

from .inputs import told

FAILED = 2
"""The exit status of what could not be done."""


def fail(file: str, error: Exception) -> int:
    """Says on the standard error what could not be done; the exit status."""
    print(told(file, error), file=sys.stderr)
    return FAILED


def add_output(parser: argparse.ArgumentParser) -> None:
    """Where to write."""
    parser.add_argument('-o', dest='out', metavar='OUT', help='a file; else the standard output')


def write(content: bytes, out: str | None) -> int:
    """To a file, or to the standard output; the exit status."""
    if out is None:
        write_stdout(content)
        return 0
    try:
        write_file(out, content)
    except OSError as error:
        return fail(out, error)
    return 0


def write_stdout(content: bytes) -> None:
    """As it is, whatever the encoding of the terminal."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def write_file(file: str, content: bytes) -> None:
    """All of it or nothing; a link stays one, and its file as readable as it was."""
    target = Path(os.path.realpath(file))
    if target.exists() and not target.is_file():  # such as /dev/stdout
        target.write_bytes(content)
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES), file)
    with NamedTemporaryFile(dir=target.parent, prefix=f'.{target.name}.', delete=False) as new:
        try:
            new.write(content)
            new.flush()
            os.chmod(new.name, _mode(target))
            os.replace(new.name, target)
        except BaseException:
            os.unlink(new.name)
            raise


def _mode(path: Path) -> int:
    """Of a new file the one that others that the process makes have."""
    if path.exists():
        return path.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
