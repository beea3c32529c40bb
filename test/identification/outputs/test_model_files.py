"""The fitted model: the edited source, its overlay and its diff."""

from __future__ import annotations

import json
import shutil
import subprocess
from math import inf

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.identification.outputs import write_outputs
from mujoco_ros_py.urdf import read_urdf_file

from .fitted import fitted, parameter

ARM = """\
<mujoco model="arm">
  <!-- measured in 2024 -->
  <compiler meshdir="../meshes"/>
  <include file="parts/classes.xml"/>
  <asset><mesh file="wedge.obj"/></asset>
  <worldbody>
    <body name="upper">
      <joint name="elbow"  axis='0 1 0' damping="1" class="strong"/>
      <geom name="bone"   type="mesh" mesh="wedge" mass="1.5"/>
      <body name="fore" pos="0 0 .3">
        <joint name="wrist" class="strong"/>
        <geom name="hand" size=".05" friction="0.9"/> <!-- a ball -->
      </body>
      <body name="other"><joint name="thumb" class="strong"/><geom size=".05"/></body>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="elbow" gear="3"/></actuator>
</mujoco>
"""
CLASSES = """\
<mujocoinclude>
  <default>
    <default class="strong">
      <joint damping="2" armature="0.1"/> <!-- of the data sheet -->
    </default>
  </default>
</mujocoinclude>
"""
WEDGE = """\
v 0 0 0
v 0.1 0 0
v 0 0.1 0
v 0 0 0.1
f 1 3 2
f 1 2 4
f 2 3 4
f 1 4 3
"""


@pytest.fixture
def arm(tmp_path):
    """Returns the path of a model with an included file, and a mesh beside its folder."""
    folder = tmp_path / 'robot' / 'mjcf'
    (folder / 'parts').mkdir(parents=True)
    (folder.parent / 'meshes').mkdir()
    (folder / 'arm.xml').write_text(ARM)
    (folder / 'parts/classes.xml').write_text(CLASSES)
    (folder.parent / 'meshes/wedge.obj').write_text(WEDGE)
    return folder / 'arm.xml'


def edits_of(edits, half_width=0.1):
    numbers = [
        parameter(place, float(np.ravel(value)[0]), half_width)
        for place, value in edits.items()
        if not isinstance(value, dict)
    ]
    return fitted(numbers, edits)


def text_of(arm, tmp_path, edits, half_width=0.1):
    write_outputs(tmp_path / 'twin', arm, edits_of(edits, half_width))
    return (tmp_path / 'twin/arm.xml').read_text()


def test_only_the_fitted_numbers_change_in_the_source(arm, tmp_path):
    edits = {'elbow.damping[0]': 1.25, 'motor.gear[0]': 3.5, 'hand.friction[1]': 0.0123}
    text = text_of(arm, tmp_path, edits)
    wanted = ARM.replace('damping="1"', 'damping="1.25"').replace('gear="3"', 'gear="3.5"')
    wanted = wanted.replace('friction="0.9"', 'friction="0.9 0.0123"')
    wanted = wanted.replace('"../meshes"', '"../robot/meshes"')
    assert text == wanted
    assert (tmp_path / 'twin/parts/classes.xml').read_text() == CLASSES


def test_the_twin_loads_from_its_folder_and_from_elsewhere(arm, tmp_path, monkeypatch):
    monkeypatch.chdir(arm.parent)
    result = edits_of({'elbow.damping[0]': 1.25, 'wrist.armature': 0.5, 'thumb.armature': 0.5})
    write_outputs('../twin', 'arm.xml', result)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / 'robot/twin/arm.xml'))
    assert model.joint('elbow').damping[0] == 1.25
    assert model.joint('wrist').armature == 0.5
    assert model.nmesh == 1


def test_a_number_of_a_class_changes_in_the_class_only_if_all_its_elements_get_it(arm, tmp_path):
    every = {f'{joint}.armature': 0.25 for joint in ('elbow', 'wrist', 'thumb')}
    text = text_of(arm, tmp_path, every)
    assert text == ARM.replace('"../meshes"', '"../robot/meshes"')
    classes = (tmp_path / 'twin/parts/classes.xml').read_text()
    assert classes == CLASSES.replace('armature="0.1"', 'armature="0.25"')
    shutil.rmtree(tmp_path / 'twin')
    some = {'elbow.armature': 0.25, 'wrist.armature': 0.25}
    text = text_of(arm, tmp_path, some)
    assert '<joint name="wrist" class="strong" armature="0.25"/>' in text
    assert (tmp_path / 'twin/parts/classes.xml').read_text() == CLASSES


def test_a_class_is_not_changed_if_its_elements_get_different_numbers(arm, tmp_path):
    some = {'elbow.armature': 0.25, 'wrist.armature': 0.25, 'thumb.armature': 0.3}
    text = text_of(arm, tmp_path, some)
    assert text.count('armature="0.25"') == 2
    assert text.count('armature="0.3"') == 1


def test_an_element_with_its_own_number_does_not_hinder_the_class(arm, tmp_path):
    text_of(arm, tmp_path, {'wrist.damping[0]': 5.0, 'thumb.damping[0]': 5.0})
    assert 'damping="5"' in (tmp_path / 'twin/parts/classes.xml').read_text()
    model = mujoco.MjModel.from_xml_path(str(tmp_path / 'twin/arm.xml'))
    assert model.dof_damping.reshape(3, -1)[:, 0].tolist() == [1, 5, 5]


def test_the_overlay_and_the_diff_give_the_same_model(arm, tmp_path):
    inertial = {'pos': [0, 0, 0.1], 'mass': 2.0, 'fullinertia': [0.02, 0.02, 0.01, 0.001, 0, 0]}
    edits = {
        'elbow.damping[0]': 1.25, 'option.timestep': 0.001, 'upper.inertial': inertial,
        'elbow.armature': 0.2, 'wrist.armature': 0.2, 'thumb.armature': 0.2,
    }  # fmt: skip
    text_of(arm, tmp_path, edits)
    twin = mjcf.from_path(tmp_path / 'twin/arm.xml')
    model = mjcf.from_path(arm)
    mjcf.apply_overlay(model, mjcf.from_path(tmp_path / 'twin/overlay.xml'))
    changed = {each.attribute for each in mjcf.diff(model, twin)}
    assert changed == {'meshdir'}
    diff = (tmp_path / 'twin/model.diff').read_text()
    assert 'a/parts/classes.xml' in diff
    assert 'meshdir' not in ''.join(line for line in diff.splitlines() if line[0] in '+-')
    if shutil.which('patch'):
        subprocess.run(
            ['patch', '-p1', '--quiet'], input=diff, cwd=arm.parent, text=True, check=True
        )
        assert {each.attribute for each in mjcf.diff(mjcf.from_path(arm), twin)} == {'meshdir'}


def test_includes_from_above_the_folder_are_put_into_the_source(arm, tmp_path):
    (arm.parent.parent / 'classes.xml').write_text(CLASSES)
    arm.write_text(ARM.replace('parts/classes.xml', '../classes.xml'))
    text = text_of(arm, tmp_path, {'elbow.damping[0]': 1.25})
    assert '<include' not in text
    assert not (tmp_path / 'classes.xml').exists()
    mujoco.MjModel.from_xml_path(str(tmp_path / 'twin/arm.xml'))


@pytest.mark.parametrize(
    ('half_width', 'written'),
    [(0.1, '1.235'), (0.02, '1.2346'), (5.0, '1.23'), (1e-9, '1.23456789012'), (inf, '1.23457')],
)
def test_numbers_have_the_digits_that_their_interval_justifies(arm, tmp_path, half_width, written):
    text = text_of(arm, tmp_path, {'elbow.damping[0]': 1.23456789012}, half_width)
    assert f'damping="{written}"' in text


def test_a_rounded_inertia_stays_possible(arm, tmp_path):
    flat = [0.0123456789, 0.0123456788, 0.0246913576, 0, 0, 0]
    inertial = {'pos': [0, 0, 1 / 3], 'mass': 1.23456789, 'fullinertia': flat}
    wide = parameter('mass of upper', 1.23456789, 0.5, places=('upper.inertial',))
    write_outputs(tmp_path / 'twin', arm, fitted([wide], {'upper.inertial': inertial}))
    model = mujoco.MjModel.from_xml_path(str(tmp_path / 'twin/arm.xml'))
    assert model.body('upper').mass == pytest.approx(1.23456789, rel=0.01)
    assert model.body('upper').inertia == pytest.approx(sorted(flat[:3])[::-1], rel=0.01)


def test_a_folder_with_files_is_not_replaced_without_force(arm, tmp_path):
    twin, result = tmp_path / 'twin', edits_of({'elbow.damping[0]': 1.25})
    twin.mkdir()
    (twin / 'notes.txt').write_text('mine')
    with pytest.raises(ConfigError, match='twin already exists; use --force'):
        write_outputs(twin, arm, result)
    assert [each.name for each in twin.iterdir()] == ['notes.txt']
    written = write_outputs(twin, arm, result, force=True)
    assert (twin / 'notes.txt').read_text() == 'mine'
    assert twin / 'result.json' in written
    write_outputs(twin, arm, edits_of({'elbow.damping[0]': 2.5}), force=True)
    assert 'damping="2.5"' in (twin / 'arm.xml').read_text()


def test_the_source_is_never_replaced(arm):
    with pytest.raises(ConfigError, match=r'arm\.xml is an input'):
        write_outputs(arm.parent, arm, edits_of({'elbow.damping[0]': 1.25}), force=True)
    assert arm.read_text() == ARM
    assert sorted(each.name for each in arm.parent.iterdir()) == ['arm.xml', 'parts']
    assert [each.name for each in arm.parent.parent.iterdir()] == ['mjcf', 'meshes']


def test_an_unknown_place_leaves_no_files(arm, tmp_path):
    with pytest.raises(ValueError, match="unknown element 'elbw'"):
        write_outputs(tmp_path / 'twin', arm, edits_of({'elbw.damping[0]': 1.25}))
    assert [each.name for each in tmp_path.iterdir()] == ['robot']


URDF = """\
<?xml version="1.0"?>
<robot name="arm">
  <!-- from CAD -->
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.1" rpy="0.1 0 0"/>
      <mass value="1.0"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>
    </inertial>
  </link>
  <link name="fore"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="elbow" type="revolute">
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10"  velocity="2"/> <!-- of the drive -->
  </joint>
  <joint name="wrist" type="continuous">
    <parent link="upper"/>
    <child link="fore"/>
    <dynamics damping="0.5"/>
  </joint>
</robot>
"""


def test_a_urdf_gets_what_it_can_hold_and_the_rest_is_named(tmp_path):
    (tmp_path / 'arm.urdf').write_text(URDF)
    inertial = {'pos': [0, 0, 0.2], 'mass': 2.0, 'fullinertia': [0.02, 0.02, 0.01, 0.001, 0, 0]}
    edits = {
        'elbow.damping[0]': 0.25, 'elbow.frictionloss': 0.5, 'wrist.damping[0]': 0.75,
        'elbow.armature': 0.125, 'upper.inertial': inertial, 'fore.inertial': inertial,
    }  # fmt: skip
    write_outputs(tmp_path / 'twin', tmp_path / 'arm.urdf', edits_of(edits))
    text = (tmp_path / 'twin/arm.urdf').read_text()
    assert '<!-- from CAD -->' in text
    assert '<dynamics friction="0.5" damping="0.25"/>' in text.replace(
        'damping="0.25" friction="0.5"', 'friction="0.5" damping="0.25"'
    )
    assert 'effort="10"  velocity="2"/> <!-- of the drive -->' in text
    kept = set(URDF.splitlines()) & set(text.splitlines())
    assert len(kept) > len(URDF.splitlines()) - 8
    twin = read_urdf_file(tmp_path / 'twin/arm.urdf').model
    whole = mjcf.from_path(tmp_path / 'twin/arm.xml')
    for place in ('elbow.damping', 'elbow.frictionloss', 'wrist.damping'):
        assert np.array_equal(mjcf.get_place(twin, place), mjcf.get_place(whole, place))
    for place in ('upper.inertial', 'fore.inertial'):
        for key, value in mjcf.get_place(twin, place).items():
            assert np.allclose(value, inertial[key])
            assert np.allclose(mjcf.get_place(whole, place)[key], inertial[key])
    struct = json.loads((tmp_path / 'twin/result.json').read_text())
    assert struct['not_in_urdf'] == ['elbow.armature']
    assert struct['warnings'] == ['URDF cannot hold elbow.armature; the overlay has these values']
    assert mjcf.get_place(whole, 'elbow.armature') == 0.125
    model = read_urdf_file(tmp_path / 'arm.urdf').model
    mjcf.apply_overlay(model, mjcf.from_path(tmp_path / 'twin/overlay.xml'))
    assert mjcf.get_place(model, 'elbow.armature') == 0.125


def test_a_model_from_a_zip_is_written_with_its_files(arm, tmp_path):
    mjcf.export_with_assets_as_zip(mjcf.from_path(arm), tmp_path, 'arm')
    write_outputs(tmp_path / 'twin', tmp_path / 'arm.zip', edits_of({'elbow.damping[0]': 1.25}))
    model = mujoco.MjModel.from_xml_path(str(tmp_path / 'twin/robot.xml'))
    assert model.joint('elbow').damping[0] == 1.25
