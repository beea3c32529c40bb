"""The tables of MJCF for ranges of MuJoCo versions. `generate` writes them; do not edit them."""

from pathlib import Path

TABLES = Path(__file__).parent


def version_of(text: str) -> tuple[int, int]:
    """Returns the major and minor number of a version such as `4.0.0`."""
    major, minor = text.split('.')[:2]
    return int(major), int(minor)


def version_written(text: str) -> str:
    """Returns the MuJoCo version in the first line of a table."""
    return text.partition('\n')[0].rpartition(' ')[2]


def table_for(version: tuple[int, int]) -> Path:
    """Returns the newest table up to this version, or else the oldest table."""
    paths = _paths()
    return paths[max((known for known in paths if known <= version), default=min(paths))]


def newest_table() -> Path:
    """Returns the table of the newest version."""
    return max(_paths().items())[1]


def _paths() -> dict[tuple[int, int], Path]:
    return {_version_of_name(path.stem): path for path in TABLES.glob('mujoco_*.txt')}


def _version_of_name(stem: str) -> tuple[int, int]:
    return version_of(stem.removeprefix('mujoco_').replace('_', '.'))
