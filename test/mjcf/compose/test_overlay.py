"""Overlays, which change attributes of another model."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfKeyError
from mujoco_ros_py.mjcf.tools.commands import run

ARM = """
<mujoco model="arm">
  <default>
    <default class="strong"><joint damping="2"/><geom rgba="1 0 0 1"/></default>
  </default>
  <worldbody>
    <!-- not named -->
    <body>
      <inertial pos="0 0 0.5" mass="2" diaginertia="1 2 2.5" euler="90 0 0"/>
      <joint name="elbow" class="strong"/>
      <geom size="0.1"/>
      <body name="hand"><joint name="wrist"/><geom name="palm" size="0.1" mass="3"/></body>
    </body>
  </worldbody>
  <actuator><position name="servo" joint="elbow" kp="5"/></actuator>
  <sensor><jointpos name="angle" joint="elbow"/></sensor>
</mujoco>
"""


def compiled(model):
    return mujoco.MjModel.from_xml_string(model.to_xml_string())


@pytest.fixture
def changed():
    """Returns a model with changes, and the overlay with these changes."""
    model = mjcf.from_xml_string(ARM)
    section = model.find('default', 'strong').joint
    section.damping = [3.5]
    model.option.timestep = 0.004
    model.default.geom.friction = [0.5]
    edits = {
        'wrist.armature': 0.25,
        'servo.kp': 7.5,
        'angle.noise': 0.5,
        'hand.inertial': {'pos': [0, 0, 1], 'mass': 4, 'fullinertia': [1, 1, 1, 0.1, 0, 0]},
    }
    for place, value in edits.items():
        mjcf.set_place(model, place, value)
    hand = model.find('body', 'hand').inertial
    pairs = [
        (section, 'damping'),
        (model.option, 'timestep'),
        (model.default.geom, 'friction'),
        *((hand, key) for key in ('pos', 'mass', 'fullinertia')),
        *(mjcf.element_of_place(model, place)[:2] for place in list(edits)[:3]),
    ]
    return model, mjcf.overlay_of(model, pairs)


def test_an_overlay_has_only_the_changed_attributes_and_restores_the_changes(changed):
    model, overlay = changed
    text = overlay.to_xml_string()
    assert 'palm' not in text
    assert 'rgba' not in text
    assert len(text.splitlines()) < 30
    again = mjcf.from_xml_string(ARM)
    mjcf.apply_overlay(again, mjcf.from_xml_string(text))
    assert mjcf.diff(model, again) == []
    assert again.to_source().count('<!-- not named -->') == 1


BALL = """
<mujoco>
  <worldbody><body name="b"><inertial mass="1" pos="0 0 0" {}/></body></worldbody>
</mujoco>
"""
MOMENTS = 'diaginertia="1 1 1.5" euler="30 0 0"', 'fullinertia="1 1 1 0.1 0 0"'


@pytest.mark.parametrize(('before', 'after'), [MOMENTS, MOMENTS[::-1]])
def test_an_overlay_replaces_an_inertia_written_in_the_other_way(before, after):
    model, overlay = (mjcf.from_xml_string(BALL.format(each)) for each in (before, after))
    mjcf.apply_overlay(model, overlay)
    assert np.allclose(compiled(model).body_inertia, compiled(overlay).body_inertia)
    assert np.allclose(compiled(model).body_iquat, compiled(overlay).body_iquat)


def test_an_overlay_of_another_model_changes_nothing(changed):
    _, overlay = changed
    other = mjcf.from_xml_string(ARM.replace('servo', 'motor'))
    before = other.to_xml_string()
    with pytest.raises(MjcfKeyError, match='the model has no <position> of this name'):
        mjcf.apply_overlay(other, overlay)
    assert other.to_xml_string() == before


def test_the_command_applies_an_overlay_and_keeps_the_layout(changed, tmp_path, capsys):
    (tmp_path / 'arm.xml').write_text(ARM)
    (tmp_path / 'overlay.xml').write_text(changed[1].to_xml_string())
    files = str(tmp_path / 'arm.xml'), str(tmp_path / 'overlay.xml')
    assert run(['overlay', *files, '-o', str(tmp_path / 'twin.xml')]) == 0
    twin = mjcf.from_path(tmp_path / 'twin.xml')
    assert mjcf.diff(changed[0], twin) == []
    assert '<!-- not named -->' in (tmp_path / 'twin.xml').read_text()
    (tmp_path / 'arm.xml').write_text('<mujoco/>')
    assert run(['overlay', *files]) == 2
    assert 'overlay.xml:' in capsys.readouterr().err
