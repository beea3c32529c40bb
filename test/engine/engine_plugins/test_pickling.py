"""A physics with engine plugins continues unchanged in another process."""

from __future__ import annotations

import copy
import importlib
import multiprocessing
import pickle
import re
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py import mjcf

pytestmark = pytest.mark.slow

MODEL = """
<mujoco>
  <option integrator="{integrator}"/>
  <extension><plugin plugin="{plugin}"/></extension>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="hand" mocap="true" pos="0 0 3"><geom size="0.05"/></body>
    <body name="arm" pos="0 0 0.3">
      <joint name="hinge" axis="0 1 0"/><geom type="capsule" size="0.1 0.3"/>
      <body pos="0.5 0 0"><joint type="ball"/><geom size="0.1"/><site name="tip"/></body>
    </body>
    <body pos="1 1 0.09"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
  <actuator>
    <plugin joint="hinge" plugin="{plugin}" {settings}</plugin>
  </actuator>
  <sensor>
    <accelerometer site="tip"/><subtreelinvel body="arm"/><touch site="tip"/>
  </sensor>
</mujoco>
"""
UNUSED = re.compile(r'plugin_data|efc_\w+_(colind|rownnz|rowadr|rowsuper)')
"""Addresses, and arrays that MuJoCo only writes if its matrices are sparse."""
GAINS = '<config key="kp" value="40"/><config key="ki" value="5"/><config key="kd" value="1"/>'
PLUGINS = {
    'mujoco.pid': f'actdim="1">{GAINS}',
    'mujoco_ros_py.pid': f'actdim="1">{GAINS}',
    'spawned.leaky': '>',
}
MODULE = """
import multiprocessing
from mujoco_ros_py.engine.engine_plugins import Capability, EnginePlugin, register
from mujoco_ros_py.engine.engine_plugins.shipped.pid import Pid


class Leaky(EnginePlugin):
    name = 'spawned.leaky'
    capabilities = Capability.ACTUATOR

    @classmethod
    def state_size(cls, config, instance):
        return 1

    @classmethod
    def parameters(cls, config, instance):
        return dict(state=int(instance.model.plugin_stateadr[instance.id]))

    @staticmethod
    def compute_actuator(p, model, data):
        data.actuator_force[0] = data.plugin_state[p.state]

    @staticmethod
    def advance(p, model, data):
        data.plugin_state[p.state] += 0.1 * (data.ctrl[0] - data.plugin_state[p.state])


plugins = [Leaky, Pid]
for plugin in plugins if multiprocessing.parent_process() is None else reversed(plugins):
    register(plugin)  # so they have other numbers in another process


def go_on(physics):
    physics.step(50)
    return physics
"""


@pytest.fixture(scope='module')
def spawned(tmp_path_factory):
    """A module that registers plugins, in this process and in processes that import it."""
    folder = tmp_path_factory.mktemp('site')
    (folder / 'spawned.py').write_text(MODULE)
    sys.path.insert(0, str(folder))
    yield importlib.import_module('spawned')
    sys.path.remove(str(folder))


def begin(plugin, integrator='Euler') -> mjcf.Physics:
    xml = MODEL.format(plugin=plugin, settings=PLUGINS[plugin], integrator=integrator)
    physics = mjcf.Physics.from_xml_string(xml)
    for _ in range(20):
        physics.set_control(0.3)
        physics.step()
    return physics


def arrays(physics) -> dict[str, bytes]:
    data = physics.data
    values = {name: getattr(data, name) for name in dir(data) if not UNUSED.fullmatch(name)}
    found = {k: v.tobytes() for k, v in values.items() if isinstance(v, np.ndarray)}
    return {**found, 'contacts': data.contact.pos.tobytes(), 'time': data.time}


def test_a_spawned_process_goes_on_to_the_bit(spawned):
    with ProcessPoolExecutor(1, multiprocessing.get_context('spawn')) as pool:
        for plugin in PLUGINS:
            physics = begin(plugin)
            there = pool.submit(spawned.go_on, physics).result(DEADLINE_S)
            assert physics.data.ncon
            here = spawned.go_on(physics)
            assert arrays(there) == arrays(here), plugin
            assert np.array_equal(spawned.go_on(there).data.qpos, spawned.go_on(here).data.qpos)


def pickled(physics):
    return pickle.loads(pickle.dumps(physics))


@pytest.mark.parametrize(
    ('make', 'integrator'),
    [
        (copy.copy, 'Euler'),
        (copy.deepcopy, 'implicit'),
        (pickled, 'implicitfast'),
        (pickled, 'RK4'),
    ],
)
def test_copies_have_all_of_it_and_go_on_to_the_bit(spawned, make, integrator):
    physics = begin('mujoco.pid', integrator)
    for _ in range(3):
        made = make(physics)
        assert made.is_dirty == physics.is_dirty
        assert made.is_dirty or arrays(made) == arrays(physics)
        physics.step(7)
        made.step(7)
        assert arrays(made) == arrays(physics)
        physics.data.qpos[0] += 0.1
        physics.mark_as_dirty()


def test_a_plugin_that_the_other_process_does_not_have_is_named(spawned):
    state = pickle.dumps(begin('spawned.leaky'))
    with ProcessPoolExecutor(1, multiprocessing.get_context('spawn')) as pool:
        future = pool.submit(pickle.loads, state)
        with pytest.raises(ValueError, match=r"'spawned\.leaky' of the model is not registered"):
            future.result(DEADLINE_S)
