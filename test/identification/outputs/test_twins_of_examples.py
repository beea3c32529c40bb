"""The twins of the shipped models, with random numbers."""

from __future__ import annotations

import random
from math import inf
from pathlib import Path

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.identification.outputs.model_edits import apply_edits
from mujoco_ros_py.identification.outputs.model_files import Twin, read_twin, write_model
from mujoco_ros_py.identification.outputs.written_numbers import written_edits

from .fitted import fitted, parameter

EXAMPLES = sorted((Path(__file__).parents[3] / 'examples').glob('*.xml'))
KEYS = {
    'joint': ('damping[0]', 'armature', 'frictionloss'),
    'geom': ('friction[0]', 'friction[1]'),
    'actuator': ('gear[0]', 'kp'),
}
FIELDS = (
    'dof_damping', 'dof_armature', 'dof_frictionloss', 'geom_friction', 'actuator_gear',
    'actuator_gainprm', 'actuator_biasprm', 'body_mass', 'body_ipos', 'body_inertia',
)  # fmt: skip


def random_edits(model, seed):
    """Returns numbers for some elements, or the same number for all elements of a kind."""
    draw = random.Random(seed)
    edits = {}
    for kind, keys in KEYS.items():
        names = [each.name for each in model.find_all(kind) if each.name]
        for key in keys:
            value = draw.uniform(0.1, 2.0)
            chosen = names if seed % 2 else draw.sample(names, min(2, len(names)))
            for name in chosen:
                place = f'{kind}:{name}.{key}'
                try:
                    if mjcf.get_place(model, place) is not None:
                        edits[place] = value if seed % 2 else draw.uniform(0.1, 2.0)
                except AttributeError:  # free joints, and actuators without gains
                    continue
    return edits


def numbers(model):
    return {name: np.array(getattr(model, name)) for name in FIELDS}


def compiled(model):
    return mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())


@pytest.mark.parametrize('seed', range(4))
@pytest.mark.parametrize('path', EXAMPLES, ids=lambda path: path.stem)
def test_the_twin_and_the_overlay_are_the_model_with_these_numbers(path, seed, tmp_path):
    edits = random_edits(mjcf.from_path(path), seed)
    places = [parameter(place, value, inf) for place, value in edits.items()]
    written = written_edits(fitted(places, edits))
    twin: Twin = read_twin(str(path), written)
    write_model(twin, tmp_path, tmp_path)
    wanted = mjcf.from_path(path)
    for place, value in written.items():
        mjcf.set_place(wanted, place, value)
    overlaid = mjcf.from_path(path)
    mjcf.apply_overlay(overlaid, mjcf.from_path(tmp_path / 'overlay.xml'))
    made = mujoco.MjModel.from_xml_path(str(tmp_path / path.name))
    for name, array in numbers(compiled(wanted)).items():
        assert np.array_equal(array, getattr(made, name)), name
        assert np.array_equal(array, getattr(compiled(overlaid), name)), name
    lines = (tmp_path / path.name).read_text().count('\n')
    assert lines <= path.read_text().count('\n') + len(edits)


def test_edits_without_a_change_leave_the_source_as_it_is():
    for path in EXAMPLES:
        model = mjcf.from_path(path)
        before = model.to_source()
        joints = [f'joint:{each.name}.armature' for each in model.find_all('joint') if each.name]
        same = {}
        for place in joints:
            try:
                same[place] = mjcf.get_place(model, place)
            except AttributeError:
                continue
        own = [place for place in same if _is_own(model, place)]
        apply_edits(model, {place: same[place] for place in own})
        assert model.to_source() == before


def _is_own(model, place):
    element, attribute, _ = mjcf.element_of_place(model, place)
    return getattr(element, attribute) is not None
