"""Opens the models named on the command line, and formats their names in messages."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from os.path import dirname

from ....errors import MjcfError
from ....mujoco_resources import below
from ...compose.root import RootElement
from ...files.archives import main_names
from ...read.models import from_xml_string
from ...read.zips import read_zip

STDIN = '-'


@dataclass(frozen=True, slots=True)
class Input:
    """A model named on the command line."""

    content: bytes
    """The content of the XML file."""
    folder: str
    """The folder for relative file names."""
    assets: dict[str, bytes]
    """The other files in the zip file, by name."""

    def model(self) -> RootElement:
        """Reads the model. Raises MjcfError if it is invalid."""
        return from_xml_string(self.content, model_dir=self.folder, assets=self.assets)


def open_input(file: str) -> Input:
    """Opens a file, the XML in a zip, or standard input. Raises OSError and MjcfError."""
    if is_zip(file):
        content, assets = read_zip(file, main_names(file))
        return Input(content, '', assets)
    return Input(read_bytes(file), dirname(file), {})


def read_bytes(file: str) -> bytes:
    """Reads a file or standard input."""
    if file == STDIN:
        return sys.stdin.buffer.read()
    with open(file, 'rb') as opened:  # Path('') would be the current folder
        return opened.read()


def is_zip(file: str) -> bool:
    """Returns whether a file name ends with .zip."""
    return file.lower().endswith('.zip')


def place(file: str, path: str = '', line: int | None = None) -> str:
    """Returns `file:line` in the format of editors; `path` is an included file's path."""
    told = '<stdin>' if file == STDIN else file
    if path:
        told = below(file if is_zip(file) else dirname(file), path)
    return f'{told}:{line}' if line else told


def told(file: str, error: Exception) -> str:
    """Formats an error on one line: the location, then the reason."""
    if isinstance(error, MjcfError):
        reason = (error.reason or str(error)).removeprefix('error while parsing element ')
        where = place(file, error.path, error.line)
    else:
        where, reason = place(file), getattr(error, 'strerror', None) or str(error)
    return f'{where}: {" ".join(reason.split()).removeprefix(f"{file} ") or type(error).__name__}'
