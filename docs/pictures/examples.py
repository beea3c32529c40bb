"""What the pages show as examples, to be drawn."""

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
    """The names that a Python block of a page defines, after it has run."""
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(program_text(page, title), names)
    return names


def program_text(page: str, title: str) -> str:
    """The Python block of a page that shows a file."""
    return found_on(page, rf'^```python\n(# {re.escape(title)}\n.*?)^```$', title)


def model_text(page: str, title: str) -> str:
    """The XML block of a page that shows a file."""
    return found_on(page, rf'^```xml\n<!-- {re.escape(title)} -->\n(.*?)^```$', title)


def listed(page: str, title: str, *, parameters: bool = False) -> Any:
    """The YAML block of a page that shows a file; of a parameter file the parameters."""
    text = found_on(page, rf'^```yaml\n# {re.escape(title)}\n(.*?)^```$', title)
    if not parameters:
        return text
    (node,) = yaml.safe_load(text).values()
    return {k: v for k, v in node['ros__parameters'].items() if k != 'modelfile'}


def found_on(page: str, pattern: str, what: str) -> str:
    """The first group of a pattern on a page. Raises LookupError where the page has it not."""
    found = re.search(pattern, (DOCS / page).read_text(), re.M | re.S)
    if found is None:
        raise LookupError(f'{page} does not show {what}')
    return found[1]


def plugin_class(module: str, name: str) -> Any:
    """A class of the example package."""
    if str(PLUGINS) not in sys.path:
        sys.path.append(str(PLUGINS))
    return getattr(import_module(f'example_plugins.{module}'), name)
