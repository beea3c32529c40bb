"""Options and defaults of attached models."""

from __future__ import annotations

import copy

import mujoco
import pytest

from mujoco_ros_py import mjcf

BALL = '<worldbody><body name="b"><joint name="j"/><geom name="g" size="1"/></body></worldbody>'


def model(sections: str = '', name: str = 'child'):
    return mjcf.from_xml_string(f'<mujoco model="{name}">{sections}{BALL}</mujoco>')


def attached(parent, child):
    parent.attach(child)
    return mujoco.MjModel.from_xml_string(parent.to_xml_string())


def test_defaults_hold_for_their_own_model_alone():
    parent = model('<default><geom rgba="1 0 0 1"/><default class="x"/></default>', 'parent')
    child = model('<default><joint damping="3"/><default class="x"><geom mass="7"/></default>'
                  '</default>')  # fmt: skip
    child.find('geom', 'g').dclass = 'x'
    both = attached(parent, child)
    assert both.geom('g').rgba.tolist() == [1, 0, 0, 1]
    assert both.geom('child/g').rgba.tolist() == [0.5, 0.5, 0.5, 1]
    assert [both.joint(name).damping[0] for name in ('j', 'child/j')] == [0, 3]
    assert both.body('child/b').mass[0] == 7
    assert child.default.joint.damping == 3, 'within the model it is the outermost class'


def test_the_outermost_class_may_be_called_main():
    parent = model('<default class="main"><geom rgba="1 0 0 1"/></default>', 'parent')
    child = model('<default class="main"><geom rgba="0 1 0 1"/></default>')
    child.find('geom', 'g').dclass = 'main'
    both = attached(parent, child)
    assert both.geom('g').rgba.tolist() == [1, 0, 0, 1]
    assert both.geom('child/g').rgba.tolist() == [0, 1, 0, 1]


def test_childclass_of_the_parent_does_not_reach_into_an_attached_model():
    parent = mjcf.from_xml_string("""
        <mujoco model="parent">
          <default><default class="red"><geom rgba="1 0 0 1"/></default></default>
          <worldbody><body childclass="red"><geom name="g" size="1"/><site name="s"/></body>
          </worldbody>
        </mujoco>
    """)
    child = model()
    parent.find('site', 's').attach(child)
    both = mujoco.MjModel.from_xml_string(parent.to_xml_string())
    assert both.geom('g').rgba.tolist() == [1, 0, 0, 1]
    assert both.geom('child/g').rgba.tolist() == [0.5, 0.5, 0.5, 1]


def test_an_option_that_one_model_sets_holds_for_both():
    parent, child = model(name='parent'), model('<option gravity="0 0 -1"/>')
    assert attached(parent, child).opt.gravity.tolist() == [0, 0, -1]
    assert parent.option.gravity.tolist() == [0, 0, -1]


@pytest.mark.parametrize(
    ('section', 'ours', 'theirs'),
    [
        ('option', 'gravity="0 0 -1"', 'gravity="0 0 -2"'),
        ('compiler', 'angle="radian"', 'angle="degree"'),
        ('option', 'integrator="Euler"', 'integrator="RK4"'),
        ('statistic', 'extent="1"', 'extent="2"'),
    ],
)
def test_models_that_disagree_on_an_option_are_not_attached(section, ours, theirs):
    parent, child = model(f'<{section} {ours}/>', 'parent'), model(f'<{section} {theirs}/>')
    before = parent.to_xml_string(), child.to_xml_string()
    with pytest.raises(ValueError, match=f'<{section}>: the models disagree on'):
        parent.attach(child)
    assert (parent.to_xml_string(), child.to_xml_string()) == before


@pytest.mark.parametrize(
    ('key', 'ours', 'theirs'),
    [
        ('boundmass', 0, 1), ('boundinertia', 0, 1), ('fitaabb', 'false', 'true'),
        ('discardvisual', 'false', 'true'), ('fusestatic', 'false', 'true'),
        ('inertiafromgeom', 'auto', 'true'), ('inertiagrouprange', '0 5', '0 1'),
    ],
)  # fmt: skip
def test_a_model_that_says_the_default_does_not_get_what_another_one_says(key, ours, theirs):
    one, other = (f'<compiler {key}="{value}"/>' for value in (ours, theirs))
    for host, guest in ((one, other), (other, one)):
        with pytest.raises(ValueError, match=f'disagree on {key}'):
            model(host, 'parent').attach(model(guest))


def test_models_that_disagree_on_a_flag_are_not_attached():
    parent = model('<option><flag contact="disable"/></option>', 'parent')
    with pytest.raises(ValueError, match='<flag>: the models disagree on contact'):
        parent.attach(model('<option><flag contact="enable"/></option>'))


def test_of_two_accuracies_and_sizes_the_stricter_and_the_larger_hold():
    parent = model('<option timestep="0.002" iterations="10"/><size memory="1M"/>', 'parent')
    child = model('<option timestep="0.001" iterations="20"/><size memory="512K"/>')
    both = attached(parent, child)
    assert (both.opt.timestep, both.opt.iterations) == (0.001, 20)
    assert parent.size.memory == '1M'


@pytest.mark.parametrize('host_sets_memory', [True, False])
def test_memory_of_one_model_holds_beside_old_sizes_of_another(host_sets_memory):
    sizes = '<size memory="1M"/>', '<size njmax="100" nstack="1000" nconmax="9"/>'
    host, guest = sizes if host_sets_memory else reversed(sizes)
    both = attached(model(host, 'parent'), model(guest))
    assert (both.narena, both.njmax, both.nconmax) == (2**20, 100, 9)


def test_numbers_of_users_and_keys_suffice_for_all_models():
    parent = model('<size nuser_geom="1" nkey="1"/>', 'parent')
    child = model('<size nuser_geom="2" nkey="3"/>')
    parent.find('geom', 'g').user, child.find('geom', 'g').user = [1], [2, 3]
    both = attached(parent, child)
    assert both.geom_user.tolist() == [[1, 0], [2, 3]]
    assert both.nkey == 3


def test_what_an_attached_model_is_told_to_write_parses_again():
    parent = model('<default><geom rgba="1 0 0 1"/></default>', 'parent')
    parent.attach(model('<default><default class="x"/></default>'))
    text = parent.to_xml_string()
    assert mjcf.from_xml_string(text).to_xml_string() == text


@pytest.mark.parametrize('section', ['option', 'visual'])
def test_a_section_with_options_of_an_attached_model_too_is_removed_only_when_that_is_meant(
    section,
):
    parent = model('<statistic extent="3"/>', 'parent')
    parent.attach(model('<option><flag contact="disable"/></option><visual><map znear="1"/>'
                        '</visual>'))  # fmt: skip
    before = parent.to_xml_string()
    with pytest.raises(ValueError, match=r"attached model 'child' also sets (cont|zn)"):
        delattr(parent, section)
    assert parent.to_xml_string() == before
    getattr(parent, section).remove(affect_attachments=True)
    assert f'<{section}' not in parent.to_xml_string()
    del parent.statistic
    assert 'statistic' not in parent.to_xml_string(), 'that is of this model alone'


@pytest.mark.parametrize('edit_before_writing', [False, True])
def test_a_section_that_is_removed_with_attachments_is_empty_in_all_attached_models(
    edit_before_writing,
):
    pair = '<contact><pair geom1="g" geom2="h"/></contact>'
    models = [model(f'<option gravity="0 0 1"/>{pair}', name) for name in ('a', 'b', 'c')]
    for each in models:
        each.worldbody.add('geom', name='h', size=[1])
    models[1].attach(models[2])
    models[0].attach(models[1])
    models[0].option.remove(affect_attachments=True)
    models[0].contact.remove(affect_attachments=True)
    assert [each.option.gravity for each in models] == [None] * 3
    assert [each.contact.all_children() for each in models] == [[]] * 3
    if edit_before_writing:
        models[1].option.timestep = 0.5
    text = models[0].to_xml_string()
    assert 'pair' not in text
    assert 'gravity' not in text


def test_an_attached_models_angles_stay_what_they_are_if_the_hosts_compiler_is_removed():
    parent, child = model('<compiler angle="radian"/>', 'parent'), model('')
    child.compiler.angle = 'radian'
    parent.attach(child)
    parent.compiler.remove(affect_attachments=True)
    assert child.compiler.angle == 'radian'


def test_what_is_in_no_model_any_more_is_emptied_as_ever():
    parent = model('<default><default class="x"><geom size="2"/></default></default>', 'parent')
    parent.attach(model('<option timestep="1"/>'))
    removed = parent.find('default', 'x')
    removed.remove()
    del removed.geom
    assert removed.geom.size is None


def test_what_an_attached_models_angles_mean_stays_whatever_is_removed_or_edited():
    parent, child = mjcf.RootElement(model='parent'), model('<compiler angle="radian"/>')
    child.find('joint', 'j').range = [0, 1]
    parent.attach(child)
    del parent.compiler
    assert '<compiler angle="radian"/>' in parent.to_xml_string()
    child.compiler.angle = None
    parent.compiler.angle = None
    assert 'compiler' not in parent.to_xml_string()
    child.compiler.angle = 'radian'
    assert '<compiler angle="radian"/>' in parent.to_xml_string()


def three_models():
    arena, robot, gripper = (mjcf.RootElement(model=name) for name in ('a', 'r', 'g'))
    arena.worldbody.attach(robot)
    return arena, robot, gripper


def test_options_of_a_model_that_is_attached_to_an_attached_one_reach_the_topmost():
    arena, robot, gripper = three_models()
    gripper.option.integrator = 'RK4'
    robot.worldbody.attach(gripper)
    assert robot.option.integrator == arena.option.integrator == 'RK4'


def test_a_model_whose_options_the_topmost_does_not_have_is_not_attached():
    arena, robot, gripper = three_models()
    arena.option.integrator, gripper.option.integrator = 'Euler', 'RK4'
    with pytest.raises(ValueError, match='disagree on integrator: Euler in the host, RK4 in the'):
        robot.worldbody.attach(gripper)
    assert robot.option.integrator is None
    assert gripper.parent_model is None


def test_options_that_are_set_in_an_attached_model_later_are_written():
    arena, robot, gripper = three_models()
    robot.worldbody.attach(gripper)
    gripper.option.gravity = [0, 0, 1]
    gripper.visual.headlight.ambient = [1, 0, 0]
    assert '<option gravity="0 0 1"/>' in copy.deepcopy(arena).to_xml_string()
    assert '<option gravity="0 0 1"/>' in arena.to_xml_string()
    assert robot.option.gravity[2] == 1
    assert arena.visual.headlight.ambient.tolist() == [1, 0, 0]


def test_options_that_are_set_in_an_attached_model_later_and_differ_are_refused():
    arena, robot, _ = three_models()
    arena.option.integrator = 'Euler'
    robot.option.integrator = 'RK4'
    with pytest.raises(ValueError, match='disagree on integrator: Euler in the host, RK4 in the'):
        arena.to_xml_string()


def test_what_is_set_in_the_topmost_model_later_holds():
    arena, robot = mjcf.RootElement(model='a'), mjcf.RootElement(model='r')
    robot.option.timestep, robot.option.gravity = 0.001, [0, 0, 1]
    arena.worldbody.attach(robot)
    robot.option.timestep = 0.0005
    arena.to_xml_string()
    arena.option.timestep, arena.option.gravity = 0.002, [0, 0, 2]
    assert '<option timestep="0.002" gravity="0 0 2"/>' in arena.to_xml_string()
