"""Builds and installs the packages of this folder that the environment lacks."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from graphlib import TopologicalSorter
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import TextIO

from rosidl_backend import Package, missing, pins

_PIP = [sys.executable, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
_PERIOD_S = 2.0
"""A point is printed so often while something is built."""


def main() -> int:
    """Runs the installation. Only a failed build is an error, as a compiler is optional."""
    left_out: dict[str, list[Package]] = {}
    for package in _packages(Path(__file__).parent):
        if _is_installed(package):
            continue
        if needs := missing(package):
            left_out.setdefault(', '.join(needs), []).append(package)
        elif not _install(package):
            return 1
    for lacking, packages in left_out.items():
        names = ', '.join(f'{package.name} ({package.description})' for package in packages)
        print(f'Warning: without {lacking} there is no {names}', file=sys.stderr)
    return 0


def _packages(folder: Path) -> list[Package]:
    """Returns the packages, each after those that it builds upon."""
    found = [Package.read(path.parent) for path in sorted(folder.glob('*/package.xml'))]
    packages = {package.name: package for package in found}
    needs = {name: set(packages).intersection(p.depends) for name, p in packages.items()}
    return [packages[name] for name in TopologicalSorter(needs).static_order()]


def _is_installed(package: Package) -> bool:
    """Returns whether a package is installed from elsewhere, or as it would be built now."""
    try:
        found = distribution(package.wheel)
    except PackageNotFoundError:
        spec = find_spec(package.name)
        # Without an origin it is only a folder: that of the source, beside this script.
        return spec is not None and spec.origin is not None
    built_here = '+local' in found.version
    return not built_here or (
        found.version == package.version and (found.requires or []) == pins(package)
    )


def _install(package: Package) -> bool:
    print(f'Building {package.name} ({len(package.interfaces)} types) ', end='', flush=True)
    start = time.monotonic()
    command = [*_PIP, '--no-build-isolation', '--no-deps', '--no-index', str(package.root)]
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
