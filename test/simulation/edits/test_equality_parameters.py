from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.simulation.edits import EqualityParameters, read_equality, set_equality

COMMON = 'solref="0.3 0.9" solimp="0.8 0.95 0.002 0.4 2"'
TIED = f"""
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <body name="left" pos="0 0 1"><freejoint/><geom size="0.1"/><site name="a"/></body>
    <body name="right" pos="1 0 1"><freejoint/><geom size="0.1"/><site name="b"/></body>
    <body name="arm" pos="0 3 1"><joint name="one"/><geom size="0.1" pos="0 0 -0.3"/></body>
    <body name="leg" pos="0 5 1"><joint name="two"/><geom size="0.1" pos="0 0 -0.3"/></body>
  </worldbody>
  <tendon>
    <fixed name="rope"><joint joint="one" coef="0.5"/></fixed>
    <fixed name="wire"><joint joint="two" coef="0.5"/></fixed>
  </tendon>
  <equality>
    <connect name="hook" body1="left" body2="right" anchor="0.1 0.2 0.3" {COMMON}/>
    <weld name="glue" body1="left" body2="right" anchor="0.4 0.5 0.6" torquescale="0.9"
          relpose="1.1 1.2 1.3 0 0 0 1" active="false" {COMMON}/>
    <joint name="gear" joint1="one" joint2="two" polycoef="0.5 0.25 0.76 0.66 1" {COMMON}/>
    <tendon name="pulley" tendon1="rope" tendon2="wire" polycoef="0.1 0.2 0.3 0.4 0.5" {COMMON}/>
    <connect name="sites" site1="a" site2="b" {COMMON}/>
  </equality>
</mujoco>
"""


def read(simulation, name: str) -> EqualityParameters:
    return simulation.submit(lambda m, d: read_equality(m, d, name)).result()


def write(simulation, given: EqualityParameters):
    return simulation.edit(
        lambda m, d, e: e.attempt(lambda: set_equality(m, d, given, e))
    ).result()


def test_parameters_are_read_as_mjcf_has_them(run):
    simulation = run(TIED)
    hook, glue = read(simulation, 'hook'), read(simulation, 'glue')
    gear, pulley, sites = (read(simulation, name) for name in ('gear', 'pulley', 'sites'))
    for each in (hook, glue, gear, pulley):
        assert np.allclose(each.solref, [0.3, 0.9])
        assert np.allclose(each.solimp, [0.8, 0.95, 0.002, 0.4, 2])
    assert [each.type for each in (hook, glue, gear, pulley)] == [0, 1, 2, 3]
    assert [each.active for each in (hook, glue)] == [True, False]
    assert hook.elements == glue.elements == ('left', 'right')
    assert (gear.elements, pulley.elements) == (('one', 'two'), ('rope', 'wire'))
    assert sites.elements == ('a', 'b')
    assert np.allclose(hook.anchor, [0.1, 0.2, 0.3])
    assert np.allclose(glue.anchor, [0.4, 0.5, 0.6])
    assert np.allclose(glue.relative_position, [1.1, 1.2, 1.3])
    assert np.allclose(glue.relative_quat, [0, 0, 0, 1])
    assert glue.torquescale == 0.9
    assert np.allclose(gear.polycoef, [0.5, 0.25, 0.76, 0.66, 1])
    assert np.allclose(pulley.polycoef, [0.1, 0.2, 0.3, 0.4, 0.5])
    assert (len(hook.polycoef), hook.torquescale) == (0, 0.0)


def test_what_is_set_is_what_is_read(run):
    simulation = run(TIED)
    new = {'solref': (0.2, 0.8), 'solimp': (0.7, 0.9, 0.01, 0.5, 1.0), 'active': False}
    for given in (
        EqualityParameters(name='hook', type=0, anchor=(1.0, 2.0, 3.0), **new),
        EqualityParameters(
            name='glue', type=1, anchor=(1.0, 2.0, 3.0), relative_position=(4.0, 5.0, 6.0),
            relative_quat=(0.0, 2.0, 0.0, 0.0), torquescale=0.5, **new,
        ),
        EqualityParameters(name='gear', type=2, polycoef=(5.0, 4.0, 3.0, 2.0, 1.0), **new),
        EqualityParameters(name='pulley', type=3, polycoef=(1.0, 2.0, 3.0, 4.0, 5.0), **new),
    ):  # fmt: skip
        before = read(simulation, given.name)
        edit = write(simulation, given)
        assert edit.message == f"equality constraint '{given.name}' set"
        found = read(simulation, given.name)
        assert found.elements == before.elements
        assert (found.type, found.active) == (given.type, False)
        assert np.allclose(found.solref, given.solref)
        assert np.allclose(found.solimp, given.solimp)
        assert np.allclose(found.polycoef, given.polycoef)
        assert np.allclose(found.anchor, given.anchor)
        assert np.allclose(found.relative_position, given.relative_position)
        if given.name == 'glue':
            assert np.allclose(found.relative_quat, [0, 1, 0, 0])
            assert found.torquescale == 0.5


def test_an_anchor_is_found_in_the_second_body_too(run):
    """Without that, the connect would pull the bodies to another place."""
    simulation = run(TIED)
    given = EqualityParameters(name='hook', type=0, active=True, anchor=(0.5, 0.0, 0.0))
    write(simulation, given)
    compiled = mujoco.MjModel.from_xml_string(TIED.replace('0.1 0.2 0.3', '0.5 0 0'))
    data = simulation.submit(lambda m, d: m.eq_data[0].copy()).result()
    assert np.allclose(data, compiled.eq_data[0])


def test_what_is_not_given_stays(run):
    simulation = run(TIED)
    write(simulation, EqualityParameters(name='gear', type=2, active=True))
    write(
        simulation,
        EqualityParameters(name='glue', type=1, active=True, torquescale=-1.0),
    )
    gear, glue = read(simulation, 'gear'), read(simulation, 'glue')
    assert np.allclose(gear.polycoef, [0.5, 0.25, 0.76, 0.66, 1])
    assert np.allclose(gear.solref, [0.3, 0.9])
    assert glue.torquescale == 0.9
    assert glue.active


def test_elements_can_be_others(run):
    simulation = run(TIED)
    given = EqualityParameters(name='hook', type=0, active=True, elements=('arm', ''))
    assert write(simulation, given).refused == []
    assert read(simulation, 'hook').elements == ('arm', 'right')


@pytest.mark.parametrize(
    ('change', 'reason'),
    [
        ({'name': 'nail'}, "unknown equality constraint 'nail'; known: gear, glue, hook"),
        ({'type': 1}, "equality constraint 'hook' has the type connect, got type 1"),
        ({'elements': ('left', 'x')}, "unknown body of equality constraint 'hook' 'x'; known: "),
        ({'anchor': (np.nan, 0, 0)}, 'anchor of equality constraint'),
        ({'solref': (np.inf, 0)}, 'solver parameters of equality constraint'),
        ({'name': 'glue', 'type': 1, 'relative_quat': (0, 0, 0, 0)}, 'must be a rotation'),
        ({'name': 'glue', 'type': 1, 'torquescale': -2.0}, 'torquescale of .* must be >= 0'),
        ({'name': 'gear', 'type': 2, 'polycoef': (1.0,)}, 'must have 5 numbers, got 1'),
    ],
)
def test_wrong_parameters_are_refused_as_a_whole(run, change, reason):
    simulation = run(TIED)
    look = lambda m, d: (m.eq_data.copy(), m.eq_obj1id.copy(), d.eq_active.copy())  # noqa: E731
    before = simulation.submit(look).result()
    given = replace(EqualityParameters(name='hook', type=0, active=False), **change)
    with pytest.raises(ConfigError, match=reason):
        simulation.submit(lambda m, d: set_equality(m, d, given, None)).result()
    after = simulation.submit(look).result()
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


def test_a_constraint_that_is_switched_off_lets_go(run):
    simulation = run(TIED)
    given = replace(read(simulation, 'hook'), active=False)
    count = simulation.submit(lambda m, d: d.ne).result()
    write(simulation, given)
    assert simulation.submit(lambda m, d: d.ne).result() == count - 3
