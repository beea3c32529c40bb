"""The configuration of Sphinx, which builds the documentation site: `make docs`.

The source folder is the root of the repository, so links work as they do on a code host.
"""

import re
from typing import Any

from mujoco_ros_py import __version__, config

project = 'mujoco_ros_py'
copyright = '2026, the mujoco_ros_py authors. Apache License 2.0'
version = release = __version__
extensions = ['myst_parser', 'sphinx.ext.autodoc', 'sphinx_llms_txt']
include_patterns = ['docs/**', '*.md', 'CHANGELOG.rst', 'interfaces/README.md']
exclude_patterns = ['.*', 'build', 'install', 'log', 'mujoco_ros_py', 'test']  # not searched
root_doc = 'docs/index'
html_theme = 'furo'
html_title = project
html_last_updated_fmt = '%Y-%m-%d'
# Publishes the Markdown of each page too; llms.txt lists these files.
html_copy_source = True
html_sourcelink_suffix = ''
llms_txt_uri_template = '{base_url}_sources/{docname}{suffix}'
llms_txt_full_file = False
html_extra_path = ['site']  # redirects from the root of the site to docs/index.html

default_role = 'code'  # docstrings mark code with single backticks
myst_heading_anchors = 4
autodoc_default_options = {'members': True, 'undoc-members': True, 'show-inheritance': True}
autodoc_typehints_format = 'short'
# Silences ambiguous references: `type` is a class of Python, and a field of several dataclasses.
suppress_warnings = ['ref.python']
python_maximum_signature_line_length = 80

_CONTENTS = {'docs/index': 'md|rst', 'docs/reference/api': 'rst'}
"""The pages whose links become entries of the sidebar, with the file types of these links."""


CONFIGS = config.CameraConfig, config.ServerConfig, config.SessionConfig
"""The configurations whose fields get their parameter's description."""


def setup(app: Any) -> None:
    """Registers the extensions below; called by Sphinx."""
    app.connect('source-read', add_contents)
    app.connect('autodoc-process-docstring', add_description)


def add_contents(app: Any, name: str, source: list[str]) -> None:
    """Adds a table of contents for each section; the section's heading becomes the caption."""
    if kinds := _CONTENTS.get(name):
        head, *sections = re.split(r'^## ', source[0], flags=re.MULTILINE)
        for section in sections or [f'Modules\n{head}']:
            found = re.findall(rf'\]\(([\w./-]+\.(?:{kinds}))\)', section)
            options = f':hidden:\n:caption: {section.splitlines()[0]}\n'
            links = '\n'.join(dict.fromkeys(found))  # several links may lead to one page
            source[0] += f'\n```{{toctree}}\n{options}\n{links}\n```\n'


def add_description(
    app: Any, kind: str, name: str, value: object, options: Any, lines: list[str]
) -> None:
    """Replaces a configuration field's docstring by its parameter's description."""
    owner, _, field = name.rpartition('.')
    owner = getattr(config, owner.rpartition('.')[2], None)
    if kind == 'attribute' and owner in CONFIGS:
        parameter = config.parameters_of(owner)[field]
        rule = f'{parameter.rule} {parameter.unit}'.strip() if parameter.rule else ''
        lines[:] = [f'{parameter.description} {rule and f"({rule})"}'.strip()]
