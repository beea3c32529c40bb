"""Shadows, reflections and averaged samples: each is in the images alone, when it is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from .cameras import configs, first_image

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]
MIRROR = """
<mujoco>
  <visual><headlight active="0"/></visual>
  <asset>
    <material name="mirror" reflectance="0.5" specular="0"/>
    <material name="glow" emission="1"/>
  </asset>
  <worldbody>
    <light directional="true" pos="3 0 3" dir="-1 0 -1"/>
    <camera name="eye" pos="0 -2 2" xyaxes="1 0 0 0 1 1"/>
    <geom type="plane" size="1 1 1" material="mirror"/>
    <geom size="0.3" pos="0.5 0 0.6" rgba="0 0 1 1" material="glow"/>
  </worldbody>
</mujoco>
"""
"""A grey floor in front of nothing; a blue ball's shadow and reflection on it do not overlap."""
EYE = {'width': 160, 'height': 120, 'stream_type': 5}


def effects(colors: np.ndarray, ids: np.ndarray) -> set[str]:
    """The parameters whose effects are seen."""
    floor, nothing = colors[ids == 1].astype(int), colors[ids == 0]
    dark = floor.max(axis=1) < np.median(floor) / 2
    blue = floor[:, 2] > floor[:, 0] + 40
    seen = {
        'render_shadows': dark.mean() > 0.03,
        'render_reflections': blue.mean() > 0.03,
        'render_samples': nothing.any(axis=1).sum() > 50,  # edges are mixed with the black
    }
    return {parameter for parameter, is_seen in seen.items() if is_seen}


@pytest.mark.parametrize(
    'chosen',
    [{'render_shadows': True}, {'render_reflections': True, 'render_samples': 4}],
    ids=lambda chosen: '-'.join(chosen),
)
def test_each_option_has_its_effect_and_those_not_chosen_have_none(start, chosen):
    _, client = start({'mujoco_xml': MIRROR, **chosen, **configs(eye=EYE)})
    colors = first_image(client, '/cameras/eye/rgb')
    ids = first_image(client, '/cameras/eye/segmented/ids')
    assert effects(colors, ids) == set(chosen)
