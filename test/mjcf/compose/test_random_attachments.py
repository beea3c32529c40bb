"""Random attachments, removals, renamings and copies: MuJoCo compiles the expected model."""

from __future__ import annotations

import copy

import mujoco
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mujoco_ros_py import mjcf

pytestmark = pytest.mark.slow

NAMES = 'a', 'b', 'c'


def part(chance):
    """Returns a model with a chain of bodies; some are unnamed."""
    model = mjcf.RootElement(model=chance.choice(NAMES))
    place = model.worldbody
    for number in range(chance.randint(1, 3)):
        named = {'name': f'body_{number}'} if chance.random() < 0.5 else {}
        place = place.add('body', pos=[0, 0, number + 1], **named)
        place.add('joint', name=f'joint_{number}')
        place.add('geom', size=[0.1])
        place.add('site', pos=[number, 0, 0])
    return model


def attach(model, chance):
    site = chance.choice(model.find_all('site', exclude_attachments=True))
    site.attach(part(chance), extra_body=chance.random() < 0.5)


def move(model, chance):
    parent = model.parent_model
    if parent is not None:
        model.detach()
        site = chance.choice(parent.find_all('site', exclude_attachments=True))
        site.attach(model, extra_body=chance.random() < 0.5)


def rename(model, chance):
    model.find_all('joint', exclude_attachments=True)[0].name = f'renamed_{chance.randrange(9)}'
    name = chance.choice(NAMES)
    taken = () if model.parent_model is None else model.parent_model.frames
    if name not in taken:
        model.model = name


@given(chance=st.randoms(use_true_random=False), times=st.integers(1, 12))
@settings(max_examples=settings.default.max_examples // 3)
def test_random_attachments_are_compiled_as_they_are(chance, times):
    top = part(chance)
    for _ in range(times):
        model = chance.choice([top, *top.attachments_below()])
        chance.choice([attach, attach, move, rename])(model, chance)
        if chance.random() < 0.2:
            top = check_copy(top)
    check_bindings(top)


def check_copy(model):
    made = copy.deepcopy(model)
    assert made.is_same_as(model)
    assert made.to_xml_string() == model.to_xml_string()
    return made


def check_bindings(top):
    """Checks that the written names find all elements, and that each binds to its MuJoCo id."""
    written = top.to_xml_string()
    assert mjcf.from_xml_string(written).to_xml_string().split() == written.split()
    compiled = mujoco.MjModel.from_xml_string(written)
    physics = mjcf.Physics.from_mjcf_model(top)
    for joint in top.find_all('joint'):
        assert physics.bind(joint).element_id == compiled.joint(joint.full_identifier).id
        assert top.find('joint', joint.full_identifier) is joint
    for kind, count in (('body', compiled.nbody - 1), ('geom', compiled.ngeom)):
        elements = top.find_all(kind)
        assert len(elements) == count
        assert len(set(physics.bind(elements).element_id.tolist())) == count
        for element in elements:
            number = physics.bind(element).element_id
            assert (
                mujoco.mj_id2name(
                    physics.model, getattr(mujoco.mjtObj, f'mjOBJ_{kind.upper()}'), number
                )
                == element.full_identifier
            )
