"""Attached models that set their total mass."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfError

ARM = """
    <mujoco model="{name}">
      <compiler {compiler}/>
      <default>
        <geom {geom}/>
        <default class="heavy"><geom mass="2"/></default>
        <default class="light"><geom density="5"/></default>
      </default>
      <worldbody>
        <body name="a">
          <joint name="j" springdamper="1 1"/>
          <geom size=".1" pos=".1 0 0"/>
          <geom class="heavy" size=".1"/>
          <geom size=".1" mass="0.5"/>
          <body name="b"><geom class="light" type="box" size=".1 .2 .3"/></body>
          <body name="c">
            <inertial pos="0 0 1" mass="3" fullinertia="1 1.1 1.2 .1 0 0"/>
            <body name="d"><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/></body>
          </body>
        </body>
        <flexcomp name="f" type="grid" count="2 2 1" spacing=".1 .1 .1" dim="2" rigid="true"/>
      </worldbody>
      <actuator><position joint="j" kp="10" dampratio="1"/></actuator>
    </mujoco>
"""


def arm(name: str, compiler: str = '', geom: str = ''):
    return mjcf.from_xml_string(ARM.format(name=name, compiler=compiler, geom=geom))


def compiled(model) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())


def check_as_alone(whole: mujoco.MjModel, alone: mujoco.MjModel, prefix: str) -> None:
    """Checks that an attached model has the same bodies, joint and actuator as the model alone."""
    names = [alone.body(number).name for number in range(1, alone.nbody)]
    assert {'a', 'b', 'c', 'd'} <= set(names)
    for name in names:
        here, there = whole.body(prefix + name), alone.body(name)
        np.testing.assert_allclose(here.mass, there.mass, rtol=1e-12, err_msg=name)
        np.testing.assert_allclose(here.inertia, there.inertia, rtol=1e-12, err_msg=name)
    for key in ('stiffness', 'damping'):
        here, there = getattr(whole.joint(f'{prefix}j'), key), getattr(alone.joint('j'), key)
        np.testing.assert_allclose(here, there, rtol=1e-9, err_msg=key)


@pytest.mark.parametrize(
    ('of_host', 'geom'),
    [
        ('', 'mass="3"'),
        ('settotalmass="3"', 'density="10"'),
        ('settotalmass="8"', ''),
        ('settotalmass="8"', 'mass="3"'),
    ],
)
def test_each_model_keeps_the_mass_that_it_has_alone(of_host, geom):
    models = {
        name: arm(name, compiler, geom)
        for name, compiler in [
            ('one', 'settotalmass="8"'),
            ('two', 'settotalmass="8"'),
            ('three', 'settotalmass="2"'),
            ('four', ''),
        ]
    }
    host = arm('host', of_host, geom)
    alone = {name: compiled(model) for name, model in models.items()}
    before = compiled(host)
    for model in models.values():
        host.attach(model)
    whole = compiled(host)
    for name, model in alone.items():
        check_as_alone(whole, model, f'{name}/')
    check_as_alone(whole, before, '')


def test_a_model_that_is_attached_to_an_attached_one_keeps_its_mass_too():
    inner, outer, host = (
        arm('inner', 'settotalmass="4"'),
        arm('outer', 'settotalmass="6"'),
        arm('h'),
    )
    alone = compiled(inner), compiled(outer)
    outer.attach(inner)
    host.attach(outer)
    for whole, prefix in ((compiled(outer), ''), (compiled(host), 'outer/')):
        check_as_alone(whole, alone[0], f'{prefix}inner/')
        check_as_alone(whole, alone[1], prefix)


def test_what_a_host_says_of_attached_models_does_not_matter_for_its_mass():
    host, guest = arm('host', 'settotalmass="4"'), arm('guest')
    before = compiled(host)
    host.attach(guest)
    body = guest.find('body', 'c')
    host.worldbody.add('camera', mode='targetbody', target=body)
    host.actuator.add('motor', joint=guest.find('joint', 'j'))
    host.find('body', 'd').add(
        'geom', size=[0.1], mass=0, material=guest.asset.add('material', name='m')
    )
    host.keyframe.add('key', name='k', qpos=[0.5])
    check_as_alone(compiled(host), before, '')


def test_a_frame_of_an_attached_model_has_the_mass_that_the_host_says():
    host, guest = mjcf.RootElement('host'), arm('guest', 'settotalmass="4"')
    frame = host.attach(guest)
    frame.add('freejoint')
    frame.add('inertial', pos=[0, 0, 0], mass=7, diaginertia=[1, 1, 1])
    assert compiled(host).body('guest/').mass[0] == 7


def test_what_is_written_is_read_again_as_the_same_model():
    host = mjcf.RootElement('host')
    host.attach(arm('arm', 'settotalmass="4"'))
    text = host.to_xml_string()
    assert 'settotalmass' not in text
    assert mjcf.from_xml_string(text).to_xml_string() == text


def test_a_total_mass_stays_with_its_model_and_can_be_changed_later():
    host, guest = mjcf.RootElement('host'), arm('arm', 'settotalmass="4"')
    host.attach(guest)
    assert host.compiler.settotalmass is None
    assert compiled(host).body_mass.sum() == pytest.approx(4)
    guest.compiler.settotalmass = 6
    assert compiled(host).body_mass.sum() == pytest.approx(6)
    guest.compiler.settotalmass = None
    assert compiled(host).body_mass.sum() == pytest.approx(compiled(arm('arm')).body_mass.sum())
    guest.detach()
    assert 'density="1' not in guest.to_xml_string()


def test_masses_that_do_not_follow_from_what_elements_say_are_refused_by_the_name_of_the_body():
    host, guest = mjcf.RootElement('host'), arm('arm', 'settotalmass="400" boundmass="2.5"')
    host.attach(guest)
    with pytest.raises(
        MjcfError, match=r"'arm' is attached.* settotalmass, but the mass of body '[abf]"
    ):
        host.to_xml_string()


def test_a_model_whose_mass_cannot_be_told_is_refused_with_what_mujoco_says():
    host, guest = mjcf.RootElement('host'), arm('arm', 'settotalmass="4"')
    guest.find('body', 'b').add('geom', type='mesh', mesh='missing')
    host.attach(guest)
    with pytest.raises(MjcfError, match=r"(?s)'arm' is attached.*which failed: .*missing"):
        host.to_xml_string()


def test_a_model_without_mass_is_written_as_it_is():
    host, guest = mjcf.RootElement('host'), mjcf.RootElement('guest')
    guest.compiler.settotalmass = 3
    guest.worldbody.add('body', name='b', mocap=True)
    host.attach(guest, extra_body=False)
    assert compiled(host).body_mass.sum() == 0
