"""A table for each range of MuJoCo versions, written by `generate`; never edit one by hand."""

from pathlib import Path

TABLES = Path(__file__).parent


def version_of(text: str) -> tuple[int, int]:
    """Major and minor number of a version such as `4.0.0`."""
    major, minor = text.split('.')[:2]
    return int(major), int(minor)


def version_written(text: str) -> str:
    """The MuJoCo that a table's first line names."""
    return text.partition('\n')[0].rpartition(' ')[2]


def table_for(version: tuple[int, int]) -> Path:
    """The newest table that is not newer than the version, else the oldest."""
    paths = _paths()
    return paths[max((known for known in paths if known <= version), default=min(paths))]


def newest_table() -> Path:
    """The table of the newest version."""
    return max(_paths().items())[1]


def _paths() -> dict[tuple[int, int], Path]:
    return {_version_of_name(path.stem): path for path in TABLES.glob('mujoco_*.txt')}


def _version_of_name(stem: str) -> tuple[int, int]:
    return version_of(stem.removeprefix('mujoco_').replace('_', '.'))
