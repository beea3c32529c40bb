"""What the mixins do unless a plugin overrides them."""

from __future__ import annotations

from mujoco_ros_py.plugins import MujocoPlugin, Savable, new_state


class Saver(MujocoPlugin, Savable):
    """Saves its state."""


def test_a_state_that_a_plugin_got_or_lost_after_the_saving_stays_as_it_is():
    plugin = Saver({}, None, None)
    plugin.restore(new_state(count=1))
    assert plugin.state is None

    plugin.state = new_state(count=2)
    plugin.restore(None)
    assert plugin.state.count == 2
