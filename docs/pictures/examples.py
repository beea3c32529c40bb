"""What the pages show as examples, to be drawn."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1]
PLUGINS = DOCS.parent / 'examples' / 'plugins'
ARM = 'package://mujoco_ros_py/examples/arm.xml'


def example(page: str, title: str) -> dict[str, Any]:
    """The names that a Python block of a page defines, after it has run."""
    text = (DOCS / page).read_text()
    found = re.search(rf'^```python\n(# {re.escape(title)}\n.*?)^```$', text, re.M | re.S)
    if found is None:
        raise LookupError(f'{page} has no Python block {title}')
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(found[1], names)
    return names


def model_text(page: str, title: str) -> str:
    """The XML block of a page that shows a file."""
    text = (DOCS / page).read_text()
    found = re.search(rf'^```xml\n<!-- {re.escape(title)} -->\n(.*?)^```$', text, re.M | re.S)
    if found is None:
        raise LookupError(f'{page} has no XML block {title}')
    return found[1]


def plugin_class(module: str, name: str) -> Any:
    """A class of the example package."""
    if str(PLUGINS) not in sys.path:
        sys.path.append(str(PLUGINS))
    return getattr(import_module(f'example_plugins.{module}'), name)
