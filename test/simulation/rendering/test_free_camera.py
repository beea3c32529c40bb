"""Free cameras show the same image as a camera of the model at their pose."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import RenderingError
from mujoco_ros_py.simulation.rendering import FreeCamera, Stream, intrinsics

SIZE = 64, 48
EVERYTHING = Stream.RGB | Stream.DEPTH | Stream.SEGMENTED
WORLD = """
<mujoco>
  <worldbody>
    <light pos="0 -1 3"/>
    <geom type="plane" size="3 3 0.1" rgba="0.4 0.6 0.4 1"/>
    <body name="arm" pos="0.3 0 0.5" euler="10 20 30">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="box" size="0.2 0.1 0.05" rgba="1 0.5 0 1"/>
      <camera name="hand" pos="0.1 0.2 0.6" quat="0.9 0.3 0.1 0.2" fovy="70"/>
    </body>
    <camera name="side" pos="0 -2 1" xyaxes="1 0 0 0 0.4 1" fovy="40"/>
    <camera name="plan" pos="0 0 3" fovy="2.5" {flat}/>
  </worldbody>
</mujoco>
"""
FLAT = (
    'projection="orthographic"'
    if hasattr(mujoco.MjModel, 'cam_projection')
    else ('orthographic="true"')
)


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(WORLD.format(flat=FLAT))


def twin(model: mujoco.MjModel, name: str) -> FreeCamera:
    """A free camera with the place of one of the model."""
    camera = model.camera(name)
    return FreeCamera(
        name=name,
        body=int(camera.bodyid[0]),
        position=camera.pos.copy(),
        orientation=camera.quat.copy(),
        fovy=float(camera.fovy[0]),
        orthographic=name == 'plan',
    )


@pytest.mark.parametrize('name', ['hand', 'side', 'plan'])
def test_its_images_are_those_of_a_camera_of_the_model_at_its_pose(model, renderer, name):
    data = mujoco.MjData(model)
    data.qpos[0] = 0.7
    mujoco.mj_forward(model, data)
    drawn = renderer(model, SIZE)

    def images(camera):
        frame = drawn.draw(data, camera, SIZE, EVERYTHING)
        return [frame.rgb.copy(), frame.depth.copy(), frame.labels.copy()]

    free, own = images(twin(model, name)), images(model.camera(name).id)
    assert len(np.unique(own[0].reshape(-1, 3), axis=0)) > 5
    differing = np.mean(np.any(free[0] != own[0], axis=-1))
    assert differing < 0.02, 'single pixels on edges may differ'
    near = np.isfinite(own[1]) & np.isfinite(free[1])
    assert np.median(np.abs(free[1][near] - own[1][near])) < 1e-5
    assert np.mean(free[2] != own[2]) < 0.02


@pytest.mark.parametrize('name', ['hand', 'side', 'plan'])
def test_its_intrinsics_are_those_of_a_camera_of_the_model(model, name):
    mine = twin(model, name).intrinsics(*SIZE)
    assert mine.tolist() == intrinsics(model, model.camera(name).id, *SIZE).tolist()


def test_it_looks_at_a_point_with_up_upwards(model):
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    camera = FreeCamera(position=np.array([1.0, 2.0, 3.0]))
    camera.look_at([1.0, 0.0, 3.0])
    position, axes = camera.pose(data)
    assert position.tolist() == [1, 2, 3]
    assert np.allclose(-axes[:, 2], [0, -1, 0])
    assert np.allclose(axes[:, 1], [0, 0, 1])
    assert np.allclose(axes[:, 0], [-1, 0, 0])
    for target in ([1.0, 2.0, 3.0], [1.0, 2.0, 9.0]):
        with pytest.raises(RenderingError, match='free: cannot look from'):
            camera.look_at(target)


def test_it_moves_with_its_body(model):
    camera, data = twin(model, 'hand'), mujoco.MjData(model)
    for angle in (0.0, 1.0):
        data.qpos[0] = angle
        mujoco.mj_forward(model, data)
        own = data.camera('hand')
        position, axes = camera.pose(data)
        assert np.allclose(position, own.xpos)
        assert np.allclose(axes.ravel(), own.xmat)
