"""Makes property tests try few examples; the nightly tier runs them again with many more.

--hypothesis-profile=long tries still more.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

FOLDER = Path(__file__).parent
COMMON = {
    'deadline': None,
    'database': None,
    'suppress_health_check': [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile('few', derandomize=True, max_examples=100, **COMMON)
settings.register_profile('nightly', max_examples=2_000, print_blob=True, **COMMON)
settings.register_profile('long', max_examples=20_000, **COMMON)


def pytest_configure(config: pytest.Config) -> None:
    """Chooses the number of examples before the tests of this folder are imported."""
    settings.load_profile('nightly' if config.getoption('tier') == 'nightly' else 'few')


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Adds the files with property tests to the nightly tier."""
    if config.getoption('tier') == 'nightly':
        for item in items:
            if FOLDER in item.path.parents and 'hypothesis' in item.path.read_text():
                item.add_marker('nightly')
