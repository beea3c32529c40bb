"""Reads the examples that pages show, for use in pictures."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

DOCS = Path(__file__).parents[1]
PLUGINS = DOCS.parent / 'examples' / 'plugins'
ARM = 'package://mujoco_ros_py/examples/arm.xml'


def example(page: str, title: str) -> dict[str, Any]:
    """Runs a Python block of a page; returns the names that it defines."""
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(program_text(page, title), names)
    return names


def program_text(page: str, title: str) -> str:
    """Returns the Python block with the given file title from a page."""
    return found_on(page, rf'^```python\n(# {re.escape(title)}\n.*?)^```$', title)


def model_text(page: str, title: str) -> str:
    """Returns the XML block with the given file title from a page."""
    return found_on(page, rf'^```xml\n<!-- {re.escape(title)} -->\n(.*?)^```$', title)


def listed(page: str, title: str, *, parameters: bool = False) -> Any:
    """Returns the YAML block with the given file title, or the parameters of a parameter file."""
    text = found_on(page, rf'^```yaml\n# {re.escape(title)}\n(.*?)^```$', title)
    if not parameters:
        return text
    (node,) = yaml.safe_load(text).values()
    return {k: v for k, v in node['ros__parameters'].items() if k != 'modelfile'}


def found_on(page: str, pattern: str, what: str) -> str:
    """Returns the first group of a pattern on a page. Raises LookupError if nothing matches."""
    found = re.search(pattern, (DOCS / page).read_text(), re.M | re.S)
    if found is None:
        raise LookupError(f'{page} does not show {what}')
    return found[1]


def plugin_class(module: str, name: str) -> Any:
    """Returns a class of the example package."""
    if str(PLUGINS) not in sys.path:
        sys.path.append(str(PLUGINS))
    return getattr(import_module(f'example_plugins.{module}'), name)
