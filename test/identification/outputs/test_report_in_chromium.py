"""The report in a real browser."""

from __future__ import annotations

import pytest

from mujoco_ros_py.identification.outputs.report import report_text

from .fitted import unclear

_WIDTHS = """[...document.querySelectorAll('.plotly-graph-div')].map(each =>
  [each.querySelector('.main-svg').clientWidth, each.closest('.plots').clientWidth])"""


@pytest.mark.slow
def test_a_browser_draws_all_plots_without_errors_or_requests(open_page, tmp_path):
    (tmp_path / 'report.html').write_text(report_text(unclear(), 'arm.xml'))
    page = open_page('about:blank', 1.0)
    faults, requests = [], []
    page.on('pageerror', lambda error: faults.append(str(error)))
    page.on('request', lambda request: requests.append(request.url))
    page.goto((tmp_path / 'report.html').as_uri())
    page.locator('details').nth(1).locator('summary').click()
    page.wait_for_function("document.querySelectorAll('.main-svg').length >= 8")
    widths = page.evaluate(_WIDTHS)
    assert len(widths) == 4
    assert all(0 < plot <= room for plot, room in widths)
    assert 'elbow.<b>friction' in page.locator('table').nth(1).inner_text()
    assert faults == []
    assert len(requests) == 1
