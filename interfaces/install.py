"""Builds and installs the packages of this folder that the environment lacks."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor, wait
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory

from rosidl_backend import Package, missing, pins, read

_HERE = ['--no-deps', '--no-index']
"""Arguments that keep pip from downloading anything."""
_PERIOD_S = 2.0
"""The interval for printing a progress dot during a build, in s."""


def main() -> int:
    """Runs the installation; returns 1 if a build fails.

    A missing compiler is only a warning, because the packages are optional.
    """
    arguments = _arguments()
    left_out: dict[str, list[Package]] = {}
    to_build: list[Package] = []
    for package in _packages(Path(__file__).parent, dict(map(_named, arguments.packages))):
        if _is_installed(package, arguments.prefix):
            continue
        if needs := missing(package):
            left_out.setdefault(', '.join(needs), []).append(package)
        else:
            to_build.append(package)
    for lacking, packages in left_out.items():
        names = ', '.join(f'{package.name} ({package.description})' for package in packages)
        print(f'Warning: skipped {names}; missing: {lacking}', file=sys.stderr)
    return 0 if not to_build or _install(to_build, arguments.prefix) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--prefix', type=Path, help='install into this folder')
    parser.add_argument(
        'packages',
        nargs='*',
        metavar='NAME[==RELEASE]',
        help="packages to install (default: all), in the releases of the environment's ROS "
        'distribution',
    )
    return parser.parse_args()


def _named(requirement: str) -> tuple[str, str]:
    name, _, release = requirement.partition('==')
    return name, release


def _packages(folder: Path, wanted: dict[str, str]) -> list[Package]:
    """Returns the wanted packages (default: all). They do not depend on each other."""
    roots = {path.parent.name: path.parent for path in sorted(folder.glob('*/package.xml'))}
    if unknown := sorted(set(wanted) - set(roots)):
        sys.exit(f'unknown package {unknown[0]!r}; known: {", ".join(roots)}')
    try:
        return [read(roots[name], wanted.get(name, '')) for name in wanted or roots]
    except ValueError as error:
        sys.exit(str(error))


def _is_installed(package: Package, prefix: Path | None) -> bool:
    """Returns whether a package is up to date, or was not installed by this script."""
    found = _distribution(package, prefix)
    if found is None:
        spec = None if prefix else find_spec(package.name)
        # A spec without an origin is only the source folder next to this script.
        return spec is not None and spec.origin is not None
    built_here = '+local' in found.version
    return not built_here or (
        found.version == package.version and (found.requires or []) == pins(package)
    )


def _distribution(package: Package, prefix: Path | None) -> Distribution | None:
    """Returns a package's installed distribution, in this environment or below `prefix`."""
    places = {'base': str(prefix), 'platbase': str(prefix)}
    path = [sysconfig.get_path('platlib', vars=places)] if prefix else sys.path
    return next(iter(distributions(name=package.wheel, path=path)), None)


def _install(packages: list[Package], prefix: Path | None) -> bool:
    """Builds packages in parallel, installs the built wheels, and prints the errors."""
    types = sum(len(package.interfaces) for package in packages)
    names = ', '.join(package.name for package in packages)
    print(f'Building {types} types of {names} ', end='', flush=True)
    start = time.monotonic()
    with TemporaryDirectory() as folder:
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            builds = [pool.submit(_pip, *_wheel_arguments(each, folder)) for each in packages]
            while wait(builds, _PERIOD_S).not_done:
                print('.', end='', flush=True)
        # With a prefix, pip must not uninstall the packages of this environment.
        place = ['--ignore-installed', '--prefix', str(prefix)] if prefix else []
        done = [build.result() for build in builds]
        if wheels := sorted(map(str, Path(folder).glob('*.whl'))):
            done.append(_pip('install', *_HERE, *place, *wheels))
    print(f' {time.monotonic() - start:.0f} s')
    failed = [each.stdout for each in done if each.returncode]
    print(*failed, sep='\n', end='', file=sys.stderr)
    return not failed


def _wheel_arguments(package: Package, folder: str) -> list[str]:
    release = ['--config-settings', f'release={package.release}']
    alone = ['--no-build-isolation', '--wheel-dir', folder]
    return ['wheel', *_HERE, *alone, *release, str(package.root)]


def _pip(command: str, *arguments: str) -> CompletedProcess[str]:
    quiet = [command, '--quiet', '--disable-pip-version-check', *arguments]
    places = [str(Path(__file__).parent), *filter(None, [os.environ.get('PYTHONPATH')])]
    environment = {**os.environ, 'PYTHONPATH': os.pathsep.join(places)}
    return subprocess.run(
        [sys.executable, '-m', 'pip', *quiet],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip


if __name__ == '__main__':
    sys.exit(main())
