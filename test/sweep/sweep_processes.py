"""Starts sweeps as processes, and finds their child processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def started(folder: Path, *words: str, command: str = 'sweep') -> subprocess.Popen[str]:
    """Starts `mujoco_ros_py sweep`, or another command, in a folder."""
    return python(folder, '-m', 'mujoco_ros_py', command, *words)


def python(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Starts Python in a folder, in a session of its own."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get('PYTHONPATH')])])
    return subprocess.Popen(
        [sys.executable, *words], cwd=folder,
        env={**os.environ, 'PYTHONPATH': path}, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def run(command: str, folder: Path, *words: str) -> tuple[int, str]:
    """Runs a command, and returns the exit status and the output."""
    process = started(folder, *words, command=command)
    printed, _ = process.communicate()
    return process.returncode, printed


def swept(folder: Path, *words: str) -> tuple[int, str]:
    """Makes a sweep, and returns the exit status and the output."""
    return run('sweep', folder, *words)


def outcomes(folder: Path) -> list[dict[str, Any]]:
    """Returns the outcomes in a sweep folder, in the order of their completion."""
    path = folder / 'outcomes.jsonl'
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith('\n')]


def results(folder: Path) -> list[tuple[Any, ...]]:
    """Returns the parts of outcomes that are equal in equal sweeps, in the order of the runs."""
    names = 'number', 'verdict', 'values', 'measures', 'time_s', 'state'
    rows = sorted(outcomes(folder), key=lambda each: each['number'])
    return [tuple(each[name] for name in names) for each in rows]


def descendants(pid: int) -> dict[int, str]:
    """Returns the commands of all processes below a process, by their numbers."""
    children: dict[int, list[int]] = {}
    for entry in Path('/proc').glob('[0-9]*'):
        try:
            parent = int((entry / 'stat').read_text().rpartition(')')[2].split()[1])
        except (OSError, IndexError):
            continue
        children.setdefault(parent, []).append(int(entry.name))
    found: dict[int, str] = {}
    waiting = list(children.get(pid, []))
    while waiting:
        each = waiting.pop()
        found[each] = command_of(each)
        waiting += children.get(each, [])
    return found


def command_of(pid: int) -> str:
    """Returns the command of a process; empty if it has ended."""
    try:
        return Path(f'/proc/{pid}/cmdline').read_bytes().replace(b'\0', b' ').decode().strip()
    except OSError:
        return ''


def folder_of(pid: int) -> Path | None:
    """Returns the temporary folder of a run or server into which a process writes its output."""
    try:
        folder = Path(os.readlink(f'/proc/{pid}/fd/1')).parent
    except OSError:
        return None
    return folder if folder.name.startswith('mujoco_ros_py_') else None
