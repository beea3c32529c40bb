"""The `docs` command: prints pages of the installed documentation."""

from __future__ import annotations

from pathlib import Path

import click

from ..config.wording import unknown
from ..errors import ConfigError

_TOP = 'AGENTS.md', 'README.md'


@click.command()
@click.argument('page', default='')
def docs(page: str) -> None:
    """Print a PAGE of the documentation, such as lockstep or reference/qos.

    Without PAGE, list all pages.
    """
    pages = _pages()
    if not page:
        width = max(map(len, pages))
        for name, path in pages.items():
            click.echo(f'{name:{width}}  {_title(path)}')
        return
    found = [name for name in pages if name == page or name.endswith(f'/{page}')]
    if len(found) != 1:
        names = pages if '/' in page else {name.rpartition('/')[2] for name in pages}
        reason = (
            f'page {page} is ambiguous: {", ".join(found)}'
            if found
            else unknown('page', page, names)
        )
        raise ConfigError(reason)
    click.echo_via_pager(pages[found[0]].read_text(encoding='utf-8'))


def _pages() -> dict[str, Path]:
    """Returns the files of all pages, by page name (the relative path without `.md`)."""
    from ..engine.resources import local_path  # imports MuJoCo, which would slow down --help

    folder = local_path('package://mujoco_ros_py/docs')
    if not folder.is_dir():
        raise ConfigError(f'{folder} is missing: reinstall mujoco_ros_py')
    pages = {name.removesuffix('.md'): folder.parent / name for name in _TOP}
    pages |= {
        str(path.relative_to(folder).with_suffix('')): path
        for path in sorted(folder.rglob('*.md'), key=lambda path: (path.parent != folder, path))
    }
    return pages


def _title(path: Path) -> str:
    """Returns the first heading of a page."""
    with path.open(encoding='utf-8') as lines:
        return next((line[2:].strip() for line in lines if line.startswith('# ')), '')
