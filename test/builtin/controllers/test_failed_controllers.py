"""The commands of a controller are withdrawn when it fails, so nothing acts for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest
from builtin.controllers.driving import Driving, hinge
from builtin.controllers.stoppable import MOTIONS, STOP
from deadline import DEADLINE_S

from mujoco_ros_py.builtin.controllers import drive_joints
from mujoco_ros_py.plugins import MujocoPlugin, Stoppable, compiled
from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

ACTUATORS = {
    'none': '',
    'a motor': '<motor joint="joint"/>',
    'a servo of velocities': '<velocity joint="joint" kv="10"/>',
    'a servo of positions': '<position joint="joint" kp="80" kv="8"/>',
    'a filtered servo': '<position joint="joint" kp="80" kv="8" timeconst="0.01"/>',
    'an integrating servo': '<intvelocity joint="joint" kp="80" kv="8" actrange="-9 9"/>',
}
ACCELERATED = ('none', 'a motor')


class Breaking(Driving):
    """Fails after a while."""

    @staticmethod
    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Drives the joints, and then raises an error."""
        drive_joints(state, model, data)
        if data.time > 0.2:
            raise ValueError('worn out')


@pytest.fixture
def begin() -> Iterator[Callable[..., Session]]:
    sessions: list[Session] = []

    def make(xml: str, *plugins: Any) -> Session:
        sessions.append(Session(mujoco.MjModel.from_xml_string(xml), plugins=plugins, strict=True))
        return sessions[-1]

    yield make
    for session in sessions:
        session.close()


def breaking(session: Session) -> Any:
    return session.plugins['driving']


@pytest.mark.parametrize('name', ACTUATORS)
def test_the_last_command_of_a_controller_that_has_failed_moves_nothing(begin, name):
    kind = 'effort' if name in ACCELERATED else 'position'
    kind = 'velocity' if name == 'a servo of velocities' else kind
    plugin = {'type': Breaking, 'name': 'driving', 'interfaces': (kind,)}
    session = begin(hinge(ACTUATORS[name]), plugin)
    session.call(lambda m, d: setattr(breaking(session).state, f'{kind}_command', 1.0))
    session.step(500)
    assert list(session.plugins) == []
    before = session.snapshot().data
    session.step(1000)
    after = session.snapshot().data
    if name in ACCELERATED:
        assert before.qvel[0] > 0.1
        assert after.qvel[0] == pytest.approx(before.qvel[0], rel=1e-6), 'it is driven no more'
        assert after.qfrc_applied[0] == after.qfrc_actuator[0] == 0.0
    else:
        assert after.qpos[0] == pytest.approx(before.qpos[0], abs=0.05)
        assert abs(after.qvel[0]) < 1e-3


WEIGHT = hinge('<position joint="joint" kp="80" kv="8"/>').replace(
    '<inertial pos="0 0 0"', '<inertial pos="0.5 0 0"'
).replace('axis="0 0 1"', 'axis="0 1 0"')  # fmt: skip


@pytest.mark.parametrize('servo', [True, False])
def test_a_servo_holds_its_weight_when_its_controller_has_failed(begin, servo):
    plugin = {'type': Driving, 'name': 'driving', 'use_servos': servo}
    session = begin(WEIGHT, plugin)
    session.call(lambda m, d: setattr(breaking(session).state, 'position_command', 0.3))
    session.step(3000)
    there = session.snapshot().data.qpos[0]
    fail(session, 'driving')
    session.step(1000)
    assert session.snapshot().data.qpos[0] == pytest.approx(there, abs=1e-3)


def fail(session: Session, name: str) -> None:
    """Makes a plugin fail on a separate thread, as a subscription would."""
    owner = session.plugins[name].environment._owner
    thread = threading.Thread(target=owner.fail, args=('a subscription', ValueError('lost')))
    thread.start()
    thread.join(DEADLINE_S)


ACTUATED = {name: motion for name, motion in MOTIONS.items() if 'joint="' in motion.xml}


@pytest.mark.parametrize('motion', ACTUATED.values(), ids=ACTUATED)
def test_what_a_controller_moves_comes_to_rest_when_it_fails(motion):
    with motion.session() as session:
        session.step(250)
        there = session.snapshot().data.qpos
        fail(session, 'moved')
        session.step(3000)
        data = session.snapshot().data
        assert np.abs(data.qvel).max() < 1e-2
        assert data.qpos == pytest.approx(there, abs=0.1)


class Pushing(MujocoPlugin[Any], Stoppable):
    """Pushes a joint directly, fails, and withdraws its force."""

    def control_callback(self, model: Any, data: Any) -> None:
        """Pushes, and then raises an error."""
        data.qfrc_applied[0] = 1.0
        if data.time > 0.1:
            raise ValueError('worn out')

    def withdraw(self, model: Any, data: Any) -> None:
        """Withdraws the force."""
        data.qfrc_applied[0] = 0.0
        if self.config.get('raises'):
            raise ValueError('worn out altogether')


@pytest.mark.parametrize('raises', [False, True])
def test_a_plugin_of_ones_own_takes_back_what_it_has_set(begin, raises):
    session = begin(hinge(), {'type': Pushing, 'name': 'pushing', 'raises': raises})
    session.step(500)
    assert session.snapshot().data.qfrc_applied[0] == 0.0
    speed = session.snapshot().data.qvel[0]
    session.step(500)
    assert session.snapshot().data.qvel[0] == speed > 0.1


def test_a_plugin_that_is_well_is_not_asked_to_take_anything_back(begin):
    class Well(Pushing):
        """Pushes for ever."""

        def control_callback(self, model: Any, data: Any) -> None:
            """Pushes."""
            data.qfrc_applied[0] = 1.0

    session = begin(hinge(), {'type': Well, 'name': 'well'})
    session.step(100)
    session.reload()
    session.step(100)
    assert session.snapshot().data.qfrc_applied[0] == 1.0


def test_a_wrench_is_taken_from_the_body_when_its_plugin_has_failed(begin):
    xml = '<mujoco><worldbody><body name="b"><freejoint/><geom size="1"/></body></worldbody></mujoco>'  # noqa: E501  # fmt: skip
    session = begin(xml, {'type': 'mujoco_ros_py/BodyWrench', 'name': 'push', 'body': 'b'})
    session.call(lambda m, d: session.plugins['push'].set_wrench((0.0, 0.0, 5.0)))
    session.step(10)
    assert session.snapshot().data.xfrc_applied[1, 2] == 5.0
    fail(session, 'push')
    session.step(10)
    assert session.snapshot().data.xfrc_applied[1, 2] == 0.0


def test_the_emergency_stop_knows_the_actuators_that_belong_to_no_plugin(begin):
    xml = hinge('<motor name="grip" joint="joint"/>')
    session = begin(xml, STOP, {'type': Driving, 'name': 'driving'})
    stop: Any = session.plugins['emergency_stop']
    assert stop.unclaimed == []
    fail(session, 'driving')
    assert stop.unclaimed == ['grip']
