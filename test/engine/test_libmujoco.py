"""Functions of the bindings that would end the process."""

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine import guard_bindings

QPOS = int(mujoco.mjtState.mjSTATE_QPOS)
TOO_MANY = 1 << 30


@pytest.fixture
def bindings(monkeypatch):
    """Returns the module, guarded during the test."""
    for name in ('mj_getState', 'mj_setState', 'mj_extractState'):
        monkeypatch.setattr(mujoco, name, getattr(mujoco, name))
    guard_bindings()
    return mujoco


@pytest.fixture
def scene():
    xml = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(xml)
    return model, mujoco.MjData(model)


@pytest.mark.parametrize('signature', [TOO_MANY, np.int64(TOO_MANY)])
def test_an_invalid_signature_raises_wherever_it_stands(bindings, scene, signature):
    model, data = scene
    state = np.zeros(1)
    for attempt in (
        lambda: bindings.mj_getState(model, data, state, signature),
        lambda: bindings.mj_setState(model, data, state, sig=signature),
        lambda: bindings.mj_extractState(model, state, QPOS, state, signature),
        lambda: bindings.mj_extractState(model, state, signature, state, QPOS),
    ):
        with pytest.raises(mujoco.FatalError, match='invalid state signature'):
            attempt()


def test_a_valid_one_does_what_it_did(bindings, scene):
    model, data = scene
    state, part = np.array([0.5]), np.zeros(1)
    bindings.mj_setState(model, data, state, mujoco.mjtState.mjSTATE_QPOS)
    bindings.mj_getState(model, data, part, QPOS)
    assert (data.qpos[0], part[0]) == (0.5, 0.5)
    bindings.mj_extractState(model, state, QPOS, part * 0, QPOS)


def test_twice_is_once(bindings):
    once = bindings.mj_getState
    guard_bindings()
    assert bindings.mj_getState is once
