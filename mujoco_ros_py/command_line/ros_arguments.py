"""Separates ROS arguments from a command's own, and finds misplaced ROS arguments."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

BEGIN, END = '--ros-args', '--'
_OPTIONS = (
    *('-p', '--param', '-r', '--remap', '--params-file', '-e', '--enclave'),
    *('--log-level', '--log-config-file'),
)
_ASSIGNMENT = re.compile(r'[\w./~*-]+:=')


def split_ros_arguments(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Returns the arguments of the command, and the ROS arguments including `--ros-args`."""
    words = list(argv)
    if BEGIN not in words:
        return words, []
    begin = words.index(BEGIN)
    behind = words[begin:]
    end = behind.index(END) if END in behind else len(behind)
    return [*words[:begin], *behind[end + 1 :]], behind[:end]


def is_assignment(word: str) -> bool:
    """Returns whether a word is `name:=value`, the ROS syntax of parameters and remappings."""
    return _ASSIGNMENT.match(word) is not None


def ros_hint(words: Sequence[str]) -> str:
    """Returns the command with the missing `--ros-args`; empty if no argument is for ROS."""
    for place, word in enumerate(words):
        if word in _OPTIONS or is_assignment(word):
            missing = [BEGIN] if word in _OPTIONS else [BEGIN, '-p']
            right = ['mujoco_ros_py', *words[:place], *missing, *words[place:]]
            return f'ROS arguments must follow {BEGIN}: {shlex.join(right)}'
    return ''
