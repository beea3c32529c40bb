"""Has the tests that look at a screen run one after the other, whatever runs beside them.

Without a GPU, a browser or a window draws with all the cores that it gets. Where three workers
have one each, the pages need minutes for what takes a second otherwise.
"""

from __future__ import annotations

from typing import Any

from xdist.scheduler import LoadFileScheduling

FILES = {
    'test/docs/test_pictures.py',
    'test/identification/outputs/test_report_in_chromium.py',
    'test/recording/playback/test_viewer_replay.py',
    'test/system/test_viewer.py',
    'test/system/test_window.py',
    'test/viewer/test_faulty_browsers.py',
    'test/viewer/test_faulty_worlds.py',
    'test/viewer/test_in_chromium.py',
    'test/viewer/test_panel.py',
    'test/viewer/test_picture.py',
    'test/viewer/test_window.py',
}


class OneScreen(LoadFileScheduling):
    """Gives one worker all files of tests with a screen, and each other file to any worker."""

    def _split_scope(self, nodeid: str) -> Any:
        file = super()._split_scope(nodeid)
        return 'screen' if file in FILES else file
