"""The panel of the server in a real browser: plugins, plots and the log."""

import logging

import numpy as np
import pytest
from chromium import page_colors, press

from mujoco_ros_py.plugins import MujocoPlugin, Switchable

from .conftest import wait_until

pytestmark = pytest.mark.slow

SWING = """
<mujoco>
  <worldbody>
    <body><joint name="elbow" axis="0 1 0" damping="0.1"/><geom size="0.1" pos="0.4 0 0"/></body>
  </worldbody>
  <sensor><jointvel name="speed" joint="elbow"/></sensor>
</mujoco>"""


class Fails(MujocoPlugin):
    """Fails when a positive force is applied to the elbow."""

    def control_callback(self, model, data):
        if data.qfrc_applied[0] > 0.0:
            raise ValueError('the elbow is broken')


def colors(page, left, top, width, height):
    """The colours of a part of the page, from 0 to 1."""
    return page_colors(page, tuple(map(int, (left, top, left + width, top + height))))


def at_plugin(shown, page):
    """Returns the colours of the word on the page that shows the state of the plugin."""
    x, y = wait_until(lambda: shown.page['buttons'].get('plugin fails'))
    return colors(page, x - 25, y - 8, 50, 16)


def has(part, red, green):
    """Returns whether a pixel exceeds its mean colour by `red` in red or by `green` in green."""
    excess = part - part.mean(-1, keepdims=True)
    return (red > 0 and excess[..., 0].max() > red) or (green > 0 and excess[..., 1].max() > green)


def test_costs_lateness_joints_and_sensors_are_plotted_and_a_plugin_that_fails_turns_red(
    show, open_page
):
    shown = show(SWING, [Fails])
    page = open_page(shown.viewer.address, scale=1.0)
    wait_until(lambda: has(at_plugin(shown, page), 0, 0.2))
    assert not has(at_plugin(shown, page), 0.2, 0)
    shown.session.set_paused(False)

    def plot(group):
        return shown.page['plots'].get(group)

    def switch(group, opened):
        """Clicks on a title until the plot opens or closes: a click takes some frames."""

        def switched():
            if (plot(group) is not None) != opened:
                press(page, shown.page['buttons'][group])
                page.wait_for_timeout(1000)
            return (plot(group) is not None) == opened

        wait_until(switched)

    def lines(group):
        return wait_until(lambda: (plot(group) or {}).get('lines'))

    assert lines('Cost of callbacks')['fails: control'] > 0.0
    expected = {
        'Lateness of steps': ['median', '99 %', 'latest'],
        'Joints': ['elbow'],
        'Sensors': ['speed'],
    }
    for group, names in expected.items():
        switch(group, opened=True)
        assert list(lines(group)) == names
        switch(group, opened=False)

    def is_drawn():
        part = colors(page, *plot('Cost of callbacks')['place'])
        return np.ptp(part, axis=-1).max() > 0.2  # everything but the lines is grey

    wait_until(is_drawn)

    logging.getLogger('mujoco_ros_py').warning('the test goes on')
    shown.session.call(lambda model, data: data.qfrc_applied.__setitem__(0, 1.0))
    wait_until(lambda: has(at_plugin(shown, page), 0.2, 0))
    status = shown.page['status']
    (plugin,) = status['plugins']
    assert plugin['state'] == 'failed'
    assert 'the elbow is broken' in plugin['reason']
    assert ['WARNING', 'the test goes on'] in status['log']
    assert any('the elbow is broken' in text for _, text in status['log'])


class Lamps(MujocoPlugin, Switchable):
    """Has two lamps."""

    def load(self, model, data):
        self.lamps = {'left': False, 'right': True}

    def switches(self):
        return self.lamps

    def switch(self, name, on):
        self.lamps[name] = on


def test_parts_of_a_plugin_are_switched_by_ticking_their_boxes(show, open_page):
    shown = show(SWING, [Lamps])
    page = open_page(shown.viewer.address, scale=1.0)
    wait_until(lambda: shown.page['status'].get('plugins'))
    assert shown.page['status']['plugins'][0]['switches'] == {'left': False, 'right': True}
    lamps = shown.session.plugins['lamps'].lamps

    def is_on():
        if not lamps['left']:
            press(page, shown.page['buttons']['lamps left'])
            page.wait_for_timeout(1000)
        return lamps['left']

    wait_until(is_on)
    assert lamps['right']
    wait_until(lambda: shown.page['status']['plugins'][0]['switches']['left'])
