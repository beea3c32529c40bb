"""Shows the progress of long work on a terminal."""

from __future__ import annotations

import sys
from typing import Any

from ...files.file_names import assets_of
from ...write.form import FileNames, Form

_CLEAR = '\r\033[K'


def read_assets(model: Any, filenames: FileNames) -> None:
    """Reads the files of a model into it, and prints their number. Raises OSError."""
    terminal = sys.stderr.isatty()
    form = Form(filenames=filenames, prefix_root=model)
    for number, asset in enumerate(assets_of(model, form), 1):
        if terminal:
            sys.stderr.write(f'{_CLEAR}{number} {asset.original_name()}')
            sys.stderr.flush()
        asset.to_bytes()
    if terminal:
        sys.stderr.write(_CLEAR)
