"""The options of a camera: elements, groups and effects."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.simulation.rendering import GROUPS, CameraOptions, RenderOptions, Stream

SIZE = 64, 48
ALL = Stream.RGB | Stream.DEPTH | Stream.SEGMENTED
ROOM = mujoco.MjModel.from_xml_string("""
<mujoco>
  <worldbody>
    <light pos="0 -1 3"/>
    <camera pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    <geom name="wall" type="box" size="3 0.1 3" pos="0 2 0" rgba="0.2 0.8 0.2 1"/>
    <body>
      <joint name="slide" type="slide" axis="1 0 0"/>
      <geom name="ball" size="0.3" rgba="0 0 1 1" group="1"/>
    </body>
  </worldbody>
</mujoco>
""")
BALL = 2
"""The label of the ball: the background is 0, and the wall 1."""


@pytest.fixture
def see(renderer):
    """Returns `see(options)`: the images that a renderer of the room makes."""
    data = mujoco.MjData(ROOM)
    mujoco.mj_forward(ROOM, data)
    made = renderer(ROOM, SIZE)

    def see(options: CameraOptions) -> tuple[np.ndarray, ...]:
        frame = made.draw(data, 0, SIZE, ALL, None, options)
        return frame.rgb.copy(), frame.depth.copy(), frame.labels.copy()

    return see


def test_a_group_that_is_hidden_is_in_no_image(see):
    options = CameraOptions()
    before = see(options)
    rgb, depth, labels = see(options.with_groups('geom', [1, 0]))
    assert (before[2] == BALL).any()
    assert not (labels == BALL).any()
    middle = SIZE[1] // 2, SIZE[0] // 2
    assert depth[middle] == pytest.approx(3.9, abs=0.01)
    assert before[1][middle] == pytest.approx(1.7, abs=0.01)
    assert rgb[middle][1] > rgb[middle][2]
    for first, again in zip(before, see(options), strict=True):
        assert np.array_equal(first, again)


@pytest.mark.parametrize('element', ['Transparent', 'Inertia'])
def test_what_is_shown_beside_the_geoms_is_in_colours_alone(see, element):
    before = see(CameraOptions())
    rgb, depth, labels = see(CameraOptions().with_element(element, True))
    assert not np.array_equal(rgb, before[0])
    assert np.array_equal(depth, before[1])
    assert np.array_equal(labels, before[2])


def test_an_effect_is_in_colours_alone(see):
    before = see(CameraOptions())
    rgb, depth, labels = see(CameraOptions().with_effect('Wireframe', True))
    assert not np.array_equal(rgb, before[0])
    assert np.array_equal(depth, before[1])
    assert np.array_equal(labels, before[2])


def test_options_tell_what_was_set_and_the_first_ones_stay():
    first = CameraOptions()
    changed = first.with_element('Contact Point', True).with_effect('Fog', True)
    changed = changed.with_groups('site', [0, 0, 1])
    assert changed.elements() == {**first.elements(), 'Contact Point': True}
    quality = RenderOptions()
    assert changed.effects(quality) == {**first.effects(quality), 'Fog': True}
    assert changed.groups('site') == [False, False, True, False, False, False]
    assert first.groups('site') == [True, True, True, False, False, False]
    assert all(changed.groups(kind) == first.groups(kind) for kind in GROUPS if kind != 'site')


def test_effects_begin_as_the_images_of_all_cameras_are():
    plain, fine = RenderOptions(), RenderOptions(shadows=True, reflections=True)
    options = CameraOptions()
    assert not options.effects(plain)['Shadow']
    assert options.effects(fine)['Shadow']
    assert options.effects(fine)['Reflection']
    assert not options.with_effect('Shadow', False).effects(fine)['Shadow']


@pytest.mark.parametrize(
    ('change', 'message'),
    [
        (lambda options: options.with_element('Joints', True), r"'Joint'\?"),
        (lambda options: options.with_effect('Depth', True), "unknown render effect 'Depth'"),
        (lambda options: options.with_groups('geom', [1] * 7), 'at most 6 entries, got 7'),
    ],
)
def test_what_there_is_not_is_refused(change, message):
    with pytest.raises(ConfigError, match=message):
        change(CameraOptions())
