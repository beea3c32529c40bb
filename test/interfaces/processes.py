"""Runs programs to their end, with the folders in which they find packages."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from deadline import DEADLINE_S

ROOT = Path(__file__).parents[2]
PROBE = Path(__file__).parent / 'probe_msgs'
_MOST_S = 3 * DEADLINE_S
"""What hangs ends after this time; a compiler is started a hundred times for a package."""


def run(*command: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command, whatever its exit code; both streams are in `stdout`."""
    return subprocess.run(
        [str(part) for part in command],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_MOST_S,
    )


def pip_install(
    package: Path, prefix: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Installs a package into the prefix; the environment's own version of it stays."""
    options = ('--no-build-isolation', '--no-deps', '--no-index', '--ignore-installed')
    command = (sys.executable, '-m', 'pip', 'install', *options, '--prefix', prefix, package)
    backend = {'PYTHONPATH': str(package.parent), **environment}
    return run(*command, **backend)


def site_packages(prefix: Path) -> Path:
    places = {'base': str(prefix), 'platbase': str(prefix)}
    return Path(sysconfig.get_path('platlib', vars=places))


def overlay(prefix: Path) -> dict[str, str]:
    """Returns an environment in which packages of the prefix come first."""
    places = {'AMENT_PREFIX_PATH': prefix, 'PYTHONPATH': site_packages(prefix)}
    return {
        name: os.pathsep.join([str(place), *filter(None, [os.environ.get(name)])])
        for name, place in places.items()
    }


def install(prefix: Path, *packages: str) -> subprocess.CompletedProcess[str]:
    """Builds packages of `interfaces` into the prefix, such as `simulation_interfaces==2.1.0`."""
    return run(sys.executable, ROOT / 'interfaces' / 'install.py', '--prefix', prefix, *packages)


def built_once(package: str) -> Path:
    """Returns the folder that a package was built into, by this run of the tests or by another.

    Raises AssertionError if it cannot be built.
    """
    prefix = ROOT / 'build' / 'interfaces'
    prefix.mkdir(parents=True, exist_ok=True)
    with (prefix / 'lock').open('w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process may build it now
        done = install(prefix, package)
    assert done.returncode == 0, done.stdout
    return prefix
