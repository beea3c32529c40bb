"""The public names that a plugin can reach; adding a name here is a deliberate decision.

Objects that only the server may use (owners of callbacks, scheduled times) are not among them. A
plugin must not depend on these objects, or end another plugin with them.
"""

from __future__ import annotations

import mujoco
import pytest

from mujoco_ros_py.config import PluginConfig
from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.plugins.host import AbsentParts, PluginHost
from mujoco_ros_py.plugins.host.environment import Rendering
from mujoco_ros_py.simulation import SavedState, Snapshot
from mujoco_ros_py.simulation.rendering import Frame, FreeCamera, Stream, View

GIVEN = {
    'plugin': 'after_load config control_callback environment last_stage_callback load name node'
    ' passive_callback render_callback reset ros state unload',
    'environment': 'body_frame emergency_stop follow frame namespace noise_secret'
    ' plugin plugins prefix protected rendering ros simulation submit urdf',
    'simulation': 'costs_ns epoch lateness_meter passive_forces paused realtime reset restore'
    ' ros_offset ros_time save set_paused set_realtime status step time',
    'lateness meter': 'measure',
    'status': 'failure latest_warning loads paused pending_steps realtime resets steps time'
    ' timestep warnings',
    'saved state': 'integration model plugins time',
    'follower': 'close closed',
    'painter': '',
    'snapshot': 'begin data epoch model ros_offset ros_time sensors steps time update',
    'rendering': 'close_view open painters',
    'view': 'camera deliver draw_again height rate_hz wanted width',
    'frame': 'data depth labels rgb ros_time',
    'free camera': 'body fovy intrinsics look_at name orientation orthographic place pose'
    ' position',
}


class Draws(MujocoPlugin):
    """Has a render callback, which is a painter for others."""

    def render_callback(self, model, data, scene):
        """Draws nothing."""


def public(thing: object) -> set[str]:
    return {name for name in dir(thing) if not name.startswith('_')}


@pytest.fixture
def given(parts) -> dict[str, object]:
    """An instance of each object that a plugin receives, by its name in this test."""
    model = mujoco.MjModel.from_xml_string('<mujoco/>')
    data = mujoco.MjData(model)
    config = PluginConfig(name='draws', type='Draws', config={})
    host = PluginHost([config], parts, classes={'Draws': Draws})
    host.instantiate()
    host.load(model, data)
    host.after_load(model, data)
    (hosted,) = host.plugins
    environment = hosted.plugin.environment
    nobody = {'wanted': lambda: Stream(0), 'deliver': lambda frame: None}
    return {
        'plugin': hosted.plugin,
        'environment': environment,
        'simulation': environment.simulation,
        'lateness meter': environment.simulation.lateness_meter(),
        'status': environment.simulation.status(),
        'saved state': SavedState,
        'follower': environment.follow(1.0, lambda snapshot: None),
        'painter': environment.rendering.painters[0],
        'snapshot': Snapshot(model, data, 0, 0),
        'rendering': Rendering(None, hosted.owner, AbsentParts()),
        'view': View(camera=0, width=1, height=1, rate_hz=1.0, **nobody),
        'frame': Frame(data),
        'free camera': FreeCamera(),
    }


@pytest.mark.parametrize('what', GIVEN)
def test_a_plugin_is_given_these_names_and_no_others(given, what):
    assert public(given[what]) == set(GIVEN[what].split())


def test_each_thing_that_is_given_is_listed(given):
    assert given.keys() == GIVEN.keys()
