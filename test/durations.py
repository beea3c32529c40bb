"""Prints how long tests took, from the JUnit files that `make` has pytest write, one for a tier.

python test/durations.py build/tests/fast.xml build/tests/slow.xml
"""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

SLOWEST = 20


def main(files: list[Path]) -> None:
    """Prints the slowest tests of all files, and the sums of each room in each tier."""
    tiers = {file.stem: read(file) for file in files if file.exists()}
    tests = [(seconds, name) for times in tiers.values() for name, seconds in times.items()]
    print(f'\n{"seconds":>8}  the {SLOWEST} slowest tests')
    for seconds, name in sorted(tests, reverse=True)[:SLOWEST]:
        print(f'{seconds:8.1f}  {name}')
    rooms = [(name, [_of_room(times, name) for times in tiers.values()]) for name in _rooms(tests)]
    print('\n' + f'{"tests and seconds":22}' + ''.join(f'{tier:>18}' for tier in tiers))
    for name, cells in sorted(rooms, key=lambda row: -sum(map(sum, row[1]))):
        _print_row(name, cells)
    _print_row('sum', [list(times.values()) for times in tiers.values()])


def _rooms(tests: list[tuple[float, str]]) -> set[str]:
    return {room(name) for _, name in tests}


def _of_room(times: dict[str, float], name: str) -> list[float]:
    return [seconds for test, seconds in times.items() if room(test) == name]


def read(file: Path) -> dict[str, float]:
    """Returns the seconds of each test with its fixtures, by `folder/file.py::test`."""
    cases = list(ElementTree.parse(file).iter('testcase'))
    return {_name(case): float(case.get('time', 0.0)) for case in cases}


def _name(case: ElementTree.Element) -> str:
    name = case.get('name', '')
    module = case.get('classname') or name  # a file that was skipped has only a name
    return f'{module.replace(".", "/")}.py::{name}'


def room(test: str) -> str:
    """Returns the folder of a test below `test`, or its file if it is in none."""
    return test.removeprefix('test/').partition('::')[0].partition('/')[0]


def _print_row(name: str, cells: list[list[float]]) -> None:
    print(f'{name:22}' + ''.join(f'{len(times):8}{sum(times):8.1f} s' for times in cells))


if __name__ == '__main__':
    main([Path(each) for each in sys.argv[1:]])
