"""The picture of the page, compared with a picture of our own renderer."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.simulation.rendering import Renderer, RenderOptions, Stream

from .conftest import wait_until
from .test_in_chromium import PICTURE, await_picture, picture, red

pytestmark = pytest.mark.slow

ARM = Path(__file__).parents[2] / 'examples' / 'arm.xml'
CANVAS = 1000, 668
"""The size of the picture behind the panels in pixels: the page without its lowest line."""
POSES = ([0.4, -0.6, 0.9], [-0.8, 0.5, 0.3])


def red_arm() -> mujoco.MjSpec:
    """The example arm in red on an empty background, and the initial camera of the page."""
    spec = mujoco.MjSpec.from_file(str(ARM))
    for geom in list(spec.geoms):
        if geom.type == mujoco.mjtGeom.mjGEOM_PLANE:
            spec.delete(geom)
        else:
            geom.rgba, geom.material = (1, 0, 0, 1), ''
    for texture in list(spec.textures):
        if texture.type == mujoco.mjtTexture.mjTEXTURE_SKYBOX:
            spec.delete(texture)
    spec.worldbody.add_camera(name='page', pos=[0, -3, 0.7], xyaxes=[1, 0, 0, 0, 0, 1])
    spec.visual.global_.cameraid = spec.compile().camera('page').id
    return spec


def overlap(one, other):
    """Returns the intersection over union of two areas, from 0 to 1."""
    return (one & other).sum() / (one | other).sum()


def test_the_arm_is_where_our_renderer_draws_it(show, open_page, graphics):
    spec = red_arm()
    model = spec.compile()
    shown = show(spec.to_xml())
    page = open_page(shown.viewer.address)
    await_picture(page)
    data, renderer = mujoco.MjData(model), Renderer(model, graphics, RenderOptions())
    renderer.make_room(*CANVAS)
    camera = model.camera('page').id
    left, top, right, bottom = PICTURE
    drawn = []
    for pose in POSES:
        data.qpos[: len(pose)] = pose
        mujoco.mj_forward(model, data)
        labels = renderer.draw(data, camera, CANVAS, Stream.SEGMENTED).labels
        expected = labels[top:bottom, left:right] > 0
        assert expected.mean() > 0.02
        shown.session.call(lambda model, data, qpos=data.qpos: np.copyto(data.qpos, qpos))
        wait_until(lambda expected=expected: overlap(red(picture(page)), expected) > 0.9)
        drawn.append(expected)
    renderer.close()
    assert overlap(*drawn) < 0.8, 'the poses differ'
