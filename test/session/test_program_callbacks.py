"""MuJoCo callbacks that a program sets alongside sessions: both keep their own."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import pytest

from mujoco_ros_py.mujoco_internals import callback_pointer
from mujoco_ros_py.plugins import MujocoPlugin, compiled
from mujoco_ros_py.session import Session

PUCK = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0"/>
  <worldbody><body><joint type="slide"/><geom size="0.1" mass="1"/></body></worldbody>
</mujoco>
"""
CRATE = """
<mujoco model="crate">
  <worldbody><body name="crate" pos="0 2 0"><freejoint/><geom size="0.1"/></body></worldbody>
</mujoco>
"""
SETTERS = mujoco.set_mjcb_control, mujoco.set_mjcb_passive
OTHERS = 'sensor', 'contactfilter', 'act_dyn', 'act_gain', 'act_bias', 'time'


class Pushing(MujocoPlugin[Any]):
    """Pushes the puck by 2 N, and by 1 N as a passive force."""

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.qfrc_applied[0] = 2.0

    @staticmethod
    @compiled
    def passive_callback(state, model, data):
        data.qfrc_passive[0] += 1.0


@pytest.fixture
def model() -> Iterator[mujoco.MjModel]:
    yield mujoco.MjModel.from_xml_string(PUCK)
    for name in ('control', 'passive', *OTHERS):
        getattr(mujoco, f'set_mjcb_{name}')(None)


@pytest.fixture
def session(model) -> Iterator[Session]:
    with Session(mujoco_xml=PUCK, plugins=[{'type': Pushing}], strict=True) as session:
        session.step()
        yield session


def speed_after(session: Session, steps: int) -> float:
    """Returns what steps from rest add to the speed of the puck of the session, in m/s."""
    session.call(lambda model, data: data.qvel.fill(0.0))
    session.step(steps)
    return float(session.snapshot().data.qvel[0])


def pull(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.qfrc_applied[0] = -5.0


def draw(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.qfrc_passive[0] -= 4.0


@pytest.mark.parametrize('early', [True, False], ids=['before the session', 'beside it'])
def test_plugins_and_the_callbacks_of_the_program_act_on_their_own_data(model, early, caplog):
    own = mujoco.MjData(model)
    if early:
        mujoco.set_mjcb_control(pull)
        mujoco.set_mjcb_passive(draw)
    with Session(model, plugins=[{'type': Pushing}], strict=True) as session:
        mujoco.set_mjcb_control(pull)
        mujoco.set_mjcb_passive(draw)
        assert speed_after(session, 100) == pytest.approx((2.0 + 1.0) * 0.1)
        mujoco.mj_step(model, own, 100)
        assert own.qvel[0] == pytest.approx((-5.0 - 4.0) * 0.1)
        assert mujoco.get_mjcb_control() is pull, 'the program finds what it has set'
    for name in ('mjcb_control', 'mjcb_passive'):
        assert (
            caplog.text.count(f'{name} was set in this process: it is called only for data') == 1
        )


def test_the_callbacks_of_the_program_end_when_it_takes_them_back(session, model):
    own = mujoco.MjData(model)
    for set_callback, callback in zip(SETTERS, (pull, draw), strict=True):
        set_callback(callback)
        session.step()
        set_callback(None)
    session.step()
    mujoco.mj_step(model, own, 10)
    assert own.qvel[0] == 0.0
    assert speed_after(session, 100) == pytest.approx(0.3)


def test_a_callback_that_raises_raises_in_the_program_alone(session, model):
    def fail(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        raise LookupError('not here')

    mujoco.set_mjcb_control(fail)
    assert speed_after(session, 100) == pytest.approx(0.3)
    with pytest.raises(LookupError, match='not here'):
        mujoco.mj_step(model, mujoco.MjData(model))
    assert speed_after(session, 100) == pytest.approx(0.3)


def test_a_callback_in_c_is_told_and_does_not_replace_plugins(session, model, caplog):
    calls: list[int] = []
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
    callback = function(lambda model, data: calls.append(data))
    callback_pointer('mjcb_control').value = ctypes.cast(callback, ctypes.c_void_p).value
    assert speed_after(session, 100) == pytest.approx(0.3)
    assert not calls
    assert 'mjcb_control was set in this process' in caplog.text
    mujoco.mj_step(model, mujoco.MjData(model))
    assert len(calls) == 1


def test_what_a_session_computes_beside_its_steps_calls_no_callback_of_the_program(session):
    """A trial of an entity, of options or of a model, and the sensors of a copy."""

    def count(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        calls.append(data)

    calls: list[mujoco.MjData] = []
    mujoco.set_mjcb_control(count)
    mujoco.set_mjcb_passive(count)
    session.step()
    session.snapshot().sensors()
    session.spawn(CRATE)
    assert speed_after(session, 100) == pytest.approx(0.3)
    with Session(mujoco_xml=PUCK, model_guard=False) as other:
        other.step()
    assert not calls


def test_callbacks_that_act_in_all_simulations_are_told_once(session, caplog):
    callbacks: dict[str, Callable[..., Any]] = dict.fromkeys(OTHERS, lambda *arguments: 0.0)
    for name, callback in callbacks.items():
        getattr(mujoco, f'set_mjcb_{name}')(callback)
    session.step(200)
    for name in OTHERS:
        told = f'mjcb_{name} was set in this process: MuJoCo calls it in the steps of all'
        assert caplog.text.count(told) == 1
