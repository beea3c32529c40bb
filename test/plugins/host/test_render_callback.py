"""Render callbacks that misbehave, on a scene without OpenGL."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import pytest

from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.plugins.host.render_callback import RenderCallback

MODEL = mujoco.MjModel.from_xml_string('<mujoco/>')


def broken(scene: mujoco.MjvScene) -> None:
    scene.ngeom += 1
    raise RuntimeError('half way')


def too_many(scene: mujoco.MjvScene) -> None:
    scene.ngeom = scene.maxgeom + 1


def negative(scene: mujoco.MjvScene) -> None:
    scene.ngeom = -1


@pytest.mark.parametrize('paint', [broken, too_many, negative])
def test_what_a_callback_leaves_undone_is_not_drawn(paint: Callable[[mujoco.MjvScene], None]):
    callback = RenderCallback(lambda model, data, scene: paint(scene))
    scene = mujoco.MjvScene(MODEL, 10)
    scene.ngeom = 3
    with pytest.raises((RuntimeError, PluginError)):
        callback(MODEL, mujoco.MjData(MODEL), scene)
    assert scene.ngeom == 3


def test_geoms_may_be_added_up_to_the_last():
    scene = mujoco.MjvScene(MODEL, 10)
    callback = RenderCallback(lambda model, data, scene: setattr(scene, 'ngeom', scene.maxgeom))
    callback(MODEL, mujoco.MjData(MODEL), scene)
    assert scene.ngeom == 10
