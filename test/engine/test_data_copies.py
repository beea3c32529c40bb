"""Copies of data use data that were allocated in advance, while these last."""

from __future__ import annotations

import mujoco

from mujoco_ros_py.engine import SpareData

FALLING = '<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'


def stepped() -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_string(FALLING)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 5)
    return model, data


def test_copies_use_up_the_spare_data_and_go_on_without():
    model, data = stepped()
    spare = SpareData(model, 2)
    copies = [spare.copy(model, data) for _ in range(3)]
    assert spare.left == 0
    assert len({copy._address for copy in copies}) == 3
    for copy in copies:
        assert copy.qpos.tolist() == data.qpos.tolist()
        assert copy.time == data.time


def test_data_of_another_model_are_not_copied_into_the_spare_ones():
    (model, data), (other, _) = stepped(), stepped()
    spare = SpareData(other, 1)
    assert spare.copy(model, data).time == data.time
    assert spare.left == 1


def test_without_spare_data_each_copy_is_made_anew():
    model, data = stepped()
    assert SpareData().copy(model, data).qpos.tolist() == data.qpos.tolist()
