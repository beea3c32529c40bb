"""Values that were changed while a model ran stay changed when the model changes."""

from __future__ import annotations

import mujoco
from deadline import DEADLINE_S

from mujoco_ros_py.simulation import NoPlugins

ROBOT = """
<mujoco>
  <option gravity="0 0 -9.81"/>
  <worldbody>
    {}
    <body name="arm">
      <joint name="hinge" damping="0.1"/><geom name="link" size="0.1"/><geom size=".2"/>
    </body>
  </worldbody>
  <actuator>{}<motor name="motor" joint="hinge" gear="2"/></actuator>
</mujoco>
"""
PLAIN = ROBOT.format('', '')
MORE = ROBOT.format(
    '<body name="new"><joint name="other" damping="0.5"/><geom size=".3"/></body>',
    '<motor name="second" joint="other" gear="7"/>',
)


def tune(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    model.opt.gravity[2] = -1.62
    model.opt.iterations = 7
    model.geom('link').size[0] = 0.4
    model.geom_friction[1] = [0.3, 0.2, 0.1]
    model.joint('hinge').damping[0] = 0.9
    model.actuator('motor').gear[0] = 5


def values(model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, object]:
    unnamed = int(model.body('arm').geomadr[0]) + 1
    return {
        'gravity': model.opt.gravity.tolist(),
        'iterations': int(model.opt.iterations),
        'size': float(model.geom('link').size[0]),
        'bound': float(model.geom('link').rbound[0]),
        'friction': model.geom_friction[unnamed].tolist(),
        'damping': float(model.joint('hinge').damping[0]),
        'gear': float(model.actuator('motor').gear[0]),
    }


TUNED = {
    'gravity': [0, 0, -1.62],
    'iterations': 7,
    'size': 0.4,
    'bound': 0.4,
    'friction': [0.3, 0.2, 0.1],
    'damping': 0.9,
    'gear': 5.0,
}


def test_what_was_tuned_stays_over_changes_and_what_is_new_is_as_it_was_compiled(simulate):
    plain, more = (mujoco.MjModel.from_xml_string(xml) for xml in (PLAIN, MORE))
    simulation = simulate(plain, paused=True)
    simulation.submit(tune).result(DEADLINE_S)
    for model in (more, mujoco.MjModel.from_xml_string(PLAIN)):
        simulation.change(model, NoPlugins()).result(DEADLINE_S)
        assert simulation.submit(values).result(DEADLINE_S) == TUNED
    assert more.geom_size[0, 0] == 0.3
    assert more.joint('other').damping[0] == 0.5
    assert more.actuator('second').gear[0] == 7


def test_another_model_has_its_own_values_where_nothing_was_tuned(simulate):
    plain = mujoco.MjModel.from_xml_string(PLAIN)
    other = mujoco.MjModel.from_xml_string(PLAIN.replace('0.1"/><geom name', '0.2"/><geom name'))
    simulation = simulate(plain, paused=True)
    simulation.change(other, NoPlugins()).result(DEADLINE_S)
    assert simulation.submit(values).result(DEADLINE_S)['damping'] == 0.2


def test_a_load_forgets_what_was_tuned(simulate):
    simulation = simulate(mujoco.MjModel.from_xml_string(PLAIN), paused=True)
    simulation.submit(tune).result(DEADLINE_S)
    simulation.load(mujoco.MjModel.from_xml_string(PLAIN)).result(DEADLINE_S)
    assert simulation.submit(values).result(DEADLINE_S)['gear'] == 2
