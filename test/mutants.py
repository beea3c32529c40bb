"""Changes the code in small ways, and counts the changes that no test notices.

python test/mutants.py --count 100 --seed 1

Each mutant is one change by cosmic-ray in a copy of the repository, such as `<` for `<=`. The fast
tests of its room run first, then those of the rooms above, then the slow ones of its room that
name the module; the first that fails kills it.
`--sample FILE` keeps the sample, so that another commit is measured with the same mutants:

python test/mutants.py --sample mutants.json --tree ../other-checkout
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import changed
import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOMS = 'engine', 'simulation', 'plugins', 'session', 'ros'
ABOVE = 'session', 'plugins', 'ros', 'system'
"""The rooms whose fast tests run, too."""
LIMIT_S = 600.0
"""A mutant may never end; whatever takes longer is killed by that."""
_FAST, _SLOW = 'not (slow or nightly)', 'slow and not nightly'
_TYPES = 'ReplaceBinaryOperator_BitOr'
"""Operators with this in their name change `int | None`, which nothing evaluates."""


@dataclass(frozen=True)
class Mutant:
    """One change: the file below the repository, the operator of cosmic-ray, and its place."""

    file: str
    operator: str
    occurrence: int

    @property
    def room(self) -> str:
        """The room that the file is in."""
        return self.file.split('/')[1]

    def applied(self, source: str) -> str | None:
        """Returns the source with the change; None if it has no such place, or is no Python."""
        made = mutate_code(source, get_operator(self.operator)(), self.occurrence)
        if made is None:
            return None
        try:
            compile(made, self.file, 'exec')
        except SyntaxError:  # cosmic-ray takes `*,` and `**x` in parameters for operators
            return None
        return str(made)


def main() -> None:
    """Runs the tests against each mutant, and prints those that survive, with the counts."""
    parser = argparse.ArgumentParser('python test/mutants.py', description=__doc__.split('\n')[0])
    parser.add_argument('--count', type=int, default=100, help='the number of mutants (100)')
    parser.add_argument('--seed', type=int, default=1, help='which mutants are drawn (1)')
    parser.add_argument('--sample', type=Path, help='a file with the mutants, made if missing')
    parser.add_argument('--tree', type=Path, default=changed.ROOT, help='the repository to change')
    parser.add_argument('--jobs', type=int, default=2, help='so many mutants at a time (2)')
    given = parser.parse_args()
    changed.ROOT = given.tree.resolve()
    mutants = _sample(given.sample, given.count, given.seed)
    outcomes: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        copies = [_copy(Path(folder) / str(number)) for number in range(given.jobs)]
        for mutant, outcome in zip(mutants, pool.map(_Worker(copies), mutants), strict=True):
            outcomes[mutant.room, outcome.split(':')[0]] += 1
            print(f'{mutant.file} {mutant.operator} {mutant.occurrence} {outcome}', flush=True)
    print(f'\n{"room":12}{"killed":>8}{"survived":>10}')
    for room in ROOMS:
        print(f'{room:12}{outcomes[room, "killed"]:8}{outcomes[room, "survived"]:10}')


class _Worker:
    """Tries mutants, each in a copy of the repository that no other thread uses."""

    def __init__(self, copies: list[Path]) -> None:
        self._free = list(copies)

    def __call__(self, mutant: Mutant) -> str:
        copy = self._free.pop()
        file = copy / mutant.file
        source = file.read_text()
        try:
            made = mutant.applied(source)
            if made is None:
                return 'gone: the file is another one, or the change is no Python'
            file.write_text(made)
            return _outcome(copy, mutant, _difference(source, made))
        finally:
            file.write_text(source)
            self._free.append(copy)


def _outcome(copy: Path, mutant: Mutant, difference: str) -> str:
    chosen = changed.chosen([mutant.file])
    own = [test for test in chosen if test.startswith(f'test/{mutant.room}/')]
    above = [test for test in chosen if test.split('/')[1] in ABOVE and test not in own]
    module = '.'.join(Path(mutant.file).with_suffix('').parts)
    naming = [test for test in own if module in (copy / test).read_text()]
    own.sort(key=lambda test: test not in naming)
    for tier, tests in ((_FAST, own), (_FAST, above), (_SLOW, naming)):
        if not tests:  # pytest would run all that there are
            continue
        command = [sys.executable, '-m', 'pytest', '-x', '-q', '-p', 'no:xdist', '-m', tier]
        try:
            done = subprocess.run(
                [*command, *tests], cwd=copy, capture_output=True, text=True, timeout=LIMIT_S,
                check=False, env={**os.environ, 'PYTHONPATH': str(copy)},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f'killed: by the limit of time: {difference}'
        if done.returncode not in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
            last = next((line for line in done.stdout.splitlines()[::-1] if '::' in line), '')
            return f'killed: {last[:120]}'
    return f'survived: {difference}'


def _difference(before: str, after: str) -> str:
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    number, (was, now) = next((k, pair) for k, pair in enumerate(pairs, 1) if pair[0] != pair[1])
    return f'line {number}: {was.strip()} -> {now.strip()}'


def _sample(file: Path | None, count: int, seed: int) -> list[Mutant]:
    if file is not None and file.exists():
        return [Mutant(**each) for each in json.loads(file.read_text())]
    drawn = random.Random(seed)
    folders = [changed.ROOT / changed.PACKAGE / room for room in ROOMS]
    paths = [path for folder in folders for path in sorted(folder.rglob('*.py'))]
    weights = [len(path.read_text()) for path in paths]
    mutants: dict[Mutant, None] = {}
    while len(mutants) < count:
        (path,) = drawn.choices(paths, weights)
        if found := list(_mutants_of(path)):
            mutants[drawn.choice(found)] = None
    if file is not None:
        file.write_text(json.dumps([asdict(each) for each in mutants], indent=1))
    return list(mutants)


def _mutants_of(path: Path) -> Iterator[Mutant]:
    nodes = list(ast_nodes(get_ast(path.read_text())))
    for name in operator_names():
        kind = get_operator(name)
        if kind.arguments() or _TYPES in name:
            continue
        places = (place for node in nodes for place in kind().mutation_positions(node))
        for occurrence, _ in enumerate(places):
            yield Mutant(str(path.relative_to(changed.ROOT)), name, occurrence)


def _copy(folder: Path) -> Path:
    listed = ['git', 'ls-files', '--cached', '--others', '--exclude-standard']
    done = subprocess.run(listed, cwd=changed.ROOT, capture_output=True, text=True, check=True)
    for name in done.stdout.splitlines():
        if (changed.ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(changed.ROOT / name, folder / name)
    return folder


if __name__ == '__main__':
    main()
