"""A gripped object is held through an emergency stop, a cancellation and the release."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import pytest
from builtin.controllers.stoppable import STOP
from builtin.controllers.trajectories.trajectory_messages import trajectory
from deadline import DEADLINE_S

from mujoco_ros_py.builtin.controllers.goals.goals import CANCELLED
from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

FINGER = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0"/>
  <worldbody>
    <geom type="box" size="0.05 0.1 0.1"/>
    <body pos="0.15 0 0">
      <joint name="finger" type="slide" axis="-1 0 0"/>
      <geom name="tip" type="box" size="0.02 0.05 0.05" mass="0.2"/>
    </body>
  </worldbody>
  <actuator>{}</actuator>
</mujoco>
"""
ACTUATORS = {
    'servo': '<position name="grip" joint="finger" kp="500" kv="20"/>',
    'filtered': '<position name="grip" joint="finger" kp="500" kv="20" timeconst="0.01"/>',
    'limited': '<position name="grip" joint="finger" kp="500" kv="20" forcerange="-9 9"/>',
    'motor': '<motor name="grip" joint="finger"/>',
}
CLOSED = 0.15
"""A position in m far beyond the object."""
Closing = tuple[dict[str, Any], Callable[[Any, Any], object]]
"""A plugin, and the function that closes the finger."""


def follow(plugin: Any, data: Any) -> None:
    message = trajectory((1.0, (CLOSED,), (0.0,)), joints=['finger'])
    plugin.begin(plugin.reader.read(message, data.time), data)


def closing(type_: str, close: Callable[[Any, Any], object], **config: Any) -> Closing:
    return {'type': f'mujoco_ros_py/{type_}', 'name': 'hand', **config}, close


def move(**limits: float) -> Callable[[Any, Any], object]:
    return lambda hand, data: hand.move(data, CLOSED, **limits)


ONE_JOINT = {'joints': ['finger']}
PARALLEL = ('ParallelGripperController', {'joint': 'finger'})
BY_ACTUATOR = ('ActuatorGripperController', {'actuator': 'grip'})
HANDS = {
    'ForwardCommandController': closing(
        'ForwardCommandController', lambda hand, data: hand.set_commands([CLOSED]),
        **ONE_JOINT, interface_name='position',
    ),
    'by effort': closing(
        'ForwardCommandController', lambda hand, data: hand.set_commands([7.0]),
        **ONE_JOINT, interface_name='effort',
    ),
    'JointTrajectoryController': closing('JointTrajectoryController', follow, **ONE_JOINT),
    'JointController': closing(
        'JointController', lambda hand, data: hand.set_targets({'finger': CLOSED})
    ),
    'ParallelGripperController': closing(PARALLEL[0], move(), **PARALLEL[1]),
    'with its effort': closing(PARALLEL[0], move(max_effort=5.0), **PARALLEL[1]),
    'ActuatorGripperController': closing(BY_ACTUATOR[0], move(), **BY_ACTUATOR[1]),
    'ActuatorGripperController with its effort': closing(
        BY_ACTUATOR[0], move(max_effort=5.0), **BY_ACTUATOR[1]
    ),
    'ActuatorCommands': closing(
        'ActuatorCommands', lambda hand, data: hand.set_controls(data, [CLOSED]),
        actuators=['grip'],
    ),
}  # fmt: skip
CASES = [
    pytest.param(
        ACTUATORS[actuator],
        hand,
        id=f'{name}, {actuator}',
        marks=() if (number + turn) % 2 == 0 else pytest.mark.nightly,
    )
    for number, (name, hand) in enumerate(HANDS.items())
    for turn, actuator in enumerate(ACTUATORS)
    if not (actuator == 'motor' and name.startswith('Actuator'))
    and not (actuator == 'filtered' and name in ('by effort', 'JointController'))
]


@pytest.fixture
def begin() -> Iterator[Callable[..., Session]]:
    sessions: list[Session] = []

    def grip(actuator: str, hand: Closing) -> Session:
        """Returns a session in which the finger presses."""
        plugin, close = hand
        model = mujoco.MjModel.from_xml_string(FINGER.format(actuator))
        session = Session(model, plugins=[STOP, plugin], strict=True)
        sessions.append(session)
        session.call(lambda m, d: close(session.plugins['hand'], d))
        session.step(4000)
        assert pressing(session) > 1.0
        return session

    yield grip
    for session in sessions:
        session.close()


def pressing(session: Session) -> float:
    """Returns the force in N with which the finger presses."""
    return float(session.snapshot().data.actuator_force[0])


def stop(session: Session, stopped: bool) -> None:
    plugin: Any = session.plugins['emergency_stop']
    plugin.set_stopped(stopped).result(DEADLINE_S)


@pytest.mark.parametrize(('actuator', 'hand'), CASES)
def test_a_grip_keeps_its_force_through_stops_and_after_their_release(begin, actuator, hand):
    session = begin(actuator, hand)
    force = pressing(session)
    for _ in range(2):
        stop(session, True)
        session.step(700)
        assert pressing(session) == pytest.approx(force, rel=1e-3)
        stop(session, False)
        session.step(700)
        assert pressing(session) == pytest.approx(force, rel=1e-3)


@pytest.mark.parametrize('name', [PARALLEL[0], BY_ACTUATOR[0]])
def test_a_cancelled_goal_drops_nothing(begin, name):
    session = begin(ACTUATORS['servo'], HANDS[name])
    force = pressing(session)
    session.call(lambda m, d: session.plugins['hand'].move(d, CLOSED))
    session.call(lambda m, d: session.plugins['hand'].goals.end(CANCELLED))
    session.step(1000)
    assert pressing(session) == pytest.approx(force, rel=1e-3)


@pytest.mark.parametrize('hand', HANDS.values(), ids=HANDS)
def test_a_finger_that_is_stopped_on_its_way_does_not_close(hand):
    plugin, close = hand
    model = mujoco.MjModel.from_xml_string(FINGER.format(ACTUATORS['servo']))
    with Session(model, plugins=[STOP, plugin], strict=True) as session:
        session.step(10)
        session.call(lambda m, d: close(session.plugins['hand'], d))
        session.step(30)
        there = session.snapshot().data.qpos[0]
        stop(session, True)
        session.step(2000)
        assert session.snapshot().data.qpos[0] == pytest.approx(there, abs=0.01)
        assert there < 0.07
        assert session.snapshot().data.ncon == 0, 'the finger touches nothing'
