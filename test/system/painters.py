"""Plugins that draw arrows and labels into images, in Python and compiled code."""

# The first parameter of a compiled callback is the state.

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state


class Arrow(MujocoPlugin):
    """Draws an arrow; configured by `tail`, `tip`, `rgba` and `images`.

    After `images` images it raises an exception, with its arrow added.
    """

    def load(self, model: Any, data: Any) -> None:
        self.state = new_state(
            tail=np.array(self.config['tail'], float),
            tip=np.array(self.config['tip'], float),
            rgba=np.array(self.config['rgba'], np.float32),
            images=int(self.config.get('images', 1_000_000)),
        )

    @staticmethod
    @compiled
    def render_callback(state: Any, model: Any, data: Any, scene: Any) -> None:
        geom, kind = scene.geoms[scene.ngeom], mujoco.mjtGeom.mjGEOM_ARROW
        mujoco.mjv_initGeom(geom, kind, None, None, None, state.rgba)
        mujoco.mjv_connector(geom, kind, 0.05, state.tail, state.tip)
        geom.emission = 1
        scene.ngeom += 1
        state.images -= 1
        if state.images < 0:
            raise ValueError('out of arrows')


class Label(MujocoPlugin):
    """Draws a label; configured by `text` and `pos`, its left end."""

    def render_callback(self, model: Any, data: Any, scene: Any) -> None:
        geom, kind = scene.geoms[scene.ngeom], mujoco.mjtGeom.mjGEOM_LABEL
        where, white = np.array(self.config['pos'], float), np.ones(4, np.float32)
        mujoco.mjv_initGeom(geom, kind, np.zeros(3), where, np.eye(3).ravel(), white)
        geom.label = self.config['text']
        scene.ngeom += 1


class CompiledLabel(MujocoPlugin):
    """Draws a label in compiled code."""

    def load(self, model: Any, data: Any) -> None:
        text = self.config['text'].encode() + b'\0'
        self.state = new_state(
            text=np.frombuffer(text, np.int8),
            pos=np.array(self.config['pos'], float),
            white=np.ones(4, np.float32),
        )

    @staticmethod
    @compiled
    def render_callback(state: Any, model: Any, data: Any, scene: Any) -> None:
        geom, kind = scene.geoms[scene.ngeom], mujoco.mjtGeom.mjGEOM_LABEL
        mujoco.mjv_initGeom(geom, kind, None, state.pos, None, state.white)
        for letter in range(len(state.text)):
            geom.label[letter] = state.text[letter]
        scene.ngeom += 1
