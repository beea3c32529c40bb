"""Models as MjSpec, and back."""

from __future__ import annotations

import re

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfError
from mujoco_ros_py.mjcf.spec.compiled_differences import differences

_CORNERS = [f'v {x} {y} {z}' for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
BOX = '\n'.join([*_CORNERS, 'f 1 2 3', 'f 6 7 8', 'f 1 5 4', ''])
MODEL = """
<mujoco model="crane">
  <compiler angle="radian" meshdir="meshes"/>
  <option timestep="0.003"/>
  <default><default class="thin"><geom size="0.1"/></default></default>
  <asset><mesh name="box" file="box.obj"/></asset>
  <worldbody>
    <frame pos="1 0 0" euler="0 0 0.3">
      <body name="mast" pos="0.1 0.2 0.3" childclass="thin">
        <joint name="turn" range="-1 1" ref="0.1"/><geom type="mesh" mesh="box"/><geom/>
      </body>
    </frame>
    <replicate count="2" offset="0 1 0"><geom size="0.3 0.2 0.1" type="box"/></replicate>
  </worldbody>
  <actuator><motor name="m" joint="turn" ctrlrange="-3 3"/></actuator>
  <keyframe><key name="k" qpos="0.3" ctrl="2"/></keyframe>
</mujoco>
"""
FILES = {'meshes/box.obj': BOX.encode()}


@pytest.fixture
def model():
    return mjcf.from_xml_string(MODEL, assets=FILES)


def compiled(model):
    return mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())


def spec_of(text, **assets):
    return mujoco.MjSpec.from_string(text, assets=assets)


def test_a_model_is_the_same_as_a_spec(model):
    spec = model.to_spec()
    assert spec.body('mast').name == 'mast'
    assert differences(compiled(model), spec.compile()) == []
    spec.body('mast').pos = [0, 0, 7]
    assert spec.compile().body('mast').pos[2] != compiled(model).body('mast').pos[2]


def test_a_spec_has_what_is_attached_and_the_files_that_are_read_before_it_is_compiled(model):
    arena = mjcf.RootElement(model='arena')
    arena.attach(model)
    part = b'<mujoco model="part"><worldbody><geom name="g" size="1"/></worldbody></mujoco>'
    arena.asset.add('model', name='part', file=mjcf.Asset(part, '.xml'))
    arena.worldbody.add('attach', model='part', prefix='p_')
    spec = arena.to_spec()
    assert spec.geom('p_g') is not None
    assert differences(compiled(arena), spec.compile()) == []


def test_a_model_of_a_spec_compiles_to_the_same(model):
    spec = model.to_spec()
    again = mjcf.from_spec(spec)
    assert differences(spec.compile(), compiled(again)) == []
    assert again.find('joint', 'turn').range.tolist() == [-1, 1]
    assert again.find('key', 'k').qpos.tolist() == [0.3]
    assert again.find('mesh', 'box').file.contents == BOX.encode()


def test_numbers_of_a_spec_keep_all_digits_and_are_written_in_few():
    spec = mujoco.MjSpec()
    spec.worldbody.add_body(name='third', pos=[1 / 3, 0.3, 0]).add_geom(size=[0.1, 0, 0])
    model = mjcf.from_spec(spec)
    assert model.find('body', 'third').pos.tolist() == [1 / 3, 0.3, 0]
    assert f'pos="{1 / 3} 0.3 0"' in model.to_xml_string()
    assert f'pos="{1 / 3} 0.3 0"' in model.to_source()
    copy = spec.copy()
    copy.compile()
    assert '0.333333 ' in copy.to_xml(), 'MuJoCo itself writes as it did'


def test_a_spec_is_not_changed_and_need_not_be_compiled():
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name='b')
    body.add_geom(size=[0.1, 0, 0])
    mjcf.from_spec(spec)
    body.add_joint(name='later')
    assert mjcf.from_spec(spec).find('joint', 'later') is not None


def test_files_of_a_spec_are_in_it_or_in_its_folder_or_given(tmp_path):
    folder = tmp_path / 'part' / 'meshes'
    folder.mkdir(parents=True)
    (folder / 'box.obj').write_text(BOX)
    (tmp_path / 'part' / 'part.xml').write_text(MODEL)
    part = mujoco.MjSpec.from_file(str(tmp_path / 'part' / 'part.xml'))
    assert mjcf.from_spec(part).find('mesh', 'box') is not None
    whole = mujoco.MjSpec()
    whole.attach(part, prefix='p_', frame=whole.worldbody.add_frame())
    with pytest.raises(OSError, match=r'box\.obj'):
        mjcf.from_spec(whole)
    model = mjcf.from_spec(whole, assets={'box.obj': BOX.encode()})
    assert compiled(model).mesh('p_box').vertnum[0] == 8


def test_what_mujoco_cannot_write_is_refused():
    spec = mujoco.MjSpec()
    texture = spec.add_texture(name='t', width=1, height=1, nchannel=3)
    texture.type, texture.data = mujoco.mjtTexture.mjTEXTURE_2D, bytes([1, 2, 3])
    with pytest.raises(MjcfError, match=r'MuJoCo cannot write spec .*texture'):
        mjcf.from_spec(spec)


@pytest.mark.parametrize(
    ('kind', 'section'),
    [
        ('actuators', '<actuator><motor {} joint="no"/></actuator>'),
        ('equalities', '<equality><joint {} joint1="no"/></equality>'),
        ('excludes', '<contact><exclude {} body1="no" body2="world"/></contact>'),
        ('pairs', '<contact><pair {} geom1="no" geom2="g"/></contact>'),
        ('sensors', '<sensor><framepos {} objtype="body" objname="no"/></sensor>'),
        ('tendons', '<tendon><fixed {}><joint joint="no" coef="1"/></fixed></tendon>'),
    ],
)
def test_what_refers_to_nothing_is_not_left_out_but_refused(kind, section):
    world = '<worldbody><geom name="g" size="1"/></worldbody>'
    for name, told in (('name="x"', 'x'), ('', 'an unnamed one')):
        spec = spec_of(f'<mujoco>{world}{section.format(name)}</mujoco>')
        with pytest.raises(
            MjcfError, match=f'some of its {kind} refer to missing elements: {told}$'
        ):
            mjcf.from_spec(spec)


def test_what_does_not_compile_is_refused():
    spec = spec_of('<mujoco model="m"><worldbody><body><joint/></body></worldbody></mujoco>')
    with pytest.raises(MjcfError, match=re.escape("spec 'm' does not compile: ") + '.*mass'):
        mjcf.from_spec(spec)


@pytest.mark.parametrize(
    ('other', 'field'),
    [
        ('size="0.2 7"', 'geom_size'),
        ('size="0.1 7"', None),
        ('size="0.1" name="g"', 'names'),
        ('size="0.1" rgba="1 0 0 1"', 'geom_rgba'),
        ('size="0.10000000001"', None),
    ],
)
def test_models_differ_in_what_means_something(other, field):
    models = [
        mujoco.MjModel.from_xml_string(
            f'<mujoco><worldbody><geom {attributes}/></worldbody></mujoco>'
        )
        for attributes in ('size="0.1"', other)
    ]
    found = differences(*models)
    assert field in found if field else found == []


def test_models_of_other_options_and_other_lengths_differ():
    texts = '', '<option timestep="1"/>', '<worldbody><geom size="1"/></worldbody>'
    plain, slow, large = (
        mujoco.MjModel.from_xml_string(f'<mujoco>{text}</mujoco>') for text in texts
    )
    assert differences(plain, plain) == []
    assert differences(plain, slow) == ['opt.timestep']
    assert 'geom_size' in differences(plain, large)
    slow.opt.timestep = plain.opt.timestep
    slow.opt.gravity = [0, 0, np.nan]
    assert differences(plain, slow) == ['opt.gravity']
