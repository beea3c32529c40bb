"""The pages of the documentation, and the blocks of code in them."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / 'examples' / 'plugins'
TUTORIAL = sorted((ROOT / 'docs' / 'tutorial').glob('*.md'))
"""The chapters of the tutorial; their blocks depend on each other."""
PAGES = [ROOT / 'README.md', ROOT / 'CONTRIBUTING.md']
PAGES += sorted({*(ROOT / 'docs').rglob('*.md')} - {*TUTORIAL})
"""All other pages; each of their blocks works alone."""

_FENCE = re.compile(
    r'^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$', re.M | re.S
)
_TITLE = re.compile(r'(?:# |<!-- )(?P<title>[\w./]+\.(?:py|yaml|xml|urdf))(?: -->)?\n')
_REFUSED = re.compile(r'# refused: (?P<why>.*)\n')


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f'{self.page.name}:{self.line}'

    @property
    def title(self) -> str | None:
        """The file name in the first line of the block, if any."""
        found = _TITLE.match(self.text)
        return found['title'] if found else None

    @property
    def refused(self) -> str | None:
        """The expected error, if the first line of the block says that the server refuses the
        block."""
        found = _REFUSED.match(self.text)
        return found['why'] if found else None

    @property
    def is_parameter_file(self) -> bool:
        return self.language == 'yaml' and 'ros__parameters:' in self.text

    @property
    def is_scenario_file(self) -> bool:
        return self.language == 'yaml' and '\nsuccess:' in self.text

    @property
    def commands(self) -> list[str]:
        """The lines of a shell block, without comments."""
        lines = (line.partition(' #')[0].strip() for line in self.text.splitlines())
        return [line for line in lines if line and not line.startswith('#')]


def blocks(*languages: str, page: Path | None = None) -> list[Block]:
    """Returns the blocks of these languages (default: all), in the order of the pages."""
    found = []
    for path in [page] if page else PAGES:
        text = path.read_text()
        for match in _FENCE.finditer(text):
            line = text.count('\n', 0, match.start()) + 1
            code = textwrap.dedent(match['text'])
            found.append(Block(path, line, match['language'], code))
    return [block for block in found if not languages or block.language in languages]


def code_spans(page: Path) -> list[str]:
    """Returns the code spans in the text of a page, without its code blocks."""
    return re.findall(r'`([^`\n]+)`', _FENCE.sub('', page.read_text()))


def rows(page: Path, head: str) -> list[list[str]]:
    """Returns the cells of the first table with this head; see `tables`."""
    table, *_ = _tables(page, head)
    return table


def tables(page: Path, head: str) -> list[list[str]]:
    """Returns the rows of all tables whose head begins with this cell, without backticks."""
    return [row for table in _tables(page, head) for row in table]


def _tables(page: Path, head: str) -> list[list[list[str]]]:
    found: list[list[list[str]]] = []
    is_inside = False
    for line in page.read_text().splitlines():
        if line.startswith(f'| {head} |'):
            found.append([])
            is_inside = True
        elif not line.startswith('|'):
            is_inside = False
        elif is_inside and not line.startswith('|--'):
            cells = line.strip('|').split('|')
            found[-1].append([cell.strip().strip('`') for cell in cells])
    assert found, f'{page.name} has no table with the head {head!r}'
    return found
