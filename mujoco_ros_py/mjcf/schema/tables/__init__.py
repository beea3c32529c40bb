"""A table for each range of MuJoCo versions, written by `generate`; never edit one by hand."""

from pathlib import Path

TABLES = Path(__file__).parent


def version_of(text: str) -> tuple[int, int]:
    """Major and minor number of a version such as `4.0.0`."""
    major, minor = text.split('.')[:2]
    return int(major), int(minor)


def table_for(version: tuple[int, int]) -> Path:
    """The newest table that is not newer than the version, else the oldest."""
    tables = {version_of(path.stem[len('mujoco_') :].replace('_', '.')): path for path in TABLES.glob('mujoco_*.txt')}
    return tables[max((v for v in tables if v <= version), default=min(tables))]
