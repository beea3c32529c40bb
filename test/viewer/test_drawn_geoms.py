"""The geoms of render callbacks, on their way to the process of the viewer."""

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.simulation import Snapshot
from mujoco_ros_py.viewer.link.drawn_geoms import MOST_GEOMS, DrawnGeoms, ShownGeoms, most_bytes

MODEL = '<mujoco><worldbody><body><joint/><geom size="1" pos="0 0 2"/></body></worldbody></mujoco>'


def balls(count):
    """Returns a painter that draws this number of balls at the model's geom."""

    def paint(model, data, scene):
        for number in range(count):
            geom, scene.ngeom = scene.geoms[scene.ngeom], scene.ngeom + 1
            color = np.array([0.1, 0.2, 0.3, 0.4], np.float32)
            mujoco.mjv_initGeom(
                geom, mujoco.mjtGeom.mjGEOM_SPHERE, np.full(3, 0.5), data.geom_xpos[0],
                np.eye(3).ravel(), color,
            )  # fmt: skip
            geom.label = f'ball {number}'

    return paint


@pytest.fixture(scope='module')
def model():
    return mujoco.MjModel.from_xml_string(MODEL)


@pytest.fixture
def snapshot(model):
    return Snapshot(model, mujoco.MjData(model), epoch=0, steps=0)


def test_geoms_arrive_as_they_were_drawn_with_all_poses_up_to_date(model, snapshot):
    drawn, shown = DrawnGeoms(model), ShownGeoms(model)
    for count in (3, 1):
        came = shown.read(drawn.paint([balls(count), balls(1)], snapshot))
        assert [geom.label for geom in came] == [*(f'ball {k}' for k in range(count)), 'ball 0']
    assert np.allclose(came[0].pos, [0, 0, 2])
    assert np.allclose(came[0].size, 0.5)
    assert np.allclose(came[0].rgba, [0.1, 0.2, 0.3, 0.4])
    assert shown.read(drawn.paint([], snapshot)) == []
    assert shown.read(drawn.paint([balls(0)], snapshot)) == []


def test_more_geoms_than_the_page_takes_are_left_out(model, snapshot):
    drawn = DrawnGeoms(model).paint([balls(MOST_GEOMS + 5)], snapshot)
    assert len(drawn) == most_bytes()
    assert len(ShownGeoms(model).read(drawn)) == MOST_GEOMS
    with pytest.raises(ValueError, match='do not fit into the scene'):
        ShownGeoms(model).read(2 * drawn)
