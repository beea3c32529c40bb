"""The checkouts to measure rows in: this checkout, and another commit."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from .domains import ENDING_WITH_US, SECOND, free_domains
from .processes import FOLDER

ROOT = FOLDER.parent
_END_S = 20.0
"""The time limit for an interrupted row to end its processes, in s."""


class RowFailedError(Exception):
    """A row failed; the message is the last line of its error output."""


class UnknownCommitError(Exception):
    """Git does not know the commit; the message is git's."""


class Tree:
    """A checkout. Its Python processes either import the package from this checkout or fail."""

    def __init__(self, root: Path = ROOT, **variables: str) -> None:
        """`variables` are additional environment variables for the processes."""
        # Without bytecode, each start would compile our modules, but not those of pip packages.
        own = {key: each for key, each in os.environ.items() if key != 'PYTHONDONTWRITEBYTECODE'}
        folder = root / FOLDER.name
        first = {'PYTHONPATH': (folder / 'guard', root), 'AMENT_PREFIX_PATH': (folder,)}
        paths = {
            name: os.pathsep.join(map(str, filter(None, (*folders, own.get(name)))))
            for name, folders in first.items()
        }
        self._root = root
        self._environment = {**own, **paths, **variables}

    def run(self, *words: str, timeout_s: float) -> str:
        """Runs a module in its own ROS domains, and returns its output.

        Sends SIGINT after `timeout_s` or on an interrupt, and gives the module time to clean up.
        Raises RowFailedError if the module fails.
        """
        with free_domains(2) as (first, second):
            process = subprocess.Popen(
                [*ENDING_WITH_US, sys.executable, '-m', *words], text=True,
                cwd=self._root, env={**self._environment, 'ROS_DOMAIN_ID': first, SECOND: second},
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            )  # fmt: skip
            try:
                output, errors = process.communicate(timeout=timeout_s)
            except subprocess.TimeoutExpired:
                raise RowFailedError(f'did not finish within {timeout_s:.0f} s') from None
            finally:
                if process.poll() is None:
                    process.send_signal(signal.SIGINT)
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(_END_S)
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            if process.returncode:
                sys.stderr.write(errors)
                lines = errors.strip().splitlines() or [f'exit code {process.returncode}']
                raise RowFailedError(lines[-1])
        return output


@contextmanager
def tree_of(commit: str) -> Iterator[Tree]:
    """Creates a checkout of a commit, with the current benchmarks and a separate cache.

    Raises UnknownCommitError if git has no such commit.
    """
    (ROOT / 'build').mkdir(exist_ok=True)
    with TemporaryDirectory(dir=ROOT / 'build', prefix='bench-') as name:
        root, archive = Path(name) / 'checkout', Path(name) / 'commit.tar'
        packed = subprocess.run(
            ['git', 'archive', f'--output={archive}', commit],
            cwd=ROOT, capture_output=True, text=True,
        )  # fmt: skip
        if packed.returncode:
            raise UnknownCommitError(packed.stderr.strip())
        shutil.unpack_archive(archive, root)
        shutil.rmtree(root / FOLDER.name, ignore_errors=True)
        shutil.copytree(FOLDER, root / FOLDER.name)
        yield Tree(root, MUJOCO_ROS_PY_CACHE_DIR=str(Path(name) / 'cache'))
