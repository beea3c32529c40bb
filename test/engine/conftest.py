"""Fixtures with a model that contains elements of all kinds, so that few arrays are empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import mujoco
import pytest

from mujoco_ros_py.engine import CallbackTable, Loop, Outcome

EVERYTHING = """
<mujoco model="everything">
  <option timestep="0.003" gravity="0.5 -0.25 -9.5" density="2" solver="PGS" jacobian="dense"/>
  <statistic center="1 2 3" extent="4" meansize="0.5"/>
  <visual><global fovy="33" offwidth="777"/><map znear="0.02"/></visual>
  <size nuserdata="5" nuser_body="2" nuser_geom="1" nuser_jnt="2" nuser_sensor="1"/>
  <custom>
    <numeric name="numbers" data="1 2 3"/><text name="text" data="words"/>
    <tuple name="tuple"><element objtype="body" objname="ball"/></tuple>
  </custom>
  <asset>
    <texture name="checker" type="2d" builtin="checker" width="8" height="8"/>
    <material name="paint" texture="checker"/>
    <mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <hfield name="hills" nrow="3" ncol="3" size="1 1 1 0.1" elevation="0 1 0 1 2 1 0 1 0"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/><camera name="eye" pos="0 -3 1"/>
    <geom name="floor" type="plane" size="5 5 0.1" material="paint"/>
    <geom type="hfield" hfield="hills" pos="20 0 0"/>
    <body name="marker" mocap="true" pos="0 0 2"/>
    <body name="ball" pos="0 0 0.09"><freejoint/><geom name="sphere" size="0.1"/></body>
    <body name="arm" pos="1 0 1" user="7 8">
      <joint name="socket" type="ball"/>
      <geom type="mesh" mesh="tetra" user="3"/><site name="tip" pos="0 0 0.3"/>
      <body name="lower" pos="0 0 0.4">
        <joint name="elbow" axis="0 1 0" range="-1 1" limited="true" frictionloss="0.1"/>
        <geom name="bone" type="capsule" size="0.05 0.2"/><site name="end" pos="0 0 0.2"/>
        <body name="slider" pos="0 0 0.3">
          <joint name="rail" type="slide" armature="0.1"/><geom size="0.05"/>
        </body>
      </body>
    </body>
  </worldbody>
  <contact>
    <exclude body1="ball" body2="arm"/><pair geom1="sphere" geom2="bone" friction="1 1 0.1 0 0"/>
  </contact>
  <tendon>
    <spatial name="cord"><site site="tip"/><site site="end"/></spatial>
    <fixed name="mix"><joint joint="elbow" coef="1"/><joint joint="rail" coef="2"/></fixed>
  </tendon>
  <equality><joint joint1="elbow" joint2="rail"/></equality>
  <actuator>
    <motor name="turn" joint="elbow" gear="3"/><position tendon="mix" kp="5"/>
    <general name="filtered" joint="rail" dyntype="filter" dynprm="0.1"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="elbow"/><framequat name="pose" objtype="site" objname="end"/>
  </sensor>
  <keyframe><key name="start" time="0.5"/></keyframe>
</mujoco>
"""


@pytest.fixture(scope='session')
def model() -> mujoco.MjModel:
    """Returns the model; tests must not change it."""
    return mujoco.MjModel.from_xml_string(EVERYTHING)


@pytest.fixture
def data(model: mujoco.MjModel) -> mujoco.MjData:
    """Returns data of the model after some steps, with contacts and constraints."""
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.1, 0.2, 0.3
    mujoco.mj_step(model, data, 5)
    return data


@pytest.fixture
def scratch() -> mujoco.MjModel:
    """Returns a copy of the model, for tests that change it."""
    return mujoco.MjModel.from_xml_string(EVERYTHING)


@pytest.fixture
def run() -> Iterator[Callable[..., Loop]]:
    """Returns `run(model, data, table, steps=n)`, which creates a loop and makes n steps."""
    loops: list[Loop] = []

    def start(
        model: mujoco.MjModel,
        data: mujoco.MjData | None = None,
        table: CallbackTable | None = None,
        *,
        steps: int = 1,
    ) -> Loop:
        loop = Loop()
        loops.append(loop)
        loop.adopt(model, mujoco.MjData(model) if data is None else data)
        loop.use(table or CallbackTable())
        if steps:
            advance(loop, steps)
        return loop

    yield start
    for loop in loops:
        loop.release()


def advance(loop: Loop, steps: int = 1) -> None:
    """Makes steps on the calling thread; the loop may return to report a time jump."""
    loop.record.paused, loop.record.burst = 1, steps
    while loop.record.burst:
        outcome = loop.run()
        assert outcome is Outcome.STEPPED or (outcome is Outcome.NOTICE and loop.take_jump())


@pytest.fixture(name='advance')
def _advance() -> Callable[..., None]:
    return advance
