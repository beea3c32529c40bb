"""Faults of forces change the model: refusals, and the ways back to the original values."""

from __future__ import annotations

import mujoco
import pytest

from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.plugins import Adaptable, MujocoPlugin
from mujoco_ros_py.session import Session

from .wheel import LINEAR, PUSHING, motor, skip_before_mujoco_4, xml
from .worn import session, worn

BALL = """
<mujoco>
  <worldbody><body name="ball"><freejoint/><geom size="0.1"/></body></worldbody>
</mujoco>
"""


class Gains(MujocoPlugin, Adaptable):
    """Reads the gain of each model, as controllers do."""

    def load(self, model, data):
        self.seen = [float(model.actuator_gainprm[0, 0])]

    def adapt(self, model, data):
        self.seen.append(float(model.actuator_gainprm[0, 0]))


def numbers(made: Session) -> dict[str, list[float]]:
    """The numbers of the actuators in the model."""
    fields = 'gainprm', 'biasprm', 'forcerange', 'forcelimited'
    model = made.snapshot().model
    return {name: getattr(model, f'actuator_{name}').tolist() for name in fields}


@pytest.mark.parametrize('way', ['time', 'switch', 'reset', 'reload', 'unload'])
def test_the_model_has_its_numbers_again_afterwards(way):
    timeline = [motor(scale=0.5, until=0.005, at=0.001, saturate={'force': 0.1})]
    servo = LINEAR['position servo']
    compiled_model = mujoco.MjModel.from_xml_string(xml(servo))
    with Session(compiled_model, plugins=[PUSHING, worn(*timeline)], strict=True) as made:
        before = numbers(made)
        made.step(3)
        assert numbers(made) != before
        if way == 'time':
            made.step(4)
        elif way == 'switch':
            plugin = made.plugins['worn']
            made.call(lambda model, data: plugin.state.force_faults['active'].fill(0))
            made.step()
        elif way == 'reset':
            made.reset()
        elif way == 'reload':
            made.reload()
        else:
            made.change(plugins=[PUSHING])
            made.step()
        assert numbers(made) == before


def test_a_plugin_that_fails_gives_the_model_and_the_control_back():
    timeline = [motor(scale=0.5, offset=2.0)]
    with session(xml(), *timeline) as made:
        made.call(lambda model, data: data.ctrl.__setitem__(0, 1.0))
        made.step(3)
        assert made.snapshot().data.ctrl[0] == 3.0
        failing = made.plugins['worn'].environment.submit(lambda model, data: 1 / 0)
        assert isinstance(failing.exception(), ZeroDivisionError)
        made.call(lambda model, data: None)  # after the call of `withdraw`
        made.step(2)
        assert len(made.problems) == 1
        assert made.snapshot().model.actuator_gainprm[0, 0] == 1.0
        assert made.snapshot().data.ctrl[0] == 1.0


def test_controllers_read_the_numbers_of_the_model_when_an_entity_comes():
    before = [{'type': Gains, 'name': 'gains'}, PUSHING]
    with session(xml(), motor(scale=0.5), before=before) as made:
        made.step(2)
        for number in range(2):
            made.spawn(BALL, f'ball{number}', position=[0, number, 1])
            made.step()
            assert made.snapshot().data.actuator_force[0] == 0.5
        assert made.plugins['gains'].seen == [1.0, 1.0, 1.0]


def test_a_saved_state_fits_the_model_whenever_it_is_restored():
    timeline = [motor(scale=0.5, at=0.010, until=0.020)]
    with session(xml(), *timeline, before=[PUSHING]) as made:
        before = numbers(made)
        states = {}
        for time_ms in (5, 15, 25):
            made.step(time_ms - round(1000 * made.time))
            states[time_ms] = made.save()

        def rest(time_ms: int) -> bytes:
            made.restore(states[time_ms])
            made.step(30 - time_ms)
            return made.snapshot().data.qvel.tobytes()

        ends = {rest(time_ms) for time_ms in (5, 15, 25, 15, 5, 25, 5)}
        assert len(ends) == 1
        assert numbers(made) == before


@pytest.mark.parametrize(
    ('actuator', 'effects', 'message'),
    [
        (
            '<dcmotor name="motor" joint="wheel" motorconst="0.1" resistance="1"/>',
            {'scale': 0.5},
            r"timeline.e0\.scale is not possible for actuator 'motor': it is a DC motor, whose"
            ' currents and friction are not scaled alike; use stop or saturate',
        ),
        (
            '<pid name="motor" joint="wheel" input="pos vel ff"/>',
            {'scale': 0.5},
            r'timeline.e0\.scale is not .*: no parameter scales its feedforward input',
        ),
        (
            '<general name="motor" joint="wheel" biastype="user"/>',
            {'scale': 0.5},
            r'timeline.e0\.scale is not .*: a callback of the program computes its force',
        ),
        (
            LINEAR['muscle'],
            {'scale': -1.0},
            r"timeline.e0\.scale must be at least 0 for actuator 'motor', which is a muscle,"
            ' got -1',
        ),
    ],
)
def test_a_fault_that_an_actuator_cannot_have_is_refused(actuator, effects, message):
    if 'dcmotor' in actuator or 'pid' in actuator:
        skip_before_mujoco_4('pid')
    with pytest.raises(PluginError, match=message):
        session(xml(actuator), motor(**effects))
