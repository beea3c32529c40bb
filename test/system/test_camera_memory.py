"""What an image takes of memory, it takes once; where the renderer draws in its own thread."""

from __future__ import annotations

from pathlib import Path

import pytest

from .cameras import configs, images, wait_for_more

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]
HUMANOID = Path(__file__).parents[2] / 'benchmarks' / 'humanoid.xml'
IMAGES = 10
MOST_FAULTS = 100
"""For each image; one whose memory came anew had 900 of them."""


def page_faults(pid: int) -> int:
    """How often the process has been given a page of memory."""
    return int(Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[7])


def test_images_after_the_first_take_no_new_memory(start):
    config = {'stream_type': 1, 'frequency': 100.0, 'width': 640, 'height': 480}
    process, client = start(
        {'modelfile': str(HUMANOID), **configs(side=config)}, LP_NUM_THREADS='0'
    )
    came = images(client, '/cameras/side/rgb')
    wait_for_more(came, IMAGES, process)
    before, count = page_faults(process.pid), len(came)
    wait_for_more(came, IMAGES, process)
    faults = page_faults(process.pid) - before
    assert faults < MOST_FAULTS * (len(came) - count)
