"""Keys of randomly composed models."""

from __future__ import annotations

import random

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf

JOINTS = 'hinge', 'slide', 'ball'
ACTUATORS = ('motor', {}), ('position', {}), ('general', {'dyntype': 'integrator'})


class Composer:
    """Makes random models, with other models attached at random sites."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._numbers = np.random.default_rng(seed)

    def model(self, depth: int) -> mjcf.RootElement:
        """Returns a model whose key is added either before or after models are attached to it."""
        model = mjcf.RootElement(model=self._random.choice('xyz'))
        self._fill(model.worldbody, 0)
        for joint in model.find_all('joint'):
            if joint.type != 'ball':
                tag, attributes = self._random.choice(ACTUATORS)
                model.actuator.add(tag, name=f'{tag}_{joint.name}', joint=joint, **attributes)
        early = self._random.random() < 0.5
        if early:
            self._add_key(model)
        for _ in range(self._random.randint(0, 2) if depth else 0):
            self._attach(model, self.model(depth - 1))
        if not early:
            self._add_key(model)
        return model

    def _fill(self, place, depth):
        for _ in range(self._random.randint(1, 3)):
            if self._random.random() < 0.2 and depth < 2:
                self._fill(place.add('frame', pos=[1, 0, 0]), depth + 1)
                continue
            name = f'n{len(place.root.find_all("body"))}'
            body = place.add('body', name=name)
            body.add('geom', size=[0.1])
            body.add('site', name=name)
            body.add('joint', name=name, type=self._random.choice(JOINTS))
            if self._random.random() < 0.3 and depth < 2:
                self._fill(body, depth + 1)

    def _attach(self, model, other):
        site = self._random.choice(model.find_all('site', exclude_attachments=True))
        frame = site.attach(other, extra_body=self._random.random() < 0.5)
        if frame.tag == 'body' and self._random.random() < 0.5:
            frame.add('joint', name='wrist')
            frame.add('inertial', pos=[0, 0, 0], mass=1, diaginertia=[1, 1, 1])

    def _add_key(self, model):
        size = compiled(model)
        lengths = {'qpos': size.nq, 'qvel': size.nv, 'act': size.na, 'ctrl': size.nu}
        values = {name: self._numbers.normal(size=count) for name, count in lengths.items()}
        model.keyframe.add('key', name='k', **values)


def compiled(model):
    return mujoco.MjModel.from_xml_string(model.to_xml_string())


def state(model, prefix):
    """Returns the values of joints, actuators and bodies after a reset to a key, by kind
    and name."""
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key(f'{prefix}k').id)
    found = {}
    for number in range(model.njnt):
        joint = data.joint(number)
        found['joint', joint.name] = [*joint.qpos, *joint.qvel]
    for number in range(model.nactuator):
        actuator = model.actuator(number)
        activation = data.act[actuator.actadr[0]] if actuator.actadr[0] >= 0 else 0
        found['actuator', actuator.name] = [data.ctrl[number], activation]
    return found


@pytest.mark.parametrize(
    'seed', [*range(4), *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(4, 100))]
)
def test_a_key_says_the_same_in_the_whole_model_as_in_its_own(seed):
    top = Composer(seed).model(3)
    whole = compiled(top)
    for model in top.attachments_below():
        prefix = model.namescope.full_prefix()
        got = state(whole, prefix)
        for (kind, name), value in state(compiled(model), '').items():
            assert got[kind, f'{prefix}{name}'] == value, (prefix, kind, name)
