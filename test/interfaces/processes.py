"""Runs programs to their end, with environments in which they find built packages."""

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
"""The time limit of a program in seconds; the build of a package starts a compiler 100 times."""


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
    """Installs a package into the prefix; the version in this environment stays."""
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
    """Returns the folder of a built package; builds it unless another run of the tests has.

    Raises AssertionError if it cannot be built.
    """
    prefix = ROOT / 'build' / 'interfaces'
    prefix.mkdir(parents=True, exist_ok=True)
    with (prefix / 'lock').open('w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process can be building the package
        done = install(prefix, package)
    assert done.returncode == 0, done.stdout
    return prefix
