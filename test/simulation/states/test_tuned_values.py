"""Values that were changed in a running model stay changed when the model is replaced."""

from __future__ import annotations

import mujoco
from deadline import DEADLINE_S

from mujoco_ros_py.simulation import NoPlugins
from mujoco_ros_py.simulation.models.object_keys import ObjectKeys
from mujoco_ros_py.simulation.states.tuned_values import TUNABLE

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


LIT = """
<mujoco>
  <worldbody>
    {}
    <light name="lamp"/>
    <body name="a"><joint name="hinge"/><geom name="ball" size="0.1"/></body>
    <body name="b"><joint name="other"/><geom name="block" size="0.1" pos="1 0 0"/></body>
  </worldbody>
  <contact>{}<pair geom1="ball" geom2="block"/></contact>
  <tendon><fixed name="tie"><joint joint="hinge" coef="1"/></fixed></tendon>
  <actuator>{}<motor name="motor" joint="hinge" ctrlrange="-1 1"/></actuator>
</mujoco>
"""
MORE_LIT = LIT.format(
    '<light/><body name="c"><joint name="third"/><geom name="new" size=".1" pos="2 0 0"/></body>',
    '<pair geom1="new" geom2="ball"/>',
    '<motor name="second" joint="third" ctrlrange="-3 3"/>',
)


def test_ranges_of_controls_and_values_of_pairs_lights_and_tendons_stay_too(simulate):
    simulation = simulate(mujoco.MjModel.from_xml_string(LIT.format('', '', '')), paused=True)

    def change(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        model.actuator('motor').ctrlrange[:] = [-0.5, 0.25]
        model.pair_friction[0, 0] = 0.125
        model.light('lamp').diffuse[:] = [0.5, 0.25, 0]
        model.tendon_actfrcrange[0] = [-2, 2]

    simulation.submit(change).result(DEADLINE_S)
    more = mujoco.MjModel.from_xml_string(MORE_LIT)
    simulation.change(more, NoPlugins()).result(DEADLINE_S)
    assert more.actuator('motor').ctrlrange.tolist() == [-0.5, 0.25]
    assert more.actuator('second').ctrlrange.tolist() == [-3, 3]
    assert sorted(more.pair_friction[:, 0].tolist()) == [0.125, 1]
    old = next(k for k in range(more.npair) if more.geom('block').id in _geoms(more, k))
    assert more.pair_friction[old, 0] == 0.125
    assert more.light('lamp').diffuse.tolist() == [0.5, 0.25, 0]
    assert more.tendon_actfrcrange.tolist() == [[-2, 2]]


def _geoms(model: mujoco.MjModel, pair: int) -> tuple[int, int]:
    return int(model.pair_geom1[pair]), int(model.pair_geom2[pair])


def test_each_array_of_tuned_values_has_a_row_for_each_key():
    """An array that another version of MuJoCo sizes otherwise would be carried over wrongly."""
    model = mujoco.MjModel.from_xml_string(MORE_LIT)
    keys = ObjectKeys(model)
    for kind, names in TUNABLE.items():
        for name in names:
            if hasattr(model, name):
                assert len(getattr(model, name)) == len(getattr(keys, kind)), name


def test_values_of_an_element_that_is_of_another_type_are_those_of_the_other_model(simulate):
    text = """<mujoco><worldbody>
      <body name="a"><joint name="j" type="{}" range="0 {}"/><geom size="1"/></body>
      <body name="b"><freejoint/><geom size="1"/></body>
    </worldbody><equality><{} name="tie" {}/></equality></mujoco>"""
    hinge = text.format('hinge', 90, 'connect', 'body1="a" body2="b" anchor="1 2 3"')
    ball = text.format('ball', 45, 'weld', 'body1="a" body2="b" anchor="4 5 6"')
    before, after = (mujoco.MjModel.from_xml_string(xml) for xml in (hinge, ball))
    compiled = {name: getattr(after, name).copy() for name in ('jnt_range', 'eq_data', 'qpos0')}

    def tune(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        model.jnt_range[0], model.qpos0[0], model.eq_data[0, :3] = (0, 1), 0.5, (7, 8, 9)

    simulation = simulate(before, paused=True)
    simulation.submit(tune).result(DEADLINE_S)
    simulation.change(after, NoPlugins()).result(DEADLINE_S)
    for name, values in compiled.items():
        assert getattr(after, name).tolist() == values.tolist(), name
