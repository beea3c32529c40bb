"""Recordings are tested where the libraries of the extra `recording` are installed."""

import pytest

pytest.importorskip('mcap', reason='the extra `recording` is not installed')
