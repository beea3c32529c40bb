"""Builds and installs the packages of this folder that the environment lacks."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
import time
from graphlib import TopologicalSorter
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import TextIO

from rosidl_backend import Package, missing, pins, read

_PIP = [sys.executable, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
_PERIOD_S = 2.0
"""A point is printed so often while something is built."""


def main() -> int:
    """Runs the installation. Only a failed build is an error, as a compiler is optional."""
    arguments = _arguments()
    left_out: dict[str, list[Package]] = {}
    for package in _packages(Path(__file__).parent, dict(map(_named, arguments.packages))):
        if _is_installed(package, arguments.prefix):
            continue
        if needs := missing(package):
            left_out.setdefault(', '.join(needs), []).append(package)
        elif not _install(package, arguments.prefix):
            return 1
    for lacking, packages in left_out.items():
        names = ', '.join(f'{package.name} ({package.description})' for package in packages)
        print(f'Warning: without {lacking} there is no {names}', file=sys.stderr)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--prefix', type=Path, help='installs into this folder')
    parser.add_argument(
        'packages',
        nargs='*',
        metavar='NAME[==RELEASE]',
        help="packages; all if none is named, in the releases of this environment's distribution",
    )
    return parser.parse_args()


def _named(requirement: str) -> tuple[str, str]:
    name, _, release = requirement.partition('==')
    return name, release


def _packages(folder: Path, wanted: dict[str, str]) -> list[Package]:
    """Returns the packages that are wanted, or all, each after those that it builds upon."""
    roots = {path.parent.name: path.parent for path in sorted(folder.glob('*/package.xml'))}
    if unknown := sorted(set(wanted) - set(roots)):
        sys.exit(f'unknown package {unknown[0]!r}; known: {", ".join(roots)}')
    try:
        packages = {name: read(roots[name], wanted.get(name, '')) for name in wanted or roots}
    except ValueError as error:
        sys.exit(str(error))
    needs = {name: set(packages).intersection(p.depends) for name, p in packages.items()}
    return [packages[name] for name in TopologicalSorter(needs).static_order()]


def _is_installed(package: Package, prefix: Path | None) -> bool:
    """Returns whether a package is installed from elsewhere, or as it would be built now."""
    found = _distribution(package, prefix)
    if found is None:
        spec = None if prefix else find_spec(package.name)
        # Without an origin it is only a folder: that of the source, beside this script.
        return spec is not None and spec.origin is not None
    built_here = '+local' in found.version
    return not built_here or (
        found.version == package.version and (found.requires or []) == pins(package)
    )


def _distribution(package: Package, prefix: Path | None) -> Distribution | None:
    """Returns what is installed of a package, in this environment or in a folder."""
    places = {'base': str(prefix), 'platbase': str(prefix)}
    path = [sysconfig.get_path('platlib', vars=places)] if prefix else sys.path
    return next(iter(distributions(name=package.wheel, path=path)), None)


def _install(package: Package, prefix: Path | None) -> bool:
    print(f'Building {package.name} ({len(package.interfaces)} types) ', end='', flush=True)
    start = time.monotonic()
    command = [*_PIP, '--no-build-isolation', '--no-deps', '--no-index']
    command += ['--config-settings', f'release={package.release}', str(package.root)]
    if prefix:
        # What this environment has of the package stays.
        command += ['--ignore-installed', '--prefix', str(prefix)]
    places = [str(Path(__file__).parent), *filter(None, [os.environ.get('PYTHONPATH')])]
    environment = {**os.environ, 'PYTHONPATH': os.pathsep.join(places)}
    with TemporaryFile('w+') as output:
        code = _run(command, environment, output)
        print(f' {time.monotonic() - start:.0f} s')
        if code:
            output.seek(0)
            print(output.read(), file=sys.stderr)
    return code == 0


def _run(command: list[str], environment: dict[str, str], output: TextIO) -> int:
    """Runs a command and returns its exit code; points show that it goes on."""
    with subprocess.Popen(
        command, env=environment, stdout=output, stderr=subprocess.STDOUT
    ) as process:
        while True:
            try:
                return process.wait(_PERIOD_S)
            except subprocess.TimeoutExpired:
                print('.', end='', flush=True)


if __name__ == '__main__':
    sys.exit(main())
