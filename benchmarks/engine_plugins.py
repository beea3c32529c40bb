"""The time of steps with an engine plugin, relative to the same model with another plugin."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from itertools import cycle, pairwise
from pathlib import Path

import mujoco
import numpy as np

from mujoco_ros_py.engine.engine_plugins import register
from mujoco_ros_py.engine.engine_plugins.shipped.cable import Cable, ElasticityCable
from mujoco_ros_py.engine.engine_plugins.shipped.neural_network import NeuralNetwork
from mujoco_ros_py.engine.engine_plugins.shipped.pid import Pid
from mujoco_ros_py.engine.engine_plugins.shipped.torus import Torus
from mujoco_ros_py.engine.engine_plugins.shipped.touch_grid import TouchGrid

from .rounds import LeftOutError, Rounds

_BLOCK_S = 0.05
"""The approximate duration of a block of steps in s."""
_DATA = 12
"""The number of MjData used in turn for each model, because their memory address changes times by
2 %."""


def measure_touch_grid() -> Rounds:
    """Compares touch_grid with the C++ original, on many sensors of a box among balls."""
    register(TouchGrid)
    return _compare(_tactile(TouchGrid.name), _tactile('mujoco.sensor.touch_grid'))


def measure_neural_network() -> Rounds:
    """Compares one instance for all motors of a humanoid with one instance per motor."""
    register(NeuralNetwork)
    with tempfile.TemporaryDirectory() as folder:
        file = _trained(Path(folder), 6, 32, 32, 32, 1)  # as in Hwangbo et al. 2019
        all_in_one, one_each, bare = (_learned(file, 30, count) for count in (1, 30, 0))
        yield from _compare(all_in_one, one_each, bare)


def measure_pid() -> Rounds:
    """Compares pid with the C++ original, on twenty pendulums with a controller each.

    Registers pid under a name as long as the original's. MuJoCo compares whole names whenever it
    looks up a plugin, so the seven extra letters of `mujoco_ros_py.pid` would cost 4 to 6 %.
    """
    register(ShortPid)
    return _compare(_controlled(ShortPid.name), _controlled('mujoco.pid'))


class ShortPid(Pid):
    """The pid controller under a name of ten letters."""

    name = 'python.pid'


def measure_shape() -> Rounds:
    """Compares a shape with the C++ original, on rings that fall onto each other."""
    register(Torus)
    return _compare(_rings(Torus.name), _rings('mujoco.sdf.torus'))


def measure_cable() -> Rounds:
    """Compares cable with the C++ original of MuJoCo 3, on a hanging cable of 40 bodies."""
    if int(mujoco.__version__.partition('.')[0]) >= 4:
        raise LeftOutError(f'MuJoCo {mujoco.__version__} has no cable; MuJoCo 4.0 removed it')
    register(Cable)
    theirs = _hanging(ElasticityCable.name)
    return _compare(theirs.replace(ElasticityCable.name, Cable.name), theirs)


def _compare(ours: str, theirs: str, bare: str = '') -> Rounds:
    """Compares blocks of equally many steps of both models in turn.

    With `bare`, a model without the plugin, subtracts the time of its steps from both.
    """
    models = [mujoco.MjModel.from_xml_string(xml) for xml in (ours, theirs, bare) if xml]
    runs = [[_steps(model) for model in models] for _ in range(_DATA)]
    steps = max(1, round(_BLOCK_S * 10 / runs[0][1](10)))
    for each in cycle(runs):
        our, their, *rest = (run(steps) / steps for run in each)
        yield our - sum(rest), their - sum(rest)


def _steps(model: mujoco.MjModel) -> Callable[[int], float]:
    """Returns a function that measures the CPU time (s) of this thread for a block of steps."""
    data = mujoco.MjData(model)

    def run(count: int) -> float:
        mujoco.mj_resetData(model, data)
        data.ctrl[:] = 0.5
        start = time.thread_time()
        mujoco.mj_step(model, data, count)
        return time.thread_time() - start

    return run


def _controlled(plugin: str, joints: int = 20) -> str:
    values = {'kp': 40, 'ki': 20, 'kd': 2, 'imax': 1, 'slewmax': 2}
    config = ''.join(f'<config key="{key}" value="{value}"/>' for key, value in values.items())
    bodies = ''.join(
        f'<body pos="{j} 0 0"><joint name="j{j}" axis="0 1 0" damping="0.1"/>'
        '<geom size="0.1" pos="0.3 0 0" contype="0" conaffinity="0"/></body>'
        for j in range(joints)
    )
    actuators = ''.join(
        f'<plugin joint="j{j}" plugin="{plugin}" actdim="2">{config}</plugin>'
        for j in range(joints)
    )
    return f"""
        <mujoco>
          <extension><plugin plugin="{plugin}"/></extension>
          <worldbody>{bodies}</worldbody>
          <actuator>{actuators}</actuator>
        </mujoco>
    """


def _rings(plugin: str, count: int = 4) -> str:
    bodies = ''.join(
        f'<body pos="{0.2 * k} {0.1 * k} {0.6 + 0.5 * k}" euler="20 {30 * k} 0"><freejoint/>'
        '<geom type="sdf" mesh="ring"><plugin instance="ring"/></geom></body>'
        for k in range(count)
    )
    return f"""
        <mujoco>
          <option sdf_iterations="10" sdf_initpoints="40"/>
          <extension><plugin plugin="{plugin}"><instance name="ring"/></plugin></extension>
          <asset><mesh name="ring"><plugin instance="ring"/></mesh></asset>
          <worldbody>
            <geom type="plane" size="2 2 1"/><geom size="0.2" pos="0.1 0 0.2"/>{bodies}
          </worldbody>
        </mujoco>
    """


def _hanging(plugin: str) -> str:
    """Returns the model with its bodies written out, because composites allow no other plugin."""
    spec = mujoco.MjSpec.from_string(f"""
        <mujoco>
          <extension><plugin plugin="{plugin}"/></extension>
          <default><geom contype="0" conaffinity="0"/></default>
          <worldbody>
            <composite type="cable" curve="s" count="41 1 1" size="1" initial="none" prefix="c">
              <plugin plugin="{plugin}">
                <config key="twist" value="1e7"/><config key="bend" value="4e6"/>
              </plugin>
              <joint kind="main" damping="0.01"/><geom type="capsule" size="0.01"/>
            </composite>
          </worldbody>
        </mujoco>
    """)
    spec.compile()
    return str(spec.to_xml())


def _tactile(plugin: str, sensors: int = 100) -> str:
    balls = ''.join(
        f'<body pos="{0.1 * x} {0.1 * y} 0.35"><joint type="slide" axis="0 0 1" damping="1"/>'
        '<geom size="0.04" condim="3"/></body>'
        for x in (-1, 0, 1)
        for y in (-1, 0, 1)
    )
    config = ''.join(
        f'<config key="{key}" value="{value}"/>'
        for key, value in {'nchannel': 3, 'size': '7 7', 'fov': '80 80', 'gamma': 0.5}.items()
    )
    grid = f'<plugin plugin="{plugin}" objtype="site" objname="skin">{config}</plugin>'
    return f"""
        <mujoco>
          <extension><plugin plugin="{plugin}"/></extension>
          <worldbody>
            <body>
              <geom type="box" size="0.2 0.2 0.3"/><site name="skin" euler="180 0 0"/>
            </body>
            {balls}
          </worldbody>
          <sensor>{grid * sensors}</sensor>
        </mujoco>
    """


def _trained(folder: Path, *widths: int) -> Path:
    random = np.random.default_rng(0)
    arrays = {}
    for k, (inputs, outputs) in enumerate(pairwise(widths)):
        arrays[f'{2 * k}.weight'] = random.normal(size=(outputs, inputs)) / np.sqrt(inputs)
        arrays[f'{2 * k}.bias'] = random.normal(size=outputs) / 10
    np.savez(folder / 'network.npz', **arrays)
    return folder / 'network.npz'


def _learned(file: Path, motors: int, instances: int) -> str:
    """Returns a model of motors on one joint; plain motors if `instances` is 0."""
    joint = '<worldbody><body><joint name="j" damping="1"/><geom size="0.1"/></body></worldbody>'
    if not instances:
        motor = '<motor joint="j"/>'
        return f'<mujoco>{joint}<actuator>{motor * motors}</actuator></mujoco>'
    each = motors // instances
    values = {'file': file, 'history': 2, 'interval': 4}
    config = ''.join(f'<config key="{key}" value="{value}"/>' for key, value in values.items())
    named = ''.join(f'<instance name="n{k}">{config}</instance>' for k in range(instances))
    actuators = ''.join(f'<plugin joint="j" instance="n{m // each}"/>' for m in range(motors))
    return f"""
        <mujoco>
          <extension><plugin plugin="{NeuralNetwork.name}">{named}</plugin></extension>
          {joint}
          <actuator>{actuators}</actuator>
        </mujoco>
    """
